// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include <loom/live/live_session.h>

namespace loom::live {
namespace {

constexpr std::size_t kMostSenders = 64;  ///< of one port; packets of more are left lying

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Result<LiveAddress> read_live_address(const std::string& text) {
  const std::size_t first = text.find(':'), last = text.rfind(':');
  LiveAddress address{text.substr(0, first), {}};
  const Protocol* protocol = find_protocol(address.protocol);
  if (protocol == nullptr) {
    const auto none = make_decoder(address.protocol);
    return fail_from(none);
  }
  std::string host = "127.0.0.1";
  std::uint16_t port = protocol->port;
  if (first != std::string::npos) {
    if (last != first) host = text.substr(first + 1, last - first - 1);
    const char *begin = text.data() + last + 1, *end = text.data() + text.size();
    const auto [rest, problem] = std::from_chars(begin, end, port);
    if (problem != std::errc{} || rest != end) {
      return fail_as(ErrorKind::kBadInput,
                     fmt::format("'{}' is no source: it is PROTOCOL:PORT or PROTOCOL:ADDRESS:PORT", text));
    }
  }
  const auto endpoint = make_endpoint(host, port);
  if (!endpoint) return fail_from(endpoint);
  address.endpoint = *endpoint;
  return address;
}

LiveSession::LiveSession(UdpSocket socket, std::unique_ptr<LiveSource> source)
    : socket_(std::move(socket)), source_(std::move(source)), begun_(steady_seconds()) {}

Result<LiveSession> LiveSession::open(const LiveAddress& address) {
  auto socket = UdpSocket::open(address.endpoint);
  if (!socket) return fail_from(socket);
  auto source = LiveSource::create(address.protocol);
  if (!source) return fail_from(source);
  return LiveSession(std::move(*socket), std::move(*source));
}

double LiveSession::now() const { return steady_seconds() - begun_; }

void LiveSession::listen(double until, const std::function<void(double, int, std::span<const std::byte>)>& tell) {
  for (double time = now(); time < until; time = now()) {
    Endpoint from;
    const auto packet = socket_.receive(until - time, from);
    if (packet.empty()) continue;
    auto sender = std::find(senders_.begin(), senders_.end(), from);
    if (sender == senders_.end()) {
      if (senders_.size() >= kMostSenders) continue;
      senders_.push_back(from);
      sender = senders_.end() - 1;
    }
    const int number = static_cast<int>(sender - senders_.begin());
    const double came = now();
    if (tell) tell(came, number, packet);
    const auto reply = source_->take(packet, number, came);
    if (!reply.empty()) static_cast<void>(socket_.send(reply, from));
  }
}

}  // namespace loom::live
