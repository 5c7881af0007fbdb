// SPDX-License-Identifier: MIT
//
// Steering and crowds: prints the tables of docs/results/crowds.md.
//
//     build/bin/bench_crowd            needs ../shared/mocap for the real capture; without it only the samples are used
//     build/bin/bench_crowd steering   the steering models alone
//     build/bin/bench_crowd 100        crowds of that many alone; `100 20`: for 20 s
//     build/bin/bench_crowd room 20 room.world      twelve in a world, such as `loom world new` makes
//     build/bin/bench_crowd maps 40    from anywhere to anywhere among the walls of maps in ../shared/worlds
//
// Times are of this machine and this run; all else is the same everywhere. Crowds walk for a minute or as told. Feet
// are judged by the contacts that are seen in the motion made, of the first fifty characters.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/parallel.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/family_model.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/family/triangulate.h>
#include <loom/crowd/collisions.h>
#include <loom/crowd/crowd.h>
#include <loom/crowd/detour_steering.h>
#include <loom/crowd/scenes.h>
#include <loom/crowd/steering_model.h>
#include <loom/crowd/world_crowd.h>
#include <loom/measure/measure.h>
#include <loom/world/grid_map.h>
#include <loom/world/navigation_mesh.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::bench;
using namespace loom::crowd;

/// Walks out of a library, and how they are steered.
struct Walks {
  std::shared_ptr<const blend::Family> family;
  std::shared_ptr<const blend::BlendSpace> space;
  std::shared_ptr<const Gait> gait;
};

Walks walks_of(library::Library& library, const blend::FamilyOptions& options, const std::string& standing) {
  const blend::BuiltFamily built = need(blend::build_family(library, options));
  Walks walks;
  walks.family = std::make_shared<const blend::Family>(built.family);
  walks.space = need(blend::BlendSpace::create(built.motion.clips, built.motion.contacts, built.family.alignment));
  std::optional<motion::Clip> stands;
  if (!standing.empty()) stands = need(library.read_clip(standing));
  walks.gait = need(Gait::create(*walks.space, stands ? &*stands : nullptr));
  return walks;
}

Walks sample_walks() {
  TemporaryLibrary library;
  add_samples(*library);
  blend::FamilyOptions options;
  options.label = "locomotion";
  options.rate = 30;
  return walks_of(*library, options, "idle-1");
}

/// CMU's subject 16, who walks straight and turns both ways; nothing where the capture is not there.
std::optional<Walks> captured_walks() {
  const std::vector<std::string> files = capture_files({"16_"});
  if (files.empty()) return std::nullopt;
  TemporaryLibrary library;
  import_capture(*library, files);
  blend::FamilyOptions options;
  options.label = "walk";
  options.kind = blend::FamilyKind::kLocomotion;
  options.rate = 30;
  options.mirror = true;
  options.leave_out_strangers = true;
  return walks_of(*library, options, "");
}

void print_steering(const std::string& name, const Walks& walks) {
  const Stopwatch sampling;
  const auto samples = sample_gait(*walks.gait);
  const double sampled = sampling.wall();
  const Stopwatch learning;
  const auto learned = need(LearnedSteering::learn(samples));
  const double learnt = learning.wall();
  const auto unseen = sample_gait(*walks.gait, {.count = 1000, .seed = 77});
  const auto row = [&](const std::string& how, const SteeringModel& model) {
    const SteeringError e = measure_steering(*walks.gait, model, unseen);
    std::vector<float> weights(walks.gait->examples());
    const Stopwatch asking;
    for (const SteeringSample& sample : unseen) model.weigh(sample.course, weights);
    fmt::print("| {} | {} | {:.2f} | {:.2f} % | {:.1f} | {:.3f} | {:.2f} % | {:.2f} |\n", name, how,
               e.turn_mean / static_cast<double>(kDegree), 100 * e.turn_share,
               e.turn_worst / static_cast<double>(kDegree), e.forward_mean, 100 * e.forward_share,
               1e6 * asking.thread() / static_cast<double>(unseen.size()));
  };
  row(fmt::format("learned in {:.2f} + {:.2f} s", sampled, learnt), *learned);
  const auto points = need(blend::triangulate(*walks.family));
  const auto model = std::make_shared<const blend::FamilyModel>(*walks.family, *walks.space);
  for (const blend::Method method : {blend::Method::kInverse, blend::Method::kBarycentric}) {
    row(blend::to_string(method), FamilySteering(blend::make_weighting(method, points, model), learned->range()));
  }
}

