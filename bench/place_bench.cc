// SPDX-License-Identifier: MIT
// Walking up to a thing and showing it to somebody (PLACE, Huang 2012 chapter 7) in seeded random rooms: how many are
// solved, how long that takes, how well it comes out, and what placing by the fitted model does against standing at a
// fixed distance.
//   bench_place [--rooms 100] [--seed 1] [--compare 100]
// On the sample motions at 60 Hz. Times are of the processor.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <loom/base/random.h>
#include <loom/blend/family/stored_family.h>
#include <loom/measure/measure.h>
#include <loom/plan/show_plan.h>
#include <loom/plan/walk_plan.h>
#include <loom/project/build.h>
#include <loom/project/gather_steps.h>

#include "bench_support.h"

namespace {

using namespace loom;
using bench::need;

struct Room {
  world::World world;
  blend::JointTarget target;
  std::vector<plan::Observer> observers;
  motion::GroundFrame start;
};

world::Obstacle thing(const char* name, world::Shape shape, double x, double z, double bottom, double top) {
  world::Obstacle made;
  made.name = name;
  made.shape = shape;
  made.at = {x, z, 0};
  made.bottom = bottom;
  made.top = top;
  return made;
}

/// A room of six by six metres: a table with a lamp, a shelf, a plant and a pillar; the target over the table.
Room random_room(int joint, Random& random) {
  Room room;
  room.world.name = "room";
  room.world.ground = {{{-3, -3}, {3, 3}}};
  const double x = random.uniform(-1, 1), z = random.uniform(-1, 1), top = random.uniform(0.65, 0.8);
  world::Obstacle table = thing("table", world::Shape::kBox, x, z, top - 0.04, top);
  table.at.heading = random.uniform(-3, 3);
  table.width = random.uniform(0.8, 1.6);
  table.depth = random.uniform(0.5, 0.8);
  world::Obstacle lamp = thing("lamp", world::Shape::kCylinder, x + random.uniform(-0.35, 0.35),
                               z + random.uniform(-0.35, 0.35), top, top + random.uniform(0.2, 0.5));
  lamp.radius = random.uniform(0.04, 0.1);
  world::Obstacle shelf = thing("shelf", world::Shape::kBox, random.uniform(-2.6, 2.6), 2.7, 0, 1.9);
  shelf.width = 1.4;
  shelf.depth = 0.4;
  world::Obstacle plant =
      thing("plant", world::Shape::kCylinder, random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5), 0, 1.5);
  plant.radius = random.uniform(0.2, 0.4);
  world::Obstacle pillar =
      thing("pillar", world::Shape::kCylinder, random.uniform(-2.5, 2.5), random.uniform(-2.5, 2.5), 0, 2.5);
  pillar.radius = 0.2;
  room.world.obstacles = {table, lamp, shelf, plant, pillar};
  room.target.joint = joint;
  room.target.point = {static_cast<float>(x + random.uniform(-0.3, 0.3)),
                       static_cast<float>(top + random.uniform(0.12, 0.4)),
                       static_cast<float>(z + random.uniform(-0.25, 0.25))};
  room.observers = {{{random.uniform(-2.7, 2.7), random.uniform(-2.7, 2.7)}}};
  // Somewhere with room to stand.
  const auto is_free = [&](double px, double pz) {
    return std::all_of(room.world.obstacles.begin(), room.world.obstacles.end(), [&](const world::Obstacle& o) {
      return std::hypot(o.at.x - px, o.at.z - pz) > 0.5 + std::max({o.radius, o.width / 2, o.depth / 2});
    });
  };
  for (int tries = 0; tries < 200; ++tries) {
    room.start = {static_cast<float>(random.uniform(-2.5, 2.5)), static_cast<float>(random.uniform(-2.5, 2.5)),
                  static_cast<float>(random.uniform(-3, 3))};
    if (is_free(static_cast<double>(room.start.x), static_cast<double>(room.start.z))) break;
  }
  return room;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}
