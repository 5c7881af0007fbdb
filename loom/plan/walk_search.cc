// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <unordered_map>

#include <loom/base/math.h>
#include <loom/base/memory.h>
#include <loom/base/whole.h>
#include <loom/plan/walk_search.h>

namespace loom::plan {
namespace {

using graph::Node;
using motion::GroundFrame;

constexpr std::uint32_t kStride = UnrolledGraph::kAhead;  ///< frames of a step that goes on
constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr double kNearGoal = 3;      ///< metres: nearer than this every frame may be the last
constexpr float kBendShown = 2;      ///< seconds over which the end is bent
constexpr double kExactCell = 1e-4;  ///< metres and radians: what is nearer is the same place
constexpr float kNever = std::numeric_limits<float>::infinity();

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A state, as it was reached; never changed but for `closed`, so that ways stay what they were.
struct Record {
  Node node = 0;       ///< to be played next
  GroundFrame world;   ///< of its clip
  float g = 0, h = 0;  ///< frames
  std::uint32_t parent = kNone;
  Node left = kNone, entry = 0;  ///< the transition on the way here; kNone: went on
  std::uint32_t closed = 0;      ///< the round in which it was expanded
};

struct Waiting {
  float key = 0;
  std::uint32_t record = 0;

  /// Of a heap: the least key first, of equal ones the newest, which is farther on its way.
  friend bool operator<(const Waiting& a, const Waiting& b) {
    return a.key != b.key ? a.key > b.key : a.record < b.record;
  }
};

struct StateKey {
  std::uint32_t node = 0;
  std::int32_t x = 0, z = 0, turn = 0, time = 0;

  friend bool operator==(const StateKey&, const StateKey&) = default;
};

struct StateHash {
  std::size_t operator()(const StateKey& k) const {
    std::uint64_t h = k.node * 0x9E3779B97F4A7C15ull;
    h ^= (static_cast<std::uint64_t>(static_cast<std::uint32_t>(k.x)) << 32) | static_cast<std::uint32_t>(k.z);
    h *= 0xBF58476D1CE4E5B9ull;
    const auto when = static_cast<std::uint64_t>(static_cast<std::uint32_t>(k.time)) << 20;
    h ^= (h >> 29) ^ (static_cast<std::uint64_t>(static_cast<std::uint32_t>(k.turn)) ^ when) * 0x94D049BB133111EBull;
    return h ^ (h >> 32);
  }
};

GroundFrame start_frame(const WalkEnd& start, double heading) {
  return {static_cast<float>(start.at.x), static_cast<float>(start.at.z), static_cast<float>(heading)};
}

}  // namespace

/// One search with one grid of duplicates.
struct WalkSearch::Engine {
  Engine(const WalkSearch& owner, const WalkEnd& goal_end, const SearchOptions& with, bool scouting)
      : search(owner),
        unrolled(owner.graph_),
        graph(*owner.graph_.graph),
        goal(goal_end),
        options(with),
        scout(scouting) {
    forced = to_whole<std::uint32_t>(std::max(1.0, std::ceil(options.min_seconds * graph.rate)));
    cell = std::max(options.cell, kExactCell);
    turn_cell = std::max(options.turn_cell, kExactCell);
    time_frames = options.time_cell * graph.rate;
    if (scout) find_classes();
  }

  void find_classes() {
    classes.resize(graph.nodes());
    for (Node n = 0; n < graph.nodes(); ++n) {
      const Node then = std::min(n + 12, graph.last_of_run(n));
      const GroundFrame step = inverse(unrolled.frame[n]) * unrolled.frame[then];
      const float share = 12.0f / static_cast<float>(std::max<Node>(then - n, 1));
      const auto bin = [](float value, float width) {
        return to_whole<std::uint32_t>(std::round(static_cast<double>(value / width)) + 64) & 255u;
      };
      classes[n] =
          bin(step.x * share, 0.2f) | (bin(step.z * share, 0.2f) << 8) | (bin(step.heading * share, 0.3f) << 16);
    }
  }

  [[nodiscard]] StateKey key_of(Node node, const GroundFrame& at, float g) const {
    return {scout ? classes[node] : node, to_whole<std::int32_t>(std::floor(static_cast<double>(at.x) / cell)),
            to_whole<std::int32_t>(std::floor(static_cast<double>(at.z) / cell)),
            to_whole<std::int32_t>(std::floor(static_cast<double>(at.heading) / turn_cell)),
            time_frames > 0 ? to_whole<std::int32_t>(std::floor(static_cast<double>(g) / time_frames)) : 0};
  }

