// SPDX-License-Identifier: MIT
//
// The same wishes for behaviors given to a machine of behaviors (Srinivasan 2009), to motion matching, to a fragment
// policy (McCann & Pollard 2007) and to a policy on a motion graph (Zhao 2009), all over the same recordings. Prints a
// table of docs/results/machines.md.
//
//     build/bin/bench_wishes [FOLDER]     needs ../shared/mocap; motions around the worst frames go to FOLDER as BVH
//
// Everything but the times is the same everywhere.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <loom/base/random.h>
#include <loom/behavior/state_machine.h>
#include <loom/graph/build.h>
#include <loom/io/write.h>
#include <loom/machine/build.h>
#include <loom/machine/machine_player.h>
#include <loom/matching/matching.h>
#include <loom/measure/measure.h>
#include <loom/motion/kinematics.h>
#include <loom/policy/drive.h>
#include <loom/policy/fragment_stream.h>
#include <loom/policy/graph_policy_stream.h>
#include <loom/policy/policy.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/train.h>
#include <loom/polish/plant_feet.h>
#include <loom/take/gather.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::bench;

constexpr double kRate = 30;
constexpr std::size_t kWishes = 1000;
constexpr double kLongest = 10;   ///< seconds after which a wish is not answered
constexpr double kSettled = 0.1;  ///< seconds for which a behavior must be played to count as reached

/// Whatever is asked for behaviors.
struct Kind {
  std::string name;
  std::unique_ptr<motion::MotionStream> stream;
  /// The recordings that SourceFrame counts, and which state each belongs to.
  std::vector<const motion::Clip*> clips;
  std::vector<std::size_t> states;
  std::function<motion::Control(std::size_t state)> ask;  ///< the control that asks for a state
  std::function<void(std::size_t state)> wish{};          ///< or the wish that does, made once
  machine::MachinePlayer* player = nullptr;               ///< of a machine
  std::vector<std::shared_ptr<const void>> held{};        ///< what it is made of
};

struct Asked {
  std::size_t state = 0;
  double after = 0;  ///< seconds after the one before was answered
};

/// States at random, none twice running, each 0.5 to 2.5 seconds after the one before was answered.
std::vector<Asked> wishes_for(std::size_t states) {
  Random random(2009);
  std::vector<Asked> wishes(kWishes);
  std::size_t last = 0;
  for (Asked& wish : wishes) {
    wish.state = random.index(states);
    if (wish.state == last) wish.state = (wish.state + 1) % states;
    last = wish.state;
    wish.after = random.uniform(0.5, 2.5);
  }
  return wishes;
}

struct Answered {
  std::vector<double> begun, reached;  ///< seconds; the first only of machines
  std::size_t never = 0;
  std::vector<double> joins;  ///< metres between the poses that are joined
  measure::Measures told, seen;
  motion::Recording recording;
};

/// Positions of a pose as if it stood at the origin, facing +Z.
std::vector<Vec3> stood(const motion::Clip& clip, std::size_t frame) {
  const motion::Skeleton& skeleton = *clip.skeleton;
  std::vector<Vec3> points(skeleton.size() + skeleton.end_sites().size());
  std::vector<Quat> turns(skeleton.size());
  motion::forward_kinematics(skeleton, clip.roots[frame], clip.pose(frame), points, turns);
  const auto here = inverse(motion::GroundFrameFinder(skeleton).find(clip.roots[frame], clip.pose(frame)[0]));
  for (Vec3& point : points) point = transform(here, point);
  return points;
}

/// How far the frame that came is from the one that would have come: root mean square over the points of the body.
double join_distance(const Kind& kind, motion::SourceFrame left, motion::SourceFrame entered) {
  const motion::Clip &from = *kind.clips[left.clip], &to = *kind.clips[entered.clip];
  const auto a = stood(from, std::min<std::size_t>(left.frame + 1, from.frames() - 1));
  const auto b = stood(to, std::min<std::size_t>(entered.frame, to.frames() - 1));
  double sum = 0;
  for (std::size_t p = 0; p < a.size(); ++p) sum += static_cast<double>(dot(a[p] - b[p], a[p] - b[p]));
  return std::sqrt(sum / static_cast<double>(a.size()));
}