double most(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}
double at_share(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

/// What all solved rooms came to.
struct Tally {
  std::size_t rooms = 0, solved = 0, collisions = 0;
  std::vector<double> ms, failed_ms, stop_mm, stop_deg, hand_mm, slide, jump, clearance, sight_off, steps;
  std::map<std::string, std::size_t> reasons;

  void add(const Result<plan::ShowPlan>& plan, const Room& room, double seconds) {
    ++rooms;
    (plan ? ms : failed_ms).push_back(1000 * seconds);
    if (!plan) {
      ++reasons[plan.error().message.substr(0, plan.error().message.find(':'))];
      return;
    }
    ++solved;
    const motion::Clip& clip = plan->action.blended.clip;
    collisions += need(plan::find_collisions(clip, room.world)).size();
    hand_mm.push_back(1000 * plan->action.hand_error_m);
    clearance.push_back(plan->candidates[plan->chosen].clearance);
    sight_off.push_back(plan->sight_off_deg);
    if (!plan->approach) return;
    stop_mm.push_back(1000 * plan->approach->stop_error_m);
    stop_deg.push_back(plan->approach->stop_error_rad * 57.29578);
    steps.push_back(static_cast<double>(plan->approach->prints.size() - 2));
    const measure::Measures measured = measure::measure(clip, plan->action.blended.contacts);
    slide.push_back(measured.foot_slide_max_mps);
    jump.push_back(measured.largest_jump_m);
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::size_t rooms = 100, compared = 100;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const auto value = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--rooms") == 0) rooms = value;
    if (std::strcmp(argv[i], "--compare") == 0) compared = value;
    if (std::strcmp(argv[i], "--seed") == 0) seed = value;
  }
  bench::TemporaryLibrary samples;
  library::Library& library = *samples;
  const std::vector<std::string> only = {"reach",         "approach",  "turn-in-place", "side-step", "walk-slow",
                                         "walk-normal-1", "walk-turn", "start",         "stop"};
  for (const sample::SampleClip& clip : need(sample::make_samples({}, only))) need(library.add_clip(clip.clip));
  blend::FamilyOptions how;
  how.label = "reach";
  need(project::build_family(library, "reach", how));
  const blend::StoredFamily family = need(blend::load_family(library, "reach"));
  const auto maker = need(blend::MotionMaker::create(family.family, family.space, blend::Method::kCorrected));
  const auto space = need(plan::ActionSpace::create(family.space));
  const auto steps = need(project::gather_steps(library, *family.space->skeleton(), family.space->rate()));

  Tally walked;
  std::vector<double> ready_ms;
  Random random(seed);
  std::vector<Room> all;
  for (std::size_t n = 0; n < rooms; ++n) all.push_back(random_room(family.family->joint, random));
  for (const Room& room : all) {
    auto collision = need(world::Collision::create(room.world));
    const bench::Stopwatch ready;
    auto approacher = need(plan::Approacher::create(steps, room.world));
    ready_ms.push_back(1000 * ready.thread());
    const bench::Stopwatch watch;
    const auto plan = plan::plan_show(space, maker, room.world, collision, {&room.target, 1}, room.observers, {},
                                      &approacher, room.start);
    walked.add(plan, room, watch.thread());
  }
  fmt::print("{} rooms, {} solved ({:.0f} %)\n", walked.rooms, walked.solved,
             100.0 * static_cast<double>(walked.solved) / static_cast<double>(walked.rooms));
  for (const auto& [reason, count] : walked.reasons) fmt::print("  {} not: {}\n", count, reason);
  fmt::print(
      "plan, where solved: mean {:.1f} ms, half {:.1f}, 95 % {:.1f}; where not {:.1f}; floor made ready {:.1f}\n",
      mean(walked.ms), at_share(walked.ms, 0.5), at_share(walked.ms, 0.95), mean(walked.failed_ms), mean(ready_ms));
  fmt::print(
      "steps: mean {:.1f}; stop off by at most {:.2f} mm and {:.2f} degrees; hand at most {:.1f} mm; poses that "
      "touch {}\n",
      mean(walked.steps), most(walked.stop_mm), most(walked.stop_deg), most(walked.hand_mm), walked.collisions);
  fmt::print("foot slide: worst {:.3f} m/s, mean of worst {:.3f}; largest jump: worst {:.3f} m, mean {:.3f}\n",
             most(walked.slide), mean(walked.slide), most(walked.jump), mean(walked.jump));
  fmt::print("sight at the stroke: mean clearance {:.2f}; head off the observer by mean {:.1f} degrees, 95 % {:.1f}\n",
             mean(walked.clearance), mean(walked.sight_off), at_share(walked.sight_off, 0.95));

  // Placement alone: nobody walks, so that only where they stand differs.
  Tally fitted, fixed;
  for (std::size_t n = 0; n < std::min(compared, all.size()); ++n) {
    const Room& room = all[n];
    auto collision = need(world::Collision::create(room.world));
    for (const bool is_fixed : {false, true}) {
      plan::ShowOptions options;
      options.most_places = 1;  // where the placement itself says to stand
      if (is_fixed) options.placement.fixed_distance = 0.6;
      const bench::Stopwatch watch;
      const auto plan =
          plan::plan_show(space, maker, room.world, collision, {&room.target, 1}, room.observers, options);
      (is_fixed ? fixed : fitted).add(plan, room, watch.thread());
    }
  }
  for (const auto& [name, tally] : {std::pair{"fitted model", &fitted}, {"fixed 0.6 m", &fixed}}) {
    if (tally->rooms == 0) continue;
    fmt::print("{}: first place solved {:.0f} %, clearance {:.2f}, head off the observer by {:.1f} degrees\n", name,
               100.0 * static_cast<double>(tally->solved) / static_cast<double>(tally->rooms), mean(tally->clearance),
               mean(tally->sight_off));
  }
  return 0;
}
