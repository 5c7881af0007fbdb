// SPDX-License-Identifier: MIT
// `loom graph build`: a motion graph of the clips in a library, stored in the library.
#include <map>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/graph/build.h>
#include <loom/library/library.h>
#include <loom/project/build.h>
#include <loom/take/gather.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/graph_commands.h"
#include "loom/left_out.h"
#include "loom/numbers.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/source.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

struct Arguments {
  std::string library, name, metric = "pointcloud";
  take::GatherOptions source;
  graph::BuildOptions build;
  double threshold = 0, threshold_cm = 0;
  std::vector<std::string> joint_weights;  ///< JOINT=W
};

/// What each metric alone listens to.
constexpr const char* kOfClouds[] = {"--window", "--gaussian", "--threshold-cm", "--clusters"};
constexpr const char* kOfAngles[] = {"--velocity-weight", "--joint-velocity-weight"};

bool is_cloud(const Arguments& arguments) { return arguments.metric == "pointcloud"; }

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

/// The threshold as one reads it: with centimetres beside square metres.
std::string told_threshold(const Arguments& arguments, double threshold) {
  if (!is_cloud(arguments)) return fmt::format("{:.4g} radians", threshold);
  return fmt::format("{:.4g} ({:.2f} cm)", threshold, graph::centimetres_of(threshold));
}

int show(const Command& command, const Arguments& arguments, const library::Library& library,
         const take::Gathered& source, const graph::Built& built) {
  const graph::MotionGraph& graph = built.graph;
  if (command.json) {
    auto result = artefact_json(library, graph::kGraphKind, arguments.name);
    if (!result) return report(result.error());
    result->update({{"clip_count", graph.clips.size()},
                    {"frames", built.frames},
                    {"nodes", graph.nodes()},
                    {"edges", graph.edges()},
                    {"transitions", graph.transitions.size()},
                    {"threshold", graph.threshold},
                    {"threshold_cm", is_cloud(arguments) ? nlohmann::json(graph::centimetres_of(graph.threshold))
                                                         : nlohmann::json(nullptr)},
                    {"component_share", built.share_reached},
                    {"pairs_per_second", built.pairs_per_second},
                    {"seconds", built.seconds},
                    {"peak_memory_bytes", built.peak_memory_bytes},
                    {"left_out", left_out_json(source.left_out)}});
    print_json(*result);
    return kDone;
  }
  say("graph '{}': {} nodes of {} frames ({:.1f} %), {} transitions at a threshold of {}\n", arguments.name,
      graph.nodes(), built.frames, 100 * built.share_reached, graph.transitions.size(),
      told_threshold(arguments, graph.threshold));
  say("compared {:.0f} million pairs a second, {:.2f} s in all\n", built.pairs_per_second / 1e6, built.seconds);
  tell_left_out(source.left_out);
  if (!arguments.build.threshold && built.share_reached < arguments.build.connect) {
    say("{:.0f} % were wanted, and this is as many as these clips connect; `{}` tells why\n",
        100 * arguments.build.connect, shell_command({"graph", "explain"}, {arguments.library, arguments.name}));
  }
  return kDone;
}

int run(const Command& command, Arguments& arguments) {
  if (command.options->count("--threshold") > 0) arguments.build.threshold = arguments.threshold;
  if (command.options->count("--threshold-cm") > 0) {
    arguments.build.threshold = graph::square_metres_of(arguments.threshold_cm);
  }
  arguments.build.comparison =
      is_cloud(arguments) ? compare::MetricKind::kPointCloud : compare::MetricKind::kJointAngles;
  for (const char* other : is_cloud(arguments) ? std::span<const char* const>(kOfAngles) : kOfClouds) {
    if (command.options->count(other) == 0) continue;
    return wrong_usage(
        fmt::format("{} is of the other metric, --metric {}", other, is_cloud(arguments) ? "joints" : "pointcloud"));
  }
  for (const std::string& text : arguments.joint_weights) {
    if (const auto done = parse_joint_weight(text, arguments.build.metric.joint_weights); !done) {
      return report(done.error());
    }
  }
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const auto made = [&] {
    ProgressBar bar;
    return project::build_graph(*library, arguments.name, arguments.source, arguments.build, bar.progress());
  }();
  if (!made) return report(made.error());
  return show(command, arguments, *library, made->source, made->built);
}

