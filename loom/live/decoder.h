// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/live/live_frame.h>

namespace loom::live {

/// What comes out of one packet.
struct Decoded {
  std::vector<LiveFrame> frames;  ///< those that are whole now
  std::vector<std::byte> reply;   ///< what the sender waits for; usually nothing
};

/// Makes frames of the packets of one protocol. It remembers what one frame needs of several packets and nothing else,
/// all of it bounded.
class Decoder {
 public:
  virtual ~Decoder() = default;
  /// Takes one packet that came from `sender` (a number the caller gives to each address) at `arrival`, in seconds.
  /// Fails on what cannot be understood, and goes on with the next packet as if it had not come.
  virtual Result<Decoded> take(std::span<const std::byte> packet, int sender, double arrival) = 0;
};

/// A protocol people's tools speak.
struct Protocol {
  std::string_view name;   ///< as in "vmc:39539"
  std::uint16_t port = 0;  ///< where its senders send by default
  std::string_view what;   ///< one line for people
};

/// All of them.
std::span<const Protocol> protocols();
/// The protocol of that name, or null.
const Protocol* find_protocol(std::string_view name);

/// A decoder of the protocol of that name. Fails where there is none, naming those there are.
Result<std::unique_ptr<Decoder>> make_decoder(std::string_view protocol);

}  // namespace loom::live
