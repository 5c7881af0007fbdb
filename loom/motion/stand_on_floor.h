// SPDX-License-Identifier: MIT
#pragma once

#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::motion {

/// Finds the contacts of a clip and moves it up or down, frame by frame, so that its floor becomes y = 0: the floors of
/// recordings differ by centimetres, and a step over such an edge would show wherever motions of several are joined. A
/// body without recognisable feet stays where it is, with nothing planted.
Contacts stand_on_floor(Clip& clip);

}  // namespace loom::motion
