// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <loom/base/whole.h>
#include <loom/machine/meet.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>

namespace loom::machine {
namespace {

constexpr double kMeetWithin = 1.0 / 3;  ///< of a motion that ends
constexpr float kSpeedSeconds = 0.1f;    ///< metres a second times this count as metres

/// Where the points of a body are and how fast they go, seen from where it stands and faces.
struct Points {
  std::vector<Vec3> at, speed;
};

Points points_of(const motion::Skeleton& skeleton, const BodyStep& body) {
  const std::size_t count = skeleton.size() + skeleton.end_sites().size();
  Points points{std::vector<Vec3>(count), std::vector<Vec3>(count)};
  std::vector<Vec3> before(count);
  std::vector<Quat> turns(skeleton.size());
  motion::forward_kinematics(skeleton, body.root, body.now, points.at, turns);
  motion::forward_kinematics(skeleton, body.root_before, body.before, before, turns);
  const motion::GroundFrame here = motion::GroundFrameFinder(skeleton).find(body.root, body.now[0]);
  for (std::size_t p = 0; p < count; ++p) {
    const Vec3 gone = points.at[p] - before[p];
    points.speed[p] = rotate(conjugate(here.rotation()), gone) / static_cast<float>(body.seconds);
    points.at[p] = transform(inverse(here), points.at[p]);
  }
  return points;
}

float apart(const Points& a, const Points& b) {
  float sum = 0;
  for (std::size_t p = 0; p < a.at.size(); ++p) {
    const Vec3 place = a.at[p] - b.at[p], speed = (a.speed[p] - b.speed[p]) * kSpeedSeconds;
    sum += dot(place, place) + dot(speed, speed);
  }
  return sum;
}

}  // namespace

double likest_phase(const BuiltState& state, const BodyStep& body) {
  const motion::Skeleton& skeleton = *state.space->skeleton();
  blend::Blender blender(state.space);
  std::vector<float> weights(state.space->size(), 0.0f);
  weights[state.space->alignment().reference] = 1;
  blender.set_weights(weights);
  const Points wanted = points_of(skeleton, body);
  const auto steps = to_whole<std::size_t>(std::max(4.0, std::round(blender.duration() * state.space->rate())));
  const auto last = state.cyclic ? steps - 1 : to_whole<std::size_t>(kMeetWithin * static_cast<double>(steps));
  const double seconds = blender.duration() / static_cast<double>(steps);
  std::vector<Quat> before(skeleton.size()), now(skeleton.size());
  double best = 0;
  float least = std::numeric_limits<float>::infinity();
  // Speeds at the first phase are those of the step after it: what was before it lies in another round.
  for (std::size_t k = 0; k <= last; ++k) {
    const std::size_t later = std::max<std::size_t>(k, 1);
    motion::StreamPose one{{}, before, 0, {}}, two{{}, now, 0, {}};
    blender.pose(static_cast<double>(later - 1) * seconds, one);
    blender.pose(static_cast<double>(later) * seconds, two);
    const float far = apart(wanted, points_of(skeleton, {one.root, two.root, before, now, seconds}));
    if (far < least) least = far, best = blender.normalised_at(static_cast<double>(k) * seconds);
  }
  return best;
}

}  // namespace loom::machine
