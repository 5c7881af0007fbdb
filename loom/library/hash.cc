// SPDX-License-Identifier: MIT
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <loom/library/hash.h>
#include <loom/motion/skeleton_blob.h>

namespace loom::library {
namespace {

/// Hashes pieces as if they were one.
class Hasher {
 public:
  Hasher() { XXH3_128bits_reset(&state_); }
  void add(const void* data, std::size_t bytes) { XXH3_128bits_update(&state_, data, bytes); }
  [[nodiscard]] std::string text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  XXH3_state_t state_;
};

}  // namespace

Result<std::string> file_hash(const std::string& path) {
  // A pipe would wait for ever for somebody to write, and a device may never end.
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return fail_as(ErrorKind::kBadInput, "is not a plain file", path);
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  const auto unreadable = [&] {
    const int error = errno;
    return fail_as(error == ENOENT ? ErrorKind::kNotFound : ErrorKind::kOther,
                   "cannot be read: " + std::generic_category().message(error), path);
  };
  if (!file) return unreadable();
  Hasher hasher;
  std::vector<char> piece(std::size_t{1} << 18);
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get())) hasher.add(piece.data(), got);
  if (std::ferror(file.get())) return unreadable();
  return hasher.text();
}

std::string clip_hash(const motion::Clip& clip) {
  Hasher hasher;
  const std::vector<std::byte> skeleton = motion::to_blob(*clip.skeleton);
  hasher.add(skeleton.data(), skeleton.size());
  hasher.add(&clip.rate, sizeof clip.rate);
  hasher.add(clip.roots.data(), clip.roots.size() * sizeof(Vec3));
  hasher.add(clip.rotations.data(), clip.rotations.size() * sizeof(Quat));
  return hasher.text();
}

}  // namespace loom::library
