// SPDX-License-Identifier: MIT
// The part of `Library` that keeps clips.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/edit_distance.h>
#include <loom/base/hash.h>
#include <loom/base/json_text.h>
#include <loom/base/text.h>
#include <loom/library/detail/frames_blob.h>
#include <loom/library/detail/state.h>
#include <loom/library/detail/texts.h>
#include <loom/library/hash.h>
#include <loom/library/library.h>
#include <loom/library/listing.h>
#include <loom/motion/frame_rates.h>
#include <loom/motion/skeleton_blob.h>

namespace loom::library {
namespace {

using motion::Clip;

constexpr std::size_t kMaxNameBytes = 255;  // so that a clip can be exported to a file of its name

/// What begins every message about damage.
constexpr std::string_view kDamaged = "the library is damaged: ";

/// What `ClipInfo` is read from; the labels come by another query.
constexpr std::string_view kSelectInfo =
    "SELECT clips.name, clips.skeleton, skeletons.joints, clips.frames, clips.rate, clips.hash, clips.id "
    "FROM clips LEFT JOIN skeletons ON skeletons.id = clips.skeleton ";

Result<ClipInfo> info_of(const Statement& row, const std::string& path) {
  const std::int64_t joints = row.integer(2), frames = row.integer(3);
  const double rate = row.real(4);
  if (joints < 1 || joints > static_cast<std::int64_t>(motion::kMaxJoints) || frames < 1 || frames > (1LL << 40) ||
      !motion::is_usable_rate(rate)) {
    return fail_as(ErrorKind::kDamaged,
                   fmt::format("the library is damaged: clip '{}' has {} frames of {} joints at {} Hz", row.text(0),
                               frames, joints, rate),
                   path);
  }
  return ClipInfo{row.text(0),
                  row.integer(1),
                  static_cast<std::size_t>(joints),
                  static_cast<std::size_t>(frames),
                  rate,
                  row.text(5),
                  {}};
}

/// One sentence of many: what is said at the start of each is said once.
std::string all_of(const std::vector<Error>& damaged) {
  std::string text(kDamaged);
  for (const Error& error : damaged) {
    std::string_view message = error.message;
    if (message.starts_with(kDamaged)) message.remove_prefix(kDamaged.size());
    if (text.size() > kDamaged.size()) text += "; ";
    text += message;
  }
  return text;
}

Result<void> check_name(const std::string& name) {
  if (name.empty()) return fail_as(ErrorKind::kBadInput, "a clip needs a name");
  if (name.size() > kMaxNameBytes)
    return fail_as(ErrorKind::kBadInput, fmt::format("the clip name '{:.40}...' is too long", name));
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; };
  if (std::any_of(name.begin(), name.end(), control))
    return fail_as(ErrorKind::kBadInput, "a clip name holds control characters");
  if (clean_utf8(name) != name) return fail_as(ErrorKind::kBadInput, "a clip name is not valid UTF-8");
  return {};
}

/// Whether the frames hold finite roots and unit quaternions: one pass without branches, since every read pays it.
bool frames_sound(const Clip& clip) {
  int bad = 0;
  for (const Vec3& root : clip.roots) bad |= static_cast<int>(!(dot(root, root) <= 1e18f));
  for (const Quat& q : clip.rotations) bad |= static_cast<int>(!(std::fabs(dot(q, q) - 1.0f) <= 2e-3f));
  return bad == 0;
}

Result<std::int64_t> store_skeleton(const Database& database, const motion::Skeleton& skeleton) {
  const std::vector<std::byte> blob = motion::to_blob(skeleton);
  const std::string hash = content_hash(blob);
  auto insert = database.prepare("INSERT OR IGNORE INTO skeletons(hash, joints, data) VALUES(?, ?, ?)");
  if (!insert) return fail_from(insert);
  insert->bind(1, hash).bind(2, static_cast<std::int64_t>(skeleton.size())).bind(3, std::span(blob));
  if (auto done = insert->run(); !done) return fail_from(done);
  auto find = database.prepare("SELECT id FROM skeletons WHERE hash = ?");
  if (!find) return fail_from(find);
  const auto row = find->bind(1, hash).step();
  if (!row) return fail_from(row);
  return find->integer(0);
}

std::string to_json(const std::vector<std::string>& sentences) { return json_text(nlohmann::json(sentences)); }

Result<std::vector<std::string>> from_json(const std::string& text, const std::string& path) {
  const auto list = parse_json(text);
  if (!list.is_array())
    return fail_as(ErrorKind::kDamaged, "the library is damaged: a list of sentences cannot be read", path);
  std::vector<std::string> sentences;
  for (const auto& sentence : list) {
    if (sentence.is_string()) sentences.push_back(sentence.get<std::string>());
  }
  return sentences;
}

Result<void> store_provenance(const Database& database, std::int64_t clip, const Provenance& provenance) {
  auto insert = database.prepare(
      "INSERT INTO provenance(clip, source, source_hash, source_rate, first_frame, options, notes, warnings, added) "
      "VALUES(?, ?, ?, ?, ?, ?, ?, ?, coalesce(nullif(?, ''), strftime('%Y-%m-%dT%H:%M:%SZ', 'now')))");
  if (!insert) return fail_from(insert);
  return insert->bind(1, clip)
      .bind(2, provenance.source)
      .bind(3, provenance.source_hash)
      .bind(4, provenance.source_rate)
      .bind(5, static_cast<std::int64_t>(provenance.first_frame))
      .bind(6, provenance.options)
      .bind(7, to_json(provenance.notes))
      .bind(8, to_json(provenance.warnings))
      .bind(9, provenance.added)
      .run();
}

Result<void> store_labels(const Database& database, std::int64_t clip, const std::vector<motion::Label>& labels) {
  if (labels.empty()) return {};
  auto insert = database.prepare("INSERT OR IGNORE INTO labels(clip, name, first, past) VALUES(?, ?, ?, ?)");
  if (!insert) return fail_from(insert);
  for (const motion::Label& label : labels) {
    insert->bind(1, clip).bind(2, label.name);
    insert->bind(3, static_cast<std::int64_t>(label.begin)).bind(4, static_cast<std::int64_t>(label.end));
    if (auto done = insert->run(); !done) return done;
    insert->reset();
  }
  return {};
}

Result<void> store_clip(const Database& database, const Clip& clip, const Provenance& provenance) {
  const auto skeleton = store_skeleton(database, *clip.skeleton);
  if (!skeleton) return fail_from(skeleton);
  auto insert = database.prepare("INSERT INTO clips(name, skeleton, rate, frames, hash) VALUES(?, ?, ?, ?, ?)");
  if (!insert) return fail_from(insert);
  insert->bind(1, clip.name).bind(2, *skeleton).bind(3, clip.rate);
  insert->bind(4, static_cast<std::int64_t>(clip.frames())).bind(5, clip_hash(clip));
  if (auto done = insert->run(); !done) return done;
  const std::int64_t row = database.last_row();
  if (auto done = store_frames(database, row, {frames_blob(clip), std::nullopt, 0}); !done) return done;
  if (auto done = store_labels(database, row, clip.labels); !done) return done;
  return store_provenance(database, row, provenance);
}

Result<std::vector<std::string>> names_of(Result<Statement> query, std::string_view value) {
  if (query) query->bind(1, value);
  return texts_of(std::move(query));
}

}  // namespace