void add_metric_options(CLI::App& options, Arguments& arguments) {
  graph::MetricOptions& metric = arguments.build.metric;
  options.add_option("--window", metric.window_seconds, "seconds of motion a cloud is taken over (pointcloud; 1/3)")
      ->check(CLI::Range(0.001, 10.0));
  options
      .add_option("--gaussian", metric.gaussian_seconds,
                  "standard deviation, in seconds, of the weights over the window (pointcloud; a quarter of it)")
      ->check(CLI::Range(0.001, 10.0));
  options
      .add_option("--velocity-weight", metric.velocity_weight,
                  "radians that a metre a second of difference in the root's velocity costs (joints; 0.2)")
      ->check(CLI::NonNegativeNumber);
  options
      .add_option("--joint-velocity-weight", metric.joint_velocity_weight,
                  "radians that a radian a second of difference in how a joint turns costs (joints; 0)")
      ->check(CLI::NonNegativeNumber);
  options.add_flag("--uniform-weights", metric.uniform_weights,
                   "all joints count alike, not as fitted to what people see");
  options.add_option("--joint-weight", arguments.joint_weights, "JOINT=W: what one joint counts; several times");
}

}  // namespace

void add_graph_options(CLI::App& options, std::string& library, std::string& graph) {
  options.add_option("library", library, "a .loom file")->required();
  options.add_option("graph", graph, "the name of a graph in it")->required();
}

Result<graph::StoredGraph> open_graph(const std::string& library, const std::string& name) {
  const auto opened = library::Library::open(library);
  if (!opened) return fail_from(opened);
  return graph::load_graph(*opened, name);
}

void add_graph_build(Commands& commands) {
  Command& command =
      commands.add("graph", kGraphAbout, "build", "build a graph of a library's clips and store it there",
                   "loom graph build motions.loom --name main --connect 0.9");
  auto arguments = std::make_shared<Arguments>();
  command.options->add_option("library", arguments->library, "a .loom file")->required();
  command.options->add_option("--name", arguments->name, "what to call the graph")->required();
  command.options->add_option("--label", arguments->source.labels, "only motion with one of these labels");
  add_body_option(*command.options, arguments->source.body);
  add_keep_faulty_option(*command.options, arguments->source.keep_faulty);
  command.options->add_flag("--mirror", arguments->source.mirror, "every clip a second time, left and right exchanged");
  add_choice(*command.options, "--metric", arguments->metric, {"pointcloud", "joints"},
             "what frames are compared by (pointcloud)");
  auto* threshold = command.options->add_option("--threshold", arguments->threshold,
                                                "largest distance of a transition: square metres (pointcloud) or "
                                                "radians (joints); chosen by itself when not given");
  auto* centimetres = command.options
                          ->add_option("--threshold-cm", arguments->threshold_cm,
                                       "the same as how far markers may lie apart on average, centimetres (pointcloud)")
                          ->check(CLI::PositiveNumber)
                          ->excludes(threshold);
  command.options->add_option("--connect", arguments->build.connect, "share of all frames the graph is to keep (0.9)")
      ->check(CLI::Range(0.01, 1.0))
      ->excludes(threshold)
      ->excludes(centimetres);
  add_metric_options(*command.options, *arguments);
  command.options->add_option("--rate", arguments->source.rate, "frames a second to resample to (30)")
      ->check(CLI::Range(1.0, 1000.0));
  command.options->add_option("--sigma", arguments->build.sigma, "of the cost 1 - exp(-distance / sigma)");
  command.options
      ->add_option(
          "--clusters", arguments->build.clusters,
          "compare only frames of one of so many clusters a stance: fewer transitions, for very large sets (all)")
      ->check(CLI::Range(1, 4096));
  command.options->add_flag("--match-stance", arguments->build.match_stance,
                            "no transition between a stance on the left foot and one on the right");
  command.options->add_option("--hand-label", arguments->build.hands.label,
                              "frames so labelled touch something: no transition between them and others");
  command.options
      ->add_option("--hand-height", arguments->build.hands.height,
                   "metres of a surface that hands touch: no transition unless both or neither rest there")
      ->check(CLI::Range(0.0, 3.0));
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
