// SPDX-License-Identifier: MIT
// `loom world new | check | picture`: worlds to move in.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/random.h>
#include <loom/picture/save.h>
#include <loom/report/world_picture.h>
#include <loom/world/floor_field.h>
#include <loom/world/grid_map.h>

#include "loom/command.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

constexpr const char* kWorldAbout = "worlds to move in: floors, obstacles, maps";

struct WorldArguments {
  std::string world, out;
  double cell = 0.5, width = 10, depth = 10, side = 1000;
  std::size_t obstacles = 12;
  std::uint64_t seed = 1;
};

void add_world(Command& command, WorldArguments& arguments) {
  command.options->add_option("world", arguments.world, "a .world, a .map or the .yaml of a floor plan")->required();
  command.options->add_option("--cell", arguments.cell, "metres of a cell of a .map (0.5)");
}

nlohmann::json world_json(const world::World& world) {
  std::size_t moving = 0, asking = 0;
  for (const world::Obstacle& o : world.obstacles) {
    moving += o.moves() ? 1 : 0;
    asking += o.ask != world::Ask::kNothing ? 1 : 0;
  }
  return {{"name", world.name},     {"obstacle_count", world.obstacles.size()}, {"moving_count", moving},
          {"asking_count", asking}, {"start_count", world.starts.size()},       {"goal_count", world.goals.size()}};
}

/// Boxes and pillars thrown on a floor, none of them near its start and its goal.
world::World thrown(const WorldArguments& arguments) {
  constexpr double kKeepFree = 1.5;  ///< metres around start and goal
  world::World world;
  world.name = "new";
  world.ground.push_back({{0, 0}, {arguments.width, arguments.depth}});
  world.starts.push_back({"", {1, 1}, {}});
  world.goals.push_back({"", {arguments.width - 1, arguments.depth - 1}, {}});
  Random random(arguments.seed);
  for (std::size_t tries = 0; world.obstacles.size() < arguments.obstacles && tries < 100 * arguments.obstacles;
       ++tries) {
    world::Obstacle o;
    o.name = fmt::format("obstacle-{}", world.obstacles.size() + 1);
    o.shape = random.uniform() < 0.5 ? world::Shape::kBox : world::Shape::kCylinder;
    o.at = {random.uniform() * arguments.width, random.uniform() * arguments.depth, 0};
    if (o.shape == world::Shape::kBox) o.at.heading = random.uniform() * 3.14159265;
    o.width = 0.3 + random.uniform() * 1.7;
    o.depth = 0.2 + random.uniform() * 0.8;
    o.radius = 0.15 + random.uniform() * 0.45;
    o.top = 2.5;
    const double reach = o.shape == world::Shape::kBox ? std::hypot(o.width, o.depth) / 2 : o.radius;
    const auto near = [&](world::Point p) { return std::hypot(o.at.x - p.x, o.at.z - p.z) < reach + kKeepFree; };
    if (!near(world.starts[0].at) && !near(world.goals[0].at)) world.obstacles.push_back(std::move(o));
  }
  return world;
}

int make(const Command& command, const WorldArguments& arguments) {
  if (!(arguments.width >= 4 && arguments.width <= 1000 && arguments.depth >= 4 && arguments.depth <= 1000))
    return wrong_usage("--width and --depth are between 4 and 1000 metres");
  if (arguments.obstacles > 100000) return wrong_usage("--obstacles are 100000 at most");
  const world::World world = thrown(arguments);
  if (const auto saved = save_file(arguments.out, world::format_world(world)); !saved) return report(saved.error());
  nlohmann::json result = world_json(world);
  result["file"] = arguments.out;
  if (command.json) {
    print_json(result);
  } else {
    say("wrote {}: {} obstacles on {} by {} m\n", arguments.out, world.obstacles.size(), arguments.width,
        arguments.depth);
  }
  return kDone;
}