Answered play(Kind& kind, const std::vector<Asked>& wishes) {
  Answered answered;
  motion::MotionStream& stream = *kind.stream;
  motion::Recording& recording = answered.recording;
  recording.clip.skeleton = stream.skeleton();
  recording.clip.rate = stream.rate();
  std::vector<Quat> rotations(stream.skeleton()->size());
  std::size_t next = 0, wanted = 0, settled = 0, answers = 0;
  double due = 1, asked = 0;
  bool waiting = false;
  motion::SourceFrame last;
  for (std::size_t pose = 0; next < wishes.size() || waiting; ++pose) {
    const double now = static_cast<double>(pose) / kRate;
    if (!waiting && now >= due) {
      wanted = wishes[next].state;
      waiting = true;
      asked = now;
      settled = 0;
      if (kind.wish) kind.wish(wanted);
    }
    motion::StreamPose shown{{}, rotations, 0, {}};
    stream.next(kind.ask ? kind.ask(wanted) : motion::Control{}, shown);
    motion::add_pose(recording, shown);
    const std::size_t before = kind.states[last.clip], state = kind.states[shown.source.clip];
    const bool jumped =
        last.clip != shown.source.clip || shown.source.frame < last.frame || shown.source.frame > last.frame + 3;
    // Within a machine's state examples are blended and cycles close: only going from state to state is a join.
    if (pose > 0 && (kind.player != nullptr ? before != state : jumped)) {
      answered.joins.push_back(join_distance(kind, last, shown.source));
    }
    last = shown.source;
    if (!waiting) continue;
    if (kind.player != nullptr && kind.player->answers() > answers) {
      answers = kind.player->answers();
      answered.begun.push_back(kind.player->last_answer().delay);
    }
    settled = state == wanted ? settled + 1 : 0;
    const bool there = static_cast<double>(settled) >= kSettled * kRate;
    if (!there && now - asked < kLongest) continue;
    answered.never += there ? 0 : 1;
    answered.reached.push_back(there ? now - asked - static_cast<double>(settled - 1) / kRate : kLongest);
    due = now + wishes[next++].after;
    waiting = false;
  }
  motion::finish(recording);
  need(polish::plant_feet(recording));
  answered.told = measure::measure(recording.clip, recording.contacts);
  answered.seen = measure::measure(recording.clip);
  return answered;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(std::max<std::size_t>(values.size(), 1));
}
double high(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() * 95 / 100];
}

/// The drawn machine, and the recordings it takes with the name of their state as their label.
struct Ground {
  TemporaryLibrary library;
  behavior::StateMachine drawn;
  std::vector<std::string> names;               ///< of the states
  std::map<std::string, std::size_t> state_of;  ///< recordings
};

void fill(Ground& ground) {
  ground.drawn =
      need(behavior::load_machine((fs::path(LOOM_SOURCE_DIR) / "bench" / "machines" / "locomotion.machine").string()));
  library::ImportOptions options;
  std::vector<std::string> files;
  for (std::size_t s = 0; s < ground.drawn.states.size(); ++s) {
    ground.names.push_back(ground.drawn.states[s].name);
    for (const behavior::TakenMotion& taken : ground.drawn.states[s].takes.front()) {
      ground.state_of[taken.name] = s;
      files.push_back((kMocap / "cmu30" / (taken.name + ".bvh")).string());
      library::LabelRow row;
      row.file = taken.name + ".bvh";
      row.label = ground.names.back();
      options.labels.rows.push_back(row);
    }
  }
  need(library::import_motions(*ground.library, files, options));
}

std::size_t state_of(const Ground& ground, const std::string& clip) { return ground.state_of.at(clip); }

Kind machine_kind(Ground& ground, bool single) {
  const auto built = std::make_shared<const machine::BuiltMachine>(need(machine::build(*ground.library, ground.drawn)));
  machine::PlayerOptions options;
  options.single_point = single;
  auto player = need(machine::MachinePlayer::create(built, options));
  Kind kind{single ? "machine, one point" : "machine", nullptr, {}, {}, {}};
  for (std::size_t s = 0; s < built->states.size(); ++s) {
    for (const motion::Clip& clip : built->states[s].space->clips()) {
      kind.clips.push_back(&clip);
      kind.states.push_back(s);
    }
  }
  kind.player = player.get();
  kind.wish = [played = player.get()](std::size_t state) { played->wish({state}); };
  kind.stream = std::move(player);
  kind.held.push_back(built);
  return kind;
}

