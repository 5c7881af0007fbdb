// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::polish {

/// How far below where they stand the feet of recordings go at the deepest, metres: nothing but a few centimetres,
/// unless they go down steps. What is made of them has no reason to go deeper (`FootPlantOptions::deepest`). `contacts`
/// are those of the clips; parts of feet that they do not name do not count.
float deepest_feet(std::span<const motion::Clip> clips, std::span<const motion::Contacts> contacts);

}  // namespace loom::polish
