// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <loom/library/detail/schema.h>
#include <loom/library/library.h>

namespace loom::library {
namespace {

constexpr std::int64_t kApplicationId = 0x4C4F4F4D;  // "LOOM", so that file(1) and others can tell

/// Pages of 16 KiB: a clip of ten seconds lies in ten of them, and an empty library still takes only 200 kB.
/// The write-ahead log is what lets others read while one writes. Pages know who points to them, so that those of what
/// is removed can be given back without copying the rest (`Library::give_back_space`).
constexpr const char* kPages = "PRAGMA page_size = 16384;";
constexpr const char* kSmallPages = "PRAGMA page_size = 1024;";
constexpr const char* kLayout =
    "PRAGMA auto_vacuum = INCREMENTAL;"
    "PRAGMA journal_mode = WAL;";

/// Frames lie in a table of their own, so that what is known of the clips can be listed without stepping over them.
constexpr const char* kTables = R"sql(
CREATE TABLE skeletons(
  id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, joints INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
CREATE TABLE clips(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, skeleton INTEGER NOT NULL REFERENCES skeletons(id),
  rate REAL NOT NULL, frames INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
CREATE INDEX clips_by_skeleton ON clips(skeleton);
CREATE TABLE frames(
  clip INTEGER PRIMARY KEY REFERENCES clips(id) ON DELETE CASCADE, data BLOB NOT NULL) STRICT;
CREATE TABLE labels(
  id INTEGER PRIMARY KEY, clip INTEGER NOT NULL REFERENCES clips(id) ON DELETE CASCADE, name TEXT NOT NULL,
  first INTEGER NOT NULL, past INTEGER NOT NULL, UNIQUE(clip, name, first, past)) STRICT;
CREATE TABLE provenance(
  clip INTEGER PRIMARY KEY REFERENCES clips(id) ON DELETE CASCADE, source TEXT NOT NULL, source_hash TEXT NOT NULL,
  source_rate REAL NOT NULL, first_frame INTEGER NOT NULL, options TEXT NOT NULL, notes TEXT NOT NULL,
  warnings TEXT NOT NULL, added TEXT NOT NULL) STRICT;
CREATE INDEX provenance_by_source ON provenance(source);
CREATE INDEX provenance_by_hash ON provenance(source_hash);
CREATE TABLE artefacts(
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, parameters TEXT NOT NULL,
  input_hash TEXT NOT NULL, created TEXT NOT NULL, data BLOB NOT NULL, UNIQUE(kind, name)) STRICT;
)sql";

/// Which clips have packed frames, the error they were packed with in metres and the hash of the packed bytes. The
/// clip's own hash stays that of the frames before they were packed: it says which motion it is.
constexpr const char* kPackingTable = R"sql(
CREATE TABLE packing(
  clip INTEGER PRIMARY KEY REFERENCES clips(id) ON DELETE CASCADE, error REAL NOT NULL, hash TEXT NOT NULL) STRICT;
)sql";

/// Each query names every column of a table, so that preparing it proves that the table has them.
constexpr const char* kColumns[] = {
    "SELECT id, hash, joints, data FROM skeletons",
    "SELECT id, name, skeleton, rate, frames, hash FROM clips",
    "SELECT clip, data FROM frames",
    "SELECT id, clip, name, first, past FROM labels",
    "SELECT clip, source, source_hash, source_rate, first_frame, options, notes, warnings, added FROM provenance",
    "SELECT id, kind, name, version, parameters, input_hash, created, data FROM artefacts",
};

}  // namespace

Result<void> create_schema(Database& database, bool packed) {
  const auto is_empty = [&] { return database.number("SELECT count(*) = 0 FROM sqlite_schema"); };
  const auto id = database.number("PRAGMA application_id"), empty = is_empty();
  if (!id) return fail_from(id);
  if (!empty) return fail_from(empty);
  if (*id != 0 || !*empty) return {};
  if (auto set = database.execute(packed ? kSmallPages : kPages); !set) return set;
  if (auto set = database.execute(kLayout); !set) return set;
  return database.transact([&]() -> Result<void> {
    const auto still_empty = is_empty();  // another process may have been first
    if (!still_empty) return fail_from(still_empty);
    if (!*still_empty) return {};
    if (auto made = database.execute(kTables); !made) return made;
    if (packed) {
      if (auto made = database.execute(kPackingTable); !made) return made;
    }
    const int version = packed ? kPackedSchemaVersion : kSchemaVersion;
    return database.execute(
        fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kApplicationId, version).c_str());
  });
}

Result<void> allow_packed(const Database& database) {
  const auto version = database.number("PRAGMA user_version");
  if (!version) return fail_from(version);
  if (*version >= kPackedSchemaVersion) return {};
  if (auto made = database.execute(kPackingTable); !made) return made;
  return database.execute(fmt::format("PRAGMA user_version = {};", kPackedSchemaVersion).c_str());
}

Result<void> check_schema(const Database& database) {
  const auto id = database.number("PRAGMA application_id"), version = database.number("PRAGMA user_version");
  if (!id) return fail_from(id);
  if (!version) return fail_from(version);
  if (*id != kApplicationId) return fail_as(ErrorKind::kBadInput, "is not a Motion Loom library", database.path());
  if (*version > kPackedSchemaVersion) {
    return fail_as(ErrorKind::kNewer,
                   fmt::format("was made by a newer Motion Loom (schema {}; this one reads schema {} and older)",
                               *version, kPackedSchemaVersion),
                   database.path());
  }
  if (*version < 1)
    return fail_as(ErrorKind::kDamaged, fmt::format("has an unknown schema, {}", *version), database.path());
  const auto has = [&](const char* columns) -> Result<void> {
    if (const auto table = database.prepare(columns); !table) {
      return fail_because(table.error().or_kind(ErrorKind::kDamaged),
                          "the library is damaged: " + table.error().message, database.path());
    }
    return {};
  };
  for (const char* columns : kColumns) {
    if (auto found = has(columns); !found) return found;
  }
  return *version >= kPackedSchemaVersion ? has("SELECT clip, error, hash FROM packing") : Result<void>();
}

}  // namespace loom::library
