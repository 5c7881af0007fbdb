// SPDX-License-Identifier: MIT
// `loom live send`: motion sent as it plays, so that other programs show it: clips, whatever a character is driven by,
// and live motion over either.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/random.h>
#include <loom/character/human_body.h>
#include <loom/library/library.h>
#include <loom/live/live_session.h>
#include <loom/machine/wish_script.h>
#include <loom/motion/stream.h>
#include <loom/packed/pack.h>
#include <loom/play/planting.h>
#include <loom/policy/drive.h>
#include <loom/policy/simulated_player.h>
#include <loom/policy/stored_traces.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/live_commands.h"
#include "loom/live_layer.h"
#include "loom/motion_sender.h"
#include "loom/progress_bar.h"
#include "loom/source.h"

namespace loom::app {
namespace {

constexpr double kForever = 3600;   ///< seconds of what has no end, where nobody says how long
constexpr double kSimulated = 600;  ///< seconds of a simulated player, who then begins anew
constexpr double kNextWish = 4;     ///< seconds between the wishes of a simulated player of a machine
constexpr std::uint64_t kLargestPackage = std::uint64_t{1} << 32;

struct LiveSendArguments {
  std::string library, clip, machine, policy, graph, package;
  bool matching = false;
  take::GatherOptions source;
  std::string trace, script;
  std::uint64_t seed = 1;
  LiveLayerOptions live;
  std::string to = "vmc:39539", form;
  double rate = 0, seconds = 0;
  bool loop = false;
};

/// What is sent: a pose each 1 / `rate` seconds.
class Shown {
 public:
  virtual ~Shown() = default;
  /// The pose at `time`; false when it is over.
  virtual bool show(double time, motion::Pose& pose) = 0;

  character::HumanBody body;
  float floor = 0;
  double rate = 60;
  double seconds = kForever;  ///< until it is over
};

class ShownClip final : public Shown {
 public:
  explicit ShownClip(motion::Clip clip) : clip_(std::move(clip)) {}
  bool loop = false;

  bool show(double time, motion::Pose& pose) override {
    const double length = clip_.duration();
    motion::sample_pose(clip_, loop && length > 0 ? std::fmod(time, length) : time, pose);
    return true;
  }

 private:
  motion::Clip clip_;
};

/// A character that something drives, and live motion over it where that is asked for.
class ShownStream final : public Shown {
 public:
  std::unique_ptr<motion::MotionStream> stream;
  std::unique_ptr<LiveLayer> live;            ///< of `stream`; none: nobody performs
  machine::MachinePlayer* machine = nullptr;  ///< within `stream`
  std::vector<machine::TimedWish> wishes;     ///< of a machine
  std::vector<std::size_t> random_wishes;     ///< where there is no script: states, in order
  std::optional<policy::Trace> trace;         ///< of whoever hears a stick

  bool show(double time, motion::Pose& pose) override {
    wish(time);
    if (live) live->step();
    pose.rotations.resize(stream->skeleton()->size());
    motion::StreamPose made{{}, pose.rotations, 0, {}};
    if (!stream->next(control(time), made)) return false;
    pose.root = made.root;
    return true;
  }

 private:
  void wish(double time) {
    if (machine == nullptr) return;
    for (; next_ < wishes.size() && wishes[next_].seconds <= time; ++next_) machine->wish(wishes[next_].wish);
    const auto due = static_cast<std::size_t>(time / kNextWish);
    if (random_wishes.empty() || due <= wished_) return;
    wished_ = due;
    machine::Wish wanted;
    wanted.state = random_wishes[due % random_wishes.size()];
    machine->wish(wanted);
  }

  [[nodiscard]] motion::Control control(double time) const {
    if (!trace) return {};
    const double length = trace->seconds();
    policy::ControlSignal signal = trace->at(length > 0 ? std::fmod(time, length) : 0);
    return policy::to_world(signal, stream->place().heading);
  }

  std::size_t next_ = 0, wished_ = 0;
};

/// The trace with flags as the stream counts them; those it does not know are dropped.
policy::Trace renumbered(policy::Trace trace, const std::vector<std::string>& flags) {
  for (policy::ControlSignal& signal : trace.signals) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < flags.size() && i < 32; ++i) {
      const auto at = std::find(trace.flags.begin(), trace.flags.end(), flags[i]);
      if (at != trace.flags.end()) bits |= (signal.flags >> (at - trace.flags.begin()) & 1) << i;
    }
    signal.flags = bits;
  }
  trace.flags = flags;
  return trace;
}

Result<packed::PackedCharacter> read_package(const std::string& path) {
  const auto file = load_file(path, kLargestPackage);
  if (!file) return fail_from(file);
  return packed::packed_character_from_bytes(std::as_bytes(std::span(file->text())));
}

Result<packed::PackedCharacter> pack(const library::Library& library, const LiveSendArguments& arguments) {
  if (!arguments.machine.empty()) return packed::pack_machine(library, arguments.machine);
  if (!arguments.policy.empty()) return packed::pack_policy(library, arguments.policy);
  if (!arguments.graph.empty()) return packed::pack_graph(library, arguments.graph);
  if (!arguments.package.empty()) return read_package(arguments.package);
  ProgressBar bar;
  return packed::pack_matching(library, arguments.source, {}, bar.progress());
}

