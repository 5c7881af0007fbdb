// SPDX-License-Identifier: MIT
#include "loom/demo_show.h"

#include <loom/base/file.h>
#include <loom/library/library.h>
#include <loom/plan/show_plan.h>
#include <loom/plan/walk_plan.h>
#include <loom/project/gather_steps.h>

#include "loom/plan_action.h"
#include "loom/walk_scene.h"

namespace loom::app {
namespace {

constexpr const char* kRoom = R"(# A room in which something on the table is shown to who stands behind it.
world room
ground -3.5 -3.5 3.5 3.5
box table at 0 0 size 1.4 0.7 from 0.7 to 0.75
cylinder lamp at 0.45 0.1 radius 0.06 from 0.75 to 1.25
box shelf at -3.1 0 size 0.5 2 to 1.9
cylinder plant at 1.2 1.3 radius 0.25 to 1.4
start -2.3 -2.5 90
)";
constexpr Vec3 kTarget{0.15f, 0.95f, -0.15f};
const plan::Observer kObserver{{0, 2.2}};

}  // namespace

Result<DemoShow> make_demo_show(const std::filesystem::path& folder, const std::string& library,
                                const Progress& progress) {
  DemoShow made{0, 0, 0, 0, folder / "room.world", folder / "show.glb", folder / "show.png"};
  if (const auto saved = save_file(made.world.string(), kRoom); !saved) return fail_from(saved);
  auto opened = open_action({library, "reach", made.world.string()});
  if (!opened) return fail_from(opened);
  const auto stored = library::Library::open(library);
  if (!stored) return fail_from(stored);
  const blend::BlendSpace& space = *opened->family.space;
  const auto steps = project::gather_steps(*stored, *space.skeleton(), space.rate(), {}, progress);
  if (!steps) return fail_from(steps);
  auto approacher = plan::Approacher::create(*steps, opened->world);
  if (!approacher) return fail_from(approacher);
  const auto start = place_of("", opened->world, "start");
  if (!start) return fail_from(start);
  blend::JointTarget target;
  target.joint = opened->family.family->joint;
  target.point = kTarget;
  auto plan = plan::plan_show(opened->space, opened->maker, opened->world, opened->collision, {&target, 1},
                              {&kObserver, 1}, {}, &*approacher, *start);
  if (!plan) return fail_from(plan);
  motion::Clip& clip = plan->action.blended.clip;
  clip.name = "show";
  const auto collided = plan::find_collisions(clip, opened->world);
  if (!collided) return fail_from(collided);
  made.seconds = clip.duration();
  made.steps = plan->approach->prints.size() - 2;
  made.hand_error_m = plan->action.hand_error_m;
  made.collisions = collided->size();
  MotionOutput output;
  output.file = made.scene.string();
  if (const auto written = write_walk_scene(output, {}, clip, opened->world); !written) return fail_from(written);
  if (const auto drawn = draw_walk(made.picture.string(), clip, opened->world); !drawn) return fail_from(drawn);
  return made;
}

}  // namespace loom::app
