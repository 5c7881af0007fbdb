// SPDX-License-Identifier: MIT
// Every kind of artefact with something changed, put into a library and loaded from there: it is refused, or it plays.
//
// The first byte says which kind. The second byte 'W': the rest is the artefact as it is. Otherwise the rest is a list
// of changes to a sound one that was built when the program began, so that seeds outlive changes of layout: each is
// three bytes of place, one that says what to do, and four of value.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include <loom/behavior/state_build.h>
#include <loom/blend/blend_space.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/stored_family.h>
#include <loom/graph/build.h>
#include <loom/graph/explain.h>
#include <loom/graph/follow.h>
#include <loom/graph/keys.h>
#include <loom/graph/told_graph.h>
#include <loom/graph/walk.h>
#include <loom/machine/prefer.h>
#include <loom/machine/stored_machine.h>
#include <loom/matching/matching_controller.h>
#include <loom/motion/stream.h>
#include <loom/policy/fragment_stream.h>
#include <loom/policy/graph_policy_stream.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/stored_graph_policy.h>
#include <loom/policy/stored_policy.h>
#include <loom/policy/stored_traces.h>
#include <loom/policy/trace_file.h>
#include <loom/policy/train.h>
#include <loom/sample/sample.h>
#include <loom/take/gather.h>

