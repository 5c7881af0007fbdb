// SPDX-License-Identifier: MIT
// `loom fight`: characters that fight each other, in one scene.
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <loom/base/progress_part.h>
#include <loom/behavior/state_build.h>
#include <loom/fight/style_sliders.h>
#include <loom/polish/gaze.h>

#include "loom/bout.h"
#include "loom/choice.h"
#include "loom/graph_commands.h"
#include "loom/left_out.h"
#include "loom/motion_sender.h"
#include "loom/onto.h"
#include "loom/progress_bar.h"
#include "loom/recorded_motion.h"
#include "loom/states_commands.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

constexpr double kBuilding = 0.5;  ///< share of the work, roughly, where the states are built for one bout

struct FightArguments {
  std::string library, machine, states, wishes, out, on, picture;
  std::vector<std::string> send;
  std::vector<double> look_at;  ///< x, y, z in metres; none: wherever the motions look
  fight::BoutOptions bout;
  behavior::StateBuildOptions build;
  std::size_t bouts = 1;
};

/// The stored state graph asked for, or one built now.
Result<behavior::StoredStates> open_states(const FightArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return fail_from(library);
  if (!arguments.states.empty()) return behavior::load_states(*library, arguments.states);
  const auto machine = open_machine(arguments.machine);
  if (!machine) return fail_from(machine);
  auto build = build_with_bar(*library, *machine, arguments.build, kBuilding);
  if (!build) return fail_from(build);
  if (!build->left_out.empty()) notice(left_out_summary(build->left_out));
  for (const behavior::StateYield& yield : build->yields) {
    if (yield.kept == 0 && yield.frames > 0)
      notice(fmt::format("state '{}' has no motion left; `loom states explain` tells why",
                         machine->states[yield.state].name));
  }
  return behavior::StoredStates{build->states, build->motion, {}};
}

void print_bout(const fight::Bout& bout, const FightArguments& arguments) {
  Table table({"fighter", "style", "attacks", "punches", "kicks", "evasions", "hits"});
  for (std::size_t f = 0; f < bout.tallies.size(); ++f) {
    const fight::Tally& tally = bout.tallies[f];
    table.add({std::to_string(f + 1), bout.styles[f], std::to_string(tally.attacks), std::to_string(tally.punches),
               std::to_string(tally.kicks), std::to_string(tally.evasions), std::to_string(tally.hits)});
  }
  table.print();
  for (const std::string& file : {arguments.out, arguments.picture}) {
    if (!file.empty()) say("wrote {}\n", file);
  }
}

/// Turns the heads of all fighters to one place.
Result<void> look_there(fight::Bout& bout, std::span<const double> place) {
  if (place.empty()) return {};
  const auto at = [&](std::size_t i) { return static_cast<float>(place[i]); };
  for (motion::Recording& recording : bout.recordings) {
    if (auto done = polish::look_at(recording.clip, {at(0), at(1), at(2)}); !done) return done;
  }
  return {};
}

int fight_one(const Command& command, const FightArguments& arguments, const behavior::StoredStates& stored) {
  auto bout = [&] {
    ProgressBar bar;
    return fight::fight_bout(stored.states, stored.motion, arguments.bout,
                             part_of(bar.progress(), arguments.states.empty() ? kBuilding : 0, 1));
  }();
  if (!bout) return report(bout.error());
  if (const auto looked = look_there(*bout, arguments.look_at); !looked) return report(looked.error());
  if (!arguments.out.empty()) {
    const auto onto = find_onto_if(arguments.library, arguments.on);
    if (!onto) return report(onto.error());
    if (const auto ok = write_scene(*bout, arguments.out, *onto); !ok) return report(ok.error());
  }
  if (!arguments.picture.empty()) {
    if (const auto ok = draw_bout(*bout, *stored.states, arguments.picture); !ok) return report(ok.error());
  }
  auto sent = nlohmann::json::array();
  if (!arguments.send.empty()) {
    std::vector<motion::Clip> clips;
    for (const motion::Recording& recording : bout->recordings) clips.push_back(recording.clip);
    const auto played = send_clips(clips, arguments.send);
    if (!played) return report(played.error());
    sent = *played;
  }
  if (!command.json) {
    print_bout(*bout, arguments);
    return kDone;
  }
  nlohmann::json result = bout_json(*bout, *stored.states);
  result["bouts"] = 1;
  result["sent"] = std::move(sent);
  result["seconds"] = arguments.bout.seconds;
  result["seed"] = arguments.bout.seed;
  print_json(result);
  return kDone;
}

/// What each fighter does in all bouts together.
Result<std::vector<fight::Tally>> sums_of_bouts(const FightArguments& arguments, const behavior::StoredStates& stored,
                                                const std::vector<std::vector<std::string>>& styles,
                                                const Progress& progress) {
  std::vector<fight::Tally> sums(styles.size());
  for (std::size_t b = 0; b < arguments.bouts; ++b) {
    if (!progress.report(static_cast<double>(b) / static_cast<double>(arguments.bouts), "fighting")) {
      return fail_as(ErrorKind::kStopped, fmt::format("stopped after {} of {} bouts", b, arguments.bouts));
    }
    fight::ArenaOptions options;
    options.seed = arguments.bout.seed + b;
    auto arena = fight::Arena::create(stored.states, stored.motion, styles, options);
    if (!arena) return fail_from(arena);
    while (arena->seconds() < arguments.bout.seconds) arena->step();
    for (std::size_t f = 0; f < styles.size(); ++f) {
      const fight::Tally& tally = arena->tally(f);
      sums[f].attacks += tally.attacks;
      sums[f].punches += tally.punches;
      sums[f].kicks += tally.kicks;
      sums[f].evasions += tally.evasions;
      sums[f].hits += tally.hits;
    }
  }
  return sums;
}

