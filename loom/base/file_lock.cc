// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <loom/base/file_lock.h>

namespace loom {

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<FileLock> FileLock::wait_for(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return fail(std::string("cannot be locked: ") + std::strerror(errno), path);
  FileLock lock(descriptor);
  while (::flock(descriptor, LOCK_EX) != 0) {
    if (errno != EINTR) return fail(std::string("cannot be locked: ") + std::strerror(errno), path);
  }
  return lock;
}

std::optional<FileLock> FileLock::try_folder(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return {};
  FileLock lock(descriptor);
  struct stat opened {
  }, named{};
  if (::fstat(descriptor, &opened) != 0 || opened.st_uid != ::geteuid()) return {};
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return {};
  // Whoever held it before may have taken the folder away.
  if (::lstat(path.c_str(), &named) != 0 || named.st_ino != opened.st_ino || named.st_dev != opened.st_dev) return {};
  return lock;
}

}  // namespace loom
