// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <loom/base/hash.h>
#include <loom/base/parallel.h>
#include <loom/library/detail/database.h>
#include <loom/library/detail/frames_blob.h>
#include <loom/library/detail/schema.h>
#include <loom/library/hash.h>
#include <loom/library/library.h>
#include <loom/library/pack.h>
#include <loom/motion/pack_frames.h>

namespace loom::library {
namespace {

namespace fs = std::filesystem;

/// Bytes of frames that are in memory at a time.
constexpr std::size_t kBatchBytes = std::size_t{1} << 26;

/// A table that is taken over as it is: its columns, and of each whether it is a whole number (i), a number (r), a text
/// (t) or bytes (b).
struct Table {
  std::string_view name, columns, kinds;
};
constexpr Table kPackedTables[] = {
    {"skeletons", "id, hash, joints, data", "itib"},
    {"clips", "id, name, skeleton, rate, frames, hash", "itirit"},
    {"labels", "id, clip, name, first, past", "iitii"},
    {"provenance", "clip, source, source_hash, source_rate, first_frame, options, notes, warnings, added",
     "ittrittt"
     "t"},
    {"artefacts", "id, kind, name, version, parameters, input_hash, created, data", "ittitttb"},
};

Result<void> copy_rows(const Database& from, const Database& to, const Table& table) {
  auto read = from.prepare(fmt::format("SELECT {} FROM {}", table.columns, table.name));
  if (!read) return fail_from(read);
  std::string places = "?";
  for (std::size_t c = 1; c < table.kinds.size(); ++c) places += ", ?";
  auto write = to.prepare(fmt::format("INSERT INTO {}({}) VALUES({})", table.name, table.columns, places));
  if (!write) return fail_from(write);
  for (;;) {
    const auto row = read->step();
    if (!row) return fail_from(row);
    if (!*row) return {};
    write->reset();
    for (int c = 0; c < static_cast<int>(table.kinds.size()); ++c) {
      switch (table.kinds[static_cast<std::size_t>(c)]) {
        case 'i':
          write->bind(c + 1, read->integer(c));
          break;
        case 'r':
          write->bind(c + 1, read->real(c));
          break;
        case 't':
          write->bind(c + 1, std::string_view(read->text(c)));
          break;
        default:
          write->bind(c + 1, read->blob(c));
      }
    }
    if (auto done = write->run(); !done) return done;
  }
}

/// A clip on its way from one library to the other.
struct Passing {
  std::int64_t row = 0;
  std::optional<motion::Clip> clip;  ///< what is to be packed; none where its bytes are taken as they are
  StoredFrames stored;
  std::string hash;  ///< of an unpacked clip
  std::optional<Error> failure;
};

void pack_one(Passing& passing, const PackLibraryOptions& options) {
  const motion::Clip& clip = *passing.clip;
  if (options.unpack) {
    passing.stored = StoredFrames{frames_blob(clip), std::nullopt, 0};
    passing.hash = clip_hash(clip);
    return;
  }
  motion::PackOptions how;
  how.error = options.error;
  auto packed = motion::pack_frames(clip, how);
  if (!packed) {
    passing.failure = packed.error();
    return;
  }
  passing.stored.largest_error = packed->largest_error;
  passing.stored.error = options.error;
  passing.stored.bytes = std::move(packed->bytes);
}

/// As many clips from `begin` on as are in memory at a time; the number past the last.
std::size_t end_of_batch(std::span<const ClipInfo> clips, std::size_t begin) {
  std::size_t end = begin, bytes = 0;
  for (; end < clips.size() && (end == begin || bytes < kBatchBytes); ++end) {
    bytes += clips[end].frames * bytes_per_frame(clips[end].joints);
  }
  return end;
}

/// Packs what is to be, on all cores.
void pack_all(std::span<Passing> batch, const PackLibraryOptions& options) {
  parallel_for(batch.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (batch[i].clip) pack_one(batch[i], options);
      batch[i].clip.reset();
    }
  });
}

/// Writes one library from another.
class Packing {
 public:
  Packing(const Library& library, const Database& from, Database& to, const PackLibraryOptions& options)
      : library_(library), from_(from), to_(to), options_(options) {}

