// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>

#include <fmt/format.h>

#include <loom/base/math.h>
#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/graph/keys.h>
#include <loom/motion/kinematics.h>
#include <loom/plan/detail/closing_obstacle.h>
#include <loom/plan/walk_plan.h>
#include <loom/play/segment_player.h>
#include <loom/polish/plant_feet.h>
#include <loom/world/collision.h>
#include <loom/world/floor_field.h>

namespace loom::plan {
namespace {

using graph::Node;
using motion::GroundFrame;
using world::Ask;
using world::Obstacle;
using world::Point;
using world::World;

constexpr std::size_t kMostTries = 12;  ///< with more distance each time, as long as there is time
/// Shares of the stretch that is bent usually, over which an end that touches something is bent instead.
constexpr double kShorterBends[] = {1, 0.5, 0.25};
constexpr double kLessBend = 0.6;
constexpr double kFeetUp = 0.5;         ///< metres that feet are drawn up over something in a jump, at most
constexpr double kRoomToMove = 1.5;     ///< widths of a body: what is wider is not told as narrow
constexpr double kTimeCell = 1;         ///< seconds, where obstacles move
constexpr double kAddedMargin = 0.015;  ///< metres, each time

std::uint8_t bit_of(Ask ask) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(ask)); }

Result<void> check_end(const WalkEnd& end, const char* what, const World& world, const world::FloorObstacles& floor,
                       double radius) {
  if (!std::isfinite(end.at.x) || !std::isfinite(end.at.z) || (end.heading && !std::isfinite(*end.heading)))
    return fail_as(ErrorKind::kBadInput, fmt::format("the {} is no finite place", what));
  if (!world.has_floor(end.at))
    return fail_as(ErrorKind::kBadInput,
                   fmt::format("there is no floor at the {} ({:.2f}, {:.2f})", what, end.at.x, end.at.z));
  const world::Nearest nearest = floor.nearest(end.at, 0, radius);
  if (nearest.obstacle == world::Nearest::kNone || nearest.distance > radius) return {};
  const Obstacle& o = world.obstacles[nearest.obstacle];
  return fail_as(ErrorKind::kBadInput,
                 fmt::format("the {} ({:.2f}, {:.2f}) is {} {}, which reaches from {:.2f} to {:.2f} m above the floor",
                             what, end.at.x, end.at.z, nearest.distance <= 0 ? "in" : "too near to", in_quotes(o.name),
                             o.bottom, o.top));
}

/// Where the floor is narrowest on the widest way between two places, for who is told that no walk was found.
struct Narrow {
  Point at;
  double clearance = 0;  ///< metres from there to what is nearest
};
std::optional<Narrow> narrowest_place(const world::FloorField& field, Point start, Point goal) {
  constexpr std::size_t kMostPoints = 2'000'000;
  const std::size_t columns = field.columns(), rows = field.rows();
  if (columns * rows > kMostPoints) return std::nullopt;
  const Point origin = field.place(0, 0);
  const auto index = [&](Point p) {
    const auto on = [&](double metres, std::size_t most) {
      return static_cast<std::size_t>(
          std::clamp(std::round(metres / field.spacing()), 0.0, static_cast<double>(most - 1)));
    };
    return on(p.z - origin.z, rows) * columns + on(p.x - origin.x, columns);
  };
  // As Dijkstra's, but a way is as good as its narrowest point.
  std::vector<float> widest(columns * rows, -1.0f);
  std::vector<std::size_t> narrow(columns * rows);
  std::priority_queue<std::pair<float, std::size_t>> open;
  const auto reach = [&](std::size_t i, float before, std::size_t narrowest) {
    const float here = field.at(static_cast<std::uint32_t>(i % columns), static_cast<std::uint32_t>(i / columns));
    const float width = std::min(before, here);
    if (width <= widest[i] || width <= 0) return;
    widest[i] = width;
    narrow[i] = here < before ? i : narrowest;
    open.push({width, i});
  };
  reach(index(start), world::FloorField::kFar, index(start));
  while (!open.empty()) {
    const auto [width, i] = open.top();
    open.pop();
    if (width < widest[i]) continue;
    if (i == index(goal)) {
      const std::size_t at = narrow[i];
      return Narrow{field.place(static_cast<std::uint32_t>(at % columns), static_cast<std::uint32_t>(at / columns)),
                    static_cast<double>(width)};
    }
    if (i % columns > 0) reach(i - 1, width, narrow[i]);
    if (i % columns + 1 < columns) reach(i + 1, width, narrow[i]);
    if (i >= columns) reach(i - columns, width, narrow[i]);
    if (i + columns < widest.size()) reach(i + columns, width, narrow[i]);
  }
  return std::nullopt;
}

