// SPDX-License-Identifier: MIT
#include <cstring>

#include <fmt/format.h>

#include <loom/base/hash.h>
#include <loom/base/memory.h>
#include <loom/library/detail/frames_blob.h>
#include <loom/library/detail/schema.h>
#include <loom/library/library.h>
#include <loom/motion/packed_clip.h>

namespace loom::library {
namespace {

Result<std::vector<std::byte>> stored_bytes(const Database& database, std::int64_t row) {
  const auto size = database.blob_size("frames", "data", row);
  if (!size) return fail_from(size);
  std::vector<std::byte> bytes(*size);
  if (auto read = database.read_blob("frames", "data", row, {std::span(bytes)}); !read) return fail_from(read);
  return bytes;
}

/// Whether the file has the table of packed clips.
Result<bool> packs(const Database& database) {
  const auto version = database.number("PRAGMA user_version");
  if (!version) return fail_from(version);
  return *version >= kPackedSchemaVersion;
}

}  // namespace

std::vector<std::byte> frames_blob(const motion::Clip& clip) {
  const std::size_t roots = clip.roots.size() * sizeof(Vec3), rotations = clip.rotations.size() * sizeof(Quat);
  std::vector<std::byte> blob(roots + rotations);
  std::memcpy(blob.data(), clip.roots.data(), roots);
  std::memcpy(blob.data() + roots, clip.rotations.data(), rotations);
  return blob;
}

Result<void> store_frames(const Database& database, std::int64_t clip, const StoredFrames& frames) {
  auto insert = database.prepare("INSERT INTO frames(clip, data) VALUES(?, ?)");
  if (!insert) return fail_from(insert);
  if (auto done = insert->bind(1, clip).bind(2, std::span(frames.bytes)).run(); !done) return done;
  if (!frames.error) return {};
  auto packing = database.prepare("INSERT INTO packing(clip, error, hash) VALUES(?, ?, ?)");
  if (!packing) return fail_from(packing);
  return packing->bind(1, clip).bind(2, *frames.error).bind(3, content_hash(frames.bytes)).run();
}

Result<std::optional<double>> packed_error(const Database& database, std::int64_t clip) {
  const auto possible = packs(database);
  if (!possible) return fail_from(possible);
  if (!*possible) return std::nullopt;
  auto query = database.prepare("SELECT error FROM packing WHERE clip = ?");
  if (!query) return fail_from(query);
  const auto row = query->bind(1, clip).step();
  if (!row) return fail_from(row);
  return *row ? std::optional(query->real(0)) : std::nullopt;
}

Result<void> read_frames(const Database& database, std::int64_t row, std::size_t frames, motion::Clip& clip) {
  const auto packed = packed_error(database, row);
  if (!packed) return fail_from(packed);
  const std::size_t joints = clip.joints();
  if (!*packed) {
    const auto size = database.blob_size("frames", "data", row);
    if (!size) return fail_from(size);
    if (*size != frames * bytes_per_frame(joints)) {
      return fail(fmt::format("{} bytes are stored for {} frames of {} joints", *size, frames, joints));
    }
    clip.roots.resize(frames);
    clip.rotations.resize(frames * joints);
    return database.read_blob(
        "frames", "data", row,
        {std::as_writable_bytes(std::span(clip.roots)), std::as_writable_bytes(std::span(clip.rotations))});
  }
  const auto bytes = stored_bytes(database, row);
  if (!bytes) return fail_from(bytes);
  const auto stored = motion::PackedClip::create(*bytes, joints);
  if (!stored) return fail_from(stored);
  if (stored->frames() != frames) {
    return fail(fmt::format("{} packed frames are stored for {} frames", stored->frames(), frames));
  }
  // A few bytes may say that they are millions of frames.
  const double room = static_cast<double>(frames) * static_cast<double>(bytes_per_frame(joints));
  if (auto enough = require_memory(room, "reading a packed clip", "close other programs"); !enough) return enough;
  clip.roots.resize(frames);
  clip.rotations.resize(frames * joints);
  return stored->unpack(clip.roots, clip.rotations);
}

Result<bool> packed_as_stored(const Database& database, std::int64_t clip) {
  const auto packed = packed_error(database, clip);
  if (!packed) return fail_from(packed);
  if (!*packed) return true;
  auto query = database.prepare("SELECT hash FROM packing WHERE clip = ?");
  if (!query) return fail_from(query);
  const auto row = query->bind(1, clip).step();
  if (!row) return fail_from(row);
  const auto bytes = stored_bytes(database, clip);
  if (!bytes) return fail_from(bytes);
  return content_hash(*bytes) == query->text(0);
}

}  // namespace loom::library
