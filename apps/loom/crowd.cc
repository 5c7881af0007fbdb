// SPDX-License-Identifier: MIT
// `loom crowd`: many characters on one floor, each on its way.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/progress_part.h>
#include <loom/blend/family/family_model.h>
#include <loom/blend/family/triangulate.h>
#include <loom/crowd/collisions.h>
#include <loom/crowd/crowd.h>
#include <loom/crowd/scenes.h>
#include <loom/crowd/stored_gait.h>
#include <loom/crowd/world_crowd.h>
#include <loom/io/gltf_write.h>
#include <loom/library/library.h>
#include <loom/measure/measure.h>
#include <loom/picture/save.h>
#include <loom/world/grid_map.h>
#include <loom/world/world_mesh.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/crowd_picture.h"
#include "loom/crowd_scene.h"
#include "loom/onto.h"
#include "loom/progress_bar.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

constexpr double kReading = 0.15, kWalking = 0.7;  ///< shares of the work, roughly

struct CrowdArguments {
  std::string library, world, family, out, on, picture;
  std::string weights = "learned", scene = "square";
  std::size_t characters = 100;
  double seconds = 30, cell = 0.5, speed = 1.3;
  std::uint64_t seed = 1;
  bool anywhere = false;
  crowd::CrowdOptions options;
};

/// Where everybody walks.
struct Place {
  std::shared_ptr<const crowd::Walls> walls = std::make_shared<const crowd::Walls>();
  std::shared_ptr<const crowd::RouteFinder> ways;  ///< of a world
  std::vector<crowd::Member> members;
  std::vector<io::GltfProp> props;  ///< of the world, as it is at first
};

/// Puts the characters into a world: they start at its starts and go to its goals, or anywhere.
Result<Place> in_world(const CrowdArguments& arguments, const Progress& progress) {
  auto world = world::load_any_world(arguments.world, arguments.cell);
  if (!world) return fail_from(world);
  const auto ground = crowd::WorldGround::of(*world, arguments.options.radius);
  if (!ground) return fail_from(ground);
  const crowd::WorldCrowdOptions options{arguments.characters, arguments.seed, arguments.speed, arguments.anywhere,
                                         arguments.options.radius};
  auto members = crowd::members_in(*world, *ground, options, progress);
  if (!members) return fail_from(members);
  return Place{ground->walls, ground->ways, std::move(*members), world::props_of(*world)};
}

Place in_the_open(const CrowdArguments& arguments) {
  Place place;
  place.members = arguments.scene == "circle"    ? crowd::circle_scene(arguments.characters, arguments.seed)
                  : arguments.scene == "streams" ? crowd::streams_scene(arguments.characters, 10, arguments.seed)
                                                 : crowd::square_scene(arguments.characters, arguments.seed);
  for (crowd::Member& member : place.members) member.speed *= static_cast<float>(arguments.speed / 1.3);
  return place;
}

Result<std::shared_ptr<const crowd::SteeringModel>> model_for(const CrowdArguments& arguments,
                                                              const crowd::StoredGait& walks) {
  const auto samples = crowd::sample_gait(*walks.gait);
  if (arguments.weights == "learned") {
    auto learned = crowd::LearnedSteering::learn(samples);
    if (!learned) return fail_from(learned);
    return std::shared_ptr<const crowd::SteeringModel>(std::move(*learned));
  }
  const auto points = blend::triangulate(*walks.family);
  if (!points) return fail_from(points);
  const auto model = std::make_shared<const blend::FamilyModel>(*walks.family, *walks.space);
  return std::make_shared<const crowd::FamilySteering>(blend::make_weighting(blend::Method::kInverse, *points, model),
                                                       crowd::CourseRange(samples));
}

/// What came of it.
struct Walked {
  std::vector<motion::Recording> recordings;
  crowd::CollisionReport collisions;
  std::size_t reached = 0;
  double mean_seconds = 0, last_seconds = 0;  ///< of those who arrived
  double ms_per_frame = 0, foot_slide = 0;
};

