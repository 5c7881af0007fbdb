// SPDX-License-Identifier: MIT
// The part of `Library` that gives space back to the disk.
#include <filesystem>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/library/detail/state.h>
#include <loom/library/library.h>

namespace loom::library {
namespace {

constexpr std::int64_t kIncremental = 2;  ///< what `PRAGMA auto_vacuum` says of a file that can shrink piece by piece

/// Copying the library as a whole takes a copy where SQLite has its temporary files, which may be on the same disk, and
/// the same once more in the log beside the library.
Result<void> check_room(const std::string& path, const Library::Space& space) {
  std::error_code error;
  const auto disk = std::filesystem::space(std::filesystem::absolute(path, error).parent_path(), error);
  const std::size_t wanted = 2 * (space.bytes - space.unused);
  if (error || disk.available >= wanted) return {};
  return fail_as(
      ErrorKind::kNoSpace,
      fmt::format("giving space back takes {} of the disk for a while, and {} are free",
                  describe_bytes(static_cast<double>(wanted)), describe_bytes(static_cast<double>(disk.available))),
      path);
}

}  // namespace

Result<Library::Space> Library::space() const {
  const Database& database = *state_->database;
  const Database::Snapshot snapshot(database);
  const auto page = database.number("PRAGMA page_size"), pages = database.number("PRAGMA page_count"),
             unused = database.number("PRAGMA freelist_count");
  for (const auto* number : {&page, &pages, &unused}) {
    if (!*number) return fail_from(*number);
  }
  return Space{static_cast<std::size_t>(*pages * *page), static_cast<std::size_t>(*unused * *page)};
}

Result<void> Library::give_back_space() {
  const Database& database = *state_->database;
  const auto now = space();
  if (!now) return fail_from(now);
  if (now->unused == 0) return {};
  if (auto in_place = database.check_in_place(); !in_place) return in_place;
  const auto mode = database.number("PRAGMA auto_vacuum");
  if (!mode) return fail_from(mode);
  if (*mode == kIncremental) {
    if (auto done = database.execute("PRAGMA incremental_vacuum"); !done) return done;
  } else {
    if (auto room = check_room(path(), *now); !room) return room;
    if (auto done = database.execute("PRAGMA auto_vacuum = INCREMENTAL; VACUUM"); !done) return done;
  }
  // The file falls when all of its log is in it: now, or where others read, when the last of them closes it.
  return database.execute("PRAGMA wal_checkpoint(PASSIVE)");
}

}  // namespace loom::library