/// How wide the floor must be for the body of a graph, at the least: across the way it faces, of its slimmest pose.
double slimmest(const UnrolledGraph& graph) {
  float least = std::numeric_limits<float>::infinity();
  for (Node n = 0; n < graph.graph->nodes(); ++n) {
    const GroundFrame& at = graph.frame[n];
    const float c = std::cos(at.heading), s = std::sin(at.heading);
    float low = 0, high = 0;
    for (std::uint32_t i = graph.first_disc[n]; i < graph.first_disc[n + 1]; ++i) {
      const Disc& d = graph.discs[i];
      const float across = c * (d.x - at.x) - s * (d.z - at.z);
      low = std::min(low, across - d.radius);
      high = std::max(high, across + d.radius);
    }
    least = std::min(least, high - low);
  }
  return static_cast<double>(least);
}

/// How fast any point of what moves does, metres a second.
double fastest(const Obstacle& o) {
  double most = 0;
  const double reach = o.shape == world::Shape::kCylinder ? o.radius : std::hypot(o.width, o.depth) / 2;
  for (std::size_t i = 1; i < o.path.size(); ++i) {
    const world::Waypoint &a = o.path[i - 1], &b = o.path[i];
    const double way = std::hypot(b.at.x - a.at.x, b.at.z - a.at.z) + reach * std::fabs(b.at.heading - a.at.heading);
    most = std::max(most, way / std::max(b.seconds - a.seconds, 1e-3));
  }
  return most;
}

/// What the field of the floor does not know: obstacles that ask, or move.
class Passing {
 public:
  static Result<std::shared_ptr<Passing>> create(const UnrolledGraph& graph, const World& world, double reach,
                                                 double margin) {
    auto made = std::make_shared<Passing>(graph);
    World part;
    part.ground = world.ground;
    for (const Obstacle& o : world.obstacles) {
      if (o.ask != Ask::kNothing || o.moves()) part.obstacles.push_back(o);
      made->fastest_ = std::max(made->fastest_, fastest(o));
    }
    made->empty_ = part.obstacles.empty();
    auto floor = world::FloorObstacles::create(part, {.low = 0, .asking = true});
    if (!floor) return fail_from(floor);
    made->floor_ = std::move(*floor);
    auto collision = world::Collision::create(part);
    if (!collision) return fail_from(collision);
    made->collision_ = std::make_unique<world::Collision>(std::move(*collision));
    for (const Ask ask : {Ask::kDuck, Ask::kStepOver, Ask::kJump}) {
      World of_kind;
      of_kind.ground = world.ground;
      for (const Obstacle& o : part.obstacles)
        if (o.ask == ask) of_kind.obstacles.push_back(o);
      auto kind = world::FloorObstacles::create(of_kind, {.low = -10, .asking = true});
      if (!kind) return fail_from(kind);
      made->kinds_.push_back(std::move(*kind));
    }
    made->reach_ = reach;
    made->margin_ = margin;
    made->body_ = motion::BodyCapsules::of(*graph.motion->skeleton);
    made->capsules_.resize(made->body_->size());
    made->positions_.resize(graph.motion->skeleton->point_count());
    made->turns_.resize(graph.motion->skeleton->size());
    return made;
  }
  explicit Passing(const UnrolledGraph& graph) : graph_(graph) {}

  [[nodiscard]] bool empty() const { return empty_; }

  /// Nothing near for a moment: what moves may come as near meanwhile as it can.
  [[nodiscard]] bool far(double x, double z, double radius, double seconds) const {
    constexpr double kMoment = 0.3;  ///< seconds: eight frames, about
    return !floor_.overlaps({x, z}, radius + margin_ + fastest_ * kMoment, seconds);
  }