  /// Metres that may be left to the goal at a place, within the corridor.
  [[nodiscard]] float corridor_left(const GroundFrame& at) const {
    if (!(options.corridor > 0) || search.from_start_ == nullptr) return kNever;
    const float whole = search.from_start_->at_least(goal.at.x, goal.at.z) + static_cast<float>(options.corridor);
    return whole - search.from_start_->at_least(static_cast<double>(at.x), static_cast<double>(at.z));
  }

  [[nodiscard]] float left_from(Node node, const GroundFrame& at) const {
    const float metres = search.distance_.at_least(static_cast<double>(at.x), static_cast<double>(at.z));
    if (!std::isfinite(metres) || metres > corridor_left(at)) return kNever;
    float frames = unrolled.metres.frames(node, metres - static_cast<float>(options.goal_radius));
    if (goal.heading) {
      const float turn = std::fabs(wrap_angle(static_cast<float>(*goal.heading) - at.heading));
      frames = std::max(frames, unrolled.radians.frames(node, turn - static_cast<float>(options.goal_turn)));
    }
    return frames;
  }

  [[nodiscard]] bool at_goal(const GroundFrame& at) const {
    const double dx = static_cast<double>(at.x) - goal.at.x, dz = static_cast<double>(at.z) - goal.at.z;
    if (std::hypot(dx, dz) > options.goal_radius) return false;
    if (goal.heading &&
        std::fabs(static_cast<double>(wrap_angle(static_cast<float>(*goal.heading) - at.heading))) > options.goal_turn)
      return false;
    return search.field_.obstacles().reach({static_cast<double>(at.x), static_cast<double>(at.z)}, goal.at,
                                           options.root_radius * 0.5) >= 1;
  }

  /// A stretch of nodes of one run, [begin, end), as it lies in the world.
  struct Stretch {
    Node begin = 0, end = 0;
    GroundFrame world;
  };
  /// Calls `visit(stretch)` for what is played before a record's node, the latest first, until it says false.
  template <typename Visit>
  void back_from(std::uint32_t index, const Visit& visit) const {
    while (index != kNone) {
      const Record& r = records[index];
      if (r.parent == kNone) return;
      const Record& before = records[r.parent];
      if (r.left == kNone) {
        if (!visit(Stretch{before.node, r.node, r.world})) return;
      } else if (!visit(Stretch{r.entry, r.node, r.world}) || !visit(Stretch{before.node, r.left + 1, before.world})) {
        return;
      }
      index = r.parent;
    }
  }

  /// Whether the body is clear where it ends, and as long before as that is bent, once the end is bent to the goal
  /// exactly. `end` is what is played last, after `left` of the record `parent` where there was a transition.
  [[nodiscard]] bool ends_well(const Stretch& end, float g, std::uint32_t parent, Node left) const {
    const Node last = end.end - 1;
    const GroundFrame at = end.world * unrolled.frame[last];
    const float turn = goal.heading ? wrap_angle(static_cast<float>(*goal.heading) - at.heading) : 0;
    const auto goal_x = static_cast<float>(goal.at.x), goal_z = static_cast<float>(goal.at.z);
    std::uint32_t back = 0;  // frames before the last
    bool clear = true;
    const auto look = [&](const Stretch& stretch) {
      for (Node n = stretch.end; n-- > stretch.begin; ++back) {
        const float share = 1 - static_cast<float>(back) / (kBendShown * static_cast<float>(graph.rate));
        if (share <= 0) return false;
        // As walk_plan.cc bends: about the last place, and by what is missing of the way.
        const GroundFrame about{at.x, at.z, 0}, by{0, 0, turn * smoothstep(share)};
        GroundFrame bent = about * by * inverse(about) * stretch.world;
        bent.x += (goal_x - at.x) * smoothstep(share);
        bent.z += (goal_z - at.z) * smoothstep(share);
        const double when = static_cast<double>(g - static_cast<float>(back)) / graph.rate;
        clear = search.clear(n, bent, options, when);
        if (!clear) return false;
      }
      return true;
    };
    if (!look(end)) return clear;
    const Record& from = records[parent];
    if (left != kNone && !look({from.node, left + 1, from.world})) return clear;
    back_from(parent, look);
    return clear;
  }

