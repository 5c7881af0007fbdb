// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/live/live_source.h>
#include <loom/live/udp_socket.h>

namespace loom::live {

/// "vmc", "vmc:39539" or "vmc:0.0.0.0:39539": a protocol, where to listen or whom to send to.
struct LiveAddress {
  std::string protocol;
  Endpoint endpoint;
};

/// Reads one; address and port not given are this machine's own and the protocol's. Fails naming the protocols.
Result<LiveAddress> read_live_address(const std::string& text);

/// Listens to one source.
class LiveSession {
 public:
  /// Fails where the port is in use, saying so.
  static Result<LiveSession> open(const LiveAddress& address);

  [[nodiscard]] LiveSource& source() { return *source_; }
  /// The same for whoever may outlive the session.
  [[nodiscard]] std::shared_ptr<LiveSource> share() const { return source_; }
  [[nodiscard]] std::uint16_t port() const { return socket_.port(); }
  /// Seconds since it was opened.
  [[nodiscard]] double now() const;
  /// Takes packets until `until` on its own clock; `tell`, where there is one, gets each as it came.
  void listen(double until, const std::function<void(double, int, std::span<const std::byte>)>& tell = {});

 private:
  LiveSession(UdpSocket socket, std::unique_ptr<LiveSource> source);

  UdpSocket socket_;
  std::shared_ptr<LiveSource> source_;
  std::vector<Endpoint> senders_;
  double begun_ = 0;
};

/// Seconds of a clock that never goes back.
double steady_seconds();

}  // namespace loom::live
