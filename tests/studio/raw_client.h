// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace loom::testing {

/// A client that says exactly what it is told to, well formed or not.
class RawClient {
 public:
  explicit RawClient(std::uint16_t port) : port_(port), socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~RawClient() { ::close(socket_); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  [[nodiscard]] bool connected() const { return connected_; }
  void say(std::string_view text) const { (void)::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }

  /// Closes this half of the connection; what comes can still be heard.
  void say_no_more() const { ::shutdown(socket_, SHUT_WR); }

  /// "GET /x HTTP/1.1" with our Host; `headers` are full lines.
  void ask(const std::string& line, const std::string& headers = {}, const std::string& body = {}) const {
    say(line + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n" + headers + "\r\n" + body);
  }

  /// What comes until `until` is in it, the server hangs up, or time has gone: a minute, on a busy machine, for what
  /// must come, five seconds where nothing is waited for. What comes after `until` is kept for the next time.
  std::string hear(std::string_view until = {}) const {
    std::string text = std::exchange(rest_, {});
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(until.empty() ? 5 : 60);
    while (until.empty() || text.find(until) == std::string::npos) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
      pollfd wait{socket_, POLLIN, 0};
      if (left.count() <= 0 || ::poll(&wait, 1, static_cast<int>(left.count())) <= 0) break;
      char part[65536];
      const auto count = ::recv(socket_, part, sizeof part, 0);
      if (count <= 0) break;
      text.append(part, static_cast<std::size_t>(count));
    }
    const auto found = until.empty() ? std::string::npos : text.find(until);
    if (found != std::string::npos) {
      rest_ = text.substr(found + until.size());
      text.resize(found + until.size());
    }
    return text;
  }

  /// The status of the answer to a request, 0 where there is none.
  int status(const std::string& line, const std::string& headers = {}, const std::string& body = {}) const {
    ask(line, headers, body);
    const std::string answer = hear("\r\n\r\n");
    return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
  }

  /// Asks for a WebSocket; the status of the answer.
  int open_socket(const std::string& headers = {}) const {
    return status("GET /ws",
                  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
                      headers);
  }

  /// Sends a short text (under 126 bytes) as a masked WebSocket frame; the mask is zero.
  void say_frame(std::string_view text) const {
    std::string frame{'\x81', static_cast<char>(0x80 | text.size()), 0, 0, 0, 0};
    say(frame.append(text));
  }

 private:
  std::uint16_t port_;
  int socket_;
  bool connected_ = false;
  mutable std::string rest_;
};

}  // namespace loom::testing