/// The steerings that are compared: ours, and Detour's crowd.
struct Compared {
  std::string name;
  Steering steering = Steering::kReciprocal;
  bool detour = false;
};
const std::vector<Compared> kCompared = {{"reciprocal", Steering::kReciprocal},
                                         {"avoid", Steering::kAvoid},
                                         {"Detour's crowd", Steering::kReciprocal, true}};

/// An open floor around all that somebody starts from or goes to.
world::World open_floor(const std::vector<Member>& members) {
  constexpr double kAround = 10;  // metres
  world::World world;
  world::Ground ground{{1e9, 1e9}, {-1e9, -1e9}};
  const auto take = [&](float x, float z) {
    ground.low = {std::min(ground.low.x, static_cast<double>(x) - kAround),
                  std::min(ground.low.z, static_cast<double>(z) - kAround)};
    ground.high = {std::max(ground.high.x, static_cast<double>(x) + kAround),
                   std::max(ground.high.z, static_cast<double>(z) + kAround)};
  };
  for (const Member& member : members) {
    take(member.start.x, member.start.z);
    for (const Flat& p : member.route) take(p.x, p.z);
  }
  world.ground.push_back(ground);
  return world;
}

/// What came of a crowd, on an open floor or in a world.
void print_crowd(const std::string& scene, const Walks& walks, const std::shared_ptr<const SteeringModel>& model,
                 std::vector<Member> members, const Compared& compared, double seconds,
                 const WorldGround* ground = nullptr, const world::World* world = nullptr) {
  CrowdOptions options;
  options.steering = compared.steering;
  if (compared.detour) {
    world::NavigationOptions navigation;
    navigation.radius = static_cast<double>(options.radius);
    auto mesh = std::make_shared<const world::NavigationMesh>(
        need(world::NavigationMesh::create(world != nullptr ? *world : open_floor(members), navigation)));
    options.other = need(detour_steering(std::move(mesh), members, options.radius));
  }
  const std::size_t count = members.size();
  const auto walls = ground != nullptr ? ground->walls : std::make_shared<const Walls>();
  auto crowd = need(Crowd::create(walks.gait, model, std::move(members), walls, options));
  if (ground != nullptr) crowd->rebuild(walls, ground->ways);
  const Stopwatch clock;
  auto recordings = need(motion::record(*crowd, seconds));
  const double wall = clock.wall(), used = clock.processor();
  std::size_t reached = 0;
  double latest = 0, sum = 0, slide = 0, worst_slide = 0, held = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (const auto at = crowd->arrival(i)) {
      ++reached;
      latest = std::max(latest, *at);
      sum += *at;
    }
    held += crowd->held_back(i);
  }
  const std::size_t looked = std::min<std::size_t>(count, 50);
  for (std::size_t i = 0; i < looked; ++i) {
    // By the contacts that are seen in the motion, not by those the planter tells.
    const measure::Measures m = measure::measure(recordings[i].clip, need(motion::find_contacts(recordings[i].clip)));
    slide += m.foot_slide_mean_mps / static_cast<double>(looked);
    worst_slide = std::max(worst_slide, m.foot_slide_mean_mps);
  }
  const CollisionReport found = need(find_collisions(recordings, *walls));
  float deepest = 0;
  for (const Collision& c : found.bodies) deepest = std::max(deepest, c.depth);
  const double frames = seconds * options.rate;
  float wall_deepest = 0;
  for (const Collision& c : found.walls) wall_deepest = std::max(wall_deepest, c.depth);
  fmt::print(
      "| {} | {} | {} | {} | {:.1f} | {:.1f} | {} | {:.0f} | {} | {:.0f} | {:.1f} | {:.1f} | {:.2f} | {:.2f} | {:.2f} "
      "|\n",
      scene, count, compared.name, reached, reached > 0 ? sum / static_cast<double>(reached) : 0, latest,
      found.bodies.size(), 1000 * deepest, found.walls.size(), 1000 * wall_deepest, 1000 * slide, 1000 * worst_slide,
      held / static_cast<double>(count), 1000 * wall / frames, 1000 * used / frames);
}

