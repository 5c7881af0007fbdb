// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::testing {

/// A gait to be made: what it is known to be is what is to be found in it.
struct Gait {
  double rate = 30;    ///< frames a second
  double seconds = 4;  ///< length of the clip
  double cycle = 1.1;  ///< seconds from one plant of a foot to its next
  double duty = 0.62;  ///< share of the cycle a foot is planted: above 0.5 a walk, below a run
  double speed = 1.2;  ///< metres a second, along +Z
  float floor = 0;     ///< height of the floor below the middle of the path, metres
  float slope = 0;     ///< metres the floor rises for a metre along +Z
  float lift = 0.12f;  ///< how high the feet are lifted
  float slide = 0;     ///< metres a second the planted feet slide along +X
};

struct GaitClip {
  motion::Clip clip;
  std::vector<bool> left_planted, right_planted;  ///< one a frame, as made
};

/// The small person walking or running: flat feet, moved by inverse kinematics.
GaitClip make_gait(const Gait& gait);

/// The contacts a gait was made with; how high the feet stand is not told.
motion::Contacts made_contacts(const GaitClip& made);

}  // namespace loom::testing
