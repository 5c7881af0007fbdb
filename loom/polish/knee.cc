// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/motion/bend_axis.h>
#include <loom/motion/kinematics.h>
#include <loom/polish/knee.h>

namespace loom::polish {
namespace {

constexpr double kSmoothSeconds = 0.15;  // how far around a nearly straight frame its neighbours count
constexpr float kSlip = 0.5f,
                kDeep = 0.87f;  // sines of bends backwards that are a slip for sure, and none: 30 and 60 degrees
constexpr float kTypicalWeight = 0.02f;  // of the axis over the whole clip, against the frames around

std::vector<Vec3> knee_bends(const motion::WorldPoses& poses, const Foot& foot) {
  const auto hip = static_cast<std::size_t>(foot.leg.upper), knee = static_cast<std::size_t>(foot.leg.middle);
  const auto ankle = static_cast<std::size_t>(foot.leg.end);
  std::vector<Vec3> bends(poses.frames);
  for (std::size_t f = 0; f < poses.frames; ++f) {
    bends[f] = forward_bend(
        motion::limb_bend(poses.position(f, hip), poses.position(f, knee), poses.position(f, ankle),
                          poses.rotation(f, hip)),
        natural_knee_axis(foot, poses.position(f, hip), poses.position(f, knee),
                          {poses.position(f, foot.heel), poses.position(f, foot.toe)}, poses.rotation(f, hip)));
  }
  return bends;
}

/// An exponential average forwards and backwards in time. O(frames).
std::vector<Vec3> smoothed_bends(const std::vector<Vec3>& values, double frames) {
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

Vec3 natural_knee_axis(const Foot& foot, Vec3 hip, Vec3 knee, const FootPlace& place, Quat thigh) {
  if (foot.hinge) return *foot.hinge;
  return normalized(rotate(conjugate(thigh), cross(place.toe - place.heel, knee - hip)), {1, 0, 0});
}

Vec3 forward_bend(Vec3 bend, Vec3 natural) {
  const float slip = 1 - smoothstep((length(bend) - kSlip) / (kDeep - kSlip));
  return bend - natural * (slip * std::min(dot(bend, natural), 0.0f));
}

Vec3 knee_axis_in(const motion::Skeleton& skeleton, const Foot& foot, const FootPlace& now, Vec3 root,
                  std::span<const Quat> rotations) {
  const motion::JointFrame hip = motion::joint_frame(skeleton, foot.leg.upper, root, rotations);
  const Vec3 knee = motion::joint_frame(skeleton, foot.leg.middle, root, rotations).position;
  const Vec3 ankle = motion::joint_frame(skeleton, foot.leg.end, root, rotations).position;
  const Vec3 natural = natural_knee_axis(foot, hip.position, knee, now, hip.rotation);
  return motion::bend_axis(forward_bend(motion::limb_bend(hip.position, knee, ankle, hip.rotation), natural), natural);
}

std::vector<Vec3> knee_axes(const motion::WorldPoses& poses, const Foot& foot, double rate) {
  const std::vector<Vec3> bends = knee_bends(poses, foot);
  const std::vector<Vec3> around = smoothed_bends(bends, kSmoothSeconds * rate);
  Vec3 typical;
  for (const Vec3 bend : bends) typical += bend;
  const Vec3 resting = foot.hinge.value_or(Vec3{1, 0, 0});
  typical = normalized(typical, resting);
  std::vector<Vec3> axes(bends.size());
  for (std::size_t f = 0; f < bends.size(); ++f) {
    axes[f] = motion::bend_axis(bends[f], normalized(around[f] + typical * kTypicalWeight, resting));
  }
  return axes;
}

}  // namespace loom::polish
