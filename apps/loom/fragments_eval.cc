// SPDX-License-Identifier: MIT
// `loom fragments eval`: how controllers compare with the best possible (McCann & Pollard 2007 table 1).
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/progress_part.h>
#include <loom/library/library.h>
#include <loom/matching/matching_controller.h>
#include <loom/picture/save.h>
#include <loom/policy/comparison.h>
#include <loom/policy/evaluation_plan.h>
#include <loom/policy/stored_policy.h>
#include <loom/report/policy_figures.h>

#include "loom/command.h"
#include "loom/fragments_commands.h"
#include "loom/progress_bar.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

constexpr const char *kTracesPicture = "traces.png", *kChoicesPicture = "choices.png",
                     *kQualitiesPicture = "qualities.png";

struct FragmentsEvalArguments {
  std::string library, name, pictures;
  TraceChoice traces;
  policy::ComparisonOptions comparison;
  bool without_thresholds = false, whole = false;
};

struct Evaluated {
  policy::TrainingGround ground;
  policy::Comparison comparison;
  std::string left_out;  ///< of what was asked for, in words
};

/// Reckons the work before it begins, keeps what is allowed of it, and says what that leaves out.
Result<std::string> bound_work(FragmentsEvalArguments& arguments, const policy::LoadedPolicy& loaded,
                               std::vector<policy::Trace>& traces) {
  const policy::Policy& policy = *loaded.policy;
  policy::EvaluationWork wanted{
      loaded.fragments.set->size(), policy.space.bins.size(),     {}, arguments.comparison.kinds, policy.kind,
      policy.solution.converged,    !arguments.without_thresholds};
  for (const policy::Trace& trace : traces) {
    wanted.steps.push_back(policy::sample(trace, loaded.fragments.set->seconds()).size());
  }
  const auto plan = arguments.whole ? Result<policy::EvaluationWork>(wanted) : policy::plan_evaluation(wanted);
  if (!plan) return fail_from(plan);
  traces.resize(plan->steps.size());
  arguments.comparison.kinds = plan->kinds;
  arguments.comparison.thresholded = plan->thresholded;
  std::string left_out = policy::left_out(wanted, *plan);
  if (!left_out.empty()) {
    notice(
        fmt::format("{} fragments are many: judged without {}, looking at {:.2g} transitions where all would be "
                    "{:.2g}; --whole leaves nothing out",
                    wanted.fragments, left_out, plan->looks(), wanted.looks()));
  }
  return left_out;
}

Result<Evaluated> evaluate(FragmentsEvalArguments& arguments, const Progress& progress) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return fail_from(library);
  auto loaded = policy::load_policy(*library, arguments.name, part_of(progress, 0, 0.05));
  if (!loaded) return fail_from(loaded);
  const policy::Policy& policy = *loaded->policy;
  auto traces = load_traces(arguments.traces, *library, policy.space.flags);
  if (!traces) return fail_from(traces);
  auto left_out = bound_work(arguments, *loaded, *traces);
  if (!left_out) return fail_from(left_out);
  auto ground = policy::prepare_training(loaded->fragments, policy.space, policy.model, policy.quality, policy.discount,
                                         part_of(progress, 0.05, 0.2));
  if (!ground) return fail_from(ground);
  // What users know today stands in the same table; a body without feet cannot be matched.
  std::vector<policy::OtherController> others;
  if (auto matching = matching::MatchingController::create(loaded->fragments)) {
    others.push_back({"matching", std::move(*matching)});
  }
  auto comparison =
      policy::compare_controllers(*ground, *traces, &policy, others, arguments.comparison, part_of(progress, 0.2, 1));
  if (!comparison) return fail_from(comparison);
  return Evaluated{std::move(*ground), std::move(*comparison), std::move(*left_out)};
}

Result<void> write_pictures(const Outputs& outputs, const std::string& folder, const Evaluated& evaluated) {
  if (auto made = outputs.prepare(folder); !made) return made;
  const std::pair<const char*, picture::Drawing> pictures[] = {
      {kTracesPicture, report::draw_trace_scores(evaluated.comparison)},
      {kChoicesPicture, report::draw_choice_densities(evaluated.comparison, evaluated.ground)},
      {kQualitiesPicture, report::draw_quality_histograms(evaluated.comparison)}};
  for (const auto& [name, drawing] : pictures) {
    const std::string path = (std::filesystem::path(folder) / name).string();
    if (const auto saved = picture::save(drawing, path); !saved) return saved;
  }
  return {};
}

