// SPDX-License-Identifier: MIT
// `loom graph walk | keys | follow`: new motion from a graph.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/progress_part.h>
#include <loom/graph/follow.h>
#include <loom/graph/keys.h>
#include <loom/graph/made_labels.h>
#include <loom/graph/path_file.h>
#include <loom/graph/stored_graph.h>
#include <loom/graph/walk.h>
#include <loom/library/library.h>

#include "loom/command.h"
#include "loom/graph_commands.h"
#include "loom/progress_bar.h"
#include "loom/recorded_motion.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

constexpr double kSearching = 0.9;  ///< share of the work, roughly, of finding a way; the rest is playing

/// What all three take.
struct GraphPlayArguments {
  std::string library, graph;
  MotionOutput output;
  graph::WalkOptions walk;
  double seconds = 30;
  std::vector<std::string> keys;
  std::string path, label;
  std::vector<std::string> points;
  graph::FollowOptions follow;
  double within = graph::kFarOff;
};

std::shared_ptr<GraphPlayArguments> add_common(Command& command) {
  auto arguments = std::make_shared<GraphPlayArguments>();
  add_graph_options(*command.options, arguments->library, arguments->graph);
  add_options(command, arguments->output);
  return arguments;
}

int play(const Command& command, const GraphPlayArguments& arguments, const graph::StoredGraph& stored,
         std::unique_ptr<play::SegmentFeed> feed, double seconds, const std::string& name, nlohmann::json details,
         double begun = 0) {
  if (!has_place(arguments.output)) return kWrongUsage;
  play::SegmentPlayer player(stored.motion, std::move(feed));
  details["graph"] = arguments.graph;
  auto recorded = [&] {
    ProgressBar bar;
    return motion::record(player, seconds, {}, part_of(bar.progress(), begun, 1));
  }();
  if (!recorded) return report(recorded.error());
  recorded->clip.labels = graph::labels_of(*stored.graph, *recorded);
  return write_to_output(command, std::move(*recorded), name, arguments.library, arguments.output, std::move(details));
}

int walk(const Command& command, const GraphPlayArguments& arguments) {
  const auto stored = open_graph(arguments.library, arguments.graph);
  if (!stored) return report(stored.error());
  if (!(arguments.seconds > 0 && arguments.seconds <= kLongestSeconds)) {
    return wrong_usage(fmt::format("--seconds must be above 0 and at most {:.0f}", kLongestSeconds));
  }
  auto feed = graph::Walk::create(stored->graph, *stored->motion, arguments.walk);
  if (!feed) return report(feed.error());
  return play(command, arguments, *stored, std::move(*feed), arguments.seconds, "walk",
              {{"seed", arguments.walk.seed}, {"wanted", arguments.walk.wanted}});
}

/// What a key is taken for.
std::string as_word(const graph::Key& key) {
  if (!key.actions.empty()) return "action";
  return key.stay_seconds > 0 ? "state" : "pose";
}

/// What each key came to: how it was taken, and which frames of the motion it is.
nlohmann::json done_json(const graph::MotionGraph& graph, std::span<const graph::Key> keys,
                         const graph::KeyedPath& path) {
  nlohmann::json done = nlohmann::json::array();
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const graph::KeyVisit& visit = path.visits[k];
    const std::string& clip = graph.clips[graph.clip_of(path.nodes[visit.begin])].name;
    done.push_back({{"key", keys[k].what},
                    {"as", as_word(keys[k])},
                    {"clip", clip},
                    {"from", visit.begin},
                    {"to", visit.end},
                    {"note", keys[k].note}});
  }
  return done;
}

void say_done(const nlohmann::json& done, double rate) {
  for (const nlohmann::json& one : done) {
    const double from = one["from"].get<double>() / rate, to = one["to"].get<double>() / rate;
    say("{:>7.2f} s  {} ({}{}) for {:.2f} s\n", from, one["key"].get<std::string>(), one["as"].get<std::string>(),
        one["as"] == "state" ? "" : " of " + one["clip"].get<std::string>(), to - from);
  }
}

int keys(const Command& command, const GraphPlayArguments& arguments) {
  const auto stored = open_graph(arguments.library, arguments.graph);
  if (!stored) return report(stored.error());
  std::vector<graph::Key> wanted;
  for (const std::string& text : arguments.keys) {
    auto key = graph::parse_key(*stored->graph, *stored->motion, text);
    if (!key) return report(key.error());
    if (!key->note.empty()) notice(key->note);
    wanted.push_back(std::move(*key));
  }
  const auto path = [&] {
    ProgressBar bar;
    return graph::find_path(*stored->graph, wanted, {}, part_of(bar.progress(), 0, kSearching));
  }();
  if (!path) return report(path.error());
  auto segments = graph::to_segments(*stored->graph, *stored->motion, path->nodes);
  const nlohmann::json done = done_json(*stored->graph, wanted, *path);
  if (!command.json) say_done(done, stored->graph->rate);
  return play(command, arguments, *stored, std::make_unique<play::SegmentList>(std::move(segments)), kLongestSeconds,
              "keys", {{"keys", arguments.keys}, {"done", done}}, kSearching);
}

/// The path of a file, or of points on the command line.
Result<graph::FloorPath> path_of(const GraphPlayArguments& arguments) {
  if (arguments.points.empty()) return graph::read_path_file(arguments.path);
  std::string lines;
  for (const std::string& point : arguments.points) lines += fmt::format("{},{}\n", point, arguments.label);
  return graph::parse_path(lines, "--points");
}

