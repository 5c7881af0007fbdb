// SPDX-License-Identifier: MIT
#include <loom/motion/stand_on_floor.h>

namespace loom::motion {

Contacts stand_on_floor(Clip& clip) {
  auto found = find_contacts(clip);
  if (!found) {
    Contacts none;
    none.planted.assign(clip.frames(), 0);
    return none;
  }
  for (Vec3& root : clip.roots) root.y -= found->ground.at(root);
  found->ground = {};
  found->floor = 0;
  return std::move(*found);
}

}  // namespace loom::motion
