// SPDX-License-Identifier: MIT
//
// Walks planned through worlds on real capture: prints the tables of docs/results/worlds.md.
//
//     build/bin/bench_world                 all of it; needs ../shared/mocap and ../shared/worlds
//     build/bin/bench_world random [N]      N of 200 random worlds: walks compared in full and where feet cross
//     build/bin/bench_world kinds [N]       N of them: standard, well-connected and selected graphs side by side
//     build/bin/bench_world maps            benchmark maps and floor plans
//     build/bin/bench_world large           the graph of 87,151 frames: 12 s of motion, and a minute in a maze
//     build/bin/bench_world machine         the behavior planner, both variants, 6 and 15 samples
//     build/bin/bench_world asks            ducking, jumping, and what moves
//
// Times are of this machine and this run, and how far a search gets in its time with them; worlds and walks are the
// same everywhere. A search has `kSeconds` by the clock.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/file.h>
#include <loom/base/random.h>
#include <loom/behavior/state_machine.h>
#include <loom/blend/family/family_build.h>
#include <loom/graph/stored_graph.h>
#include <loom/machine/build.h>
#include <loom/plan/walk_plan.h>
#include <loom/polish/plant_feet.h>
#include <loom/project/build.h>
#include <loom/project/select_graph.h>
#include <loom/world/floor_obstacles.h>
#include <loom/world/grid_map.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::bench;
using plan::WalkEnd;

const fs::path kWorlds = fs::path(LOOM_SOURCE_DIR) / ".." / "shared" / "worlds";
constexpr double kSeconds = 1;
constexpr double kDegrees = 180 / 3.14159265358979323846;

// Problems. ----------------------------------------------------------------------------------------------------------

struct Problem {
  world::World world;
  WalkEnd start, goal;
};

/// A hall of 14 by 14 metres with boxes and pillars over about a share of its floor; start and goal in opposite
/// corners.
Problem random_problem(std::uint64_t seed, double density) {
  Random random(seed);
  Problem problem{{}, {{1, 1}, {}}, {{13, 13}, {}}};
  problem.world.name = fmt::format("random {}", seed);
  problem.world.ground = {{{0, 0}, {14, 14}}};
  double covered = 0;
  for (int i = 0; covered < density * 14 * 14 && i < 1000; ++i) {
    world::Obstacle o;
    o.name = fmt::format("o{}", i);
    o.at = {random.uniform(0, 14), random.uniform(0, 14), random.uniform(0, 3.1)};
    o.shape = random.uniform() < 0.5 ? world::Shape::kBox : world::Shape::kCylinder;
    o.width = random.uniform(0.3, 2);
    o.depth = random.uniform(0.3, 2);
    o.radius = random.uniform(0.15, 0.8);
    const double reach = o.shape == world::Shape::kBox ? std::hypot(o.width, o.depth) / 2 : o.radius;
    const auto near = [&](const WalkEnd& end) {
      return std::hypot(o.at.x - end.at.x, o.at.z - end.at.z) < reach + 0.8;
    };
    if (near(problem.start) || near(problem.goal)) continue;
    covered += o.shape == world::Shape::kBox ? o.width * o.depth : 3.14159 * o.radius * o.radius;
    problem.world.obstacles.push_back(std::move(o));
  }
  return problem;
}

constexpr double kDensities[] = {0.05, 0.12, 0.2};

/// The `index`th of the 200: densities take turns. Where the floor is closed another seed is taken.
Problem seeded_problem(std::size_t index) {
  for (std::uint64_t seed = index;; seed += 1000) {
    Problem problem = random_problem(seed, kDensities[index % 3]);
    const auto field = need(world::FloorField::create(problem.world));
    // Room for shoulders, so that there is a way for a body, too.
    const world::GoalDistance distance(field, problem.goal.at, 0.35, problem.start.at);
    if (distance.reachable(problem.start.at)) return problem;
  }
}

