// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include <loom/library/detail/body_choice.h>
#include <loom/motion/fit.h>

namespace loom::library {
namespace {

/// How many joints of `b` have a namesake in `a`.
std::size_t shared_names(const motion::Skeleton& a, const motion::Skeleton& b) {
  std::unordered_set<std::string_view> names;
  for (const motion::Joint& joint : a.joints()) names.insert(joint.name);
  return static_cast<std::size_t>(std::count_if(
      b.joints().begin(), b.joints().end(), [&](const motion::Joint& joint) { return names.contains(joint.name); }));
}

}  // namespace

void BodyChoice::add(Body body, std::string owner) { known_.push_back({std::move(body), std::move(owner)}); }

BodyChoice::Choice BodyChoice::choose(const motion::Clip& clip) {
  const Body& skeleton = clip.skeleton;
  for (const Known& known : known_) {
    if (motion::same_body(*skeleton, *known.body)) return {known.body, false, false, {}};
    if (!keep_apart_ && motion::fit_obstacle(*skeleton, *known.body).empty()) return {known.body, true, false, {}};
  }
  for (const Known& known : known_) {
    if (keep_apart_ || !carry_over_.can || !carry_over_.can(clip, known.body)) continue;
    const std::string why = motion::same_hierarchy(*skeleton, *known.body)
                                ? "in which " + motion::fit_obstacle(*skeleton, *known.body)
                                : "whose joints are others";
    return {known.body, false, true, fmt::format("is carried over to {}, {}", known.owner, why)};
  }
  std::string notice;
  if (!keep_apart_ && !known_.empty()) {
    const Known& nearest = *std::max_element(known_.begin(), known_.end(), [&](const Known& a, const Known& b) {
      return shared_names(*a.body, *skeleton) < shared_names(*b.body, *skeleton);
    });
    notice = fmt::format("keeps a body of its own: compared with {}, {}", nearest.owner,
                         motion::fit_obstacle(*nearest.body, *skeleton));
  }
  add(skeleton, "that of '" + clip.name + "'");
  return {skeleton, false, false, std::move(notice)};
}

}  // namespace loom::library