int follow(const Command& command, const GraphPlayArguments& arguments) {
  if (arguments.path.empty() == arguments.points.empty()) {
    return wrong_usage("say which path: a CSV file, or --points x,z x,z ...");
  }
  const auto path = path_of(arguments);
  if (!path) return report(path.error());
  const auto stored = open_graph(arguments.library, arguments.graph);
  if (!stored) return report(stored.error());
  auto followed = [&] {
    ProgressBar bar;
    return graph::follow(*stored->graph, *stored->motion, *path, arguments.follow,
                         part_of(bar.progress(), 0, kSearching));
  }();
  if (!followed) return report(followed.error());
  if (!command.json) {
    say("followed {:.1f} m in {:.1f} s, off the path by {:.0f} cm on average and {:.0f} cm at most\n",
        followed->length_m, followed->seconds, 100 * followed->mean_error_m, 100 * followed->max_error_m);
    if (followed->searches > 1) {
      say("searched {} times, each time wider: {} states kept a stretch found it, {:.1f} million looked at\n",
          followed->searches, followed->beam, static_cast<double>(followed->states) / 1e6);
    }
  }
  const bool met = followed->max_error_m <= arguments.within;
  const int status = play(command, arguments, *stored,
                          std::make_unique<play::SegmentList>(std::move(followed->segments)), kLongestSeconds, "follow",
                          {{"path_length_m", followed->length_m},
                           {"mean_error_m", followed->mean_error_m},
                           {"max_error_m", followed->max_error_m},
                           {"end_error_m", followed->end_error_m},
                           {"within_m", arguments.within},
                           {"followed", met},
                           {"off_label_share", followed->off_label_share},
                           {"actions_skipped", followed->actions_skipped},
                           {"states_searched", followed->states},
                           {"beam", followed->beam},
                           {"searches", followed->searches}},
                          kSearching);
  if (followed->actions_skipped > 0) {
    notice(fmt::format("actions that the path asks for and that were not performed: {}; give them more room",
                       followed->actions_skipped));
  }
  if (status != kDone || met) return status;
  notice(fmt::format(
      "the path was not followed: the motion is off it by {:.2f} m at most and ends {:.2f} m from its end, and {:.2f} "
      "m "
      "were allowed (--within); ask for gentler turns, allow more --time, or build a graph with more ways (--connect)",
      followed->max_error_m, followed->end_error_m, arguments.within));
  return kFailed;
}

}  // namespace

void add_graph_play(Commands& commands) {
  {
    Command& command = commands.add("graph", kGraphAbout, "walk", "stroll through a graph for as long as you like",
                                    "loom graph walk motions.loom main --seconds 60 --seed 7 -o walk.glb");
    const auto arguments = add_common(command);
    command.options->add_option("--seconds", arguments->seconds, "how long (30)");
    command.options->add_option("--seed", arguments->walk.seed, "another seed, another walk (1)");
    command.options->add_option("--want", arguments->walk.wanted,
                                "labels to stay with, as far as the graph allows; actions among them are "
                                "performed from beginning to end");
    command.options->add_option("--smoothness", arguments->walk.smoothness,
                                "how much smooth transitions are preferred (4)");
    command.options->add_option("--variety", arguments->walk.variety_seconds,
                                "seconds for which a clip just played is avoided (20)");
    command.run = [arguments](const Command& c) { return walk(c, *arguments); };
  }
  {
    Command& command =
        commands.add("graph", kGraphAbout, "keys", "perform behaviors and come by poses in order, by the best path",
                     "loom graph keys motions.loom main idle walk@2 jump run -o keys.glb");
    const auto arguments = add_common(command);
    command.options
        ->add_option("keys", arguments->keys,
                     "LABEL: an action is performed from beginning to end, a state shown for 2 s; LABEL! to "
                     "perform it whatever it is, LABEL@SECONDS to stay with it, CLIP:FRAME for a pose")
        ->required();
    command.run = [arguments](const Command& c) { return keys(c, *arguments); };
  }
  {
    Command& command = commands.add("graph", kGraphAbout, "follow", "follow a path drawn on the floor",
                                    "loom graph follow motions.loom main path.csv -o follow.glb\n"
                                    "  loom graph follow motions.loom main --points 0,0 0,3 2,5 --label walk -o f.glb");
    const auto arguments = add_common(command);
    command.options->add_option("path", arguments->path,
                                "a CSV file of points: columns x,z in metres, and optionally label");
    auto points = command.options->add_option("--points", arguments->points, "the points themselves: x,z x,z ...");
    command.options->add_option("--label", arguments->label, "how to go along these points: a behavior")->needs(points);
    command.options
        ->add_option("--beam", arguments->follow.beam, "states kept a stretch at first: more is better and slower (64)")
        ->check(positive());
    command.options
        ->add_option("--time", arguments->follow.seconds,
                     "about how many seconds to search with wider beams while the path is not met well (10); the same "
                     "on every machine, since what is counted is states")
        ->check(not_negative());
    command.options
        ->add_option("--within", arguments->within,
                     "metres the motion may be off the path (1); where it is farther off, it is written all the same, "
                     "and the exit status is 1")
        ->check(positive());
    command.run = [arguments](const Command& c) { return follow(c, *arguments); };
  }
}

}  // namespace loom::app
