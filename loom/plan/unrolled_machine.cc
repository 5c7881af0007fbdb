// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/base/whole.h>
#include <loom/blend/weights/weights.h>
#include <loom/machine/machine_player.h>
#include <loom/plan/unrolled_machine.h>

namespace loom::plan {
namespace {

using machine::BuiltMachine;
using machine::BuiltState;
using machine::MachinePlayer;
using machine::Mode;
using motion::GroundFrame;

/// How fast parameters come to what is wanted while a plan is made and played: so that they have settled, but for parts
/// in a thousand, at the next decision.
constexpr double kParameterSeconds = 0.06;
constexpr double kLongestAction = 12;  ///< seconds; an action that takes longer is none
constexpr double kSoon = 0.7;          ///< frames: a decision nearer than this is passed by
constexpr std::size_t kMostActions = 200'000;
constexpr double kUsualSeconds = 0.8;  ///< of an action
constexpr double kBytesAFrame = 600;   ///< beside its rotations: of its place in the graph and the discs of its body
constexpr std::uint64_t kSeed = 2009;

// Samples. -----------------------------------------------------------------------------------------------------------

/// Parameters of a state, the usual ones first, then whichever of many convex mixes of its examples are farthest from
/// all before. (The work takes convex weights at random; spread out, few are worth more.)
std::vector<std::vector<double>> sample_parameters(const machine::StateParameters& known, std::size_t count) {
  const blend::ExamplePoints& examples = known.points->points();
  const std::size_t dimensions = known.space.size();
  std::vector<std::vector<double>> candidates;
  Random random(kSeed);
  for (std::size_t i = 0; i < examples.size(); ++i) candidates.emplace_back(examples[i].begin(), examples[i].end());
  const std::size_t recorded = candidates.size();
  for (std::size_t i = 0; i < 40 * count; ++i) {
    const auto &a = candidates[random.index(recorded)], &b = candidates[random.index(recorded)];
    const double share = random.uniform();
    std::vector<double> mixed(dimensions);
    for (std::size_t d = 0; d < dimensions; ++d) mixed[d] = a[d] + share * (b[d] - a[d]);
    candidates.push_back(std::move(mixed));
  }
  std::vector<double> usual(dimensions);
  known.space.to_coordinates(known.usual, usual);
  std::vector<std::vector<double>> chosen{known.usual};
  std::vector<double> nearest(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) nearest[i] = blend::squared_distance(candidates[i], usual);
  while (chosen.size() < count) {
    const auto far = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    if (!(nearest[far] > 0)) break;
    std::vector<double> values(dimensions);
    known.space.to_values(candidates[far], values);
    chosen.push_back(std::move(values));
    const std::vector<double> taken = candidates[far];
    for (std::size_t i = 0; i < candidates.size(); ++i)
      nearest[i] = std::min(nearest[i], blend::squared_distance(candidates[i], taken));
  }
  return chosen;
}

std::vector<BehaviorSample> sample_states(const BuiltMachine& machine, std::size_t count) {
  std::vector<BehaviorSample> samples;
  for (std::size_t s = 0; s < machine.states.size(); ++s) {
    const BuiltState& state = machine.states[s];
    if (!state.parameters) {
      samples.push_back({s, {}});
      continue;
    }
    for (std::vector<double>& values : sample_parameters(*state.parameters, count))
      samples.push_back({s, std::move(values)});
  }
  return samples;
}

// Actions. -----------------------------------------------------------------------------------------------------------

/// Plays a machine from decision to decision.
class Simulator {
 public:
  static Result<Simulator> create(const std::shared_ptr<const BuiltMachine>& machine,
                                  std::span<const BehaviorSample> samples, double stride_seconds) {
    machine::PlayerOptions options;
    options.parameter_seconds = kParameterSeconds;
    auto player = MachinePlayer::create(machine, options);
    if (!player) return fail_from(player);
    return Simulator(std::move(*player), samples, stride_seconds);
  }

  /// The phases at which a cycle is decided about, evenly spaced.
  [[nodiscard]] std::size_t decisions_of(std::size_t state) const {
    const BuiltState& built = machine().states[state];
    return std::max<std::size_t>(1, to_whole<std::size_t>(std::round((built.end - built.begin) / stride_seconds_)));
  }

