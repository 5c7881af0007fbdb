// SPDX-License-Identifier: MIT
// `loom fragments play`: a character steered by a policy over fragments.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/library/library.h>
#include <loom/matching/matching_controller.h>
#include <loom/policy/fragment_stream.h>
#include <loom/policy/policy.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/stored_policy.h>

#include "loom/command.h"
#include "loom/fragments_commands.h"
#include "loom/shapes.h"
#include "loom/steering.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct FragmentsPlayArguments {
  std::string library, name;
  bool matching = false;
  policy::FragmentStreamOptions stream;
  Steering steering;
};

/// What is to be played, and by whom.
struct Cast {
  std::string name;  ///< of the fragments
  policy::FragmentMotion fragments;
  std::unique_ptr<policy::Controller> controller;
};

Result<Cast> cast_of(const library::Library& library, const FragmentsPlayArguments& arguments) {
  if (arguments.matching) {
    auto fragments = policy::load_fragments(library, arguments.name);
    if (!fragments) return fail_from(fragments);
    auto controller = matching::MatchingController::create(*fragments);
    if (!controller) return fail_from(controller);
    return Cast{arguments.name, std::move(*fragments), std::move(*controller)};
  }
  auto loaded = policy::load_policy(library, arguments.name);
  if (!loaded) return fail_from(loaded);
  const auto solution = std::shared_ptr<const policy::Solution>(loaded->policy, &loaded->policy->solution);
  return Cast{loaded->policy->fragments, std::move(loaded->fragments),
              std::make_unique<policy::TableController>(loaded->policy->space, solution)};
}

int play(const Command& command, const FragmentsPlayArguments& arguments) {
  if (!has_place(arguments.steering.output)) return kWrongUsage;
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  auto trace = trace_for(arguments.steering, *library);
  if (!trace) return report(trace.error());
  auto cast = cast_of(*library, arguments);
  if (!cast) return report(cast.error());
  const auto fitted = policy::fit_to(*trace, cast->fragments.set->flags);
  if (!fitted) return report(fitted.error());
  auto stream = policy::FragmentStream::create(cast->fragments, std::move(cast->controller), arguments.stream);
  if (!stream) return report(stream.error());
  nlohmann::json details = {{"controller", arguments.matching ? "matching" : "policy"},
                            {"policy", value_if(!arguments.matching, arguments.name)},
                            {"fragments", cast->name},
                            {"fragment_count", cast->fragments.set->size()},
                            {"root", to_string(arguments.stream.root.source)}};
  return steer(command, {std::move(*stream), cast->fragments.motion}, *fitted, arguments.steering, arguments.library,
               "fragments", std::move(details));
}

}  // namespace

void add_fragments_play(Commands& commands) {
  Command& command = commands.add("fragments", kFragmentsAbout, "play", "steer a character by a trained policy",
                                  "loom fragments play motions.loom main --trace stick.csv -o play.glb");
  const auto arguments = std::make_shared<FragmentsPlayArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "the library, a .loom file")->required();
  options.add_option("name", arguments->name, "the policy, or with --matching the fragments")->required();
  options.add_flag("--matching", arguments->matching, "choose fragments by motion matching instead of a policy");
  options.add_option("--ease", arguments->stream.ease_seconds, "time constant of the joins, seconds (0.07)");
  options.add_option("--slowest", arguments->stream.slowest, "slowest playing to meet the wanted speed (0.8)");
  options.add_option("--fastest", arguments->stream.fastest, "fastest playing to meet the wanted speed (1.25)");
  options.add_option("--rate", arguments->stream.rate, "poses a second (60)");
  add_root_option(options, arguments->stream.root);
  add_options(command, arguments->steering);
  command.run = [arguments](const Command& c) { return play(c, *arguments); };
}

}  // namespace loom::app
