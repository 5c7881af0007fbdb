// SPDX-License-Identifier: MIT
//
// State-annotated graphs and fighters: prints the tables of docs/results/fighters.md.
//
//     build/bin/bench_fighters         needs ../shared/mocap for the real capture; without it only the samples are used
//     build/bin/bench_fighters styles  only the tables of the work and the bouts of styles
//     build/bin/bench_fighters pair punch-only kick-only   only the bouts of two styles
//     build/bin/bench_fighters hand    only the tables after those: the player's hand, speed, motion
//     build/bin/bench_fighters bouts   only how well the fighters of whole bouts keep apart, face each other and go on
//
// Times are of this machine and this run; tables and bouts are the same everywhere.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/parallel.h>
#include <loom/behavior/state_build.h>
#include <loom/behavior/state_table.h>
#include <loom/fight/activity_settings.h>
#include <loom/fight/arena.h>
#include <loom/fight/fighting_machine.h>
#include <loom/measure/body_measures.h>
#include <loom/measure/measure.h>
#include <loom/play/planting.h>
#include <loom/polish/plant_feet.h>

#include "bench_support.h"
#include "close_looks.h"

namespace {

using namespace loom;
using namespace loom::bench;

constexpr std::size_t kBouts = 200;
constexpr double kBoutSeconds = 30;

/// Whole recordings as they come, labelled by file (mocap/labels.csv): kicks, punches, blocks, lunges, walks, boxing.
const std::vector<std::string> kCapture = {
    "144_03", "144_04", "144_05", "144_06", "144_07", "144_08", "144_11", "144_12", "144_13", "144_14",
    "144_17", "144_18", "144_20", "144_21", "144_26", "144_27", "144_33", "144_34", "135_04", "135_05",
    "135_07", "135_09", "135_10", "135_11", "13_17",  "13_18",  "14_02",  "14_03",  "17_10"};

/// The samples that know the fighting stance.
void add_fighting_samples(library::Library& library) {
  for (const sample::SampleClip& clip : need(sample::make_samples())) {
    for (const motion::Label& label : clip.clip.labels) {
      if (label.name != "fight-stance") continue;
      need(library.add_clip(clip.clip));
      break;
    }
  }
}

void import_fights(library::Library& library) {
  std::vector<std::string> files;
  for (const std::string& name : kCapture) files.push_back((kMocap / "cmu30" / (name + ".bvh")).string());
  import_capture(library, files, "144");
}

/// The built-in machine, its locomotion taken from other labels.
behavior::StateMachine machine_with(const std::string& locomotion) {
  std::string text = fight::fighting_machine_text();
  if (!locomotion.empty()) {
    const std::size_t at = text.find("state locomotion:"), end = text.find('\n', at);
    text.replace(at, end - at, "state locomotion: " + locomotion);
  }
  behavior::StateMachine machine = need(behavior::parse_machine(text, "fighting"));
  need(fight::settle_activities(machine));
  return machine;
}

behavior::StateBuild build(const library::Library& library, const std::string& locomotion, double threshold,
                           double rate = 30, bool minima_only = false) {
  behavior::StateBuildOptions options;
  options.threshold = threshold;
  options.rate = rate;
  options.minima_only = minima_only;
  return need(behavior::build_states(library, machine_with(locomotion), options));
}

/// A row of Chiu 2007 table 1, of one state or of several together: means over all their nodes.
struct WorkRow {
  std::string name;
  std::size_t nodes = 0;
  double length = 0, to_each = 0, worst = 0, within = 0;  ///< sums over nodes; of the worst the largest
  double to_nearest = -1;                                 ///< of one state; -1: not known of several together
  double timed = 0;                                       ///< nodes with times