  bool operator()(Node node, const GroundFrame& world, double seconds) {
    const GroundFrame at = world * graph_.frame[node];
    const Point root{static_cast<double>(at.x), static_cast<double>(at.z)};
    if (graph_.asks[node] != 0) {
      bool asked = false;
      for (std::size_t k = 0; k < kinds_.size(); ++k) {
        const auto ask = static_cast<Ask>(k + 1);
        asked = asked || ((graph_.asks[node] & bit_of(ask)) != 0 && kinds_[k].overlaps(root, reach_, seconds));
      }
      if (!asked) return false;
    }
    const Disc& d = graph_.around[node];
    const Vec3 middle = transform(world, {d.x, 0, d.z});
    if (!floor_.overlaps({static_cast<double>(middle.x), static_cast<double>(middle.z)},
                         static_cast<double>(d.radius) + margin_, seconds))
      return true;
    const motion::Clip& clip = graph_.motion->clips[graph_.graph->clip_of(node)];
    const std::uint32_t frame = graph_.graph->frame_of(node);
    motion::forward_kinematics(*clip.skeleton, clip.roots[frame], clip.pose(frame), positions_, turns_);
    body_->place(positions_, turns_, capsules_);
    for (motion::Capsule& c : capsules_) {
      c.a = transform(world, c.a);
      c.b = transform(world, c.b);
    }
    return !collision_->touch(capsules_, seconds, margin_).has_value();
  }

 private:
  const UnrolledGraph& graph_;
  bool empty_ = true;
  world::FloorObstacles floor_;
  std::unique_ptr<world::Collision> collision_;
  std::vector<world::FloorObstacles> kinds_;
  double reach_ = 0, margin_ = 0;
  double fastest_ = 0;  ///< metres a second, of what moves
  std::optional<motion::BodyCapsules> body_;
  std::vector<motion::Capsule> capsules_;
  std::vector<Vec3> positions_;
  std::vector<Quat> turns_;
};

/// Bends the end of a motion: by `off` and `turn` about its last place, eased in over its last frames.
void bend(motion::Clip& clip, const GroundFrame& last, Vec3 off, float turn, double seconds) {
  const auto count = to_whole<std::size_t>(std::max(1.0, std::ceil(seconds * clip.rate)));
  const std::size_t begin = clip.frames() > count ? clip.frames() - count : 0;
  for (std::size_t f = begin; f < clip.frames(); ++f) {
    const float share = smoothstep(static_cast<float>(f - begin + 1) / static_cast<float>(clip.frames() - begin));
    const Quat by = axis_angle({0, 1, 0}, turn * share);
    const Vec3 end = last.position();
    clip.roots[f] = end + rotate(by, clip.roots[f] - end) + off * share;
    clip.pose(f)[0] = normalized(by * clip.pose(f)[0]);
  }
}

double floor_length(const motion::Clip& clip) {
  double length = 0;
  for (std::size_t f = 1; f < clip.frames(); ++f)
    length += std::hypot(static_cast<double>(clip.roots[f].x - clip.roots[f - 1].x),
                         static_cast<double>(clip.roots[f].z - clip.roots[f - 1].z));
  return length;
}

/// What is searched, and what makes motion of what is found.
struct Walker {
  const UnrolledGraph& graph;
  std::function<Result<motion::Recording>(const FoundWalk& walk)> play;
  bool exact = true;  ///< what is played is what was found, but for blends: it is bent to the goal and must not touch
};

Result<motion::Recording> play_segments(const UnrolledGraph& graph, const FoundWalk& walk) {
  std::vector<play::Segment> segments = graph::to_segments(*graph.graph, *graph.motion, walk.nodes);
  const GroundFrame start = walk.world * graph.frame[walk.nodes.front()];
  for (play::Segment& segment : segments) segment.world = start * segment.world;
  play::SegmentPlayer player(graph.motion, std::make_unique<play::SegmentList>(std::move(segments)));
  return motion::record(player, static_cast<double>(walk.nodes.size()) / graph.graph->rate + 1);
}

