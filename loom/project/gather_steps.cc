// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <loom/blend/family/stored_family.h>
#include <loom/library/clip_names.h>
#include <loom/project/gather_steps.h>

namespace loom::project {
namespace {

/// A label of a clip that steps may be cut from begins with one of these.
constexpr std::array<std::string_view, 8> kWalking{"walk",      "start", "stop",       "turn-",
                                                   "side-step", "idle",  "locomotion", "wander"};
/// And none of these.
constexpr std::array<std::string_view, 1> kOtherwise{"walk-backward"};

bool is_walking(const library::ClipInfo& info) {
  const auto begins = [](std::string_view label, const auto& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return label.substr(0, word.size()) == word; });
  };
  bool moves = false;
  for (const motion::Label& label : info.labels) {
    if (!begins(label.name, kWalking) || begins(label.name, kOtherwise)) return false;
    moves = moves || label.name != "idle";
  }
  return moves;
}

}  // namespace

Result<blend::StepLibrary> gather_steps(const library::Library& library, const motion::Skeleton& skeleton, double rate,
                                        std::span<const std::string> patterns, const Progress& progress) {
  const auto infos = library.clips();
  if (!infos) return fail_from(infos);
  const auto bodies = library.skeletons();
  if (!bodies) return fail_from(bodies);
  const auto moves_body = [&](const library::ClipInfo& info) {
    return std::any_of(bodies->begin(), bodies->end(), [&](const library::SkeletonInfo& body) {
      return body.id == info.skeleton && *body.skeleton == skeleton;
    });
  };
  std::vector<blend::FamilyMember> members;
  for (const library::ClipInfo& info : *infos) {
    const bool named = std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      return library::fits_pattern(info.name, pattern);
    });
    if (!(patterns.empty() ? is_walking(info) : named) || !moves_body(info)) continue;
    const auto clip = library.read_clip(info.name);
    if (!clip) return fail_from(clip);
    const auto resampled = motion::resample(*clip, rate);
    if (!resampled) return fail_from(resampled);
    members.push_back({{info.name, false, 0, static_cast<std::uint32_t>(resampled->frames())}, std::nullopt});
  }
  if (members.empty()) {
    return fail_as(ErrorKind::kNotFound,
                   patterns.empty()
                       ? "no clip of this body has labels of walking and standing alone, to cut steps from: name some"
                       : "no clip of this body has such a name, to cut steps from",
                   library.path());
  }
  const auto motion = blend::read_members(library, rate, members, progress);
  if (!motion) return fail_from(motion);
  return blend::find_steps(motion->motion.clips, motion->motion.contacts);
}

}  // namespace loom::project