  /// An action as the machine plays it from a place on, its poses into `poses` where that is not null; none where the
  /// behavior that is wished for is not reached.
  std::optional<Action> act(const Decision& from, std::size_t sample, const GroundFrame& place,
                            motion::Recording* poses) {
    return timed([&] { return start(from, place) && player_->wish(wish_for(sample)); }, from, sample, poses);
  }

  /// A behavior alone from one decision to the next: a clip of alg. 6.1.
  std::optional<Action> clip(const Decision& from, motion::Recording* poses) {
    return timed([&] { return start(from, {}); }, from, from.sample, poses);
  }
  [[nodiscard]] const BuiltMachine& machine() const { return player_->machine(); }
  [[nodiscard]] GroundFrame place() const { return player_->place(); }

 private:
  Simulator(std::unique_ptr<MachinePlayer> player, std::span<const BehaviorSample> samples, double stride_seconds)
      : player_(std::move(player)),
        samples_(samples),
        stride_seconds_(stride_seconds),
        rotations_(player_->skeleton()->size()) {}

  bool start(const Decision& at, const GroundFrame& place) {
    return player_->put(samples_[at.sample].state, at.phase, samples_[at.sample].parameters, place);
  }

  [[nodiscard]] machine::Wish wish_for(std::size_t sample) const {
    machine::Wish wish{samples_[sample].state};
    for (std::size_t p = 0; p < std::min(samples_[sample].parameters.size(), machine::Wish::kMostParameters); ++p)
      wish.parameters[wish.parameter_count++] = {p, samples_[sample].parameters[p]};
    return wish;
  }

  /// The next moment at which the state that plays alone is decided about.
  [[nodiscard]] std::optional<double> next_decision() const {
    const std::size_t state = player_->state();
    const double soon = kSoon / player_->rate();
    std::optional<double> first;
    const auto consider = [&](double phase) {
      if (player_->seconds_to(phase) < soon) return;
      if (!first || player_->seconds_to(phase) < player_->seconds_to(*first)) first = phase;
    };
    if (machine().states[state].cyclic) {
      const std::size_t count = decisions_of(state);
      for (std::size_t k = 0; k < count; ++k) consider(static_cast<double>(k) / static_cast<double>(count));
      return first;
    }
    // Of a motion that ends: where it can be left first.
    for (const machine::BuiltTransition& way : machine().transitions) {
      if (way.from == state && way.begin() >= player_->phase()) consider(way.begin());
    }
    return first;
  }

  /// Plays once to see how long it takes, and again so that it takes whole frames.
  template <typename Begin>
  std::optional<Action> timed(const Begin& begin, const Decision& from, std::size_t sample, motion::Recording* poses) {
    const std::size_t state = samples_[sample].state;
    const double frame = 1 / player_->rate();
    std::optional<double> decision;
    if (!begin()) return std::nullopt;
    const double seconds = play(frame, state, decision, nullptr, nullptr);
    if (!(seconds > 0) || !begin()) return std::nullopt;
    Action action{from, sample, {sample, *decision}, 0, seconds / std::max(1.0, std::round(seconds / frame)), {}};
    const GroundFrame before = player_->place();
    play(action.frame_seconds, state, decision, poses, &action.frames);
    action.end = inverse(before) * player_->place();
    return action;
  }

  /// Plays until the decision in `state`; returns the seconds it took, 0 where it did not come to it.
  double play(double frame, std::size_t state, std::optional<double>& decision, motion::Recording* poses,
              std::size_t* frames) {
    double seconds = 0;
    while (seconds < kLongestAction) {
      double by = frame;
      bool last = false;
      if (player_->mode() == Mode::kPlayback && player_->state() == state) {
        if (!decision) decision = next_decision();
        if (!decision) return 0;
        const double left = player_->seconds_to(*decision);
        last = left <= 1.5 * frame;
        if (last) by = left;
      }
      motion::StreamPose pose{{}, rotations_, 0, {}};
      player_->step(by, pose);
      seconds += by;
      if (poses != nullptr) add_pose(*poses, pose);
      if (frames != nullptr) ++*frames;
      if (last) return seconds;
    }
    return 0;
  }

