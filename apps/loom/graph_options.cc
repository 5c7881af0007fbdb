// SPDX-License-Identifier: MIT
#include "loom/graph_options.h"

#include <map>
#include <span>

#include <fmt/format.h>

#include "loom/choice.h"
#include "loom/left_out.h"
#include "loom/numbers.h"
#include "loom/source.h"

namespace loom::app {
namespace {

/// What each metric alone listens to.
constexpr const char* kOfClouds[] = {"--window", "--gaussian", "--threshold-cm", "--clusters", "--foot-crossings"};
constexpr const char* kOfAngles[] = {"--velocity-weight", "--joint-velocity-weight"};

/// "RightHand=0.5".
Result<void> parse_joint_weight(const std::string& text, std::map<std::string, double>& weights) {
  const std::size_t equals = text.rfind('=');
  const auto value =
      equals == std::string::npos ? Result<std::vector<double>>(fail("")) : numbers_in(text.substr(equals + 1));
  if (equals == 0 || !value || value->size() != 1) {
    return fail(fmt::format("the weight of a joint is given as JOINT=W, not as '{}'", text));
  }
  weights[text.substr(0, equals)] = value->front();
  return {};
}

void add_metric_options(Options& options, GraphArguments& arguments) {
  graph::MetricOptions& metric = arguments.build.metric;
  options.add_option("--window", metric.window_seconds, "seconds of motion a cloud is taken over (pointcloud; 1/3)")
      ->check(between(0.001, 10.0));
  options
      .add_option("--gaussian", metric.gaussian_seconds,
                  "standard deviation, in seconds, of the weights over the window (pointcloud; a quarter of it)")
      ->check(between(0.001, 10.0));
  options
      .add_option("--velocity-weight", metric.velocity_weight,
                  "radians that a metre a second of difference in the root's velocity costs (joints; 0.2)")
      ->check(not_negative());
  options
      .add_option("--joint-velocity-weight", metric.joint_velocity_weight,
                  "radians that a radian a second of difference in how a joint turns costs (joints; 0)")
      ->check(not_negative());
  options.add_flag("--uniform-weights", metric.uniform_weights,
                   "all joints count alike, not as fitted to what people see");
  options.add_option("--joint-weight", arguments.joint_weights, "JOINT=W: what one joint counts; several times");
}

}  // namespace

std::string told_threshold(const GraphArguments& arguments, double threshold) {
  if (!arguments.is_cloud()) return fmt::format("{:.4g} radians", threshold);
  return fmt::format("{:.4g} ({:.2f} cm)", threshold, graph::centimetres_of(threshold));
}

std::string told_on(const graph::Built& built) {
  if (built.on == "cuda") return "on the graphics card";
  if (built.on == "cpu+cuda") return "on processors and graphics cards";
  return built.why_not_the_card.empty() ? "on the processor" : "on the processor; " + built.why_not_the_card;
}

int settle(const Command& command, GraphArguments& arguments) {
  if (command.options->count("--threshold") > 0) arguments.build.threshold = arguments.threshold;
  if (command.options->count("--threshold-cm") > 0) {
    arguments.build.threshold = graph::square_metres_of(arguments.threshold_cm);
  }
  arguments.build.comparison =
      arguments.is_cloud() ? compare::MetricKind::kPointCloud : compare::MetricKind::kJointAngles;
  for (const char* other : arguments.is_cloud() ? std::span<const char* const>(kOfAngles) : kOfClouds) {
    if (command.options->count(other) == 0) continue;
    return wrong_usage(
        fmt::format("{} is of the other metric, --metric {}", other, arguments.is_cloud() ? "joints" : "pointcloud"));
  }
  for (const std::string& text : arguments.joint_weights) {
    if (const auto done = parse_joint_weight(text, arguments.build.metric.joint_weights); !done) {
      return report(done.error());
    }
  }
  const bool chosen_beforehand = arguments.build.clusters > 0 || arguments.build.foot_crossings;
  if (arguments.on == compare::On::kCuda && (chosen_beforehand || !arguments.is_cloud())) {
    return wrong_usage(
        "a graphics card compares point clouds, all with all: not with --metric joints, --clusters or "
        "--foot-crossings");
  }
  arguments.engine = std::make_unique<compare::LocalEngine>(arguments.on);
  arguments.build.engine = arguments.engine.get();
  return kDone;
}

void add_graph_source(Options& options, GraphArguments& arguments) {
  options.add_option("library", arguments.library, "a .loom file")->required();
  options.add_option("--name", arguments.name, "what to call the graph")->required()->check(not_empty());
  options.add_option("--label,--labels", arguments.source.labels, "only motion with one of these labels")
      ->delimiter(',');
  options.add_option("--clips", arguments.source.clips, "only clips of these names, in which '*' stands for anything");
  add_body_option(options, arguments.source.body);
  add_keep_faulty_option(options, arguments.source.keep_faulty);
  options.add_flag("--mirror", arguments.source.mirror, "every clip a second time, left and right exchanged");
  add_choice(options, "--metric", arguments.metric, {"pointcloud", "joints"},
             "what frames are compared by (pointcloud)");
  auto threshold = options.add_option("--threshold", arguments.threshold,
                                      "largest distance of a transition: square metres (pointcloud) or "
                                      "radians (joints); chosen by itself when not given");
  auto centimetres = options
                         .add_option("--threshold-cm", arguments.threshold_cm,
                                     "the same as how far markers may lie apart on average, centimetres (pointcloud)")
                         ->check(positive())
                         ->excludes(threshold);
  options.add_option("--connect", arguments.build.connect, "share of all frames the graph is to keep (0.9)")
      ->check(between(0.01, 1.0))
      ->excludes(threshold)
      ->excludes(centimetres);
  add_metric_options(options, arguments);
  add_choice(options, "--on", arguments.on,
             {{"cpu", compare::On::kCpu}, {"cuda", compare::On::kCuda}, {"auto", compare::On::kAuto}},
             "what compares, with the same result: the processor, a graphics card, or whichever is there (auto)");
  options.add_option("--rate", arguments.source.rate, "frames a second to resample to (30)")
      ->check(between(1.0, 1000.0));
  options.add_option("--sigma", arguments.build.sigma, "of the cost 1 - exp(-distance / sigma) (the threshold)")
      ->check(positive());
  options.add_option("--hand-label", arguments.build.hands.label,
                     "frames so labelled touch something: no transition between them and others");
  options
      .add_option("--hand-height", arguments.build.hands.height,
                  "metres of a surface that hands touch: no transition unless both or neither rest there")
      ->check(between(0.0, 3.0));
}

}  // namespace loom::app
