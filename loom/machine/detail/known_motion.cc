// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/blend/family/stored_family.h>
#include <loom/machine/detail/known_motion.h>

namespace loom::machine {
namespace {

using behavior::Holding;
using behavior::TakenMotion;

std::string lacks(const KnownMotion& known, const TakenMotion& taken) {
  if (taken.holding == Holding::kClip) return fmt::format("the library has no clip '{}'", taken.name);
  const auto& names = known.of(taken.holding);
  const std::string others = names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
  return taken.holding == Holding::kFamily
             ? fmt::format("the library has no family '{}'; its families are: {}", taken.name, others)
             : fmt::format("nothing in the library is labelled '{}'; its labels are: {}", taken.name, others);
}

}  // namespace

const std::set<std::string>& KnownMotion::of(Holding holding) const {
  return holding == Holding::kLabel ? labels : holding == Holding::kClip ? clips : families;
}

Result<KnownMotion> look_for_motion(const library::Library& library) {
  KnownMotion known;
  const auto labels = library.label_totals();
  if (!labels) return fail_from(labels);
  const auto clips = library.clips();
  if (!clips) return fail_from(clips);
  const auto families = library.artefacts(blend::kFamilyKind);
  if (!families) return fail_from(families);
  for (const auto& label : *labels) known.labels.insert(label.name);
  for (const auto& clip : *clips) known.clips.insert(clip.name);
  for (const auto& family : *families) known.families.insert(family.name);
  return known;
}

Result<std::vector<TakenMotion>> motion_of(const KnownMotion& known, const behavior::MachineState& state) {
  const auto found = std::find_if(state.takes.begin(), state.takes.end(), [&](const auto& set) {
    return std::any_of(set.begin(), set.end(), [&](const TakenMotion& taken) { return known.has(taken); });
  });
  std::vector<TakenMotion> held;
  for (const TakenMotion& taken : found == state.takes.end() ? state.takes.front() : *found) {
    if (known.has(taken)) {
      held.push_back(taken);
    } else if (!taken.optional && !state.optional) {
      return fail(lacks(known, taken), taken.place.file, taken.place.line);
    }
  }
  return held;
}

}  // namespace loom::machine
