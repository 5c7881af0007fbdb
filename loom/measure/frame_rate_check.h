// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include <loom/measure/rate_evidence.h>

namespace loom::measure {

/// A frame rate at which clips seem to have been recorded, other than the one they are stamped with.
struct RateClaim {
  double rate = 0;          ///< Hz
  double probability = 0;   ///< that it is this one
  std::size_t flights = 0;  ///< that fall at this rate as they should
  std::size_t walks = 0;    ///< clips that walk at this rate as people do
  std::size_t clips = 0;    ///< that were looked at together
};

/// Judges the clips of one performer together: all bear the same stamp and are taken to have been recorded alike.
///
/// Only rates that cameras and files have (24, 25, 30, 50, 60, 100, 120, ...) and those twice, four times, half and a
/// quarter of the stamp are thought of, each as likely as such mistakes happen; the stamp is believed until flights or
/// walks leave hardly any doubt. Flights tell the rate to some 5 %. Walks tell no more than a factor of two, and less
/// readily that a stamp is too low, since people do walk slowly.
std::optional<RateClaim> judge_rate(std::span<const RateEvidence> performer);

/// The claim as a full sentence about one clip stamped `stamped` Hz.
std::string describe(const RateClaim& claim, double stamped);

}  // namespace loom::measure
