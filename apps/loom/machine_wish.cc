// SPDX-License-Identifier: MIT
// `loom machine wish`: a built machine played by a script of wishes.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/whole.h>
#include <loom/library/library.h>
#include <loom/machine/build.h>
#include <loom/machine/machine_player.h>
#include <loom/machine/meet.h>
#include <loom/machine/wish_script.h>
#include <loom/motion/body.h>
#include <loom/play/hand_over.h>
#include <loom/play/layered_stream.h>

#include "loom/graph_commands.h"
#include "loom/machine_commands.h"
#include "loom/progress_bar.h"
#include "loom/recorded_motion.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct MachineWishArguments {
  std::string library, name, script;
  std::string upper, upper_script, upper_from;
  double seconds = 30, rate = 0;
  bool queue = false, usual = false, single = false;
  double give_up = 0;
  MotionOutput output;
};

using Built = std::shared_ptr<const machine::BuiltMachine>;
using Wishes = std::vector<machine::TimedWish>;

/// A character that plays machines by a script: makes its wishes as time goes by, goes from machine to machine where
/// the script does, and takes down how wishes were answered.
class Wishing {
 public:
  static Result<std::unique_ptr<Wishing>> create(const Built& first, const std::string& name, Wishes wishes,
                                                 const MachineWishArguments& arguments, std::optional<double> rate) {
    machine::PlayerOptions options;
    options.parametric = !arguments.usual;
    options.single_point = arguments.single;
    options.rate = rate;
    auto player = machine::MachinePlayer::create(first, options);
    if (!player) return fail_from(player);
    options.rate = (*player)->rate();
    return std::unique_ptr<Wishing>(
        new Wishing(first, name, std::move(wishes), arguments, options, std::move(*player)));
  }

  /// What it plays, to be given away once.
  std::unique_ptr<motion::MotionStream> stream() { return std::move(given_); }
  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const { return player_->skeleton(); }

  /// Makes the wishes that are due.
  Result<void> at(double time) {
    look();
    for (; next_ < wishes_.size() && wishes_[next_].seconds <= time; ++next_) {
      if (const auto made = make(wishes_[next_]); !made) return made;
    }
    return {};
  }
  void look() {
    if (player_->answers() == answers_) return;
    answers_ = player_->answers();
    const machine::Answer& answer = player_->last_answer();
    tell(player_->machine().states[answer.state].name, answer.delay, answer.reached);
  }

  [[nodiscard]] nlohmann::json told() const {
    nlohmann::json mean, high;
    if (!delays_.empty()) {
      double sum = 0;
      for (const double delay : delays_) sum += delay;
      std::vector<double> sorted = delays_;
      std::sort(sorted.begin(), sorted.end());
      const auto count = static_cast<double>(sorted.size());
      mean = sum / count;
      high = sorted[std::min(to_whole<std::size_t>(std::ceil(0.95 * count)), sorted.size()) - 1];
    }
    return {{"wishes", made_},
            {"answers", told_},
            {"given_up", given_up_ + player_->given_up()},
            {"delay_mean_s", mean},
            {"delay_p95_s", high}};
  }

 private:
  Wishing(Built first, std::string name, Wishes wishes, const MachineWishArguments& arguments,
          const machine::PlayerOptions& options, std::unique_ptr<machine::MachinePlayer> player)
      : first_(std::move(first)),
        first_name_(std::move(name)),
        now_(first_name_),
        wishes_(std::move(wishes)),
        arguments_(arguments),
        options_(options),
        player_(player.get()),
        given_(std::make_unique<play::HandOverStream>(std::move(player))),
        stream_(given_.get()) {}

  Result<void> make(const machine::TimedWish& wanted) {
    const std::string& name = wanted.machine ? wanted.machine_name : first_name_;
    if (name != now_) return go_over(wanted, name);
    machine::Wish wish = wanted.wish;
    if (arguments_.give_up > 0) wish.give_up_after = arguments_.give_up;
    if (player_->wish(wish, arguments_.queue ? machine::Wishing::kQueue : machine::Wishing::kReplace)) ++made_;
    return {};
  }

