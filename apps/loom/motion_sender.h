// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/character/human_body.h>
#include <loom/live/pose_teller.h>
#include <loom/live/udp_socket.h>
#include <loom/motion/clip.h>

#include "loom/options.h"
#include "studio/web_socket_port.h"

namespace loom::app {

/// Tells poses to other programs as they play: as VMC, or in our own protocol over UDP or WebSockets (docs/live.md).
class MotionSender {
 public:
  /// `to` is "vmc:127.0.0.1:39539", "loom:…", "ws:39571" or "ws://there:8080/motion"; `form`, of our own protocol, is
  /// "bytes" or "text", empty: bytes over UDP and text over WebSockets, which is what pages read. `body` is whose
  /// poses are told; its soles stand on `floor`, metres.
  static Result<MotionSender> open(const std::string& to, const std::string& form, const character::HumanBody& body,
                                   float floor);

  /// Tells one pose of the moment `seconds`. Fails where nobody can be told any more.
  Result<void> send(double seconds, Vec3 root, std::span<const Quat> rotations);

  /// {"to", "protocol", "frames", "packets", "bytes", "clients"}.
  [[nodiscard]] nlohmann::json told() const;
  /// "60 frames to 127.0.0.1:39539 as vmc".
  [[nodiscard]] std::string in_words() const;

 private:
  MotionSender(live::PoseTeller teller, std::string protocol, std::string form)
      : teller_(std::move(teller)), protocol_(std::move(protocol)), form_(std::move(form)) {}
  Result<void> send_packet(std::span<const std::byte> packet);

  live::PoseTeller teller_;
  std::string protocol_, form_, to_;
  std::optional<live::UdpSocket> socket_;
  live::Endpoint endpoint_;
  std::unique_ptr<studio::WebSocketPort> port_;
  bool opened_ = false;  ///< the socket was opened to somebody else: when they go, nobody is left
  std::uint64_t frames_ = 0, packets_ = 0, bytes_ = 0;
  std::size_t most_clients_ = 0;
};

/// What the option says that takes such an address.
inline constexpr const char* kSendHelp =
    "to which program: vmc:ADDRESS:PORT, loom:ADDRESS:PORT, ws:PORT to be listened to there, ws://HOST:PORT/PATH";

/// Sends a whole clip at its own pace to `to`. Ends early, without failing, where the user stops it. What was told.
Result<nlohmann::json> send_clip(const motion::Clip& clip, const std::string& to);

/// The same of several characters on one clock, each to a place of its own.
Result<nlohmann::json> send_clips(std::span<const motion::Clip> clips, std::span<const std::string> to);

}  // namespace loom::app
