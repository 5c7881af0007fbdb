// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/blend/align/alignment.h>
#include <loom/blend/blend_space.h>
#include <loom/crowd/gait.h>

#include "tests/blend/sample_set.h"

namespace loom::testing {

/// The sample walks of these names, aligned: whole cycles, as they are made.
inline std::shared_ptr<const blend::BlendSpace> walking_space(const std::vector<std::string>& names) {
  SampleSet set = sample_set(names);
  blend::Alignment alignment = blend::align(set.clips, set.contacts).value();
  return blend::BlendSpace::create(std::move(set.clips), std::move(set.contacts), std::move(alignment)).value();
}

/// Walks at three speeds that turn both ways.
inline std::vector<std::string> walk_names() {
  return {"locomotion-01", "locomotion-02", "locomotion-03", "locomotion-04", "locomotion-06", "locomotion-07",
          "locomotion-08", "locomotion-09", "locomotion-10", "locomotion-11", "locomotion-12", "locomotion-13"};
}

/// The gait of these, with the sample's way of standing: made once a program.
inline const std::shared_ptr<const crowd::Gait>& walking_gait() {
  static const std::shared_ptr<const crowd::Gait> gait = [] {
    const SampleSet idle = sample_set({"idle-1"});
    return crowd::Gait::create(*walking_space(walk_names()), idle.clips.data()).value();
  }();
  return gait;
}

}  // namespace loom::testing