Result<std::vector<ClipInfo>> Library::clips() const {
  const Database::Snapshot snapshot(*state_->database);
  auto query = state_->database->prepare(std::string(kSelectInfo) + "ORDER BY clips.name");
  if (!query) return fail_from(query);
  std::vector<ClipInfo> result;
  for (;;) {
    const auto row = query->step();
    if (!row) return fail_from(row);
    if (!*row) return result;
    auto info = info_of(*query, path());
    if (!info) return fail_from(info);
    auto labels = state_->labels(query->integer(6));
    if (!labels) return fail_from(labels);
    info->labels = std::move(*labels);
    result.push_back(std::move(*info));
  }
}

Result<std::int64_t> Library::State::clip_row(std::string_view name) {
  auto query = database->prepare("SELECT id FROM clips WHERE name = ?");
  if (!query) return fail_from(query);
  const auto row = query->bind(1, name).step();
  if (!row) return fail_from(row);
  if (*row) return query->integer(0);
  auto all = texts_of(database->prepare("SELECT name FROM clips ORDER BY name"));
  if (!all) return fail_from(all);
  if (all->empty())
    return fail_as(ErrorKind::kNotFound, fmt::format("there is no clip '{}': the library is empty", name),
                   database->path());
  const auto nearer = [&](const std::string& a, const std::string& b) {
    return edit_distance(a, name) < edit_distance(b, name);
  };
  const std::string& nearest = *std::min_element(all->begin(), all->end(), nearer);
  return fail_as(ErrorKind::kNotFound, fmt::format("there is no clip '{}'; did you mean '{}'?", name, nearest),
                 database->path());
}

