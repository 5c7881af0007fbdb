// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <loom/live/live_body.h>
#include <loom/live/pose_teller.h>

namespace loom::live {

using character::kRoles;
using character::Role;

Result<PoseTeller> PoseTeller::create(const character::HumanBody& from, float floor) {
  auto body = make_live_body();
  if (!body) return fail_from(body);
  body = make_live_body(std::clamp(1.75f * from.hip_height / body->hip_height, 0.5f, 3.0f));
  if (!body) return fail_from(body);
  return PoseTeller(character::Transfer::between(from, *body, {.floor = floor}));
}

PoseTeller::PoseTeller(character::Transfer transfer)
    : transfer_(std::move(transfer)), rotations_(transfer_.to().skeleton->size()) {
  for (std::size_t r = 0; r < kRoles; ++r) pose_.offsets[r] = transfer_.to().skeleton->joint(r).offset;
}

void PoseTeller::carry(Vec3 root, std::span<const Quat> rotations) {
  transfer_.apply(root, rotations, pose_.hips, rotations_);
  for (std::size_t r = 0; r < kRoles; ++r) {
    const auto parent = parent_of(static_cast<Role>(r));
    const Quat above = parent ? *pose_.turns[static_cast<std::size_t>(*parent)] : Quat{};
    pose_.turns[r] = normalized(above * rotations_[r]);
  }
}

const VmcPose& PoseTeller::as_vmc(double seconds, Vec3 root, std::span<const Quat> rotations) {
  carry(root, rotations);
  pose_.seconds = seconds;
  return pose_;
}

LiveFrame PoseTeller::as_frame(double seconds, std::uint64_t number, Vec3 root, std::span<const Quat> rotations) {
  carry(root, rotations);
  LiveFrame frame{seconds, true, true, number, {}};
  for (std::size_t r = 0; r < kRoles; ++r) {
    LivePart part{std::string(character::kRoleNames[r]), static_cast<Role>(r), *pose_.turns[r]};
    part.place = pose_.hips;
    if (const auto parent = parent_of(static_cast<Role>(r))) {
      const auto above = static_cast<std::size_t>(*parent);  // roles come after those they hang from
      part.place = *frame.parts[above].place + rotate(*pose_.turns[above], pose_.offsets[r]);
    }
    frame.parts.push_back(std::move(part));
  }
  return frame;
}

}  // namespace loom::live
