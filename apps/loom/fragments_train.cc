// SPDX-License-Identifier: MIT
// `loom fragments train`: a policy over fragments, stored in the library; goes on from where an earlier one stopped.
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/progress_part.h>
#include <loom/library/library.h>
#include <loom/policy/train.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/fragments_commands.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct Arguments {
  std::string library, fragments, name, controller = "model";
  TraceChoice traces;
  std::size_t bins = 0;
  policy::TrainOptions train;
  policy::MotionQualityOptions quality;
  double discount = 0.999;
  bool restart = false;
};

/// The bins: the work's 150, or as many as asked for, where the players' controls lie.
Result<policy::ControlSpace> choose_space(const Arguments& arguments, const policy::FragmentSet& set,
                                          const std::vector<policy::Trace>& traces) {
  policy::ControlSpace space = policy::usual_control_space({set.flags.begin() + 1, set.flags.end()});
  if (arguments.bins == 0) return space;
  std::vector<policy::ControlSignal> signals;
  for (const policy::Trace& trace : traces) {
    const auto more = policy::sample(trace, set.seconds());
    signals.insert(signals.end(), more.begin(), more.end());
  }
  return policy::quantised_control_space(space, signals, arguments.bins);
}

/// The decisions of an earlier policy of the same name and size, if there is one.
std::optional<policy::Solution> earlier_solution(const library::Library& library, const Arguments& arguments,
                                                 const policy::TrainingGround& ground) {
  if (arguments.restart) return {};
  const auto artefact = library.get_artefact(policy::kPolicyKind, arguments.name);
  if (!artefact) return {};
  auto policy = policy::policy_from_bytes(artefact->data);
  if (!policy || policy->fragments_hash != ground.fragments.hash || policy->kind != arguments.train.kind ||
      policy->space.bins.size() != ground.space.bins.size()) {
    return {};
  }
  return std::move(policy->solution);
}

nlohmann::json parameters_of(const Arguments& arguments, const policy::Policy& policy) {
  return {{"controller", arguments.controller},
          {"fragments", arguments.fragments},
          {"bins", policy.space.bins.size()},
          {"bins_chosen", arguments.bins == 0 ? "usual" : "from the traces"},
          {"players", policy.model.source},
          {"discount", policy.discount},
          {"threshold_share", policy.threshold_share},
          {"stutter_seconds", policy.quality.stutter_seconds},
          {"converged", policy.solution.converged}};
}

int show(const Command& command, const Arguments& arguments, const library::Library& library,
         const policy::Policy& policy, bool warm, double seconds) {
  const policy::Solution& solution = policy.solution;
  if (command.json) {
    auto result = artefact_json(library, policy::kPolicyKind, arguments.name);
    if (!result) return report(result.error());
    result->update({{"fragment_count", solution.states},
                    {"bins", policy.space.bins.size()},
                    {"unused_bins", policy.model.unused},
                    {"converged", solution.converged},
                    {"sweeps", solution.sweeps},
                    {"evaluations", solution.evaluations},
                    {"residual", solution.residual},
                    {"started_from_earlier", warm},
                    {"seconds", seconds}});
    print_json(*result);
    return kDone;
  }
  say("policy '{}' ({}): {} fragments, {} bins, {}\n", arguments.name, arguments.controller, solution.states,
      solution.controls, solution.converged ? "solved" : "not solved yet");
  say("{} full sweeps{}, {} along the policy, {:.2f} s\n", solution.sweeps, warm ? " from the earlier policy on" : "",
      solution.evaluations, seconds);
  say("players {}; {} of {} bins were never used\n", policy.model.source, policy.model.unused,
      policy.space.bins.size());
  return kDone;
}

Result<policy::Policy> train(const library::Library& library, const Arguments& arguments, const Progress& progress,
                             bool& warm) {
  auto fragments = policy::load_fragments(library, arguments.fragments, part_of(progress, 0, 0.1));
  if (!fragments) return fail_from(fragments);
  const policy::FragmentSet& set = *fragments->set;
  const auto traces = load_traces(arguments.traces, library, set.flags);
  if (!traces) return fail_from(traces);
  auto space = choose_space(arguments, set, *traces);
  if (!space) return fail_from(space);
  auto model = policy::count_player_model(*space, *traces, set.seconds());
  if (!model) return fail_from(model);
  const auto ground = policy::prepare_training(std::move(*fragments), std::move(*space), std::move(*model),
                                               arguments.quality, arguments.discount, part_of(progress, 0.1, 0.4));
  if (!ground) return fail_from(ground);
  const auto start = earlier_solution(library, arguments, *ground);
  warm = start.has_value();
  auto policy = policy::train_policy(*ground, arguments.train, start ? &*start : nullptr, part_of(progress, 0.4, 1));
  if (policy) policy->fragments = arguments.fragments;
  return policy;
}

int run(const Command& command, Arguments& arguments) {
  arguments.train.kind = *policy::policy_kind(arguments.controller);
  if (arguments.name.empty()) arguments.name = arguments.fragments;
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const auto begin = std::chrono::steady_clock::now();
  bool warm = false;
  const auto policy = [&] {
    ProgressBar bar;
    return train(*library, arguments, bar.progress(), warm);
  }();
  if (!policy) return report(policy.error());
  const auto stored =
      policy::store_policy(*library, arguments.name, *policy, json_text(parameters_of(arguments, *policy)));
  if (!stored) return report(stored.error());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (const int told = show(command, arguments, *library, *policy, warm, seconds); told != kDone) return told;
  if (policy->solution.converged) return kDone;
  notice("stopped before it was solved; what there is was kept, and the same command goes on from there");
  return kFailed;
}

}  // namespace

void add_fragments_train(Commands& commands) {
  Command& command = commands.add("fragments", kFragmentsAbout, "train", "train a policy over fragments and store it",
                                  "loom fragments train motions.loom moves --traces anna.csv ben.csv");
  auto arguments = std::make_shared<Arguments>();
  CLI::App& options = *command.options;
  add_fragments_options(options, arguments->library, arguments->fragments);
  options.add_option("--name", arguments->name, "what to call the policy (as the fragments)");
  add_trace_options(options, arguments->traces);
  add_choice(options, "--controller", arguments->controller, {"model", "steady", "spread", "greedy"},
             "what the policy believes the player will do next (model)");
  options.add_option("--bins", arguments->bins, "choose so many bins where the traces lie (the work's 150 otherwise)")
      ->check(CLI::Range(std::size_t{1}, policy::kMaxBins));
  options.add_option("--threshold", arguments->train.threshold_share, "only this share of the best transitions (1)")
      ->check(CLI::Range(0.0001, 1.0));
  options.add_option("--discount", arguments->discount, "of what comes a fragment later (0.999)")
      ->check(CLI::Range(0.0, 0.99999));
  options
      .add_option("--stutter", arguments->quality.stutter_seconds,
                  "seconds before a fragment that must not follow it (0.3)")
      ->check(CLI::Range(0.0, 10.0));
  options.add_option("--tolerance", arguments->train.solve.tolerance, "largest change of a last sweep (1e-6)")
      ->check(CLI::PositiveNumber);
  options.add_flag("--restart", arguments->restart, "do not start from the policy of that name");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
