// SPDX-License-Identifier: MIT
// `loom fragments inspect`: what can go wrong with a policy, known before anyone plays it.
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/progress_part.h>
#include <loom/library/library.h>
#include <loom/picture/save.h>
#include <loom/policy/inspect.h>
#include <loom/policy/stored_policy.h>
#include <loom/report/policy_figures.h>

#include "loom/command.h"
#include "loom/fragments_commands.h"
#include "loom/progress_bar.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

struct FragmentsInspectArguments {
  std::string library, name, picture;
  std::size_t count = 10;
};

struct Inspected {
  policy::LoadedPolicy loaded;
  policy::Inspection found;
};

Result<Inspected> inspect(const FragmentsInspectArguments& arguments, const Progress& progress) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return fail_from(library);
  auto loaded = policy::load_policy(*library, arguments.name, part_of(progress, 0, 0.2));
  if (!loaded) return fail_from(loaded);
  const auto transitions =
      policy::motion_qualities(loaded->fragments, loaded->policy->quality, part_of(progress, 0.2, 1));
  if (!transitions) return fail_from(transitions);
  auto found = policy::inspect(*loaded->policy, *loaded->fragments.set, *transitions, arguments.count);
  return Inspected{std::move(*loaded), std::move(found)};
}

nlohmann::json to_json(const Inspected& inspected) {
  const policy::FragmentSet& set = *inspected.loaded.fragments.set;
  const policy::ControlSpace& space = inspected.loaded.policy->space;
  auto worst = nlohmann::json::array(), lowest = nlohmann::json::array();
  for (const policy::PolicyDecision& d : inspected.found.worst) {
    worst.push_back({{"from", set.describe(d.from)},
                     {"to", set.describe(d.to)},
                     {"control", space.describe(space.bins[d.bin])},
                     {"motion_quality", d.motion_quality},
                     {"control_quality", d.control_quality},
                     {"share", d.share}});
  }
  for (const policy::Situation& s : inspected.found.lowest) {
    lowest.push_back({{"fragment", set.describe(s.fragment)},
                      {"control", space.describe(space.bins[s.bin])},
                      {"reward", s.reward},
                      {"behind", s.behind},
                      {"share", s.share}});
  }
  return {{"reached", inspected.found.reached},
          {"decisions", inspected.found.decisions},
          {"mean_quality", inspected.found.mean_quality},
          {"worst_transitions", worst},
          {"lowest_rewards", lowest}};
}

void show(const Inspected& inspected) {
  const policy::FragmentSet& set = *inspected.loaded.fragments.set;
  const policy::ControlSpace& space = inspected.loaded.policy->space;
  const policy::Inspection& found = inspected.found;
  say("{} of {} decisions are ever taken; their mean quality is {:.3f}\n\nworst transitions\n", found.reached,
      found.decisions, found.mean_quality);
  Table worst({"motion", "control", "% of choices", "from", "to", "when the player wants"});
  for (const policy::PolicyDecision& d : found.worst) {
    worst.add({fmt::format("{:.3f}", d.motion_quality), fmt::format("{:.3f}", d.control_quality),
               fmt::format("{:.2g}", 100 * d.share), set.describe(d.from), set.describe(d.to),
               space.describe(space.bins[d.bin])});
  }
  worst.print();
  say("\nlowest expected rewards\n");
  Table lowest({"reward", "behind the best", "% of time", "in", "when the player wants"});
  for (const policy::Situation& s : found.lowest) {
    lowest.add({fmt::format("{:.2f}", s.reward), fmt::format("{:.2f}", s.behind), fmt::format("{:.2g}", 100 * s.share),
                set.describe(s.fragment), space.describe(space.bins[s.bin])});
  }
  lowest.print();
}

int run(const Command& command, const FragmentsInspectArguments& arguments) {
  const auto inspected = [&] {
    ProgressBar bar;
    return inspect(arguments, bar.progress());
  }();
  if (!inspected) return report(inspected.error());
  if (!arguments.picture.empty()) {
    const auto drawing =
        report::draw_worst_transitions(inspected->found, inspected->loaded.fragments, inspected->loaded.policy->space);
    if (const auto saved = picture::save(drawing, arguments.picture); !saved) return report(saved.error());
  }
  if (command.json) {
    print_json(to_json(*inspected));
  } else {
    show(*inspected);
  }
  return kDone;
}

}  // namespace

void add_fragments_inspect(Commands& commands) {
  Command& command =
      commands.add("fragments", kFragmentsAbout, "inspect", "the worst a policy will ever do, before anyone plays it",
                   "loom fragments inspect motions.loom moves --picture worst.png");
  auto arguments = std::make_shared<FragmentsInspectArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("policy", arguments->name, "the name of a policy in it")->required();
  options.add_option("--count", arguments->count, "how many of each to tell (10)")
      ->check(between(std::size_t{1}, std::size_t{1000}));
  command.outputs.add_file(options, "--picture", arguments->picture, "a picture of the worst transitions, PNG or SVG");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
