// SPDX-License-Identifier: MIT
#include "studio/cast.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include <fmt/format.h>

#include <loom/base/hash.h>
#include <loom/library/listing.h>
#include <loom/matching/matching.h>
#include <loom/play/planting.h>
#include <loom/policy/fragment_stream.h>
#include <loom/policy/policy.h>
#include <loom/policy/stored_policy.h>
#include <loom/take/gather.h>

namespace loom::studio {
namespace {

using library::Library;
using nlohmann::json;

/// What one does in the game; motion with other labels is left out where the library has some of these.
constexpr const char* kPlayful[] = {"walk",
                                    "run",
                                    "jog",
                                    "idle",
                                    "jump",
                                    "turn-left",
                                    "turn-right",
                                    "start",
                                    "stop",
                                    "side-step-left",
                                    "side-step-right",
                                    "turn-in-place-left",
                                    "turn-in-place-right"};

/// Another text whenever a clip or a label came, went or changed.
Result<std::string> stamp_of(const Library& library) {
  const auto listing = library::list_clips(library);
  if (!listing) return fail_from(listing);
  std::string all;
  for (const library::ClipInfo& info : listing->clips) {
    all += info.name + '\t' + info.hash + '\n';
    for (const motion::Label& label : info.labels)
      all += fmt::format("\t{}\t{}\t{}\n", label.name, label.begin, label.end);
  }
  return content_hash(std::as_bytes(std::span(all)));
}

Cast cast_by_matching(const std::shared_ptr<const take::TakeSet>& motion,
                      const std::shared_ptr<const matching::MatchFeatures>& found,
                      const std::vector<std::string>& labels, play::RootFollow root, double rate) {
  json command = {"match", "play", "LIBRARY"};
  if (!labels.empty()) command.push_back("--label");
  for (const std::string& label : labels) command.push_back(label);
  matching::MatchingOptions options;
  options.rate = rate;
  options.root = root;
  return Cast{[motion, features = found, options]() -> Result<Player> {
                auto made = matching::MotionMatcher::create(motion, features, options);
                if (!made) return fail_from(made);
                const matching::MotionMatcher* matcher = made->get();
                const auto explain = [motion, matcher](std::size_t, auto left, auto entered) {
                  const auto reasons = matcher->last_jump();
                  return PieceTeller::Why{reasons ? match_json(*reasons, *motion) : gap_json(*motion, left, entered)};
                };
                return Player{std::move(*made), explain};
              },
              motion, std::move(command)};
}

Result<Cast> cast_by_policy(const Library& library, const std::string& name, play::RootFollow root, double rate) {
  const auto loaded = policy::load_policy(library, name);
  if (!loaded) return fail_from(loaded);
  policy::FragmentStreamOptions options;
  options.rate = rate;
  options.root = root;
  static_cast<void>(loaded->fragments.motion->tracks());  // now, not when the first character is made
  return Cast{[fragments = loaded->fragments, policy = loaded->policy, options]() -> Result<Player> {
                const std::shared_ptr<const policy::Solution> solution(policy, &policy->solution);
                auto made = policy::FragmentStream::create(
                    fragments, std::make_unique<policy::TableController>(policy->space, solution), options);
                if (!made) return fail_from(made);
                const auto explain = [motion = fragments.motion](std::size_t, auto left, auto entered) {
                  return PieceTeller::Why{gap_json(*motion, left, entered)};
                };
                return Player{std::move(*made), explain};
              },
              loaded->fragments.motion, json{"fragments", "play", "LIBRARY", {{"given", name}}}};
}

}  // namespace

std::vector<std::string> playful_labels(const Library& library) {
  std::vector<std::string> labels;
  if (const auto totals = library.label_totals()) {
    for (const library::LabelTotal& total : *totals) {
      if (std::find(std::begin(kPlayful), std::end(kPlayful), total.name) != std::end(kPlayful)) {
        labels.push_back(total.name);
      }
    }
  }
  return labels;
}

Result<Casting::Matched> Casting::matched(const Library& library, const Progress& progress) {
  const std::lock_guard lock(mutex_);
  auto stamp = stamp_of(library);
  if (!stamp) return fail_from(stamp);
  if (matched_.motion && matched_.stamp == *stamp) return matched_;
  matched_ = {};  // first: there may not be room for both
  take::GatherOptions what;
  what.labels = playful_labels(library);
  auto source = take::gather(library, what, progress);
  if (!source) return fail_from(source);
  auto motion = std::make_shared<const take::TakeSet>(std::move(source->motion));
  matching::MatchOptions options;
  options.flags = {policy::kAirborne};
  auto features = matching::find_match_features(*motion, options);
  if (!features) return fail_from(features);
  matched_ = {std::move(*stamp), std::move(what.labels), std::move(motion), std::move(*features)};
  return matched_;
}

Result<Cast> Casting::cast(const Library& library, const std::string& policy, const play::RootFollow& root, double rate,
                           const Progress& progress) {
  if (!policy.empty()) return cast_by_policy(library, policy, root, rate);
  const auto from = matched(library, progress);
  if (!from) return fail_from(from);
  return cast_by_matching(from->motion, from->features, from->labels, root, rate);
}

Result<Player> character_of(const Cast& cast) {
  auto made = cast.make();
  if (!made) return fail_from(made);
  auto planted = play::planted(std::move(made->stream), *cast.motion);
  if (!planted) return fail_from(planted);
  return Player{std::move(*planted), std::move(made->explain)};
}

}  // namespace loom::studio
