// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <loom/base/result.h>

#include "studio/site.h"

namespace loom::studio {

struct ServerOptions {
  std::string address = "127.0.0.1";                ///< to listen on; only programs on this machine reach the default
  std::uint16_t port = 0;                           ///< 0 takes a free one
  std::string name;                                 ///< a further host name under which pages may be asked for
  std::size_t workers = 3;                          ///< threads that answer what is quick
  std::size_t long_workers = 3;                     ///< threads that answer what takes long
  std::size_t max_waiting = 32;                     ///< long requests that wait for one of these; more are refused
  std::size_t max_connections = 256;                ///< half of them pages' WebSockets; for more, idle ones are closed
  std::uint64_t max_body = std::uint64_t{1} << 20;  ///< bytes of a request other than an upload
  std::uint64_t max_upload = std::uint64_t{512} << 20;  ///< bytes of an upload
  int header_seconds = 20;                              ///< a client has this long to say what it wants
  int idle_seconds = 60;                                ///< a connection on which nothing is asked is closed
  int body_seconds = 600;                               ///< an upload, or a slow reader of an answer, has this long
  int stall_seconds = 30;                               ///< an upload of which nothing comes for so long is given up
};

/// A small web server: HTTP for pages and data, WebSockets at /ws (Boost.Beast).
///
/// One thread talks to all clients and never waits; worker threads answer requests: some what is quick, one what
/// changes the library, some what takes long, so that none of these holds up the others. Every request's Host and
/// Origin are checked, sizes and times are bounded, and nothing a client does or leaves undone holds up another: when
/// there are too many connections, or no descriptors are left, the one that has been silent longest makes room. A
/// request whose client goes away is told to stop.
class Server {
 public:
  /// Starts listening. Fails when the address cannot be used, saying why. `site` must outlive the server.
  static Result<std::unique_ptr<Server>> create(Site& site, const ServerOptions& options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const;

  /// Serves until `stop` is called or, where `until_signal`, SIGINT or SIGTERM comes. Answers being made are told to
  /// stop.
  void run(bool until_signal);
  /// Asks `run` to end; from any thread.
  void stop();

  struct State;

 private:
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace loom::studio
