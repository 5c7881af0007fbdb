// SPDX-License-Identifier: MIT
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <loom/base/file.h>

namespace loom {
namespace {

/// An open file that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  void reset(int number) {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }

 private:
  int number_;
};

std::string reason(int error) { return std::strerror(error); }  // NOLINT(concurrency-mt-unsafe): glibc's is safe

ErrorKind kind_of(int error) {
  if (error == ENOENT || error == ENOTDIR) return ErrorKind::kNotFound;
  return error == ENOSPC || error == EDQUOT ? ErrorKind::kNoSpace : ErrorKind::kOther;
}

/// What the system says of the last call: "cannot be read: No such file or directory".
tl::unexpected<Error> failed(const char* what, const std::string& path) {
  const int error = errno;
  return fail_as(kind_of(error), fmt::format("{}: {}", what, reason(error)), path);
}

/// How many bytes were read before the end of the file, or -1 with errno set.
std::ptrdiff_t read_fully(int file, char* data, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::read(file, data + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return static_cast<std::ptrdiff_t>(done);
}

bool write_fully(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(file, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

/// Lets those read and write the file whom `mode` lets, as before it was replaced: what was kept from others stays so.
/// False, with errno set, when it cannot; where the file system knows no modes there is nothing to do.
bool take_mode(int file, mode_t mode) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return false;
  return (status.st_mode & 0777) == mode || ::fchmod(file, mode) == 0;
}

/// The file that `path` leads to where it is a link: writing to it changes that file and keeps the link.
/// A link that leads to nothing yet is followed to where the file will be.
std::string end_of_links(std::string path) {
  constexpr int kMostLinks = 40;  // as many as the kernel follows
  for (int links = 0; links < kMostLinks; ++links) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return path;
    std::string target(PATH_MAX, '\0');
    const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
    if (size <= 0) return path;
    target.resize(static_cast<std::size_t>(size));
    path = target.starts_with('/') ? target : path.substr(0, path.rfind('/') + 1) + target;
  }
  return path;
}

/// A file on its way, beside the one it is to become.
///
/// Where the file system can it has no name until it is whole, so that a process that is killed leaves nothing behind;
/// elsewhere it has one that nobody else takes.
class Unfinished {
 public:
  explicit Unfinished(const std::string& path) : folder_(path.substr(0, path.rfind('/') + 1)), file_(open_nameless()) {
    if (file_.is_open()) return;
    const int named = with_free_name([](const char* name) { return ::open(name, O_CREAT | O_EXCL | kHow, 0666); });
    if (named >= 0) file_.reset(named);
  }
  ~Unfinished() {
    const int error = errno;
    if (!name_.empty()) ::unlink(name_.c_str());
    errno = error;
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  [[nodiscard]] bool is_open() const { return file_.is_open(); }
  [[nodiscard]] int get() const { return file_.get(); }

  /// Takes the place of `path`; false, with errno set, when it cannot.
  bool become(const std::string& path) {
    if (name_.empty()) {
      const std::string nameless = fmt::format("/proc/self/fd/{}", file_.get());
      const auto link = [&](const char* name) {
        return ::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
      };
      if (with_free_name(link) < 0) return false;
    }
    if (::rename(name_.c_str(), path.c_str()) != 0) return false;
    name_.clear();
    return true;
  }

 private:
  static constexpr int kHow = O_WRONLY | O_CLOEXEC;

  [[nodiscard]] int open_nameless() const {
    if (::access("/proc/self/fd", X_OK) != 0) return -1;  // by which it is given its name
    return ::open(folder_.empty() ? "." : folder_.c_str(), O_TMPFILE | kHow, 0666);
  }

  /// Calls `make` with names until it takes one; what it gives, with errno set where that is below zero. One left by a
  /// process of this number that was killed is passed over.
  template <typename Make>
  int with_free_name(Make make) {
    static std::atomic<unsigned> made = 0;
    for (int tries = 0; tries < 1000; ++tries) {
      name_ = fmt::format("{}.loom-{}-{}.part", folder_, ::getpid(), ++made);
      const int result = make(name_.c_str());
      if (result >= 0) return result;
      if (errno != EEXIST) break;
    }
    name_.clear();
    return -1;
  }

  std::string folder_;  ///< with the slash behind it
  Descriptor file_;
  std::string name_;  ///< empty while it has none
};

}  // namespace

Result<FileBytes> load_file(const std::string& path, std::uint64_t limit) {
  // Asked before opening: opening a pipe that nobody writes to would wait for ever.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return failed("cannot be read", path);
  if (!S_ISREG(status.st_mode)) return fail_as(ErrorKind::kBadInput, "is not a plain file", path);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > limit) {
    return fail_as(ErrorKind::kBadInput,
                   fmt::format("has {} bytes, more than the {} a file may have here", size, limit), path);
  }
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return failed("cannot be opened", path);
  std::unique_ptr<char[]> data(new char[size]);  // not zeroed: it is read into
  const std::ptrdiff_t got = read_fully(file.get(), data.get(), size);
  if (got < 0) return failed("cannot be read", path);
  return FileBytes(std::move(data), static_cast<std::size_t>(got));
}

struct FileWriter::State {
  State(std::string where, std::string end) : path(std::move(where)), target(std::move(end)), file(target) {}

  Result<void> flush() {
    if (!write_fully(file.get(), waiting)) return failed("cannot be written", path);
    waiting.clear();
    return {};
  }

  std::string path;    ///< as it was asked for
  std::string target;  ///< where links lead
  Unfinished file;
  std::string waiting;      ///< not written yet
  std::uint64_t bytes = 0;  ///< given so far
};

FileWriter::FileWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
FileWriter::FileWriter(FileWriter&&) noexcept = default;
FileWriter& FileWriter::operator=(FileWriter&&) noexcept = default;
FileWriter::~FileWriter() = default;

Result<FileWriter> FileWriter::create(const std::string& path) {
  struct stat status {};
  const bool is_there = ::stat(path.c_str(), &status) == 0;
  if (is_there && !S_ISREG(status.st_mode)) return fail_as(ErrorKind::kBadInput, "is not a plain file", path);
  if (!is_there && errno == ELOOP) return failed("cannot be written", path);
  auto state = std::make_unique<State>(path, end_of_links(path));
  if (!state->file.is_open()) return failed("cannot be written", path);
  if (is_there && !take_mode(state->file.get(), status.st_mode & 0777)) return failed("cannot be written", path);
  return FileWriter(std::move(state));
}

Result<void> FileWriter::write(std::string_view bytes) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  state_->bytes += bytes.size();
  if (state_->waiting.size() + bytes.size() < kPiece) {
    state_->waiting += bytes;
    return {};
  }
  if (const auto flushed = state_->flush(); !flushed) return flushed;
  if (!write_fully(state_->file.get(), bytes)) return failed("cannot be written", state_->path);
  return {};
}

Result<void> FileWriter::finish() {
  if (const auto flushed = state_->flush(); !flushed) return flushed;
  if (::fsync(state_->file.get()) != 0 || !state_->file.become(state_->target)) {
    return failed("cannot be written", state_->path);
  }
  return {};
}

std::uint64_t FileWriter::bytes() const { return state_->bytes; }

Result<void> save_file(const std::string& path, std::string_view bytes) {
  auto file = FileWriter::create(path);
  if (!file) return fail_from(file);
  if (const auto written = file->write(bytes); !written) return written;
  return file->finish();
}

}  // namespace loom
