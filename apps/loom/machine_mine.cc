// SPDX-License-Identifier: MIT
// `loom machine mine`: the machine of behaviors that a motion graph holds, stored in the library.
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/machine/stored_machine.h>
#include <loom/project/machines.h>

#include "loom/machine_commands.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct MachineMineArguments {
  std::string library, graph, name, against;
  machine::MineOptions mine;
  bool families = false;
};

nlohmann::json missing_json(const project::MinedMachine& mined, const graph::FrameNumbers& numbers,
                            const machine::MissingEdge& edge) {
  nlohmann::json told = {{"from", mined.machine.states[edge.from].name},
                         {"to", mined.machine.states[edge.to].name},
                         {"why", machine::to_string(edge.why)},
                         {"no_way", edge.no_way},
                         {"nearest", nullptr}};
  if (edge.nearest) {
    const project::ClipFrame from = project::clip_frame(mined.graph, numbers, edge.nearest->a);
    const project::ClipFrame to = project::clip_frame(mined.graph, numbers, edge.nearest->b);
    told["nearest"] = {{"from", from.clip},
                       {"from_frame", from.frame},
                       {"to", to.clip},
                       {"to_frame", to.frame},
                       {"distance", edge.nearest->distance}};
  }
  return told;
}

nlohmann::json family_json(const project::StateFamily& family) {
  auto varies = nlohmann::json::array();
  for (const project::StateParameter& parameter : family.varies) {
    varies.push_back(
        {{"name", parameter.name}, {"unit", parameter.unit}, {"least", parameter.least}, {"most", parameter.most}});
  }
  return {{"kind", text_or_null(family.kind)},
          {"examples", family.examples},
          {"varies", std::move(varies)},
          {"why_not", text_or_null(family.why_not)}};
}

nlohmann::json states_json(const project::MinedMachine& mined) {
  auto list = nlohmann::json::array();
  for (std::size_t s = 0; s < mined.machine.states.size(); ++s) {
    list.push_back({{"name", mined.machine.states[s].name},
                    {"frames", mined.mined.frames[s]},
                    {"cyclic", mined.mined.cyclic(s)},
                    {"cyclic_share", mined.mined.cyclic_share[s]},
                    {"default", s == mined.machine.default_state},
                    {"family", mined.families.empty() ? nlohmann::json() : family_json(mined.families[s])}});
  }
  return list;
}

nlohmann::json edges_json(const project::MinedMachine& mined) {
  auto list = nlohmann::json::array();
  for (std::size_t from = 0; from < mined.mined.states; ++from) {
    for (std::size_t to = 0; to < mined.mined.states; ++to) {
      const machine::MinedPair& pair = mined.mined.pair(from, to);
      if (pair.probability == 0) continue;
      list.push_back({{"from", mined.machine.states[from].name},
                      {"to", mined.machine.states[to].name},
                      {"probability", pair.probability},
                      {"kept", pair.kept},
                      {"steps", pair.steps}});
    }
  }
  return list;
}

std::string told(const project::MinedMachine& mined, const machine::MissingEdge& edge) {
  const std::string &from = mined.machine.states[edge.from].name, &to = mined.machine.states[edge.to].name;
  std::string why;
  switch (edge.why) {
    case machine::MissingEdge::Why::kNoMotion:
      why = "one of the two has no motion in the graph";
      break;
    case machine::MissingEdge::Why::kNoStep:
      why = fmt::format("no frames are alike enough; capture motion that goes from '{}' to '{}'", from, to);
      break;
    case machine::MissingEdge::Why::kPruned:
      why = "what leads there is worse than what else there is";
      break;
    case machine::MissingEdge::Why::kRare:
      why = "what leads there is rare";
      break;
  }
  return fmt::format("{} -> {}: {}{}", from, to, why, edge.no_way ? " (no way through other states either)" : "");
}

void print_families(const project::MinedMachine& mined) {
  if (!mined.families.empty()) say("\nfamilies\n");
  for (std::size_t s = 0; s < mined.families.size(); ++s) {
    const project::StateFamily& family = mined.families[s];
    const std::string& state = mined.machine.states[s].name;
    if (family.kind.empty()) {
      say("  {}: none: {}\n", state, family.why_not);
      continue;
    }
    std::string varies;
    for (const project::StateParameter& p : family.varies) {
      varies += fmt::format("{}{} {:.2f} to {:.2f} {}", varies.empty() ? ", " : "; ", p.name, p.least, p.most, p.unit);
    }
    say("  {}: {}, {} examples{}\n", state, family.kind, family.examples, varies);
  }
}

