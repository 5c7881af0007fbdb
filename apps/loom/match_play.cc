// SPDX-License-Identifier: MIT
// `loom match play`: a character steered by motion matching.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/progress_part.h>
#include <loom/library/library.h>
#include <loom/matching/matching.h>
#include <loom/take/gather.h>
#include <loom/take/take_set.h>

#include "loom/command.h"
#include "loom/left_out.h"
#include "loom/progress_bar.h"
#include "loom/source.h"
#include "loom/steering.h"
#include "loom/subcommands.h"

namespace loom::app {
namespace {

constexpr const char* kMatchAbout = "motion matching: the frame that fits best, looked for all the time";

constexpr double kReadingShare = 0.5;  ///< share of the work, roughly: the clips are read, then played

struct MatchPlayArguments {
  std::string library;
  take::GatherOptions source;
  matching::MatchOptions features;
  matching::MatchingOptions matching;
  Steering steering;
};

/// What the features must know: jumps, so that nobody jumps who was not asked to, and the flags of a trace that are
/// ever set.
std::vector<std::string> flags_used(const policy::Trace& trace) {
  std::vector<std::string> flags = {policy::kAirborne};
  for (std::size_t i = 0; i < trace.flags.size(); ++i) {
    bool used = false;
    if (trace.flags[i] == policy::kAirborne) continue;
    for (const policy::ControlSignal& signal : trace.signals) used |= (signal.flags >> i & 1) != 0;
    if (used) flags.push_back(trace.flags[i]);
  }
  return flags;
}

/// The trace with its flags numbered as `flags`.
policy::Trace renumber(policy::Trace trace, const std::vector<std::string>& flags) {
  for (policy::ControlSignal& signal : trace.signals) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < flags.size(); ++i) {
      const auto at = std::find(trace.flags.begin(), trace.flags.end(), flags[i]) - trace.flags.begin();
      bits |= (signal.flags >> at & 1) << i;
    }
    signal.flags = bits;
  }
  trace.flags = flags;
  return trace;
}

int play(const Command& command, MatchPlayArguments arguments) {
  if (!has_place(arguments.steering.output)) return kWrongUsage;
  const auto library = library::Library::open(arguments.library);
  if (!library) return report(library.error());
  auto trace = trace_for(arguments.steering, *library);
  if (!trace) return report(trace.error());
  arguments.features.flags = flags_used(*trace);
  auto source = [&] {
    ProgressBar bar;
    return take::gather(*library, arguments.source, part_of(bar.progress(), 0, kReadingShare));
  }();
  if (!source) return report(source.error());
  const std::vector<library::LeftOut> left_out = source->left_out;
  if (!command.json) tell_left_out(left_out);
  const auto motion = std::make_shared<const take::TakeSet>(std::move(source->motion));
  const auto features = matching::find_match_features(*motion, arguments.features);
  if (!features) return report(features.error());
  auto matcher = matching::MotionMatcher::create(motion, *features, arguments.matching);
  if (!matcher) return report(matcher.error());
  nlohmann::json details = {{"controller", "matching"},
                            {"frames_searched", (*features)->index.size()},
                            {"dimensions", (*features)->dims()},
                            {"root", to_string(arguments.matching.root.source)},
                            {"left_out", left_out_json(left_out)}};
  return steer(command, {std::move(*matcher), motion}, renumber(std::move(*trace), arguments.features.flags),
               arguments.steering, arguments.library, "matching", std::move(details), kReadingShare);
}

}  // namespace

void add_match_play(Commands& commands) {
  Command& command = commands.add("match", kMatchAbout, "play", "steer a character by motion matching",
                                  "loom match play motions.loom --label walk run --trace stick.csv -o play.glb");
  const auto arguments = std::make_shared<MatchPlayArguments>();
  Options& options = *command.options;
  options.add_option("library", arguments->library, "the library, a .loom file")->required();
  options.add_option("--label", arguments->source.labels, "only motion that carries one of these labels");
  add_body_option(options, arguments->source.body);
  add_keep_faulty_option(options, arguments->source.keep_faulty);
  options.add_flag("--mirror", arguments->source.mirror, "use every clip a second time, mirrored");
  options.add_option("--search", arguments->matching.search_seconds, "seconds between two searches (0.1)");
  options.add_option("--ease", arguments->matching.ease_seconds, "time constant of the joins, seconds (0.07)");
  options.add_option("--stay", arguments->matching.stay, "share by which a jump must be better than going on (0.2)");
  options.add_option("--rate", arguments->matching.rate, "poses a second (60)");
  add_root_option(options, arguments->matching.root);
  add_options(command, arguments->steering);
  command.run = [arguments](const Command& c) { return play(c, *arguments); };
}

}  // namespace loom::app
