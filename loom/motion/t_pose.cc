// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/motion/t_pose.h>

namespace loom::motion {
namespace {

constexpr std::size_t kFramesToTell = 4;
constexpr std::size_t kLongestRest = 10;      ///< frames at rest that the jump may come after
constexpr std::size_t kFramesAround = 10;     ///< steps that a jump is compared with
constexpr float kAtRest = 0.01f * kDegree;    ///< a joint turned less than this is exactly at rest
constexpr float kSurelyTurned = 1e-6f;        ///< (sin a/2)² of a turn by a tenth of a degree
constexpr float kSamePose = 0.5f * kDegree;   ///< a joint turned less than this against a known pose is as in it
constexpr float kShareAtRest = 0.6f;          ///< of the joints that are turned at some time
constexpr float kLeastJump = 4.0f * kDegree;  ///< mean over those joints
constexpr float kUsuallyTurned = 0.5f;        ///< share of the frames
constexpr std::size_t kFewestJoints = 4;      ///< that usually are turned; fewer do not tell a body at rest
constexpr float kJumpRatio = 3.0f;            ///< to the largest step around

bool is_turned(Quat q) {
  if (q.x * q.x + q.y * q.y + q.z * q.z > kSurelyTurned) return true;  // nearly all are
  return angle_between(q, Quat{}) > kAtRest;
}

/// The joints that are turned in more than `share` of the frames [begin, end).
std::vector<std::size_t> find_live_joints(const Clip& clip, std::size_t begin, std::size_t end, float share = 0) {
  std::vector<std::size_t> live;
  const float least = share * static_cast<float>(end - begin);
  for (std::size_t j = 0; j < clip.joints(); ++j) {
    std::size_t turned = 0;
    for (std::size_t f = begin; f < end && static_cast<float>(turned) <= least; ++f) {
      turned += is_turned(clip.pose(f)[j]) ? 1 : 0;
    }
    if (static_cast<float>(turned) > least) live.push_back(j);
  }
  return live;
}

bool is_at_rest(const Clip& clip, const std::vector<std::size_t>& live, std::size_t frame) {
  const auto resting =
      std::count_if(live.begin(), live.end(), [&](std::size_t j) { return !is_turned(clip.pose(frame)[j]); });
  return static_cast<float>(resting) >= kShareAtRest * static_cast<float>(live.size());
}

/// How far the joints turn in the step out of frame `from`, on average.
float mean_turn(const Clip& clip, const std::vector<std::size_t>& joints, std::size_t from) {
  float sum = 0;
  for (const std::size_t j : joints) sum += angle_between(clip.pose(from)[j], clip.pose(from + 1)[j]);
  return sum / static_cast<float>(joints.size());
}

/// Whether the step out of frame `from` is a jump against the steps out of the frames [begin, end).
bool is_jump(const Clip& clip, const std::vector<std::size_t>& live, std::size_t from, FrameRange around) {
  const float jump = mean_turn(clip, live, from);
  if (jump <= kLeastJump) return false;
  float largest = 0;
  for (std::size_t f = around.begin; f < around.end; ++f) largest = std::max(largest, mean_turn(clip, live, f));
  return jump > kJumpRatio * largest;
}

/// Whether the body jumps into or out of the stretch [begin, end), compared with the motion before or after it.
bool is_entered_by_jump(const Clip& clip, const std::vector<std::size_t>& live, FrameRange stretch) {
  const std::size_t last = clip.frames() - 1;
  const bool into =
      stretch.begin > 1 && is_jump(clip, live, stretch.begin - 1,
                                   {stretch.begin - 1 - std::min(stretch.begin - 1, kFramesAround), stretch.begin - 1});
  const bool out_of = stretch.end < last &&
                      is_jump(clip, live, stretch.end - 1, {stretch.end, std::min(last, stretch.end + kFramesAround)});
  // A pose that is left as it is entered was never artificial.
  if (stretch.begin > 1 && stretch.end < last) return into && out_of;
  return into || out_of;
}

}  // namespace

bool starts_with_t_pose(const Clip& clip) {
  if (clip.frames() < kFramesToTell) return false;
  const std::size_t last = std::min(clip.frames() - 1, kLongestRest + kFramesAround);
  const std::vector<std::size_t> live = find_live_joints(clip, 1, last + 1);
  if (live.empty() || !is_at_rest(clip, live, 0)) return false;
  // In some files frames follow in which nothing was tracked and every joint is at rest; the jump comes after those.
  std::size_t first = 1;
  while (first < std::min(kLongestRest, last) && is_at_rest(clip, live, first)) ++first;
  return is_jump(clip, live, first - 1, {first, last});
}

std::size_t frames_before_jump(const Clip& clip) {
  if (clip.frames() < kFramesToTell) return 0;
  std::size_t first = 1;
  while (first < std::min(kLongestRest, clip.frames() - 2) && is_same_pose(clip.pose(0), clip.pose(first))) ++first;
  const std::size_t last = std::min(clip.frames() - 1, first + kFramesAround);
  const std::vector<std::size_t> live = find_live_joints(clip, 0, last + 1);
  return !live.empty() && is_jump(clip, live, first - 1, {first, last}) ? first : 0;
}

bool is_same_pose(std::span<const Quat> a, std::span<const Quat> b) {
  if (a.size() != b.size() || a.size() < 2) return false;
  for (std::size_t j = 1; j < a.size(); ++j) {
    if (angle_between(a[j], b[j]) > kSamePose) return false;
  }
  return true;
}

std::vector<FrameRange> find_t_poses(const Clip& clip, std::span<const Quat> known) {
  std::vector<FrameRange> stretches;
  if (clip.frames() < kFramesToTell) return stretches;
  // Fingers that move in one moment alone are at rest in all others, and say nothing.
  const std::vector<std::size_t> live = find_live_joints(clip, 0, clip.frames(), kUsuallyTurned);
  if (live.size() < kFewestJoints) return stretches;
  const auto is_artificial = [&](std::size_t f) {
    return is_at_rest(clip, live, f) || (!known.empty() && is_same_pose(clip.pose(f), known));
  };
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    if (!is_artificial(f)) continue;
    FrameRange stretch{f, f + 1};
    while (stretch.end < clip.frames() && is_artificial(stretch.end)) ++stretch.end;
    f = stretch.end;
    const bool most = 2 * (stretch.end - stretch.begin) > clip.frames();
    if (!most && is_entered_by_jump(clip, live, stretch)) stretches.push_back(stretch);
  }
  return stretches;
}

}  // namespace loom::motion
