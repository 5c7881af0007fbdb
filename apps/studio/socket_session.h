// SPDX-License-Identifier: MIT
#pragma once

// Only for the two files that know Boost.Beast, which takes long to compile.
#include <memory>
#include <set>

#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>

#include "studio/site.h"

namespace loom::studio {

/// A WebSocket that can be told to go. Used on the thread that serves all clients, or after it has ended.
class SocketSession {
 public:
  virtual ~SocketSession() = default;
  /// Says goodbye.
  virtual void close() = 0;
  /// Is over, whatever the client thinks: from here on nothing is sent, whoever still holds the connection.
  virtual void end() = 0;
};

/// The WebSockets that are open. Used on the thread that serves all clients alone.
using SocketSessions = std::set<std::shared_ptr<SocketSession>>;

/// Takes over a connection on which a client asked for a WebSocket, and adds itself to `sessions` until it ends.
void start_socket_session(boost::beast::tcp_stream stream,
                          const boost::beast::http::request<boost::beast::http::empty_body>& request, Site& site,
                          SocketSessions& sessions);

}  // namespace loom::studio