  [[nodiscard]] double mean_length() const { return length / static_cast<double>(std::max<std::size_t>(1, nodes)); }
};

/// The states of a table, and after the attacks a row for both, as the work has them.
std::vector<WorkRow> rows_of(const behavior::StateTable& table) {
  std::vector<WorkRow> rows;
  WorkRow attack;
  attack.name = "attack (punch and kick)";
  const auto add = [](const WorkRow& from, WorkRow& to) {
    to.nodes += from.nodes;
    to.length += from.length;
    to.to_each += from.to_each;
    to.worst = std::max(to.worst, from.worst);
    to.within += from.within;
    to.timed += from.timed;
  };
  for (std::size_t s = 0; s < table.states.size(); ++s) {
    const auto nodes = static_cast<double>(table.states[s].nodes);
    WorkRow row{table.states[s].state, table.states[s].nodes, table.states[s].mean_length_s * nodes, 0, 0, 0, -1, 0};
    for (const behavior::StatePairTime& time : table.times) {
      if (time.to != s || time.link != behavior::Link::kFull || nodes == 0) continue;
      row.to_each = time.mean_to_each_s * nodes;
      row.worst = time.worst_to_each_s;
      row.within = time.share_within * nodes;
      row.to_nearest = time.mean_to_nearest_s;
      row.timed = nodes;
    }
    rows.push_back(row);
    if (row.name != "punch" && row.name != "kick") continue;
    add(row, attack);
    if (row.name == "kick") rows.push_back(attack);
  }
  return rows;
}

void print_states(const std::string& title, const library::Library& library, const std::string& locomotion,
                  double threshold) {
  const Stopwatch watch;
  const behavior::StateBuild built = build(library, locomotion, threshold);
  const double wall = watch.wall(), processor = watch.processor();
  const behavior::StateGraph& states = *built.states;
  const behavior::StateTable table = behavior::measure_states(states);
  fmt::print("\n### {}\n\n", title);
  fmt::print("{} frames, {} kept, {} transitions, {:.1f} MB; built in {:.1f} s ({:.1f} s of processor time).\n\n",
             built.frames, states.graph.nodes(), states.graph.transitions.size(),
             static_cast<double>(states.memory()) / 1e6, wall, processor);
  // The same with local minima only, which is what the work's graph has.
  const behavior::StateBuild plain = build(library, locomotion, threshold, 30, true);
  const std::vector<WorkRow> rows = rows_of(table), minima = rows_of(behavior::measure_states(*plain.states));
  fmt::print(
      "| state | nodes | mean length | from locomotion to each node, mean | its slowest node | nodes within 0.1 s |"
      " to the nearest, from any frame | with minima only: nodes | from locomotion to each node, mean |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const WorkRow& row = rows[r];
    const std::string times = row.timed == 0
                                  ? "– | – | – | –"
                                  : fmt::format("{:.3f} s | {:.3f} s | {:.0f} % | {}", row.to_each / row.timed,
                                                row.worst, 100 * row.within / row.timed,
                                                row.to_nearest < 0 ? "–" : fmt::format("{:.3f} s", row.to_nearest));
    const std::string alone = minima[r].timed == 0 ? "–" : fmt::format("{:.3f} s", minima[r].to_each / minima[r].timed);
    fmt::print("| {} | {} | {:.2f} s | {} | {} | {} |\n", row.name, row.nodes, row.mean_length(), times,
               minima[r].nodes, alone);
  }
}

/// What many bouts of two styles come to, a bout.
void print_styles(const behavior::StateBuild& built, const std::string& one, const std::string& two) {
  fight::Tally sums[2];
  float nearest = 1e9f;
  for (std::size_t seed = 1; seed <= kBouts; ++seed) {
    fight::ArenaOptions options;
    options.seed = seed;
    auto arena = need(fight::Arena::create(built.states, built.motion, {{one}, {two}}, options));
    while (arena.seconds() < kBoutSeconds) arena.step();
    nearest = std::min(nearest, arena.nearest());
    for (std::size_t f = 0; f < 2; ++f) {
      sums[f].attacks += arena.tally(f).attacks;
      sums[f].punches += arena.tally(f).punches;
      sums[f].kicks += arena.tally(f).kicks;
      sums[f].evasions += arena.tally(f).evasions;
      sums[f].hits += arena.tally(f).hits;
    }
  }
  const auto mean = [](std::uint32_t sum) { return static_cast<double>(sum) / static_cast<double>(kBouts); };
  for (std::size_t f = 0; f < 2; ++f) {
    fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.2f} m |\n", f == 0 ? one : two,
               f == 0 ? two : one, mean(sums[f].attacks), mean(sums[f].punches), mean(sums[f].kicks),
               mean(sums[f].evasions), mean(sums[f].hits), nearest);
  }
}

constexpr const char* kStylesHeader =
    "| style | against | attacks | punches | kicks | evasions | hits | nearest ever "
    "|\n|---|---|---|---|---|---|---|---|\n";

void print_all_styles(const behavior::StateBuild& built) {
  print_styles(built, "aggressive", "defensive");
  print_styles(built, "puncher", "kicker");
  print_styles(built, "aggressive", "aggressive");
  print_styles(built, "defensive", "defensive");
}