namespace {

using namespace loom;
using library::Library;

constexpr double kSeconds = 0.3;  ///< of everything that plays

template <typename T>
T need(Result<T> made) {
  if (!made) {
    std::fprintf(stderr, "artefact_fuzz: %s\n", made.error().to_string().c_str());
    std::abort();
  }
  return std::move(*made);
}
void need(const Result<void>& done) {
  if (!done) std::abort();
}

void play(motion::MotionStream& stream) {
  const auto recorded = motion::record(stream, kSeconds, [](double) {
    motion::Control control;
    control.velocity = {0.5f, 0, 1};
    return control;
  });
  if (recorded && !motion::validate(recorded->clip)) std::abort();
}

void play_graph(const Library& library, const std::string& name) {
  const auto stored = graph::load_graph(library, name);
  if (!stored) return;
  if (auto walk = graph::Walk::create(stored->graph, *stored->motion, {})) {
    play::SegmentPlayer player(stored->motion, std::move(*walk));
    play(player);
  }
  const graph::FloorPath line{{{0, 0, 0}, {0, 0, 0.6f}}, {}};
  graph::FollowOptions options;
  options.beam = 2;
  options.seconds = 0;
  static_cast<void>(graph::follow(*stored->graph, *stored->motion, line, options));
  for (const char* text : {"walk@0.2", "walk", "walk!"}) {
    const auto key = graph::parse_key(*stored->graph, *stored->motion, text);
    if (!key) continue;
    const graph::Key keys[] = {*key, *key};
    if (const auto path = graph::find_path(*stored->graph, keys)) {
      play::SegmentPlayer player(stored->motion, std::make_unique<play::SegmentList>(
                                                     graph::to_segments(*stored->graph, *stored->motion, path->nodes)));
      play(player);
    }
  }
}

void tell_graph(const Library& library, const std::string& name) {
  const auto told = graph::load_told(library, name);
  if (!told) return;
  static_cast<void>(graph::measures_json(told->graph, graph::measure(told->graph, {2})));
  static_cast<void>(graph::losses_json(*told));
  static_cast<void>(graph::closure_picture(told->graph, told->pairs, 8));
  static_cast<void>(graph::explain(told->graph, told->pairs, "walk", "idle"));
}

void play_graph_policy(const Library& library, const std::string& name) {
  const auto loaded = policy::load_graph_policy(library, name);
  if (!loaded) return;
  if (auto stream =
          policy::GraphPolicyStream::create(loaded->stored.graph, loaded->stored.motion, loaded->policy, {})) {
    play(**stream);
  }
}

void play_fragments(const Library& library, const std::string& name) {
  const auto fragments = policy::load_fragments(library, name);
  if (!fragments || fragments->set->size() > 200) return;
  static_cast<void>(policy::motion_qualities(*fragments));
  if (const auto matching = matching::MatchingController::create(*fragments)) {
    if ((*matching)->choose(0, {0, 1, 0, 0}) >= fragments->set->size()) std::abort();
  }
}

void play_policy(const Library& library, const std::string& name) {
  const auto loaded = policy::load_policy(library, name);
  if (!loaded) return;
  const std::shared_ptr<const policy::Solution> solution(loaded->policy, &loaded->policy->solution);
  auto controller = std::make_unique<policy::TableController>(loaded->policy->space, solution);
  auto stream = policy::FragmentStream::create(loaded->fragments, std::move(controller));
  if (stream) play(**stream);
}

void play_family(const Library& library, const std::string& name) {
  const auto stored = blend::load_family(library, name);
  if (!stored) return;
  blend::Blender blender(stored->space);
  const std::size_t size = stored->space->size();
  blender.set_weights(std::vector<float>(size, 1 / static_cast<float>(size)));
  std::vector<Quat> room(stored->space->clips().front().joints());
  motion::StreamPose pose{{}, room, 0, {}};
  for (int i = 0; i <= 4; ++i) blender.pose(0.25 * i * blender.duration(), pose);
}

void play_states(const Library& library, const std::string& name) {
  const auto stored = behavior::load_states(library, name);
  if (!stored) return;
  const auto& states = *stored->states;
  for (std::uint32_t s = 0; s < states.machine.states.size(); ++s) {
    for (graph::Node n = 0, steps = 0; steps < 40 && n < states.graph.nodes(); ++steps) {
      const behavior::Step step = states.routes.towards(s, n);
      if (step.frames == 0) break;
      n = behavior::follow(states.graph, n, step);
    }
  }
}

void edit_machine(const Library& library, const std::string& name) {
  auto stored = machine::load_machine(library, name);
  if (!stored) return;
  if (machine::to_bytes(stored->machine).empty()) std::abort();
  static_cast<void>(
      machine::prefer(stored->machine.machine, {{machine::StateWay{0, 1}}}, machine::PreferMethod::kLeast));
  while (machine::undo(stored->machine)) {
  }
}

void read_trace(const Library& library, const std::string& name) {
  static_cast<void>(policy::load_trace(library, name));
}

struct Kind {
  const char* kind;
  void (*play)(const Library&, const std::string&);
  library::Artefact sound;
};

constexpr const char* kName = "x";

std::string path() {
  static const std::string name =
      (std::filesystem::temp_directory_path() / ("loom-artefacts-" + std::to_string(::getpid()) + ".loom")).string();
  return name;
}

/// A library of a few short sample motions, with one artefact of every kind.
Library make_library() {
  for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(path() + ending);
  Library library = need(Library::open_or_create(path()));
  sample::SampleOptions at_30;
  at_30.rate = 30;
  for (const char* name :
       {"walk-slow", "walk-normal-1", "walk-normal-2", "fight-stance-1", "punch-left-1", "reach-01", "reach-02"}) {
    auto made = need(sample::make_sample(name, at_30));
    const bool whole = std::string_view(name).starts_with("reach");  // with its stroke
    const std::size_t frames = whole ? made.clip.frames() : std::min<std::size_t>(made.clip.frames(), 70);
    need(library.add_clip(need(motion::cut(made.clip, 0, frames))));
  }
  take::GatherOptions walks;
  walks.labels = {"walk"};
  const auto source = need(take::gather(library, walks));
  graph::BuildOptions build;
  build.threshold = 0.05;
  need(graph::store(library, kName, need(graph::build(source, build)), source, "{}"));
  const auto stored = need(graph::load_graph(library, kName));
  policy::GraphPolicyOptions steering;
  steering.headings = 4;
  steering.behaviors = {"walk"};
  const auto steered = need(policy::train_graph_policy(*stored.graph, stored.motion->tracks(), steering));
  need(policy::store_graph_policy(library, kName, steered, "{}"));

  policy::CutOptions cut;
  cut.labels = {"walk"};
  cut.rate = 30;
  cut.length_seconds = 0.2;
  cut.step_seconds = 0.2;
  const auto fragments = need(policy::cut_fragments(library, cut));
  need(policy::store_fragments(library, kName, *fragments.set, "{}"));
  policy::ControlSpace space = policy::usual_control_space();
  space.bins.resize(6);
  policy::Trace trace;
  trace.times = {0, 1, 2};
  trace.signals = {space.bins[0], space.bins[1], space.bins[2]};
  need(policy::store_trace(library, kName, trace));
  auto model = need(policy::count_player_model(space, std::vector<policy::Trace>{trace}, fragments.set->seconds()));
  const auto ground = need(policy::prepare_training(fragments, space, std::move(model), {}, 0.9));
  auto policy = need(policy::train_policy(ground, {}));
  policy.fragments = kName;
  need(policy::store_policy(library, kName, policy, "{}"));

  blend::FamilyOptions family;
  family.label = "reach";
  const auto built = need(blend::build_family(library, family));
  need(blend::store_family(library, kName, built.family, built.input_hash, "{}"));

  const auto machine = need(behavior::parse_machine(
      "machine m\nstate move: fight-stance\ndefault move\ntransition move -> move self\n", "m"));
  behavior::StateBuildOptions loose;
  loose.threshold = 0.05;
  need(behavior::store_states(library, kName, need(behavior::build_states(library, machine, loose)), "{}"));
  const auto behaviors = need(behavior::parse_machine(
      "machine m\nstate a: walk\nstate b: punch\ntransition a -> b weight 0.5\ntransition b -> a\n"
      "warp a -> b: 0 0, 1 1\nafter b -> a\n",
      "m"));
  need(machine::store_machine(library, kName, {behaviors, {{"a, b", {1, 1}}}}, "{}"));
  return library;
}

struct Ground {
  Library library = make_library();
  std::vector<Kind> kinds;

