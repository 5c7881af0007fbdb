// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/live/packets/packet_reader.h>

namespace loom::live {

/// One argument of an OSC message (Open Sound Control 1.0).
struct OscArgument {
  char type = 'N';             ///< i, h, f, d, s, S, b, t, c, r, m, T, F, N or I, as its type tag says
  std::int64_t whole = 0;      ///< of i, h, t, c, r and m
  double real = 0;             ///< of f and d
  std::string_view text = {};  ///< of s, S and b: points into the packet
};

/// A message: an address and what goes with it. Points into the packet.
struct OscMessage {
  std::string_view address;
  std::vector<OscArgument> arguments;

  /// Whether the arguments begin as `types` says; more may follow.
  [[nodiscard]] bool begins_with(std::string_view types) const;
  [[nodiscard]] float number(std::size_t argument) const { return static_cast<float>(arguments[argument].real); }
};

/// The messages of a packet: one, or those of a bundle, and of bundles in it up to four deep, at most 1024 in all.
/// Time tags are left aside. Fails on whatever is not OSC, naming the byte. O(bytes).
Result<std::vector<OscMessage>> read_osc(std::span<const std::byte> packet);

/// Puts messages together and bundles of them.
class OscWriter {
 public:
  /// Begins a message; its arguments follow in the order of `types` ("sfff").
  void begin(std::string_view address, std::string_view types);
  void text(std::string_view text) { padded(text); }
  void real(float value) { writer_.value(value); }
  void whole(std::int32_t value) { writer_.value(value); }
  /// The message, finished.
  std::vector<std::byte> take() { return writer_.take(); }

 private:
  void padded(std::string_view text);
  PacketWriter writer_{std::endian::big};
};

/// Packs messages into bundles that go out at once, each of at most `most` bytes (a message that is larger goes alone).
std::vector<std::vector<std::byte>> osc_bundles(std::span<const std::vector<std::byte>> messages, std::size_t most);

}  // namespace loom::live