Result<ClipInfo> Library::clip_info(std::string_view name) const {
  const Database::Snapshot snapshot(*state_->database);
  const auto id = state_->clip_row(name);
  if (!id) return fail_from(id);
  auto query = state_->database->prepare(std::string(kSelectInfo) + "WHERE clips.id = ?");
  if (!query) return fail_from(query);
  const auto row = query->bind(1, *id).step();
  if (!row) return fail_from(row);
  if (!*row)
    return fail_as(ErrorKind::kDamaged, fmt::format("the library is damaged: clip '{}' has no skeleton", name), path());
  auto info = info_of(*query, path());
  if (!info) return info;
  auto labels = state_->labels(*id);
  if (!labels) return fail_from(labels);
  info->labels = std::move(*labels);
  return info;
}

Result<bool> Library::has_clip(std::string_view name) const {
  auto query = state_->database->prepare("SELECT id FROM clips WHERE name = ?");
  if (!query) return fail_from(query);
  return query->bind(1, name).step();
}

Result<Provenance> Library::provenance(std::string_view clip) const {
  const Database::Snapshot snapshot(*state_->database);
  const auto id = state_->clip_row(clip);
  if (!id) return fail_from(id);
  auto query = state_->database->prepare(
      "SELECT source, source_hash, source_rate, first_frame, options, notes, warnings, added FROM provenance "
      "WHERE clip = ?");
  if (!query) return fail_from(query);
  const auto row = query->bind(1, *id).step();
  if (!row) return fail_from(row);
  if (!*row) return Provenance{};
  const auto notes = from_json(query->text(5), path()), warnings = from_json(query->text(6), path());
  if (!notes) return fail_from(notes);
  if (!warnings) return fail_from(warnings);
  return Provenance{query->text(0), query->text(1), query->real(2), static_cast<std::size_t>(query->integer(3)),
                    query->text(4), *notes,         *warnings,      query->text(7)};
}

Result<Clip> Library::read_clip(std::string_view name) const {
  const Database::Snapshot snapshot(*state_->database);
  const auto info = clip_info(name);
  if (!info) return fail_from(info);
  auto skeleton = state_->skeleton(info->skeleton);
  if (!skeleton) return fail_from(skeleton);
  const auto id = state_->clip_row(name);
  if (!id) return fail_from(id);
  const auto damaged = [&](const std::string& what) {
    return fail_as(ErrorKind::kDamaged, fmt::format("the library is damaged: clip '{}': {}", name, what), path());
  };
  if ((*skeleton)->size() != info->joints) return damaged("its skeleton has another number of joints");
  Clip clip{info->name, std::move(*skeleton), info->rate, {}, {}, info->labels};
  if (const auto read = read_frames(*state_->database, *id, info->frames, clip); !read) {
    if (read.error().kind == ErrorKind::kOutOfMemory || read.error().kind == ErrorKind::kNewer) return fail_from(read);
    return fail_because(read.error().or_kind(ErrorKind::kDamaged),
                        fmt::format("{}clip '{}': {}", kDamaged, name, read.error().message), path());
  }
  const auto labels_sound = std::all_of(clip.labels.begin(), clip.labels.end(), [&](const motion::Label& label) {
    return !label.name.empty() && label.begin < label.end && label.end <= clip.frames();
  });
  if (!frames_sound(clip) || !labels_sound) {
    const auto valid = validate(clip);
    return damaged(valid ? "a position is out of this world" : valid.error().message);
  }
  return clip;
}

