// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <loom/compare/frame_set.h>
#include <loom/motion/ground_frame.h>

namespace loom::compare {

/// Which of the two distances.
enum class MetricKind : std::uint8_t {
  kPointCloud,   ///< clouds of markers aligned on the floor (Zhao 2009 eq. 3.2)
  kJointAngles,  ///< joint angles and root velocity (Srinivasan 2009 eq. 3.1, 3.2)
};

/// How unlike two frames of a set are: made once for a set, then asked for single pairs here or for all pairs by
/// `all_pairs.h`. There are two, `PointCloud` and `JointAngles`.
///
/// Both are symmetric, zero for a frame and itself, and blind to where on the floor a body stands and which way it
/// faces. A similar pair (i, j) gives two transitions, from i to j + 1 and from j to i + 1 (Zhao 2009 §3.2).
class Metric {
 public:
  virtual ~Metric() = default;

  [[nodiscard]] const FrameSet& frames() const { return *frames_; }

  /// Whether `frame` has a next one in its clip and all the neighbours there that the distance looks at. Near the ends
  /// of a clip it has not, and no distance is defined there: a made-up neighbour would be a made-up similarity.
  [[nodiscard]] virtual bool comparable(std::size_t frame) const = 0;

  /// The distance of two comparable frames in double precision: the value every back end must agree with.
  [[nodiscard]] virtual double distance(std::size_t i, std::size_t j) const = 0;

  /// The rigid motion of the floor that carries frame `j`, in the world of its clip, onto frame `i` in the world of
  /// its own. Both must be comparable.
  [[nodiscard]] virtual motion::GroundFrame alignment(std::size_t i, std::size_t j) const = 0;

 protected:
  explicit Metric(std::shared_ptr<const FrameSet> frames) : frames_(std::move(frames)) {}
  Metric(const Metric&) = default;
  Metric(Metric&&) = default;
  Metric& operator=(const Metric&) = default;
  Metric& operator=(Metric&&) = default;

 private:
  std::shared_ptr<const FrameSet> frames_;
};

}  // namespace loom::compare
