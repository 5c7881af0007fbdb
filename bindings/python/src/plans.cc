// SPDX-License-Identifier: MIT
// Plans in worlds: ways through them on a graph or a machine, reaches round what is in the way, and things shown to
// somebody.
#include <array>
#include <map>
#include <optional>

#include <loom/blend/family/motion_maker.h>
#include <loom/blend/family/stored_family.h>
#include <loom/library/library.h>
#include <loom/machine/build.h>
#include <loom/plan/reach_plan.h>
#include <loom/plan/show_plan.h>
#include <loom/plan/unrolled_graph.h>
#include <loom/plan/unrolled_machine.h>
#include <loom/plan/walk_plan.h>
#include <loom/polish/plant_feet.h>
#include <loom/project/gather_steps.h>
#include <loom/world/collision.h>
#include <loom/world/world.h>

#include "binding.h"

namespace loom::python {
namespace {

using library::Library;
using ClipPointer = std::shared_ptr<motion::Clip>;
using Place = std::pair<double, double>;
using Targets = std::map<std::string, std::array<float, 3>>;

ClipPointer keep_motion(motion::Clip clip) { return std::make_shared<motion::Clip>(std::move(clip)); }

struct Wanted {
  Place start, goal;
  double seconds = 5, bound = 1.2;
};

/// The way through a world of whatever was unrolled, as a clip with its feet planted.
template <typename Unrolled>
Result<motion::Clip> walk_on(const Unrolled& unrolled, const world::World& world, const Wanted& wanted,
                             const Progress& report) {
  plan::WalkPlanOptions options;
  options.search.seconds = wanted.seconds;
  options.search.bound = wanted.bound;
  auto found = plan::plan_walk(unrolled, world, {{wanted.start.first, wanted.start.second}, {}},
                               {{wanted.goal.first, wanted.goal.second}, {}}, options, report);
  if (!found) return fail_from(found);
  motion::Recording recording = *found->recording;
  if (const auto planted = polish::plant_feet(recording); !planted) return fail_from(planted);
  recording.clip.name = "plan";
  return recording.clip;
}

ClipPointer plan_with_graph(const Graph& self, const std::string& world_text, Place start, Place goal, double seconds,
                            double bound, const py::object& progress) {
  const world::World world = value_of(world::parse_world(world_text, "world"));
  return keep_motion(at_length(progress, nullptr, [&](const Progress& report) -> Result<motion::Clip> {
    const auto unrolled = plan::unroll(self.graph, self.motion);
    if (!unrolled) return fail_from(unrolled);
    return walk_on(*unrolled, world, {start, goal, seconds, bound}, report);
  }));
}

ClipPointer plan_with_machine(const Library& library, const std::string& name, const std::string& world_text,
                              Place start, Place goal, double seconds, double bound, std::size_t samples,
                              const py::object& progress) {
  const world::World world = value_of(world::parse_world(world_text, "world"));
  return keep_motion(at_length(progress, &library, [&](const Progress& report) -> Result<motion::Clip> {
    const auto built = machine::load_built_machine(library, name);
    if (!built) return fail_from(built);
    plan::UnrollMachineOptions unroll;
    unroll.samples = samples;
    const auto unrolled = plan::unroll_machine(*built, unroll, report);
    if (!unrolled) return fail_from(unrolled);
    return walk_on(*unrolled, world, {start, goal, seconds, bound}, report);
  }));
}

/// A family in a world, ready to be planned with.
struct Scene {
  Scene(const Library& library, const std::string& name, const std::string& world_text)
      : world(value_of(world::parse_world(world_text, "world"))),
        family(value_of(blend::load_family(library, name))),
        maker(value_of(blend::MotionMaker::create(family.family, family.space, blend::Method::kCorrected))),
        space(value_of(plan::ActionSpace::create(family.space))),
        collision(value_of(world::Collision::create(world))) {}

  [[nodiscard]] std::vector<blend::JointTarget> targets(const Targets& named) const {
    std::vector<blend::JointTarget> wanted;
    for (const auto& [joint, at] : named) {
      const auto number = family.space->skeleton()->find(joint);
      if (!number) throw py::value_error("there is no joint '" + joint + "'");
      blend::JointTarget target;
      target.joint = *number;
      target.point = {at[0], at[1], at[2]};
      wanted.push_back(target);
    }
    if (wanted.empty()) throw py::value_error("say what to reach: {'RightHand': (x, y, z)}");
    return wanted;
  }

