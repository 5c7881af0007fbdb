// SPDX-License-Identifier: MIT
#include <exception>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <sqlite3.h>

#include <loom/library/detail/database.h>

namespace loom::library {
namespace {

namespace fs = std::filesystem;

/// How long to wait for another process that is writing, in milliseconds: several times the longest commit.
constexpr int kBusyMilliseconds = 10'000;
constexpr int kWaitMilliseconds = 10;  ///< between two tries

/// Set on every connection. The file is read and not mapped: a mapped file that another program cuts short meanwhile
/// kills the process, and where it is read, that is an error.
constexpr const char* kSettings =
    "PRAGMA mmap_size = 0;"
    "PRAGMA foreign_keys = ON;"
    "PRAGMA cell_size_check = ON;"  // a damaged page is found when it is read, not by what it leads to
    "PRAGMA synchronous = FULL;";

std::string immutable_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

std::string system_message(int number) { return std::generic_category().message(number); }

/// What SQLite calls while others hold the file; `tries` counts from 0. Not 0: try again.
int wait_for_others(void* go_on, int tries) {
  const auto& asked = *static_cast<const std::function<bool()>*>(go_on);
  if (tries * kWaitMilliseconds >= kBusyMilliseconds || (asked && !asked())) return 0;
  sqlite3_sleep(kWaitMilliseconds);
  return 1;
}

/// A blob opened for reading, closed at the end.
class OpenBlob {
 public:
  OpenBlob(sqlite3* handle, const char* table, const char* column, std::int64_t row)
      : status_(sqlite3_blob_open(handle, "main", table, column, row, 0, &blob_)) {}
  ~OpenBlob() { sqlite3_blob_close(blob_); }
  OpenBlob(const OpenBlob&) = delete;
  OpenBlob& operator=(const OpenBlob&) = delete;

  [[nodiscard]] bool ok() const { return status_ == SQLITE_OK; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(sqlite3_blob_bytes(blob_)); }
  bool read(std::span<std::byte> out, std::size_t offset) {
    return sqlite3_blob_read(blob_, out.data(), static_cast<int>(out.size()), static_cast<int>(offset)) == SQLITE_OK;
  }

