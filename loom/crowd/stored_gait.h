// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/blend/family/family.h>
#include <loom/crowd/gait.h>
#include <loom/library/library.h>

namespace loom::crowd {

/// The walks of a library, ready for a crowd.
struct StoredGait {
  std::shared_ptr<const Gait> gait;
  std::shared_ptr<const blend::Family> family;     ///< what it was made of
  std::shared_ptr<const blend::BlendSpace> space;  ///< and its motion
  std::string name;                                ///< of the family; empty where it was built for this
  std::string standing;                            ///< the clip it stands as; empty where the library has none
};

/// Reads the walks of a library: the family called `family`, or the first of locomotion that it holds, or one built of
/// what is labelled "locomotion" or else "walk", which is not kept. It stands as the longest stretch does that is
/// labelled "idle" or else "stand", if that is of the same body. Fails where there is no such family and no such label,
/// saying so, on a family that is not of locomotion, and as building or loading does.
Result<StoredGait> load_gait(const library::Library& library, const std::string& family = {},
                             const Progress& progress = {});

}  // namespace loom::crowd
