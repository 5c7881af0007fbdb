// SPDX-License-Identifier: MIT
//
// Machines of behaviors that are built and played (Srinivasan 2009 ch. 5, §6.1, §7.1): how long building takes, how
// large a machine is, how long wishes wait, how well transitions come out, and how many characters one core plays.
// Prints the tables of docs/results/machines.md.
//
//     build/bin/bench_machine_play [samples | capture | many]     all without a word; all but samples need
//     ../shared/mocap
//
// Times are of this machine and this run; all else is the same everywhere.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/random.h>
#include <loom/behavior/state_machine.h>
#include <loom/blend/family/family_build.h>
#include <loom/compare/point_cloud.h>
#include <loom/machine/build.h>
#include <loom/machine/detail/unrolled.h>
#include <loom/machine/machine_player.h>
#include <loom/measure/measure.h>
#include <loom/polish/plant_feet.h>
#include <loom/project/build.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::bench;
using Machine = std::shared_ptr<const machine::BuiltMachine>;

void add_family(library::Library& library, const std::string& name, const std::vector<std::string>& clips) {
  blend::FamilyOptions options;
  options.clips = clips;
  options.kind = blend::FamilyKind::kLocomotion;
  options.rate = 30;
  options.leave_out_strangers = true;
  need(project::build_family(library, name, options));
}

void print_build_head() {
  fmt::print(
      "| machine | states | examples | transitions drawn | points | build, s | size, MB | largest jump in its motion, "
      "cm "
      "|\n|---|---|---|---|---|---|---|---|\n");
}

/// Builds a machine and prints a row about it.
Machine build(library::Library& library, const std::string& name, const behavior::StateMachine& drawn) {
  const Stopwatch watch;
  auto built = need(machine::build(library, drawn));
  const double seconds = watch.processor();
  std::size_t examples = 0, pairs = 0;
  double jump = 0;
  for (const auto& state : built.states) {
    examples += state.space->size();
    for (const motion::Clip& clip : state.space->clips()) {
      jump = std::max(jump, measure::measure(clip, motion::Contacts{}).largest_jump_m);
    }
  }
  for (const auto& t : drawn.transitions) pairs += t.from == t.to ? 0 : 1;
  fmt::print("| {} | {} | {} | {} | {} | {:.2f} | {:.2f} | {:.1f} |\n", name, built.states.size(), examples, pairs,
             built.transitions.size(), seconds, static_cast<double>(machine::to_bytes(built).size()) / 1e6, 100 * jump);
  std::fflush(stdout);
  return std::make_shared<const machine::BuiltMachine>(std::move(built));
}

/// What came of many wishes.
struct Answered {
  std::vector<double> cycles, all;  ///< delays: out of cycles, and out of everything
  double joins = 0;                 ///< mean distance at transitions, metres
  measure::Measures told, seen;     ///< of the motion, its feet planted: by the contacts it tells, and by what is seen
  double bare_jump = 0;             ///< the largest jump before its feet were planted, metres
  std::string where{};              ///< what was played where the largest jump is
};

/// The actual distance of a transition that begins: both motions as they are blended at this moment, along the warp,
/// by the distance that transitions are found with.
double join_now(const machine::BuiltMachine& built, const machine::MachinePlayer& player) {
  constexpr std::size_t kFrames = 12, kMiddle = 5;
  const machine::BuiltTransition& way = built.transitions[player.transition()];
  const auto clip = [&](std::size_t number, double begin, double end) {
    const machine::BuiltState& state = built.states[number];
    std::vector<float> weights(state.space->size(), 1.0f);
    if (state.parameters) {
      std::vector<double> coordinates(state.parameters->space.size());
      state.parameters->space.to_coordinates(player.parameters(number), coordinates);
      machine::weigh(*state.parameters, coordinates, weights);
    }
    return machine::sample_state(state, weights, begin, end, kFrames);
  };
  const std::vector<motion::Clip> both = {clip(way.from, way.knots.front().from, way.knots.back().from),
                                          clip(way.to, way.knots.front().to, way.knots.back().to)};
  compare::PointCloudOptions window;
  window.half_window = kMiddle;
  const auto metric = need(compare::PointCloud::create(
      std::make_shared<const compare::FrameSet>(need(compare::make_frame_set(both))), window));
  return std::sqrt(static_cast<double>(metric.distance(kMiddle, kFrames + kMiddle)));
}

