// SPDX-License-Identifier: MIT
#include "loom/demo_crowd.h"

#include <loom/base/file.h>
#include <loom/base/progress_part.h>
#include <loom/crowd/collisions.h>
#include <loom/crowd/stored_gait.h>
#include <loom/crowd/world_crowd.h>
#include <loom/library/library.h>
#include <loom/picture/save.h>
#include <loom/world/world_mesh.h>

#include "loom/crowd_picture.h"
#include "loom/crowd_scene.h"

namespace loom::app {
namespace {

constexpr double kSeconds = 20;
constexpr std::size_t kWalkers = 12;
constexpr const char* kCrowdHall =
    "# The hall of the demo: `loom crowd samples.loom --world hall.world` walks in it again.\n"
    "world hall\n"
    "ground -7 -7 7 7\n"
    "box counter at -2 3 size 4 0.8 to 1.1\n"
    "box screen at 3 -1 size 0.3 4 turn 20 to 2.2\n"
    "cylinder pillar at -3 -2 radius 0.4 to 3\n"
    "polygon bench to 0.5: 0 -5, 3 -5, 3 -4.4, 0 -4.4\n";

}  // namespace

Result<DemoCrowd> make_demo_crowd(const std::filesystem::path& folder, const std::string& path,
                                  const Progress& progress) {
  DemoCrowd made;
  made.world = folder / "hall.world";
  made.scene = folder / "crowd.glb";
  made.picture = folder / "crowd.png";
  if (const auto saved = save_file(made.world.string(), kCrowdHall); !saved) return fail_from(saved);
  const auto world = world::load_world(made.world.string());
  if (!world) return fail_from(world);
  const auto library = library::Library::open(path);
  if (!library) return fail_from(library);
  const auto walks = crowd::load_gait(*library, {}, part_of(progress, 0, 0.3));
  if (!walks) return fail_from(walks);
  auto model = crowd::LearnedSteering::learn(crowd::sample_gait(*walks->gait));
  if (!model) return fail_from(model);
  const crowd::CrowdOptions options;
  const auto ground = crowd::WorldGround::of(*world, options.radius);
  if (!ground) return fail_from(ground);
  crowd::WorldCrowdOptions who;
  who.characters = made.characters = kWalkers;
  const auto members = crowd::members_in(*world, *ground, who);
  if (!members) return fail_from(members);
  auto crowd = crowd::Crowd::create(walks->gait, std::move(*model), *members, ground->walls, options);
  if (!crowd) return fail_from(crowd);
  (*crowd)->rebuild(ground->walls, ground->ways);
  auto recordings = motion::record(**crowd, kSeconds, {}, part_of(progress, 0.3, 0.9), "walking");
  if (!recordings) return fail_from(recordings);
  for (motion::Recording& recording : *recordings) recording.clip.name = "crowd";
  for (std::size_t i = 0; i < kWalkers; ++i) made.arrived += (*crowd)->arrival(i) ? 1 : 0;
  const auto found = crowd::find_collisions(*recordings, *ground->walls);
  if (!found) return fail_from(found);
  made.collisions = found->bodies.size() + found->walls.size();
  if (const auto ok = write_crowd(*recordings, world::props_of(*world), made.scene.string()); !ok) return fail_from(ok);
  const picture::Drawing drawing = draw_crowd(*recordings, *members, *ground->walls);
  if (const auto ok = picture::save(drawing, made.picture.string()); !ok) return fail_from(ok);
  return made;
}

}  // namespace loom::app