  /// How many of the nodes [begin, end) are clear, from the first on. They are of one run.
  [[nodiscard]] std::uint32_t clear_frames(Node begin, Node end, const GroundFrame& world, float g) const {
    const float c = std::cos(world.heading), s = std::sin(world.heading);
    const auto margin = static_cast<float>(options.margin);
    for (Node n = begin; n < end;) {
      if ((!search.passes_ || search.far_) && end - n <= UnrolledGraph::kAhead) {
        const Disc& d = unrolled.ahead[n];
        const float x = world.x + c * d.x + s * d.z, z = world.z - s * d.x + c * d.z;
        bool plain = search.field_.clearance(static_cast<double>(x), static_cast<double>(z)) >= d.radius + margin &&
                     d.radius + margin < world::FloorField::kFar;
        for (Node k = n; plain && k < end; ++k) plain = unrolled.asks[k] == 0;
        if (plain && search.far_) {
          const double when = static_cast<double>(g + static_cast<float>(n - begin)) / graph.rate;
          plain = search.far_(static_cast<double>(x), static_cast<double>(z), static_cast<double>(d.radius), when);
        }
        if (plain) return end - begin;
      }
      if (!search.clear(n, world, options, static_cast<double>(g + static_cast<float>(n - begin)) / graph.rate))
        return n - begin;
      ++n;
    }
    return end - begin;
  }

  void add(const Record& record, const StateKey& key) {
    const auto index = static_cast<std::uint32_t>(records.size());
    const auto [found, fresh] = table.try_emplace(key, index);
    const bool again = !fresh && records[found->second].closed == round;
    found->second = index;
    records.push_back(record);
    if (again) {
      inconsistent.push_back(index);
    } else {
      heap.push_back({record.g + weight * record.h, index});
      std::push_heap(heap.begin(), heap.end());
    }
  }

  /// Whether a state at this cost is worth a look: not dearer than a known one, nor than the best answer.
  [[nodiscard]] bool welcome(const StateKey& key, float g, float h) const {
    if (!(g + h < best)) return false;
    const auto found = table.find(key);
    return found == table.end() || g < records[found->second].g;
  }

  /// Looks for the goal among nodes played one after the other; the first is played `g` frames after the start.
  void look_for_goal(Node begin, Node end, const GroundFrame& world, float g, std::uint32_t parent, Node left,
                     Node entry) {
    for (Node n = begin; n < end; ++n) {
      const float cost = g + static_cast<float>(n - begin);
      if (cost >= best) return;
      if (unrolled.grounded[n] == 0 || !at_goal(world * unrolled.frame[n]) ||
          !ends_well({begin, n + 1, world}, cost, parent, left))
        continue;
      best = cost;
      best_record = {n, world, cost, 0, parent, left, entry, 0};
      return;
    }
  }

  void expand(std::uint32_t index) {
    records[index].closed = round;
    const Record from = records[index];
    ++expanded;
    const GroundFrame here = from.world * unrolled.frame[from.node];
    if (options.watch != nullptr && options.watch->looked) tell_looked(from, here);
    const bool near =
        std::hypot(static_cast<double>(here.x) - goal.at.x, static_cast<double>(here.z) - goal.at.z) < kNearGoal;
    const Node end = std::min(from.node + kStride, graph.last_of_run(from.node)) + 1;  // one more: where a step arrives
    const std::uint32_t free = clear_frames(from.node, end, from.world, from.g);
    if (near) look_for_goal(from.node, from.node + free, from.world, from.g, index, kNone, 0);
    for (std::uint32_t k = 0; k < std::min(free, kStride); ++k) {
      const Node leave = from.node + k;
      std::size_t looked = 0;
      for (const graph::Transition& t : graph.transitions_of(leave)) {
        if (options.ways > 0 && looked++ >= options.ways) break;
        take(from, index, leave, t, near);
      }
    }
    if (free > kStride) {
      const Node to = from.node + kStride;
      arrive({to, from.world, from.g + static_cast<float>(kStride), 0, index, kNone, 0, 0});
    }
  }

