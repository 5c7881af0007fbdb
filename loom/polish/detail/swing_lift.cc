// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <loom/base/whole.h>
#include <loom/polish/detail/swing_lift.h>

namespace loom::polish {
namespace {

constexpr float kTouches = 0.006f;  // metres; a sole this low is seen to touch the floor
constexpr float kMoves = 0.25f;     // metres a second; slower, a foot stands, or rolls
constexpr double kDrawn = 0.12;     // metres along the floor that show
constexpr float kClear = 0.02f;     // metres a foot that swings keeps off the floor
constexpr double kRise = 0.12;      // seconds in which a foot that stood is lifted
constexpr double kAround = 0.1;     // seconds before and after over which it is lifted

/// Along the floor, of the slower end: a foot that rolls over one end stands.
float speed_at(std::span<const FootPlace> path, std::size_t f, double rate) {
  const std::size_t before = f - std::min<std::size_t>(f, 1), after = std::min(f + 1, path.size() - 1);
  const auto way = [&](Vec3 FootPlace::*end) {
    const Vec3 by = path[after].*end - path[before].*end;
    return std::hypot(by.x, by.z);
  };
  const float shorter = std::min(way(&FootPlace::heel), way(&FootPlace::toe));
  return shorter * static_cast<float>(rate) / static_cast<float>(std::max<std::size_t>(1, after - before));
}

/// How far each frame has to be lifted in the stretches that show.
std::vector<float> wanted_lifts(std::span<const float> heights, std::span<const float> speeds,
                                std::span<const std::uint8_t> planted, double rate) {
  std::vector<float> wanted(heights.size());
  for (std::size_t begin = 0; begin < heights.size(); ++begin) {
    double drawn = 0;
    std::size_t end = begin;
    for (; end < heights.size() && !planted[end] && heights[end] < kTouches && speeds[end] > kMoves; ++end) {
      drawn += static_cast<double>(speeds[end]) / rate;
    }
    if (drawn > kDrawn) {
      for (std::size_t f = begin; f < end; ++f) wanted[f] = kClear - heights[f];
    }
    begin = std::max(begin, end);
  }
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
  const std::vector<float> wanted = wanted_lifts(soles, speeds, planted, rate);
  if (std::all_of(wanted.begin(), wanted.end(), [](float lift) { return lift == 0; })) return;
  std::vector<float> lifts = eased(wanted, to_whole<std::size_t>(std::max(1.0, std::round(kAround * rate))));
  const auto stands = [&](std::size_t f) { return planted[f] || (speeds[f] <= kMoves && soles[f] < kClear); };
  // From where it stands it is lifted, and to where it stands put down, without a jerk.
  const auto rise = static_cast<float>(std::max(1.0, kRise * rate));
  float since = rise;
  for (std::size_t f = 0; f < lifts.size(); ++f) {
    since = stands(f) ? 0 : since + 1;
    lifts[f] *= smoothstep(std::min(1.0f, since / rise));
  }
  since = rise;
  for (std::size_t f = lifts.size(); f-- > 0;) {
    since = stands(f) ? 0 : since + 1;
    lifts[f] *= smoothstep(std::min(1.0f, since / rise));
    path[f].heel.y += lifts[f];
    path[f].toe.y += lifts[f];
  }
}

}  // namespace loom::polish
