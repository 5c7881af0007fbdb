// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/machine/detail/unrolled.h>

namespace loom::machine {
namespace {

/// Rounds a cycle forth or back.
motion::GroundFrame rounds(const blend::Blender& blender, double count) {
  motion::GroundFrame once = blender.floor_at(1), gone;
  if (count < 0) once = inverse(once);
  for (double k = 0; k < std::abs(count); ++k) gone = gone * once;
  return gone;
}

}  // namespace

motion::Clip sample_state(const BuiltState& state, std::span<const float> weights, double begin, double end,
                          std::size_t frames, std::vector<std::uint8_t>* planted) {
  blend::Blender blender(state.space);
  blender.set_weights(weights);
  motion::Clip clip{state.name, state.space->skeleton(), state.space->rate(), {}, {}, {}};
  clip.rotations.resize(frames * clip.joints());
  for (std::size_t f = 0; f < frames; ++f) {
    const double phase = begin + (end - begin) * static_cast<double>(f) / static_cast<double>(frames - 1);
    const double round = state.cyclic ? std::floor(phase) : 0, at = std::clamp(phase - round, 0.0, 1.0);
    motion::StreamPose pose{{}, {clip.rotations.data() + f * clip.joints(), clip.joints()}, 0, {}};
    blender.pose_at(at, pose);
    const motion::GroundFrame world = rounds(blender, round);
    clip.roots.push_back(transform(world, pose.root));
    pose.rotations[0] = normalized(world.rotation() * pose.rotations[0]);
    if (planted != nullptr) planted->push_back(pose.planted);
  }
  motion::align_hemispheres(clip);
  return clip;
}

Unrolled unroll(const BuiltState& state, std::size_t lead, std::size_t tail) {
  const double rate = state.space->rate();
  const auto steps = to_whole<std::size_t>(std::max(2.0, std::round((state.end - state.begin) * rate)));
  if (!state.cyclic) lead = tail = 0;
  std::vector<float> weights(state.space->size(), 0.0f);
  weights[state.space->alignment().reference] = 1;
  const auto phase = [&](std::size_t frames) { return static_cast<double>(frames) / static_cast<double>(steps); };
  return {sample_state(state, weights, -phase(lead), 1 + phase(tail), lead + steps + tail + 1), lead, steps,
          state.cyclic};
}

}  // namespace loom::machine
