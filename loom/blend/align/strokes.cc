// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/blend/align/strokes.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>

namespace loom::blend {
namespace {

constexpr double kSpeedSeconds = 1.0 / 15;  ///< over which a speed is taken
constexpr float kStill = 0.02f;             ///< metres; an effector that never gets further does not move
constexpr float kSlowing = 0.5f;            ///< a stop is at most this share of the peaks on both its sides

/// Where the effector is, seen from the body's place on the floor.
std::vector<Vec3> effector_path(const motion::Clip& clip, int effector) {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  const auto frames = motion::GroundFrameFinder(*clip.skeleton).find(clip);
  std::vector<Vec3> path(clip.frames());
  for (std::size_t f = 0; f < path.size(); ++f) {
    path[f] = transform(inverse(frames[f]), poses.position(f, static_cast<std::size_t>(effector)));
  }
  return path;
}

std::vector<float> speeds_of(const std::vector<Vec3>& path, double rate) {
  const auto half = to_whole<std::size_t>(std::max(1.0, std::round(kSpeedSeconds * rate / 2)));
  std::vector<float> speeds(path.size());
  for (std::size_t f = 0; f < path.size(); ++f) {
    const std::size_t a = f - std::min(half, f), b = std::min(f + half, path.size() - 1);
    speeds[f] = distance(path[a], path[b]) * static_cast<float>(rate / static_cast<double>(b - a));
  }
  return speeds;
}

/// The middle of the stretch about frame `f` in which the effector is no faster than there: holds are long.
std::size_t middle_of_minimum(const std::vector<float>& speeds, std::size_t f) {
  std::size_t end = f;
  while (end + 2 < speeds.size() && speeds[end + 1] <= speeds[f]) ++end;
  return (f + end) / 2;
}

}  // namespace

std::vector<double> marked_strokes(const motion::Clip& clip) {
  std::vector<double> strokes;
  for (const motion::Label& label : clip.labels) {
    if (label.name == kStrokeLabel) strokes.push_back(static_cast<double>(label.begin) / clip.rate);
  }
  std::sort(strokes.begin(), strokes.end());
  return strokes;
}

Result<std::vector<StrokeProposal>> propose_strokes(const motion::Clip& clip, int effector) {
  if (effector < 0 || static_cast<std::size_t>(effector) >= clip.skeleton->point_count()) {
    return fail(fmt::format("there is no joint {} whose strokes could be found", effector));
  }
  if (clip.frames() < 5) return fail(fmt::format("'{}' is too short to have a stroke", clip.name));
  const std::vector<Vec3> path = effector_path(clip, effector);
  const std::vector<float> speeds = speeds_of(path, clip.rate);
  float furthest = 0;
  for (const Vec3& p : path) furthest = std::max(furthest, distance(p, path.front()));
  if (furthest < kStill) return fail(fmt::format("the effector does not move in '{}'", clip.name));

  std::vector<float> peak_after(speeds.size());
  for (std::size_t f = speeds.size() - 1; f > 0; --f) peak_after[f - 1] = std::max(peak_after[f], speeds[f]);
  std::vector<StrokeProposal> found;
  float peak = speeds.front();
  for (std::size_t f = 1; f + 1 < speeds.size(); ++f) {
    peak = std::max(peak, speeds[f]);
    if (!(speeds[f] < speeds[f - 1] && speeds[f] <= speeds[f + 1])) continue;
    const float lower = std::min(peak, peak_after[f]);
    if (speeds[f] > kSlowing * lower) continue;
    const std::size_t at = middle_of_minimum(speeds, f);
    const float travel = distance(path[at], path.front());
    found.push_back({at, speeds[at], travel, travel / furthest * (1 - speeds[f] / lower)});
  }
  if (found.empty()) {
    // Nothing comes to rest between two movements: the furthest point is the best guess there is.
    std::size_t at = 0;
    for (std::size_t f = 0; f < path.size(); ++f) {
      if (distance(path[f], path.front()) > distance(path[at], path.front())) at = f;
    }
    found.push_back({at, speeds[at], furthest, 0});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const StrokeProposal& a, const StrokeProposal& b) { return a.score > b.score; });
  return found;
}

Result<void> check_strokes(const motion::Clip& clip, const std::vector<double>& strokes) {
  for (std::size_t n = 0; n < strokes.size(); ++n) {
    if (!(strokes[n] > 0 && strokes[n] < clip.duration())) {
      return fail(fmt::format("the stroke at {:.3f} s lies outside '{}', which is {:.3f} s long", strokes[n], clip.name,
                              clip.duration()));
    }
    if (n > 0 && !(strokes[n] > strokes[n - 1])) {
      return fail(fmt::format("the strokes of '{}' are not in the order of time", clip.name));
    }
  }
  return {};
}

}  // namespace loom::blend