/// The scenarios of a map whose ways are about `metres` long.
std::vector<Problem> map_problems(const std::string& name, double cell, double metres, std::size_t count) {
  const std::string path = (kWorlds / "grid" / (name + ".map")).string();
  const world::World world = need(world::load_any_world(path, cell));
  const std::string scen = (kWorlds / "grid" / (name + ".scen")).string();
  auto all = need(world::read_scenarios(need(load_file(scen)).text(), scen));
  std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    return std::fabs(a.length * cell - metres) < std::fabs(b.length * cell - metres);
  });
  std::vector<Problem> problems;
  for (const world::Scenario& s : all) {
    const auto middle = [&](std::uint32_t column, std::uint32_t row) {
      return world::Point{(column + 0.5) * cell, (row + 0.5) * cell};
    };
    problems.push_back({world, {middle(s.start_column, s.start_row), {}}, {middle(s.goal_column, s.goal_row), {}}});
    if (problems.size() == count) break;
  }
  return problems;
}

// Figures. -----------------------------------------------------------------------------------------------------------

double share_of(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}
double median(std::vector<double> values) { return share_of(std::move(values), 0.5); }

/// What came of many problems.
struct Figures {
  std::size_t problems = 0, solved = 0, good = 0, collisions = 0;
  std::vector<double> first, to_good, bound, expanded, memory, detour, motion, end_m, end_deg, spent;
  std::vector<std::string> failures;

  void add(const world::World& world, const Result<plan::WalkPlan>& plan) {
    ++problems;
    if (!plan) {
      failures.push_back(world.name + ": " + plan.error().message);
      return;
    }
    ++solved;
    const plan::SearchResult& search = plan->search;
    first.push_back(search.seconds_first);
    spent.push_back(search.seconds);
    bound.push_back(search.bound);
    expanded.push_back(static_cast<double>(search.expanded));
    memory.push_back(static_cast<double>(search.memory) / 1e6);
    for (const plan::SearchStep& step : search.steps) {
      if (step.bound > 1.2 + 1e-3) continue;
      to_good.push_back(step.seconds);
      ++good;
      break;
    }
    detour.push_back(plan->length_m / std::max(plan->floor_m, 1e-6));
    motion.push_back(plan->seconds);
    // As it is shown: with its feet planted, every pose against every obstacle in full.
    motion::Recording shown = *plan->recording;
    need(polish::plant_feet(shown));
    collisions += need(plan::find_collisions(shown.clip, world)).size();
    end_m.push_back(plan->end_error_m);
    end_deg.push_back(plan->end_error_rad * kDegrees);
  }
};

