// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/stored_family.h>
#include <loom/crowd/stored_gait.h>

namespace loom::crowd {
namespace {

constexpr std::array kWalks = {"locomotion", "walk"};
constexpr std::array kStands = {"idle", "stand"};
constexpr std::uint32_t kLeastFrames = 15;  ///< of a stretch that is stood by

Result<bool> has_label(const library::Library& library, const std::string& label) {
  const auto totals = library.label_totals();
  if (!totals) return fail_from(totals);
  return std::any_of(totals->begin(), totals->end(), [&](const auto& total) { return total.name == label; });
}

Result<StoredGait> of_family(const library::Library& library, const std::string& name) {
  const auto stored = blend::load_family(library, name);
  if (!stored) return fail_from(stored);
  if (stored->family->space.kind != blend::FamilyKind::kLocomotion) {
    return fail_as(ErrorKind::kBadInput,
                   fmt::format("the family '{}' is one of {}, and a crowd walks by one of locomotion", name,
                               blend::to_string(stored->family->space.kind)));
  }
  return StoredGait{nullptr, stored->family, stored->space, name, {}};
}

Result<StoredGait> built_of(const library::Library& library, const std::string& label, const Progress& progress) {
  blend::FamilyOptions options;
  options.label = label;
  options.kind = blend::FamilyKind::kLocomotion;
  options.leave_out_strangers = true;
  auto built = blend::build_family(library, options, progress);
  if (!built) return fail_from(built);
  StoredGait walks;
  auto space = blend::BlendSpace::create(std::move(built->motion.clips), std::move(built->motion.contacts),
                                         built->family.alignment);
  if (!space) return fail_from(space);
  walks.space = std::move(*space);
  walks.family = std::make_shared<const blend::Family>(std::move(built->family));
  return walks;
}

/// The walks asked for, without a gait.
Result<StoredGait> find_walks(const library::Library& library, const std::string& family, const Progress& progress) {
  if (!family.empty()) return of_family(library, family);
  const auto families = library.artefacts(blend::kFamilyKind);
  if (!families) return fail_from(families);
  for (const library::ArtefactInfo& info : *families) {
    auto walks = of_family(library, info.name);
    if (walks) return walks;
  }
  for (const char* label : kWalks) {
    const auto has = has_label(library, label);
    if (!has) return fail_from(has);
    if (*has) return built_of(library, label, progress);
  }
  return fail_as(ErrorKind::kNotFound,
                 "the library has no family of locomotion, and nothing labelled 'locomotion' or 'walk' to make one of");
}

/// The longest stretch that carries a label.
std::optional<blend::FamilyMember> longest(const std::vector<library::ClipInfo>& infos, std::string_view wanted,
                                           double rate) {
  blend::FamilyMember best;
  for (const library::ClipInfo& info : infos) {
    const double scale = rate / info.rate;
    for (const motion::Label& label : info.labels) {
      const auto frames = to_whole<std::uint32_t>(static_cast<double>(label.end - label.begin) * scale);
      if (label.name != wanted || frames <= std::max(best.frames, kLeastFrames)) continue;
      best.name = info.name;
      best.begin = to_whole<std::uint32_t>(static_cast<double>(label.begin) * scale);
      best.frames = frames;
    }
  }
  if (best.frames == 0) return std::nullopt;
  return best;
}

/// How the body of `space` stands, by a label.
std::optional<motion::Clip> standing_clip(const library::Library& library, const blend::BlendSpace& space) {
  const auto infos = library.clips();
  if (!infos) return std::nullopt;
  for (const char* wanted : kStands) {
    const auto stretch = longest(*infos, wanted, space.rate());
    if (!stretch) continue;
    auto read = blend::read_members(library, space.rate(), std::span(&*stretch, 1));
    if (!read || read->motion.clips.empty() || !(*read->motion.clips[0].skeleton == *space.skeleton())) continue;
    motion::Clip clip = std::move(read->motion.clips[0]);
    for (Vec3& root : clip.roots) root.y -= read->motion.contacts[0].ground.at(root);
    clip.name = stretch->name;
    return clip;
  }
  return std::nullopt;
}

}  // namespace

Result<StoredGait> load_gait(const library::Library& library, const std::string& family, const Progress& progress) {
  auto walks = find_walks(library, family, progress);
  if (!walks) return fail_from(walks);
  const std::optional<motion::Clip> standing = standing_clip(library, *walks->space);
  auto gait = Gait::create(*walks->space, standing ? &*standing : nullptr);
  if (!gait) return fail_from(gait);
  walks->gait = std::move(*gait);
  if (standing) walks->standing = standing->name;
  return walks;
}

}  // namespace loom::crowd