Result<void> Library::add_clip(const Clip& clip, const Provenance& provenance) {
  return add_clips(std::span(&clip, 1), provenance);
}

Result<void> Library::add_clips(std::span<const Clip> clips, const Provenance& provenance) {
  return transact([&]() -> Result<void> {
    for (const Clip& clip : clips) {
      if (auto good = check_name(clip.name); !good) return good;
      if (clip.frames() == 0) return fail(fmt::format("clip '{}' has no frames", clip.name), path());
      if (auto valid = validate(clip); !valid) return valid;
      const auto taken = has_clip(clip.name);
      if (!taken) return fail_from(taken);
      if (*taken) return fail(fmt::format("there is a clip '{}' already", clip.name), path());
      if (auto stored = store_clip(*state_->database, clip, provenance); !stored) return stored;
    }
    return {};
  });
}

Result<void> Library::remove_clip(std::string_view name) {
  return transact([&]() -> Result<void> {
    const auto id = state_->clip_row(name);
    if (!id) return fail_from(id);
    auto remove = state_->database->prepare("DELETE FROM clips WHERE id = ?");
    if (!remove) return fail_from(remove);
    if (auto done = remove->bind(1, *id).run(); !done) return done;
    return state_->database->execute("DELETE FROM skeletons WHERE id NOT IN (SELECT skeleton FROM clips)");
  });
}

Result<std::vector<std::string>> Library::clips_of_content(std::string_view source_hash) const {
  return names_of(state_->database->prepare("SELECT name FROM clips JOIN provenance ON provenance.clip = clips.id "
                                            "WHERE source_hash = ? ORDER BY name"),
                  source_hash);
}

Result<std::vector<std::string>> Library::clips_of_source(std::string_view source) const {
  return names_of(state_->database->prepare("SELECT name FROM clips JOIN provenance ON provenance.clip = clips.id "
                                            "WHERE source = ? ORDER BY name"),
                  source);
}

Result<void> Library::verify() const {
  const Database::Snapshot snapshot(*state_->database);
  auto check = state_->database->prepare("PRAGMA integrity_check(1)");
  if (!check) return fail_from(check);
  const auto row = check->step();
  if (!row) return fail_from(row);
  if (check->text(0) != "ok") return fail_as(ErrorKind::kDamaged, "the library is damaged: " + check->text(0), path());
  auto all = list_clips(*this);
  if (!all) return fail_from(all);
  std::vector<Error> damaged;
  for (const DamagedClip& clip : all->damaged) damaged.push_back(clip.error);
  for (const ClipInfo& info : all->clips) {
    const auto clip = read_clip(info.name);
    if (!clip) {
      damaged.push_back(clip.error());
      continue;
    }
    const auto id = state_->clip_row(info.name);
    if (!id) return fail_from(id);
    const auto packed = packed_error(*state_->database, *id);
    const auto as_stored = packed_as_stored(*state_->database, *id);
    if (!packed) return fail_from(packed);
    if (!as_stored) return fail_from(as_stored);
    if (!*as_stored || (!*packed && clip_hash(*clip) != info.hash)) {
      damaged.push_back({fmt::format("{}clip '{}' is not what was stored", kDamaged, info.name), {}, 0});
    }
  }
  return damaged.empty() ? Result<void>() : fail_as(ErrorKind::kDamaged, all_of(damaged), path());
}

}  // namespace loom::library
