// SPDX-License-Identifier: MIT
// `loom states play`: a character directed by hand, told one state after the other.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/text.h>
#include <loom/behavior/state_director.h>
#include <loom/polish/deepest_feet.h>

#include "loom/graph_commands.h"
#include "loom/recorded_motion.h"
#include "loom/states_commands.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

constexpr double kUsualStateSeconds = 2;  ///< of a state in a script that does not say

struct StatesPlayArguments {
  std::string library, name;
  std::vector<std::string> script;
  std::uint64_t seed = 1;
  MotionOutput output;
};

/// A state to be in, from a time on.
struct Cue {
  double from = 0;
  int state = -1;
};

struct StateScript {
  std::vector<Cue> cues;
  double seconds = 0;

  [[nodiscard]] motion::Control at(double time) const {
    motion::Control control;
    for (const Cue& cue : cues) {
      if (cue.from <= time) control.behavior = cue.state;
    }
    return control;
  }
};

/// "punch" or "locomotion@3.5".
Result<StateScript> read_script(const std::vector<std::string>& words, const behavior::StateMachine& machine) {
  StateScript script;
  for (const std::string& word : words) {
    const std::size_t at = word.find('@');
    const auto state = machine.find_state(word.substr(0, at));
    if (!state) {
      std::string known;
      for (const behavior::MachineState& s : machine.states) known += (known.empty() ? "" : ", ") + s.name;
      return fail(fmt::format("machine '{}' has no state '{}'; it has: {}", machine.name, word.substr(0, at), known));
    }
    double seconds = kUsualStateSeconds;
    if (at != std::string::npos) {
      const auto number = parse_number(word.substr(at + 1));
      if (!number || !(*number > 0)) return fail(fmt::format("'{}': expected STATE or STATE@SECONDS", word));
      seconds = *number;
    }
    script.cues.push_back({script.seconds, static_cast<int>(*state)});
    script.seconds += seconds;
  }
  if (script.seconds > kLongestSeconds) return fail("the script is longer than a day");
  return script;
}

int run(const Command& command, const StatesPlayArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto stored = behavior::load_states(*library, arguments.name);
  if (!stored) return report(stored.error());
  const auto script = read_script(arguments.script, stored->states->machine);
  if (!script) return report(script.error());
  const auto director = behavior::StateDirector::create(stored->states, stored->motion, arguments.seed);
  if (!director) return report(director.error());
  polish::FootPlantOptions planting;
  planting.deepest = polish::deepest_feet(stored->motion->clips, stored->motion->contacts);
  return play_to_output(
      command, **director, script->seconds, "states", arguments.library, arguments.output,
      {{"state_graph", arguments.name}, {"script", arguments.script}, {"seed", arguments.seed}}, 0,
      [&](double time) { return script->at(time); }, planting);
}

}  // namespace

void add_states_play(Commands& commands) {
  Command& command = commands.add("states", kStatesAbout, "play", "direct a character: one state after the other",
                                  "loom states play motions.loom fight locomotion@3 punch kick locomotion@2 -o s.glb");
  auto arguments = std::make_shared<StatesPlayArguments>();
  command.options->add_option("library", arguments->library, "a .loom file")->required();
  command.options->add_option("name", arguments->name, "the name of a state graph in it")->required();
  command.options->add_option("script", arguments->script, "states in order, each as STATE or STATE@SECONDS (2)")
      ->required();
  command.options->add_option("--seed", arguments->seed, "another seed, other actions (1)");
  add_options(command, arguments->output);
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