  /// To another machine, into the state that is wished for, where its motion is most like what the body does.
  Result<void> go_over(const machine::TimedWish& wanted, const std::string& name) {
    const Built& built = wanted.machine ? wanted.machine : first_;
    machine::PlayerOptions options = options_;
    options.start = wanted.wish.state;
    if (const auto step = stream_->last_step(); step && *built->skeleton() == *skeleton()) {
      options.start_phase =
          machine::likest_phase(built->states[wanted.wish.state],
                                {step->root_before, step->root, step->before, step->now, 1 / *options_.rate});
    }
    auto player = machine::MachinePlayer::create(built, options);
    if (!player) return fail_from(player);
    for (std::size_t p = 0; p < wanted.wish.parameter_count; ++p) {
      (*player)->set_parameter(wanted.wish.state, wanted.wish.parameters[p]);
    }
    machine::MachinePlayer* const entered = player->get();
    const auto left = stream_->hand_over(std::move(*player));
    if (!left) return fail_because(left.error(), fmt::format("machine '{}': {}", name, left.error().message));
    given_up_ += player_->given_up();
    player_ = entered;
    answers_ = 0;
    now_ = name;
    ++made_;
    tell(built->states[wanted.wish.state].name, 0, 0);
    return {};
  }

  void tell(const std::string& state, double delay, double reached) {
    delays_.push_back(delay);
    told_.push_back({{"machine", now_}, {"state", state}, {"delay_s", delay}, {"reached_s", reached}});
  }

  Built first_;
  std::string first_name_, now_;  ///< of the machines that is begun with, and that is played
  Wishes wishes_;
  const MachineWishArguments& arguments_;
  machine::PlayerOptions options_;
  machine::MachinePlayer* player_;               ///< of the machine that is played; `stream_` owns it
  std::unique_ptr<play::HandOverStream> given_;  ///< until it is given away
  play::HandOverStream* stream_;
  std::size_t next_ = 0, made_ = 0, answers_ = 0, given_up_ = 0;
  std::vector<double> delays_;
  nlohmann::json told_ = nlohmann::json::array();
};

/// A machine of the library and a script for it, which may name others.
Result<std::unique_ptr<Wishing>> prepare(const library::Library& library, const std::string& name,
                                         const std::string& script, const MachineWishArguments& arguments,
                                         std::optional<double> rate) {
  std::map<std::string, Built> loaded;
  const auto find = [&](const std::string& called) -> Result<Built> {
    if (const auto known = loaded.find(called); known != loaded.end()) return known->second;
    auto built = machine::load_built_machine(library, called);
    if (built) loaded.emplace(called, *built);
    return built;
  };
  const auto built = find(name);
  if (!built) return fail_from(built);
  const auto text = load_file(script, 1 << 24);
  if (!text) return fail_from(text);
  auto wishes = machine::parse_wish_script(text->text(), script, **built, find);
  if (!wishes) return fail_from(wishes);
  return Wishing::create(*built, name, std::move(*wishes), arguments, rate);
}

/// The joint from which on a body counts as upper: the one that is named, else the lowest of its back.
Result<std::string> first_of_upper(const motion::Skeleton& skeleton, const std::string& named) {
  if (!named.empty()) return named;
  const motion::Body body = motion::find_body(skeleton);
  if (body.spine.empty()) return fail_setting({"upper-from"}, "the body has no back that is known; name a joint");
  return skeleton.joints()[static_cast<std::size_t>(body.spine.front())].name;
}

Result<std::unique_ptr<motion::MotionStream>> with_upper(std::unique_ptr<motion::MotionStream> legs, Wishing& upper,
                                                         const std::string& from) {
  const auto joint = first_of_upper(*legs->skeleton(), from);
  if (!joint) return fail_from(joint);
  auto layered = play::LayeredStream::create(std::move(legs), upper.stream(), *joint);
  if (!layered) return fail_from(layered);
  return std::unique_ptr<motion::MotionStream>(std::move(*layered));
}