void add_clips(const Ground& ground, const take::TakeSet& motion, Kind& kind) {
  for (std::size_t c = 0; c < motion.clips.size(); ++c) {
    kind.clips.push_back(&motion.clips[c]);
    kind.states.push_back(state_of(ground, motion.stretches[c].name));
  }
}

/// What the recordings of each state do on average: what one asks for with a stick who wants the state.
std::vector<policy::ControlSignal> usual_controls(const Ground& ground, const policy::FragmentSet& set) {
  std::vector<policy::ControlSignal> means(ground.names.size());
  std::vector<float> counts(means.size(), 0.0f);
  for (const policy::Fragment& fragment : set.fragments) {
    const std::size_t s = state_of(ground, set.clips[fragment.clip].name);
    means[s].left += fragment.evident.left;
    means[s].forward += fragment.evident.forward;
    means[s].turn += fragment.evident.turn;
    ++counts[s];
  }
  for (std::size_t s = 0; s < means.size(); ++s) {
    means[s].left /= counts[s];
    means[s].forward /= counts[s];
    means[s].turn /= counts[s];
  }
  return means;
}

Kind matching_kind(Ground& ground, const std::vector<policy::ControlSignal>& controls) {
  const auto motion = std::make_shared<const take::TakeSet>(need(take::gather(*ground.library, {})).motion);
  matching::MatchOptions features;
  features.behaviors = ground.names;
  matching::MatchingOptions options;
  options.rate = kRate;
  Kind kind{"motion matching", nullptr, {}, {}, {}};
  auto matcher =
      need(matching::MotionMatcher::create(motion, need(matching::find_match_features(*motion, features)), options));
  kind.ask = [stream = matcher.get(), controls](std::size_t state) {
    motion::Control control = policy::to_world(controls[state], stream->place().heading);
    control.behavior = static_cast<int>(state);
    return control;
  };
  kind.stream = std::move(matcher);
  add_clips(ground, *motion, kind);
  kind.held.push_back(motion);
  return kind;
}

/// Flags are the states; a player asks for any of them at random, as the wishes here do.
Kind fragment_kind(Ground& ground, const policy::CutMotion& cut, std::vector<policy::ControlSignal> controls) {
  policy::ControlSpace space;
  space.flags = cut.set->flags;
  for (std::size_t s = 0; s < controls.size(); ++s) controls[s].flags = 1U << (s + 1);
  space.bins = controls;
  policy::Trace trace{"random", true, space.flags, {}, {}};
  Random random(7);
  for (double time = 0; time < 3600; time += random.uniform(0.5, 4)) {
    trace.times.push_back(time);
    trace.signals.push_back(controls[random.index(controls.size())]);
  }
  const auto model = need(policy::count_player_model(space, std::span(&trace, 1), cut.set->seconds()));
  const auto policy = std::make_shared<policy::Policy>(
      need(policy::train_policy(need(policy::prepare_training(cut, space, model, {}, 0.999)), {})));
  const std::shared_ptr<const policy::Solution> solution(policy, &policy->solution);
  policy::FragmentStreamOptions options;
  options.rate = kRate;
  Kind kind{fmt::format("policy over {} fragments", cut.set->size()), nullptr, {}, {}, {}};
  auto stream = need(
      policy::FragmentStream::create(cut, std::make_unique<policy::TableController>(policy->space, solution), options));
  kind.ask = [played = stream.get(), controls](std::size_t state) {
    return policy::to_world(controls[state], played->place().heading);
  };
  kind.stream = std::move(stream);
  add_clips(ground, *cut.motion, kind);
  kind.held = {cut.motion, policy};
  return kind;
}

