// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <loom/base/runs.h>
#include <loom/base/whole.h>
#include <loom/polish/detail/swing_lift.h>

namespace loom::polish {
namespace {

constexpr float kTouches = 0.006f;  // metres; a sole this low is seen to touch the floor
constexpr float kMoves = 0.25f;     // metres a second; slower, a foot stands, or rolls
constexpr float kShuffles =
    0.8f;                        // metres a second; no recorded foot that is told to stand goes faster (ContactOptions)
constexpr double kDrawn = 0.12;  // metres along the floor that show
constexpr float kClear = 0.02f;  // metres a foot that swings keeps off the floor
constexpr double kRise = 0.12;   // seconds in which a foot that stood is lifted
constexpr double kAround = 0.1;  // seconds before and after over which it is lifted

constexpr float kLongAgo = 1e6f;  // frames: before the first, nobody knows when it stood

constexpr float kDepth = 0.02f;     // metres; of a sole this deep in the floor half the depth stays
constexpr float kOnFloor = 0.025f;  // metres from the floor within which a planted sole stands on it

/// From one frame to another along the floor, of the slower end: a foot that rolls over one end stands.
float speed_between(std::span<const FootPlace> path, std::size_t before, std::size_t after, double rate) {
  const auto way = [&](Vec3 FootPlace::*end) {
    const Vec3 by = path[after].*end - path[before].*end;
    return std::hypot(by.x, by.z);
  };
  const float shorter = std::min(way(&FootPlace::heel), way(&FootPlace::toe));
  return shorter * static_cast<float>(rate) / static_cast<float>(std::max<std::size_t>(1, after - before));
}

float speed_at(std::span<const FootPlace> path, std::size_t f, double rate) {
  return speed_between(path, f - std::min<std::size_t>(f, 1), std::min(f + 1, path.size() - 1), rate);
}

/// The lower of the speeds it comes and goes with: none where it just stops or sets off.
float lower_speed_at(std::span<const FootPlace> path, std::size_t f, double rate) {
  const std::size_t before = f - std::min<std::size_t>(f, 1), after = std::min(f + 1, path.size() - 1);
  return std::min(speed_between(path, before, f, rate), speed_between(path, f, after, rate));
}

/// 1 in frames in which the foot stands where it is told to: not where it goes along faster than feet shuffle, as the
/// foot of a body does that goes over from one stance to another.
std::vector<std::uint8_t> standing_frames(std::span<const FootPlace> path, std::span<const float> heights,
                                          std::span<const std::uint8_t> planted, double rate) {
  std::vector<float> speeds(path.size());
  for (std::size_t f = 0; f < path.size(); ++f) speeds[f] = lower_speed_at(path, f, rate);
  std::vector<std::uint8_t> standing(planted.begin(), planted.end());
  const auto goes_along = [&](std::size_t f) { return heights[f] < kTouches && speeds[f] > kMoves; };
  for_each_run(heights.size(), goes_along, [&](std::size_t begin, std::size_t end) {
    const auto first = static_cast<std::ptrdiff_t>(begin), last = static_cast<std::ptrdiff_t>(end);
    if (*std::max_element(speeds.begin() + first, speeds.begin() + last) <= kShuffles) return;
    std::fill(standing.begin() + first, standing.begin() + last, std::uint8_t{0});
  });
  return standing;
}

/// How far each frame has to be lifted in the stretches that show.
std::vector<float> wanted_lifts(std::span<const float> heights, std::span<const float> speeds,
                                std::span<const std::uint8_t> standing, double rate) {
  std::vector<float> wanted(heights.size());
  const auto drags = [&](std::size_t f) { return !standing[f] && heights[f] < kTouches && speeds[f] > kMoves; };
  for_each_run(heights.size(), drags, [&](std::size_t begin, std::size_t end) {
    double drawn = 0;
    for (std::size_t f = begin; f < end; ++f) drawn += static_cast<double>(speeds[f]) / rate;
    for (std::size_t f = begin; f < end && drawn > kDrawn; ++f) wanted[f] = kClear - heights[f];
  });
  return wanted;
}

/// The largest value within `around` frames, and the mean of these: nowhere less than what is wanted.
std::vector<float> eased(const std::vector<float>& wanted, std::size_t around) {
  const auto over = [&](const std::vector<float>& values, auto&& combine) {
    std::vector<float> out(values.size());
    for (std::size_t f = 0; f < values.size(); ++f) {
      out[f] = combine(f - std::min(f, around), std::min(f + around + 1, values.size()));
    }
    return out;
  };
  const std::vector<float> largest = over(wanted, [&](std::size_t from, std::size_t to) {
    return *std::max_element(wanted.begin() + static_cast<std::ptrdiff_t>(from),
                             wanted.begin() + static_cast<std::ptrdiff_t>(to));
  });
  return over(largest, [&](std::size_t from, std::size_t to) {
    float sum = 0;
    for (std::size_t f = from; f < to; ++f) sum += largest[f];
    return sum / static_cast<float>(to - from);
  });
}

}  // namespace

void lift_drags(std::span<FootPlace> path, std::span<const float> soles, std::span<const std::uint8_t> planted,
                double rate) {
  std::vector<float> speeds(path.size());
  for (std::size_t f = 0; f < path.size(); ++f) speeds[f] = speed_at(path, f, rate);
  const std::vector<std::uint8_t> standing = standing_frames(path, soles, planted, rate);
  const std::vector<float> wanted = wanted_lifts(soles, speeds, standing, rate);
  if (std::all_of(wanted.begin(), wanted.end(), [](float lift) { return lift == 0; })) return;
  const std::vector<float> lifts = eased(wanted, to_whole<std::size_t>(std::max(1.0, std::round(kAround * rate))));
  const auto stands = [&](std::size_t f) { return standing[f] || (speeds[f] <= kMoves && soles[f] < kClear); };
  // From where it stands it is lifted, and to where it stands put down, without a jerk; in a short swing sooner.
  std::vector<float> since(lifts.size()), until(lifts.size());
  for (std::size_t f = 0; f < lifts.size(); ++f) since[f] = stands(f) ? 0 : 1 + (f > 0 ? since[f - 1] : kLongAgo);
  for (std::size_t f = lifts.size(); f-- > 0;) {
    until[f] = stands(f) ? 0 : 1 + (f + 1 < lifts.size() ? until[f + 1] : kLongAgo);
  }
  for (std::size_t f = 0; f < lifts.size(); ++f) {
    if (since[f] == 0) continue;
    const auto rise = std::min(static_cast<float>(std::max(1.0, kRise * rate)), 0.5f * (since[f] + until[f]));
    const float lift =
        lifts[f] * smoothstep(std::min(1.0f, since[f] / rise)) * smoothstep(std::min(1.0f, until[f] / rise));
    path[f].heel.y += lift;
    path[f].toe.y += lift;
  }
}

void lift_sunken_soles(std::span<FootPlace> path, std::span<const float> soles, std::span<const float> recorded) {
  for (std::size_t f = 0; f < path.size(); ++f) {
    const float depth = std::max(0.0f, std::min(recorded[f], 0.0f) - soles[f]), lift = depth * depth / (depth + kDepth);
    path[f].heel.y += lift;
    path[f].toe.y += lift;
  }
}

float standing_height(std::span<const float> soles, std::span<const std::uint8_t> toe_planted) {
  std::vector<float> heights;
  for (std::size_t f = 0; f < soles.size(); ++f) {
    if (toe_planted[f] && std::abs(soles[f]) < kOnFloor) heights.push_back(soles[f]);
  }
  if (heights.empty()) return 0;
  const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
  std::nth_element(heights.begin(), middle, heights.end());
  return *middle;
}

}  // namespace loom::polish
