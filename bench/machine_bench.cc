// SPDX-License-Identifier: MIT
//
// Machines of behaviors (Srinivasan 2009): what mining finds against machines drawn by hand (ch. 3, §7.1), how long it
// takes on 87,151 frames, and both ways of making a way the cheapest on random graphs of growing size and density
// (figs. 4.2 and 4.3). Prints the tables of docs/results/machines.md.
//
//     build/bin/bench_machine [mine | big | prefer]     all without a word; needs ../shared/mocap but for `prefer`
//
// Times are of this machine and this run; all else is the same everywhere.
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/random.h>
#include <loom/behavior/state_machine.h>
#include <loom/graph/build.h>
#include <loom/machine/mine.h>
#include <loom/machine/prefer.h>
#include <loom/machine/q_values.h>
#include <loom/project/build.h>
#include <loom/project/machines.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::bench;

/// A set of recordings and the machine somebody drew for it.
struct Drawn {
  const char* name;
  const char* performer;
  const char* file;
};
constexpr Drawn kDrawn[] = {{"locomotion", "16_", "locomotion.machine"},
                            {"martial arts", "144_", "martial-arts.machine"}};

void print_mined(const char* name, const char* how, const project::MinedMachine& mined) {
  std::string missing;
  for (const auto& edge : mined.missing) {
    missing += fmt::format("{}{} to {} ({})", missing.empty() ? "" : ", ", mined.machine.states[edge.from].name,
                           mined.machine.states[edge.to].name, machine::to_string(edge.why));
  }
  const machine::Likeness& likeness = *mined.likeness;
  fmt::print("| {} | {} | {} | {} | {} | {} | {:.2f} | {:.2f} | {} |\n", name, how, mined.graph.nodes(),
             mined.graph.transitions.size(), likeness.mined_edges, likeness.hand_edges, likeness.chi, likeness.rho,
             missing.empty() ? "nothing" : missing);
}

/// Chapter 3 and §7.1: chi and rho against what was drawn, on graphs of two thresholds, and with the steps of single
/// frames compared as the work writes it.
void mine_drawn() {
  fmt::print(
      "| set | graph | frames in it | transitions | edges mined | drawn | chi | rho | drawn and not found |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (const Drawn& drawn : kDrawn) {
    TemporaryLibrary library;
    import_capture(*library, capture_files({drawn.performer}));
    const auto hand =
        need(behavior::load_machine((fs::path(LOOM_SOURCE_DIR) / "bench" / "machines" / drawn.file).string()));
    for (const double centimetres : {0.0, 8.0}) {
      graph::BuildOptions build;
      if (centimetres > 0) build.threshold = graph::square_metres_of(centimetres);
      need(project::build_graph(*library, "g", {}, build));
      const std::string graph = centimetres > 0 ? fmt::format("markers {} cm apart", centimetres) : "usual";
      print_mined(drawn.name, graph.c_str(), need(project::mine_machine(*library, "m", "g", {}, &hand)));
      machine::MineOptions single;
      single.window_seconds = 0;
      print_mined(drawn.name, (graph + ", single frames").c_str(),
                  need(project::mine_machine(*library, "m", "g", single, &hand)));
    }
  }
  fmt::print("\n");
}

/// The set of the size of Zhao 2009.
void mine_big() {
  TemporaryLibrary library;
  import_capture(*library, files_listed(kMocap / "set-87k.txt"));
  graph::BuildOptions build;
  build.connect = 0.99;
  const auto built = need(project::build_graph(*library, "g", {}, build));
  const Stopwatch watch;
  const double before = peak_megabytes();
  const auto values = need(machine::solve_q_values(built.built.graph, machine::MineOptions{}.discount));
  const double solved = watch.wall();
  const auto mined = need(project::mine_machine(*library, "m", "g", {}));
  fmt::print(
      "| frames | in the graph | transitions | states | edges | rounds | Q-values, s | mined, s | peak memory, MB |\n"
      "|---|---|---|---|---|---|---|---|---|\n| {} | {} | {} | {} | {} | {} | {:.2f} | {:.2f} | {:.0f} ({:.0f} "
      "before) |\n\n",
      built.built.frames, mined.graph.nodes(), mined.graph.transitions.size(), mined.machine.states.size(),
      mined.mined.edges(), values.rounds, solved, mined.mined.seconds, peak_megabytes(), before);
}

