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

/// The 24 bytes before every datagram of the Xsens MVN network streamer (MV0305P), big-endian.
struct XsensHeader {
  int kind = 0;  ///< the two digits after "MXTP"
  std::uint32_t sample = 0;
  std::uint8_t datagram = 0;  ///< of this sample
  bool last = false;          ///< no further datagram of this sample
  std::uint8_t items = 0;
  std::uint32_t milliseconds = 0;
  std::uint8_t character = 0;
  std::uint8_t body_segments = 0, props = 0, finger_segments = 0;
};

/// One segment of MXTP01, 02 or 05, in the axes of the datagram.
struct XsensSegment {
  std::uint32_t id = 0;  ///< from 1 on
  Vec3 place;
  Quat rotation;
};

/// A segment of MXTP13: where it begins in the T-pose.
struct XsensOrigin {
  std::string name;
  Vec3 origin;  ///< metres, Z up
};

/// A datagram, by its kind.
struct XsensDatagram {
  XsensHeader header;
  std::vector<XsensSegment> segments;                       ///< of kinds 1, 2 and 5
  std::vector<std::pair<std::string, std::string>> meta{};  ///< of kind 12: "name" and what it is
  std::vector<XsensOrigin> origins{};                       ///< of kind 13
};

/// Reads one. Kinds it does not know (joint angles, centre of mass, time code) give a header alone. Fails on what is
/// cut off or does not begin with MXTP.
Result<XsensDatagram> read_xsens(std::span<const std::byte> packet);

/// What the segments are called, in the order of their ids, from 1 on.
inline constexpr std::array<std::string_view, 23> kXsensSegments = {
    "Pelvis",
    "L5",
    "L3",
    "T12",
    "T8",
    "Neck",
    "Head",
    "RightShoulder",
    "RightUpperArm",
    "RightForeArm",
    "RightHand",
    "LeftShoulder",
    "LeftUpperArm",
    "LeftForeArm",
    "LeftHand",
    "RightUpperLeg",
    "RightLowerLeg",
    "RightFoot",
    "RightToe",
    "LeftUpperLeg",
    "LeftLowerLeg",
    "LeftFoot",
    "LeftToe",
};

/// Frames of the first character that speaks. Every rotation is the identity in the T-pose. Lengths are in centimetres
/// or metres, whichever makes the pelvis stand below three metres.
class XsensDecoder final : public Decoder {
 public:
  Result<Decoded> take(std::span<const std::byte> packet, int sender, double arrival) override;

 private:
  LiveFrame coming_;
  std::uint32_t sample_ = 0;
  int kind_ = 0;
  int character_ = -1;
};

}  // namespace loom::live
