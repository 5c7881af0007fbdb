// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <loom/base/result.h>

namespace loom::studio {

/// Whom to talk to over WebSockets: "ws", "ws:39571" and "ws:0.0.0.0:39571" are a port of this machine that others
/// open sockets to; "ws://there:8080/motion" is somebody else's, to whom a socket is opened.
struct WebSocketAddress {
  std::string host = "127.0.0.1";
  std::uint16_t port = kUsualPort;
  std::string path = "/";
  bool opens = false;  ///< the socket is opened to somebody else
  static constexpr std::uint16_t kUsualPort = 39571;

  /// "127.0.0.1:39571".
  [[nodiscard]] std::string to_string() const;
};

/// Whether `text` is meant for one: its first word is "ws".
bool is_web_socket_address(std::string_view text);
/// Reads one. Fails on anything else, saying how they look.
Result<WebSocketAddress> read_web_socket_address(std::string_view text);

/// Messages over WebSockets without the studio around them (Boost.Beast): what is sent goes to everybody who listens.
///
/// One thread of its own talks to all and never waits. Pages of other sites are turned away: browsers let any page
/// open a socket to this machine, and say whose it is. Whoever reads slower than is sent misses messages; at most a
/// few sockets are open at once. May be used from any thread.
class WebSocketPort {
 public:
  /// A message that came from somebody, on the port's own thread.
  using Heard = std::function<void(std::span<const std::byte> message)>;

  /// Listens at a port, or opens a socket to somebody else's. Fails where the port is in use, and where nobody answers
  /// within a few seconds.
  static Result<std::unique_ptr<WebSocketPort>> open(const WebSocketAddress& address, Heard heard = {});
  ~WebSocketPort();
  WebSocketPort(const WebSocketPort&) = delete;
  WebSocketPort& operator=(const WebSocketPort&) = delete;

  /// To everybody who listens now.
  void send(std::string message, bool is_text);
  /// Sockets that are open.
  [[nodiscard]] std::size_t clients() const;
  [[nodiscard]] std::uint16_t port() const;

  struct State;

 private:
  explicit WebSocketPort(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace loom::studio
