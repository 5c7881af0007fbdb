// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <loom/base/result.h>

#include "studio/message.h"

namespace loom::studio {

/// One page's WebSocket, as the rest of the studio sees it. May be called from any thread, never waits, and may be
/// kept after the page has gone: what is then sent is lost.
///
/// What a slow client has not taken yet is bounded. Of pose frames only the newest are kept, since an old pose is of no
/// use to anyone; a client that leaves too many messages lying is cut off.
class Connection {
 public:
  virtual ~Connection() = default;
  virtual void send_text(std::string message) = 0;
  virtual void send_frame(std::shared_ptr<const std::string> frame) = 0;
};

/// What the server serves: it knows nothing of motion, and this knows nothing of sockets.
class Site {
 public:
  virtual ~Site() = default;

  /// Answers a request; called on worker threads, several at once.
  virtual Response answer(const Request& request) = 0;
  /// Which of the workers are to answer a request; called on the thread that serves all clients.
  [[nodiscard]] virtual Lane lane_of(const Request& request) const = 0;

  /// Where the body of an upload, of `bytes` at most, is to be written; called before a byte of it is read, on the
  /// thread that serves all clients. Fails with what the client is told. Either the request is answered later, or the
  /// upload is dropped.
  virtual tl::expected<std::string, Refusal> place_for(const Request& request, std::uint64_t bytes) = 0;
  /// The upload that was to be at `request.upload` did not come whole: it is taken away.
  virtual void drop_upload(const Request& request) = 0;

  /// A page came, said something, or went; called on the thread that serves all clients, so they must be quick.
  virtual void opened(const std::shared_ptr<Connection>& connection) = 0;
  virtual void received(const std::shared_ptr<Connection>& connection, std::string_view message) = 0;
  virtual void closed(const std::shared_ptr<Connection>& connection) = 0;

  /// Called once a second while pages are there, on a worker that answers what is quick: to see what has changed that
  /// nobody asked for.
  virtual void look_around() {}
};

}  // namespace loom::studio
