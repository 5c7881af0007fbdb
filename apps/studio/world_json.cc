// SPDX-License-Identifier: MIT
#include "studio/world_json.h"

#include <array>
#include <string_view>

#include <nlohmann/json.hpp>

#include <loom/base/math.h>

namespace loom::studio {
namespace {

using nlohmann::json;
using world::Ask;
using world::Obstacle;
using world::Shape;

constexpr double kDegree = 3.14159265358979323846 / 180;
constexpr std::size_t kMostDrawn = 5000;  ///< obstacles of a page, and corners of an outline
constexpr std::array<std::string_view, 3> kShapes = {"box", "cylinder", "polygon"};
constexpr std::array kAsks = {Ask::kNothing, Ask::kDuck, Ask::kStepOver, Ask::kJump};

json points_json(const std::vector<world::Point>& points) {
  json list = json::array();
  for (const world::Point& p : points) list.push_back(json::array({p.x, p.z}));
  return list;
}

json obstacle_json(const Obstacle& o) {
  json path = json::array();
  for (const world::Waypoint& w : o.path) {
    path.push_back(json::array({w.seconds, w.at.x, w.at.z, w.at.heading / kDegree}));
  }
  return {{"name", o.name},
          {"shape", kShapes[static_cast<std::size_t>(o.shape)]},
          {"x", o.at.x},
          {"z", o.at.z},
          {"turn", o.at.heading / kDegree},
          {"bottom", o.bottom},
          {"top", o.top},
          {"width", o.width},
          {"depth", o.depth},
          {"radius", o.radius},
          {"outline", points_json(o.outline)},
          {"ask", world::ask_name(o.ask)},
          {"path", std::move(path)},
          {"loops", o.loops}};
}

json spots_json(const std::vector<world::Spot>& spots) {
  json list = json::array();
  for (const world::Spot& s : spots) {
    list.push_back({{"name", s.name},
                    {"x", s.at.x},
                    {"z", s.at.z},
                    {"turn", s.heading ? json(*s.heading / kDegree) : json(nullptr)}});
  }
  return list;
}

/// The list of a field, of lists of `count` or more numbers each.
std::vector<std::vector<double>> numbers_in(const Fields& fields, const char* name, std::size_t count) {
  const json& list = fields.at(name);
  std::vector<std::vector<double>> rows;
  if (list.is_null()) return rows;
  const std::string wrong = std::string("'") + name + "' must be a list of lists of numbers";
  if (!list.is_array() || list.size() > kMostDrawn) throw WrongField(wrong);
  for (const json& row : list) {
    if (!row.is_array() || row.size() < count || row.size() > count + 1) throw WrongField(wrong);
    std::vector<double>& numbers = rows.emplace_back();
    for (const json& number : row) {
      if (!number.is_number()) throw WrongField(wrong);
      numbers.push_back(number.get<double>());
    }
  }
  return rows;
}

template <typename Read>
void read_list(const Fields& fields, const char* name, const Read& read) {
  const json& list = fields.at(name);
  if (list.is_null()) return;
  if (!list.is_array() || list.size() > kMostDrawn) throw WrongField(std::string("'") + name + "' must be a list");
  for (const json& one : list) {
    if (!one.is_object()) throw WrongField(std::string("'") + name + "' must be a list of objects");
    read(Fields(one));
  }
}

Obstacle obstacle_from(const Fields& drawn) {
  Obstacle o;
  o.name = drawn.text("name");
  const std::string shape = drawn.text("shape", "box"), ask = drawn.text("ask", "nothing");
  bool known = false;
  for (std::size_t i = 0; i < kShapes.size(); ++i) {
    if (shape != kShapes[i]) continue;
    o.shape = static_cast<Shape>(i);
    known = true;
  }
  if (!known) throw WrongField("'shape' must be box, cylinder or polygon");
  known = false;
  for (const Ask one : kAsks) {
    if (ask != world::ask_name(one)) continue;
    o.ask = one;
    known = true;
  }
  if (!known) throw WrongField("'ask' must be nothing, duck, step or jump");
  o.bottom = drawn.number("bottom", 0);
  o.top = drawn.number("top", 2.5);
  if (o.shape == Shape::kPolygon) {
    for (const auto& p : numbers_in(drawn, "outline", 2)) o.outline.push_back({p[0], p[1]});
  } else {
    o.at = {drawn.number("x", 0), drawn.number("z", 0), drawn.number("turn", 0) * kDegree};
    o.width = drawn.number("width", 1);
    o.depth = drawn.number("depth", 1);
    o.radius = drawn.number("radius", 0.5);
  }
  for (const auto& w : numbers_in(drawn, "path", 3)) {
    o.path.push_back({w[0], {w[1], w[2], w.size() > 3 ? w[3] * kDegree : 0}});
  }
  o.loops = drawn.flag("loops");
  return o;
}

world::Spot spot_from(const Fields& drawn) {
  world::Spot spot{drawn.text("name"), {drawn.number("x", 0), drawn.number("z", 0)}, {}};
  if (drawn.has("turn")) spot.heading = drawn.number("turn", 0) * kDegree;
  return spot;
}

}  // namespace

json world_json(const world::World& world) {
  json ground = json::array(), obstacles = json::array();
  for (const world::Ground& g : world.ground) ground.push_back(json::array({g.low.x, g.low.z, g.high.x, g.high.z}));
  for (const Obstacle& o : world.obstacles) {
    if (o.shape != Shape::kMesh) obstacles.push_back(obstacle_json(o));
  }
  return {{"name", world.name},
          {"ground", std::move(ground)},
          {"obstacles", std::move(obstacles)},
          {"starts", spots_json(world.starts)},
          {"goals", spots_json(world.goals)}};
}

Result<world::World> world_from(const Fields& drawn) {
  const json& sent = drawn.at("world");
  if (!sent.is_object()) throw WrongField("'world' must be an object");
  const Fields fields(sent);
  world::World world;
  world.name = fields.text("name", "drawn");
  for (const auto& g : numbers_in(fields, "ground", 4)) world.ground.push_back({{g[0], g[1]}, {g[2], g[3]}});
  read_list(fields, "obstacles", [&](const Fields& one) { world.obstacles.push_back(obstacle_from(one)); });
  read_list(fields, "starts", [&](const Fields& one) { world.starts.push_back(spot_from(one)); });
  read_list(fields, "goals", [&](const Fields& one) { world.goals.push_back(spot_from(one)); });
  if (const auto sound = world::check_world(world); !sound) return fail_from(sound);
  return world::parse_world(world::format_world(world), "");
}

}  // namespace loom::studio
