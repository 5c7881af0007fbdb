// SPDX-License-Identifier: MIT
//
// policy::Fragment policies on real capture: prints the tables of docs/results/fragments.md (McCann & Pollard 2007
// table 1).
//
//     build/bin/bench_fragments [PICTURES]     needs ../shared/mocap; without it the sample motions are used and the
//                                              output says so. PICTURES: a folder for figures 5 to 7
//     build/bin/bench_fragments --large        20,000 fragments as well: about 1 GB and some minutes
//
// Figures of time are of this machine and this run; percentages are the same everywhere.
#include <cstring>
#include <string>
#include <vector>

#include <loom/base/parallel.h>
#include <loom/picture/save.h>
#include <loom/policy/comparison.h>
#include <loom/policy/simulated_player.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/train.h>
#include <loom/report/policy_figures.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::policy;
using namespace loom::bench;

constexpr std::size_t kWorksFragments = 5934;

/// Walking, running, jumping and side-stepping of three performers: of 16 all, of 69 walks, turns, steps backwards and
/// sideways, of 127 runs, stops and jumps.
std::vector<std::string> locomotion_files(bool large) {
  std::vector<std::string> files;
  for (const std::string& file : capture_files()) {
    const std::string name = fs::path(file).stem().string();
    const auto bar = name.find('_');
    const std::string performer = name.substr(0, bar);
    const int take = std::atoi(name.c_str() + bar + 1);
    const auto within = [&](int from, int to) { return take >= from && take <= to; };
    const bool wanted = performer == "16" || (performer == "127" && (within(3, 22) || within(25, 28))) ||
                        (performer == "69" && (within(1, 5) || within(20, 33) || within(50, 67)));
    const bool more = large && performer == "69" && within(6, 67);
    if (wanted || more) files.push_back(file);
  }
  return files;
}

void fill(library::Library& library, bool large) {
  if (fs::exists(kMocap)) return import_capture(library, locomotion_files(large), "16");
  fmt::print("Real capture is not there: these figures are of the sample motions.\n\n");
  add_samples(library);
}

/// The players that policies are trained for: seven minutes of two, as in the work.
std::vector<policy::Trace> training_traces(std::uint64_t first_player = 0) {
  return policy::simulate_players({7, 60, first_player, 1, {policy::kAirborne}});
}

/// Two minutes of play at another time, in pieces of ten seconds.
std::vector<policy::Trace> evaluation_traces() {
  return policy::simulate_players({12, 10, 0, 1001, {policy::kAirborne}});
}

/// The first fragments of a set.
policy::FragmentMotion first_of(const policy::FragmentMotion& all, std::size_t count) {
  auto set = std::make_shared<policy::FragmentSet>(*all.set);
  set->fragments.resize(std::min(count, set->fragments.size()));
  return {set, all.motion, "first"};
}

policy::TrainingGround ground_of(const policy::FragmentMotion& fragments, const std::vector<policy::Trace>& traces) {
  const policy::ControlSpace space = policy::usual_control_space();
  policy::PlayerModel model = need(policy::count_player_model(space, traces, fragments.set->seconds()));
  return need(policy::prepare_training(fragments, space, std::move(model), {}, 0.999));
}

std::string times(const Stopwatch& watch) { return fmt::format("{:.2f} s ({:.2f})", watch.wall(), watch.processor()); }

/// Times of a problem: transitions judged, one sweep, the whole policy, the optimum over two minutes.
void print_times(const policy::FragmentMotion& fragments) {
  const std::size_t count = fragments.set->size();
  const Stopwatch judging;
  const policy::TrainingGround ground = ground_of(fragments, training_traces());
  fmt::print("| {} | 150 | {} |", count, times(judging));
  const Stopwatch solving;
  const policy::Policy policy = need(policy::train_policy(ground, {}));
  const std::string whole = times(solving);
  policy::TrainOptions once;
  once.solve.max_sweeps = 1;
  once.solve.tolerance = 0;
  const Stopwatch sweeping;
  need(policy::train_policy(ground, once, &policy.solution));
  fmt::print(" {} | {}: {} full sweeps, {} along the policy |", times(sweeping), whole, policy.solution.sweeps,
             policy.solution.evaluations);
  std::vector<std::vector<policy::ControlSignal>> trace{
      policy::sample(policy::simulate_players({1, 120, 0, 7, {policy::kAirborne}}).front(), 0.1)};
  const policy::Judge judge{ground.fragments.set, ground.transitions, ground.space.weights};
  const Stopwatch searching;
  need(policy::optimal_paths(judge, *ground.transitions, trace));
  fmt::print(" {} | {:.0f} MB |\n", times(searching), peak_megabytes());
}

