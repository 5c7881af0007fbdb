// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <loom/character/detail/rig_tree.h>

namespace loom::character {

enum class LimbKind { kLeg, kArm };

/// How well a joint's name fits the four places of a limb (upper, middle, end, tip), 0 to 1 each.
motion::LimbFit limb_fit(const RigTree& tree, int joint, LimbKind kind);

/// One limb seated on a way from `path[0]`, which hangs from the middle of the body, outwards.
struct LimbChain {
  std::vector<int> path;
  int upper = -1, middle = -1, end = -1;  ///< joints; `end` may be -1 where the chain has no joint for it
  int tip = -1;                           ///< the toes; -1 for arms and where there are none
  float score = 0;                        ///< names and lengths together; higher is better
  float named = 0;                        ///< of that what names say
  float length = 0;                       ///< of the two long bones

  [[nodiscard]] bool found() const { return middle >= 0; }
};

/// The best limb of a kind that starts at `top`: over all ways outwards and all seats on each. Bounded for any rig.
LimbChain find_limb(const RigTree& tree, int top, LimbKind kind);

/// The same limb on the other side: the counterparts of its joints, or a search of its own where some have none.
LimbChain mirrored_limb(const RigTree& tree, const LimbChain& limb, LimbKind kind);

}  // namespace loom::character