/// The found walk as motion that ends at the goal.
Result<void> play_walk(const Walker& walker, const FoundWalk& walk, const WalkEnd& goal, double bend_seconds,
                       WalkPlan& plan) {
  auto recorded = walker.play(walk);
  if (!recorded) return fail_from(recorded);
  motion::Clip& clip = recorded->clip;
  const motion::GroundFrameFinder finder(*clip.skeleton);
  const auto end = [&] { return finder.find(clip.roots.back(), clip.pose(clip.frames() - 1)[0]); };
  const GroundFrame last = end();
  plan.drift_m = static_cast<double>(std::hypot(last.x - walk.end.x, last.z - walk.end.z));
  plan.way.clear();
  for (const Vec3& root : clip.roots) plan.way.push_back({static_cast<double>(root.x), static_cast<double>(root.z)});
  if (walker.exact) {
    const Vec3 off{static_cast<float>(goal.at.x) - last.x, 0, static_cast<float>(goal.at.z) - last.z};
    const float turn = goal.heading ? wrap_angle(static_cast<float>(*goal.heading) - last.heading) : 0;
    bend(clip, last, off, turn, bend_seconds);
    plan.bent_m = static_cast<double>(length(off));
  }
  const GroundFrame bent = end();
  plan.end_error_m = std::hypot(static_cast<double>(bent.x) - goal.at.x, static_cast<double>(bent.z) - goal.at.z);
  plan.end_error_rad =
      goal.heading ? std::fabs(static_cast<double>(wrap_angle(static_cast<float>(*goal.heading) - bent.heading))) : 0;
  plan.seconds = static_cast<double>(clip.frames()) / clip.rate;
  plan.length_m = floor_length(clip);
  plan.recording = std::make_shared<motion::Recording>(std::move(*recorded));
  return {};
}

/// Why a graph cannot do what an obstacle asks for; empty where it can.
std::string why_not(const UnrolledGraph& graph, const Obstacle& o) {
  if (o.ask == Ask::kNothing) return {};
  // Any step does that is high enough: whether a foot touches is seen pose by pose.
  if (o.ask == Ask::kStepOver) {
    if (o.top <= static_cast<double>(graph.highest_step)) return {};
    return fmt::format("it is {:.2f} m high, and nobody lifts a foot higher than {:.2f} m", o.top, graph.highest_step);
  }
  const bool has =
      std::any_of(graph.asks.begin(), graph.asks.end(), [&](std::uint8_t bits) { return (bits & bit_of(o.ask)) != 0; });
  if (!has) return "there is no motion labelled for it";
  if (o.ask == Ask::kDuck && o.bottom < static_cast<double>(graph.lowest_duck))
    return fmt::format("it leaves {:.2f} m, and nobody gets lower than {:.2f} m", o.bottom, graph.lowest_duck);
  if (o.ask == Ask::kJump && o.top > static_cast<double>(graph.highest_jump) + kFeetUp)
    return fmt::format("it is {:.2f} m high, and the highest jump is {:.2f} m", o.top, graph.highest_jump);
  return {};
}

/// The world with what the graph cannot do closed.
World doable(const UnrolledGraph& graph, const World& world) {
  World made = world;
  for (Obstacle& o : made.obstacles) {
    if (!why_not(graph, o).empty()) o.ask = Ask::kNothing;
  }
  return made;
}

tl::unexpected<Error> cut_off(const UnrolledGraph& graph, const World& world, const world::FloorField& field,
                              const WalkEnd& start, const WalkEnd& goal, double radius) {
  const std::size_t closing = closing_obstacle(field, start.at, goal.at, radius);
  if (closing == world::Nearest::kNone)
    return fail_as(ErrorKind::kBadInput,
                   "there is no way on the floor from the start to the goal: the ground ends between them");
  const Obstacle& o = world.obstacles[closing];
  if (o.ask != Ask::kNothing)
    return fail_as(ErrorKind::kBadInput, fmt::format("the way from the start to the goal asks to {} at {}: {}",
                                                     ask_name(o.ask), in_quotes(o.name), why_not(graph, o)));
  return fail_as(
      ErrorKind::kBadInput,
      fmt::format("there is no way on the floor from the start to the goal: {} closes it", in_quotes(o.name)));
}

/// What must be asked of the only way, for who is told that none was found: the obstacle that closes the floor if those
/// that ask are closed.
std::string asked_on_the_way(const World& world, const WalkEnd& start, const WalkEnd& goal, double radius) {
  const auto field = world::FloorField::create(world, {.asking = true});
  if (!field) return {};
  const world::GoalDistance distance(*field, goal.at, radius, start.at);
  if (distance.reachable(start.at)) return {};
  const std::size_t closing = closing_obstacle(*field, start.at, goal.at, radius);
  if (closing == world::Nearest::kNone || world.obstacles[closing].ask == Ask::kNothing) return {};
  return fmt::format("; every way asks to {} at {}", ask_name(world.obstacles[closing].ask),
                     in_quotes(world.obstacles[closing].name));
}

