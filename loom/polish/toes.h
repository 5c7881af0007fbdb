// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <loom/base/math.h>
#include <loom/motion/skeleton.h>
#include <loom/motion/soles.h>
#include <loom/polish/foot.h>

namespace loom::polish {

/// Height in the world of the lowest point of a foot, metres; very high where its sole is not known. No allocation.
float sole_height(const motion::Skeleton& skeleton, std::span<const motion::SoleBall> sole, Vec3 root,
                  std::span<const Quat> rotations);

/// Bends the toes of a foot up where they would come lower than `lowest`, metres in the world: whatever tips a foot,
/// the floor bends its toes, and they do not go through it. About the axis across the foot, and no further than toes
/// bend; those that point steeply down are bent less, straight down not at all, for there the foot has to be lifted.
/// `sole` are the balls of that foot. Where its toes have no joint nothing is done. No allocation.
void raise_toes(const motion::Skeleton& skeleton, const Foot& foot, std::span<const motion::SoleBall> sole,
                float lowest, Vec3 root, std::span<Quat> rotations);

}  // namespace loom::polish