/// Many bouts without motion kept: what styles do, in figures.
int fight_many(const Command& command, const FightArguments& arguments, const behavior::StoredStates& stored) {
  const auto styles = fight::parse_styles(arguments.bout.styles);
  const auto sums = [&] {
    ProgressBar bar;
    return sums_of_bouts(arguments, stored, styles,
                         part_of(bar.progress(), arguments.states.empty() ? kBuilding : 0, 1));
  }();
  if (!sums) return report(sums.error());
  const auto a_bout = [&](std::uint32_t sum) {
    return static_cast<double>(sum) / static_cast<double>(arguments.bouts);
  };
  auto fighters = nlohmann::json::array();
  Table table({"style", "attacks a bout", "punches", "kicks", "evasions", "hits"});
  for (std::size_t f = 0; f < styles.size(); ++f) {
    const fight::Tally& sum = (*sums)[f];
    const std::string style = fmt::format("{}", fmt::join(styles[f], "+"));
    fighters.push_back({{"style", style},
                        {"attacks", a_bout(sum.attacks)},
                        {"punches", a_bout(sum.punches)},
                        {"kicks", a_bout(sum.kicks)},
                        {"evasions", a_bout(sum.evasions)},
                        {"hits", a_bout(sum.hits)}});
    table.add({style, fmt::format("{:.2f}", a_bout(sum.attacks)), fmt::format("{:.2f}", a_bout(sum.punches)),
               fmt::format("{:.2f}", a_bout(sum.kicks)), fmt::format("{:.2f}", a_bout(sum.evasions)),
               fmt::format("{:.2f}", a_bout(sum.hits))});
  }
  if (command.json) {
    print_json({{"bouts", arguments.bouts},
                {"seconds", arguments.bout.seconds},
                {"seed", arguments.bout.seed},
                {"fighters", std::move(fighters)}});
  } else {
    table.print();
  }
  return kDone;
}

int run(const Command& command, FightArguments& arguments) {
  if (!(arguments.bout.seconds > 0 && arguments.bout.seconds <= kLongestSeconds)) {
    return wrong_usage(fmt::format("--seconds must be above 0 and at most {:.0f}", kLongestSeconds));
  }
  if (arguments.bouts > 1 &&
      !(arguments.out.empty() && arguments.picture.empty() && arguments.wishes.empty() && arguments.send.empty())) {
    return wrong_usage("--bouts only counts; write or send the motion of one bout, and steer one with --wishes");
  }
  if (!arguments.wishes.empty()) {
    auto wishes = fight::read_wishes(arguments.wishes);
    if (!wishes) return report(wishes.error());
    arguments.bout.wishes = std::move(*wishes);
  }
  const auto stored = open_states(arguments);
  if (!stored) return report(stored.error());
  return arguments.bouts > 1 ? fight_many(command, arguments, *stored) : fight_one(command, arguments, *stored);
}

}  // namespace

void add_fight(Commands& commands) {
  Command& command = commands.add("fight", "let characters fight each other",
                                  "loom fight motions.loom --seconds 30 --style aggressive,defensive -o bout.glb");
  auto arguments = std::make_shared<FightArguments>();
  command.options->add_option("library", arguments->library, "a .loom file")->required();
  auto machine = command.options->add_option("--machine", arguments->machine,
                                             "a machine file; the built-in fighting machine when not given");
  command.options->add_option("--states", arguments->states, "a stored state graph instead of building one")
      ->excludes(machine);
  command.options->add_option("--seconds", arguments->bout.seconds, "how long (30)");
  command.options->add_option("--style", arguments->bout.styles,
                              "one a fighter, with commas between; several of one fighter with '+', each a style of "
                              "the machine or a slider from 0 to 1: punch=0.8+kick=0.1+evade=0.5+distance=0.9 "
                              "(aggressive,defensive)");
  command.options->add_option("--wishes", arguments->wishes,
                              "a file of what players did, as the studio saves it: fighters named in it do as told, "
                              "or change their style");
  command.options->add_option("--seed", arguments->bout.seed, "another seed, another bout (1)");
  command.options->add_option("--bouts", arguments->bouts, "fight this many, each with the next seed, and only count")
      ->check(between(1, 1000000));
  command.outputs.add_file(*command.options, "-o,--out", arguments->out,
                           "write all fighters in one scene: .glb or .gltf");
  command.options->add_option("--on", arguments->on, kOnHelp);
  command.options->add_option("--send", arguments->send,
                              std::string("play the bout, one address a fighter in turn, ") + kSendHelp);
  command.outputs.add_file(*command.options, "--picture", arguments->picture, "draw moments of it: .png or .svg");
  add_off_flag(*command.options, "--no-polish", arguments->bout.polish, "leave the feet as they come");
  add_look_at(*command.options, arguments->look_at);
  add_build_options(*command.options, arguments->build);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
