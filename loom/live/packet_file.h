// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>

namespace loom::live {

/// A packet as it came, and when.
struct RecordedPacket {
  double seconds = 0;  ///< since the recording began
  std::uint16_t sender = 0;
  std::span<const std::byte> bytes;  ///< into the text of the file
};

/// What a source sent, to be played again at its own pace: "LOOMPKT1", the protocol's name led by its length (8 bits);
/// then for each packet seconds (64-bit float), sender (16 bits), length (32 bits) and its bytes, little-endian. A file
/// whose end is missing is read up to there: whatever ended the recording, what came before is kept.
struct PacketFile {
  std::string protocol;
  std::vector<RecordedPacket> packets;
};

/// The most packets that one file may hold: a day at 100 a second.
inline constexpr std::size_t kMostPackets = 8640000;

/// Reads one; `text` must outlive it. Fails on another beginning, and on times that go back.
Result<PacketFile> read_packets(std::string_view text, const std::string& path);

/// The beginning of a file, and one packet of it: what a recorder writes one after the other.
std::string packet_file_header(std::string_view protocol);
std::string packet_file_record(const RecordedPacket& packet);

}  // namespace loom::live
