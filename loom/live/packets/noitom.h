// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/live/decoder.h>

namespace loom::live {

/// The joints of the BVH that Axis Neuron broadcasts, in its order; twenty of each hand are left unnamed.
inline constexpr std::array<std::string_view, 59> kNoitomJoints = {"Hips",
                                                                   "RightUpLeg",
                                                                   "RightLeg",
                                                                   "RightFoot",
                                                                   "LeftUpLeg",
                                                                   "LeftLeg",
                                                                   "LeftFoot",
                                                                   "Spine",
                                                                   "Spine1",
                                                                   "Spine2",
                                                                   "Spine3",
                                                                   "Neck",
                                                                   "Head",
                                                                   "RightShoulder",
                                                                   "RightArm",
                                                                   "RightForeArm",
                                                                   "RightHand",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "",
                                                                   "LeftShoulder",
                                                                   "LeftArm",
                                                                   "LeftForeArm",
                                                                   "LeftHand"};

/// A packet of Axis Neuron's binary BVH broadcast: 64 bytes of header, little-endian, and floats.
struct NoitomPacket {
  std::uint32_t avatar = 0;
  std::string name;
  bool has_displacement = false, has_reference = false;
  std::vector<float> values;
};

/// Reads one. Fails on another beginning or end of the header, on more than a thousand floats, and on what is cut off.
Result<NoitomPacket> read_noitom(std::span<const std::byte> packet);

/// Frames of the first avatar that speaks: rotations Y, X, Z in degrees against the parent, lengths in centimetres.
class NoitomDecoder final : public Decoder {
 public:
  Result<Decoded> take(std::span<const std::byte> packet, int sender, double arrival) override;

 private:
  std::int64_t avatar_ = -1;
};

}  // namespace loom::live
