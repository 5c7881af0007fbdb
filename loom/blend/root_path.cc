// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/blend/root_path.h>
#include <loom/blend/weighted_sum.h>

namespace loom::blend {
namespace {

constexpr double kStepSeconds = 0.08;
constexpr std::size_t kMostSteps = 40;

}  // namespace

RootPath::RootPath(std::span<const motion::Clip> clips, const Alignment& alignment, double begin, double end)
    : examples_(clips.size()),
      steps_(static_cast<std::size_t>(
          std::clamp(std::ceil((end - begin) / kStepSeconds), 1.0, static_cast<double>(kMostSteps)))) {
  left_.resize(steps_ * examples_);
  ahead_.resize(steps_ * examples_);
  middles_.resize(steps_ * examples_);
  headings_.resize(examples_);
  motion::Pose pose;
  for (std::size_t i = 0; i < examples_; ++i) {
    const motion::GroundFrameFinder finder(*clips[i].skeleton);
    const auto ground_at = [&](double reference) {
      motion::sample_pose(clips[i], alignment.curves[i].at(reference), pose);
      return finder.find(pose.root, pose.rotations[0]);
    };
    motion::GroundFrame before = ground_at(begin);
    float turned = 0;
    for (std::size_t s = 0; s < steps_; ++s) {
      const double share = static_cast<double>(s + 1) / static_cast<double>(steps_);
      const motion::GroundFrame now = ground_at(begin + share * (end - begin));
      const float turn = wrap_angle(now.heading - before.heading);
      const motion::GroundFrame middle{before.x, before.z, before.heading + 0.5f * turn};
      const Vec3 step = transform(inverse(middle), now.position());
      left_[s * examples_ + i] = step.x;
      ahead_[s * examples_ + i] = step.z;
      middles_[s * examples_ + i] = turned + 0.5f * turn;
      turned += turn;
      before = now;
    }
    headings_[i] = turned;
  }
}

motion::GroundFrame RootPath::evaluate(std::span<const float> weights) const {
  motion::GroundFrame reached{0, 0, weighted_sum(weights, headings_.data())};
  for (std::size_t s = 0; s < steps_; ++s) {
    const float left = weighted_sum(weights, row(left_, s)), ahead = weighted_sum(weights, row(ahead_, s));
    const float heading = weighted_sum(weights, row(middles_, s));
    const float sine = std::sin(heading), cosine = std::cos(heading);
    reached.x += cosine * left + sine * ahead;
    reached.z += cosine * ahead - sine * left;
  }
  return reached;
}

motion::GroundFrame RootPath::differentiate(std::span<const float> weights, std::span<float> dx, std::span<float> dz,
                                            std::span<float> dheading) const {
  std::copy(headings_.begin(), headings_.end(), dheading.begin());
  std::fill(dx.begin(), dx.end(), 0.0f);
  std::fill(dz.begin(), dz.end(), 0.0f);
  motion::GroundFrame reached{0, 0, weighted_sum(weights, headings_.data())};
  for (std::size_t s = 0; s < steps_; ++s) {
    const float *lefts = row(left_, s), *aheads = row(ahead_, s), *middles = row(middles_, s);
    const float left = weighted_sum(weights, lefts), ahead = weighted_sum(weights, aheads);
    const float heading = weighted_sum(weights, middles);
    const float sine = std::sin(heading), cosine = std::cos(heading);
    const float x = cosine * left + sine * ahead, z = cosine * ahead - sine * left;
    reached.x += x;
    reached.z += z;
    // Turning the heading by dh moves (x, z) by (z, -x) dh.
    for (std::size_t i = 0; i < examples_; ++i) {
      dx[i] += cosine * lefts[i] + sine * aheads[i] + z * middles[i];
      dz[i] += cosine * aheads[i] - sine * lefts[i] - x * middles[i];
    }
  }
  return reached;
}

RootPath::Way RootPath::way(std::size_t example) const {
  Way way{0, 0, static_cast<double>(headings_[example])};
  for (std::size_t s = 0; s < steps_; ++s) {
    way.ahead += static_cast<double>(row(ahead_, s)[example]);
    way.left += static_cast<double>(row(left_, s)[example]);
  }
  return way;
}

}  // namespace loom::blend