/// The point of a body that jumps most at a frame.
std::string jumping_point(const motion::Clip& clip, std::size_t frame) {
  if (frame == 0 || frame + 1 >= clip.frames()) return {};
  const std::vector<Vec3> points = motion::point_positions(clip, frame - 1, frame + 2);
  const std::size_t count = points.size() / 3, joints = clip.skeleton->size();
  std::size_t most = 0;
  float jump = 0;
  for (std::size_t p = 0; p < std::min(count, joints); ++p) {
    const float here = length(points[p] - 2.0f * points[count + p] + points[2 * count + p]);
    if (here > jump) jump = here, most = p;
  }
  return clip.skeleton->joint(most).name;
}

constexpr std::size_t kWishes = 1000;

/// Wishes for states at random, each 0.5 to 2.5 seconds after the one before was answered, with random parameters where
/// a state has some.
Answered wish(const Machine& built, const machine::PlayerOptions& options) {
  Answered answered;
  const auto player = need(machine::MachinePlayer::create(built, options));
  Random random(2009);
  double next = 1;
  bool waiting = false, from_cycle = false;
  std::size_t answers = 0, joins = 0;
  machine::Mode mode = player->mode();
  const double rate = player->rate();
  motion::Recording recording;
  recording.clip.skeleton = player->skeleton();
  recording.clip.rate = rate;
  std::vector<Quat> rotations(player->skeleton()->size());
  std::vector<std::string> played;  // pose by pose
  for (std::size_t pose = 0; answers < kWishes && pose < kWishes * 30 * 30; ++pose) {
    const double now = static_cast<double>(pose) / rate;
    if (!waiting && now >= next) {
      machine::Wish wanted{random.index(built->states.size())};
      if (wanted.state == player->state()) wanted.state = (wanted.state + 1) % built->states.size();
      if (const auto& parameters = built->states[wanted.state].parameters) {
        for (std::size_t p = 0; p < std::min(parameters->space.size(), machine::Wish::kMostParameters); ++p) {
          wanted.parameters[wanted.parameter_count++] = {p, random.uniform(parameters->least[p], parameters->most[p])};
        }
      }
      from_cycle = built->states[player->state()].cyclic && player->mode() == machine::Mode::kPlayback;
      waiting = player->wish(wanted);
    }
    motion::StreamPose shown{{}, rotations, 0, {}};
    player->next({}, shown);
    motion::add_pose(recording, shown);
    played.push_back(built->states[player->state()].name);
    if (player->mode() == machine::Mode::kTransition)
      played.back() += " to " + built->states[player->next_state()].name;
    if (player->mode() == machine::Mode::kTransition && mode != machine::Mode::kTransition) {
      answered.joins += join_now(*built, *player);
      ++joins;
    }
    mode = player->mode();
    if (player->answers() == answers) continue;
    answers = player->answers();
    answered.all.push_back(player->last_answer().delay);
    if (from_cycle) answered.cycles.push_back(player->last_answer().delay);
    waiting = false;
    next = now + random.uniform(0.5, 2.5);
  }
  answered.joins /= static_cast<double>(std::max<std::size_t>(joins, 1));
  motion::finish(recording);
  answered.bare_jump = measure::measure(recording.clip, motion::Contacts{}).largest_jump_m;
  need(polish::plant_feet(recording));
  answered.told = measure::measure(recording.clip, recording.contacts);
  answered.seen = measure::measure(recording.clip);
  answered.where = fmt::format("{}, {}", played[std::min(answered.seen.largest_jump_frame, played.size() - 1)],
                               jumping_point(recording.clip, answered.seen.largest_jump_frame));
  return answered;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(std::max<std::size_t>(values.size(), 1));
}
double high(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() * 95 / 100];
}