Kind graph_kind(Ground& ground, const std::vector<policy::ControlSignal>& controls, double centimetres) {
  take::Gathered source = need(take::gather(*ground.library, {}));
  graph::BuildOptions build;
  if (centimetres > 0) build.threshold = graph::square_metres_of(centimetres);
  const auto graph = std::make_shared<graph::MotionGraph>(need(graph::build(source, build)).graph);
  const auto motion = std::make_shared<const take::TakeSet>(std::move(source.motion));
  policy::GraphPolicyOptions training;
  const std::vector<std::string> labels = graph->labels();
  for (const std::string& name : ground.names) {
    if (std::find(labels.begin(), labels.end(), name) != labels.end()) training.behaviors.push_back(name);
  }
  const auto policy =
      std::make_shared<policy::GraphPolicy>(need(policy::train_graph_policy(*graph, motion->tracks(), training)));
  policy::GraphPolicyStreamOptions options;
  options.rate = kRate;
  Kind kind{fmt::format("policy on a graph{}", centimetres > 0 ? fmt::format(", {} cm", centimetres) : ""),
            nullptr,
            {},
            {},
            {}};
  auto stream = need(policy::GraphPolicyStream::create(graph, motion, policy, options));
  std::vector<int> numbers;
  for (const std::string& name : ground.names) {
    const auto found = std::find(policy->behaviors.begin(), policy->behaviors.end(), name);
    numbers.push_back(found == policy->behaviors.end() ? -1 : static_cast<int>(found - policy->behaviors.begin()));
  }
  kind.ask = [controls, numbers](std::size_t state) {
    motion::Control control;
    control.turn_rate = controls[state].turn;
    control.behavior = numbers[state];
    return control;
  };
  kind.stream = std::move(stream);
  add_clips(ground, *motion, kind);
  kind.held = {graph, motion, policy};
  return kind;
}

void write_worst(const std::string& folder, const std::string& name, const Answered& answered) {
  const std::size_t worst = answered.seen.largest_jump_frame, frames = answered.recording.clip.frames();
  const auto piece =
      need(motion::cut(answered.recording.clip, worst < 45 ? 0 : worst - 45, std::min(worst + 45, frames)));
  std::string file = name;
  std::replace(file.begin(), file.end(), ' ', '-');
  need(io::write_motion((fs::path(folder) / (file + ".bvh")).string(), std::span(&piece, 1), name));
}

void print(Kind kind, const std::vector<Asked>& wishes, const std::string& folder) {
  const Answered answered = play(kind, wishes);
  const std::string begun =
      answered.begun.empty() ? "-" : fmt::format("{:.2f} / {:.2f}", mean(answered.begun), high(answered.begun));
  fmt::print("| {} | {} | {:.2f} / {:.2f} | {} | {:.1f} / {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", kind.name, begun,
             mean(answered.reached), high(answered.reached), answered.never, 100 * mean(answered.joins),
             100 * high(answered.joins), 100 * answered.told.foot_slide_mean_mps,
             100 * answered.seen.foot_slide_mean_mps, 100 * answered.seen.largest_jump_m);
  std::fflush(stdout);
  if (!folder.empty()) write_worst(folder, kind.name, answered);
}

}  // namespace

int main(int count, char** words) {
  if (capture_files().empty()) {
    fmt::print("There is no real capture beside the checkout.\n");
    return 0;
  }
  const std::string folder = count > 1 ? words[1] : "";
  Ground ground;
  fill(ground);
  const std::vector<Asked> wishes = wishes_for(ground.names.size());
  policy::CutOptions cutting;
  cutting.flag_names = ground.names;
  const policy::CutMotion cut = need(policy::cut_fragments(*ground.library, cutting));
  const auto controls = usual_controls(ground, *cut.set);
  fmt::print(
      "| character | until its first transition, mean / 95 %, s | until the behavior is played, s | not within 10 s | "
      "join, mean / 95 %, cm | foot slide as told, cm/s | as seen, cm/s | largest jump, cm |\n"
      "|---|---|---|---|---|---|---|---|\n");
  print(machine_kind(ground, false), wishes, folder);
  print(machine_kind(ground, true), wishes, folder);
  print(matching_kind(ground, controls), wishes, folder);
  print(fragment_kind(ground, cut, controls), wishes, folder);
  for (const double centimetres : {0.0, 8.0}) print(graph_kind(ground, controls, centimetres), wishes, folder);
  return 0;
}
