// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/blend/family/root_path.h>
#include <loom/blend/weights/detail/weighted_sum.h>

namespace loom::blend {
namespace {

constexpr double kMostSteps = 4096;

/// A motion's ground frame by moments of the reference, its heading followed over whole turns.
class Follower {
 public:
  Follower(const motion::Clip& clip, const RegistrationCurve& curve)
      : clip_(clip), curve_(curve), finder_(*clip.skeleton) {}

  motion::GroundFrame at(double reference) {
    motion::sample_pose(clip_, curve_.at(reference), pose_);
    motion::GroundFrame now = finder_.find(pose_.root, pose_.rotations[0]);
    if (started_) now.heading = heading_ + wrap_angle(now.heading - heading_);
    started_ = true;
    heading_ = now.heading;
    return now;
  }

 private:
  const motion::Clip& clip_;
  const RegistrationCurve& curve_;
  motion::GroundFrameFinder finder_;
  motion::Pose pose_;
  bool started_ = false;
  float heading_ = 0;
};

std::size_t steps_in(double seconds, double step) {
  return to_whole<std::size_t>(std::clamp(std::ceil(seconds / step), 1.0, kMostSteps));
}

}  // namespace

RootPath::RootPath(std::span<const motion::Clip> clips, const Alignment& alignment, double begin, double from,
                   double to, double step_seconds)
    : examples_(clips.size()), steps_(steps_in(to - from, step_seconds)) {
  left_.resize(steps_ * examples_);
  ahead_.resize(steps_ * examples_);
  middles_.resize(steps_ * examples_);
  headings_.resize(examples_);
  const std::size_t before_steps = steps_in(from - begin, step_seconds);
  for (std::size_t i = 0; i < examples_; ++i) {
    Follower follower(clips[i], alignment.curves[i]);
    const float start = follower.at(begin).heading;
    motion::GroundFrame before{};
    for (std::size_t s = 1; s <= before_steps; ++s) {
      before = follower.at(begin + (from - begin) * static_cast<double>(s) / static_cast<double>(before_steps));
    }
    for (std::size_t s = 0; s < steps_; ++s) {
      const motion::GroundFrame now =
          follower.at(from + (to - from) * static_cast<double>(s + 1) / static_cast<double>(steps_));
      const motion::GroundFrame middle{before.x, before.z, 0.5f * (before.heading + now.heading)};
      const Vec3 step = transform(inverse(middle), now.position());
      left_[s * examples_ + i] = step.x;
      ahead_[s * examples_ + i] = step.z;
      middles_[s * examples_ + i] = middle.heading - start;
      before = now;
    }
    headings_[i] = before.heading - start;
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
