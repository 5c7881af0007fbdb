// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/machine/built_machine.h>
#include <loom/motion/clip.h>

namespace loom::machine {

/// A state as one clip, by which it is compared with others.
struct Unrolled {
  motion::Clip clip;
  std::size_t lead = 0;   ///< frames before phase 0
  std::size_t steps = 1;  ///< frames from phase 0 to phase 1
  bool cyclic = false;

  [[nodiscard]] double phase(double frame) const {
    return (frame - static_cast<double>(lead)) / static_cast<double>(steps);
  }
  [[nodiscard]] double frame(double phase) const {
    return static_cast<double>(lead) + phase * static_cast<double>(steps);
  }
};

/// The reference motion of a state, once; of a cycle with `lead` frames of the round before and `tail` of the one
/// after.
Unrolled unroll(const BuiltState& state, std::size_t lead, std::size_t tail);

/// A state blended with `weights`, at `frames` phases evenly from `begin` to `end`, of a cycle in any round. Which feet
/// are planted goes into `planted`, one entry a frame, where it is not null.
motion::Clip sample_state(const BuiltState& state, std::span<const float> weights, double begin, double end,
                          std::size_t frames, std::vector<std::uint8_t>* planted = nullptr);

}  // namespace loom::machine