  /// Tells who looks on where the way to a state began and where it ends.
  void tell_looked(const Record& record, const GroundFrame& here) const {
    const auto point = [](const GroundFrame& at) {
      return world::Point{static_cast<double>(at.x), static_cast<double>(at.z)};
    };
    if (record.parent == kNone) return options.watch->looked(point(here), point(here));
    const Record& before = records[record.parent];
    options.watch->looked(point(before.world * unrolled.frame[before.node]), point(here));
  }

  void take(const Record& from, std::uint32_t index, Node leave, const graph::Transition& t, bool near) {
    const Node to = std::min(t.to + forced, graph.last_of_run(t.to));
    const GroundFrame world = from.world * t.alignment;
    const float entered = from.g + static_cast<float>(leave - from.node + 1);
    const GroundFrame at = world * unrolled.frame[to];
    const float g = entered + static_cast<float>(to - t.to), h = left_from(to, at);
    const StateKey key = key_of(to, at, g);
    const bool wanted = welcome(key, g, h);
    if (!wanted && !near) return;
    const std::uint32_t free = clear_frames(t.to, to + 1, world, entered);
    if (near) look_for_goal(t.to, t.to + free, world, entered, index, leave, t.to);
    if (wanted && free == to + 1 - t.to) add({to, world, g, h, index, leave, t.to, 0}, key);
  }

  void arrive(Record record) {
    const GroundFrame at = record.world * unrolled.frame[record.node];
    record.h = left_from(record.node, at);
    const StateKey key = key_of(record.node, at, record.g);
    if (welcome(key, record.g, record.h)) add(record, key);
  }

  void begin(const WalkEnd& start) {
    std::vector<Node> nodes;
    if (options.start_node) {
      nodes.push_back(*options.start_node);
    } else {
      const std::size_t all = unrolled.begins.empty() ? graph.nodes() : unrolled.begins.size();
      const std::size_t count = std::min(options.starts, all);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t chosen = i * all / count;
        const Node node = unrolled.begins.empty() ? static_cast<Node>(chosen) : unrolled.begins[chosen];
        if (unrolled.grounded[node] != 0) nodes.push_back(node);
      }
    }
    constexpr int kHeadings = 8;
    for (const Node n : nodes) {
      for (int k = 0; k < (start.heading ? 1 : kHeadings); ++k) {
        const double heading = start.heading ? *start.heading : k * 2 * static_cast<double>(kPi) / kHeadings;
        const GroundFrame world = start_frame(start, heading) * inverse(unrolled.frame[n]);
        if (clear_frames(n, n + 1, world, 0) == 1) arrive({n, world, 0, 0, kNone, kNone, 0, 0});
      }
    }
  }

  /// The least that any walk still to be found takes, in frames.
  [[nodiscard]] float least() const {
    float low = best;
    const auto look = [&](std::uint32_t i) {
      const Record& r = records[i];
      low = std::min(low, r.g + r.h);
    };
    for (const Waiting& w : heap) {
      if (records[w.record].closed != round) look(w.record);
    }
    for (const std::uint32_t i : inconsistent) look(i);
    return low;
  }

  /// Weighs the heuristic anew and puts everything that waits in order.
  void reweigh(float to) {
    weight = to;
    ++round;
    for (const std::uint32_t i : inconsistent) heap.push_back({0, i});
    inconsistent.clear();
    std::size_t kept = 0;
    for (const Waiting& w : heap) {
      const Record& r = records[w.record];
      if (r.closed != 0 || !(r.g + r.h < best)) continue;
      heap[kept++] = {r.g + weight * r.h, w.record};
    }
    heap.resize(kept);
    std::make_heap(heap.begin(), heap.end());
  }

  /// Bytes that it keeps, about: a table has a link and a bucket for each of its entries.
  [[nodiscard]] std::size_t memory() const {
    return records.capacity() * sizeof(Record) + heap.capacity() * sizeof(Waiting) +
           inconsistent.capacity() * sizeof(std::uint32_t) + classes.capacity() * sizeof(std::uint32_t) +
           table.size() * (sizeof(std::pair<StateKey, std::uint32_t>) + 2 * sizeof(void*)) +
           table.bucket_count() * sizeof(void*);
  }