/// The experiment of the work: nothing differs but who is asked first (§6).
void print_styles_of_priority(const behavior::StateBuild& built) {
  print_styles(built, "attack-first", "evade-first");
  print_styles(built, "punch-only", "kick-only");
  print_styles(built, "attack-first", "attack-first");
  print_styles(built, "evade-first", "evade-first");
}

void print_speed(const char* what, const behavior::StateBuild& built, std::size_t fighters, bool polished) {
  const std::vector<std::vector<std::string>> styles(fighters, std::vector<std::string>{"aggressive"});
  auto arena = std::make_shared<fight::Arena>(need(fight::Arena::create(built.states, built.motion, styles)));
  std::shared_ptr<motion::Ensemble> shown = arena;
  if (polished) shown = need(play::planted(arena, *built.motion));
  std::vector<Quat> rotations(arena->skeleton()->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  const double seconds = 20;
  const Stopwatch watch;
  while (arena->seconds() < seconds) {
    shown->step({});
    for (std::size_t f = 0; f < fighters; ++f) shown->show(f, pose);
  }
  const double processor = watch.processor();
  double decisions = 0;
  for (std::size_t f = 0; f < fighters; ++f) decisions += arena->tally(f).decisions;
  const double poses = static_cast<double>(arena->frames() * fighters) / processor;
  fmt::print("| {} | {} | {:.0f} thousand | {:.0f} | {:.0f} thousand |\n", what, fighters, poses / 1e3, poses / 60,
             decisions / processor / 1e3);
}

/// How many times a second a fighter can make up its mind: all activities asked, nothing else done.
void print_decisions(const behavior::StateBuild& built) {
  const auto body =
      std::make_shared<const fight::StateBody>(need(fight::StateBody::create(*built.states, *built.motion)));
  const auto activities = need(fight::activities_in(built.states->machine, {"aggressive"}));
  const graph::Node start =
      built.states
          ->nodes[built.states->nodes_of_state(static_cast<std::uint32_t>(built.states->machine.default_state))[0]]
          .begin;
  const motion::GroundFrame here = inverse(body->ground(start));
  const motion::GroundFrame there = motion::GroundFrame{0, 1, kPi} * here;
  fight::Fighter one(built.states, built.motion, body, activities, {start, here}, 1);
  const fight::Fighter two(built.states, built.motion, body, activities, {start, there}, 2);
  constexpr int kDecisions = 20000;
  const Stopwatch watch;
  for (int d = 0; d < kDecisions; ++d) one.decide(two, 10.0 * d);
  fmt::print(
      "\nDeciding alone: {:.0f} thousand decisions a second, each among {} actions and the footwork within reach.\n",
      kDecisions / watch.processor() / 1e3, built.states->routes.targets.size());
}

/// The recordings a graph plays, for comparison.
void print_recordings(const char* what, const behavior::StateBuild& built) {
  double slide = 0, jump = 0;
  for (std::size_t c = 0; c < built.motion->clips.size(); ++c) {
    const measure::Measures measures = measure::measure(built.motion->clips[c], built.motion->contacts[c]);
    slide += measures.foot_slide_mean_mps / static_cast<double>(built.motion->clips.size());
    jump = std::max(jump, measures.largest_jump_m);
  }
  fmt::print("| {}, the recordings | – | – | {:.1f} cm/s | – | {:.1f} cm | – |\n", what, 100 * slide, 100 * jump);
}

/// The motion of one long bout, as it comes and with its feet planted.
void print_quality(const char* what, const behavior::StateBuild& built, CloseLooks& looks) {
  print_recordings(what, built);
  auto arena = need(fight::Arena::create(built.states, built.motion, {{"aggressive"}, {}}));
  const auto recordings = need(fight::record(arena, 120));
  for (std::size_t f = 0; f < 2; ++f) {
    const motion::Recording& recording = recordings[f];
    const auto planted = need(polish::plant_feet(recording.clip, recording.contacts));
    const measure::Measures raw = measure::measure(recording.clip, recording.contacts);
    const measure::Measures polished = measure::measure(planted, recording.contacts);
    looks.add(what, planted);
    fmt::print("| {}, {} | {} | {} | {:.1f} cm/s | {:.1f} cm/s | {:.1f} cm | {:.1f} cm |\n", what,
               f == 0 ? "aggressive" : "plain", arena.tally(f).attacks, arena.tally(f).hits,
               100 * raw.foot_slide_mean_mps, 100 * polished.foot_slide_mean_mps, 100 * raw.largest_jump_m,
               100 * polished.largest_jump_m);
  }
}

/// How soon a fighter in a player's hand does what it is asked, asked at any moment of standing and stepping.
void print_steered(const char* what, const behavior::StateBuild& built) {
  constexpr std::size_t kPresses = 200;
  constexpr std::uint64_t kLongest = 300;  // frames
  const behavior::StateGraph& states = *built.states;
  for (const fight::Act act : {fight::Act::kPunch, fight::Act::kKick, fight::Act::kEvade}) {
    std::vector<double> seconds;
    for (std::size_t p = 0; p < kPresses; ++p) {
      fight::ArenaOptions options;
      options.seed = p + 1;
      auto arena = need(fight::Arena::create(built.states, built.motion, {{}, {"aggressive"}}, options));
      const auto move = static_cast<fight::Move>(p % 5);
      arena.steer(0, fight::FighterWish{move, fight::Act::kNothing});
      for (std::size_t i = 0; i < 20 + p % 37; ++i) arena.step();
      arena.steer(0, fight::FighterWish{move, act});
      const std::uint64_t asked = arena.frames();
      do {
        arena.step();
      } while (states.state_of[arena.fighter(0).place().frame] == states.machine.default_state &&
               arena.frames() < asked + kLongest);
      if (arena.frames() == asked + kLongest) continue;  // it was forgotten
      seconds.push_back(static_cast<double>(arena.frames() - asked) / arena.rate());
    }
    std::sort(seconds.begin(), seconds.end());
    fmt::print("| {} | {} | {:.3f} s | {:.3f} s | {:.3f} s | {} |\n", what, to_string(act), seconds[kPresses / 2],
               seconds[kPresses * 9 / 10], seconds.back(), kPresses - seconds.size());
  }
}

/// How far it gets in a while when it is asked to go somewhere, the opponent standing still.
void print_steered_steps(const char* what, const behavior::StateBuild& built) {
  constexpr std::size_t kTries = 100;
  for (const fight::Move move : {fight::Move::kForward, fight::Move::kBack, fight::Move::kLeft, fight::Move::kRight}) {
    std::vector<float> soon, later;
    for (std::size_t t = 0; t < kTries; ++t) {
      fight::ArenaOptions options;
      options.seed = t + 1;
      options.start_distance = 3;
      auto arena = need(fight::Arena::create(built.states, built.motion, {{}, {}}, options));
      for (const std::size_t f : {0, 1}) arena.steer(f, fight::FighterWish{});
      for (std::size_t i = 0; i < 20 + t % 37; ++i) arena.step();
      const motion::GroundFrame before = arena.fighter(0).stand();
      arena.steer(0, fight::FighterWish{move, fight::Act::kNothing});
      const auto gone_after = [&](double seconds) {
        const double end = arena.seconds() + seconds;
        while (arena.seconds() < end) arena.step();
        return fight::between(before, arena.fighter(0).stand());
      };
      soon.push_back(gone_after(0.7));
      later.push_back(gone_after(1.3));
    }
    std::sort(soon.begin(), soon.end());
    std::sort(later.begin(), later.end());
    fmt::print("| {} | {} | {:.2f} m | {:.2f} m |\n", what, to_string(move), soon[kTries / 2], later[kTries / 2]);
  }
}

/// What whole bouts are like to look at, all seeds together.
struct BoutFigures {
  double frames = 0, inside = 0, deepest = 0, facing = 0, longest_pause = 0, hits = 0, attacks = 0, minutes = 0;
  double slide = 0, glide = 0, jump = 0;
  std::size_t pauses = 0;  ///< bouts with a pause of more than 5 s
};

constexpr double kLongPause = 5;          ///< seconds
constexpr float kFaces = 45 * kDegree;    ///< a fighter turned away less than this faces the other
constexpr std::size_t kLongBouts = 16;    ///< seeds
constexpr double kLongBoutSeconds = 120;  ///< of each

/// Fights one bout and adds what it was like.
void add_bout(const behavior::StateBuild& built, const fight::StateBody& body, const std::string& one,
              const std::string& two, std::uint64_t seed, BoutFigures& sum) {
  fight::ArenaOptions options;
  options.seed = seed;
  auto arena = need(fight::Arena::create(built.states, built.motion, {{one}, {two}}, options));
  auto watched = need(fight::Arena::create(built.states, built.motion, {{one}, {two}}, options));
  double still = 0, longest = 0;
  while (watched.seconds() < kLongBoutSeconds) {
    watched.step();
    bool busy = false;
    for (std::size_t f = 0; f < 2; ++f) {
      const motion::GroundFrame own = watched.fighter(f).stand(), other = watched.fighter(1 - f).stand();
      const float turned = wrap_angle(fight::bearing(own, other) - own.heading - body.aim());
      sum.facing += std::abs(turned) < kFaces ? 0.5 : 0;
      const auto home = built.states->machine.default_state;
      busy = busy || built.states->state_of[watched.fighter(f).place().frame] != home;
    }
    still = busy ? 0 : still + 1 / watched.rate();
    longest = std::max(longest, still);
  }
  sum.longest_pause = std::max(sum.longest_pause, longest);
  sum.pauses += longest > kLongPause ? 1 : 0;
  auto recordings = need(fight::record(arena, kLongBoutSeconds));
  for (std::size_t f = 0; f < 2; ++f) {
    recordings[f].clip = need(polish::plant_feet(recordings[f].clip, recordings[f].contacts));
  }
  fight::keep_apart(recordings, arena.hinges());
  for (std::size_t f = 0; f < 2; ++f) {
    const measure::Measures measures = measure::measure(recordings[f].clip, recordings[f].contacts);
    sum.slide += measures.foot_slide_mean_mps;
    sum.jump = std::max(sum.jump, measures.largest_jump_m);
    sum.glide += measure::measure_body(recordings[f].clip).glide_share;
    sum.hits += arena.tally(f).hits;
    sum.attacks += arena.tally(f).attacks;
  }
  const auto frames = static_cast<double>(recordings[0].clip.frames());
  const auto collision = measure::measure_collision(recordings[0].clip, recordings[1].clip);
  sum.frames += frames;
  sum.minutes += kLongBoutSeconds / 60;
  sum.inside += collision->share * frames;
  sum.deepest = std::max(sum.deepest, collision->inside_m);
}

/// How deep fighters are in each other, how long they do nothing, whether they face each other, feet as written.
void print_bouts(const char* what, const behavior::StateBuild& built, const std::string& one, const std::string& two) {
  const fight::StateBody body = need(fight::StateBody::create(*built.states, *built.motion));
  BoutFigures sum;
  for (std::uint64_t seed = 1; seed <= kLongBouts; ++seed) add_bout(built, body, one, two, seed, sum);
  const auto fighters = static_cast<double>(2 * kLongBouts);
  fmt::print(
      "| {}, {} against {} | {:.2f} % | {:.1f} cm | {:.1f} s | {} | {:.0f} % | {:.1f} | {:.1f} | {:.1f} cm/s | {:.1f} "
      "% | {:.1f} cm |\n",
      what, one, two, 100 * sum.inside / sum.frames, 100 * sum.deepest, sum.longest_pause, sum.pauses,
      100 * sum.facing / (sum.frames - kLongBouts), sum.attacks / sum.minutes, sum.hits / sum.minutes,
      100 * sum.slide / fighters, 100 * sum.glide / fighters, 100 * sum.jump);
}

void print_all_bouts() {
  fmt::print("## Whole bouts, {} seeds of {:.0f} s\n\n", kLongBouts, kLongBoutSeconds);
  fmt::print(
      "| bouts | frames with bodies more than 3 cm inside each other | deepest | longest pause | seeds with one above "
      "5 s | frames facing | attacks a minute | hits a minute | foot slide | glide | largest jump "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  {
    TemporaryLibrary samples;
    add_fighting_samples(*samples);
    const behavior::StateBuild built = build(*samples, "", behavior::StateBuildOptions{}.threshold);
    print_bouts("samples", built, "aggressive", "defensive");
    print_bouts("samples", built, "plain", "plain");
  }
  if (!fs::exists(kMocap)) return;
  TemporaryLibrary capture;
  import_fights(*capture);
  const behavior::StateBuild near = build(*capture, "boxing", 0.0064), far = build(*capture, "boxing", 0.0144);
  print_bouts("real capture, 8 cm", near, "aggressive", "defensive");
  print_bouts("real capture, 12 cm", far, "aggressive", "defensive");
  print_bouts("real capture, 12 cm", far, "plain", "plain");
}

/// The tables of the work, and the bouts of styles.
void print_tables_and_styles(const library::Library& samples, const library::Library* capture,
                             const behavior::StateBuild& built) {
  fmt::print("## The table of the work\n");
  print_states("sample fighting motions, markers 6 cm apart", samples, "", 0.0036);
  print_states("sample fighting motions, markers 8 cm apart", samples, "", 0.0064);
  if (capture) {
    print_states("real capture, walking as locomotion, markers 8 cm apart", *capture, "walk", 0.0064);
    print_states("real capture, boxing as locomotion, markers 8 cm apart", *capture, "boxing", 0.0064);
    print_states("real capture, boxing as locomotion, markers 12 cm apart", *capture, "boxing", 0.0144);
  } else {
    fmt::print("\n(no real capture at {})\n", kMocap.string());
  }
  fmt::print("\n## Styles, {} bouts of {:.0f} s each, the sample motions; mean a bout\n\n", kBouts, kBoutSeconds);
  fmt::print("{}", kStylesHeader);
  print_all_styles(built);
  fmt::print("\nBy priority alone:\n\n{}", kStylesHeader);
  print_styles_of_priority(built);
  if (!capture) return;
  const behavior::StateBuild far = build(*capture, "boxing", 0.0144);
  fmt::print("\nReal capture, boxing as locomotion, markers 12 cm apart:\n\n{}", kStylesHeader);
  print_all_styles(far);
  fmt::print("\nThe same by priority alone:\n\n{}", kStylesHeader);
  print_styles_of_priority(far);
}

/// How soon a character in a player's hand answers, how many play at once, and what their motion is like.
void print_hand_speed_motion(const library::Library& samples, const library::Library* capture,
                             const behavior::StateBuild& built) {
  fmt::print("\n## In a player's hand, 200 presses at any moment of standing and stepping\n\n");
  fmt::print(
      "| motion | asked for | begins after, median | nine tenths within | the slowest | never |\n"
      "|---|---|---|---|---|---|\n");
  print_steered("samples", built);
  if (capture) print_steered("real capture, markers 12 cm apart", build(*capture, "boxing", 0.0144));
  fmt::print("\n| motion | held | gone after 0.7 s, median | after 2 s |\n|---|---|---|---|\n");
  print_steered_steps("samples", built);

  fmt::print("\n## Speed, one core\n\n");
  fmt::print("| what | fighters | poses a second | fighters at 60 Hz | decisions a second |\n|---|---|---|---|---|\n");
  {
    const behavior::StateBuild at_60 = build(samples, "", behavior::StateBuildOptions{}.threshold, 60);
    const ThreadLimit one(1);
    print_speed("two", at_60, 2, false);
    print_speed("in pairs, one world", at_60, 200, false);
    print_speed("the same, feet held while playing", at_60, 200, true);
    print_decisions(at_60);
  }
  fmt::print("\n## The motion, two minutes\n\n");
  fmt::print(
      "| fighter | attacks | hits | foot slide | feet planted | largest jump | feet planted "
      "|\n|---|---|---|---|---|---|---|\n");
  CloseLooks looks;
  print_quality("samples", built, looks);
  if (capture) print_quality("real capture", build(*capture, "boxing", 0.0064), looks);
  looks.print();
  fmt::print("\n");
}

}  // namespace

int main(int count, char** words) {
  const std::string_view mode = count > 1 ? words[1] : "";
  if (mode == "bouts") {
    print_all_bouts();
    return 0;
  }
  TemporaryLibrary samples;
  add_fighting_samples(*samples);
  std::unique_ptr<TemporaryLibrary> there;
  if (fs::exists(kMocap)) {
    there = std::make_unique<TemporaryLibrary>();
    import_fights(**there);
  }
  const library::Library* capture = there ? &**there : nullptr;
  const behavior::StateBuild built = build(*samples, "", behavior::StateBuildOptions{}.threshold);
  if (mode == "pair" && count > 3) {
    print_styles(built, words[2], words[3]);
    if (capture) print_styles(build(*capture, "boxing", 0.0144), words[2], words[3]);
    return 0;
  }
  if (mode != "hand") print_tables_and_styles(*samples, capture, built);
  if (mode == "styles") return 0;
  print_hand_speed_motion(*samples, capture, built);
  if (mode != "hand") print_all_bouts();
  return 0;
}
