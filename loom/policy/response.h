// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/motion/clip.h>
#include <loom/motion/stream.h>
#include <loom/policy/control_space.h>

namespace loom::policy {

/// How quickly and how well a motion does what it was asked.
struct Response {
  /// By how much the motion comes after the wish: the shift in time, from 0 to 1.5 s, that brings what was done nearest
  /// to what was wanted, velocity and turn together as eq. 11 of McCann & Pollard 2007 weighs them.
  double delay_seconds = 0;
  double velocity_error_mps = 0;  ///< mean difference of velocities at the same instant, seen from the body
  double turn_error_rps = 0;      ///< mean difference of turn rates at the same instant
};

/// Judges a made motion: `wanted` has one signal a frame, as it was asked. O(frames × shifts).
Response measure_response(const motion::Clip& clip, std::span<const ControlSignal> wanted);

/// Whether a body in both poses looks different: by a millimetre, or a fifth of a degree at any joint.
bool looks_different(Vec3 root_a, std::span<const Quat> a, Vec3 root_b, std::span<const Quat> b);

/// Seconds from a change of the wish to the first pose that shows it: one that looks different from the same pose of a
/// copy which goes on with the wish it had. At most `longest`; `stream` must have copies.
double seconds_to_answer(const motion::MotionStream& stream, const motion::Control& had, const motion::Control& wish,
                         double longest = 1);

/// A heading asked for from some time on.
struct HeadingWish {
  double seconds = 0;
  float heading = 0;  ///< radians, world
};

/// What came of it.
struct HeadingAnswer {
  float turn = 0;  ///< radians between the heading at the time and the wanted one
  bool reached = false;
  double seconds =
      0;              ///< until the body faced the wanted heading within the tolerance, and stayed for a quarter second
  double metres = 0;  ///< way of the root over the floor until then
};

/// Measures the response to each wish, up to the next one or the end. `tolerance` in radians.
std::vector<HeadingAnswer> measure_headings(const motion::Clip& clip, std::span<const HeadingWish> wishes,
                                            float tolerance = 15 * kDegree);

}  // namespace loom::policy