  [[nodiscard]] FoundWalk walk() const {
    std::vector<Record> way{best_record};
    while (way.back().parent != kNone) way.push_back(records[way.back().parent]);
    std::reverse(way.begin(), way.end());
    FoundWalk walk;
    walk.world = way.front().world;
    for (std::size_t i = 1; i < way.size(); ++i) {
      const Record& r = way[i];
      const Node first = way[i - 1].node;
      for (Node n = first; n < (r.left == kNone ? r.node : r.left + 1); ++n) walk.nodes.push_back(n);
      if (r.left != kNone) {
        for (Node n = r.entry; n < r.node; ++n) walk.nodes.push_back(n);
      }
    }
    walk.nodes.push_back(best_record.node);
    walk.end = best_record.world * unrolled.frame[best_record.node];
    return walk;
  }

  const WalkSearch& search;
  const UnrolledGraph& unrolled;
  const graph::MotionGraph& graph;
  const WalkEnd& goal;
  const SearchOptions& options;
  bool scout;
  double cell = 0, turn_cell = 0, time_frames = 0;
  std::uint32_t forced = 1;
  float weight = 1, best = kNever;
  std::uint32_t round = 1;
  std::size_t expanded = 0;
  Record best_record;
  std::vector<std::uint32_t> classes;
  std::vector<Record> records;
  std::vector<Waiting> heap;
  std::vector<std::uint32_t> inconsistent;
  std::unordered_map<StateKey, std::uint32_t, StateHash> table;
};

WalkSearch::WalkSearch(const UnrolledGraph& graph, const world::FloorField& field, const world::GoalDistance& distance,
                       Passes passes, Far far)
    : graph_(graph), field_(field), distance_(distance), passes_(std::move(passes)), far_(std::move(far)) {}
WalkSearch::~WalkSearch() = default;

bool WalkSearch::clear(Node node, const GroundFrame& world, const SearchOptions& options, double seconds) const {
  if (passes_ ? !passes_(node, world, seconds) : graph_.asks[node] != 0) return false;
  const float c = std::cos(world.heading), s = std::sin(world.heading);
  const auto clearance = [&](float x, float z) {
    return field_.clearance(static_cast<double>(world.x + c * x + s * z), static_cast<double>(world.z - s * x + c * z));
  };
  const auto margin = static_cast<float>(options.margin);
  const Disc& around = graph_.around[node];
  if (clearance(around.x, around.z) >= around.radius + margin) return true;
  if (clearance(graph_.frame[node].x, graph_.frame[node].z) < static_cast<float>(options.root_radius)) return false;
  for (std::uint32_t i = graph_.first_disc[node]; i < graph_.first_disc[node + 1]; ++i) {
    const Disc& d = graph_.discs[i];
    if (clearance(d.x, d.z) < d.radius + margin) return false;
  }
  return true;
}

double WalkSearch::seconds_left(Node node, const GroundFrame& world, const WalkEnd& goal,
                                const SearchOptions& options) const {
  const Engine engine(*this, goal, options, false);
  return static_cast<double>(engine.left_from(node, world * graph_.frame[node])) / graph_.graph->rate;
}

