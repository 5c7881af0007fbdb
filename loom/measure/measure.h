// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::measure {

/// How good a motion is, in numbers that mean the same for captured and made motion. Every synthesiser of the project
/// is judged by these.
///
/// A foot slides as fast as the slowest of its planted parts and of the sole below them: while it rolls over heel or
/// toes its joints move, and yet it does not slide. Speeds are taken over 1/15 s within the plant, leaving out its
/// first and last 0.1 s. Frames given here are where the worst is.
struct Measures {
  bool has_feet = false;           ///< false: the skeleton has no recognisable feet and the foot figures are zero
  double foot_slide_mean_mps = 0;  ///< horizontal speed of planted feet, mean over planted frames; see above
  double foot_slide_max_mps = 0;
  std::size_t foot_slide_max_frame = 0;
  double penetration_max_m = 0;  ///< how deep a part of a foot goes below its resting height on the floor
  std::size_t penetration_max_frame = 0;
  double largest_jump_m = 0;  ///< largest change of any joint's position from frame to frame beyond what its
                              ///< neighbours in time explain: |p(t+1) - 2 p(t) + p(t-1)|
  std::size_t largest_jump_frame = 0;
  double jerk_rms = 0;  ///< third derivative of joint positions over steps of 1/30 s, m/s³, root mean square of all
  std::size_t jerk_max_frame = 0;
  double flight_s = 0;            ///< time with no foot on the floor
  double path_m = 0;              ///< way of the root along the floor
  double mean_speed_mps = 0;      ///< of the root along the floor
  double mean_turn_rate_rps = 0;  ///< signed change of heading, radians a second
};

/// Measures a clip; contacts are found as `find_contacts` does. Never fails on a valid clip: a skeleton without feet
/// gives the figures that need none.
Measures measure(const motion::Clip& clip);

/// The same with contacts known beforehand, as a synthesiser knows its own: `planted` and the floor; where `points` is
/// not filled in (-1), the parts of the feet are looked for and may go down to the floor itself.
Measures measure(const motion::Clip& clip, const motion::Contacts& contacts);

}  // namespace loom::measure
