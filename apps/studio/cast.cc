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
using Stream = std::unique_ptr<motion::MotionStream>;

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

template <typename Made>
Result<Stream> as_stream(Result<std::unique_ptr<Made>> made) {
  if (!made) return fail_from(made);
  return Stream(std::move(*made));
}

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
  return Cast{[motion, features = *found, options] {
                return as_stream(matching::MotionMatcher::create(motion, features, options));
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
  return Cast{[fragments = loaded->fragments, policy = loaded->policy, options] {
                const std::shared_ptr<const policy::Solution> solution(policy, &policy->solution);
                return as_stream(policy::FragmentStream::create(
                    fragments, std::make_unique<policy::TableController>(policy->space, solution), options));
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

Result<Stream> character_of(const Cast& cast) {
  auto made = cast.make();
  if (!made) return fail_from(made);
  return play::planted(std::move(*made), *cast.motion);
}

}  // namespace loom::studio