/// A room of ten metres with the obstacles of `loom world new`, and walkers from anywhere to anywhere in it.
void print_rooms(const Walks& walks, const std::shared_ptr<const SteeringModel>& model, const std::string& file,
                 double seconds) {
  const auto world = need(world::load_world(file));
  const CrowdOptions options;
  const auto ground = need(WorldGround::of(world, options.radius));
  for (const Compared& compared : kCompared) {
    for (const bool anywhere : {true, false}) {
      WorldCrowdOptions who;
      who.characters = 12;
      who.anywhere = anywhere;
      print_crowd(anywhere ? "room, anywhere" : "room, start to goal", walks, model,
                  need(members_in(world, ground, who)), compared, seconds, &ground, &world);
    }
  }
}

/// Walkers from anywhere to anywhere among the walls of maps, of a robot's floor plan and of things people made.
void print_maps(const Walks& walks, const std::shared_ptr<const SteeringModel>& model, double seconds) {
  const fs::path worlds = fs::path(LOOM_SOURCE_DIR) / ".." / "shared" / "worlds";
  struct Map {
    const char* file;
    double cell;
    std::size_t characters;
  };
  const Map maps[] = {{"grid/arena.map", 0.5, 40},
                      {"grid/den101d.map", 1, 40},
                      {"grid/room-32-32-4.map", 1, 40},
                      {"grid/maze-32-32-2.map", 1, 20},
                      {"grid/warehouse-10-20-10-2-1.map", 1, 60},
                      {"grid/Berlin_0_256.map", 0.5, 100},
                      {"floorplan/depot.yaml", 0.5, 30}};
  const CrowdOptions options;
  for (const Map& map : maps) {
    const auto path = worlds / map.file;
    if (!fs::exists(path)) continue;
    const auto world = need(world::load_any_world(path.string(), map.cell));
    const auto ground = need(WorldGround::of(world, options.radius));
    WorldCrowdOptions who;
    who.characters = map.characters;
    who.anywhere = true;
    auto members = members_in(world, ground, who);
    if (!members) {
      fmt::print("| {} | {} |\n", path.stem().string(), members.error().message);
      continue;
    }
    print_crowd(path.stem().string(), walks, model, std::move(*members), kCompared[0], seconds, &ground, &world);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "";
  const double seconds = argc > 2 ? std::strtod(argv[2], nullptr) : 60;
  const Walks samples = sample_walks();
  const std::optional<Walks> captured = captured_walks();
  fmt::print("{} examples, {} KB shared\n\n", samples.gait->examples(), samples.gait->bytes() / 1024);
  if (only.empty() || only == "steering") {
    fmt::print(
        "| family | weights | turn off, ° in 2 s | of all turns | worst, ° | speed off, m/s | of all speeds | µs |\n"
        "|---|---|---|---|---|---|---|---|\n");
    print_steering(fmt::format("{} sample walks", samples.gait->examples()), samples);
    if (captured) print_steering(fmt::format("{} captured walks, CMU 16", captured->gait->examples()), *captured);
  }
  if (only == "steering") return 0;
  const std::shared_ptr<const SteeringModel> model = need(LearnedSteering::learn(sample_gait(*samples.gait)));
  fmt::print(
      "\n| scene | characters | steering | arrived | mean, s | last, s | collisions | deepest, mm | of walls | "
      "deepest, mm "
      "| foot slide, mm/s | worst | held back, m | ms a frame | of processors |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  if (only == "room" && argc > 3) {
    print_rooms(samples, model, argv[3], seconds);
    return 0;
  }
  if (only == "maps") {
    print_maps(samples, model, seconds);
    return 0;
  }
  for (const std::size_t count : {1, 20, 100, 500, 1000}) {
    if (!only.empty() && std::to_string(count) != only) continue;
    for (const Compared& steering : kCompared) {
      print_crowd("square", samples, model, square_scene(count), steering, seconds);
      if (count <= 100) print_crowd("circle", samples, model, circle_scene(count), steering, seconds);
      if (count > 1 && count <= 100) print_crowd("streams", samples, model, streams_scene(count), steering, seconds);
      std::fflush(stdout);
    }
    if (count != 100 || !captured) continue;
    const std::shared_ptr<const SteeringModel> real = need(LearnedSteering::learn(sample_gait(*captured->gait)));
    print_crowd("square, captured walks", *captured, real, square_scene(count), kCompared[0], seconds);
  }
  return 0;
}
