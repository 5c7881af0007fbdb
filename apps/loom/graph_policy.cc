// SPDX-License-Identifier: MIT
// `loom graph train | play`: a character on a graph that goes where it is told.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/policy/graph_policy.h>
#include <loom/policy/graph_policy_stream.h>
#include <loom/policy/response.h>
#include <loom/policy/stored_graph_policy.h>
#include <loom/project/build.h>

#include "loom/command.h"
#include "loom/graph_commands.h"
#include "loom/progress_bar.h"
#include "loom/shapes.h"
#include "loom/steering.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

struct PolicyTrainArguments {
  std::string library, graph;
  policy::GraphPolicyOptions options;
};

int train(const Command& command, const PolicyTrainArguments& arguments) {
  auto library = library::Library::open(arguments.library, library::Access::kWrite);
  if (!library) return report(library.error());
  const auto begin = std::chrono::steady_clock::now();
  const auto policy = [&] {
    ProgressBar bar;
    return project::train_graph_policy(*library, arguments.graph, arguments.options, bar.progress());
  }();
  if (!policy) return report(policy.error());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (command.json) {
    auto result = artefact_json(*library, policy::kGraphPolicyKind, arguments.graph);
    if (!result) return report(result.error());
    result->update({{"nodes", policy->nodes},
                    {"heading_count", policy->headings},
                    {"behaviors", policy->behaviors},
                    {"seconds", seconds}});
    print_json(*result);
    return kDone;
  }
  say("trained the policy of graph '{}': {} frames, {} headings, {} behaviors, {:.1f} MB, in {:.1f} s\n",
      arguments.graph, policy->nodes, policy->headings, policy->behaviors.size(),
      static_cast<double>(policy->choice.size() * sizeof(policy->choice[0])) / 1e6, seconds);
  return kDone;
}

/// Something asked for from some time on: "3:90" or "5:jump".
struct Wish {
  double seconds = 0;
  std::string what;
};

struct PlayArguments {
  std::string library, graph;
  std::vector<std::string> headings, behaviors;
  policy::GraphPolicyStreamOptions stream;
  Steering steering;
};

Result<std::vector<Wish>> parse_wishes(const std::vector<std::string>& words, const char* form) {
  std::vector<Wish> wishes;
  for (const std::string& word : words) {
    const std::size_t colon = word.find(':');
    char* end = nullptr;
    Wish wish;
    wish.seconds = std::strtod(word.c_str(), &end);
    if (colon == std::string::npos || end != word.c_str() + colon || colon == 0 || !std::isfinite(wish.seconds) ||
        wish.seconds < 0 || (!wishes.empty() && wish.seconds <= wishes.back().seconds)) {
      return fail(fmt::format("'{}' is no {}, with seconds that ascend", word, form));
    }
    wish.what = word.substr(colon + 1);
    wishes.push_back(std::move(wish));
  }
  return wishes;
}

/// The script of a scripted player: where to face, and what to do, from when on.
struct Script {
  std::vector<policy::HeadingWish> headings;
  std::vector<std::pair<double, int>> behaviors;

  [[nodiscard]] motion::Control at(double time) const {
    motion::Control control;
    for (const policy::HeadingWish& wish : headings) {
      if (wish.seconds <= time) control.velocity = {std::sin(wish.heading), 0, std::cos(wish.heading)};
    }
    for (const auto& [seconds, behavior] : behaviors) {
      if (seconds <= time) control.behavior = behavior;
    }
    return control;
  }
};

Result<Script> parse_script(const PlayArguments& arguments, const policy::GraphPolicy& policy) {
  Script script;
  const auto headings = parse_wishes(arguments.headings, "SECONDS:DEGREES");
  if (!headings) return fail_from(headings);
  for (const Wish& wish : *headings) {
    char* end = nullptr;
    const double degrees = std::strtod(wish.what.c_str(), &end);
    if (wish.what.empty() || *end != '\0' || !std::isfinite(degrees)) {
      return fail(fmt::format("'{}' is no number of degrees", wish.what));
    }
    script.headings.push_back({wish.seconds, wrap_angle(static_cast<float>(degrees) * kDegree)});
  }
  const auto behaviors = parse_wishes(arguments.behaviors, "SECONDS:BEHAVIOR");
  if (!behaviors) return fail_from(behaviors);
  for (const Wish& wish : *behaviors) {
    const auto at = std::find(policy.behaviors.begin(), policy.behaviors.end(), wish.what);
    if (at == policy.behaviors.end()) {
      return fail(fmt::format(
          "the policy knows no behavior '{}'; it was trained for: {}; `loom graph train` teaches it "
          "those the graph has now",
          wish.what, policy.behaviors.empty() ? "none" : fmt::format("{}", fmt::join(policy.behaviors, ", "))));
    }
    script.behaviors.emplace_back(wish.seconds, static_cast<int>(at - policy.behaviors.begin()));
  }
  return script;
}