void print_head(const char* what) {
  fmt::print(
      "| {} | solved | motion, s | first answer, s: median / 95 % | bound 1.2 in time | after, s | bound, median | "
      "expanded | memory of a search, MB: median / most | length / floor's | end off, cm, worst | poses that touch |\n",
      what);
  fmt::print("|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

void print_row(const std::string& name, const Figures& f) {
  fmt::print(
      "| {} | {} of {} | {:.1f} | {:.3f} / {:.3f} | {} | {:.2f} | {:.2f} | {:.0f} | {:.1f} / {:.1f} | {:.2f} | {:.2f} "
      "| {} |\n",
      name, f.solved, f.problems, median(f.motion), median(f.first), share_of(f.first, 0.95), f.good, median(f.to_good),
      median(f.bound), median(f.expanded), median(f.memory), share_of(f.memory, 1), median(f.detour),
      100 * share_of(f.end_m, 1), f.collisions);
  std::fflush(stdout);
  for (const std::string& failure : f.failures) fmt::print(stderr, "  {}: {}\n", name, failure);
}

plan::WalkPlanOptions options_of(double seconds = kSeconds) {
  plan::WalkPlanOptions options;
  options.search.seconds = seconds;
  static const Stopwatch watch;
  options.search.clock = [] { return watch.thread(); };
  return options;
}

// Graphs. ------------------------------------------------------------------------------------------------------------

struct Graph {
  std::string name;
  double build_seconds = 0;
  plan::UnrolledGraph unrolled;
};

Graph ready(library::Library& library, const std::string& name, const std::string& title, double build_seconds) {
  const graph::StoredGraph stored = need(graph::load_graph(library, name));
  return {title, build_seconds, need(plan::unroll(stored.graph, stored.motion))};
}

void print_graph_head() {
  fmt::print("| graph | nodes | transitions | built in, s | made ready, MB |\n|---|---|---|---|---|\n");
}
void print_graph(const Graph& g) {
  fmt::print("| {} | {} | {} | {:.2f} | {:.1f} |\n", g.name, g.unrolled.graph->nodes(),
             g.unrolled.graph->transitions.size(), g.build_seconds, static_cast<double>(g.unrolled.memory()) / 1e6);
  std::fflush(stdout);
}

/// Builds graphs, tells what each took, and makes them ready.
class Builder {
 public:
  Builder() {
    import_capture(*library_, capture_files({"16_"}));
    print_graph_head();
  }
  library::Library& library() { return *library_; }
  void add(const char* name, const char* title, const std::function<void()>& build) {
    const Stopwatch watch;
    build();
    graphs_.push_back(ready(*library_, name, title, watch.processor()));
    print_graph(graphs_.back());
  }
  [[nodiscard]] const std::vector<Graph>& graphs() const { return graphs_; }

 private:
  TemporaryLibrary library_;
  std::vector<Graph> graphs_;
};

/// The first `count` random worlds with each graph, the three densities apart; and within a corridor.
void measure_graphs(const std::vector<Graph>& graphs, std::size_t count) {
  const auto solve = [&](const Graph& graph, std::size_t first, std::size_t step, double corridor) {
    Figures figures;
    for (std::size_t i = first; i < count; i += step) {
      const Problem problem = seeded_problem(i);
      plan::WalkPlanOptions options = options_of();
      options.search.corridor = corridor;
      figures.add(problem.world, plan::plan_walk(graph.unrolled, problem.world, problem.start, problem.goal, options));
    }
    return figures;
  };
  fmt::print("\n");
  print_head("graph, share of the floor that is covered");
  for (const Graph& graph : graphs) {
    for (std::size_t density = 0; density < std::size(kDensities); ++density)
      print_row(fmt::format("{}, {:.0f} %", graph.name, 100 * kDensities[density]),
                solve(graph, density, std::size(kDensities), 0));
    // Of the densest alone, where it matters.
    print_row(fmt::format("… 20 %, within a metre of detour"), solve(graph, 2, std::size(kDensities), 1));
  }
  fmt::print("\nPeak memory of all of this {:.0f} MB.\n\n", peak_megabytes());
}

/// Walks and turns of performer 16 with their mirror images.
void measure_random(std::size_t count) {
  Builder builder;
  take::GatherOptions source;
  source.labels = {"walk"};
  source.mirror = true;
  graph::BuildOptions plain, crossings;
  crossings.foot_crossings = true;
  builder.add("all", "all walks", [&] { need(project::build_graph(builder.library(), "all", source, plain)); });
  builder.add("feet", "all walks, by foot crossings",
              [&] { need(project::build_graph(builder.library(), "feet", source, crossings)); });
  measure_graphs(builder.graphs(), count);
}

/// Fourteen of these walks as graphs of three kinds.
void measure_kinds(std::size_t count) {
  Builder builder;
  take::GatherOptions source;
  source.labels = {"walk"};
  for (const int number : {11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 31, 32, 33})
    source.clips.push_back(fmt::format("16_{:02}", number));
  builder.add("standard", "fourteen walks",
              [&] { need(project::build_graph(builder.library(), "standard", source, {})); });
  builder.add("connected", "… well-connected",
              [&] { need(project::connect_graph(builder.library(), "connected", source, graph::ConnectOptions{})); });
  builder.add("selected", "… selected of that", [&] {
    project::SelectSettings settings;
    settings.graph = "connected";
    settings.keys = {"16_31:30-60", "16_32:30-60", "16_11:40-78", "16_12:40-78", "16_13:40-78", "16_14:40-78",
                     "16_17:50-88", "16_18:50-88", "16_19:50-88", "16_20:50-88", "16_21:30-60", "16_22:30-60"};
    need(project::select_graph(builder.library(), "selected", settings));
  });
  measure_graphs(builder.graphs(), count);
}

void measure_maps() {
  TemporaryLibrary library;
  import_capture(*library, capture_files({"16_"}));
  take::GatherOptions source;
  source.labels = {"walk"};
  source.mirror = true;
  need(project::build_graph(*library, "standard", source, {}));
  const Graph graph = ready(*library, "standard", "standard", 0);
  print_head("map, metres a cell, ways of about");
  struct Map {
    const char* name;
    double cell, metres;
  };
  const Map maps[] = {{"arena", 0.5, 15},         {"den101d", 0.5, 15},
                      {"hrt002d", 0.5, 15},       {"lt_house", 0.5, 15},
                      {"room-32-32-4", 1, 30},    {"maze-32-32-2", 1, 50},
                      {"random-32-32-20", 1, 20}, {"warehouse-10-20-10-2-1", 0.5, 30},
                      {"Berlin_0_256", 0.5, 40},  {"16room_000", 0.5, 60}};
  for (const Map& map : maps) {
    Figures figures;
    for (const Problem& problem : map_problems(map.name, map.cell, map.metres, 5))
      figures.add(problem.world, plan::plan_walk(graph.unrolled, problem.world, problem.start, problem.goal,
                                                 options_of(map.metres > 20 ? 2 : kSeconds)));
    print_row(fmt::format("{}, {} m, {:.0f} m", map.name, map.cell, map.metres), figures);
  }
  fmt::print("\n");
}

/// A corridor that winds: `turns` walls across a hall, open at alternating ends.
Problem winding(int turns) {
  Problem problem{{}, {{1, 1}, {}}, {{1, 2.0 * turns + 1}, {}}};
  if (turns % 2 == 1) problem.goal.at.x = 9;
  problem.world.name = fmt::format("winding {}", turns);
  problem.world.ground = {{{0, 0}, {10, 2.0 * turns + 2}}};
  for (int k = 0; k < turns; ++k) {
    world::Obstacle wall;
    wall.name = fmt::format("wall {}", k);
    wall.at = {k % 2 == 0 ? 4.0 : 6.0, 2.0 * k + 2, 0};
    wall.width = 8;
    wall.depth = 0.2;
    problem.world.obstacles.push_back(wall);
  }
  return problem;
}

void measure_large() {
  TemporaryLibrary library;
  import_capture(*library, files_listed(kMocap / "set-87k.txt"));
  const Stopwatch watch;
  need(project::build_graph(*library, "large", {}, {}));
  const double seconds = watch.processor();
  const Graph graph = ready(*library, "large", "87,151 frames", seconds);
  print_graph_head();
  print_graph(graph);
  fmt::print("\n");
  print_head("world");
  const auto row = [&](const char* name, const std::vector<Problem>& problems, double limit) {
    Figures figures;
    for (const Problem& problem : problems)
      figures.add(problem.world,
                  plan::plan_walk(graph.unrolled, problem.world, problem.start, problem.goal, options_of(limit)));
    print_row(name, figures);
  };
  std::vector<Problem> random;
  for (std::size_t i = 0; i < 12; ++i) random.push_back(seeded_problem(i));
  row("random worlds", random, kSeconds);
  row("winding hall of 9 walls", {winding(9)}, 5);
  row("maze-32-32-2, 1 m, ways of 60 m", map_problems("maze-32-32-2", 1, 60, 6), 4);
  fmt::print("\nPeak memory {:.0f} MB, building included.\n\n", peak_megabytes());
}

// Machines. ----------------------------------------------------------------------------------------------------------

void add_family(library::Library& library, const std::string& name, const std::vector<int>& numbers) {
  blend::FamilyOptions options;
  for (const int number : numbers) options.clips.push_back(fmt::format("16_{:02}", number));
  options.kind = blend::FamilyKind::kLocomotion;
  options.rate = 30;
  options.leave_out_strangers = true;
  need(project::build_family(library, name, options));
}

std::shared_ptr<const machine::BuiltMachine> turning_machine(library::Library& library) {
  import_capture(library, capture_files({"16_"}));
  add_family(library, "left-walks", {16, 31, 32, 47, 58, 21, 11, 12, 17, 18, 24, 27});
  add_family(library, "right-walks", {16, 31, 32, 47, 58, 22, 13, 14, 19, 20, 25, 26, 29, 30});
  const auto drawn =
      need(behavior::load_machine((fs::path(LOOM_SOURCE_DIR) / "bench" / "machines" / "turning.machine").string()));
  return std::make_shared<const machine::BuiltMachine>(need(machine::build(library, drawn)));
}

/// A wall between start and goal, 12 s of walking: as in Srinivasan 2009 fig. 7.6.
Problem behind_a_wall() {
  Problem problem{{}, {{0, 0}, 0.0}, {{0, 12}, {}}};
  problem.world.name = "wall";
  problem.world.ground = {{{-10, -4}, {10, 16}}};
  world::Obstacle wall;
  wall.name = "wall";
  wall.at = {0, 6, 0};
  wall.width = 6;
  wall.depth = 0.4;
  problem.world.obstacles = {wall};
  return problem;
}

void measure_machine() {
  TemporaryLibrary library;
  const auto built = turning_machine(*library);
  fmt::print(
      "| planner | samples a state | actions | made ready, s | first answer, s | motion, s | bound | expanded | "
      "length, m | goes astray by, cm | end off, cm | poses that touch |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  const auto row = [&](const Problem& problem, std::size_t samples, plan::Transitions transitions) {
    plan::UnrollMachineOptions options;
    options.samples = samples;
    options.transitions = transitions;
    const Stopwatch watch;
    const auto ready = need(plan::unroll_machine(built, options));
    const double seconds = watch.processor();
    const auto plan = plan::plan_walk(ready, problem.world, problem.start, problem.goal, options_of());
    const std::string name = fmt::format(
        "{}, {}", transitions == plan::Transitions::kSimulated ? "simulated (alg. 6.2)" : "ignored (alg. 6.1)",
        problem.world.name);
    if (!plan) {
      fmt::print("| {} | {} | {} | {:.2f} | {} |\n", name, samples, ready.actions.size(), seconds,
                 plan.error().message);
      return;
    }
    fmt::print("| {} | {} | {} | {:.2f} | {:.3f} | {:.1f} | {:.2f} | {} | {:.1f} | {:.1f} | {:.1f} | {} |\n", name,
               samples, ready.actions.size(), seconds, plan->search.seconds_first, plan->seconds, plan->search.bound,
               plan->search.expanded, plan->length_m, 100 * plan->drift_m, 100 * plan->end_error_m, plan->collisions);
    std::fflush(stdout);
  };
  for (const auto transitions : {plan::Transitions::kIgnored, plan::Transitions::kSimulated})
    for (const std::size_t samples : {6u, 15u}) row(behind_a_wall(), samples, transitions);
  fmt::print("\n");
  print_head("machine, share of the floor that is covered");
  plan::UnrollMachineOptions options;
  const auto ready = need(plan::unroll_machine(built, options));
  for (std::size_t density = 0; density < std::size(kDensities); ++density) {
    Figures figures;
    for (std::size_t i = density; i < 60; i += std::size(kDensities)) {
      const Problem problem = seeded_problem(i);
      figures.add(problem.world, plan::plan_walk(ready, problem.world, problem.start, problem.goal, options_of()));
    }
    print_row(fmt::format("15 samples, {:.0f} %", 100 * kDensities[density]), figures);
  }
  fmt::print("\n");
}

// What is asked for. -------------------------------------------------------------------------------------------------

void measure_asks() {
  TemporaryLibrary library;
  import_capture(*library, capture_files({"127_"}));
  graph::BuildOptions build;
  build.threshold = graph::square_metres_of(9);
  take::GatherOptions source;
  source.mirror = true;
  need(project::build_graph(*library, "run", source, build));
  const Graph graph = ready(*library, "run", "performer 127", 0);
  print_graph_head();
  print_graph(graph);
  fmt::print("\n");
  const char* const hall = "ground -3 0 3 30\nstart 0 2\ngoal 0 28\n";
  const std::pair<const char*, std::string> worlds[] = {
      {"a bar at 1.5 m", "box bar at 0 15 size 6 0.1 from 1.5 to 1.7 asks duck\n"},
      {"a bar at 1.3 m", "box bar at 0 15 size 6 0.1 from 1.3 to 1.5 asks duck\n"},
      {"a bar at 0.6 m", "box bar at 0 15 size 6 0.1 from 0.6 to 0.8 asks duck\n"},
      {"a log 0.2 m high, to be jumped over", "box log at 0 15 size 6 0.2 to 0.2 asks jump\n"},
      {"a log 0.1 m high, to be stepped over", "box log at 0 15 size 6 0.1 to 0.1 asks step\n"},
      {"a log 0.6 m high, to be stepped over", "box log at 0 15 size 6 0.1 to 0.6 asks step\n"},
      {"a gap of 0.6 m", "gap ditch: -3 14.7, 3 14.7, 3 15.3, -3 15.3\n"},
      {"a gap of 1 m", "gap ditch: -3 14.5, 3 14.5, 3 15.5, -3 15.5\n"},
      {"a door that slides shut and open",
       "box door at 0 15 size 6 0.3 to 2.5\npath door loop: 0 0 15, 4 6 15, 8 0 15\n"},
  };
  fmt::print(
      "| world | motion, s | first answer, s | expanded | poses that touch | or why not "
      "|\n|---|---|---|---|---|---|\n");
  for (const auto& [name, text] : worlds) {
    const world::World world = need(world::parse_world(hall + text, name));
    const auto plan =
        plan::plan_walk(graph.unrolled, world, {world.starts[0].at, {}}, {world.goals[0].at, {}}, options_of(10));
    if (!plan) {
      fmt::print("| {} | – | – | – | – | {} |\n", name, plan.error().message);
    } else {
      fmt::print("| {} | {:.1f} | {:.2f} | {} | {} | |\n", name, plan->seconds, plan->search.seconds_first,
                 plan->search.expanded, need(plan::find_collisions(plan->recording->clip, world)).size());
    }
    std::fflush(stdout);
  }
  fmt::print("\n");
}

}  // namespace

int main(int count, char** words) {
  const std::string_view only = count > 1 ? words[1] : "";
  if (capture_files().empty() || !fs::exists(kWorlds)) {
    fmt::print("There is no real capture, or there are no worlds, beside the checkout.\n");
    return 0;
  }
  const auto number = [&](std::size_t usual) {
    return count > 2 ? static_cast<std::size_t>(std::max(std::atoi(words[2]), 1)) : usual;
  };
  if (only.empty() || only == "random") measure_random(number(200));
  if (only.empty() || only == "kinds") measure_kinds(number(30));
  if (only.empty() || only == "maps") measure_maps();
  if (only.empty() || only == "large") measure_large();
  if (only.empty() || only == "machine") measure_machine();
  if (only.empty() || only == "asks") measure_asks();
  return 0;
}