behavior::StateMachine random_machine(std::size_t states, double density, Random& random) {
  behavior::StateMachine machine;
  machine.name = "random";
  machine.states.resize(states);
  for (std::size_t a = 0; a < states; ++a) {
    machine.states[a].name = fmt::format("s{}", a);
    for (std::size_t b = 0; b < states; ++b) {
      if (a == b || (b != (a + 1) % states && random.uniform() > density)) continue;
      machine.transitions.push_back({a, b, behavior::Link::kPlain, static_cast<float>(random.uniform(0.05, 1)), {}});
    }
  }
  return machine;
}

/// A way of three to five states, at random; empty where the walk ended too soon.
machine::StateWay random_way(const behavior::StateMachine& machine, Random& random) {
  const auto edges = machine::edges_of(machine);
  machine::StateWay way{random.index(machine.states.size())};
  const std::size_t length = 3 + random.index(3);
  while (way.size() < length) {
    std::vector<std::size_t> next;
    for (const auto& edge : edges) {
      if (edge.from == way.back() && std::find(way.begin(), way.end(), edge.to) == way.end()) next.push_back(edge.to);
    }
    if (next.empty()) return {};
    way.push_back(next[random.index(next.size())]);
  }
  return way;
}

constexpr int kGraphs = 20;  ///< of each size and density

/// One row of figure 4.2 or 4.3: means over random graphs and ways, both methods on the same.
void compare_methods(std::size_t states, double density) {
  std::array<machine::PreferMeasures, 2> sums;
  std::array<double, 2> edges_changed{}, ways_changed{};
  int done = 0, failed = 0;
  std::size_t edges = 0;
  Random random(states * 1000 + static_cast<std::size_t>(density * 100));
  while (done + failed < kGraphs) {
    const auto machine = random_machine(states, density, random);
    const auto way = random_way(machine, random);
    if (way.empty()) continue;
    const auto least = machine::prefer(machine, {{way}}, machine::PreferMethod::kLeast);
    const auto quadratic = machine::prefer(machine, {{way}}, machine::PreferMethod::kQuadratic);
    if (!least || !quadratic) {
      ++failed;
      continue;
    }
    ++done;
    edges += machine.transitions.size();
    for (std::size_t m = 0; m < 2; ++m) {
      const machine::PreferMeasures& measures = (m == 0 ? least : quadratic)->measures;
      edges_changed[m] += static_cast<double>(measures.edges_changed);
      ways_changed[m] += static_cast<double>(measures.ways_changed);
      sums[m].relative_change += measures.relative_change;
      sums[m].seconds += measures.seconds;
    }
  }
  const double n = std::max(1, done);
  fmt::print("| {} | {:.1f} | {:.0f} | {:.1f} / {:.1f} | {:.1f} / {:.1f} | {:.3f} / {:.3f} | {:.2f} / {:.2f} | {} |\n",
             states, density, static_cast<double>(edges) / n, edges_changed[0] / n, edges_changed[1] / n,
             ways_changed[0] / n, ways_changed[1] / n, sums[0].relative_change / n, sums[1].relative_change / n,
             1e3 * sums[0].seconds / n, 1e3 * sums[1].seconds / n, failed);
  std::fflush(stdout);
}

void compare_edits() {
  fmt::print(
      "| states | density | edges | edges changed, least / quadratic | other ways changed | relative change | ms | not "
      "solved |\n|---|---|---|---|---|---|---|---|\n");
  for (const std::size_t states : {5, 10, 15, 20}) compare_methods(states, 0.3);
  for (const double density : {0.1, 0.3, 0.5, 0.7, 0.9}) compare_methods(12, density);
  fmt::print("\n");
}

}  // namespace

int main(int count, char** words) {
  const std::string_view only = count > 1 ? words[1] : "";
  const bool capture = !capture_files().empty();
  if (!capture) fmt::print("There is no real capture beside the checkout: only random graphs are measured.\n\n");
  if (capture && (only.empty() || only == "mine")) mine_drawn();
  if (capture && (only.empty() || only == "big")) mine_big();
  if (only.empty() || only == "prefer") compare_edits();
  return 0;
}
