// SPDX-License-Identifier: MIT
// `loom fragments traces`: traces of players, recorded ones looked at, simulated ones made.
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/library/library.h>
#include <loom/policy/fragments.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/stored_traces.h>
#include <loom/policy/trace_file.h>

#include "loom/choice.h"
#include "loom/command.h"
#include "loom/fragments_commands.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

struct FragmentsTracesArguments {
  std::string library, fragments, out, format = "csv";
  TraceChoice traces;
};

/// What a trace is like, in numbers.
struct TraceSummary {
  std::size_t decisions = 0, bins = 0;
  double mean_speed = 0, turning = 0, airborne = 0, changes_per_second = 0;
};

TraceSummary summarise(const policy::Trace& trace, const policy::ControlSpace& space, double step) {
  TraceSummary summary;
  std::set<std::size_t> used;
  const policy::BinFinder finder(space);
  std::size_t before = space.bins.size(), changes = 0;
  for (const policy::ControlSignal& signal : policy::sample(trace, step)) {
    const std::size_t bin = finder.find(signal);
    used.insert(bin);
    changes += before != space.bins.size() && bin != before ? 1 : 0;
    before = bin;
    ++summary.decisions;
    summary.mean_speed += static_cast<double>(std::hypot(signal.left, signal.forward));
    summary.turning += std::abs(signal.turn) > 0.5f ? 1 : 0;
    summary.airborne += signal.flags & 1u;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(1, summary.decisions));
  summary.bins = used.size();
  summary.mean_speed /= count;
  summary.turning /= count;
  summary.airborne /= count;
  summary.changes_per_second = static_cast<double>(changes) / (count * step);
  return summary;
}

Result<void> write(const Outputs& outputs, const FragmentsTracesArguments& arguments,
                   const std::vector<policy::Trace>& traces) {
  std::vector<std::string> files;
  for (std::size_t i = 1; i <= traces.size(); ++i) files.push_back(fmt::format("trace_{:02}.{}", i, arguments.format));
  if (auto made = outputs.prepare(arguments.out, files); !made) return made;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const auto path = std::filesystem::path(arguments.out) / files[i];
    const std::string text = arguments.format == "json" ? policy::to_json(traces[i]) : policy::to_csv(traces[i]);
    if (const auto saved = save_file(path.string(), text); !saved) return fail_from(saved);
  }
  return {};
}

int run(const Command& command, const FragmentsTracesArguments& arguments) {
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  const auto artefact = library->get_artefact(policy::kFragmentsKind, arguments.fragments);
  if (!artefact) return report(artefact.error());
  const auto set = policy::fragments_from_bytes(artefact->data);
  if (!set) return report(set.error());
  const auto traces = load_traces(arguments.traces, *library, set->flags);
  if (!traces) return report(traces.error());
  if (!arguments.out.empty()) {
    if (const auto written = write(command.outputs, arguments, *traces); !written) return report(written.error());
  }
  const policy::ControlSpace space = policy::usual_control_space({set->flags.begin() + 1, set->flags.end()});
  auto json = nlohmann::json::array();
  Table table({"trace", "seconds", "bins", "changes/s", "m/s", "turning", "in the air"});
  for (const policy::Trace& trace : *traces) {
    const TraceSummary s = summarise(trace, space, set->seconds());
    json.push_back({{"name", trace.name},
                    {"simulated", trace.simulated},
                    {"seconds", trace.seconds()},
                    {"decisions", s.decisions},
                    {"bins", s.bins},
                    {"changes_per_second", s.changes_per_second},
                    {"mean_speed_mps", s.mean_speed},
                    {"turning_share", s.turning},
                    {"airborne_share", s.airborne}});
    table.add({trace.name, fmt::format("{:.1f}", trace.seconds()), std::to_string(s.bins),
               fmt::format("{:.2f}", s.changes_per_second), fmt::format("{:.2f}", s.mean_speed),
               fmt::format("{:.0f} %", 100 * s.turning), fmt::format("{:.0f} %", 100 * s.airborne)});
  }
  if (command.json) {
    print_json({{"traces", json}});
  } else {
    table.print();
    if (!arguments.out.empty()) say("wrote {} files to {}\n", traces->size(), arguments.out);
  }
  return kDone;
}

}  // namespace

void add_trace_options(Options& options, TraceChoice& choice) {
  options.add_option(
      "--traces", choice.files,
      "recorded traces: files (CSV or JSON), or names of traces that the studio kept in the library; simulated "
      "players where none are given");
  options.add_option("--count", choice.simulation.traces, "how many traces to simulate")
      ->check(between(std::size_t{1}, std::size_t{10000}));
  options.add_option("--seconds", choice.simulation.seconds, "how long each is")->check(between(1.0, 36000.0));
  options.add_option("--player", choice.simulation.first_player, "the first of the two players to simulate");
  options.add_option("--seed", choice.simulation.seed, "of simulated players");
}

Result<std::vector<policy::Trace>> load_traces(const TraceChoice& choice, const library::Library& library,
                                               const std::vector<std::string>& flags) {
  if (choice.files.empty()) {
    policy::SimulationOptions options = choice.simulation;
    options.flags = flags;
    return policy::simulate_players(options);
  }
  std::vector<policy::Trace> traces;
  for (const std::string& file : choice.files) {
    const auto trace = policy::find_trace(library, file);
    if (!trace) return fail_from(trace);
    auto fitted = policy::fit_to(*trace, flags);
    if (!fitted) return fail_because(fitted.error(), fitted.error().message, file);
    traces.push_back(std::move(*fitted));
  }
  return traces;
}

void add_fragments_traces(Commands& commands) {
  Command& command = commands.add("fragments", kFragmentsAbout, "traces",
                                  "look at recorded traces, or make traces of simulated players",
                                  "loom fragments traces motions.loom moves --count 5 --seconds 60 -o traces");
  auto arguments = std::make_shared<FragmentsTracesArguments>();
  Options& options = *command.options;
  add_fragments_options(options, arguments->library, arguments->fragments);
  add_trace_options(options, arguments->traces);
  command.outputs.add_folder(options, "-o,--out", arguments->out, "a folder to write them to");
  add_choice(options, "--format", arguments->format, {"csv", "json"}, "of the files (csv)");
  command.run = [arguments](const Command& c) { return run(c, *arguments); };
}

}  // namespace loom::app
