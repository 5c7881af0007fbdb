// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <loom/compare/frame_set.h>

#include "tests/make_clip.h"

namespace loom::testing {

/// The frames of `clips`, which must fit together.
inline std::shared_ptr<const compare::FrameSet> frame_set(const std::vector<motion::Clip>& clips) {
  return std::make_shared<compare::FrameSet>(compare::make_frame_set(clips).value());
}

/// Smooth random clips of the given lengths on one small person.
inline std::shared_ptr<const compare::FrameSet> random_frame_set(const std::vector<std::size_t>& lengths,
                                                                 std::uint64_t seed) {
  const auto skeleton = small_person();
  std::vector<motion::Clip> clips;
  clips.reserve(lengths.size());
  for (const std::size_t frames : lengths) clips.push_back(random_clip(skeleton, frames, 30, seed++));
  return frame_set(clips);
}

}  // namespace loom::testing
