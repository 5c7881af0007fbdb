// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <loom/live/decoder.h>

namespace loom::live {

/// What a packet may hold once it is unpacked; real ones have 80 kB.
inline constexpr std::size_t kMostRokokoBytes = std::size_t{1} << 20;

/// The text of a packet of Rokoko Studio Live: an LZ4 frame of JSON, or the JSON itself. Fails on a damaged frame and
/// on one that holds more than kMostRokokoBytes.
Result<std::string> unpack_rokoko(std::span<const std::byte> packet);

/// Rokoko Studio Live, JSON v3: the first actor's body, rotations in the world in Unity's axes. What the joints are in
/// a T-pose is not told, so it needs a calibration.
class RokokoDecoder final : public Decoder {
 public:
  Result<Decoded> take(std::span<const std::byte> packet, int sender, double arrival) override;
};

}  // namespace loom::live