void print_wish_head() {
  fmt::print(
      "| machine | points | entered with | delay out of cycles, mean / 95 %, s | of all wishes, s | join, cm | foot "
      "slide as told, cm/s (worst) | as seen, cm/s (worst) | largest jump, cm (before planting) | where "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n");
}

void wish_in_all_ways(const std::string& name, const Machine& built) {
  const bool parameters = std::any_of(built->states.begin(), built->states.end(),
                                      [](const auto& state) { return state.parameters.has_value(); });
  for (const bool single : {true, false}) {
    for (const bool parametric : {false, true}) {
      if (parametric && !parameters) continue;
      machine::PlayerOptions options;
      options.single_point = single;
      options.parametric = parametric;
      const Answered answered = wish(built, options);
      fmt::print(
          "| {} | {} | {} | {:.2f} / {:.2f} | {:.2f} / {:.2f} | {:.1f} | {:.1f} ({:.0f}) | {:.1f} ({:.0f}) | {:.1f} "
          "({:.1f}) | {} |\n",
          name, single ? "one" : "several", parametric ? "what fits" : "the usual", mean(answered.cycles),
          high(answered.cycles), mean(answered.all), high(answered.all), 100 * answered.joins,
          100 * answered.told.foot_slide_mean_mps, 100 * answered.told.foot_slide_max_mps,
          100 * answered.seen.foot_slide_mean_mps, 100 * answered.seen.foot_slide_max_mps,
          100 * answered.seen.largest_jump_m, 100 * answered.bare_jump, answered.where);
      std::fflush(stdout);
    }
  }
}

/// Poses that one core makes in a second, over sixty.
void count_characters(const std::string& name, const Machine& built) {
  machine::PlayerOptions options;
  options.rate = 60;
  const auto player = need(machine::MachinePlayer::create(built, options));
  std::vector<Quat> rotations(player->skeleton()->size());
  motion::StreamPose shown{{}, rotations, 0, {}};
  Random random(3);
  constexpr int kPoses = 60000;
  const Stopwatch watch;
  for (int pose = 0; pose < kPoses; ++pose) {
    if (pose % 120 == 0) player->wish({random.index(built->states.size())});
    player->next({}, shown);
  }
  fmt::print("| {} | {:.0f} |\n", name, kPoses / watch.thread() / 60);
}

struct Named {
  std::string name;
  Machine machine;
};

/// Builds and plays all machines that `drawn` has.
void measure_all(library::Library& library, const std::vector<std::pair<std::string, behavior::StateMachine>>& drawn) {
  std::vector<Named> built;
  print_build_head();
  for (const auto& [name, machine] : drawn) built.push_back({name, build(library, name, machine)});
  fmt::print("\n");
  print_wish_head();
  for (const Named& one : built) wish_in_all_ways(one.name, one.machine);
  fmt::print("\n| machine | characters at 60 Hz on one core |\n|---|---|\n");
  for (const Named& one : built) count_characters(one.name, one.machine);
  fmt::print("\n");
}

behavior::StateMachine drawn(const char* file) {
  return need(behavior::load_machine((fs::path(LOOM_SOURCE_DIR) / "bench" / "machines" / file).string()));
}

void measure_samples() {
  TemporaryLibrary library;
  add_samples(*library);
  add_family(*library, "walks", {"locomotion-*"});
  add_family(*library, "runs", {"run-1", "run-2", "run-fast", "jog", "run-turn-*"});
  measure_all(*library, {{"samples", drawn("samples.machine")}});
}

void measure_capture() {
  TemporaryLibrary library;
  import_capture(*library, capture_files({"16_"}));
  const auto clips = [](std::initializer_list<int> numbers) {
    std::vector<std::string> names;
    for (const int number : numbers) names.push_back(fmt::format("16_{:02}", number));
    return names;
  };
  add_family(*library, "walks",
             clips({16, 31, 32, 47, 58, 21, 22, 11, 12, 17, 18, 24, 27, 13, 14, 19, 20, 25, 26, 29, 30}));
  add_family(*library, "runs",
             clips({35, 36, 45, 46, 55, 56, 37, 38, 41, 42, 48, 51, 52, 39, 40, 43, 44, 49, 50, 53, 54}));
  measure_all(*library, {{"capture, single clips", drawn("locomotion.machine")},
                         {"capture, families", drawn("blended.machine")}});
}

/// The recordings of a performer from one number to another, those that are there.
std::vector<std::string> numbers(int performer, int first, int last) {
  std::vector<std::string> names;
  for (int number = first; number <= last; ++number) {
    std::string name = fmt::format("{:02}_{:02}", performer, number);
    if (fs::exists(kMocap / "cmu30" / (name + ".bvh"))) names.push_back(std::move(name));
  }
  return names;
}

/// The motions of one character that fights, jumps and reaches.
void add_smartbody(library::Library& library) {
  for (const char* folder : {"punching", "kicking", "jumping", "MocapReaching"}) {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(kMocap / "smartbody" / folder)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("ChrGarza") && entry.path().extension() == ".skm") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    need(library::import_motions(library, files, {}));
  }
}

