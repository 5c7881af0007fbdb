// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/base/hash.h>
#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/progress_part.h>
#include <loom/base/whole.h>
#include <loom/behavior/state_blows.h>
#include <loom/behavior/state_build.h>
#include <loom/behavior/state_edges.h>
#include <loom/behavior/state_prune.h>
#include <loom/behavior/state_yield.h>
#include <loom/blend/family/stored_family.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/point_cloud.h>
#include <loom/take/gather.h>

namespace loom::behavior {
namespace {

constexpr double kBytesAPair = 80;  ///< a similar pair, while edges are made of it

/// A part of a clip that a state holds; of a family's example, as it is or mirrored and not the other.
struct HeldPart {
  take::ClipPart part;
  std::optional<bool> mirrored;
};

/// What a state takes of a library.
struct Held {
  std::vector<std::string> labels;
  std::vector<HeldPart> parts;
};

/// Looks up what states take.
class Chooser {
 public:
  Chooser(const library::Library& library, bool mirror) : library_(library), mirror_(mirror) {}

  Result<void> look();
  Result<Held> choose(const MachineState& state) const;

 private:
  [[nodiscard]] const std::vector<std::string>& known(Holding holding) const {
    return names_[static_cast<std::size_t>(holding)];
  }
  [[nodiscard]] bool has(const TakenMotion& taken) const {
    const std::vector<std::string>& names = known(taken.holding);
    return std::find(names.begin(), names.end(), taken.name) != names.end();
  }
  Result<void> add_family(const TakenMotion& taken, Held& held) const;
  [[nodiscard]] std::string lacks(const TakenMotion& taken) const;

  const library::Library& library_;
  bool mirror_;
  std::array<std::vector<std::string>, 3> names_;  ///< that the library has, by Holding
};

Result<void> Chooser::look() {
  const auto labels = library_.label_totals();
  if (!labels) return fail_from(labels);
  const auto clips = library_.clips();
  if (!clips) return fail_from(clips);
  const auto families = library_.artefacts(blend::kFamilyKind);
  if (!families) return fail_from(families);
  for (const library::LabelTotal& label : *labels) names_[0].push_back(label.name);
  for (const library::ClipInfo& clip : *clips) names_[1].push_back(clip.name);
  for (const library::ArtefactInfo& family : *families) names_[2].push_back(family.name);
  return {};
}

std::string Chooser::lacks(const TakenMotion& taken) const {
  if (taken.holding == Holding::kClip) return fmt::format("the library has no clip '{}'", taken.name);
  const std::vector<std::string>& names = known(taken.holding);
  const std::string others = names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
  return taken.holding == Holding::kFamily
             ? fmt::format("the library has no family '{}'; its families are: {}", taken.name, others)
             : fmt::format("nothing in the library is labelled '{}'; its labels are: {}", taken.name, others);
}

Result<void> Chooser::add_family(const TakenMotion& taken, Held& held) const {
  const auto stored = blend::load_family(library_, taken.name);
  if (!stored) return fail(stored.error().message, taken.place.file, taken.place.line);
  const double rate = stored->family->rate;
  for (const blend::FamilyMember& member : stored->family->members) {
    if (member.mirrored && !mirror_) {
      return fail_setting({"mirror"},
                          fmt::format("line {}: family '{}' has mirrored examples, and the recordings are not mirrored",
                                      taken.place.line, taken.name),
                          taken.place.file);
    }
    held.parts.push_back({{member.name, member.begin / rate, member.end() / rate}, member.mirrored});
  }
  return {};
}

Result<Held> Chooser::choose(const MachineState& state) const {
  const auto with_any = std::find_if(state.takes.begin(), state.takes.end(), [&](const auto& set) {
    return std::any_of(set.begin(), set.end(), [&](const TakenMotion& taken) { return has(taken); });
  });
  Held held;
  for (const TakenMotion& taken : with_any == state.takes.end() ? state.takes.front() : *with_any) {
    if (!has(taken)) {
      if (taken.optional || state.optional) continue;
      return fail(lacks(taken), taken.place.file, taken.place.line);
    }
    if (taken.holding == Holding::kLabel) held.labels.push_back(taken.name);
    if (taken.holding == Holding::kClip) held.parts.push_back({{taken.name}, {}});
    if (taken.holding != Holding::kFamily) continue;
    if (const auto added = add_family(taken, held); !added) return fail_from(added);
  }
  return held;
}

/// For every state what it takes of this library.
Result<std::vector<Held>> choose_motion(const library::Library& library, const StateMachine& machine, bool mirror) {
  Chooser chooser(library, mirror);
  if (const auto looked = chooser.look(); !looked) return fail_from(looked);
  std::vector<Held> chosen;
  for (const MachineState& state : machine.states) {
    auto held = chooser.choose(state);
    if (!held) return fail_from(held);
    chosen.push_back(std::move(*held));
  }
  return chosen;
}

/// The frames of a stretch that a state holds, first and one past the last, counted from the stretch's first.
std::vector<motion::FrameRange> held_ranges(const graph::GraphClip& clip, const Held& held, double rate) {
  std::vector<motion::FrameRange> ranges;
  for (const motion::Label& label : clip.labels) {
    if (std::find(held.labels.begin(), held.labels.end(), label.name) == held.labels.end()) continue;
    ranges.push_back({std::min<std::size_t>(label.begin, clip.frames), std::min<std::size_t>(label.end, clip.frames)});
  }
  for (const HeldPart& part : held.parts) {
    if (part.part.clip != clip.name || part.mirrored.value_or(clip.mirrored) != clip.mirrored) continue;
    const motion::FrameRange of_clip = part.part.frames(rate, clip.end());
    const std::size_t begin = std::max<std::size_t>(of_clip.begin, clip.begin);
    if (begin < of_clip.end) ranges.push_back({begin - clip.begin, of_clip.end - clip.begin});
  }
  return ranges;
}

/// The state of every frame; where several take it, the one written first.
std::vector<std::uint32_t> assign_states(const graph::FrameNumbers& numbers, std::span<const graph::GraphClip> clips,
                                         const std::vector<Held>& held, double rate) {
  std::vector<std::uint32_t> state_of(numbers.total(), kNoState);
  for (std::size_t s = held.size(); s-- > 0;) {
    for (std::size_t c = 0; c < clips.size(); ++c) {
      const auto first = state_of.begin() + numbers.first(c);
      for (const motion::FrameRange& range : held_ranges(clips[c], held[s], rate)) {
        std::fill(first + static_cast<std::ptrdiff_t>(range.begin), first + static_cast<std::ptrdiff_t>(range.end),
                  static_cast<std::uint32_t>(s));
      }
    }
  }
  return state_of;
}

Result<void> check_motion(const StateMachine& machine, std::span<const std::uint32_t> state_of) {
  for (std::size_t s = 0; s < machine.states.size(); ++s) {
    if (std::find(state_of.begin(), state_of.end(), static_cast<std::uint32_t>(s)) != state_of.end()) continue;
    const MachineState& state = machine.states[s];
    if (state.optional && s != machine.default_state) continue;
    return fail(fmt::format("state '{}' has no motion: no frame of the library is of what it takes{}", state.name,
                            s > 0 ? ", or a state above it takes them all" : ""),
                state.place.file, state.place.line);
  }
  return {};
}

/// The graph made of the frames that were kept.
struct Assembly {
  StateGraph states;
  std::vector<graph::Node> action_begins;
};

class Assembler {
 public:
  Assembler(const StateFrames& frames, const StatePruning& pruning)
      : frames_(frames), pruning_(pruning), node_of_(frames.numbers().total(), kNoNode) {}

