// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/matching/match_features.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>
#include <loom/policy/control_space.h>

namespace loom::matching {
namespace {

/// A run of coordinates that are scaled together.
struct Group {
  std::size_t begin, end;
  float MatchWeights::*weight;
};

/// The order of a row: path positions (x, z), path facings (x, z), feet, velocities of feet, velocity of the hips. What
/// is between 0 and 1 comes after them: which feet stand, missing future, flags.
constexpr std::array<Group, 6> kGroups = {
    {{0, 6, &MatchWeights::path_position},
     {6, 12, &MatchWeights::path_facing},
     {MatchFeatures::kFeet, MatchFeatures::kSpeeds, &MatchWeights::foot_position},
     {MatchFeatures::kSpeeds, MatchFeatures::kHips, &MatchWeights::foot_velocity},
     {MatchFeatures::kHips, MatchFeatures::kUpper, &MatchWeights::hip_velocity},
     {MatchFeatures::kUpper, MatchFeatures::kStands, &MatchWeights::upper_position}}};

/// A flag that is asked for, in a query: more than the 1 of frames that have it, so that a tap on a button outweighs
/// how unlike a jump and a turning walk are.
constexpr float kAsked = 1.3f;
constexpr double kEndSeconds = 0.25;  ///< at the end of a clip, whose mean motion goes on beyond it

/// The path ahead of a frame; beyond the clip's end its last moments go on.
motion::GroundFrame ahead(const take::Track& track, double rate, double frame) {
  const auto last = static_cast<double>(track.size() - 1);
  if (frame <= last || last < 1) return take::track_at(track, frame);
  const motion::GroundFrame end = take::track_at(track, last);
  const double span = std::min(kEndSeconds * rate, last);
  const motion::GroundFrame step = inverse(take::track_at(track, last - span)) * end;
  const auto times = static_cast<float>((frame - last) / span);
  const motion::GroundFrame beyond{step.x * times, step.z * times, step.heading * times};
  return end * beyond;
}

void put(Vec3 v, float* to) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

void write_places(const motion::GroundFrame& here, std::span<const motion::GroundFrame> places, float* to) {
  const motion::GroundFrame back = inverse(here);
  for (std::size_t i = 0; i < kPathPlaces; ++i) {
    const motion::GroundFrame seen = back * places[i];
    const Vec3 facing = seen.forward();
    to[2 * i] = seen.x;
    to[2 * i + 1] = seen.z;
    to[2 * kPathPlaces + 2 * i] = facing.x;
    to[2 * kPathPlaces + 2 * i + 1] = facing.z;
  }
}

/// The rows of one clip, not yet normalised.
void write_rows(const take::TakeSet& motion, const take::Track& track, std::uint32_t c,
                const std::array<std::size_t, 3>& points, std::span<const int> upper, std::size_t dims, float* rows) {
  const motion::Clip& clip = motion.clips[c];
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  const std::vector<Vec3> velocities = motion::point_velocities(poses, clip.rate);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    float* row = rows + f * dims;
    const motion::GroundFrame here = track[f];
    const Quat unturn = conjugate(here.rotation());
    std::array<motion::GroundFrame, kPathPlaces> places;
    for (std::size_t i = 0; i < kPathPlaces; ++i) {
      const double seconds = static_cast<double>(kPathSpacing) * static_cast<double>(i + 1);
      places[i] = ahead(track, clip.rate, static_cast<double>(f) + seconds * clip.rate);
    }
    write_places(here, places, row);
    for (std::size_t foot = 0; foot < 2; ++foot) {
      put(transform(inverse(here), poses.position(f, points[foot])), row + MatchFeatures::kFeet + 3 * foot);
    }
    for (std::size_t i = 0; i < 3; ++i)
      put(rotate(unturn, velocities[f * poses.points + points[i]]), row + MatchFeatures::kSpeeds + 3 * i);
    for (std::size_t i = 0; i < upper.size(); ++i) {
      if (upper[i] < 0) continue;
      put(transform(inverse(here), poses.position(f, static_cast<std::size_t>(upper[i]))),
          row + MatchFeatures::kUpper + 3 * i);
    }
    const std::uint8_t planted = motion.contacts[c].planted[f];
    row[MatchFeatures::kStands] = (planted & motion::kLeftFoot) != 0 ? 1 : 0;
    row[MatchFeatures::kStands + 1] = (planted & motion::kRightFoot) != 0 ? 1 : 0;
    const double path = static_cast<double>(kPathSpacing) * static_cast<double>(kPathPlaces) * motion.rate();
    row[MatchFeatures::kFuture] =
        static_cast<float>(std::max(0.0, 1 - static_cast<double>(clip.frames() - 1 - f) / path));
  }
}

/// Brings rows to mean zero and every group to unit variance, then weighs it. What is between 0 and 1 is only weighed.
void normalise(std::vector<float>& rows, const MatchOptions& options, MatchFeatures& features) {
  constexpr float kLeastDeviation = 1e-3f;
  const MatchWeights& weights = options.weights;
  const std::size_t dims = features.dims(), count = rows.size() / dims;
  std::vector<double> sum(dims), squares(dims);
  for (std::size_t i = 0; i < rows.size(); ++i) sum[i % dims] += static_cast<double>(rows[i]);
  features.mean.assign(dims, 0);
  features.scale.assign(dims, 1 / weights.flag);
  if (features.jump_flag >= 0) {
    features.scale[MatchFeatures::kBody + static_cast<std::size_t>(features.jump_flag)] = 1 / weights.jump;
  }
  for (std::size_t i = 0; i < 2; ++i) features.scale[MatchFeatures::kStands + i] = 1 / weights.contact;
  features.scale[MatchFeatures::kFuture] = 1 / weights.future;
  for (std::size_t k = 0; k < MatchFeatures::kBody; ++k) {
    features.mean[k] = static_cast<float>(sum[k] / static_cast<double>(count));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto away = static_cast<double>(rows[i] - features.mean[i % dims]);
    squares[i % dims] += away * away;
  }
  for (const Group& group : kGroups) {
    double variance = 0;
    for (std::size_t k = group.begin; k < group.end; ++k) variance += squares[k];
    variance /= static_cast<double>(count * (group.end - group.begin));
    const float least = group.weight == &MatchWeights::path_facing ? options.least_facing : 0;
    const float deviation = std::max({static_cast<float>(std::sqrt(variance)), least, kLeastDeviation});
    for (std::size_t k = group.begin; k < group.end; ++k) features.scale[k] = deviation / (weights.*group.weight);
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = (rows[i] - features.mean[i % dims]) / features.scale[i % dims];
}

/// Sets column `flag` of the rows that have it. Fails when none has.
Result<void> write_flag(const take::TakeSet& motion, MatchFeatures& features, std::size_t flag, const std::string& name,
                        std::vector<float>& rows) {
  bool any = name == policy::kAirborne;
  if (any) features.jump_flag = static_cast<int>(flag);
  const float height = any ? usual_height(motion.clips) : 0;
  for (std::size_t c = 0; c < motion.clips.size(); ++c) {
    const auto set = [&](std::size_t frame) {
      rows[(features.first_row[c] + frame) * features.dims() + MatchFeatures::kBody + flag] = 1;
    };
    if (name == policy::kAirborne) {
      const std::vector<JumpPart> parts = find_jumps(motion.clips[c], height);
      for (std::size_t f = 0; f < parts.size(); ++f) {
        if (parts[f] == JumpPart::kJump) set(f);
      }
      features.jumps.insert(features.jumps.end(), parts.begin(), parts.end());
      continue;
    }
    for (const motion::Label& label : motion.clips[c].labels) {
      if (label.name != name) continue;
      any = true;
      for (std::size_t f = label.begin; f < label.end; ++f) set(f);
    }
  }
  if (!any) return fail(fmt::format("no motion is labelled '{}'", name));
  return {};
}

/// One bit for each behavior a frame is labelled with, of all rows. Empty where nobody asks for behaviors.
Result<std::vector<std::uint64_t>> tags_of(const take::TakeSet& motion, const MatchFeatures& features,
                                           const std::vector<std::string>& behaviors) {
  std::vector<std::uint64_t> tags;
  if (behaviors.empty()) return tags;
  if (behaviors.size() > 64)
    return fail(fmt::format("{} behaviors are more than the 64 there is room for", behaviors.size()));
  tags.assign(features.clip_of.size(), 0);
  std::uint64_t seen = 0;
  for (std::size_t c = 0; c < motion.clips.size(); ++c) {
    for (const motion::Label& label : motion.clips[c].labels) {
      const auto at = std::find(behaviors.begin(), behaviors.end(), label.name);
      if (at == behaviors.end()) continue;
      const std::uint64_t bit = std::uint64_t{1} << (at - behaviors.begin());
      seen |= bit;
      for (std::size_t f = label.begin; f < label.end; ++f) tags[features.first_row[c] + f] |= bit;
    }
  }
  for (std::size_t b = 0; b < behaviors.size(); ++b) {
    if ((seen >> b & 1) == 0) return fail(fmt::format("no motion is labelled '{}'", behaviors[b]));
  }
  return tags;
}

Result<void> check(const MatchOptions& options) {
  const MatchWeights& weights = options.weights;
  bool sound = std::isfinite(weights.flag) && weights.flag > 0 && std::isfinite(weights.jump) && weights.jump > 0 &&
               std::isfinite(weights.contact) && weights.contact > 0 && std::isfinite(weights.future) &&
               weights.future > 0;
  for (const Group& group : kGroups) sound &= std::isfinite(weights.*group.weight) && weights.*group.weight > 0;
  if (!sound) return fail("weights of features must be positive and finite");
  if (options.flags.size() > policy::kMaxFlags) {
    return fail(
        fmt::format("{} flags are more than the {} there is room for", options.flags.size(), policy::kMaxFlags));
  }
  return {};
}

/// Gives every frame of every clip a row, and lists those that may be jumped to.
std::vector<std::uint32_t> number_rows(const take::TakeSet& motion, const MatchOptions& options,
                                       MatchFeatures& features) {
  const auto count = [&](double seconds) {
    return to_whole<std::uint32_t>(std::round(std::max(0.0, seconds) * motion.rate()));
  };
  std::vector<std::uint32_t> candidates;
  for (std::uint32_t c = 0; c < motion.clips.size(); ++c) {
    const auto frames = static_cast<std::uint32_t>(motion.clips[c].frames());
    const std::uint32_t left_out =
        std::max(count(options.leave_out_seconds), std::min(count(options.future_seconds), frames / 2));
    const auto first = static_cast<std::uint32_t>(features.clip_of.size());
    features.first_row.push_back(first);
    features.clip_of.resize(features.clip_of.size() + frames, c);
    for (std::uint32_t f = 0; options.only.empty() && f + left_out < frames; ++f) candidates.push_back(first + f);
  }
  for (const motion::SourceFrame& at : options.only) candidates.push_back(features.row_of(at));
  return candidates;
}

}  // namespace

float MatchFeatures::speed(std::uint32_t row) const {
  const auto along = [&](std::size_t k) { return index.row(row)[k] * scale[k] + mean[k]; };
  return std::hypot(along(kHips), along(kHips + 2));
}

float MatchFeatures::foot_off(std::span<const float> query, std::uint32_t row, std::size_t side) const {
  const std::span<const float> at = index.row(row);
  const std::size_t k = kFeet + 3 * side;
  return std::hypot((at[k] - query[k]) * scale[k], (at[k + 2] - query[k + 2]) * scale[k + 2]);
}

void MatchFeatures::write_query(std::uint32_t now, const motion::GroundFrame& here,
                                std::span<const motion::GroundFrame> places, Vec3 velocity, std::uint32_t wanted,
                                const FeetNow* feet, std::span<float> query) const {
  const std::span<const float> row = index.row(now);
  std::copy(row.begin(), row.end(), query.begin());
  write_places(here, places, query.data());
  const Vec3 hips = rotate(conjugate(here.rotation()), velocity);
  query[kHips] = (hips.x - mean[kHips]) / scale[kHips];
  query[kHips + 2] = (hips.z - mean[kHips + 2]) / scale[kHips + 2];
  query[kFuture] = -mean[kFuture] / scale[kFuture];
  const auto write = [&](std::size_t k, Vec3 v) {
    for (const float x : {v.x, v.y, v.z}) query[k] = (x - mean[k]) / scale[k], ++k;
  };
  for (std::size_t side = 0; feet != nullptr && side < 2; ++side) {
    write(kFeet + 3 * side, transform(inverse(here), feet->ankle[side]));
    if (feet->held[side]) write(kSpeeds + 3 * side, {});
    query[kStands + side] = ((feet->held[side] ? 1.0f : 0.0f) - mean[kStands + side]) / scale[kStands + side];
  }
  for (std::size_t i = 0; i < flags.size(); ++i) query[kBody + i] = (wanted >> i & 1) != 0 ? kAsked : 0;
  for (std::size_t k = 0; k < kPath; ++k) query[k] = (query[k] - mean[k]) / scale[k];
  for (std::size_t k = kBody; k < dims(); ++k) query[k] = (query[k] - mean[k]) / scale[k];
}

namespace {

Result<std::shared_ptr<const MatchFeatures>> make_features(const take::TakeSet& motion, const MatchOptions& options) {
  if (const auto sound = check(options); !sound) return fail_from(sound);
  const auto feet = motion::find_foot_points(*motion.skeleton);
  if (!feet) return fail_from(feet);
  // The heels (ankles) of both feet, and the hips: the root.
  const std::array<std::size_t, 3> points = {static_cast<std::size_t>((*feet)[0]), static_cast<std::size_t>((*feet)[2]),
                                             0};
  const motion::Body body = motion::find_body(*motion.skeleton);
  const std::array<int, 3> upper = {body.left_arm.end, body.right_arm.end, body.head};
  auto features = std::make_shared<MatchFeatures>();
  features->flags = options.flags;
  features->behaviors = options.behaviors;
  const std::size_t dims = features->dims();
  std::vector<std::uint32_t> candidates = number_rows(motion, options, *features);
  if (candidates.empty()) return fail("all clips are too short to be matched");
  // The rows, and those of the candidates turned into other axes: once while they are sorted, once in the index.
  const auto room = require_memory(static_cast<double>(dims) * (4.0 * static_cast<double>(features->clip_of.size()) +
                                                                12.0 * static_cast<double>(candidates.size())),
                                   fmt::format("indexing {} frames", features->clip_of.size()),
                                   "take fewer clips, or a lower rate", {"label", "rate"});
  if (!room) return fail_from(room);
  std::vector<float> rows(features->clip_of.size() * dims);
  const std::vector<take::Track>& tracks = motion.tracks();
  parallel_for(motion.clips.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      write_rows(motion, tracks[c], static_cast<std::uint32_t>(c), points, upper, dims,
                 rows.data() + features->first_row[c] * dims);
    }
  });
  for (std::size_t i = 0; i < options.flags.size(); ++i) {
    if (const auto known = write_flag(motion, *features, i, options.flags[i], rows); !known) return fail_from(known);
  }
  if (features->jump_flag >= 0) {
    // One comes to the moments before a jump, and to those after it, by playing and in no other way: who went there
    // without wanting to jump would have to leave again at once.
    std::erase_if(candidates, [&](std::uint32_t row) {
      return features->jumps[row] == JumpPart::kApproach || features->jumps[row] == JumpPart::kRecovery;
    });
    if (candidates.empty()) return fail("all motion is that of jumps");
  }
  for (const std::uint32_t row : candidates) {
    for (std::size_t i = 0; i < kPathPlaces; ++i) {
      const float* place = rows.data() + row * dims + 2 * i;
      features->farthest[i] = std::max(features->farthest[i], std::hypot(place[0], place[1]));
    }
  }
  normalise(rows, options, *features);
  auto tags = tags_of(motion, *features, options.behaviors);
  if (!tags) return fail_from(tags);
  features->index = NearestFrames(std::move(rows), dims, candidates, std::move(*tags));
  return std::shared_ptr<const MatchFeatures>(std::move(features));
}

}  // namespace

Result<std::shared_ptr<const MatchFeatures>> find_match_features(const take::TakeSet& motion,
                                                                 const MatchOptions& options) {
  return within_memory("indexing so many frames", [&] { return make_features(motion, options); });
}

}  // namespace loom::matching