 private:
  sqlite3_blob* blob_ = nullptr;
  int status_;
};

}  // namespace

void Statement::GiveBack::operator()(sqlite3_stmt* statement) const {
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  database->idle_[sqlite3_sql(statement)].push_back(statement);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), parameter, value);
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  sqlite3_bind_double(statement_.get(), parameter, value);
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view value) {
  // An empty view may have no address, which SQLite would take for NULL.
  const char* text = value.empty() ? "" : value.data();
  sqlite3_bind_text64(statement_.get(), parameter, text, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind(int parameter, std::span<const std::byte> value) {
  if (value.empty()) {
    sqlite3_bind_zeroblob(statement_.get(), parameter, 0);
  } else {
    sqlite3_bind_blob64(statement_.get(), parameter, value.data(), value.size(), SQLITE_STATIC);
  }
  return *this;
}

Result<bool> Statement::step() {
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) return true;
  if (status == SQLITE_DONE) return false;
  return tl::unexpected<Error>(statement_.get_deleter().database->error());
}

Result<void> Statement::run() {
  const auto row = step();
  if (!row) return fail_from(row);
  return {};
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }

std::string Statement::text(int column) const {
  const auto* text = sqlite3_column_text(statement_.get(), column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::span<const std::byte> Statement::blob(int column) const {
  const void* data = sqlite3_column_blob(statement_.get(), column);
  if (data == nullptr) return {};
  return {static_cast<const std::byte*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

Result<std::unique_ptr<Database>> Database::open_handle(const std::string& path, const std::string& name, int flags) {
  sqlite3* handle = nullptr;
  const int status = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_EXRESCODE, nullptr);
  if (handle == nullptr) return fail_as(ErrorKind::kOutOfMemory, "there is no memory to open it", path);
  std::unique_ptr<Database> database(new Database(path, handle));
  if (status != SQLITE_OK) return tl::unexpected<Error>(database->error());
  sqlite3_busy_handler(handle, wait_for_others, &database->go_on_);
  // A file from elsewhere may carry triggers and views; none of ours does, and none is ever run.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  if (const auto set = database->execute(kSettings); !set) return fail_from(set);
  // The first look at the pages: this is where a file that is no database, or cannot be locked, shows itself.
  if (const auto tables = database->number("SELECT count(*) FROM sqlite_schema"); !tables) return fail_from(tables);
  return database;
}

Result<std::unique_ptr<Database>> Database::open(const std::string& path, Mode mode) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (path.empty()) return fail("a library needs a file name");
  if (fs::is_directory(status)) return fail("is a folder, not a library", path);
  if (fs::exists(status) && !fs::is_regular_file(status)) return fail("is not a plain file", path);
  if (mode != Mode::kCreate && !fs::exists(status)) return fail_as(ErrorKind::kNotFound, "there is no such file", path);
  const std::string name = fs::absolute(path, ignored).string();  // so that ":memory:" is a file like any other
  if (mode != Mode::kRead) {
    return open_handle(path, name, SQLITE_OPEN_READWRITE | (mode == Mode::kCreate ? SQLITE_OPEN_CREATE : 0));
  }
  // A reader, too, opens the file for writing where it may: the last to close then clears away the files beside it.
  auto database = open_handle(path, name, SQLITE_OPEN_READWRITE);
  if (!database) {
    // Where no lock files can be made nobody writes either, and the file can be taken as it is. A write-ahead log
    // beside it would hold what the file lacks, so then it cannot.
    const auto log_size = fs::file_size(name + "-wal", ignored);
    if (ignored || log_size == 0) {
      auto unchanging = open_handle(path, immutable_uri(name), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
      if (unchanging) database = std::move(unchanging);
    }
  }
  if (!database) return database;
  if (const auto set = (*database)->execute("PRAGMA query_only = ON"); !set) return fail_from(set);
  return database;
}

Database::~Database() {
  for (const auto& [sql, statements] : idle_) {
    for (sqlite3_stmt* statement : statements) sqlite3_finalize(statement);
  }
  sqlite3_close_v2(handle_);
}

Result<Statement> Database::prepare(std::string_view sql) const {
  const std::string text(sql);
  if (const auto idle = idle_.find(text); idle != idle_.end() && !idle->second.empty()) {
    sqlite3_stmt* statement = idle->second.back();
    idle->second.pop_back();
    return Statement(statement, this);
  }
  sqlite3_stmt* prepared = nullptr;
  const int status = sqlite3_prepare_v2(handle_, text.c_str(), -1, &prepared, nullptr);
  if (status != SQLITE_OK || prepared == nullptr) return tl::unexpected<Error>(error());
  return Statement(prepared, this);
}

Result<void> Database::execute(const char* sql) const {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return tl::unexpected<Error>(error());
  return {};
}

Result<std::int64_t> Database::number(std::string_view sql) const {
  auto statement = prepare(sql);
  if (!statement) return fail_from(statement);
  const auto row = statement->step();
  if (!row) return fail_from(row);
  return *row ? statement->integer(0) : 0;
}

Result<std::size_t> Database::blob_size(const char* table, const char* column, std::int64_t row) const {
  const OpenBlob blob(handle_, table, column, row);
  if (!blob.ok()) return tl::unexpected<Error>(error());
  const auto pages = number("PRAGMA page_count"), page = number("PRAGMA page_size");
  if (!pages) return fail_from(pages);
  if (!page) return fail_from(page);
  if (blob.size() > static_cast<std::size_t>(*pages) * static_cast<std::size_t>(*page)) {
    return fail_as(ErrorKind::kDamaged, "the library is damaged: something in it claims to be larger than the file",
                   path_);
  }
  return blob.size();
}

Result<void> Database::read_blob(const char* table, const char* column, std::int64_t row,
                                 std::initializer_list<std::span<std::byte>> pieces) const {
  OpenBlob blob(handle_, table, column, row);
  if (!blob.ok()) return tl::unexpected<Error>(error());
  std::size_t offset = 0;
  for (const std::span<std::byte> piece : pieces) {
    if (piece.size() > blob.size() - offset || !blob.read(piece, offset)) {
      return fail_as(ErrorKind::kDamaged, "the library is damaged: data is missing", path_);
    }
    offset += piece.size();
  }
  if (offset != blob.size())
    return fail_as(ErrorKind::kDamaged, "the library is damaged: there is more data than there should be", path_);
  return {};
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(handle_); }

std::size_t Database::changes() const { return static_cast<std::size_t>(sqlite3_changes64(handle_)); }

Result<void> Database::transact(const std::function<Result<void>()>& body) {
  const bool outermost = depth_ == 0;
  // IMMEDIATE takes the right to write at once: a second writer waits here, not in the middle of its work.
  auto begun = outermost ? execute("BEGIN IMMEDIATE") : execute("SAVEPOINT inner");
  if (!begun) return begun;
  ++depth_;
  Result<void> done = check_in_place();
  try {
    if (done) done = body();
  } catch (const std::bad_alloc&) {  // whatever was begun is undone all the same
    done = fail_as(ErrorKind::kOutOfMemory, "there is not enough memory", path_);
  } catch (const std::exception& thrown) {
    done = fail(thrown.what(), path_);
  }
  --depth_;
  if (done && outermost) done = check_in_place();
  if (done) done = outermost ? execute("COMMIT") : execute("RELEASE inner");
  if (!done) {
    // Some failures (a full disk) have rolled back already; then this finds nothing to do, and `done` says why.
    const auto undone = outermost ? execute("ROLLBACK") : execute("ROLLBACK TO inner; RELEASE inner");
    static_cast<void>(undone);
  }
  if (done && outermost) empty_log();
  return done;
}

Result<void> Database::check_in_place() const {
  int moved = 0;
  const int status = sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (status != SQLITE_OK || moved == 0) return {};
  return fail("was removed, or another file put in its place, while it was open; nothing was written", path_);
}

void Database::empty_log() const {
  sqlite3_busy_handler(handle_, nullptr, nullptr);  // who still reads from the log is not waited for
  sqlite3_wal_checkpoint_v2(handle_, "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  sqlite3_busy_handler(handle_, wait_for_others, &go_on_);
}

Database::Snapshot::Snapshot(const Database& database)
    : database_(database), open_(database.execute("SAVEPOINT snapshot").has_value()) {}

Database::Snapshot::~Snapshot() {
  if (open_) static_cast<void>(database_.execute("RELEASE snapshot"));
}

Error Database::error() const {
  const int code = sqlite3_extended_errcode(handle_);
  const int number = sqlite3_system_errno(handle_);
  const auto because = [&](const std::string& text) {
    return number != 0 ? text + ": " + system_message(number) : text;
  };
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {"another process is writing to the library; try again when it is done", path_, 0,
              go_on_ && !go_on_() ? ErrorKind::kStopped : ErrorKind::kOther};
    case SQLITE_FULL:
      return {"the disk is full; the library is as it was", path_, 0, ErrorKind::kNoSpace};
    case SQLITE_READONLY:
      return {"the library may not be written to", path_, 0};
    case SQLITE_CANTOPEN:
      return {because("cannot be opened"), path_, 0, number == ENOENT ? ErrorKind::kNotFound : ErrorKind::kOther};
    case SQLITE_IOERR:
      return {because("reading or writing failed"), path_, 0,
              number == ENOSPC ? ErrorKind::kNoSpace : ErrorKind::kOther};
    case SQLITE_NOTADB:
      return {"is not a Motion Loom library", path_, 0, ErrorKind::kBadInput};
    case SQLITE_CORRUPT:
      return {"the library is damaged: " + std::string(sqlite3_errmsg(handle_)), path_, 0, ErrorKind::kDamaged};
    case SQLITE_TOOBIG:
      return {"more than 1 GB in one piece does not fit into a library; cut the clip", path_, 0};
    case SQLITE_NOMEM:
      return {"there is not enough memory", path_, 0, ErrorKind::kOutOfMemory};
    default:
      return {sqlite3_errmsg(handle_), path_, 0};
  }
}

}  // namespace loom::library