  Assembly assemble(const StateMachine& machine, std::vector<graph::GraphClip> clips, std::span<const StateEdge> edges,
                    std::span<const Action> actions, const compare::Metric& metric, double threshold) {
    Assembly made;
    made.states.machine = machine;
    made.states.graph.rate = metric.frames().rate;
    made.states.graph.threshold = made.states.graph.sigma = threshold;
    made.states.graph.clips = std::move(clips);
    for (std::uint32_t c = 0; c < made.states.graph.clips.size(); ++c) add_runs(c, made);
    add_transitions(edges, metric, made.states.graph);
    for (const Action& action : actions) {
      if (node_of_[action.begin] != kNoNode) made.action_begins.push_back(node_of_[action.begin]);
    }
    return made;
  }

 private:
  static constexpr graph::Node kNoNode = ~graph::Node{0};

  [[nodiscard]] bool kept(std::uint32_t frame) const { return pruning_.fate[frame] == Fate::kKept; }

  void add_run(std::uint32_t c, std::uint32_t begin, std::uint32_t end, Assembly& made) {
    for (std::uint32_t f = frames_.numbers().first(c) + begin; f < frames_.numbers().first(c) + end; ++f) {
      node_of_[f] = static_cast<graph::Node>(made.states.state_of.size());
      made.states.state_of.push_back(frames_.state_of(f));
    }
    made.states.graph.add_run(c, begin, end);
  }