/// Searches again and again with more distance, or less to bend, until what is found can be played.
class WalkPlanner {
 public:
  WalkPlanner(const Walker& walker, const World& world, const WalkEnd& start, const WalkEnd& goal,
              const WalkPlanOptions& options)
      : walker_(walker), world_(world), start_(start), goal_(goal), options_(options), search_(options.search) {
    const bool moves =
        std::any_of(world.obstacles.begin(), world.obstacles.end(), [](const auto& o) { return o.moves(); });
    if (moves && search_.time_cell <= 0) search_.time_cell = kTimeCell;
  }

  Result<WalkPlan> plan(const Progress& progress) {
    const World closed = doable(walker_.graph, world_);
    const double radius = search_.root_radius;
    auto field = world::FloorField::create(closed);
    if (!field) return fail_from(field);
    const auto now = world::FloorObstacles::create(closed);  // what moves may be where one starts
    if (!now) return fail_from(now);
    if (auto ok = check_end(start_, "start", world_, *now, radius); !ok) return fail_from(ok);
    if (auto ok = check_end(goal_, "goal", world_, field->obstacles(), radius); !ok) return fail_from(ok);
    const world::GoalDistance distance(*field, goal_.at, radius, start_.at);
    if (!distance.reachable(start_.at)) return cut_off(walker_.graph, world_, *field, start_, goal_, radius);
    plan_.floor_m = static_cast<double>(distance.at_least(start_.at.x, start_.at.z));
    auto collision = world::Collision::create(world_);
    if (!collision) return fail_from(collision);
    collision_ = std::make_unique<world::Collision>(std::move(*collision));
    body_ = motion::BodyCapsules::of(*walker_.graph.motion->skeleton);

    double spent = 0, first = 0;
    std::size_t expanded = 0;
    for (std::size_t attempt = 0; attempt < kMostTries && spent < options_.search.seconds; ++attempt) {
      search_.seconds = options_.search.seconds - spent;
      auto found = attempt_once(*field, distance, closed, progress);
      if (!found) return fail_from(found);
      first = spent + found->seconds_first;
      spent += found->seconds;
      expanded += found->expanded;
      if (!found->walk && !found->refused) {
        if (!touched_.empty()) break;
        return fail_setting(
            {"seconds"},
            fmt::format("found no walk in {:.1f} s ({} states looked at){}{}{}", spent, expanded,
                        found->exhausted ? "; there is none with this motion and this distance from obstacles" : "",
                        asked_on_the_way(world_, start_, goal_, radius), told_narrow(*field)));
      }
      if (!found->walk) {
        keep_clear();
        continue;
      }
      plan_.search = std::move(*found);
      plan_.search.expanded = expanded;
      plan_.search.seconds_first = first;
      plan_.search.seconds = spent;
      plan_.margin = search_.margin;
      return std::move(plan_);
    }
    return fail("every walk found touches something when it is played: " + touched_);
  }

 private:
  Result<SearchResult> attempt_once(const world::FloorField& field, const world::GoalDistance& distance,
                                    const World& closed, const Progress& progress) {
    auto passing = Passing::create(walker_.graph, closed, search_.ask_reach, search_.margin);
    if (!passing) return fail_from(passing);
    WalkSearch::Passes passes;
    WalkSearch::Far far;
    if (!(*passing)->empty()) {
      passes = [p = *passing](Node n, const GroundFrame& at, double seconds) { return (*p)(n, at, seconds); };
      far = [p = *passing](double x, double z, double r, double seconds) { return p->far(x, z, r, seconds); };
    }
    WalkSearch searcher(walker_.graph, field, distance, passes, far);
    std::optional<world::GoalDistance> from_start;
    if (search_.corridor > 0)
      searcher.set_from_start(from_start.emplace(field, start_.at, search_.root_radius, goal_.at));
    return searcher.find(start_, goal_, search_, progress, [this](const FoundWalk& walk) { return accept(walk); });
  }

  /// Plays what was found, and takes it where nothing is touched: bent over its usual last stretch, or a shorter one.
  bool accept(const FoundWalk& walk) {
    for (const double share : kShorterBends) {
      if (accept(walk, share * options_.bend_seconds)) return true;
      if (!walker_.exact || first_touch_ < seconds_played_ - options_.bend_seconds) return false;
    }
    return false;
  }

