// SPDX-License-Identifier: MIT
#include <atomic>
#include <cerrno>
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

 private:
  int number_;
};

std::string reason(int error) { return std::strerror(error); }  // NOLINT(concurrency-mt-unsafe): glibc's is safe

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

}  // namespace

Result<FileBytes> load_file(const std::string& path, std::uint64_t limit) {
  // Asked before opening: opening a pipe that nobody writes to would wait for ever.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return fail(fmt::format("cannot be read: {}", reason(errno)), path);
  if (!S_ISREG(status.st_mode)) return fail("is not a plain file", path);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > limit) {
    return fail(fmt::format("has {} bytes, more than the {} a file may have here", size, limit), path);
  }
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return fail(fmt::format("cannot be opened: {}", reason(errno)), path);
  auto data = std::make_unique_for_overwrite<char[]>(size);
  const std::ptrdiff_t got = read_fully(file.get(), data.get(), size);
  if (got < 0) return fail(fmt::format("cannot be read: {}", reason(errno)), path);
  return FileBytes(std::move(data), static_cast<std::size_t>(got));
}

Result<void> save_file(const std::string& path, std::string_view bytes) {
  // A name no other thread or process takes. One left by a process of this number that was killed is written over.
  static std::atomic<unsigned> saved = 0;
  const std::string temporary = fmt::format("{}.{}.{}.part", path, ::getpid(), ++saved);
  const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.is_open()) return fail(fmt::format("cannot be written: {}", reason(errno)), path);
  if (!write_fully(file.get(), bytes) || ::fsync(file.get()) != 0 || ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    return fail(fmt::format("cannot be written: {}", reason(error)), path);
  }
  return {};
}

}  // namespace loom
