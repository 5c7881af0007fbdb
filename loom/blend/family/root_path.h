// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/blend/align/alignment.h>
#include <loom/motion/clip.h>
#include <loom/motion/ground_frame.h>

namespace loom::blend {

/// How the ground frame of a blend gets from one moment to another, and how that changes with the weights.
///
/// A blend travels by blended steps: each step of each example is seen from the example's own ground frame, steps are
/// averaged, and laid one after the other (Srinivasan 2009 eq. 5.9 to 5.14; `Blender`). So the heading is linear in the
/// weights, and the place is a sum of blended steps, each turned by the heading at its middle. Here the steps are those
/// between a few moments of the reference; fewer than frames, for what is between them hardly turns.
/// O(steps × examples).
class RootPath {
 public:
  /// The way from `from` to `to`, seen from the ground frame at `begin`; all in seconds of the alignment's reference.
  RootPath(std::span<const motion::Clip> clips, const Alignment& alignment, double begin, double from, double to,
           double step_seconds = 0.08);

  [[nodiscard]] std::size_t examples() const { return examples_; }

  /// The way gone in x and z, and the heading at its end, which counts whole turns.
  [[nodiscard]] motion::GroundFrame evaluate(std::span<const float> weights) const;
  /// The same with derivatives: `dx`, `dz` and `dheading` have one number an example.
  motion::GroundFrame differentiate(std::span<const float> weights, std::span<float> dx, std::span<float> dz,
                                    std::span<float> dheading) const;

  /// The way of an example itself, step by step seen from its own heading: metres ahead and to the left, and the turn
  /// in radians.
  struct Way {
    double ahead = 0, left = 0, turn = 0;
  };
  [[nodiscard]] Way way(std::size_t example) const;

 private:
  [[nodiscard]] const float* row(const std::vector<float>& values, std::size_t step) const {
    return values.data() + step * examples_;
  }

  std::size_t examples_ = 0, steps_ = 0;
  std::vector<float> left_, ahead_;  ///< steps × examples: of each step, seen from the heading at its middle
  std::vector<float> middles_;       ///< steps × examples: that heading, from `begin`
  std::vector<float> headings_;      ///< examples: the heading at the end, from `begin`
};

}  // namespace loom::blend
