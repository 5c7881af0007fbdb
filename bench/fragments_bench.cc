// SPDX-License-Identifier: MIT
//
// policy::Fragment policies on real capture: prints the tables of docs/results/fragments.md (McCann & Pollard 2007
// table 1).
//
//     build/bin/bench_fragments [PICTURES]     needs ../shared/mocap; without it the sample motions are used and the
//                                              output says so. PICTURES: a folder for figures 5 to 7
//     build/bin/bench_fragments --experiments  what table 1 depends on: unit of distance, players, model; a
//                                              fragment every 0.1 s: a quarter of the work. --experiments 3 tries
//                                              the fourth setting only
//     build/bin/bench_fragments --readings     ways to read "restricted to the best 8 % of transitions"; --readings 1
//                                              tries the second setting only
//     build/bin/bench_fragments --added        5,934 fragments and 7,577, the added ones stepping right (§4.2)
//     build/bin/bench_fragments --large        20,000 fragments as well: about 1 GB and some minutes
//
// Figures of time are of this machine and this run; percentages are the same everywhere.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/picture/save.h>
#include <loom/policy/comparison.h>
#include <loom/policy/covered_controls.h>
#include <loom/policy/simulated_player.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/train.h>
#include <loom/report/policy_figures.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::policy;
using namespace loom::bench;