int check(const Command& command, const WorldArguments& arguments) {
  const auto world = world::load_any_world(arguments.world, arguments.cell);
  if (!world) return report(world.error());
  const auto field = world::FloorField::create(*world);
  if (!field) return report(field.error());
  std::size_t open = 0, points = 0;
  double floor_area = 0;
  for (std::uint32_t r = 0; r < field->rows(); ++r) {
    for (std::uint32_t c = 0; c < field->columns(); ++c) {
      constexpr float kRoom = 0.25f;  ///< metres to each side that somebody needs to stand
      const world::Point corner = field->place(c, r);
      if (!world->has_floor({corner.x + field->spacing() / 2, corner.z + field->spacing() / 2})) continue;
      ++points;
      open += world->has_floor(corner) && field->at(c, r) >= kRoom ? 1 : 0;
    }
  }
  floor_area = static_cast<double>(points) * field->spacing() * field->spacing();
  nlohmann::json result = world_json(*world);
  result.update({{"floor_m2", floor_area},
                 {"standing_share", points > 0 ? static_cast<double>(open) / static_cast<double>(points) : 0}});
  if (command.json) {
    print_json(result);
  } else {
    say("{}: {:.1f} m² of floor, {:.0f} % of it room to stand; {} obstacles, {} of them move, {} ask for something; {} "
        "starts, {} goals\n",
        world->name, floor_area, 100 * result["standing_share"].get<double>(), world->obstacles.size(),
        result["moving_count"].get<std::size_t>(), result["asking_count"].get<std::size_t>(), world->starts.size(),
        world->goals.size());
  }
  return kDone;
}

int draw(const Command& command, const WorldArguments& arguments) {
  const auto world = world::load_any_world(arguments.world, arguments.cell);
  if (!world) return report(world.error());
  if (!(arguments.side >= 50 && arguments.side <= 8000)) return wrong_usage("--side is between 50 and 8000 pixels");
  report::WorldPictureOptions options;
  options.side = static_cast<float>(arguments.side);
  if (const auto saved = picture::save(report::world_picture(*world, options), arguments.out); !saved)
    return report(saved.error());
  nlohmann::json result = world_json(*world);
  result["file"] = arguments.out;
  if (command.json) {
    print_json(result);
  } else {
    say("wrote {}\n", arguments.out);
  }
  return kDone;
}

}  // namespace

void add_world(Commands& commands) {
  {
    Command& command = commands.add("world", kWorldAbout, "new", "make a world of thrown obstacles, to begin with",
                                    "loom world new -o room.world --obstacles 20 --seed 3");
    auto arguments = std::make_shared<WorldArguments>();
    command.outputs.add_file(*command.options, "-o,--out", arguments->out, "the world to write: .world")->required();
    command.options->add_option("--width", arguments->width, "metres along x (10)");
    command.options->add_option("--depth", arguments->depth, "metres along z (10)");
    command.options->add_option("--obstacles", arguments->obstacles, "how many (12)");
    command.options->add_option("--seed", arguments->seed, "another seed, another world (1)");
    command.run = [arguments](const Command& c) { return make(c, *arguments); };
  }
  {
    Command& command = commands.add("world", kWorldAbout, "check", "read a world and tell what is in it",
                                    "loom world check room.world");
    auto arguments = std::make_shared<WorldArguments>();
    add_world(command, *arguments);
    command.run = [arguments](const Command& c) { return check(c, *arguments); };
  }
  {
    Command& command = commands.add("world", kWorldAbout, "picture", "draw a world from above",
                                    "loom world picture maze.map --cell 0.5 -o maze.png");
    auto arguments = std::make_shared<WorldArguments>();
    add_world(command, *arguments);
    command.outputs.add_file(*command.options, "-o,--out", arguments->out, "the picture: .png or .svg")->required();
    command.options->add_option("--side", arguments->side, "pixels of the longer side (1000)");
    command.run = [arguments](const Command& c) { return draw(c, *arguments); };
  }
}

}  // namespace loom::app