  bool accept(const FoundWalk& walk, double bend_seconds) {
    WalkPlan played = plan_;
    if (!play_walk(walker_, walk, goal_, bend_seconds, played)) return false;
    std::vector<Collided> collided = find_collisions(played.recording->clip, *body_, *collision_);
    // With its feet planted, as it will be shown, it must be clear as well.
    if (motion::Recording shown = *played.recording; collided.empty() && polish::plant_feet(shown))
      collided = find_collisions(shown.clip, *body_, *collision_);
    played.collisions = collided.size();
    if (!collided.empty()) {
      const double rate = played.recording->clip.rate;
      first_touch_ = static_cast<double>(collided.front().frame) / rate;
      seconds_played_ = played.seconds;
      touched_ = fmt::format("{} poses of the last one, the first after {:.1f} of {:.1f} s, at {}", collided.size(),
                             first_touch_, played.seconds, in_quotes(world_.obstacles[collided.front().obstacle].name));
    }
    if (!collided.empty() && walker_.exact) return false;
    plan_ = std::move(played);
    return true;
  }

  /// What to say of a way that may be too narrow; nothing where it is wide.
  [[nodiscard]] std::string told_narrow(const world::FloorField& field) const {
    const auto narrow = narrowest_place(field, start_.at, goal_.at);
    const double body = slimmest(walker_.graph), wide = kRoomToMove * body;
    if (!narrow || 2 * narrow->clearance > wide) return {};
    return fmt::format("; the widest way is about {:.1f} m wide at ({:.1f}, {:.1f}), and the body {:.2f} m",
                       2 * narrow->clearance, narrow->at.x, narrow->at.z, body);
  }

  /// Where only the bent end touches, it is bent less; elsewhere more distance is kept.
  void keep_clear() {
    if (first_touch_ > seconds_played_ - options_.bend_seconds) {
      search_.goal_radius *= kLessBend;
      search_.goal_turn *= kLessBend;
    } else {
      search_.margin += kAddedMargin;
    }
  }

  const Walker& walker_;
  const World& world_;
  const WalkEnd &start_, &goal_;
  const WalkPlanOptions& options_;
  SearchOptions search_;
  std::unique_ptr<world::Collision> collision_;
  std::optional<motion::BodyCapsules> body_;
  WalkPlan plan_;
  std::string touched_;
  double first_touch_ = 0, seconds_played_ = 0;
};

}  // namespace

std::unique_ptr<motion::MotionStream> WalkPlan::stream() const {
  return std::make_unique<motion::RecordedStream>(recording);
}

Result<std::vector<Collided>> find_collisions(const motion::Clip& clip, const World& world) {
  const auto body = motion::BodyCapsules::of(*clip.skeleton);
  if (!body) return fail("the body is no human figure, so what it touches is not known");
  auto collision = world::Collision::create(world);
  if (!collision) return fail_from(collision);
  return find_collisions(clip, *body, *collision);
}

std::vector<Collided> find_collisions(const motion::Clip& clip, const motion::BodyCapsules& body,
                                      world::Collision& collision) {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  std::vector<motion::Capsule> capsules(body.size());
  std::vector<Collided> collided;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    body.place({&poses.positions[f * poses.points], poses.points}, {&poses.rotations[f * poses.joints], poses.joints},
               capsules);
    const auto touch = collision.touch(capsules, static_cast<double>(f) / clip.rate);
    if (touch) collided.push_back({f, touch->obstacle});
  }
  return collided;
}

Result<WalkPlan> plan_walk(const UnrolledGraph& graph, const World& world, const WalkEnd& start, const WalkEnd& goal,
                           const WalkPlanOptions& options, const Progress& progress) {
  const Walker walker{graph, [&](const FoundWalk& walk) { return play_segments(graph, walk); }};
  return WalkPlanner(walker, world, start, goal, options).plan(progress);
}

Result<WalkPlan> plan_walk(const UnrolledMachine& machine, const World& world, const WalkEnd& start,
                           const WalkEnd& goal, const WalkPlanOptions& options, const Progress& progress) {
  const bool simulated = machine.transitions == Transitions::kSimulated;
  const Walker walker{machine.unrolled,
                      [&](const FoundWalk& walk) { return play_actions(machine, walk.nodes, walk.world); }, simulated};
  WalkPlanOptions all = options;
  all.search.scout_ways = 0;  // every behavior that can follow is worth a look: they are few
  return WalkPlanner(walker, world, start, goal, all).plan(progress);
}

}  // namespace loom::plan