void show(const Command& command, const FragmentsEvalArguments& arguments, const Evaluated& evaluated) {
  const policy::Comparison& comparison = evaluated.comparison;
  auto rows = nlohmann::json::array();
  Table table({"controller", "% of optimal", "std"});
  for (const policy::ControllerScore& score : comparison.controllers) {
    rows.push_back({{"controller", score.controller},
                    {"percent_of_optimal", score.percent_of_optimal},
                    {"std", score.std},
                    {"percent", score.percent},
                    {"mean_quality", score.means.quality},
                    {"mean_motion_quality", score.means.motion_quality},
                    {"mean_control_quality", score.means.control_quality}});
    table.add({score.controller, fmt::format("{:.1f}", score.percent_of_optimal), fmt::format("{:.1f}", score.std)});
  }
  if (command.json) {
    print_json({{"policy", arguments.name},
                {"fragment_count", evaluated.ground.fragments.set->size()},
                {"bins", evaluated.ground.space.bins.size()},
                {"training", comparison.training},
                {"evaluation", comparison.evaluation},
                {"judged_by", arguments.comparison.exact_signals ? "signals" : "bins"},
                {"optimum_seconds", comparison.optimum_seconds},
                {"optimum_mean_quality", comparison.optimum.quality},
                {"optimum_mean_motion_quality", comparison.optimum.motion_quality},
                {"optimum_mean_control_quality", comparison.optimum.control_quality},
                {"left_out", evaluated.left_out},
                {"trace_names", comparison.traces},
                {"controllers", rows}});
    return;
  }
  table.print();
  say("the best possible is worth {:.3f} a choice: motion {:.3f}, control {:.3f}\n", comparison.optimum.quality,
      comparison.optimum.motion_quality, comparison.optimum.control_quality);
  say("{} fragments, {} bins; players {}; judged on {}, by {}\n", evaluated.ground.fragments.set->size(),
      evaluated.ground.space.bins.size(), comparison.training, comparison.evaluation,
      arguments.comparison.exact_signals ? "the very signals" : "bins");
}

int run(const Command& command, FragmentsEvalArguments& arguments) {
  const auto evaluated = [&] {
    ProgressBar bar;
    return evaluate(arguments, bar.progress());
  }();
  if (!evaluated) return report(evaluated.error());
  if (!arguments.pictures.empty()) {
    if (const auto written = write_pictures(command.outputs, arguments.pictures, *evaluated); !written)
      return report(written.error());
  }
  show(command, arguments, *evaluated);
  return kDone;
}

}  // namespace

void add_fragments_eval(Commands& commands) {
  Command& command = commands.add("fragments", kFragmentsAbout, "eval",
                                  "compare controllers with the best possible, on traces they were not trained on",
                                  "loom fragments eval motions.loom moves --pictures pictures");
  auto arguments = std::make_shared<FragmentsEvalArguments>();
  // Two minutes of the same two players at another time, as in the work.
  arguments->traces.simulation.traces = 12;
  arguments->traces.simulation.seconds = 10;
  arguments->traces.simulation.seed = 1001;
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options.add_option("policy", arguments->name, "the name of a policy in it")->required();
  add_trace_options(options, arguments->traces);
  options.add_flag("--exact", arguments->comparison.exact_signals,
                   "judge by the very signals of the traces, and not by the bins they fall in");
  command.outputs.add_folder(options, "--pictures", arguments->pictures, "a folder for pictures of the comparison",
                             {kTracesPicture, kChoicesPicture, kQualitiesPicture});
  options.add_flag("--literal", arguments->comparison.literal,
                   "let every controller decide by the player model at the end, as the work prints it (its eq. 3)");
  options.add_flag("--no-thresholds", arguments->without_thresholds, "without the variants of few transitions");
  options.add_flag("--whole", arguments->whole,
                   "leave nothing out, however many fragments there are and however long it takes");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