  Result<PackReport> run(const Progress& progress) {
    const Database::Snapshot snapshot(from_);
    auto copied = to_.transact([&]() -> Result<void> {
      for (const Table& table : kPackedTables) {
        if (auto done = copy_rows(from_, to_, table); !done) return done;
      }
      return {};
    });
    if (!copied) return fail_from(copied);
    const auto clips = library_.clips();
    if (!clips) return fail_from(clips);
    const auto artefacts = to_.number("SELECT count(*) FROM artefacts");
    if (!artefacts) return fail_from(artefacts);
    report_.artefacts = static_cast<std::size_t>(*artefacts);
    for (std::size_t begin = 0; begin < clips->size();) {
      const std::size_t end = end_of_batch(*clips, begin);
      const double share = static_cast<double>(begin) / static_cast<double>(clips->size());
      if (!progress.report(share, options_.unpack ? "unpacking clips" : "packing clips")) {
        return fail_as(ErrorKind::kStopped, "stopped; nothing was written");
      }
      if (auto done = pass(std::span(*clips).subspan(begin, end - begin)); !done) return fail_from(done);
      begin = end;
    }
    return report_;
  }

 private:
  Result<void> pass(std::span<const ClipInfo> infos) {
    std::vector<Passing> batch(infos.size());
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (auto read = take(infos[i], batch[i]); !read) return read;
    }
    pack_all(batch, options_);
    return to_.transact([&]() -> Result<void> {
      for (const Passing& passing : batch) {
        if (passing.failure) return tl::unexpected<Error>(*passing.failure);
        if (auto done = put(passing); !done) return done;
      }
      return {};
    });
  }

  Result<void> take(const ClipInfo& info, Passing& passing) {
    auto row = from_.prepare("SELECT id FROM clips WHERE name = ?");
    if (!row) return fail_from(row);
    if (const auto found = row->bind(1, info.name).step(); !found) return fail_from(found);
    passing.row = row->integer(0);
    const auto packed = packed_error(from_, passing.row);
    if (!packed) return fail_from(packed);
    const auto bytes = from_.blob_size("frames", "data", passing.row);
    if (!bytes) return fail_from(bytes);
    report_.frames_bytes_before += *bytes;
    report_.frames += info.frames;
    ++report_.clips;
    if (*packed && !options_.unpack && **packed >= options_.error) {
      passing.stored.bytes.resize(*bytes);
      passing.stored.error = **packed;
      passing.stored.largest_error = **packed;
      return from_.read_blob("frames", "data", passing.row, {std::span(passing.stored.bytes)});
    }
    auto clip = library_.read_clip(info.name);
    if (!clip) return fail_from(clip);
    passing.clip = std::move(*clip);
    return {};
  }

  Result<void> put(const Passing& passing) {
    report_.frames_bytes += passing.stored.bytes.size();
    report_.largest_error = std::max(report_.largest_error, passing.stored.largest_error);
    if (auto done = store_frames(to_, passing.row, passing.stored); !done) return done;
    if (passing.hash.empty()) return {};
    auto change = to_.prepare("UPDATE clips SET hash = ? WHERE id = ?");
    if (!change) return fail_from(change);
    return change->bind(1, passing.hash).bind(2, passing.row).run();
  }

  const Library& library_;
  const Database& from_;
  Database& to_;
  const PackLibraryOptions& options_;
  PackReport report_;
};

/// Reads a clip that is to be packed where it is; one that is packed already keeps what it has.
Result<void> take_in_place(const Library& library, const Database& database, const ClipInfo& info, Passing& passing,
                           PackReport& report) {
  auto row = database.prepare("SELECT id FROM clips WHERE name = ?");
  if (!row) return fail_from(row);
  if (const auto found = row->bind(1, info.name).step(); !found) return fail_from(found);
  passing.row = row->integer(0);
  const auto packed = packed_error(database, passing.row);
  if (!packed) return fail_from(packed);
  if (*packed) return {};
  auto clip = library.read_clip(info.name);
  if (!clip) return fail_from(clip);
  passing.clip = std::move(*clip);
  ++report.clips;
  report.frames += info.frames;
  report.frames_bytes_before += info.frames * bytes_per_frame(info.joints);
  return {};
}

Result<void> put_in_place(const Database& database, const Passing& passing, PackReport& report) {
  if (passing.failure) return tl::unexpected<Error>(*passing.failure);
  if (!passing.stored.error) return {};  // was packed already
  auto remove = database.prepare("DELETE FROM frames WHERE clip = ?");
  if (!remove) return fail_from(remove);
  if (auto done = remove->bind(1, passing.row).run(); !done) return done;
  report.frames_bytes += passing.stored.bytes.size();
  report.largest_error = std::max(report.largest_error, passing.stored.largest_error);
  return store_frames(database, passing.row, passing.stored);
}

