// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <loom/base/result.h>

struct sqlite3;
struct sqlite3_stmt;

namespace loom::library {

class Database;

/// One SQL statement, prepared, with values bound and rows taken. Columns and parameters count from 0 and 1, as SQLite
/// counts them. Column values are converted as SQLite converts them, so a wrong type in a damaged file gives 0 or "".
class Statement {
 public:
  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, double value);
  Statement& bind(int parameter, std::string_view value);
  Statement& bind(int parameter, std::span<const std::byte> value);  ///< must stay until the statement has run

  /// Runs to the next row: true when there is one, false at the end.
  Result<bool> step();
  /// Runs a statement that gives no rows.
  Result<void> run();
  /// Ready to run again with other values.
  void reset();

  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::span<const std::byte> blob(int column) const;  ///< until the next step

 private:
  friend class Database;
  /// Gives the statement back to the database, which keeps it for the next one who needs it.
  struct GiveBack {
    const Database* database = nullptr;
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3_stmt* statement, const Database* database) : statement_(statement, GiveBack{database}) {}

  std::unique_ptr<sqlite3_stmt, GiveBack> statement_;
};

/// An open SQLite file: statements, nested transactions and errors in words. Knows nothing of motion.
class Database {
 public:
  enum class Mode { kRead, kWrite, kCreate };

  /// Opens the file. Reading falls back to taking it as unchanging where its folder allows no lock files (read-only
  /// media). The schema is not looked at.
  static Result<std::unique_ptr<Database>> open(const std::string& path, Mode mode);

  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// A statement ready to run. Those given back are used again, since preparing one takes longer than running it.
  Result<Statement> prepare(std::string_view sql) const;
  /// Runs statements that need no values and give no rows.
  Result<void> execute(const char* sql) const;
  /// The one number a query gives.
  Result<std::int64_t> number(std::string_view sql) const;
  /// Size in bytes of a blob. Fails when there is none or it claims more bytes than the file has.
  Result<std::size_t> blob_size(const char* table, const char* column, std::int64_t row) const;
  /// Copies a blob into the pieces one after the other; fails when together they are not exactly its size.
  Result<void> read_blob(const char* table, const char* column, std::int64_t row,
                         std::initializer_list<std::span<std::byte>> pieces) const;
  [[nodiscard]] std::int64_t last_row() const;
  [[nodiscard]] std::size_t changes() const;

  /// All that `body` does, or nothing; see Library::transact. Fails, before anything is written, when the file at the
  /// path is no longer the one that was opened.
  Result<void> transact(const std::function<Result<void>()>& body);
  /// Asked again and again while another process is waited for; false ends the wait. See Library::set_patience.
  void set_patience(std::function<bool()> go_on) { go_on_ = std::move(go_on); }

  /// As long as it lives, queries see the file as it was at the first of them, whatever others write.
  class Snapshot {
   public:
    explicit Snapshot(const Database& database);
    ~Snapshot();
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

   private:
    const Database& database_;
    bool open_;
  };

  /// Fails when the file at the path is another by now, or none: what is written would be lost, and what waits in the
  /// log be replayed over a file it does not belong to. `transact` asks this itself.
  [[nodiscard]] Result<void> check_in_place() const;

  [[nodiscard]] const std::string& path() const { return path_; }
  /// What the last call that failed means to a user.
  [[nodiscard]] Error error() const;

 private:
  Database(std::string path, sqlite3* handle) : path_(std::move(path)), handle_(handle) {}
  static Result<std::unique_ptr<Database>> open_handle(const std::string& path, const std::string& name, int flags);

  /// Brings what is in the log into the file, so that the file alone holds everything: whoever then copies it has all,
  /// and whoever puts another in its place does not meet a log of the old one.
  void empty_log() const;

  friend struct Statement::GiveBack;

  std::string path_;
  sqlite3* handle_;
  mutable std::function<bool()> go_on_;                                       ///< empty: always
  int depth_ = 0;                                                             ///< of nested transactions
  mutable std::unordered_map<std::string, std::vector<sqlite3_stmt*>> idle_;  ///< prepared and not in use, by text
};

}  // namespace loom::library
