// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <loom/blend/family/stored_family.h>

namespace loom::blend {
namespace {

/// Reads the members' motion, told what a family of theirs remembers.
Result<take::Gathered> read_members(const library::Library& library, double rate, std::span<const FamilyMember> members,
                                    take::AgainOptions again, const Progress& progress) {
  again.floor = take::Floor::kOfRecording;
  again.smaller = "take fewer examples";
  const std::vector<take::Stretch> stretches(members.begin(), members.end());
  auto gathered = take::gather_again(library, stretches, rate, again, progress);
  if (!gathered) return gathered;
  for (std::size_t i = 0; i < members.size(); ++i) gathered->motion.clips[i].name = members[i].describe();
  return gathered;
}

}  // namespace

Result<take::Gathered> read_members(const library::Library& library, double rate, std::span<const FamilyMember> members,
                                    const Progress& progress) {
  return read_members(library, rate, members, take::AgainOptions{}, progress);
}

Result<void> store_family(library::Library& library, const std::string& name, const Family& family,
                          const std::string& input_hash, const std::string& parameters) {
  return library.put_artefact({kFamilyKind, name, 0, parameters, input_hash, {}, 0}, to_bytes(family));
}

Result<StoredFamily> load_family(const library::Library& library, const std::string& name) {
  const auto artefact = library.get_artefact(kFamilyKind, name);
  if (!artefact) return fail_from(artefact);
  auto family = family_from_bytes(artefact->data);
  if (!family) {
    return fail_because(family.error().or_kind(ErrorKind::kDamaged),
                        fmt::format("family '{}': {}", name, family.error().message), library.path());
  }
  take::AgainOptions again;
  again.input_hash = artefact->info.input_hash;
  again.made = fmt::format("the family '{}' was built", name);
  again.remedy = "build it again";
  auto gathered = read_members(library, family->rate, family->members, std::move(again), {});
  if (!gathered) return fail_from(gathered);
  take::TakeSet& motion = gathered->motion;
  if (family->joint >= 0 && static_cast<std::size_t>(family->joint) >= motion.skeleton->size()) {
    return fail_as(ErrorKind::kDamaged, fmt::format("family '{}' places a joint its body lacks", name), library.path());
  }
  auto space = BlendSpace::create(std::move(motion.clips), std::move(motion.contacts), family->alignment);
  if (!space) {
    return fail_because(space.error(), fmt::format("family '{}': {}", name, space.error().message), library.path());
  }
  const bool needs_stroke = places_a_joint(family->space.kind) || family->space.kind == FamilyKind::kJump;
  if (needs_stroke && (*space)->strokes().empty()) {
    return fail_as(ErrorKind::kDamaged, fmt::format("family '{}' is damaged: it has no stroke", name), library.path());
  }
  return StoredFamily{std::make_shared<Family>(std::move(*family)), std::move(*space), artefact->info.parameters};
}

}  // namespace loom::blend