  std::unique_ptr<MachinePlayer> player_;
  std::span<const BehaviorSample> samples_;
  double stride_seconds_;
  std::vector<Quat> rotations_;
};

/// Actions as they are found, and their motion.
struct Found {
  std::vector<Action> actions;
  std::vector<motion::Recording> motion;
};

/// Which behaviors can be wished for in a state: others of its own where it goes round, and those of states that it has
/// transitions to.
std::vector<std::vector<std::size_t>> choices_of(const BuiltMachine& machine, std::span<const BehaviorSample> samples) {
  std::vector<std::vector<std::size_t>> choices(machine.states.size());
  for (std::size_t s = 0; s < machine.states.size(); ++s) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::size_t to = samples[i].state;
      if (to == s ? machine.states[s].cyclic : !machine.between(s, to).empty()) choices[s].push_back(i);
    }
  }
  return choices;
}

/// All decisions in cycles: from these everything else is found.
std::vector<Decision> first_decisions(const Simulator& simulator, std::span<const BehaviorSample> samples) {
  std::vector<Decision> decisions;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!simulator.machine().states[samples[i].state].cyclic) continue;
    const std::size_t count = simulator.decisions_of(samples[i].state);
    for (std::size_t k = 0; k < count; ++k)
      decisions.push_back({i, static_cast<double>(k) / static_cast<double>(count)});
  }
  return decisions;
}

motion::Recording empty_recording(const BuiltMachine& machine) {
  motion::Recording recording;
  recording.clip.skeleton = machine.skeleton();
  recording.clip.rate = machine.rate();
  return recording;
}

void keep_first(motion::Recording& recording, std::size_t frames) {
  recording.clip.roots.resize(frames);
  recording.clip.rotations.resize(frames * recording.clip.skeleton->size());
  recording.contacts.planted.resize(frames);
  recording.sources.resize(frames);
}

/// Simulates what is to be done on all cores; what is no action is left out. `make` gets a simulator, an index and a
/// recording.
template <typename Make>
Result<Found> simulate_all(const UnrolledMachine& made, const UnrollMachineOptions& options, std::size_t count,
                           const Make& make, const Progress& progress) {
  std::vector<std::optional<Action>> actions(count);
  std::vector<motion::Recording> motion(count);
  constexpr std::size_t kChunk = 16;
  for (std::size_t part = 0; part < count; part += 64 * kChunk) {
    const std::size_t end = std::min(count, part + 64 * kChunk);
    parallel_for(end - part, kChunk, [&](std::size_t begin, std::size_t until) {
      auto simulator = Simulator::create(made.machine, made.samples, options.stride_seconds);
      if (!simulator) return;
      for (std::size_t i = part + begin; i < part + until; ++i) {
        motion[i] = empty_recording(*made.machine);
        actions[i] = make(*simulator, i, motion[i]);
        if (actions[i]) finish(motion[i]);
      }
    });
    if (!progress.report(static_cast<double>(end) / static_cast<double>(count), "playing every behavior after every"))
      return fail_as(ErrorKind::kStopped, "stopped while behaviors were played");
  }
  Found found;
  for (std::size_t i = 0; i < count; ++i) {
    if (!actions[i]) continue;
    found.actions.push_back(*actions[i]);
    found.motion.push_back(std::move(motion[i]));
  }
  return found;
}

/// Asks for what so many actions take, most of it their poses.
Result<void> limit(std::size_t actions, const BuiltMachine& machine) {
  if (actions > kMostActions)
    return fail_setting(
        {"samples"},
        fmt::format("the machine has {} actions, more than {}: take fewer samples of a state", actions, kMostActions));
  const double frame = static_cast<double>(machine.skeleton()->size() * sizeof(Quat)) + kBytesAFrame;
  return require_memory(static_cast<double>(actions) * kUsualSeconds * machine.rate() * frame,
                        fmt::format("playing {} actions", actions), "take fewer samples of a state", {"samples"});
}

