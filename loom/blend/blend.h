// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/blend_space.h>
#include <loom/motion/stream.h>
#include <loom/polish/plant_feet.h>

namespace loom::blend {

/// A motion made by blending: it starts at the origin facing +Z, on the floor y = 0, its strokes are labelled, and its
/// contacts are blended from those of the examples. No frame of it is taken from one clip, so it names no sources.
struct Blended : motion::Recording {
  std::vector<std::size_t> strokes;  ///< frames
};

/// How the feet of what is blended of `space` are planted: no deeper than the examples put them.
///
/// A foot that is recorded going along the floor shuffles and may go on; one that is blended does not: where examples
/// of different speed or stride are mixed, a foot that stands in each of them is drawn along, in runs by 30 cm and
/// more. So it is held further from where the blend has it than recorded feet are.
polish::FootPlantOptions planting_for(const BlendSpace& space);

/// What is known of the feet and the floor of a blend, without its frames: the points are those of the skeleton,
/// heights the weighted means of the examples'.
motion::Contacts blended_feet(const BlendSpace& space, std::span<const float> weights);

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

}  // namespace loom::blend
