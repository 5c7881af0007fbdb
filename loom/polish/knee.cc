// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/polish/knee.h>

namespace loom::polish {
namespace {

constexpr float kWellBent = 0.34f;       // sine of the bend from which on the knee's own axis is believed: 20 degrees
constexpr double kSmoothSeconds = 0.15;  // how far around a nearly straight frame its neighbours count
constexpr float kTypicalWeight = 0.02f;  // of the axis over the whole clip, against the frames around

/// Cross product of thigh and shank in the frame of the thigh: along the axis, as long as the sine of the bend.
std::vector<Vec3> bends(const motion::WorldPoses& poses, const Foot& foot) {
  const auto hip = static_cast<std::size_t>(foot.leg.upper), knee = static_cast<std::size_t>(foot.leg.middle);
  const auto ankle = static_cast<std::size_t>(foot.leg.end);
  std::vector<Vec3> bend(poses.frames);
  for (std::size_t f = 0; f < poses.frames; ++f) {
    const Vec3 thigh = normalized(poses.position(f, knee) - poses.position(f, hip));
    const Vec3 shank = normalized(poses.position(f, ankle) - poses.position(f, knee));
    bend[f] = rotate(conjugate(poses.rotation(f, hip)), cross(thigh, shank));
  }
  return bend;
}

/// An exponential average forwards and backwards in time. O(frames).
std::vector<Vec3> smoothed(const std::vector<Vec3>& values, double frames) {
  const auto keep = static_cast<float>(std::exp(-1 / std::max(frames, 1e-3)));
  std::vector<Vec3> out(values.size());
  Vec3 sum;
  for (std::size_t f = 0; f < values.size(); ++f) out[f] = sum = sum * keep + values[f];
  sum = {};
  for (std::size_t f = values.size(); f-- > 0;) {
    out[f] += sum;
    sum = (sum + values[f]) * keep;
  }
  return out;
}

}  // namespace

std::vector<Vec3> knee_axes(const motion::WorldPoses& poses, const Foot& foot, double rate) {
  const std::vector<Vec3> bend = bends(poses, foot);
  const std::vector<Vec3> around = smoothed(bend, kSmoothSeconds * rate);
  Vec3 typical;
  for (const Vec3 b : bend) typical += b;
  typical = normalized(typical, {0, 0, 0});
  std::vector<Vec3> axes(bend.size());
  for (std::size_t f = 0; f < bend.size(); ++f) {
    const float own = smoothstep(length(bend[f]) / kWellBent);
    const Vec3 general = normalized(around[f] + typical * kTypicalWeight, {1, 0, 0});
    axes[f] = normalized(lerp(general, normalized(bend[f], general), own), general);
  }
  return axes;
}

}  // namespace loom::polish
