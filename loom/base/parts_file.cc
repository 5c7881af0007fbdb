// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <loom/base/bytes.h>
#include <loom/base/hash.h>
#include <loom/base/parts_file.h>

namespace loom {
namespace {

constexpr std::string_view kMagic = "motion loom parts 1\n";
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;  ///< of a record; no disk holds more of these
constexpr std::size_t kHash = 32;                             ///< digits of content_hash

enum class Kind : std::uint32_t { kWork = 1, kHandedOut = 2, kDone = 3 };

struct Head {
  Kind kind = Kind::kWork;
  std::uint32_t whom = 0;
  std::uint64_t part = 0;
  std::uint64_t size = 0;
  std::array<char, kHash> hash{};  ///< of all before it, and of the bytes that follow
};
static_assert(sizeof(Head) == 24 + kHash);

std::array<char, kHash> hash_of(const Head& head, std::span<const std::byte> bytes) {
  ByteWriter all;
  all.value(head.kind);
  all.value(head.whom);
  all.value(head.part);
  all.array(bytes);
  const std::string text = content_hash(all.take());
  std::array<char, kHash> hash{};
  std::copy_n(text.begin(), std::min(text.size(), kHash), hash.begin());
  return hash;
}

Error error_of(int number, const std::string& path, const char* doing) {
  const bool full = number == ENOSPC || number == EDQUOT || number == EFBIG;
  return {fmt::format("{}: {}", doing, std::strerror(number)), path, 0, full ? ErrorKind::kNoSpace : ErrorKind::kOther};
}

/// Reads `size` bytes at `offset`; false where there are not so many.
bool read_at(int file, std::uint64_t offset, void* to, std::size_t size) {
  auto* out = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = ::pread(file, out, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    out += got;
    offset += static_cast<std::uint64_t>(got);
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

/// 0, or the number of the error.
int write_at(int file, std::uint64_t offset, const void* from, std::size_t size) {
  const auto* in = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t put = ::pwrite(file, in, size, static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno;
    in += put;
    offset += static_cast<std::uint64_t>(put);
    size -= static_cast<std::size_t>(put);
  }
  return 0;
}

}  // namespace

struct PartsFile::State {
  struct Place {
    std::uint64_t offset = 0, size = 0;
    Head head;
  };
  struct Work {
    std::map<std::uint64_t, Place> done;
    std::map<std::uint64_t, std::uint32_t> handed_out;
  };

  std::string path;
  int file = -1;
  std::uint64_t end = 0;
  std::map<std::string, Work> works;
  Work* now = nullptr;
  std::map<std::uint64_t, std::uint32_t> lost;

  ~State() {
    if (file >= 0) ::close(file);
  }

  /// Reads all records that are whole, and forgets what follows them.
  Result<void> read_all() {
    struct stat status {};
    if (::fstat(file, &status) != 0) return tl::unexpected(error_of(errno, path, "cannot be read"));
    const auto size = static_cast<std::uint64_t>(status.st_size);
    std::string magic(std::min<std::uint64_t>(size, kMagic.size()), '\0');
    if (!S_ISREG(status.st_mode) || !read_at(file, 0, magic.data(), magic.size()) || !kMagic.starts_with(magic)) {
      return fail_as(ErrorKind::kBadInput, "is no file of parts of work", path);
    }
    if (magic.size() < kMagic.size()) {
      if (const int error = write_at(file, 0, kMagic.data(), kMagic.size()); error != 0)
        return tl::unexpected(error_of(error, path, "cannot be written"));
    }
    end = kMagic.size();
    std::vector<std::byte> bytes;
    while (true) {
      Place place;
      if (!read_at(file, end, &place.head, sizeof(Head)) || place.head.size > kMostBytes) break;
      place.offset = end + sizeof(Head);
      place.size = place.head.size;
      if (place.offset + place.size > std::max(size, kMagic.size())) break;
      bytes.resize(place.size);
      if (!read_at(file, place.offset, bytes.data(), bytes.size()) || hash_of(place.head, bytes) != place.head.hash)
        break;
      if (!take(place, bytes)) break;
      end = place.offset + place.size;
    }
    if (::ftruncate(file, static_cast<off_t>(end)) != 0)
      return tl::unexpected(error_of(errno, path, "cannot be written"));
    now = nullptr;
    return {};
  }

  bool take(const Place& place, std::span<const std::byte> bytes) {
    const Head& head = place.head;
    if (head.kind == Kind::kWork) {
      now = &works[std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())];
      return true;
    }
    if (now == nullptr) return false;
    if (head.kind == Kind::kHandedOut) {
      now->handed_out[head.part] = head.whom;
    } else if (head.kind == Kind::kDone) {
      now->done[head.part] = place;
      now->handed_out.erase(head.part);
    }
    return head.kind == Kind::kHandedOut || head.kind == Kind::kDone;
  }

  Result<void> add(Kind kind, std::uint64_t part, std::uint32_t whom, std::span<const std::byte> bytes, bool lasting) {
    Place place;
    place.head = {kind, whom, part, bytes.size(), {}};
    place.head.hash = hash_of(place.head, bytes);
    place.offset = end + sizeof(Head);
    place.size = bytes.size();
    ByteWriter record;
    record.value(place.head);
    std::vector<std::byte> all = record.take();
    all.insert(all.end(), bytes.begin(), bytes.end());
    int error = write_at(file, end, all.data(), all.size());
    if (error == 0 && lasting && ::fdatasync(file) != 0) error = errno;
    if (error != 0) {
      if (::ftruncate(file, static_cast<off_t>(end)) != 0) error = errno;  // or the next reader does
      return tl::unexpected(error_of(error, path, "what was done cannot be kept; what was kept before stays"));
    }
    end += all.size();
    take(place, bytes);
    return {};
  }
};

PartsFile::PartsFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
PartsFile::PartsFile(PartsFile&&) noexcept = default;
PartsFile& PartsFile::operator=(PartsFile&&) noexcept = default;
PartsFile::~PartsFile() = default;

Result<PartsFile> PartsFile::open(const std::string& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  state->file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (state->file < 0) return tl::unexpected(error_of(errno, path, "cannot be opened"));
  if (::flock(state->file, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return fail("another run is at work on this, and keeps its parts here", path);
    return tl::unexpected(error_of(errno, path, "cannot be locked"));
  }
  if (const auto read = state->read_all(); !read) return fail_from(read);
  return PartsFile(std::move(state));
}

Result<void> PartsFile::begin(std::string_view key) {
  const auto* bytes = reinterpret_cast<const std::byte*>(key.data());
  if (const auto added = state_->add(Kind::kWork, 0, 0, {bytes, key.size()}, false); !added) return added;
  state_->lost = state_->now->handed_out;
  return {};
}

std::vector<std::uint64_t> PartsFile::done() const {
  std::vector<std::uint64_t> parts;
  if (state_->now == nullptr) return parts;
  for (const auto& [part, place] : state_->now->done) parts.push_back(part);
  return parts;
}

const std::map<std::uint64_t, std::uint32_t>& PartsFile::lost() const { return state_->lost; }

Result<std::vector<std::byte>> PartsFile::read(std::uint64_t part) const {
  const auto missing = [&] { return fail_as(ErrorKind::kDamaged, "a part that was done is gone", state_->path); };
  if (state_->now == nullptr) return missing();
  const auto found = state_->now->done.find(part);
  if (found == state_->now->done.end()) return missing();
  std::vector<std::byte> bytes(found->second.size);
  if (!read_at(state_->file, found->second.offset, bytes.data(), bytes.size()) ||
      hash_of(found->second.head, bytes) != found->second.head.hash) {
    return missing();
  }
  return bytes;
}

Result<void> PartsFile::hand_out(std::uint64_t part, std::uint32_t whom) {
  if (state_->now == nullptr) return fail("no work was begun");
  return state_->add(Kind::kHandedOut, part, whom, {}, false);
}

Result<void> PartsFile::keep(std::uint64_t part, std::span<const std::byte> bytes) {
  if (state_->now == nullptr) return fail("no work was begun");
  return state_->add(Kind::kDone, part, 0, bytes, true);
}

Result<void> PartsFile::remove() {
  if (::unlink(state_->path.c_str()) != 0 && errno != ENOENT)
    return tl::unexpected(error_of(errno, state_->path, "cannot be removed"));
  return {};
}

}  // namespace loom
