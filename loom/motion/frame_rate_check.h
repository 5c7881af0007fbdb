// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/motion/kinematics.h>

namespace loom::motion {

/// What the motion itself says about the rate it was recorded at.
struct RateEstimate {
  double rate = 0;      ///< frames a second
  bool by_fall = true;  ///< from bodies in flight, which fall at 9.81 m/s²; else from the rhythm of walking
  int evidence = 0;     ///< how many flights or steps agree
};

/// Estimates the true frame rate of a clip from its flights or, where there is none, from its steps. Nothing where the
/// clip does not tell. Flights are good to about 5 %, steps to no better than 40 %.
std::optional<RateEstimate> estimate_rate(const Clip& clip, const WorldPoses& poses, const Contacts& contacts);

}  // namespace loom::motion
