// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include <loom/io/t_pose.h>

namespace loom::io {
namespace {

constexpr std::size_t kFramesToTell = 4;
constexpr std::size_t kLongestRest = 10;      ///< frames at rest that the jump may come after
constexpr std::size_t kFramesAfter = 10;      ///< steps that the jump is compared with
constexpr float kAtRest = 0.01f * kDegree;    ///< a joint turned less than this is exactly at rest
constexpr float kShareAtRest = 0.6f;          ///< of the joints that are turned at some time
constexpr float kLeastJump = 4.0f * kDegree;  ///< mean over those joints
constexpr float kJumpRatio = 3.0f;            ///< to the largest step that follows

bool is_turned(Quat q) { return angle_between(q, Quat{}) > kAtRest; }

/// The joints that are turned in some frame of [1, last].
std::vector<std::size_t> find_live_joints(const motion::Clip& clip, std::size_t last) {
  std::vector<std::size_t> live;
  for (std::size_t j = 0; j < clip.joints(); ++j) {
    bool turned = false;
    for (std::size_t f = 1; f <= last && !turned; ++f) turned = is_turned(clip.pose(f)[j]);
    if (turned) live.push_back(j);
  }
  return live;
}

bool is_at_rest(const motion::Clip& clip, const std::vector<std::size_t>& live, std::size_t frame) {
  const auto resting =
      std::count_if(live.begin(), live.end(), [&](std::size_t j) { return !is_turned(clip.pose(frame)[j]); });
  return static_cast<float>(resting) >= kShareAtRest * static_cast<float>(live.size());
}

float mean_turn(const motion::Clip& clip, const std::vector<std::size_t>& joints, std::size_t from, std::size_t to) {
  float sum = 0;
  for (const std::size_t j : joints) sum += angle_between(clip.pose(from)[j], clip.pose(to)[j]);
  return sum / static_cast<float>(joints.size());
}

}  // namespace

bool starts_with_t_pose(const motion::Clip& clip) {
  if (clip.frames() < kFramesToTell) return false;
  const std::size_t last = std::min(clip.frames() - 1, kLongestRest + kFramesAfter);
  const std::vector<std::size_t> live = find_live_joints(clip, last);
  if (live.empty() || !is_at_rest(clip, live, 0)) return false;
  // In some files frames follow in which nothing was tracked and every joint is at rest; the jump comes after those.
  std::size_t first = 1;
  while (first < std::min(kLongestRest, last) && is_at_rest(clip, live, first)) ++first;
  float largest_after = 0;
  for (std::size_t f = first; f < last; ++f) largest_after = std::max(largest_after, mean_turn(clip, live, f, f + 1));
  const float jump = mean_turn(clip, live, first - 1, first);
  return jump > kLeastJump && jump > kJumpRatio * largest_after;
}

}  // namespace loom::io
