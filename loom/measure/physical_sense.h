// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::measure {

/// A flight, frames [begin, end), and how its centre of mass falls: 9.81 metres a second squared where a body was
/// really in the air.
struct Flight {
  std::size_t begin = 0, end = 0;
  double mps2 = 0;  ///< of the parabola that fits the height of the centre of mass best
};

/// The flights of a clip that last at least six frames, without the first and the last frame of each, in which a foot
/// may still press on the floor. O(frames). None where the body has no legs.
std::vector<Flight> find_flights(const motion::Clip& clip, const motion::Contacts& contacts);

/// How far the zero-moment point lies outside of what the planted feet enclose, metres, one a frame: the point of the
/// floor through which the force goes that moves the centre of mass as it moves. A body on its feet can press on the
/// floor only between them. Zero inside; not a number in flight and where the clip's ends are too near for an
/// acceleration, which is taken over 0.1 s to either side. All mass is taken to be in its centre, so swinging limbs
/// make it go astray by some centimetres. O(frames). Empty where the body has no legs.
std::vector<double> zero_moment_outside(const motion::Clip& clip, const motion::Contacts& contacts);

}  // namespace loom::measure