  void add_runs(std::uint32_t c, Assembly& made) {
    const std::uint32_t first = frames_.numbers().first(c), count = made.states.graph.clips[c].frames;
    bool any = false;
    for (std::uint32_t f = 0; f < count;) {
      if (!kept(first + f)) {
        ++f;
        continue;
      }
      std::uint32_t end = f + 1;
      while (end < count && kept(first + end) && frames_.goes_on(first + end - 1)) ++end;
      add_run(c, f, end, made);
      any = true;
      f = end;
    }
    if (!any) add_run(c, 0, 0, made);
  }

  void add_transitions(std::span<const StateEdge> edges, const compare::Metric& metric, graph::MotionGraph& graph) {
    std::vector<const StateEdge*> inside;
    for (const StateEdge& edge : edges) {
      if (kept(edge.from) && kept(edge.to)) inside.push_back(&edge);
    }
    std::stable_sort(inside.begin(), inside.end(), [&](const StateEdge* x, const StateEdge* y) {
      return std::tie(node_of_[x->from], x->distance) < std::tie(node_of_[y->from], y->distance);
    });
    graph.first.assign(graph.nodes() + 1, 0);
    graph.transitions.resize(inside.size());
    for (const StateEdge* edge : inside) ++graph.first[node_of_[edge->from] + 1];
    std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
    parallel_for(inside.size(), 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const StateEdge& edge = *inside[i];
        const auto cost = static_cast<float>(1 - std::exp(-static_cast<double>(edge.distance) / graph.sigma));
        graph.transitions[i] = {node_of_[edge.to], edge.distance, cost, metric.alignment(edge.from, edge.to - 1)};
      }
    });
  }

  const StateFrames& frames_;
  const StatePruning& pruning_;
  std::vector<graph::Node> node_of_;  ///< node of each frame of the build
};

std::string nothing_left(const StateMachine& machine, std::span<const StateYield> yields, double threshold) {
  std::string text = fmt::format("a threshold of {:.3g} leaves no motion that goes on for ever", threshold);
  for (const StateYield& yield : yields) {
    const std::string missing = describe_missing(yield);
    if (!missing.empty())
      return text + fmt::format("; of state '{}'{}", machine.states[yield.state].name, missing.substr(1));
  }
  return text;
}

/// The hash of the labels of a graph's recordings, which decide its states as their frames decide its transitions.
Result<std::string> hash_labels(const library::Library& library, std::span<const graph::GraphClip> clips) {
  std::set<std::string> names;
  for (const graph::GraphClip& clip : clips) names.insert(clip.name);
  std::string all;
  for (const std::string& name : names) {
    const auto info = library.clip_info(name);
    if (!info) return fail_from(info);
    for (const motion::Label& label : info->labels) {
      all += fmt::format("{}\t{}\t{}\t{}\n", name, label.name, label.begin, label.end);
    }
  }
  return content_hash(std::as_bytes(std::span(all)));
}

std::uint32_t in_frames(double seconds, double rate) {
  return to_whole<std::uint32_t>(std::max(1.0, std::round(seconds * rate)));
}

