// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/weights/weights.h>
#include <loom/crowd/gait.h>

namespace loom::crowd {

/// What is wanted of a walk.
struct Course {
  float forward = 0;  ///< metres a second
  float turn = 0;     ///< radians a second, positive to the left
};

/// A way from a wanted course to the weights of a gait: Srinivasan 2009 eq. 6.5. Queries write into the caller's
/// memory, do not allocate and may run on several threads at once.
class SteeringModel {
 public:
  virtual ~SteeringModel() = default;
  /// The weights for a course, one an example, none negative, summing to one. A course that the gait cannot go is
  /// brought to one it can: `reachable` tells which.
  virtual void weigh(const Course& course, std::span<float> weights) const = 0;
  /// The nearest course that can be walked: who is to turn more sharply than walks of that speed do goes slower.
  [[nodiscard]] virtual Course reachable(const Course& course) const = 0;
};

/// One motion of random weights, and how it went.
struct SteeringSample {
  std::vector<float> weights;  ///< one an example
  Course course;               ///< means over the sample
};

struct SampleGaitOptions {
  std::size_t count = 10000;
  double seconds = 2;  ///< of each, as in the work
  /// Of how many examples each is mixed at most: one, chosen at random, and those nearest to it in speed and turn. The
  /// work mixes all of a behavior, and so needs one for turns to the left and one for turns to the right, since what is
  /// mixed of both is no good walk. Mixed of neighbours, one model has all.
  std::size_t neighbours = 4;
  std::uint64_t seed = 1;
};

/// Plays motions of random weights from random phases, and measures how far each goes and turns (Srinivasan 2009
/// figure 6.3). Nothing but the way over the floor is worked out: microseconds each.
std::vector<SteeringSample> sample_gait(const Gait& gait, const SampleGaitOptions& options = {});

/// How a gait that is given `weights` for `seconds` from `phase` on goes: what a sample measures.
Course play_course(const Gait& gait, std::span<const float> weights, double phase, double seconds);

/// What courses a gait can go, as far as samples tell: for each speed the sharpest turns. O(1) a query.
class CourseRange {
 public:
  explicit CourseRange(std::span<const SteeringSample> samples);

  [[nodiscard]] Course nearest(const Course& course) const;
  [[nodiscard]] float slowest() const { return slowest_; }
  [[nodiscard]] float fastest() const { return fastest_; }
  [[nodiscard]] float sharpest_right() const { return right_; }  ///< radians a second, at any speed
  [[nodiscard]] float sharpest_left() const { return left_; }

 private:
  static constexpr std::size_t kBins = 24;
  struct Turns {
    float right = 0, left = 0;
  };
  [[nodiscard]] Turns at(float forward) const;

  float slowest_ = 0, fastest_ = 0, right_ = 0, left_ = 0;
  std::vector<Turns> turns_;  ///< at kBins + 1 speeds from the slowest to the fastest
};

/// Weights from courses, learned from samples: a network of radial bases over speed and turn, with a linear part,
/// fitted to the samples' weights by least squares in closed form.
///
/// That a fit of weights gives the right turn, though many weights give the same, is no accident. The turn of a blend
/// is the ratio of two sums over its weights (turn and time of its examples), so all weights of one turn lie in a
/// plane, and what is least squares of them, their mean, lies in it too; with speed it is two planes.
class LearnedSteering final : public SteeringModel {
 public:
  /// Fails on fewer samples than the network has nodes.
  static Result<std::unique_ptr<LearnedSteering>> learn(std::span<const SteeringSample> samples);

  void weigh(const Course& course, std::span<float> weights) const override;
  [[nodiscard]] Course reachable(const Course& course) const override { return range_.nearest(course); }
  [[nodiscard]] const CourseRange& range() const { return range_; }
  [[nodiscard]] std::size_t nodes() const { return centres_.size(); }

 private:
  explicit LearnedSteering(std::span<const SteeringSample> samples) : range_(samples) {}
  /// What every node makes of a course, then the linear part: 1, speed, turn.
  void activate(const Course& course, std::span<float> activations) const;
  void place_nodes();

  CourseRange range_;
  std::vector<Course> centres_;  ///< in units of the spacing of the nodes
  float forward_scale_ = 0, turn_scale_ = 0;
  std::size_t examples_ = 0;
  std::vector<float> coefficients_;  ///< (nodes + 3) × examples
};

/// The same by the inverse that a family has already (blend/weights/weights.h): any of its methods.
class FamilySteering final : public SteeringModel {
 public:
  /// `weighting` is of the family's coordinates: forward, turn, side.
  FamilySteering(std::shared_ptr<const blend::Weighting> weighting, CourseRange range)
      : weighting_(std::move(weighting)), range_(std::move(range)) {}

  void weigh(const Course& course, std::span<float> weights) const override;
  [[nodiscard]] Course reachable(const Course& course) const override { return range_.nearest(course); }

 private:
  std::shared_ptr<const blend::Weighting> weighting_;
  CourseRange range_;
};

/// How far courses that were asked for differ from those that were walked.
struct SteeringError {
  double turn_mean = 0;      ///< mean |difference|, radians over the length of a sample
  double turn_worst = 0;     ///< the worst of them
  double turn_share = 0;     ///< the mean, of the span between the sharpest turns of the samples
  double forward_mean = 0;   ///< metres a second
  double forward_share = 0;  ///< of the span of speeds; 0 where there is none
};

/// Asks `model` for the course of every sample, plays what it answers from a random phase and compares.
SteeringError measure_steering(const Gait& gait, const SteeringModel& model, std::span<const SteeringSample> samples,
                               double seconds = 2, std::uint64_t seed = 2);

}  // namespace loom::crowd