/// Families of as many examples as there are.
struct Many {
  const char* name;
  std::vector<std::string> clips;
  blend::FamilyKind kind;
  bool mirror = true;
  std::string label{}, joint{};
};

/// As many nodes, edges and examples as Heck & Gleicher 2007 had: times of making the families and of building.
void measure_many(const char* name, library::Library& library, const std::vector<Many>& families, const char* file) {
  const Stopwatch watch;
  for (const Many& family : families) {
    blend::FamilyOptions options;
    options.clips = family.clips;
    options.kind = family.kind;
    options.rate = 30;
    options.mirror = family.mirror;
    options.label = family.label;
    options.joint = family.joint;
    options.most_examples = 200;
    options.least_spacing = 0;
    options.leave_out_strangers = true;
    need(project::build_family(library, family.name, options));
  }
  const double wall = watch.wall(), made = watch.processor();
  const behavior::StateMachine machine = drawn(file);
  const Stopwatch building;
  const auto built = need(machine::build(library, machine));
  std::size_t examples = 0, edges = 0;
  for (const auto& state : built.states) examples += state.space->size();
  for (const auto& t : machine.transitions) edges += t.from == t.to ? 0 : 1;
  fmt::print("| {} | {} | {} | {} | {} | {:.1f} ({:.1f}) | {:.1f} ({:.1f}) | {:.1f} |\n", name, built.states.size(),
             edges, examples, built.transitions.size(), made, wall, building.processor(), building.wall(),
             static_cast<double>(machine::to_bytes(built).size()) / 1e6);
  std::fflush(stdout);
}

void measure_many() {
  fmt::print(
      "| machine | nodes | edges | examples | points | families, s of processor (wall) | machine, s (wall) | size, MB "
      "|\n|---|---|---|---|---|---|---|---|\n");
  {
    TemporaryLibrary library;
    import_capture(*library, capture_files({"07_", "08_", "16_", "35_", "69_2", "69_3", "118_"}), "16");
    const auto kind = blend::FamilyKind::kLocomotion;
    measure_many("capture, locomotion", *library,
                 {{"walks", {"07_*", "08_*", "35_*"}, kind},
                  {"curves", numbers(16, 11, 32), kind},
                  {"runs", numbers(16, 35, 56), kind},
                  {"turns", numbers(69, 20, 33), kind},
                  {"jumps", {"118_*"}, blend::FamilyKind::kJump}},
                 "many.machine");
  }
  {
    TemporaryLibrary library;
    import_capture(*library, capture_files({"144_", "13_17", "13_18", "14_02", "14_03", "17_10", "135_"}), "144");
    measure_many("capture, boxing", *library,
                 {{"rights", {}, blend::FamilyKind::kPunch, true, "punch", "RightHand"},
                  {"lefts", {}, blend::FamilyKind::kPunch, true, "punch", "LeftHand"},
                  {"kicks", {}, blend::FamilyKind::kKick, true, "kick"}},
                 "boxing-many.machine");
  }
  {
    TemporaryLibrary library;
    add_smartbody(*library);
    measure_many("SmartBody, fighting", *library,
                 {{"reaches",
                   {"*_ReachBack*", "*_ReachForward*", "*_ReachLeft*", "*_ReachRight*"},
                   blend::FamilyKind::kReach,
                   false},
                  {"punches", {"*_Punch*"}, blend::FamilyKind::kPunch, false},
                  {"kicks", {"*_Kick*"}, blend::FamilyKind::kKick, false},
                  {"jumps", {"*_Jump*"}, blend::FamilyKind::kJump}},
                 "fighting-many.machine");
  }
}

}  // namespace

int main(int count, char** words) {
  const std::string_view only = count > 1 ? words[1] : "";
  if (only.empty() || only == "samples") measure_samples();
  if (only == "samples") return 0;
  if (capture_files().empty()) {
    fmt::print("There is no real capture beside the checkout.\n");
    return 0;
  }
  if (only.empty() || only == "capture") measure_capture();
  if (only.empty() || only == "many") measure_many();
  return 0;
}