Result<StateBuild> construct(const library::Library& library, const StateMachine& machine,
                             const StateBuildOptions& options, const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  if (!(options.threshold > 0)) return fail("a threshold must be positive");
  const auto held = choose_motion(library, machine, options.mirror);
  if (!held) return fail_from(held);
  take::GatherOptions wanted{{}, options.mirror, options.rate, options.body, options.keep_faulty};
  for (const Held& of_state : *held) {
    wanted.labels.insert(wanted.labels.end(), of_state.labels.begin(), of_state.labels.end());
    for (const HeldPart& part : of_state.parts) wanted.parts.push_back(part.part);
  }
  if (wanted.labels.empty() && wanted.parts.empty()) {
    if (auto none = check_motion(machine, {}); !none) return fail_from(none);
  }
  auto source = take::gather(library, wanted, part_of(progress, 0, 0.2));
  if (!source) return fail_from(source);
  std::vector<graph::GraphClip> clips = graph::clips_of(source->motion);
  const graph::FrameNumbers numbers(clips);
  std::vector<std::uint32_t> state_of = assign_states(numbers, clips, *held, options.rate);
  if (const auto moving = check_motion(machine, state_of); !moving) return fail_from(moving);
  const StateFrames frames(machine, numbers, state_of);

  const auto room = require_memory(compare::comparison_bytes(numbers.total(), source->motion.skeleton->size()),
                                   fmt::format("comparing {} frames with each other", numbers.total()),
                                   "label less motion, or take a lower rate", {"rate"});
  if (!room) return fail_from(room);
  auto set = compare::make_frame_set(source->motion.clips);
  if (!set) return fail_from(set);
  const double rate = set->rate;
  const auto metric = compare::PointCloud::create(std::make_shared<const compare::FrameSet>(std::move(*set)),
                                                  compare::cloud_window(rate));
  if (!metric) return fail_from(metric);
  compare::PairQuery query;
  query.threshold = options.threshold;
  query.min_gap = in_frames(options.min_gap_seconds, options.rate) + 1;
  const auto pairs = compare::find_pairs_under(*metric, query, part_of(progress, 0.2, 0.6));
  if (!pairs) return fail_from(pairs);
  const auto pair_room = require_memory(static_cast<double>(pairs->pairs.size()) * kBytesAPair,
                                        fmt::format("choosing among {} similar pairs", pairs->pairs.size()),
                                        "take a lower threshold, or label less motion", {"threshold"});
  if (!pair_room) return fail_from(pair_room);
  const auto minima = compare::find_local_minima(*metric, query, part_of(progress, 0.6, 1));
  if (!minima) return fail_from(minima);
  const std::vector<compare::SimilarPair>&all = pairs->pairs, &nearest = minima->pairs;

  const ActionOptions action_options{in_frames(options.shortest_action_seconds, options.rate),
                                     in_frames(options.window_seconds, options.rate)};
  std::vector<Action> actions = find_actions(frames, all, action_options);
  const std::vector<FrameSpan> blows =
      cut_at_blows(machine, frames, actions, source->motion.clips, options.longest_action_seconds, state_of);
  if (!blows.empty()) actions = find_actions(frames, all, action_options, blows);
  const std::span<const graph::SimilarPair> entries = options.minima_only ? std::span<const graph::SimilarPair>() : all;
  const std::vector<StateEdge> edges = find_edges(frames, actions, entries, nearest);
  const graph::FrameGraph rows = all_edges(frames, edges);
  std::vector<bool> self;
  for (std::size_t s = 0; s < machine.states.size(); ++s) self.push_back(machine.keeps_itself(s));
  const StatePruning pruning = prune_states(rows.view(), state_of, self);

  StateBuild build;
  build.yields = find_yields(machine, frames, clips, rows.view(), pruning, *metric);
  build.frames = numbers.total();
  build.left_out = source->left_out;
  build.similar_pairs = all.size();
  build.rounds = pruning.rounds;
  if (std::none_of(build.yields.begin(), build.yields.end(), [](const StateYield& y) { return y.kept > 0; })) {
    return fail(nothing_left(machine, build.yields, options.threshold));
  }
  const auto label_hash = hash_labels(library, clips);
  if (!label_hash) return fail_from(label_hash);
  build.input_hash = source->input_hash + *label_hash;
  Assembly made =
      Assembler(frames, pruning).assemble(machine, std::move(clips), edges, actions, *metric, options.threshold);
  if (auto finished = finish_state_graph(made.states, made.action_begins); !finished) return fail_from(finished);
  build.states = std::make_shared<const StateGraph>(std::move(made.states));
  build.motion = std::make_shared<const take::TakeSet>(std::move(source->motion));
  build.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return build;
}

}  // namespace

Result<StateBuild> build_states(const library::Library& library, const StateMachine& machine,
                                const StateBuildOptions& options, const Progress& progress) {
  return within_memory("building so many states", [&] { return construct(library, machine, options, progress); });
}

Result<void> store_states(library::Library& library, const std::string& name, const StateBuild& build,
                          const std::string& parameters) {
  return library.put_artefact({kStatesKind, name, 0, parameters, build.input_hash, {}, 0}, to_bytes(*build.states));
}

Result<StoredStates> load_states(const library::Library& library, const std::string& name) {
  const auto artefact = library.get_artefact(kStatesKind, name);
  if (!artefact) return fail_from(artefact);
  auto states = state_graph_from_bytes(artefact->data);
  if (!states)
    return fail_because(states.error().or_kind(ErrorKind::kDamaged),
                        fmt::format("states '{}': {}", name, states.error().message), library.path());
  // The hash is that of the recordings followed by that of their labels.
  const std::string& hash = artefact->info.input_hash;
  take::AgainOptions again;
  again.input_hash = hash.substr(0, hash.size() / 2);
  again.made = fmt::format("the states '{}' were built", name);
  again.remedy = "build them again";
  auto source = take::gather_again(library, graph::stretches_of(states->graph.clips), states->graph.rate, again);
  if (!source) return fail_from(source);
  const auto label_hash = hash_labels(library, states->graph.clips);
  if (!label_hash) return fail_from(label_hash);
  if (*label_hash != hash.substr(hash.size() / 2)) {
    return fail(fmt::format("labels have changed since the states '{}' were built; build them again", name),
                library.path());
  }
  return StoredStates{std::make_shared<const StateGraph>(std::move(*states)),
                      std::make_shared<const take::TakeSet>(std::move(source->motion)), artefact->info.parameters};
}

}  // namespace loom::behavior