/// Plays the scripts for as long as is wanted.
Result<motion::Recording> play(motion::MotionStream& stream, const std::vector<Wishing*>& scripts, double seconds) {
  Result<void> wished;
  ProgressBar bar;
  auto recording = motion::record(
      stream, seconds,
      [&](double time) {
        for (Wishing* script : scripts) {
          if (wished) wished = script->at(time);
        }
        return motion::Control{};
      },
      bar.progress());
  if (!wished) return fail_from(wished);
  for (Wishing* script : scripts) script->look();
  return recording;
}

int run(const Command& command, const MachineWishArguments& arguments) {
  if (!has_place(arguments.output)) return kWrongUsage;
  if (arguments.upper.empty() != arguments.upper_script.empty()) {
    return wrong_usage("--upper and --upper-script go together");
  }
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const std::optional<double> rate = arguments.rate > 0 ? std::optional(arguments.rate) : std::nullopt;
  const auto wishing = prepare(*library, arguments.name, arguments.script, arguments, rate);
  if (!wishing) return report(wishing.error());
  std::vector<Wishing*> scripts = {wishing->get()};
  std::unique_ptr<motion::MotionStream> stream = (*wishing)->stream();
  std::unique_ptr<Wishing> above;
  if (!arguments.upper.empty()) {
    auto upper = prepare(*library, arguments.upper, arguments.upper_script, arguments, stream->rate());
    if (!upper) return report(upper.error());
    above = std::move(*upper);
    scripts.push_back(above.get());
    auto both = with_upper(std::move(stream), *above, arguments.upper_from);
    if (!both) return report(both.error());
    stream = std::move(*both);
  }
  auto recording = play(*stream, scripts, arguments.seconds);
  if (!recording) return report(recording.error());
  nlohmann::json details = (*wishing)->told();
  details["machine"] = arguments.name;
  details["script"] = arguments.script;
  details["upper"] = nullptr;
  if (above) {
    details["upper"] = above->told();
    details["upper"].update({{"machine", arguments.upper}, {"script", arguments.upper_script}});
  }
  if (!command.json && !details["delay_mean_s"].is_null()) {
    say("{} wishes, {} answered; delay {:.2f} s in the mean, {:.2f} s at 95 %\n", details["wishes"].get<std::size_t>(),
        details["answers"].size(), details["delay_mean_s"].get<double>(), details["delay_p95_s"].get<double>());
  }
  return write_to_output(command, std::move(*recording), "wishes", arguments.library, arguments.output,
                         std::move(details));
}

}  // namespace

void add_machine_wish(Commands& commands) {
  Command& command = commands.add("machine", kMachineAbout, "wish", "play a built machine by a script of wishes",
                                  "loom machine wish motions.loom m --script wishes.csv --seconds 30 -o out.glb");
  auto arguments = std::make_shared<MachineWishArguments>();
  command.options->add_option("library", arguments->library, "a .loom file")->required();
  command.options->add_option("name", arguments->name, "the name of a machine that was built in it")->required();
  command.options
      ->add_option("--script", arguments->script,
                   "a CSV file: seconds,behavior and, after that, parameter=value; machine:behavior is one of another "
                   "machine, to which the character goes over")
      ->required();
  command.options->add_option("--upper", arguments->upper, "a machine that moves the upper body");
  command.options->add_option("--upper-script", arguments->upper_script, "what is wished of it, as --script");
  command.options->add_option("--upper-from", arguments->upper_from,
                              "the joint from which on it moves the body; else where the back begins");
  command.options->add_option("--seconds", arguments->seconds, "how long to play (30)")
      ->check(between(0.1, kLongestSeconds));
  command.options->add_option("--rate", arguments->rate, "poses a second; else those of the motion")
      ->check(between(1.0, 1000.0));
  command.options->add_flag("--queue", arguments->queue, "a wish waits for those before it, instead of replacing them");
  command.options->add_option("--give-up", arguments->give_up, "seconds after which a wish is dropped; else never")
      ->check(between(0.001, kLongestSeconds));
  command.options->add_flag("--usual", arguments->usual,
                            "enter states with their usual parameters, not with those that fit best");
  command.options->add_flag("--single-point", arguments->single,
                            "take only the cheapest transition of each two states, for comparison");
  add_options(command, arguments->output);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
