// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <loom/base/random.h>
#include <loom/motion/clip.h>

namespace loom::testing {

/// A person of 17 joints, 1.7 m tall, arms down, facing +Z with the left side towards +X.
std::shared_ptr<const motion::Skeleton> small_person();

/// A hierarchy of `joints` joints with random parents and offsets, from a seed.
std::shared_ptr<const motion::Skeleton> random_skeleton(std::size_t joints, std::uint64_t seed);

/// Smooth random motion on `skeleton`: every joint wanders, the root walks about at a metre a second.
motion::Clip random_clip(std::shared_ptr<const motion::Skeleton> skeleton, std::size_t frames, double rate,
                         std::uint64_t seed);

/// The same motion with other local frames: joint j's own axes are turned by `frames[j]`. Every joint stays where it
/// is in every frame; what changes is what the file calls zero.
motion::Clip with_frames(const motion::Clip& clip, const std::vector<Quat>& frames);

/// A uniformly random rotation.
Quat random_rotation(Random& random);

}  // namespace loom::testing
