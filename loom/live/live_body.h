// SPDX-License-Identifier: MIT
#pragma once

#include <loom/character/human_body.h>

namespace loom::live {

/// The body that live motion is made on: a human of `height` metres whose joints are the roles, in their order, and who
/// rests in a T-pose looking along +Z, so that a part's rotation in the world is its turn from that pose. Everything
/// that comes in is brought onto it, everything that goes out is taken from it; `character::Transfer` carries motion
/// from it to any other body and back. Lengths are those of an average adult (Drillis and Contini 1966).
///
/// Fails on a height outside [0.5, 3].
Result<character::HumanBody> make_live_body(float height = 1.75f);

}  // namespace loom::live
