// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/live/decoder.h>
#include <loom/live/packets/human_bones.h>
#include <loom/live/packets/osc.h>

namespace loom::live {

/// Virtual Motion Capture Protocol 3.1 (VMC): a human's bones over OSC, what avatar programs speak. Rotations against
/// the parent, Unity's axes. Addresses it does not know and surplus arguments are ignored, as the protocol says.
///
/// A frame comes in several packets. It is whole when the bone comes that ended the frames before, or, where packets
/// were lost, when a bone comes for the second time; the first frame is known to be whole only then. Devices
/// (/VMC/Ext/Hmd, Con, Tra) are sensors of their own, which keep what they last said for as long as the source speaks.
class VmcDecoder final : public Decoder {
 public:
  Result<Decoded> take(std::span<const std::byte> packet, int sender, double arrival) override;

 private:
  void hear(const OscMessage& message, double arrival, Decoded& decoded);
  void hear_bone(const OscMessage& message, double arrival, Decoded& decoded);
  void hear_device(const OscMessage& message);
  void finish(double arrival, Decoded& decoded);

  RoleTurns bones_;                  ///< of the frame that is coming, against the parent
  std::optional<Quat> upper_chest_;  ///< between chest and neck, where it is sent
  std::vector<std::string> seen_;    ///< names of all its bones, fingers too
  std::string last_bone_;            ///< of a whole frame, once that is known
  std::string ended_with_;           ///< what the last frame ended with that a repetition ended
  std::optional<Vec3> hips_;         ///< against the root
  Vec3 root_place_;
  Quat root_turn_;
  std::optional<double> time_;
  std::vector<LivePart> devices_;
  bool devices_changed_ = false;
};

/// One pose for the wire: rotations in the world by role, against a T-pose that looks along +Z.
struct VmcPose {
  double seconds = 0;
  RoleTurns turns;  ///< parts that are not there stay as their parent has them
  Vec3 hips;        ///< metres, in the world
  /// Where each part is from its parent in the T-pose, metres, in ours.
  std::array<Vec3, character::kRoles> offsets{};
};

/// The packets that say it: bundles of at most 1500 bytes with /VMC/Ext/OK, T, Root/Pos and Bone/Pos.
std::vector<std::vector<std::byte>> write_vmc(const VmcPose& pose);

}  // namespace loom::live
