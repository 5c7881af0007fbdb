// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <loom/live/decoder.h>

namespace loom::live {

/// Motion Loom's own protocol, for whoever writes a sender: text or bytes, over UDP or a WebSocket (docs/live.md).
///
/// Text is JSON: {"loom": 1, "t": 1.25, "n": 75, "up": "y", "canonical": true, "parts": {"right_hand": {"q": [w, x, y,
/// z], "p": [x, y, z]}, ...}}. A raw sensor has {"gyr": [x, y, z], "acc": [x, y, z], "mag": [x, y, z]} instead of "q".
/// "up" is "y" (ours) or "z" (X east, Y north).
///
/// Bytes are little-endian: "LOOM", version 1 (8 bits), flags (8 bits: 1 canonical, 2 places), parts (16 bits), number
/// (32 bits), seconds (64-bit float); then for each part its name (16 bytes, zeros behind), rotation w x y z and, where
/// flagged, place x y z (32-bit floats).
class PlainDecoder final : public Decoder {
 public:
  Result<Decoded> take(std::span<const std::byte> packet, int sender, double arrival) override;
};

/// A frame in either form. Names longer than 16 bytes are cut in the second.
std::string write_plain_text(const LiveFrame& frame);
std::vector<std::byte> write_plain_bytes(const LiveFrame& frame);

}  // namespace loom::live