void print_table(const policy::TrainingGround& ground, bool exact, const std::string& title, const fs::path& pictures) {
  policy::ComparisonOptions options;
  options.exact_signals = exact;
  options.thresholded = !exact;
  const policy::Comparison table = need(policy::compare_controllers(ground, evaluation_traces(), nullptr, {}, options));
  fmt::print("\n### {}\n\n{} fragments, {} bins; trained on {}, judged on {}.\n\n", title, ground.fragments.set->size(),
             ground.space.bins.size(), table.training, table.evaluation);
  fmt::print("| controller | % of optimal | std |\n|---|---|---|\n");
  for (const policy::ControllerScore& row : table.controllers) {
    fmt::print("| {} | {:.1f} | {:.1f} |\n", row.controller, row.percent_of_optimal, row.std);
  }
  if (pictures.empty()) return;
  fs::create_directories(pictures);
  const auto save = [&](const char* name, const picture::Drawing& drawing) {
    need(picture::save(drawing, (pictures / name).string()));
  };
  save("fragments_traces.png", report::draw_trace_scores(table));
  save("fragments_choices.png", report::draw_choice_densities(table, ground));
  save("fragments_qualities.png", report::draw_quality_histograms(table));
}

/// How far a policy for one pair of players serves another.
void print_generalisation(const policy::FragmentMotion& fragments) {
  fmt::print("\n### A policy for other players\n\n| trained on | model, % of optimal | std |\n|---|---|---|\n");
  for (const std::uint64_t player : {0u, 2u, 4u}) {
    const policy::TrainingGround ground = ground_of(fragments, training_traces(player));
    policy::ComparisonOptions options;
    options.thresholded = false;
    options.kinds = {policy::PolicyKind::kModel};
    const policy::Comparison table =
        need(policy::compare_controllers(ground, evaluation_traces(), nullptr, {}, options));
    fmt::print("| players {} and {} | {:.1f} | {:.1f} |\n", player, player + 1, table.controllers[0].percent_of_optimal,
               table.controllers[0].std);
  }
}

void print_decision_time(const policy::TrainingGround& ground) {
  const policy::Policy policy = need(policy::train_policy(ground, {policy::PolicyKind::kSteady, 1, {}}));
  policy::TableController controller(ground.space, std::make_shared<policy::Solution>(policy.solution));
  const auto controls = policy::sample(policy::simulate_players({1, 600, 0, 3, {policy::kAirborne}}).front(), 1.0 / 60);
  constexpr int kRounds = 40;
  std::uint32_t fragment = 0;
  const Stopwatch watch;
  for (int round = 0; round < kRounds; ++round) {
    for (const policy::ControlSignal& control : controls) fragment = controller.choose(fragment, control);
  }
  const double each = watch.thread() / (kRounds * static_cast<double>(controls.size()));
  // A fragment of 0.1 s is chosen ten times a second.
  fmt::print("\nA decision takes {:.2f} µs: {:.0f} characters that decide ten times a second on one core{}\n",
             1e6 * each, 1 / (10 * each), fragment == policy::kNoState ? "." : ", before anything is posed.");
}

}  // namespace

int main(int argc, char** argv) {
  const bool large = argc > 1 && std::strcmp(argv[1], "--large") == 0;
  const fs::path pictures = argc > 1 && !large ? argv[1] : "";
  TemporaryLibrary library;
  fill(*library, large);
  const policy::FragmentMotion all = need(policy::cut_fragments(*library, {}));
  fmt::print("{} cores; times by the clock and, in brackets, of the processors.\n\n", thread_count());
  fmt::print("| fragments | bins | transitions judged | one sweep | policy | optimum, 2 minutes | memory so far |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  print_times(first_of(all, kWorksFragments));
  if (large) {
    print_times(first_of(need(policy::cut_fragments(*library, {.mirror = true})), 20000));
    return 0;
  }
  const policy::TrainingGround ground = ground_of(all, training_traces());
  print_table(ground, false, "Table 1, judged by bins", pictures);
  print_table(ground, true, "Table 1, judged by the very signals", {});
  print_generalisation(all);
  print_decision_time(ground);
  return 0;
}