/// Prints, or adds to `details`, how quickly each wanted heading was taken up.
void tell_headings(const Command& command, const Script& script, const std::vector<policy::HeadingAnswer>& answers,
                   nlohmann::json& details) {
  Table table({"at", "heading", "turn", "faced after", "over"});
  auto rows = nlohmann::json::array();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const policy::HeadingAnswer& a = answers[i];
    const double at = script.headings[i].seconds;
    const double heading = static_cast<double>(script.headings[i].heading / kDegree);
    const double turn = static_cast<double>(a.turn / kDegree);
    table.add({fmt::format("{:.1f} s", at), fmt::format("{:.0f}°", heading), fmt::format("{:.0f}°", turn),
               a.reached ? fmt::format("{:.2f} s", a.seconds) : "not in time",
               a.reached ? fmt::format("{:.2f} m", a.metres) : "-"});
    rows.push_back({{"at_s", at},
                    {"heading_deg", heading},
                    {"turn_deg", turn},
                    {"reached", a.reached},
                    {"seconds", value_if(a.reached, a.seconds)},
                    {"metres", value_if(a.reached, a.metres)}});
  }
  if (!command.json && !answers.empty()) table.print();
  details["headings"] = std::move(rows);
}

int play_script(const Command& command, const PlayArguments& arguments, const Script& script, Character character,
                nlohmann::json details) {
  MotionOutput output = arguments.steering.output;
  const auto stream = polished(std::move(character), output);
  if (!stream) return report(stream.error());
  auto recorded = [&] {
    ProgressBar bar;
    return motion::record(
        **stream, arguments.steering.seconds, [&](double t) { return script.at(t); }, bar.progress());
  }();
  if (!recorded) return report(recorded.error());
  tell_headings(command, script, policy::measure_headings(recorded->clip, script.headings), details);
  return write_to_output(command, std::move(*recorded), "steered", arguments.library, output, std::move(details));
}

int play(const Command& command, const PlayArguments& arguments) {
  if (!has_place(arguments.steering.output)) return kWrongUsage;
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto loaded = policy::load_graph_policy(*library, arguments.graph);
  if (!loaded) return report(loaded.error());
  const auto script = parse_script(arguments, *loaded->policy);
  if (!script) {
    return wrong_usage(script.error().to_string());
  }
  auto stream =
      policy::GraphPolicyStream::create(loaded->stored.graph, loaded->stored.motion, loaded->policy, arguments.stream);
  if (!stream) return report(stream.error());
  Character character{std::move(*stream), loaded->stored.motion};
  nlohmann::json details = {{"controller", "graph-policy"},        {"graph", arguments.graph},
                            {"headings", nlohmann::json::array()}, {"trace", nullptr},
                            {"simulated_player", nullptr},         {"delay_seconds", nullptr},
                            {"velocity_error_mps", nullptr},       {"turn_error_rps", nullptr}};
  if (!script->headings.empty() || !script->behaviors.empty()) {
    return play_script(command, arguments, *script, std::move(character), std::move(details));
  }
  auto trace = trace_for(arguments.steering, *library);
  if (!trace) return report(trace.error());
  return steer(command, std::move(character), *trace, arguments.steering, arguments.library, "steered",
               std::move(details));
}

}  // namespace

void add_graph_train(Commands& commands) {
  Command& command = commands.add("graph", kGraphAbout, "train", "learn to steer a graph by heading and behavior",
                                  "loom graph train motions.loom main --behaviors walk jump idle");
  const auto arguments = std::make_shared<PolicyTrainArguments>();
  add_graph_options(*command.options, arguments->library, arguments->graph);
  command.options->add_option("--behaviors", arguments->options.behaviors,
                              "labels one will be able to ask for (all of the graph's)");
  command.options->add_option("--headings", arguments->options.headings, "wanted headings told apart (36)");
  command.options->add_option("--discount", arguments->options.discount,
                              "worth of a frame's reward one frame later: how far it looks ahead (0.99)");
  command.options->add_option("--heading-weight", arguments->options.heading_weight,
                              "how much being off the heading counts against rough transitions (4)");
  command.run = [arguments](const Command& c) { return train(c, *arguments); };
}

void add_graph_steer(Commands& commands) {
  Command& command = commands.add(
      "graph", kGraphAbout, "play", "steer a trained graph by script or by trace",
      "loom graph play motions.loom main --heading 0:0 4:90 8:-90 --behavior 0:walk 12:jump --seconds 16 -o play.glb");
  const auto arguments = std::make_shared<PlayArguments>();
  add_graph_options(*command.options, arguments->library, arguments->graph);
  command.options->add_option("--heading", arguments->headings,
                              "SECONDS:DEGREES where to face from when on; 0 is +Z, 90 is to the left of it");
  command.options->add_option("--behavior", arguments->behaviors, "SECONDS:BEHAVIOR what to do from when on");
  command.options->add_option("--rate", arguments->stream.rate, "poses a second (60)");
  command.options->add_option("--ease", arguments->stream.ease_seconds, "time constant of the joins, seconds (0.1)");
  add_options(command, arguments->steering);
  command.run = [arguments](const Command& c) { return play(c, *arguments); };
}

}  // namespace loom::app
