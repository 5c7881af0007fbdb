// SPDX-License-Identifier: MIT
#include "loom/demo_plan.h"

#include <loom/base/file.h>
#include <loom/plan/walk_plan.h>
#include <loom/polish/plant_feet.h>
#include <loom/world/world.h>

#include "loom/graph_commands.h"
#include "loom/walk_scene.h"

namespace loom::app {
namespace {

constexpr const char* kHall = R"(# A hall to walk through, from one end to the other.
world hall
ground 0 0 10 12
box "near wall" at 3.5 4 size 7 0.2 to 2.5
box "far wall" at 6.5 8 size 7 0.2 to 2.5
box table at 5 6 size 1.6 0.8 turn 30 to 0.75
cylinder "left pillar" at 2 6.2 radius 0.25 to 2.5
cylinder "right pillar" at 8.4 6 radius 0.25 to 2.5
start 2 1.5 0
goal 8 10.5 0
)";

}  // namespace

Result<DemoPlan> make_demo_plan(const std::filesystem::path& folder, const std::string& library,
                                const Progress& progress) {
  DemoPlan made{0, 0, 0, 0, folder / "hall.world", folder / "walk.glb", folder / "walk.png"};
  if (const auto saved = save_file(made.world.string(), kHall); !saved) return fail_from(saved);
  const auto world = world::parse_world(kHall, made.world.string());
  if (!world) return fail_from(world);
  const auto stored = open_graph(library, "main");
  if (!stored) return fail_from(stored);
  const auto unrolled = plan::unroll(stored->graph, stored->motion);
  if (!unrolled) return fail_from(unrolled);
  plan::WalkPlanOptions options;
  options.search.seconds = 60;
  options.search.bound = 20;  // the first answer will do, so that it does not depend on how quick the machine is
  const auto end = [](const world::Spot& spot) { return plan::WalkEnd{spot.at, spot.heading}; };
  const auto plan = plan::plan_walk(*unrolled, *world, end(world->starts[0]), end(world->goals[0]), options, progress);
  if (!plan) return fail_from(plan);
  motion::Recording recording = *plan->recording;
  if (const auto planted = polish::plant_feet(recording); !planted) return fail_from(planted);
  const auto collided = plan::find_collisions(recording.clip, *world);
  if (!collided) return fail_from(collided);
  made.seconds = plan->seconds;
  made.length_m = plan->length_m;
  made.bound = plan->search.bound;
  made.collisions = collided->size();
  recording.clip.name = "plan";
  MotionOutput output;
  output.file = made.scene.string();
  if (const auto written = write_walk_scene(output, {}, recording.clip, *world); !written) return fail_from(written);
  if (const auto drawn = draw_walk(made.picture.string(), recording.clip, *world); !drawn) return fail_from(drawn);
  return made;
}

}  // namespace loom::app
