// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include <loom/blend/blend_space.h>
#include <loom/motion/hinges.h>
#include <loom/motion/soles.h>

namespace loom::blend {

/// What bodies do at most, or at least those of a space's examples, and a motion made of them may do as well.
///
/// Blends with negative weights leave the examples behind, and hinges and feet are where that shows first: a punch
/// thrown back beyond the guard folds the forearm through the upper arm, a reach below the lowest stands in the floor.
class ExampleLimits {
 public:
  static ExampleLimits of(const BlendSpace& space);

  /// By how much a knee or an elbow bends backwards or folds further than people's do, unless it does in the examples:
  /// radians at worst, 0 where none does. The poses are of the same body.
  [[nodiscard]] float bent_beyond(const motion::WorldPoses& poses) const;
  /// By how much soles go deeper below the floor y = 0 than in the examples: metres at worst, 0 where they do not.
  [[nodiscard]] float sunk_beyond(const motion::WorldPoses& poses) const;
  /// Whether a motion keeps to all of these, but for a little.
  [[nodiscard]] bool allow(const motion::Clip& clip) const;

 private:
  struct Range {
    float least = 0, most = 0;  ///< radians, as `motion::signed_bend`
  };

  [[nodiscard]] float lowest_sole(const motion::WorldPoses& poses) const;

  motion::Hinges hinges_;
  std::array<Range, motion::kHinges> ranges_{};
  motion::Soles soles_;
  float lowest_ = 0;  ///< metres
};

}  // namespace loom::blend
