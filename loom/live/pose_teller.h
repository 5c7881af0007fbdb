// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/character/transfer.h>
#include <loom/live/live_frame.h>
#include <loom/live/packets/vmc.h>

namespace loom::live {

/// Tells poses of any human body to others: as turns of parts from the T-pose, which is what VMC and our own protocol
/// say. The pose is carried to a live body of the same size (see live_body.h). Not for several threads at once.
class PoseTeller {
 public:
  /// For poses of `from`, whose soles stand on `floor`, metres.
  static Result<PoseTeller> create(const character::HumanBody& from, float floor = 0);

  /// A pose for VMC (`write_vmc`) at `seconds`.
  [[nodiscard]] const VmcPose& as_vmc(double seconds, Vec3 root, std::span<const Quat> rotations);
  /// And as a frame for our own protocol (`write_plain_text`, `write_plain_bytes`), with the place of every part, so
  /// that whoever draws it needs no skeleton.
  [[nodiscard]] LiveFrame as_frame(double seconds, std::uint64_t number, Vec3 root, std::span<const Quat> rotations);

 private:
  explicit PoseTeller(character::Transfer transfer);
  void carry(Vec3 root, std::span<const Quat> rotations);

  character::Transfer transfer_;
  std::vector<Quat> rotations_;
  VmcPose pose_;
};

}  // namespace loom::live