Result<void> check_error(double error) {
  if (error >= 1e-6 && error <= 1) return {};
  return fail_as(ErrorKind::kBadInput, "the error of a packed library must be between 0.001 and 1000 mm");
}

void forget(const std::string& path) {
  std::error_code none;
  for (const char* end : {"", "-wal", "-shm", "-journal"}) fs::remove(path + end, none);
}

Result<PackReport> write(const std::string& from, const std::string& unfinished, const PackLibraryOptions& options,
                         const Progress& progress) {
  const auto library = Library::open(from);
  if (!library) return fail_from(library);
  const auto source = Database::open(from, Database::Mode::kRead);
  if (!source) return fail_from(source);
  auto database = Database::open(unfinished, Database::Mode::kCreate);
  if (!database) return fail_from(database);
  if (auto made = create_schema(**database, !options.unpack); !made) return fail_from(made);
  auto report = Packing(*library, **source, **database, options).run(progress);
  if (!report) return report;
  const auto space = library->space();
  if (!space) return fail_from(space);
  report->bytes_before = space->bytes;
  return report;
}

}  // namespace

Result<PackReport> pack_library(const std::string& from, const std::string& to, const PackLibraryOptions& options,
                                const Progress& progress) {
  if (auto sound = check_error(options.error); !sound) return fail_from(sound);
  std::error_code error;
  if (fs::equivalent(from, to, error)) return fail_as(ErrorKind::kBadInput, "is the library that is to be packed", to);
  const std::string unfinished = to + ".part";
  forget(unfinished);
  auto report = write(from, unfinished, options, progress);
  if (!report) {
    forget(unfinished);
    Error error_of = report.error();
    if (error_of.file == unfinished) error_of.file = to;
    return tl::unexpected(std::move(error_of));
  }
  report->bytes = static_cast<std::size_t>(fs::file_size(unfinished, error));
  if (!error) fs::rename(unfinished, to, error);
  if (!error) return report;
  forget(unfinished);
  return fail(fmt::format("cannot be written: {}", error.message()), to);
}

Result<void> create_for_packed(const std::string& path) {
  auto database = Database::open(path, Database::Mode::kCreate);
  if (!database) return fail_from(database);
  return create_schema(**database, true);
}

Result<PackReport> pack_clips(const std::string& path, std::span<const std::string> names, double error,
                              const Progress& progress) {
  if (auto sound = check_error(error); !sound) return fail_from(sound);
  auto library = Library::open(path, Access::kWrite);
  if (!library) return fail_from(library);
  const auto database = Database::open(path, Database::Mode::kWrite);
  if (!database) return fail_from(database);
  const auto space = library->space();
  if (!space) return fail_from(space);
  PackReport report;
  report.bytes_before = space->bytes;
  std::vector<ClipInfo> clips;
  for (const std::string& name : names) {
    auto info = library->clip_info(name);
    if (!info) return fail_from(info);
    clips.push_back(std::move(*info));
  }
  PackLibraryOptions options;
  options.error = error;
  auto packed = (*database)->transact([&]() -> Result<void> {
    if (auto allowed = allow_packed(**database); !allowed) return allowed;
    for (std::size_t begin = 0; begin < clips.size();) {
      const std::size_t end = end_of_batch(clips, begin);
      if (!progress.report(static_cast<double>(begin) / static_cast<double>(clips.size()), "packing clips")) {
        return fail_as(ErrorKind::kStopped, "stopped; nothing was packed");
      }
      std::vector<Passing> batch(end - begin);
      for (std::size_t i = begin; i < end; ++i) {
        if (auto read = take_in_place(*library, **database, clips[i], batch[i - begin], report); !read) return read;
      }
      pack_all(batch, options);
      for (const Passing& passing : batch) {
        if (auto done = put_in_place(**database, passing, report); !done) return done;
      }
      begin = end;
    }
    return {};
  });
  if (!packed) return fail_from(packed);
  if (auto given = library->give_back_space(); !given) return fail_from(given);
  const auto left = library->space();
  if (!left) return fail_from(left);
  report.bytes = left->bytes;
  return report;
}

}  // namespace loom::library