constexpr std::size_t kWorksFragments = 5934, kWorksAdded = 7577 - 5934;

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
    // Beyond what table 1 is made of: long walks, backwards and sideways too.
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
std::vector<policy::Trace> evaluation_traces(double routine_share = 0) {
  return policy::simulate_players({12, 10, 0, 1001, {policy::kAirborne}, routine_share});
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

/// What a player asks for, roughly: the rows of the tables by control.
constexpr std::array kAskedFor{"standing",       "walking ahead",     "running ahead", "stepping left",
                               "stepping right", "walking backwards", "in the air"};

std::size_t asked_for(const policy::ControlSignal& signal) {
  const float speed = std::hypot(signal.left, signal.forward);
  if (signal.flags & 1u) return 6;
  if (speed < 0.35f) return 0;
  if (signal.forward > std::abs(signal.left)) return speed < 2.4f ? 1 : 2;
  if (std::abs(signal.left) >= std::abs(signal.forward)) return signal.left > 0 ? 3 : 4;
  return 5;
}

/// The mean quality of the choices of paths by what was asked for.
class ByControl {
 public:
  ByControl(const policy::TrainingGround& ground, const std::vector<policy::Trace>& traces) {
    const policy::BinFinder bins(ground.space);
    for (const policy::Trace& trace : traces) {
      signals_.push_back(policy::sample(trace, ground.fragments.set->seconds()));
      for (policy::ControlSignal& signal : signals_.back()) signal = ground.space.bins[bins.find(signal)];
    }
  }

  [[nodiscard]] std::array<policy::PathMeans, kAskedFor.size()> means(
      const std::vector<policy::FragmentPath>& paths) const {
    std::array<policy::FragmentPath, kAskedFor.size()> sorted;
    for (std::size_t t = 0; t < paths.size(); ++t) {
      for (std::size_t i = 0; i < signals_[t].size(); ++i) {
        policy::FragmentPath& kind = sorted[asked_for(signals_[t][i])];
        kind.motion_quality.push_back(paths[t].motion_quality[i]);
        kind.control_quality.push_back(paths[t].control_quality[i]);
      }
    }
    std::array<policy::PathMeans, kAskedFor.size()> means;
    for (std::size_t k = 0; k < means.size(); ++k) means[k] = policy::means_of(std::span(&sorted[k], 1));
    return means;
  }

  [[nodiscard]] double share(std::size_t kind) const {
    double count = 0, all = 0;
    for (const auto& trace : signals_) {
      for (const policy::ControlSignal& signal : trace) count += asked_for(signal) == kind ? 1 : 0;
      all += static_cast<double>(trace.size());
    }
    return count / all;
  }

 private:
  std::vector<std::vector<policy::ControlSignal>> signals_;
};

void print_by_control(const policy::TrainingGround& ground, const std::vector<policy::Trace>& traces,
                      const policy::Comparison& table) {
  const ByControl by(ground, traces);
  const auto best = by.means(table.optimal);
  const auto model = by.means(table.controllers[0].paths), steady = by.means(table.controllers[1].paths);
  fmt::print(
      "\n| asked for | of the time | optimum: quality | motion | control | model | steady |\n"
      "|---|---|---|---|---|---|---|\n");
  for (std::size_t k = 0; k < best.size(); ++k) {
    fmt::print("| {} | {:.1f} % | {:.3f} | {:.3f} | {:.3f} | {:.3f} | {:.3f} |\n", kAskedFor[k], 100 * by.share(k),
               best[k].quality, best[k].motion_quality, best[k].control_quality, model[k].quality, steady[k].quality);
  }
}

void print_table(const policy::TrainingGround& ground, bool exact, const std::string& title, const fs::path& pictures) {
  policy::ComparisonOptions options;
  options.exact_signals = exact;
  options.thresholded = !exact;
  const policy::Comparison table = need(policy::compare_controllers(ground, evaluation_traces(), nullptr, {}, options));
  fmt::print("\n### {}\n\n{} fragments, {} bins; trained on {}, judged on {}.\n\n", title, ground.fragments.set->size(),
             ground.space.bins.size(), table.training, table.evaluation);
  fmt::print("| controller | % of optimal | std | mean quality | motion | control |\n|---|---|---|---|---|---|\n");
  fmt::print("| opt | 100 | 0 | {:.3f} | {:.3f} | {:.3f} |\n", table.optimum.quality, table.optimum.motion_quality,
             table.optimum.control_quality);
  for (const policy::ControllerScore& row : table.controllers) {
    fmt::print("| {} | {:.1f} | {:.1f} | {:.3f} | {:.3f} | {:.3f} |\n", row.controller, row.percent_of_optimal, row.std,
               row.means.quality, row.means.motion_quality, row.means.control_quality);
  }
  if (!exact) print_by_control(ground, evaluation_traces(), table);
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

/// One way to set up the comparison.
struct Setting {
  std::string name;
  double unit = 1;           ///< metres that count as one unit of distance in eq. 9
  double routine_share = 0;  ///< of the players
  float covered = 0;         ///< players ask only for bins that a fragment answers so well; 0: for anything
  double hold_scale = 1;     ///< players hold their sticks so many times as long
  policy::Smoothing smoothing = policy::Smoothing::kWittenBell;
  bool literal = false;      ///< eq. 3 for the baselines
  std::uint32_t flight = 1;  ///< 0: players never jump
};

/// Traces of the players of a setting.
std::vector<policy::Trace> traces_of(const Setting& setting, const policy::FragmentMotion& fragments, bool training) {
  std::vector<policy::Trace> traces;
  const std::size_t count = training ? 7 : 12;
  for (std::size_t i = 0; i < count; ++i) {
    policy::PlayerHabits habits = policy::habits_of(i % 2);
    habits.routine_share = setting.routine_share;
    for (double* seconds :
         {&habits.hold_seconds, &habits.straight_seconds, &habits.turn_seconds, &habits.jump_every_seconds}) {
      *seconds *= setting.hold_scale;
    }
    if (setting.flight == 0) habits.jump_every_seconds = 1e9;
    const std::uint64_t seed = (training ? 1 : 1001) * 1000 + i;
    traces.push_back(policy::simulate_player(habits, training ? 60 : 10, seed));
  }
  if (setting.covered > 0) {
    const policy::ControlSpace covered =
        policy::covered_space(policy::usual_control_space(), *fragments.set, setting.covered);
    for (policy::Trace& trace : traces) trace = policy::keep_to(covered, trace);
  }
  return traces;
}

void print_setting(const policy::FragmentMotion& fragments, const Setting& setting) {
  const policy::ControlSpace space = policy::usual_control_space();
  policy::PlayerModel model = need(policy::count_player_model(space, traces_of(setting, fragments, true),
                                                              fragments.set->seconds(), setting.smoothing));
  policy::MotionQualityOptions quality;
  for (float& weight : quality.weights) weight /= static_cast<float>(setting.unit);
  const policy::TrainingGround ground =
      need(policy::prepare_training(fragments, space, std::move(model), quality, 0.999));
  policy::ComparisonOptions options;
  options.literal = setting.literal;
  options.solve.tolerance = 1e-2;  // "as in table 1" no figure is off by more than 0.1 from what 1e-6 gives
  const policy::Comparison table =
      need(policy::compare_controllers(ground, traces_of(setting, fragments, false), nullptr, {}, options));
  fmt::print("| {} |", setting.name);
  for (const policy::ControllerScore& row : table.controllers) fmt::print(" {:.1f} |", row.percent_of_optimal);
  fmt::print(" {:.3f} | {:.3f} | {:.3f} |\n", table.optimum.quality, table.optimum.motion_quality,
             table.optimum.control_quality);
  std::fflush(stdout);
}

/// `only`: the number of the one setting to try, from 0 on, where a table is made in parts; -1: all.
void print_experiments(const library::Library& library, int only) {
  const policy::FragmentMotion fragments = need(policy::cut_fragments(library, {.step_seconds = 0.1}));
  fmt::print(
      "{} fragments, one every 0.1 s. Bins that a fragment answers with 0.5 or better: {} of 150; "
      "with 0.8: {}.\n\n",
      fragments.set->size(), policy::covered_space(policy::usual_control_space(), *fragments.set, 0.5f).bins.size(),
      policy::covered_space(policy::usual_control_space(), *fragments.set, 0.8f).bins.size());
  fmt::print(
      "| setting | model | steady | spread | greedy | model-t | steady-t | spread-t | greedy-t | opt-t "
      "| opt: quality | motion | control |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  const Setting usual{"as in table 1"};
  int number = 0;
  const auto with = [&](const char* name, const std::function<void(Setting&)>& change) {
    if (only >= 0 && only != number++) return;
    Setting setting = usual;
    setting.name = name;
    change(setting);
    print_setting(fragments, setting);
  };
  with("as in table 1", [](Setting&) {});
  with("unit 30 cm", [](Setting& s) { s.unit = 0.3; });
  with("unit 10 cm", [](Setting& s) { s.unit = 0.1; });
  with("unit 5.64 cm (CMU)", [](Setting& s) { s.unit = 0.056444; });
  with("unit 2.54 cm", [](Setting& s) { s.unit = 0.0254; });
  with("unit 1 cm", [](Setting& s) { s.unit = 0.01; });
  with("players ask for what is covered (0.5)", [](Setting& s) { s.covered = 0.5f; });
  with("players ask for what is covered (0.8)", [](Setting& s) { s.covered = 0.8f; });
  with("players with a routine", [](Setting& s) { s.routine_share = 1; });
  with("players half with a routine", [](Setting& s) { s.routine_share = 0.5; });
  with("plain counts", [](Setting& s) { s.smoothing = policy::Smoothing::kNone; });
  with("eq. 3 as printed", [](Setting& s) { s.literal = true; });
  with("sticks held a quarter as long", [](Setting& s) { s.hold_scale = 0.25; });
  with("sticks held four times as long", [](Setting& s) { s.hold_scale = 4; });
  with("nobody jumps", [](Setting& s) { s.flight = 0; });
  const auto all = [](Setting& s) {
    s.unit = 0.056444;
    s.covered = 0.5f;
    s.routine_share = 1;
    s.smoothing = policy::Smoothing::kNone;
  };
  with("CMU unit, covered (0.5), routine, plain counts", all);
  with("the same, eq. 3 as printed", [&](Setting& s) {
    all(s);
    s.literal = true;
  });
  with("unit 4 cm, routine", [](Setting& s) {
    s.unit = 0.04;
    s.routine_share = 1;
  });
  with("unit 2.54 cm, routine", [](Setting& s) {
    s.unit = 0.0254;
    s.routine_share = 1;
  });
}

/// One way to restrict controllers to few transitions.
struct Reading {
  std::string name;
  policy::DenseTransitions allowed;
  bool foresee = true;    ///< false: rewards are those of all transitions, and only the choice is restricted
  bool anywhere = false;  ///< controllers start from any fragment, not from that of the best path
};

/// The qualities of `all` where `keep(from, row)` leaves them above nothing.
policy::DenseTransitions kept_of(const policy::DenseTransitions& all,
                                 const std::function<void(std::size_t from, std::span<float> row)>& keep) {
  return need(policy::DenseTransitions::create(all.states(), [&](std::size_t from, std::span<float> row) {
    for (std::size_t to = 0; to < row.size(); ++to) row[to] = std::max(0.0f, all.quality(from, to));
    keep(from, row);
  }));
}

/// The best `share` of each state's own transitions.
policy::DenseTransitions best_of_each(const policy::DenseTransitions& all, double share) {
  return kept_of(all, [share](std::size_t, std::span<float> row) {
    std::vector<float> sorted(row.begin(), row.end());
    const auto kept = std::min(row.size() - 1, static_cast<std::size_t>(share * static_cast<double>(row.size())));
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(kept), sorted.end(),
                     std::greater<>());
    for (float& quality : row) quality = quality > sorted[kept] ? quality : 0.0f;
  });
}

/// The best `share` of all; a state that is left without any may go on anywhere, for nothing.
policy::DenseTransitions best_or_nothing(const policy::DenseTransitions& all, double share) {
  const std::vector<std::uint64_t> counts = all.histogram();
  const double wanted = share * static_cast<double>(all.states()) * static_cast<double>(all.states());
  double kept = 0;
  std::size_t code = counts.size();
  while (code > 1 && kept + static_cast<double>(counts[code - 1]) <= wanted)
    kept += static_cast<double>(counts[--code]);
  const float threshold = (static_cast<float>(code) - 0.5f) / 65535;
  return kept_of(all, [threshold](std::size_t, std::span<float> row) {
    for (float& quality : row) quality = quality >= threshold ? quality : 0.0f;
  });
}

/// How the allowed transitions lie: states with fewer than ten successors, and the median number.
std::string spread_of(const policy::DenseTransitions& allowed) {
  std::vector<std::size_t> successors(allowed.states());
  for (std::size_t from = 0; from < allowed.states(); ++from) {
    for (std::size_t to = 0; to < allowed.states(); ++to) successors[from] += allowed.quality(from, to) > 0 ? 1 : 0;
  }
  std::sort(successors.begin(), successors.end());
  const auto few = std::lower_bound(successors.begin(), successors.end(), std::size_t{10}) - successors.begin();
  return fmt::format("{:.1f} % | {}", 100.0 * static_cast<double>(few) / static_cast<double>(successors.size()),
                     successors[successors.size() / 2]);
}

/// Runs the controllers of a reading over the traces and prints a row.
class ReadingTable {
 public:
  ReadingTable(const policy::TrainingGround& ground, const std::vector<policy::Trace>& traces)
      : ground_(ground), judge_{ground.fragments.set, ground.transitions, ground.space.weights} {
    const policy::BinFinder bins(ground.space);
    for (const policy::Trace& trace : traces) {
      signals_.push_back(policy::sample(trace, ground.fragments.set->seconds()));
      for (policy::ControlSignal& signal : signals_.back()) signal = ground.space.bins[bins.find(signal)];
    }
    optimal_ = need(policy::optimal_paths(judge_, *ground.transitions, signals_));
    for (const policy::PolicyKind kind : kKinds) all_.push_back(solution(kind, ground.transitions, nullptr, {1e-2}));
  }

  void print(const Reading& reading) {
    const auto allowed = std::make_shared<policy::DenseTransitions>(reading.allowed);
    fmt::print("| {} | {} |", reading.name, spread_of(*allowed));
    for (std::size_t k = 0; k < kKinds.size(); ++k) {
      // One sweep from the rewards of all transitions decides by those; many solve for those of the few.
      const policy::SolveOptions options = reading.foresee ? policy::SolveOptions{1e-2} : policy::SolveOptions{0, 1};
      const auto solved = solution(kKinds[k], allowed, all_[k].get(), options);
      fmt::print(" {:.1f} |", percent(solved, reading.anywhere));
    }
    const auto best = need(policy::optimal_paths(judge_, *allowed, signals_));
    fmt::print(" {:.1f} |\n", policy::score("opt-t", best, optimal_).percent_of_optimal);
    std::fflush(stdout);
  }

 private:
  static constexpr std::array kKinds{policy::PolicyKind::kModel, policy::PolicyKind::kSteady,
                                     policy::PolicyKind::kSpread, policy::PolicyKind::kGreedy};

  std::shared_ptr<policy::Solution> solution(policy::PolicyKind kind,
                                             const std::shared_ptr<const policy::DenseTransitions>& allowed,
                                             const policy::Solution* start, const policy::SolveOptions& options) const {
    const auto problem = policy::make_problem(kind, allowed, ground_.control_quality, ground_.model, ground_.discount);
    return std::make_shared<policy::Solution>(need(policy::solve(problem, options, start)));
  }

  [[nodiscard]] double percent(const std::shared_ptr<policy::Solution>& solved, bool anywhere) const {
    policy::TableController controller(ground_.space, solved);
    Random random(11);
    std::vector<policy::FragmentPath> paths;
    for (std::size_t t = 0; t < signals_.size(); ++t) {
      const std::uint32_t start = anywhere ? static_cast<std::uint32_t>(random.index(ground_.fragments.set->size()))
                                           : optimal_[t].steps.front();
      paths.push_back(policy::run_controller(judge_, controller, signals_[t], start));
    }
    return policy::score("", std::move(paths), optimal_).percent_of_optimal;
  }

  const policy::TrainingGround& ground_;
  policy::Judge judge_;
  std::vector<std::vector<policy::ControlSignal>> signals_;
  std::vector<policy::FragmentPath> optimal_;
  std::vector<std::shared_ptr<policy::Solution>> all_;
};

/// The readings of one setting: all of them, or those that tell most.
void print_readings_of(const policy::FragmentMotion& fragments, const Setting& setting, bool in_full) {
  const policy::ControlSpace space = policy::usual_control_space();
  policy::MotionQualityOptions quality;
  for (float& weight : quality.weights) weight /= static_cast<float>(setting.unit);
  policy::PlayerModel model = need(policy::count_player_model(space, traces_of(setting, fragments, true),
                                                              fragments.set->seconds(), setting.smoothing));
  const policy::TrainingGround ground =
      need(policy::prepare_training(fragments, space, std::move(model), quality, 0.999));
  const policy::DenseTransitions& all = *ground.transitions;
  ReadingTable table(ground, traces_of(setting, fragments, false));
  fmt::print(
      "\n### {}\n\n| allowed | fragments with fewer than 10 | median number | model-t | steady-t | spread-t "
      "| greedy-t | opt-t |\n|---|---|---|---|---|---|---|---|\n",
      setting.name);
  const auto with = [&](const char* name, const policy::DenseTransitions& allowed, bool foresee = true,
                        bool anywhere = false) {
    table.print({name, allowed, foresee, anywhere});
  };
  with("all", all);
  if (in_full) with("all, started anywhere", all, true, true);
  with("the best 8 % of all, as in table 1", all.thresholded(0.08));
  if (in_full) with("the same, started anywhere", all.thresholded(0.08), true, true);
  with("the same, rewards of all transitions", all.thresholded(0.08), false);
  with("the same, rewards of all, started anywhere", all.thresholded(0.08), false, true);
  if (in_full) with("the best 8 % of all; without any: anywhere for nothing", best_or_nothing(all, 0.08));
  with("the best 8 % of each fragment", best_of_each(all, 0.08));
  with("the same, rewards of all transitions", best_of_each(all, 0.08), false);
  if (!in_full) return;
  with("the best 4 % of all", all.thresholded(0.04));
  with("the best 2 % of all", all.thresholded(0.02));
  with("the best 1 % of all", all.thresholded(0.01));
  with("the best 0.5 % of all", all.thresholded(0.005));
  with("the best 0.2 % of all", all.thresholded(0.002));
  with("the best 0.5 % of each fragment", best_of_each(all, 0.005));
}

/// Ways to read "restricted to only use transitions in the top 8 % by motion quality" (§4.2).
/// `only`: the number of the one setting to try, from 0 on; -1: all.
void print_readings(const library::Library& library, int only) {
  const policy::FragmentMotion fragments = need(policy::cut_fragments(library, {.step_seconds = 0.1}));
  fmt::print("{} fragments, one every 0.1 s.\n", fragments.set->size());
  Setting cmu{"unit 5.64 cm (CMU)"}, all{"CMU unit, covered (0.5), routine, plain counts"};
  cmu.unit = all.unit = 0.056444;
  all.covered = 0.5f;
  all.routine_share = 1;
  all.smoothing = policy::Smoothing::kNone;
  Setting inch{"unit 2.54 cm, routine"};
  inch.unit = 0.0254;
  inch.routine_share = 1;
  const std::array settings{cmu, Setting{"as in table 1"}, all, inch};
  for (std::size_t i = 0; i < settings.size(); ++i) {
    if (only < 0 || static_cast<std::size_t>(only) == i) print_readings_of(fragments, settings[i], i == 0);
  }
}

/// Fragments of clips that step to the right, and of those that do not.
struct Parted {
  std::vector<policy::Fragment> right, others;
};

Parted part(const policy::FragmentSet& set) {
  std::vector<double> left(set.clips.size()), count(set.clips.size());
  for (const policy::Fragment& f : set.fragments) {
    left[f.clip] += static_cast<double>(f.evident.left);
    count[f.clip] += 1;
  }
  constexpr double kStepsRight = -0.1;  ///< metres a second, the mean over a clip
  Parted parted;
  for (const policy::Fragment& f : set.fragments) {
    (left[f.clip] / count[f.clip] < kStepsRight ? parted.right : parted.others).push_back(f);
  }
  return parted;
}

/// McCann & Pollard 2007 §4.2: examples of a motion that was done badly are added.
void print_added(const library::Library& library) {
  const policy::FragmentMotion all = need(policy::cut_fragments(library, {}));
  Parted parted = part(*all.set);
  parted.others.resize(std::min(parted.others.size(), kWorksFragments));
  parted.right.resize(std::min(parted.right.size(), kWorksAdded));
  const auto traces = evaluation_traces();
  double before = 0;
  fmt::print(
      "| fragments | one sweep | memory so far | opt, mean quality | model, % of opt | stepping right: opt | model "
      "| control | choices among the added |\n|---|---|---|---|---|---|---|---|---|\n");
  for (const bool added : {false, true}) {
    auto set = std::make_shared<policy::FragmentSet>(*all.set);
    set->fragments = parted.others;
    if (added) set->fragments.insert(set->fragments.end(), parted.right.begin(), parted.right.end());
    const policy::TrainingGround ground = ground_of({set, all.motion, "parted"}, training_traces());
    const policy::Policy policy = need(policy::train_policy(ground, {}));
    policy::TrainOptions once;
    once.solve = {0, 1};
    const Stopwatch sweeping;
    need(policy::train_policy(ground, once, &policy.solution));
    const std::string sweep = times(sweeping);
    policy::ComparisonOptions options;
    options.thresholded = false;
    options.kinds = {policy::PolicyKind::kModel};
    const policy::Comparison table = need(policy::compare_controllers(ground, traces, &policy, {}, options));
    const ByControl by(ground, traces);
    const auto best = by.means(table.optimal), model = by.means(table.controllers[0].paths);
    double chosen = 0, choices = 0;
    for (const policy::FragmentPath& path : table.controllers[0].paths) {
      for (const std::uint32_t step : path.steps) chosen += step >= parted.others.size() ? 1 : 0;
      choices += static_cast<double>(path.steps.size());
    }
    fmt::print("| {} | {} | {:.0f} MB | {:.4f} | {:.1f} ({:.1f}) | {:.3f} | {:.3f} | {:.3f} | {:.1f} % |\n",
               set->size(), sweep, peak_megabytes(), table.optimum.quality, table.controllers[0].percent_of_optimal,
               table.controllers[0].std, best[4].quality, model[4].quality, model[4].control_quality,
               100 * chosen / choices);
    if (added) fmt::print("\nThe optimum gains {:.1f} %.\n", 100 * (table.optimum.quality / before - 1));
    before = table.optimum.quality;
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
  const std::string mode = argc > 1 ? argv[1] : "";
  const bool large = mode == "--large";
  const fs::path pictures = mode.starts_with("--") ? "" : mode;
  TemporaryLibrary library;
  fill(*library, large || mode == "--added");
  if (mode == "--experiments") {
    print_experiments(*library, argc > 2 ? std::atoi(argv[2]) : -1);
    return 0;
  }
  if (mode == "--readings") {
    print_readings(*library, argc > 2 ? std::atoi(argv[2]) : -1);
    return 0;
  }
  if (mode == "--added") {
    print_added(*library);
    return 0;
  }
  const policy::CutMotion all = need(policy::cut_fragments(*library, {}));
  for (const policy::SourceRate& source : all.sources) {
    fmt::print("Recorded at {:g} Hz: {:.0f} s; fragments at {:g} Hz.\n", source.rate, source.seconds, all.set->rate);
  }
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