Result<std::vector<machine::TimedWish>> read_wishes(const std::string& path, const machine::BuiltMachine& machine) {
  const auto text = load_file(path, 1 << 24);
  if (!text) return fail_from(text);
  return machine::parse_wish_script(text->text(), path, machine);
}

/// Who plays: a script, a trace, or somebody simulated.
Result<void> add_player(ShownStream& shown, const library::Library& library, const packed::PackedCharacter& packed,
                        const LiveSendArguments& arguments) {
  if (shown.machine != nullptr) {
    if (!arguments.script.empty()) {
      auto wishes = read_wishes(arguments.script, *packed.machine);
      if (!wishes) return fail_from(wishes);
      shown.wishes = std::move(*wishes);
      return {};
    }
    Random random(arguments.seed);
    for (int i = 0; i < 64; ++i) shown.random_wishes.push_back(random.index(packed.machine->states.size()));
    return {};
  }
  if (!arguments.script.empty()) return fail_setting({"script"}, "wishes are made of a machine of behaviors");
  const motion::Inputs inputs = shown.stream->inputs();
  if (!inputs.velocity && !inputs.turn) return {};
  policy::Trace trace;
  if (arguments.trace.empty()) {
    trace = policy::simulate_player(policy::habits_of(0), arguments.seconds > 0 ? arguments.seconds : kSimulated,
                                    arguments.seed);
  } else {
    auto found = policy::find_trace(library, arguments.trace);
    if (!found) return fail_from(found);
    trace = std::move(*found);
  }
  shown.trace = renumbered(std::move(trace), inputs.flags);
  return {};
}

Result<std::unique_ptr<Shown>> show_character(const library::Library& library, const LiveSendArguments& arguments) {
  auto packed = pack(library, arguments);
  if (!packed) return fail_from(packed);
  if (!packed->body) return fail("its motion is on no human body that is known, and cannot be told to others");
  auto shown = std::make_unique<ShownStream>();
  auto player = packed::play(*packed, {arguments.rate, arguments.seed});
  if (!player) return fail_from(player);
  shown->machine = player->machine;
  shown->body = *packed->body;
  shown->floor = packed->floor;
  shown->stream = std::move(player->stream);
  if (const auto added = add_player(*shown, library, *packed, arguments); !added) return fail_from(added);
  if (packed->motion) {
    auto planted = play::planted(std::move(shown->stream), *packed->motion);
    if (!planted) return fail_from(planted);
    shown->stream = std::move(*planted);
  }
  if (!arguments.live.source.empty()) {
    auto live = LiveLayer::over(std::move(shown->stream), shown->body, arguments.live);
    if (!live) return fail_from(live);
    shown->live = std::move(live->layer);
    shown->stream = std::move(live->stream);
  }
  shown->rate = shown->stream->rate();
  return shown;
}

/// Nobody but the performer.
Result<std::unique_ptr<Shown>> show_live(const LiveSendArguments& arguments) {
  auto live = LiveLayer::alone(arguments.rate > 0 ? arguments.rate : 60, arguments.live);
  if (!live) return fail_from(live);
  auto shown = std::make_unique<ShownStream>();
  shown->body = live->body;
  shown->live = std::move(live->layer);
  shown->stream = std::move(live->stream);
  shown->rate = shown->stream->rate();
  return shown;
}

Result<std::unique_ptr<Shown>> show_clip(const library::Library& library, const LiveSendArguments& arguments) {
  auto clip = library.read_clip(arguments.clip);
  if (!clip) return fail_from(clip);
  auto body = character::look_at_body(*clip);
  if (!body) return fail_from(body);
  const float floor = character::sole_floor(*body, *clip);
  const double length = clip->duration();
  if (!arguments.live.source.empty()) {  // a recording is a stream like any other
    for (Vec3& root : clip->roots) root.y -= floor;
    auto live = LiveLayer::over(std::make_unique<motion::RecordedStream>(std::move(*clip), motion::Contacts{}), *body,
                                arguments.live);
    if (!live) return fail_from(live);
    auto shown = std::make_unique<ShownStream>();
    shown->live = std::move(live->layer);
    shown->stream = std::move(live->stream);
    shown->body = std::move(*body);
    shown->rate = shown->stream->rate();
    shown->seconds = length;
    return shown;
  }
  auto shown = std::make_unique<ShownClip>(std::move(*clip));
  shown->loop = arguments.loop;
  shown->body = std::move(*body);
  shown->floor = floor;
  shown->rate = arguments.rate > 0 ? arguments.rate : 60;
  if (!arguments.loop) shown->seconds = length;
  return shown;
}

/// What is said to be sent, as options name it; empty: live motion alone.
struct What {
  std::string kind, name;
};

