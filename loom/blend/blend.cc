// SPDX-License-Identifier: MIT
#include <loom/blend/align/strokes.h>
#include <loom/blend/blend.h>
#include <loom/blend/blend_stream.h>

namespace loom::blend {
namespace {

constexpr float kDrawnAlong = 0.4f;  // metres; further from where the blend has it no foot is held

}  // namespace

motion::Contacts blended_feet(const BlendSpace& space, std::span<const float> weights) {
  motion::Contacts contacts;
  contacts.points = space.contacts().front().points;
  for (std::size_t c = 0; c < space.size(); ++c) {
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      contacts.rest_height[part] += weights[c] * space.contacts()[c].rest_height[part];
    }
  }
  return contacts;
}

polish::FootPlantOptions planting_for(const BlendSpace& space) {
  polish::FootPlantOptions planting;
  planting.deepest = space.deepest_foot();
  planting.max_wander = kDrawnAlong;
  return planting;
}

Result<Blended> blend(const std::shared_ptr<const BlendSpace>& space, std::span<const float> weights,
                      const BlendOptions& options) {
  auto stream = BlendStream::create(space, weights, BlendPlay::kOnce);
  if (!stream) return fail_from(stream);
  Blended made;
  made.clip.name = "blend";
  made.clip.skeleton = space->skeleton();
  made.clip.rate = space->rate();
  made.contacts = blended_feet(*space, (*stream)->blender().weights());
  made.strokes = (*stream)->stroke_frames();
  std::vector<Quat> rotations(space->skeleton()->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  while ((*stream)->next({}, pose)) motion::add_pose(made, pose);
  for (const std::size_t stroke : made.strokes) made.clip.labels.push_back({kStrokeLabel, stroke, stroke + 1});
  if (!options.plant_feet) return made;
  if (const auto planted = polish::plant_feet(made, planting_for(*space)); !planted) return fail_from(planted);
  return made;
}

}  // namespace loom::blend
