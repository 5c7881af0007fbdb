// SPDX-License-Identifier: MIT
// `loom fragments train`: a policy over fragments, stored in the library; goes on from where an earlier one stopped.
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/base/progress_part.h>
#include <loom/library/library.h>
#include <loom/policy/cuda/card_sweeps.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/stored_policy.h>
#include <loom/policy/train.h>
#include <loom/project/build.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/fragments_training.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

int not_solved() {
  notice("stopped before it was solved; what there is was kept, and the same command goes on from there");
  return kFailed;
}

}  // namespace

int show_trained(const Command& command, const TrainArguments& arguments, const library::Library& library,
                 const project::TrainedPolicy& trained, double seconds, const nlohmann::json& more) {
  const policy::Policy& policy = trained.policy;
  const policy::Solution& solution = policy.solution;
  const bool warm = trained.started_from_earlier;
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
    result->update(more);
    print_json(*result);
    return solution.converged ? kDone : not_solved();
  }
  say("policy '{}' ({}): {} fragments, {} bins, {}\n", arguments.name, arguments.controller, solution.states,
      solution.controls, solution.converged ? "solved" : "not solved yet");
  say("{} full sweeps{}, {} along the policy, {:.2f} s\n", solution.sweeps, warm ? " from the earlier policy on" : "",
      solution.evaluations, seconds);
  say("players {}; {} of {} bins were never used\n", policy.model.source, policy.model.unused,
      policy.space.bins.size());
  return solution.converged ? kDone : not_solved();
}

Result<project::TrainedPolicy> train(library::Library& library, TrainArguments& arguments, const Progress& progress) {
  arguments.policy.train.kind = *policy::policy_kind(arguments.controller);
  if (arguments.name.empty()) arguments.name = arguments.policy.fragments;
  const auto flags = policy::flags_of_fragments(library, arguments.policy.fragments);
  if (!flags) return fail_from(flags);
  const auto traces = load_traces(arguments.traces, library, *flags);
  if (!traces) return fail_from(traces);
  return project::train_policy(library, arguments.name, arguments.policy, *traces, progress);
}

namespace {

int run(const Command& command, TrainArguments& arguments) {
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const auto begin = std::chrono::steady_clock::now();
  const auto sweeps = policy::CardSweeps::create(arguments.on);
  if (!sweeps) return report(sweeps.error());
  arguments.policy.train.solve.engine = sweeps->get();
  const auto trained = [&] {
    ProgressBar bar;
    return train(*library, arguments, bar.progress());
  }();
  if (!trained) return report(trained.error());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const bool card = std::string_view((*sweeps)->on()) == "cuda";
  if (!command.json) {
    const std::string& why = (*sweeps)->why_not_the_card();
    say("swept on the {}{}\n", card ? "graphics card" : "processor", why.empty() ? "" : "; " + why);
  }
  return show_trained(command, arguments, *library, *trained, seconds, {{"on", (*sweeps)->on()}});
}

}  // namespace

void add_fragments_train(Commands& commands) {
  Command& command = commands.add("fragments", kFragmentsAbout, "train", "train a policy over fragments and store it",
                                  "loom fragments train motions.loom moves --traces anna.csv ben.csv");
  auto arguments = std::make_shared<TrainArguments>();
  add_train_options(*command.options, arguments);
  add_choice(*command.options, "--on", arguments->on,
             {{"cpu", compare::On::kCpu}, {"cuda", compare::On::kCuda}, {"auto", compare::On::kAuto}},
             "what decides, with the same result: the processor, a graphics card, or whichever is there (auto)");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

void add_train_options(Options& options, const std::shared_ptr<TrainArguments>& arguments) {
  add_fragments_options(options, arguments->library, arguments->policy.fragments);
  options.add_option("--name", arguments->name, "what to call the policy (as the fragments)");
  add_trace_options(options, arguments->traces);
  add_choice(options, "--controller", arguments->controller, {"model", "steady", "spread", "greedy"},
             "what the policy believes the player will do next (model)");
  options
      .add_option("--bins", arguments->policy.bins,
                  "choose so many bins where the traces lie (the work's 150 otherwise)")
      ->check(between(std::size_t{1}, policy::kMaxBins));
  options
      .add_option("--threshold", arguments->policy.train.threshold_share, "only this share of the best transitions (1)")
      ->check(between(0.0001, 1.0));
  options.add_option("--discount", arguments->policy.discount, "of what comes a fragment later (0.999)")
      ->check(between(0.0, 0.99999));
  options
      .add_option("--stutter", arguments->policy.quality.stutter_seconds,
                  "seconds before a fragment that must not follow it (0.3)")
      ->check(between(0.0, 10.0));
  options.add_option("--tolerance", arguments->policy.train.solve.tolerance, "largest change of a last sweep (1e-6)")
      ->check(positive());
  options.add_flag("--restart", arguments->policy.restart, "do not start from the policy of that name");
}

}  // namespace loom::app
