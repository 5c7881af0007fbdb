// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/character/human_body.h>
#include <loom/live/live_session.h>
#include <loom/motion/stream.h>
#include <loom/play/performed_stream.h>

#include "loom/options.h"
#include "studio/web_socket_port.h"

namespace loom::app {

/// What live motion does to a character that something else drives.
struct LiveLayerOptions {
  std::string source;          ///< as `loom live record --source`; empty: nobody performs
  std::string part = "upper";  ///< "upper": the upper body, while the legs go on; "body": all of it, while they perform
  std::string calibration;
  double delay = 0.06, height = 1.75;
  bool mirror = false;
};

/// Adds --live and what belongs to it.
void add_live_layer(Options& options, LiveLayerOptions& layer);

/// A session to listen to: a port of the protocols that live motion comes by, or WebSockets ("ws:39571"), whose
/// messages are frames of our own protocol.
struct LiveInput {
  std::string protocol;
  std::unique_ptr<live::LiveSession> session;
  std::unique_ptr<studio::WebSocketPort> port;  ///< hands its messages on to the session; none of other sources
};
inline constexpr const char* kSourceHelp =
    "PROTOCOL, PROTOCOL:PORT or PROTOCOL:ADDRESS:PORT; ws:PORT hears our own protocol over WebSockets";
Result<LiveInput> open_live_input(const std::string& source);

/// Live motion over another stream, from the first packet on until a second after the last: on its upper body, or on
/// all of it (play/performed_stream.h).
class LiveLayer {
 public:
  /// A layer and the stream it changed. The layer must be stepped before every pose of it.
  struct Made {
    std::unique_ptr<LiveLayer> layer;
    std::unique_ptr<motion::MotionStream> stream;
    character::HumanBody body;
  };
  /// Over `stream`, which moves `body` on the floor y = 0. Fails as opening a source does.
  static Result<Made> over(std::unique_ptr<motion::MotionStream> stream, const character::HumanBody& body,
                           const LiveLayerOptions& options);
  /// Nothing but the performer, on a body of their own.
  static Result<Made> alone(double rate, const LiveLayerOptions& options);

  /// Takes packets until `until`, by live::steady_seconds.
  void listen(double until);
  /// Looks who performs.
  void step();

  [[nodiscard]] nlohmann::json told() const;
  [[nodiscard]] std::string in_words() const;

 private:
  explicit LiveLayer(LiveInput input) : input_(std::move(input)) {}

  LiveInput input_;
  play::PerformedStream* performed_ = nullptr;  ///< within what was made; none where nobody else moves the body
  bool performs_ = false;
  std::size_t performances_ = 0;
};

}  // namespace loom::app