Result<SearchResult> WalkSearch::find(const WalkEnd& start, const WalkEnd& goal, const SearchOptions& options,
                                      const Progress& progress, const Accepts& accepts) {
  const std::function<double()> clock = options.clock ? options.clock : wall_seconds;
  const double begun = clock();
  const double rate = graph_.graph->rate;
  SearchResult result;
  bool stopped = false;
  float least = 0;
  float best = kNever;     // of what was accepted
  float refused = kNever;  // the cheapest of what was not
  /// Tries an engine's answer, unless it was tried; false where there is nothing that would do.
  const auto answer = [&](const Engine& engine) {
    if (!(engine.best < best) || !(engine.best < refused)) return best < kNever || !(refused < kNever);
    FoundWalk walk = engine.walk();
    if (!accepts || accepts(walk)) {
      best = engine.best;
      result.walk = std::move(walk);
      return true;
    }
    refused = engine.best;
    if (!result.walk) result.refused = std::move(walk);
    return result.walk.has_value();
  };

  const auto note = [&](const Engine& engine, float lower) {
    const double cost = static_cast<double>(engine.best) / rate, low = static_cast<double>(lower) / rate;
    if (result.steps.empty()) result.seconds_first = clock() - begun;
    const double bound = cost / std::max(low, 1e-9);
    if (!result.steps.empty() && result.steps.back().cost <= cost && result.steps.back().bound <= bound) return;
    result.steps.push_back({clock() - begun, cost, bound, result.expanded + engine.expanded});
    if (options.watch != nullptr && options.watch->better) options.watch->better(result.steps.back());
  };
  bool enough = false;                               // somebody who looks on says so
  const std::size_t most_bytes = free_memory() / 2;  // what grows is held twice for a moment
  /// Expands until the weight's answer is found; false when the time, or the memory, is over.
  const auto run = [&](Engine& engine, double until) {
    while (!engine.heap.empty() && engine.heap.front().key < engine.best) {
      const std::uint32_t index = engine.heap.front().record;
      std::pop_heap(engine.heap.begin(), engine.heap.end());
      engine.heap.pop_back();
      const Record& record = engine.records[index];
      if (record.closed == engine.round) continue;
      const GroundFrame at = record.world * graph_.frame[record.node];
      const auto known = engine.table.find(engine.key_of(record.node, at, record.g));
      if (known->second != index) continue;  // a cheaper one has come
      const float before = engine.best;
      engine.expand(index);
      if (engine.best < before) note(engine, least);
      if (engine.expanded % 64 == 0) {
        enough = enough || (options.watch != nullptr && options.watch->enough && options.watch->enough());
        if (enough || clock() - begun > until || engine.records.size() > options.most_states ||
            engine.memory() > most_bytes)
          return false;
        if (!progress.report(std::min(1.0, (clock() - begun) / options.seconds), "looking for a way")) {
          stopped = true;
          return false;
        }
      }
    }
    return true;
  };

  bool refusal = false;
  if (options.scout) {
    constexpr double kShare = 0.5;
    constexpr float kLeastWeight = 1.05f;
    SearchOptions quick = options;
    if (options.scout_ways > 0)
      quick.ways = options.ways > 0 ? std::min(options.ways, options.scout_ways) : options.scout_ways;
    Engine scout(*this, goal, quick, true);
    scout.weight = static_cast<float>(options.first_bound);
    scout.begin(start);
    for (const Record& r : scout.records) least = least > 0 ? std::min(least, r.h) : r.h;
    // Weighed less and less, as long as there is time for it and the answer may still be far from the best.
    while (true) {
      const bool done = run(scout, options.seconds * kShare);
      if (scout.best < kNever) note(scout, least);
      refusal = !answer(scout);
      if (!done || refusal || scout.best <= least * static_cast<float>(options.bound) || scout.weight <= kLeastWeight ||
          (scout.heap.empty() && scout.inconsistent.empty()))
        break;
      scout.reweigh(std::max(kLeastWeight, scout.weight * 0.7f));
    }
    result.expanded += scout.expanded;
    result.states += scout.records.size();
    result.memory = scout.memory();
  }

  Engine engine(*this, goal, options, false);
  if (!stopped && !enough && !refusal) {
    engine.best = std::min(best, refused);
    engine.begin(start);
    least = engine.least();
    // What is known to be so good already need not be looked for.
    engine.weight = std::max(1.0f, std::min(static_cast<float>(options.first_bound), engine.best / least));
    engine.reweigh(engine.weight);
    while (!stopped) {
      const bool done = run(engine, options.seconds);
      least = std::max(least, engine.least());
      if (engine.best < kNever) note(engine, least);
      refusal = !answer(engine);
      if (!done || refusal || engine.best <= least * static_cast<float>(options.bound) + 1e-3f || engine.weight <= 1)
        break;
      if (!(engine.best < kNever) && engine.heap.empty() && engine.inconsistent.empty()) break;
      engine.reweigh(std::max(1.0f, std::min(engine.weight * 0.6f, engine.best / least)));
    }
    result.exhausted = engine.heap.empty() && engine.inconsistent.empty();
  }
  if (stopped) return fail_as(ErrorKind::kStopped, "stopped while looking for a way");
  result.expanded += engine.expanded;
  result.states += engine.records.size();
  result.memory = std::max(result.memory, engine.memory());
  result.seconds = clock() - begun;
  if (result.walk) {
    result.cost = static_cast<double>(best) / rate;
    result.least = static_cast<double>(std::min(least, best)) / rate;
    result.bound = result.least > 0 ? result.cost / result.least : 1;
  }
  return result;
}

}  // namespace loom::plan
