// SPDX-License-Identifier: MIT
//
// Fragment policies on real capture: prints the tables of docs/results/fragments.md (McCann & Pollard 2007 table 1).
//
//     build/bin/bench_fragments [PICTURES]     needs ../shared/mocap; without it the sample motions are used and the
//                                              output says so. PICTURES: a folder for figures 5 to 7
//     build/bin/bench_fragments --large        20,000 fragments as well: about 1 GB and some minutes
//
// Figures of time are of this machine and this run; percentages are the same everywhere.
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <loom/base/parallel.h>
#include <loom/control/comparison.h>
#include <loom/control/figures.h>
#include <loom/control/simulated_player.h>
#include <loom/control/train.h>
#include <loom/library/import.h>
#include <loom/picture/save.h>
#include <loom/sample/sample.h>

namespace {

using namespace loom;
using namespace loom::control;
namespace fs = std::filesystem;

const fs::path kMocap = fs::path(LOOM_SOURCE_DIR) / ".." / "shared" / "mocap";
constexpr std::size_t kWorksFragments = 5934;

/// Ends the program with the reason where something the benchmark stands on fails.
template <typename T>
T need(Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "bench_fragments: {}\n", result.error().to_string());
  std::exit(1);
}

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Processor seconds of all threads: what the work costs whatever else the machine does.
double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// Walking, running, jumping and side-stepping of three performers: of 16 all, of 69 walks, turns, steps backwards and
/// sideways, of 127 runs, stops and jumps.
std::vector<std::string> locomotion_files(bool large) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(kMocap / "cmu30")) {
    const std::string name = entry.path().stem().string();
    const auto bar = name.find('_');
    const std::string performer = name.substr(0, bar);
    const int take = std::atoi(name.c_str() + bar + 1);
    const auto within = [&](int from, int to) { return take >= from && take <= to; };
    const bool wanted = performer == "16" || (performer == "127" && (within(3, 22) || within(25, 28))) ||
                        (performer == "69" && (within(1, 5) || within(20, 33) || within(50, 67)));
    const bool more = large && performer == "69" && within(6, 67);
    if (wanted || more) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A library in a temporary file that goes when the object does.
class TemporaryLibrary {
 public:
  explicit TemporaryLibrary(bool large)
      : path_((fs::temp_directory_path() / fmt::format("bench_fragments_{}.loom", getpid())).string()),
        library_(need(library::Library::open_or_create(path_))) {
    if (fs::exists(kMocap)) {
      library::ImportOptions options;
      options.body = "16";
      need(library::import_motions(library_, locomotion_files(large), options));
      return;
    }
    fmt::print("Real capture is not there: these figures are of the sample motions.\n\n");
    std::vector<motion::Clip> clips;
    for (sample::SampleClip& made : need(sample::make_samples())) clips.push_back(std::move(made.clip));
    if (const auto added = library_.add_clips(clips); !added) need(Result<int>(fail_from(added)));
  }
  ~TemporaryLibrary() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryLibrary(const TemporaryLibrary&) = delete;
  TemporaryLibrary& operator=(const TemporaryLibrary&) = delete;

  [[nodiscard]] const library::Library& get() const { return library_; }

 private:
  std::string path_;
  library::Library library_;
};

/// The players that policies are trained for: seven minutes of two, as in the work.
std::vector<Trace> training_traces(std::uint64_t first_player = 0) {
  return simulate_players({7, 60, first_player, 1, {kAirborne}});
}

/// Two minutes of play at another time, in pieces of ten seconds.
std::vector<Trace> evaluation_traces() { return simulate_players({12, 10, 0, 1001, {kAirborne}}); }

/// The first fragments of a set.
FragmentMotion first_of(const FragmentMotion& all, std::size_t count) {
  auto set = std::make_shared<FragmentSet>(*all.set);
  set->fragments.resize(std::min(count, set->fragments.size()));
  return {set, all.motion, "first"};
}

TrainingGround ground_of(const FragmentMotion& fragments, const std::vector<Trace>& traces) {
  const ControlSpace space = usual_control_space();
  PlayerModel model = need(count_player_model(space, traces, fragments.set->seconds()));
  return need(prepare_training(fragments, space, std::move(model), {}, 0.999));
}

/// Times of a problem: transitions judged, one sweep, the whole policy, the optimum over two minutes.
void print_times(const FragmentMotion& fragments) {
  const std::size_t count = fragments.set->size();
  const Stopwatch judging;
  const TrainingGround ground = ground_of(fragments, training_traces());
  fmt::print("| {} | 150 | {:.1f} s |", count, judging.seconds());
  const double before = processor_seconds();
  const Stopwatch solving;
  const Policy policy = need(train_policy(ground, {}));
  const double whole = solving.seconds(), work = processor_seconds() - before;
  TrainOptions once;
  once.solve.max_sweeps = 1;
  once.solve.tolerance = 0;
  const Stopwatch sweeping;
  need(train_policy(ground, once, &policy.solution));
  fmt::print(" {:.2f} s | {:.1f} s ({} sweeps, {} evaluations, {:.1f} processor s) |", sweeping.seconds(), whole,
             policy.solution.sweeps, policy.solution.evaluations, work);
  std::vector<std::vector<ControlSignal>> trace{
      control::sample(simulate_players({1, 120, 0, 7, {kAirborne}}).front(), 0.1)};
  const Judge judge{ground.fragments.set, ground.transitions, ground.space.weights};
  const Stopwatch searching;
  need(optimal_paths(judge, *ground.transitions, trace));
  fmt::print(" {:.1f} s | {:.0f} MB |\n", searching.seconds(), peak_megabytes());
}

void print_table(const TrainingGround& ground, bool exact, const std::string& title, const fs::path& pictures) {
  ComparisonOptions options;
  options.exact_signals = exact;
  options.thresholded = !exact;
  const Comparison table = need(compare_controllers(ground, evaluation_traces(), nullptr, {}, options));
  fmt::print("\n### {}\n\n{} fragments, {} bins; trained on {}, judged on {}.\n\n", title, ground.fragments.set->size(),
             ground.space.bins.size(), table.training, table.evaluation);
  fmt::print("| controller | % of optimal | std |\n|---|---|---|\n");
  for (const ControllerScore& row : table.controllers) {
    fmt::print("| {} | {:.1f} | {:.1f} |\n", row.controller, row.percent_of_optimal, row.std);
  }
  if (pictures.empty()) return;
  fs::create_directories(pictures);
  const auto save = [&](const char* name, const picture::Drawing& drawing) {
    if (const auto saved = picture::save(drawing, (pictures / name).string()); !saved)
      need(Result<int>(fail_from(saved)));
  };
  save("fragments_traces.png", draw_trace_scores(table));
  save("fragments_choices.png", draw_choice_densities(table, ground));
  save("fragments_qualities.png", draw_quality_histograms(table));
}

/// How far a policy for one pair of players serves another.
void print_generalisation(const FragmentMotion& fragments) {
  fmt::print("\n### A policy for other players\n\n| trained on | model, % of optimal | std |\n|---|---|---|\n");
  for (const std::uint64_t player : {0u, 2u, 4u}) {
    const TrainingGround ground = ground_of(fragments, training_traces(player));
    ComparisonOptions options;
    options.thresholded = false;
    options.kinds = {PolicyKind::kModel};
    const Comparison table = need(compare_controllers(ground, evaluation_traces(), nullptr, {}, options));
    fmt::print("| players {} and {} | {:.1f} | {:.1f} |\n", player, player + 1, table.controllers[0].percent_of_optimal,
               table.controllers[0].std);
  }
}

void print_decision_time(const TrainingGround& ground) {
  const Policy policy = need(train_policy(ground, {PolicyKind::kSteady, 1, {}}));
  TableController controller(ground.space, std::make_shared<Solution>(policy.solution));
  const auto controls = control::sample(simulate_players({1, 600, 0, 3, {kAirborne}}).front(), 1.0 / 60);
  constexpr int kRounds = 40;
  std::uint32_t fragment = 0;
  const Stopwatch watch;
  for (int round = 0; round < kRounds; ++round) {
    for (const ControlSignal& control : controls) fragment = controller.choose(fragment, control);
  }
  const double each = watch.seconds() / (kRounds * static_cast<double>(controls.size()));
  // A fragment of 0.1 s is chosen ten times a second.
  fmt::print("\nA decision takes {:.2f} µs: {:.0f} characters that decide ten times a second on one core{}\n",
             1e6 * each, 1 / (10 * each), fragment == kNoState ? "." : ", before anything is posed.");
}

}  // namespace

int main(int argc, char** argv) {
  const bool large = argc > 1 && std::strcmp(argv[1], "--large") == 0;
  const fs::path pictures = argc > 1 && !large ? argv[1] : "";
  const TemporaryLibrary library(large);
  const FragmentMotion all = need(cut_fragments(library.get(), {}));
  fmt::print("{} cores.\n\n", thread_count());
  fmt::print("| fragments | bins | transitions judged | one sweep | policy | optimum, 2 minutes | memory so far |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  print_times(first_of(all, kWorksFragments));
  if (large) {
    print_times(first_of(need(cut_fragments(library.get(), {.mirror = true})), 20000));
    return 0;
  }
  const TrainingGround ground = ground_of(all, training_traces());
  print_table(ground, false, "Table 1, judged by bins", pictures);
  print_table(ground, true, "Table 1, judged by the very signals", {});
  print_generalisation(all);
  print_decision_time(ground);
  return 0;
}