  Ground() {
    for (const auto& [kind, play_it] :
         std::vector<std::pair<const char*, void (*)(const Library&, const std::string&)>>{
             {graph::kGraphKind, play_graph},
             {graph::kGraphKind, tell_graph},
             {graph::kPairsKind, tell_graph},
             {policy::kGraphPolicyKind, play_graph_policy},
             {policy::kFragmentsKind, play_fragments},
             {policy::kPolicyKind, play_policy},
             {blend::kFamilyKind, play_family},
             {behavior::kStatesKind, play_states},
             {policy::kTraceKind, read_trace},
             {machine::kMachineKind, edit_machine}}) {
      kinds.push_back({kind, play_it, need(library.get_artefact(kind, kName))});
      play_it(library, kName);
    }
  }
};

/// One change: three bytes of place, one of what to do, four of value.
void change(std::vector<std::byte>& bytes, const std::uint8_t* data) {
  if (bytes.empty()) return;
  const std::size_t place = (data[0] | std::size_t{data[1]} << 8 | std::size_t{data[2]} << 16) % bytes.size();
  const auto* value = reinterpret_cast<const std::byte*>(data + 4);
  const std::size_t wide = std::size_t{1} << (data[3] % 3), room = std::min(wide, bytes.size() - place);
  switch (data[3] / 3 % 8) {
    case 0:
      bytes.resize(place);
      break;
    case 1:
      bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(place), value, value + wide);
      break;
    case 2:
      bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(place),
                  bytes.begin() + static_cast<std::ptrdiff_t>(place + room));
      break;
    default:
      std::memcpy(bytes.data() + place, value, room);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Ground ground;
  if (size < 2) return 0;
  const Kind& kind = ground.kinds[data[0] % ground.kinds.size()];
  std::vector<std::byte> bytes = kind.sound.data;
  if (data[1] == 'W') {
    const auto* begin = reinterpret_cast<const std::byte*>(data + 2);
    bytes.assign(begin, begin + size - 2);
  } else {
    for (std::size_t at = 2; at + 8 <= size; at += 8) change(bytes, data + at);
  }
  need(ground.library.put_artefact(kind.sound.info, bytes));
  kind.play(ground.library, kName);
  need(ground.library.put_artefact(kind.sound.info, kind.sound.data));
  return 0;
}
