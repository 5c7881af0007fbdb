// SPDX-License-Identifier: MIT
#include "studio/wardrobe.h"

#include <algorithm>
#include <set>

#include <loom/library/listing.h>
#include <loom/project/characters.h>

namespace loom::studio {
namespace {

constexpr std::size_t kKeptCharacters = 3;  ///< each may hold 100 MB

}  // namespace

Costume::Costume(std::shared_ptr<const character::CharacterFile> character,
                 std::span<const character::HumanBody> bodies)
    : character_(std::move(character)),
      poser_(character_->character),
      rotations_(character_->character.body.skeleton->size()),
      pose_(poser_.nodes().size()) {
  for (const character::HumanBody& body : bodies) {
    const auto known = std::find_if(transfers_.begin(), transfers_.end(), [&](const character::Transfer& transfer) {
      return transfer.from().skeleton == body.skeleton;
    });
    transfer_of_.push_back(static_cast<std::size_t>(known - transfers_.begin()));
    if (known == transfers_.end()) {
      transfers_.push_back(character::Transfer::between(body, character_->character.body));
    }
  }
}

std::vector<double> Costume::sizes() const {
  std::vector<double> sizes;
  for (const std::size_t t : transfer_of_) {
    sizes.push_back(character_->character.metres_per_unit / transfers_[t].scale());
  }
  return sizes;
}

void Costume::carry(std::span<const CharacterPose> poses, std::vector<float>& to) {
  for (std::size_t i = 0; i < poses.size() && i < transfer_of_.size(); ++i) {
    Vec3 root;
    transfers_[transfer_of_[i]].apply(poses[i].root, poses[i].rotations, root, rotations_);
    poser_.pose(root, rotations_, pose_);
    for (const auto& [t, q] : pose_) to.insert(to.end(), {t.x, t.y, t.z, q.w, q.x, q.y, q.z});
  }
}

Result<std::shared_ptr<const character::CharacterFile>> Wardrobe::character(const std::string& name) {
  using Shared = std::shared_ptr<const character::CharacterFile>;
  return project_.with([&](const library::Library& library) -> Result<Shared> {
    const auto all = library.artefacts(project::kCharacterKind);
    if (!all) return fail_from(all);
    std::string stamp;
    for (const library::ArtefactInfo& info : *all) {
      if (info.name == name) stamp = info.created + info.parameters + std::to_string(info.bytes);
    }
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(known_.begin(), known_.end(), [&](const Known& known) { return known.name == name; });
    if (found != known_.end() && found->stamp == stamp && !stamp.empty()) {
      std::rotate(found, found + 1, known_.end());
      return known_.back().character;
    }
    auto loaded = project::load_character(library, name);
    if (!loaded) return fail_from(loaded);
    if (found != known_.end()) known_.erase(found);
    if (known_.size() >= kKeptCharacters) known_.erase(known_.begin());
    known_.push_back({name, stamp, std::make_shared<const character::CharacterFile>(std::move(*loaded))});
    return known_.back().character;
  });
}

Result<std::shared_ptr<Costume>> Wardrobe::costume(const std::string& name,
                                                   std::span<const std::shared_ptr<const motion::Skeleton>> bodies) {
  const auto character = this->character(name);
  if (!character) return fail_from(character);
  std::vector<character::HumanBody> humans;
  for (const auto& skeleton : bodies) {
    const auto same = std::find_if(humans.begin(), humans.end(),
                                   [&](const character::HumanBody& human) { return *human.skeleton == *skeleton; });
    if (same != humans.end()) {
      humans.push_back(character::HumanBody(*same));
      continue;
    }
    auto human = this->human(skeleton);
    if (!human) return fail_from(human);
    humans.push_back(std::move(*human));
  }
  return std::make_shared<Costume>(*character, humans);
}

Result<character::HumanBody> Wardrobe::human(const std::shared_ptr<const motion::Skeleton>& skeleton) {
  return project_.with([&](const library::Library& library) -> Result<character::HumanBody> {
    const auto listing = library::list_clips(library);
    if (!listing) return fail_from(listing);
    std::set<std::int64_t> looked_at;
    for (const library::ClipInfo& info : listing->clips) {
      if (!looked_at.insert(info.skeleton).second) continue;
      const auto clip = library.read_clip(info.name);
      if (!clip || !(*clip->skeleton == *skeleton)) continue;
      auto human = character::look_at_body(*clip);
      if (human) return human;
    }
    return character::look_at_body(motion::Clip{"body", skeleton, 30, {}, {}, {}});  // as it rests
  });
}

}  // namespace loom::studio