std::optional<What> what_of(const LiveSendArguments& a) {
  std::vector<What> all;
  for (const auto& [kind, name] : {std::pair{"clip", &a.clip},
                                   {"machine", &a.machine},
                                   {"policy", &a.policy},
                                   {"graph", &a.graph},
                                   {"package", &a.package}}) {
    if (!name->empty()) all.push_back({kind, *name});
  }
  if (a.matching) all.push_back({"matching", {}});
  if (all.empty() && !a.live.source.empty()) all.push_back({"live", a.live.source});
  if (all.size() != 1) return std::nullopt;
  return all.front();
}

Result<std::unique_ptr<Shown>> open(const LiveSendArguments& arguments, const What& what) {
  if (what.kind == "live") return show_live(arguments);
  const auto library = library::Library::open(arguments.library);
  if (!library) return fail_from(library);
  return what.kind == "clip" ? show_clip(*library, arguments) : show_character(*library, arguments);
}

int run(const Command& command, const LiveSendArguments& arguments) {
  const auto what = what_of(arguments);
  if (!what) {
    return wrong_usage(
        "say what to send: a clip, or one of --graph, --policy, --machine, --matching, --package, --live");
  }
  if (arguments.loop && (what->kind != "clip" || !arguments.live.source.empty())) {
    return wrong_usage("--loop is for clips without --live; anything else goes on by itself, or ends");
  }
  auto shown = open(arguments, *what);
  if (!shown) return report(shown.error());
  auto sender = MotionSender::open(arguments.to, arguments.form, (*shown)->body, (*shown)->floor);
  if (!sender) return report(sender.error());
  auto* const streamed = dynamic_cast<ShownStream*>(shown->get());
  LiveLayer* const live = streamed != nullptr ? streamed->live.get() : nullptr;
  const double all = arguments.seconds > 0 ? arguments.seconds : (*shown)->seconds;
  {
    ProgressBar bar;
    const Progress progress = bar.progress();
    const double begun = live::steady_seconds();
    motion::Pose pose;
    double time = 0;
    for (std::uint64_t frame = 0; time <= all; time = static_cast<double>(++frame) / (*shown)->rate) {
      if (live != nullptr) {
        live->listen(begun + time);
      } else {
        std::this_thread::sleep_for(std::chrono::duration<double>(begun + time - live::steady_seconds()));
      }
      if (!(*shown)->show(time, pose)) break;
      if (const auto sent = sender->send(time, pose.root, pose.rotations); !sent) return report(sent.error());
      if (!progress.report(time / all, "sending")) break;
    }
  }
  if (command.json) {
    nlohmann::json told = sender->told();
    told.update({{"kind", what->kind}, {"name", nullptr}, {"live", nullptr}});
    if (!what->name.empty()) told["name"] = what->name;
    if (live != nullptr) told["live"] = live->told();
    print_json(told);
  } else {
    say("sent {}: {}\n", what->kind + (what->name.empty() ? "" : " '" + what->name + "'"), sender->in_words());
    if (live != nullptr) say("{}\n", live->in_words());
  }
  return kDone;
}

}  // namespace

void add_live_send(Commands& commands) {
  Command& command = commands.add("live", kLiveAbout, "send", "send motion as it plays, so that other programs show it",
                                  "loom live send motions.loom walk-1 --to vmc:127.0.0.1:39539\n"
                                  "  loom live send motions.loom --matching --label walk run --to ws:39571\n"
                                  "  loom live send motions.loom --policy main --live vmc:39540 --to vmc:39539");
  auto arguments = std::make_shared<LiveSendArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("clip", arguments->clip, "a clip of a human");
  options.add_option("--graph", arguments->graph, "stroll through a motion graph, or steer one that was trained");
  options.add_option("--policy", arguments->policy, "steer a policy over fragments");
  options.add_option("--machine", arguments->machine, "play a machine of behaviors that was built");
  options.add_flag("--matching", arguments->matching, "steer motion matching");
  options.add_option("--label", arguments->source.labels, "of matching: only motion with one of these labels");
  options.add_flag("--mirror", arguments->source.mirror, "of matching: every clip a second time, mirrored");
  add_body_option(options, arguments->source.body);
  options.add_option("--package", arguments->package, "play what `loom pack-character` wrote");
  options.add_option("--trace", arguments->trace, "who steers: a file, or a trace of the library (a simulated player)");
  options.add_option("--script", arguments->script,
                     "who plays a machine: CSV, seconds,behavior (another behavior every four seconds)");
  options.add_option("--seed", arguments->seed, "another seed, another simulated player or stroll (1)");
  add_live_layer(options, arguments->live);
  options.add_option("--to", arguments->to, kSendHelp)->capture_default_str();
  add_choice(options, "--form", arguments->form, {"bytes", "text"},
             "of our own protocol (bytes over UDP, text over WebSockets)");
  options.add_option("--rate", arguments->rate, "frames a second (60; of graphs and machines that of their motion)")
      ->check(between(1.0, 240.0));
  options.add_flag("--loop", arguments->loop, "begin a clip anew at its end");
  options.add_option("--seconds", arguments->seconds, "how long; a clip once, what has no end an hour")
      ->check(between(0.0, 36000.0));
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