Result<Walked> walk(crowd::Crowd& crowd, const crowd::Walls& walls, double seconds, const Progress& progress) {
  Walked walked;
  double spent = 0;  // in steps alone
  std::size_t frames = 0;
  auto before = std::chrono::steady_clock::now();
  // Asked right before each step, and told right after it, the clock counts steps and the copying of poses.
  const auto watch = [&](std::size_t, std::span<motion::Control>) -> Result<void> {
    before = std::chrono::steady_clock::now();
    ++frames;
    return {};
  };
  const Progress told([&](double share, std::string_view what) {
    if (frames > 0) spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    return progress.report(kReading + (kWalking - kReading) * share, what);
  });
  auto recordings = motion::record(crowd, seconds, watch, told, "walking");
  if (!recordings) return fail_from(recordings);
  for (motion::Recording& recording : *recordings) recording.clip.name = "crowd";
  walked.recordings = std::move(*recordings);
  walked.ms_per_frame = frames > 0 ? 1000 * spent / static_cast<double>(frames) : 0;
  auto collisions = crowd::find_collisions(walked.recordings, walls, {}, part_of(progress, kWalking, 1));
  if (!collisions) return fail_from(collisions);
  walked.collisions = std::move(*collisions);
  for (std::size_t i = 0; i < crowd.size(); ++i) {
    const measure::Measures m = measure::measure(walked.recordings[i].clip, walked.recordings[i].contacts);
    walked.foot_slide += m.foot_slide_mean_mps / static_cast<double>(crowd.size());
    const auto arrival = crowd.arrival(i);
    if (!arrival) continue;
    ++walked.reached;
    walked.mean_seconds += *arrival;
    walked.last_seconds = std::max(walked.last_seconds, *arrival);
  }
  if (walked.reached > 0) walked.mean_seconds /= static_cast<double>(walked.reached);
  return walked;
}

float deepest(const std::vector<crowd::Collision>& collisions) {
  float depth = 0;
  for (const crowd::Collision& collision : collisions) depth = std::max(depth, collision.depth);
  return depth;
}

void tell(const Command& command, const CrowdArguments& arguments, const crowd::StoredGait& walks,
          const Walked& walked) {
  const bool any = walked.reached > 0;
  if (!command.json) {
    say("{} of {} arrived{}\n", walked.reached, arguments.characters,
        any ? fmt::format(", in {:.1f} s in the mean, the last after {:.1f} s", walked.mean_seconds,
                          walked.last_seconds)
            : "");
    say("{} collisions of bodies, {} with walls; {:.2f} ms a frame\n", walked.collisions.bodies.size(),
        walked.collisions.walls.size(), walked.ms_per_frame);
    for (const std::string& file : {arguments.out, arguments.picture}) {
      if (!file.empty()) say("wrote {}\n", file);
    }
    return;
  }
  nlohmann::json result = {{"characters", arguments.characters},
                           {"seconds", arguments.seconds},
                           {"seed", arguments.seed},
                           {"steering", crowd::to_string(arguments.options.steering)},
                           {"weights", arguments.weights},
                           {"family", nullptr},
                           {"standing", nullptr},
                           {"examples", walks.gait->examples()},
                           {"reached", walked.reached},
                           {"mean_seconds", nullptr},
                           {"last_seconds", nullptr},
                           {"collisions", walked.collisions.bodies.size()},
                           {"deepest_m", deepest(walked.collisions.bodies)},
                           {"wall_collisions", walked.collisions.walls.size()},
                           {"deepest_wall_m", deepest(walked.collisions.walls)},
                           {"nearest_m", nullptr},
                           {"foot_slide_mean_mps", walked.foot_slide},
                           {"ms_per_frame", walked.ms_per_frame}};
  if (!walks.name.empty()) result["family"] = walks.name;
  if (!walks.standing.empty()) result["standing"] = walks.standing;
  if (any) result["mean_seconds"] = walked.mean_seconds;
  if (any) result["last_seconds"] = walked.last_seconds;
  if (std::isfinite(walked.collisions.nearest)) result["nearest_m"] = walked.collisions.nearest;
  print_json(result);
}