/// Every action after every other (alg. 6.2): first from all decisions in cycles, then from those in motions that end,
/// which are known only when they have been entered.
Result<Found> simulated_actions(const UnrolledMachine& made, const UnrollMachineOptions& options,
                                const Simulator& simulator, const Progress& progress) {
  const auto choices = choices_of(*made.machine, made.samples);
  std::vector<Decision> fresh = first_decisions(simulator, made.samples);
  std::map<Decision, bool> known;
  for (const Decision& d : fresh) known[d] = true;
  Found all;
  while (!fresh.empty()) {
    std::vector<std::pair<Decision, std::size_t>> tasks;
    for (const Decision& d : fresh)
      for (const std::size_t sample : choices[made.samples[d.sample].state]) tasks.emplace_back(d, sample);
    if (auto ok = limit(all.actions.size() + tasks.size(), *made.machine); !ok) return fail_from(ok);
    auto found = simulate_all(
        made, options, tasks.size(),
        [&](Simulator& by, std::size_t i, motion::Recording& poses) {
          return by.act(tasks[i].first, tasks[i].second, {}, &poses);
        },
        progress);
    if (!found) return fail_from(found);
    fresh.clear();
    for (std::size_t i = 0; i < found->actions.size(); ++i) {
      if (known.emplace(found->actions[i].to, true).second) fresh.push_back(found->actions[i].to);
      all.actions.push_back(found->actions[i]);
      all.motion.push_back(std::move(found->motion[i]));
    }
  }
  return all;
}

/// Every behavior alone (alg. 6.1): a cycle from each of its decisions to the next, what ends from its beginning.
Result<Found> clip_actions(const UnrolledMachine& made, const UnrollMachineOptions& options, const Simulator& simulator,
                           const Progress& progress) {
  std::vector<Decision> tasks = first_decisions(simulator, made.samples);
  for (std::size_t i = 0; i < made.samples.size(); ++i) {
    if (!made.machine->states[made.samples[i].state].cyclic) tasks.push_back({i, 0});
  }
  return simulate_all(
      made, options, tasks.size(),
      [&](Simulator& by, std::size_t i, motion::Recording& poses) { return by.clip(tasks[i], &poses); }, progress);
}

// The graph of them. -------------------------------------------------------------------------------------------------

/// Where frames of an action's clip that follow another's last one go on: at the place where that ended.
graph::Transition transition_to(graph::Node to, const Action& after) { return {to, 0, 0, after.end}; }

/// Which actions follow each: those that begin at the decision it ends with; without simulated transitions, clips of
/// its own state that begin there, and those of other states from their beginning.
std::vector<std::vector<std::size_t>> followers(const UnrolledMachine& made) {
  std::vector<std::vector<std::size_t>> next(made.actions.size());
  std::map<Decision, std::vector<std::size_t>> beginning;
  for (std::size_t i = 0; i < made.actions.size(); ++i) beginning[made.actions[i].from].push_back(i);
  if (made.transitions == Transitions::kSimulated) {
    for (std::size_t i = 0; i < made.actions.size(); ++i) next[i] = beginning[made.actions[i].to];
    return next;
  }
  const auto choices = choices_of(*made.machine, made.samples);
  for (std::size_t i = 0; i < made.actions.size(); ++i) {
    const std::size_t state = made.samples[made.actions[i].sample].state;
    for (const std::size_t sample : choices[state]) {
      const double phase = made.samples[sample].state == state ? made.actions[i].to.phase : 0.0;
      for (const std::size_t follows : beginning[{sample, phase}]) next[i].push_back(follows);
    }
  }
  return next;
}

