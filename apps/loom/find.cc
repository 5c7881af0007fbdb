// SPDX-License-Identifier: MIT
// `loom find`: the stretches of a library that are like an example.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/number.h>
#include <loom/base/progress_part.h>
#include <loom/base/text.h>
#include <loom/compare/point_cloud.h>
#include <loom/compare/similar_stretches.h>
#include <loom/graph/build.h>
#include <loom/library/library.h>
#include <loom/take/gather.h>

#include "loom/command.h"
#include "loom/numbers.h"
#include "loom/progress_bar.h"
#include "loom/source.h"
#include "loom/subcommands.h"
#include "loom/table.h"

namespace loom::app {
namespace {

constexpr double kReading = 0.6;  ///< of the work, which reading the library is

struct Arguments {
  std::string library, example;
  std::size_t most = 20;
  double within_cm = 0, rate = 30;
  bool mirror = false, direct = false;
  std::vector<std::string> clips;
};

/// An example as it is written: a clip, and which of its frames.
struct Example {
  std::string clip;
  std::optional<std::pair<std::size_t, std::size_t>> frames;  ///< first and last
};

/// "16_11:20-60", both included, or "16_11" whole. A clip may have a colon in its name.
Example read_example(const std::string& text) {
  const std::size_t colon = text.rfind(':'), minus = text.find('-', colon == std::string::npos ? 0 : colon);
  if (colon == std::string::npos || minus == std::string::npos) return {text, {}};
  const auto whole = [](const std::string& digits) -> std::optional<std::size_t> {
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return {};
    return std::stoul(digits);
  };
  const auto first = whole(text.substr(colon + 1, minus - colon - 1)), last = whole(text.substr(minus + 1));
  if (!first || !last) return {text, {}};
  return {text.substr(0, colon), std::pair{*first, *last}};
}

/// The frames of the set that the example is.
Result<compare::FrameSpan> locate(const take::TakeSet& motion, const compare::FrameSet& set, const Example& example) {
  std::size_t frames = 0;
  for (std::size_t c = 0; c < motion.stretches.size(); ++c) {
    const take::Stretch& stretch = motion.stretches[c];
    if (stretch.name != example.clip || stretch.mirrored) continue;
    frames = stretch.end();
    const auto [first, last] = example.frames.value_or(std::pair<std::size_t, std::size_t>{0, stretch.frames - 1});
    if (first <= last && last < stretch.end()) {
      return compare::FrameSpan{set.starts[c] + first - stretch.begin, set.starts[c] + last + 1 - stretch.begin};
    }
  }
  return fail_as(
      ErrorKind::kBadInput,
      fmt::format("'{}' has {} frames, of which an example is FROM-TO, the last included", example.clip, frames));
}

/// What was looked through, and what was found in it.
struct Found {
  take::TakeSet motion;
  std::shared_ptr<const compare::FrameSet> set;
  compare::FrameSpan example;
  compare::SimilarStretches similar;
  double reading_s = 0, searching_s = 0;
};

/// Frames [from, to) of the library's clip that a stretch is.
std::pair<std::size_t, std::size_t> frames_of(const Found& found, const compare::SimilarStretch& one) {
  const std::size_t first = found.motion.stretches[one.clip].begin - found.set->starts[one.clip];
  return {one.frames.begin + first, one.frames.end + first};
}

/// As one writes it, to be copied.
std::string told(const Found& found, const compare::SimilarStretch& one) {
  const auto [from, to] = frames_of(found, one);
  const take::Stretch& stretch = found.motion.stretches[one.clip];
  return fmt::format("{}:{}-{}{}", stretch.name, from, to - 1, stretch.mirrored ? " (mirrored)" : "");
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Result<Found> find(const Arguments& arguments, const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  const auto library = library::Library::open(arguments.library);
  if (!library) return fail_from(library);
  Example example = read_example(arguments.example);
  const auto whole = library->has_clip(arguments.example);
  if (!whole) return fail_from(whole);
  if (*whole) example = {arguments.example, {}};
  if (const auto info = library->clip_info(example.clip); !info) return fail_from(info);
  take::GatherOptions options;
  options.body = example.clip;
  options.rate = arguments.rate;
  options.mirror = arguments.mirror;
  options.keep_faulty = true;  // what is faulty is unlike anything
  options.clips = arguments.clips;
  if (!options.clips.empty()) options.clips.push_back(example.clip);
  auto gathered = take::gather(*library, options, part_of(progress, 0, kReading));
  if (!gathered) return fail_from(gathered);
  Found found;
  found.motion = std::move(gathered->motion);
  auto set = compare::make_frame_set(found.motion.clips);
  if (!set) return fail_from(set);
  found.set = std::make_shared<compare::FrameSet>(std::move(*set));
  const auto metric = compare::PointCloud::create(found.set, compare::cloud_window(arguments.rate));
  if (!metric) return fail_from(metric);
  found.reading_s = since(start);
  const auto frames = locate(found.motion, *found.set, example);
  if (!frames) return fail_from(frames);
  found.example = *frames;
  compare::SimilarOptions wanted;
  wanted.most = arguments.most;
  wanted.limit = graph::square_metres_of(arguments.within_cm);
  wanted.through_matches = !arguments.direct;
  const auto searching = std::chrono::steady_clock::now();
  auto similar = compare::find_similar_stretches(*metric, found.example, wanted, part_of(progress, kReading, 1));
  if (!similar) return fail_from(similar);
  found.similar = std::move(*similar);
  found.searching_s = since(searching);
  return found;
}

nlohmann::json found_json(const Arguments& arguments, const Found& found) {
  auto stretches = nlohmann::json::array();
  for (const compare::SimilarStretch& one : found.similar.found) {
    const auto [from, to] = frames_of(found, one);
    stretches.push_back({{"stretch", told(found, one)},
                         {"clip", found.motion.stretches[one.clip].name},
                         {"mirrored", found.motion.stretches[one.clip].mirrored},
                         {"from", from},
                         {"to", to},
                         {"from_s", static_cast<double>(from) / arguments.rate},
                         {"to_s", static_cast<double>(to) / arguments.rate},
                         {"rank_cm", graph::centimetres_of(one.rank())},
                         {"step_cm", graph::centimetres_of(one.step)},
                         {"distance_cm", graph::centimetres_of(one.distance)},
                         {"from_example_cm", graph::centimetres_of(one.from_example)},
                         {"through", one.through < 0 ? nlohmann::json() : nlohmann::json(one.through)}});
  }
  return {{"example", arguments.example},
          {"rate", arguments.rate},
          {"example_frames", found.example.size()},
          {"frames", found.set->frames()},
          {"spread_cm", graph::centimetres_of(found.similar.spread)},
          {"within_cm", graph::centimetres_of(found.similar.limit)},
          {"searches", found.similar.searches},
          {"stretches", std::move(stretches)},
          {"seconds", {{"read", found.reading_s}, {"search", found.searching_s}}}};
}

int run(const Command& command, const Arguments& arguments) {
  const auto found = [&] {
    ProgressBar bar;
    return find(arguments, bar.progress());
  }();
  if (!found) return report(found.error());
  if (command.json) {
    print_json(found_json(arguments, *found));
    return kDone;
  }
  if (found->similar.found.empty()) {
    say("nothing is within {:.1f} cm of {}; --within-cm looks further\n", graph::centimetres_of(found->similar.limit),
        arguments.example);
    return kDone;
  }
  Table table({"stretch", "from (s)", "to (s)", "rank (cm)", "distance (cm)", "found through"});
  for (const compare::SimilarStretch& one : found->similar.found) {
    const auto [from, to] = frames_of(*found, one);
    const auto seconds = [&](std::size_t frame) {
      return fmt::format("{:.2f}", static_cast<double>(frame) / arguments.rate);
    };
    table.add({told(*found, one), seconds(from), seconds(to), fmt::format("{:.1f}", graph::centimetres_of(one.rank())),
               fmt::format("{:.1f}", graph::centimetres_of(one.from_example)),
               one.through < 0 ? "" : told(*found, found->similar.found[static_cast<std::size_t>(one.through)])});
  }
  table.print();
  say("looked through {} frames in {:.2f} s, after {:.2f} s of reading; up to {:.1f} cm a step\n", found->set->frames(),
      found->searching_s, found->reading_s, graph::centimetres_of(found->similar.limit));
  return kDone;
}

}  // namespace

void add_find(Commands& commands) {
  auto arguments = std::make_shared<Arguments>();
  Command& command = commands.add("find", "list the stretches of a library that are like an example",
                                  "loom find moves.loom 16_11:20-60");
  Options& options = *command.options;
  options.add_option("library", arguments->library, "a .loom file")->required();
  options
      .add_option("example", arguments->example,
                  "CLIP:FROM-TO, frames at --rate and the last included, or a clip as a whole")
      ->required();
  options.add_option("--most", arguments->most, "as many at most (20)")->check(between(1, 10000));
  options
      .add_option(
          "--within-cm", arguments->within_cm,
          "how far markers may lie apart on average, centimetres, a step (what the example's own movement allows)")
      ->check(positive());
  options.add_flag("--direct", arguments->direct,
                   "only what is like the example itself, not what is like what was found");
  options.add_flag("--mirror", arguments->mirror, "look in the mirror as well: left and right exchanged");
  options.add_option("--clips", arguments->clips, "only clips of these names, in which '*' stands for anything");
  options.add_option("--rate", arguments->rate, "frames a second to compare at (30)")->check(between(1.0, 1000.0));
  command.run = [arguments](const Command& self) { return run(self, *arguments); };
}

}  // namespace loom::app
