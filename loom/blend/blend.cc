// SPDX-License-Identifier: MIT
#include <utility>

#include <loom/blend/align/strokes.h>
#include <loom/blend/blend.h>
#include <loom/blend/blend_stream.h>
#include <loom/polish/plant_feet.h>

namespace loom::blend {
namespace {

constexpr float kDrawnAlong = 0.4f;  // metres; further from where the blend has it no foot is held

/// What is known of feet and floor: the points are those of the skeleton, heights the weighted means of the examples'.
motion::Contacts blended_feet(const Blender& blender) {
  motion::Contacts contacts;
  contacts.points = blender.space().contacts().front().points;
  for (std::size_t c = 0; c < blender.space().size(); ++c) {
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      contacts.rest_height[part] += blender.weights()[c] * blender.space().contacts()[c].rest_height[part];
    }
  }
  return contacts;
}

}  // namespace

Result<Blended> blend(const std::shared_ptr<const BlendSpace>& space, std::span<const float> weights,
                      const BlendOptions& options) {
  auto stream = BlendStream::create(space, weights, BlendPlay::kOnce);
  if (!stream) return fail_from(stream);
  Blended made;
  made.clip.name = "blend";
  made.clip.skeleton = space->skeleton();
  made.clip.rate = space->rate();
  made.contacts = blended_feet((*stream)->blender());
  made.strokes = (*stream)->stroke_frames();
  std::vector<Quat> rotations(space->skeleton()->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  while ((*stream)->next({}, pose)) {
    made.clip.roots.push_back(pose.root);
    made.clip.rotations.insert(made.clip.rotations.end(), rotations.begin(), rotations.end());
    made.contacts.planted.push_back(pose.planted);
  }
  for (const std::size_t stroke : made.strokes) made.clip.labels.push_back({kStrokeLabel, stroke, stroke + 1});
  if (!options.plant_feet) return made;
  auto planted = plant_blended(*space, made.clip, made.contacts);
  if (!planted) return fail_from(planted);
  made.clip = std::move(*planted);
  return made;
}

Result<motion::Clip> plant_blended(const BlendSpace& space, const motion::Clip& clip,
                                   const motion::Contacts& contacts) {
  polish::FootPlantOptions options;
  options.deepest = space.deepest_foot();
  options.max_wander = kDrawnAlong;
  return polish::plant_feet(clip, contacts, options);
}

}  // namespace loom::blend
