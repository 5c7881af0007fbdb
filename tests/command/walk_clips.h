// SPDX-License-Identifier: MIT
// The clips that tests of commands begin with.
#pragma once

#include <string>

#include <loom/motion/clip.h>

#include "tests/make_walk.h"

namespace loom::testing {

/// A walk that is labelled from end to end.
inline motion::Clip labelled_walk(const std::string& name, double speed, const std::string& label = "walk",
                                  double seconds = 8) {
  Gait gait;
  gait.seconds = seconds;
  gait.speed = speed;
  motion::Clip clip = make_gait(gait).clip;
  clip.name = name;
  clip.labels = {{label, 0, clip.frames()}};
  return clip;
}

}  // namespace loom::testing
