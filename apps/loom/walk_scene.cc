// SPDX-License-Identifier: MIT
#include "loom/walk_scene.h"

#include <span>

#include <loom/base/text.h>
#include <loom/io/gltf_write.h>
#include <loom/picture/save.h>
#include <loom/report/world_picture.h>
#include <loom/world/world_mesh.h>

#include "loom/onto.h"

namespace loom::app {

Result<void> write_walk_scene(const MotionOutput& output, const std::string& library, const motion::Clip& clip,
                              const world::World& world) {
  const std::string& file = output.file;
  const std::string low = lower_case(file);
  if (!low.ends_with(".glb") && !low.ends_with(".gltf")) return {};
  if (!output.on.empty()) {
    const auto onto = find_onto(library, output.on);
    if (!onto) return fail_from(onto);
    return onto->write_scene(std::span(&clip, 1), world::props_of(world), file);
  }
  io::GltfCharacter character;
  character.name = "walker";
  character.skeleton = clip.skeleton;
  character.clips = {clip};
  return io::write_gltf(std::span<const io::GltfCharacter>(&character, 1), file, world::props_of(world));
}

Result<void> draw_walk(const std::string& file, const motion::Clip& clip, const world::World& world) {
  report::WorldPictureOptions options;
  options.walk = &clip;
  return picture::save(report::world_picture(world, options), file);
}

}  // namespace loom::app
