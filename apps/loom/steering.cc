// SPDX-License-Identifier: MIT
#include "loom/steering.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/progress_part.h>
#include <loom/motion/carried_labels.h>
#include <loom/play/planting.h>
#include <loom/policy/drive.h>
#include <loom/policy/response.h>
#include <loom/policy/simulated_player.h>
#include <loom/policy/stored_traces.h>

#include "loom/choice.h"
#include "loom/progress_bar.h"

namespace loom::app {
void add_options(Command& command, Steering& steering) {
  Options& options = *command.options;
  options.add_option(
      "--trace", steering.trace,
      "what the player does: a file (CSV or JSON), or a trace that the studio kept in the library (a simulated "
      "player)");
  options.add_option("--seconds", steering.seconds, "how long the simulated player plays (30)")
      ->check(between(0.1, 24 * 3600.0));
  options.add_option("--seed", steering.seed, "another seed, another simulated player's day (1)");
  add_options(command, steering.output);
}

void add_root_option(Options& options, play::RootFollow& root) {
  add_choice<play::RootSource>(options, "--root", root.source,
                               {{"motion", play::RootSource::kMotion},
                                {"between", play::RootSource::kBetween},
                                {"control", play::RootSource::kControl}},
                               "who decides where the character is, or what lies between them (between)");
}

Result<policy::Trace> trace_for(const Steering& steering, const library::Library& library) {
  if (!steering.trace.empty()) return policy::find_trace(library, steering.trace);
  notice(fmt::format("no --trace was given: a simulated player (seed {}) plays for {:g} s", steering.seed,
                     steering.seconds));
  return policy::simulate_player(policy::habits_of(0), steering.seconds, steering.seed);
}

Result<std::unique_ptr<motion::MotionStream>> polished(Character character, MotionOutput& output) {
  if (!output.polish) return std::move(character.stream);
  output.polish = false;
  return play::planted(std::move(character.stream), *character.motion);
}

int steer(const Command& command, Character character, const policy::Trace& trace, const Steering& steering,
          const std::string& library, const std::string& name, nlohmann::json details, double begun) {
  if (!has_place(steering.output)) return kWrongUsage;
  MotionOutput output = steering.output;
  const std::shared_ptr<const take::TakeSet> motion = character.motion;
  const auto stream = polished(std::move(character), output);
  if (!stream) return report(stream.error());
  std::vector<policy::ControlSignal> wanted;
  auto recorded = [&] {
    ProgressBar bar;
    const auto stick = [&](double time) {
      wanted.push_back(trace.at(time));
      return policy::to_world(wanted.back(), (*stream)->place().heading);
    };
    return motion::record(**stream, trace.seconds(), stick, part_of(bar.progress(), begun, 1));
  }();
  if (!recorded) return report(recorded.error());
  recorded->clip.labels = motion::carried_labels(*recorded, [&](std::uint32_t clip) -> std::span<const motion::Label> {
    if (clip >= motion->clips.size()) return {};
    return motion->clips[clip].labels;
  });
  const policy::Response response = policy::measure_response(recorded->clip, wanted);
  if (!command.json) {
    say("answers after {:.2f} s; off by {:.2f} m/s and {:.2f} rad/s on average ({} player)\n", response.delay_seconds,
        response.velocity_error_mps, response.turn_error_rps, trace.simulated ? "simulated" : "recorded");
  }
  details["trace"] = trace.name;
  details["simulated_player"] = trace.simulated;
  details["delay_seconds"] = response.delay_seconds;
  details["velocity_error_mps"] = response.velocity_error_mps;
  details["turn_error_rps"] = response.turn_error_rps;
  return write_to_output(command, std::move(*recorded), name, library, output, std::move(details));
}

}  // namespace loom::app