/// The actions as a motion graph: each a clip with one run, from whose last frame one goes on to those that follow.
void make_graph(UnrolledMachine& made, std::vector<motion::Recording> motion, graph::MotionGraph& graph,
                take::TakeSet& set) {
  graph.rate = made.machine->rate();
  set.skeleton = made.machine->skeleton();
  for (std::size_t i = 0; i < made.actions.size(); ++i) {
    const std::string& name = made.machine->states[made.samples[made.actions[i].sample].state].name;
    graph::GraphClip clip;
    clip.name = name;
    clip.frames = static_cast<std::uint32_t>(made.actions[i].frames);
    clip.labels = {{name, 0, made.actions[i].frames}};
    graph.clips.push_back(std::move(clip));
    graph.add_run(static_cast<std::uint32_t>(i), 0, static_cast<std::uint32_t>(made.actions[i].frames));
    motion[i].clip.name = name;
    set.clips.push_back(std::move(motion[i].clip));
    set.contacts.push_back(std::move(motion[i].contacts));
  }
  graph.first.assign(graph.nodes() + 1, 0);
  const auto next = followers(made);
  for (graph::Node n = 0; n < graph.nodes(); ++n) {
    if (!graph.goes_on(n)) {
      const std::size_t action = graph.clip_of(n);
      for (const std::size_t follows : next[action])
        graph.transitions.push_back(transition_to(graph.runs[follows].first_node, made.actions[action]));
    }
    graph.first[n + 1] = static_cast<std::uint32_t>(graph.transitions.size());
  }
}

}  // namespace

Result<UnrolledMachine> unroll_machine(std::shared_ptr<const BuiltMachine> machine, const UnrollMachineOptions& options,
                                       const Progress& progress) {
  const auto begun = std::chrono::steady_clock::now();
  if (options.samples == 0) return fail("a state is sampled into one behavior at least");
  if (!(options.stride_seconds > 0)) return fail("a stride takes a positive time");
  UnrolledMachine made;
  made.machine = std::move(machine);
  made.transitions = options.transitions;
  made.stride_seconds = options.stride_seconds;
  made.samples = sample_states(*made.machine, options.samples);
  const auto simulator = Simulator::create(made.machine, made.samples, options.stride_seconds);
  if (!simulator) return fail_from(simulator);
  auto found = options.transitions == Transitions::kSimulated ? simulated_actions(made, options, *simulator, progress)
                                                              : clip_actions(made, options, *simulator, progress);
  if (!found) return fail_from(found);
  if (found->actions.empty())
    return fail("the machine has no behavior that goes round, so there is nothing to plan with");
  made.actions = std::move(found->actions);
  auto graph = std::make_shared<graph::MotionGraph>();
  auto motion = std::make_shared<take::TakeSet>();
  make_graph(made, std::move(found->motion), *graph, *motion);
  auto unrolled = unroll(graph, motion, options.body);
  if (!unrolled) return fail_from(unrolled);
  made.unrolled = std::move(*unrolled);
  for (std::size_t i = 0; i < made.actions.size(); ++i) {
    if (made.machine->states[made.samples[made.actions[i].from.sample].state].cyclic)
      made.unrolled.begins.push_back(graph->runs[i].first_node);
  }
  made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return made;
}

Result<motion::Recording> play_actions(const UnrolledMachine& machine, std::span<const graph::Node> nodes,
                                       const GroundFrame& world) {
  const graph::MotionGraph& graph = *machine.unrolled.graph;
  auto simulator = Simulator::create(machine.machine, machine.samples, machine.stride_seconds);
  if (!simulator) return fail_from(simulator);
  motion::Recording played = empty_recording(*machine.machine);
  GroundFrame place = world;
  Decision at;
  for (std::size_t i = 0; i < nodes.size();) {
    std::size_t end = i + 1;
    while (end < nodes.size() && nodes[end] == nodes[end - 1] + 1 && graph.goes_on(nodes[end - 1])) ++end;
    const Action& action = machine.actions[graph.clip_of(nodes[i])];
    if (i == 0) at = action.from;
    const std::size_t before = played.clip.frames();
    const auto done = simulator->act(at, action.sample, place, &played);
    if (!done) return fail("a behavior of the plan cannot be played after the one before it");
    at = done->to;
    place = simulator->place();
    if (end == nodes.size())
      keep_first(played, before + std::min(end - i, done->frames));  // the last may be left early
    i = end;
  }
  finish(played);
  for (const BuiltState& state : machine.machine->states) {
    for (const motion::Clip& clip : state.space->clips()) played.source_names.push_back(clip.name);
  }
  return played;
}

}  // namespace loom::plan
