// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/blend_space.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::blend {

/// A motion made by blending.
struct Blended {
  motion::Clip clip;                 ///< starts at the origin facing +Z, on the floor y = 0; strokes are labelled
  motion::Contacts contacts;         ///< blended from those of the examples
  std::vector<std::size_t> strokes;  ///< frames
};

struct BlendOptions {
  bool plant_feet = true;  ///< hold planted feet (polish); moves the root by millimetres to centimetres
};

/// Blends the clips of `space` with `weights`, one a clip, into a clip.
///
/// Durations are the weighted means of the examples'; time is then stretched by less than a frame so that every stroke
/// falls on a frame, and that frame shows the blend of the examples' stroke poses exactly (before feet are planted).
/// Fails on unusable weights.
Result<Blended> blend(const std::shared_ptr<const BlendSpace>& space, std::span<const float> weights,
                      const BlendOptions& options = {});

/// The clip, blended of those of `space`, with its feet held where `contacts`, blended too, have them planted.
///
/// A foot that is recorded going along the floor shuffles and may go on; one that is blended does not: where examples
/// of different speed or stride are mixed, a foot that stands in each of them is drawn along, in runs by 30 cm and
/// more. So it is held further from where the blend has it than recorded feet are. Fails as `polish::plant_feet` does.
Result<motion::Clip> plant_blended(const BlendSpace& space, const motion::Clip& clip, const motion::Contacts& contacts);

}  // namespace loom::blend
