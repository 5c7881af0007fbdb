// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <loom/base/whole.h>
#include <loom/live/udp_socket.h>

namespace loom::live {
namespace {

constexpr std::size_t kLargestPacket = 65536;
constexpr int kSystemRoom = 1 << 20;  ///< bytes that the system keeps for us while we are busy

sockaddr_in to_system(const Endpoint& endpoint) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(endpoint.address);
  address.sin_port = htons(endpoint.port);
  return address;
}

Endpoint from_system(const sockaddr_in& address) { return {ntohl(address.sin_addr.s_addr), ntohs(address.sin_port)}; }

}  // namespace

std::string Endpoint::to_string() const {
  return fmt::format("{}.{}.{}.{}:{}", address >> 24, address >> 16 & 255, address >> 8 & 255, address & 255, port);
}

Result<Endpoint> make_endpoint(const std::string& address, std::uint16_t port) {
  in_addr found{};
  if (inet_pton(AF_INET, address == "localhost" ? "127.0.0.1" : address.c_str(), &found) != 1) {
    return fail_as(ErrorKind::kBadInput, fmt::format("'{}' is no IPv4 address", address));
  }
  return Endpoint{ntohl(found.s_addr), port};
}

UdpSocket::UdpSocket(int descriptor, std::uint16_t port)
    : descriptor_(descriptor), port_(port), room_(kLargestPacket) {}

UdpSocket::UdpSocket(UdpSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), port_(other.port_), room_(std::move(other.room_)) {}

UdpSocket& UdpSocket::operator=(UdpSocket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(port_, other.port_);
  std::swap(room_, other.room_);
  return *this;
}

UdpSocket::~UdpSocket() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<UdpSocket> UdpSocket::open(const Endpoint& at) {
  const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return fail(fmt::format("no socket can be opened: {}", std::strerror(errno)));
  UdpSocket opened(descriptor, at.port);
  setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &kSystemRoom, sizeof kSystemRoom);
  const sockaddr_in address = to_system(at);
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    if (errno == EADDRINUSE) {
      return fail_setting({"source"}, fmt::format("port {} is in use by another program", at.port));
    }
    return fail(fmt::format("{} cannot be listened at: {}", at.to_string(), std::strerror(errno)));
  }
  sockaddr_in bound{};
  socklen_t size = sizeof bound;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&bound), &size) == 0) opened.port_ = ntohs(bound.sin_port);
  return opened;
}

std::span<const std::byte> UdpSocket::receive(double seconds, Endpoint& from) {
  pollfd waits{descriptor_, POLLIN, 0};
  const int milliseconds = to_whole<int>(std::ceil(std::clamp(seconds, 0.0, 3600.0) * 1000));
  if (poll(&waits, 1, milliseconds) <= 0) return {};
  sockaddr_in sender{};
  socklen_t size = sizeof sender;
  const ssize_t got =
      recvfrom(descriptor_, room_.data(), room_.size(), MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&sender), &size);
  if (got <= 0) return {};
  from = from_system(sender);
  return std::span(room_).first(static_cast<std::size_t>(got));
}

Result<void> UdpSocket::send(std::span<const std::byte> packet, const Endpoint& to) {
  const sockaddr_in address = to_system(to);
  const ssize_t sent =
      sendto(descriptor_, packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  // Nobody listening is told of a packet before: not the sender's fault, and the next may be heard.
  if (sent < 0 && errno != ECONNREFUSED) {
    return fail(fmt::format("cannot be sent to {}: {}", to.to_string(), std::strerror(errno)));
  }
  return {};
}

}  // namespace loom::live
