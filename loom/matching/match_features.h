// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/matching/foot_hold.h>
#include <loom/matching/jumps.h>
#include <loom/matching/nearest_frames.h>
#include <loom/motion/stream.h>
#include <loom/take/take_set.h>

namespace loom::matching {

/// How many places of the path ahead are matched, and how far apart in time.
inline constexpr std::size_t kPathPlaces = 3;
inline constexpr float kPathSpacing = 1.0f / 3.0f;  ///< seconds

/// What counts how much when motions are matched. Each group of features has unit variance before it is weighted.
struct MatchWeights {
  float path_position = 1.0f;
  float path_facing = 1.5f;
  float foot_position = 1.2f;
  float foot_velocity = 1.0f;
  float hip_velocity = 1.0f;
  /// Of hands and head: a join throws them from where one piece has them to where the other does.
  float upper_position = 0.5f;
  float contact = 1.0f;  ///< of each foot, not scaled by its variance: how far apart standing and swinging are
  /// Of what is missing of the path at the end of a clip, by a whole path: who goes to a moment that has no future soon
  /// has to leave it again, for another such moment.
  float future = 1.5f;
  float flag = 2.0f;  ///< of each flag, not scaled by its variance: how far apart having and not having it are
  float jump = 8.0f;  ///< the same of policy::kAirborne: nobody jumps who was not asked to, and who was does
};

/// The frames of a set of clips as points in which near means "goes on alike": where the path leads at three times
/// (positions and facing, 12 numbers), where the feet are and how they move (12), how the hips move (3), where the
/// hands and the head are (9), all seen from where the body stands and faces; whether each foot stands (2); how much of
/// the path lies beyond the end of the clip (1). 39 numbers a frame, and one more for every flag.
struct MatchFeatures {
  static constexpr std::size_t kPath = 4 * kPathPlaces;  ///< numbers of the path, first in a row
  static constexpr std::size_t kFeet = kPath;            ///< where the positions of the feet begin
  static constexpr std::size_t kSpeeds = kFeet + 6;      ///< and their velocities
  static constexpr std::size_t kHips = kSpeeds + 6;      ///< and that of the hips
  static constexpr std::size_t kUpper = kHips + 3;       ///< and where the hands and the head are
  static constexpr std::size_t kStands = kUpper + 9;     ///< whether each foot stands
  static constexpr std::size_t kFuture = kStands + 2;    ///< which share of the path is missing
  static constexpr std::size_t kBody = kFuture + 1;      ///< numbers of path and body; flags come last

  std::vector<std::string> flags;             ///< what Control::flags may ask for, bit 0 first
  std::vector<std::string> behaviors;         ///< what Control::behavior counts
  std::vector<float> mean, scale;             ///< a row holds (value - mean) / scale
  std::vector<std::uint32_t> first_row;       ///< of each clip; one row a frame
  std::vector<std::uint32_t> clip_of;         ///< of each row
  int jump_flag = -1;                         ///< which flag is policy::kAirborne; -1: none
  std::vector<JumpPart> jumps;                ///< of each row; empty without such a flag
  std::array<float, kPathPlaces> farthest{};  ///< the longest way to each place of the path from any frame, metres
  NearestFrames index;

  [[nodiscard]] std::uint32_t row_of(motion::SourceFrame at) const { return first_row[at.clip] + at.frame; }
  [[nodiscard]] motion::SourceFrame frame_of(std::uint32_t row) const {
    return {clip_of[row], row - first_row[clip_of[row]]};
  }
  [[nodiscard]] std::size_t dims() const { return kBody + flags.size(); }
  /// How fast the hips go over the floor in a row, metres a second.
  [[nodiscard]] float speed(std::uint32_t row) const;
  /// Whether a foot stands in a row.
  [[nodiscard]] bool stands(std::uint32_t row, std::size_t side) const {
    const std::size_t k = kStands + side;
    return index.row(row)[k] * scale[k] + mean[k] > 0.5f;
  }
  /// How far a foot is in a row, along the floor, from where it is in a query, metres.
  [[nodiscard]] float foot_off(std::span<const float> query, std::uint32_t row, std::size_t side) const;
  /// Writes a query: the body goes on from row `now`, is wanted at `places`, seen from `here`, and with `wanted` flags.
  /// Its feet are at `feet`; where these are null, at those of the row.
  /// Its hips are meant to go at `velocity` over the floor by now. Were they asked to go on as they do, a body that
  /// stands could be about to start for ever: a frame before a start fits a body that stands and leads where it should.
  void write_query(std::uint32_t now, const motion::GroundFrame& here, std::span<const motion::GroundFrame> places,
                   Vec3 velocity, std::uint32_t wanted, const FeetNow* feet, std::span<float> query) const;
};

struct MatchOptions {
  MatchWeights weights;
  /// Facings, sine and cosine, are taken to deviate by so much at least: ten degrees. Whoever was recorded walking
  /// straight ahead hardly varies in them; scaled by that, a wish to turn would outweigh where the feet are by far, and
  /// the few frames that turn be gone to from anywhere, with feet half a metre off.
  float least_facing = 0.18f;
  /// Seconds at the end of each clip that are never jumped to, since little would be left to play. The path beyond
  /// the end of a clip is taken to go on as it was.
  double leave_out_seconds = 1.0 / 3.0;
  /// Seconds that must be left to play where one jumps to, in clips at least twice as long; in shorter ones the half of
  /// them. At the ends of clips paths are guesses, which fit what nobody has recorded.
  double future_seconds = 2.0 / 3.0;
  std::vector<motion::SourceFrame> only;  ///< the only frames that may be jumped to; empty: all but those left out
  /// What Control::flags may ask for, bit 0 first: policy::kAirborne, or labels; at most policy::kMaxFlags.
  std::vector<std::string> flags;
  std::vector<std::string> behaviors;  ///< labels one can ask for (Control::behavior counts them); at most 64
};

/// Computes the features of all frames and indexes them. Fails on bodies without recognisable feet, on motion too short
/// to leave a frame, on weights that are not positive and finite, and on behaviors or flags no clip is labelled with.
Result<std::shared_ptr<const MatchFeatures>> find_match_features(const take::TakeSet& motion,
                                                                 const MatchOptions& options = {});

}  // namespace loom::matching
