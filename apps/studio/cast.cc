// SPDX-License-Identifier: MIT
#include "studio/cast.h"

#include <algorithm>

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

Result<Cast> cast_by_matching(const Library& library, play::RootFollow root, double rate, const Progress& progress) {
  take::GatherOptions what;
  what.labels = playful_labels(library);
  auto source = take::gather(library, what, progress);
  if (!source) return fail_from(source);
  const auto motion = std::make_shared<const take::TakeSet>(std::move(source->motion));
  matching::MatchOptions features;
  features.flags = {policy::kAirborne};
  auto found = matching::find_match_features(*motion, features);
  if (!found) return fail_from(found);
  json command = {"match", "play", "LIBRARY"};
  if (!what.labels.empty()) command.push_back("--label");
  for (const std::string& label : what.labels) command.push_back(label);
  matching::MatchingOptions options;
  options.rate = rate;
  options.root = root;
  return Cast{[motion, features = *found, options]() -> Result<Player> {
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

Result<Cast> cast_character(const Library& library, const std::string& policy, const play::RootFollow& root,
                            double rate, const Progress& progress) {
  return policy.empty() ? cast_by_matching(library, root, rate, progress) : cast_by_policy(library, policy, root, rate);
}

Result<Player> character_of(const Cast& cast) {
  auto made = cast.make();
  if (!made) return fail_from(made);
  auto planted = play::planted(std::move(made->stream), *cast.motion);
  if (!planted) return fail_from(planted);
  return Player{std::move(*planted), std::move(made->explain)};
}

}  // namespace loom::studio