int show(const Command& command, const MachineMineArguments& arguments, const library::Library& library,
         const project::MinedMachine& mined) {
  if (command.json) {
    auto result = artefact_json(library, machine::kMachineKind, arguments.name);
    if (!result) return report(result.error());
    const graph::FrameNumbers numbers(mined.graph.clips);
    auto missing = nlohmann::json::array();
    for (const auto& edge : mined.missing) missing.push_back(missing_json(mined, numbers, edge));
    result->update({{"states", states_json(mined)},
                    {"edges", edges_json(mined)},
                    {"chi", value_if(mined.likeness.has_value(), mined.likeness ? mined.likeness->chi : 0)},
                    {"rho", value_if(mined.likeness.has_value(), mined.likeness ? mined.likeness->rho : 0)},
                    {"missing", std::move(missing)},
                    {"q_rounds", mined.mined.q_rounds},
                    {"seconds", mined.mined.seconds}});
    print_json(*result);
    return kDone;
  }
  say("machine '{}' of graph '{}': {} states, {} edges, mined in {:.2f} s\n", arguments.name, arguments.graph,
      mined.machine.states.size(), mined.mined.edges(), mined.mined.seconds);
  print_machine(mined.machine);
  if (mined.likeness) {
    say("\nagainst '{}': chi {:.2f} ({} edges for {}), rho {:.2f} ({} of {} found)\n", arguments.against,
        mined.likeness->chi, mined.likeness->mined_edges, mined.likeness->hand_edges, mined.likeness->rho,
        mined.likeness->common_edges, mined.likeness->hand_edges);
  }
  print_families(mined);
  if (!mined.missing.empty()) say("\nmissing\n");
  for (const auto& edge : mined.missing) {
    if (mined.likeness || edge.no_way) say("  {}\n", told(mined, edge));
  }
  return kDone;
}

/// The machine drawn by hand: a file, or where there is none of that name, a machine of the library.
Result<behavior::StateMachine> find_hand(const library::Library& library, const std::string& against) {
  std::error_code error;
  if (!std::filesystem::exists(against, error)) {
    const auto kept = library.artefacts(machine::kMachineKind);
    if (!kept) return fail_from(kept);
    for (const library::ArtefactInfo& info : *kept) {
      if (info.name != against) continue;
      auto stored = machine::load_machine(library, against);
      if (!stored) return fail_from(stored);
      return std::move(stored->machine.machine);
    }
  }
  return behavior::load_machine(against);
}

int run(const Command& command, const MachineMineArguments& arguments) {
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  std::optional<behavior::StateMachine> hand;
  if (!arguments.against.empty()) {
    auto read = find_hand(*library, arguments.against);
    if (!read) return report(read.error());
    hand = std::move(*read);
  }
  const auto mined = [&] {
    ProgressBar bar;
    return project::mine_machine(*library, arguments.name, arguments.graph, arguments.mine, hand ? &*hand : nullptr,
                                 arguments.families, bar.progress());
  }();
  if (!mined) return report(mined.error());
  return show(command, arguments, *library, *mined);
}

}  // namespace

void add_machine_mine(Commands& commands) {
  Command& command =
      commands.add("machine", kMachineAbout, "mine", "find the states of a graph and the ways between them",
                   "loom machine mine motions.loom moves --name m --against drawn.machine");
  auto arguments = std::make_shared<MachineMineArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("graph", arguments->graph, "the name of a graph in it")->required();
  options.add_option("--name", arguments->name, "what to call the machine")->required()->check(not_empty());
  options.add_option("--against", arguments->against,
                     "a machine drawn by hand, a file or one of the library: its states are mined, and its "
                     "transitions compared");
  machine::MineOptions& mine = arguments->mine;
  options.add_option("--discount", mine.discount, "how much less a cost counts a frame later (0.99)");
  options.add_option("--delta", mine.delta, "share of the range of costs around a frame that is kept (0.7)");
  options.add_option("--window", mine.window_seconds, "seconds around a frame that costs are compared over (0.333)");
  options.add_option("--least", mine.least_probability, "edges rarer than this go (0.01)");
  options.add_option("--cycle", mine.longest_cycle_s, "seconds within which a cyclic state comes round (1.5)");
  options.add_flag("--families", arguments->families,
                   "look which states hold motions that can be blended, and in what they vary; takes longer");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