int run(const Command& command, const CrowdArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto onto = find_onto_if(arguments.library, arguments.on);
  if (!onto) return report(onto.error());
  std::optional<ProgressBar> bar(std::in_place);
  const Progress progress = bar->progress();
  const auto fail_with = [&](const Error& error) {
    bar.reset();
    return report(error);
  };
  const auto walks = crowd::load_gait(*library, arguments.family, part_of(progress, 0, kReading / 2));
  if (!walks) return fail_with(walks.error());
  const auto model = model_for(arguments, *walks);
  if (!model) return fail_with(model.error());
  auto place = arguments.world.empty() ? Result<Place>(in_the_open(arguments))
                                       : in_world(arguments, part_of(progress, kReading / 2, kReading));
  if (!place) return fail_with(place.error());
  const std::vector<crowd::Member> members = place->members;
  auto crowd = crowd::Crowd::create(walks->gait, *model, std::move(place->members), place->walls, arguments.options);
  if (!crowd) return fail_with(crowd.error());
  (*crowd)->rebuild(place->walls, place->ways);
  const auto walked = walk(**crowd, *place->walls, arguments.seconds, progress);
  bar.reset();
  if (!walked) return report(walked.error());
  if (!arguments.out.empty()) {
    if (const auto ok = write_crowd(walked->recordings, place->props, arguments.out, *onto); !ok)
      return report(ok.error());
  }
  if (!arguments.picture.empty()) {
    const picture::Drawing drawing = draw_crowd(walked->recordings, members, *place->walls);
    if (const auto ok = picture::save(drawing, arguments.picture); !ok) return report(ok.error());
  }
  tell(command, arguments, *walks, *walked);
  return kDone;
}

}  // namespace

void add_crowd(Commands& commands) {
  Command& command =
      commands.add("crowd", "let many characters walk among each other",
                   "loom crowd motions.loom --world hall.world --characters 100 --seconds 30 -o crowd.glb");
  auto arguments = std::make_shared<CrowdArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("--world", arguments->world,
                     "where they walk: a .world, a .map or a .yaml of a floor plan; without one on an open floor");
  options.add_option("--cell", arguments->cell, "metres of a cell of a .map (0.5)")->check(between(0.01, 100.0));
  options.add_flag("--anywhere", arguments->anywhere,
                   "from anywhere to anywhere in the world, whatever starts and goals it has");
  add_choice(
      options, "--scene", arguments->scene, {"square", "circle", "streams"},
      "without a world: from anywhere to anywhere, through the middle of a circle, or two groups that meet (square)");
  options.add_option("--characters", arguments->characters, "how many (100)")->check(between(1, 10000));
  options.add_option("--seconds", arguments->seconds, "how long (30)")->check(between(0.1, 3600.0));
  options.add_option("--family", arguments->family,
                     "a family of locomotion; the first of the library, or what is labelled as walks, when not given");
  std::vector<std::pair<std::string, crowd::Steering>> steerings;
  for (const crowd::Steering steering : crowd::kSteerings) steerings.emplace_back(crowd::to_string(steering), steering);
  add_choice(options, "--steering", arguments->options.steering, steerings,
             "how they keep out of each other's way (reciprocal)");
  add_choice(options, "--weights", arguments->weights, {"learned", "inverse"},
             "how wishes become walks: learned from samples, or by the family's own inverse (learned)");
  options.add_option("--speed", arguments->speed, "metres a second they like to go, about (1.3)")
      ->check(between(0.1, 10.0));
  options.add_option("--seed", arguments->seed, "another seed, other starts and goals (1)");
  command.outputs.add_file(options, "-o,--out", arguments->out, "write all of them in one scene: .glb or .gltf");
  options.add_option("--on", arguments->on, kOnHelp);
  command.outputs.add_file(options, "--picture", arguments->picture, "draw where they went, from above: .png or .svg");
  add_off_flag(options, "--no-polish", arguments->options.plant_feet, "leave the feet as they come");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
