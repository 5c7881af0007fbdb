// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>

namespace loom::live {

/// An address and a port, IPv4: "127.0.0.1" and 39539.
struct Endpoint {
  std::uint32_t address = 0;  ///< as the machine holds numbers
  std::uint16_t port = 0;

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
  [[nodiscard]] std::string to_string() const;
};

/// The endpoint of "127.0.0.1" and a port. Fails on what is no IPv4 address: names are not looked up.
Result<Endpoint> make_endpoint(const std::string& address, std::uint16_t port);

/// A UDP socket. One thread at a time.
class UdpSocket {
 public:
  /// Listens at an endpoint; port 0 takes a free one. Fails where it is taken or not to be had, saying so.
  static Result<UdpSocket> open(const Endpoint& at);
  UdpSocket(UdpSocket&& other) noexcept;
  UdpSocket& operator=(UdpSocket&& other) noexcept;
  ~UdpSocket();

  [[nodiscard]] std::uint16_t port() const { return port_; }

  /// Waits for a packet up to `seconds`; its bytes are the caller's until the next call. Empty where none came.
  std::span<const std::byte> receive(double seconds, Endpoint& from);
  /// Sends a packet. Fails where the system refuses it.
  Result<void> send(std::span<const std::byte> packet, const Endpoint& to);

 private:
  UdpSocket(int descriptor, std::uint16_t port);
  int descriptor_ = -1;
  std::uint16_t port_ = 0;
  std::vector<std::byte> room_;
};

}  // namespace loom::live