  world::World world;
  blend::StoredFamily family;
  blend::MotionMaker maker;
  plan::ActionSpace space;
  world::Collision collision;
};

motion::GroundFrame frame_of(const std::array<double, 3>& place) {
  return {static_cast<float>(place[0]), static_cast<float>(place[1]), static_cast<float>(place[2])};
}

py::dict told_action(plan::ReachPlan made) {
  py::dict told;
  told["method"] = plan::to_string(made.by);
  told["error"] = made.hand_error_m;
  told["strokes"] = made.blended.strokes;
  told["straight_touches"] = made.straight_touches;
  told["clip"] = keep_motion(std::move(made.blended.clip));
  return told;
}

py::dict plan_reach(const Library& library, const std::string& family, const std::string& world_text,
                    const Targets& targets, std::array<double, 3> stand, const std::string& method,
                    const py::object& progress) {
  plan::ReachOptions options;
  const auto how = plan::reach_method_named(method);
  if (!how) throw py::value_error("a method is 'inverse', 'field', 'tree' or 'both', not '" + method + "'");
  options.method = *how;
  Scene scene(library, family, world_text);
  const auto wanted = scene.targets(targets);
  return told_action(at_length(progress, &library, [&](const Progress& report) {
    return plan::plan_reach(scene.space, scene.maker, scene.world, scene.collision, frame_of(stand), wanted, options,
                            report);
  }));
}

py::dict told_place(const plan::Candidate& candidate) {
  py::dict told;
  told["place"] = py::make_tuple(candidate.stand.x, candidate.stand.z, candidate.stand.heading);
  told["clearance"] = candidate.clearance;
  told["rejected"] = plan::to_string(candidate.why);
  return told;
}

py::dict plan_show(const Library& library, const std::string& family, const std::string& world_text,
                   const Targets& targets, const std::vector<Place>& observers,
                   const std::optional<std::array<double, 3>>& start, const py::object& progress) {
  Scene scene(library, family, world_text);
  const auto wanted = scene.targets(targets);
  std::vector<plan::Observer> onlookers;
  for (const auto& [x, z] : observers) onlookers.push_back({{x, z}});
  plan::ShowPlan made = at_length(progress, &library, [&](const Progress& report) -> Result<plan::ShowPlan> {
    if (!start) {
      return plan::plan_show(scene.space, scene.maker, scene.world, scene.collision, wanted, onlookers, {}, nullptr, {},
                             report);
    }
    const auto steps =
        project::gather_steps(library, *scene.family.space->skeleton(), scene.family.space->rate(), {}, report);
    if (!steps) return fail_from(steps);
    auto approacher = plan::Approacher::create(*steps, scene.world);
    if (!approacher) return fail_from(approacher);
    return plan::plan_show(scene.space, scene.maker, scene.world, scene.collision, wanted, onlookers, {}, &*approacher,
                           frame_of(*start), report);
  });
  py::list candidates;
  for (const plan::Candidate& candidate : made.candidates) candidates.append(told_place(candidate));
  const py::dict chosen = told_place(made.candidates[made.chosen]);
  py::dict told = told_action(std::move(made.action));
  told["candidates"] = candidates;
  told["place"] = chosen["place"];
  told["steps"] = made.approach ? made.approach->prints.size() - 2 : 0;
  return told;
}

}  // namespace

void add_plans(py::module_& module) {
  py::reinterpret_borrow<py::class_<Graph>>(module.attr("Graph"))
      .def("plan", &plan_with_graph, py::arg("world"), py::arg("start"), py::arg("goal"), py::arg("seconds") = 5,
           py::arg("bound") = 1.2, py::arg("progress") = py::none(),
           "A walk through a world (docs/worlds.md) from start to goal, as a clip: the best found in so many seconds, "
           "or one that takes at most `bound` times the least time.");
  py::reinterpret_borrow<py::class_<Library>>(module.attr("Library"))
      .def("plan_with_machine", &plan_with_machine, py::arg("machine"), py::arg("world"), py::arg("start"),
           py::arg("goal"), py::arg("seconds") = 5, py::arg("bound") = 1.2, py::arg("samples") = 15,
           py::arg("progress") = py::none(), "As Graph.plan, with a built machine of behaviors.")
      .def("plan_reach", &plan_reach, py::arg("family"), py::arg("world"), py::arg("targets"),
           py::arg("stand") = std::array<double, 3>{0, 0, 0}, py::arg("method") = "both",
           py::arg("progress") = py::none(),
           "An action of a family whose joints meet targets, {'RightHand': (x, y, z)}, in a world without touching "
           "anything: 'clip', 'error' in metres, 'method', 'strokes' (frames), 'straight_touches'.")
      .def("plan_show", &plan_show, py::arg("family"), py::arg("world"), py::arg("targets"), py::arg("observers"),
           py::arg("start") = std::nullopt, py::arg("progress") = py::none(),
           "The same from where it is best seen by `observers`, [(x, z)], with the walk there from `start`, (x, z, "
           "heading in radians), or standing there without one: as `plan_reach`, with 'place', 'steps' and "
           "'candidates' and why each was rejected.");
}

}  // namespace loom::python
