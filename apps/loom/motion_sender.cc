// SPDX-License-Identifier: MIT
#include "loom/motion_sender.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/live/live_session.h>
#include <loom/live/packets/plain.h>

#include "loom/progress_bar.h"

namespace loom::app {
namespace {

constexpr double kSendRate = 60;  ///< frames a second of clips; what is recorded slower or faster is sampled

/// A clip on its way out.
struct SentClip {
  const motion::Clip* clip = nullptr;
  MotionSender sender;
};

Result<SentClip> open_clip(const motion::Clip& clip, const std::string& to) {
  const auto body = character::look_at_body(clip);
  if (!body) return fail_from(body);
  auto sender = MotionSender::open(to, {}, *body, character::sole_floor(*body, clip));
  if (!sender) return fail_from(sender);
  return SentClip{&clip, std::move(*sender)};
}

}  // namespace

Result<MotionSender> MotionSender::open(const std::string& to, const std::string& form,
                                        const character::HumanBody& body, float floor) {
  auto teller = live::PoseTeller::create(body, floor);
  if (!teller) return fail_from(teller);
  if (studio::is_web_socket_address(to)) {
    const auto address = studio::read_web_socket_address(to);
    if (!address) return fail_from(address);
    auto port = studio::WebSocketPort::open(*address);
    if (!port) return fail_from(port);
    MotionSender sender(std::move(*teller), "ws", form.empty() ? "text" : form);
    sender.to_ = fmt::format("{}:{}", address->host, (*port)->port());
    sender.port_ = std::move(*port);
    sender.opened_ = address->opens;
    return sender;
  }
  const auto address = live::read_live_address(to);
  if (!address) return fail_from(address);
  if (address->protocol != "vmc" && address->protocol != "loom") {
    return fail_as(ErrorKind::kBadInput, "motion is sent as vmc or loom, or over WebSockets (ws)");
  }
  auto socket = live::UdpSocket::open(*live::make_endpoint("0.0.0.0", 0));
  if (!socket) return fail_from(socket);
  MotionSender sender(std::move(*teller), address->protocol, form.empty() ? "bytes" : form);
  sender.to_ = address->endpoint.to_string();
  sender.endpoint_ = address->endpoint;
  sender.socket_.emplace(std::move(*socket));
  return sender;
}

Result<void> MotionSender::send_packet(std::span<const std::byte> packet) {
  ++packets_;
  bytes_ += packet.size();
  if (socket_) return socket_->send(packet, endpoint_);
  port_->send(std::string(reinterpret_cast<const char*>(packet.data()), packet.size()), form_ == "text");
  most_clients_ = std::max(most_clients_, port_->clients());
  if (opened_ && port_->clients() == 0) return fail(fmt::format("{} has closed the WebSocket", to_));
  return {};
}

Result<void> MotionSender::send(double seconds, Vec3 root, std::span<const Quat> rotations) {
  const std::uint64_t number = frames_++;
  if (protocol_ == "vmc") {
    for (const auto& packet : live::write_vmc(teller_.as_vmc(seconds, root, rotations))) {
      if (auto sent = send_packet(packet); !sent) return sent;
    }
    return {};
  }
  const live::LiveFrame frame = teller_.as_frame(seconds, number, root, rotations);
  if (form_ == "bytes") return send_packet(live::write_plain_bytes(frame));
  const std::string text = live::write_plain_text(frame);
  return send_packet(std::as_bytes(std::span(text.data(), text.size())));
}

nlohmann::json MotionSender::told() const {
  nlohmann::json all = {{"to", to_},           {"protocol", protocol_}, {"frames", frames_},
                        {"packets", packets_}, {"bytes", bytes_},       {"clients", nullptr}};
  if (port_) all["clients"] = most_clients_;
  return all;
}

std::string MotionSender::in_words() const { return fmt::format("{} frames to {} as {}", frames_, to_, protocol_); }

Result<nlohmann::json> send_clip(const motion::Clip& clip, const std::string& to) {
  return send_clips(std::span(&clip, 1), std::span(&to, 1));
}

Result<nlohmann::json> send_clips(std::span<const motion::Clip> clips, std::span<const std::string> to) {
  std::vector<SentClip> all;
  double length = 0;
  for (std::size_t i = 0; i < clips.size() && i < to.size(); ++i) {
    auto sent = open_clip(clips[i], to[i]);
    if (!sent) return fail_from(sent);
    all.push_back(std::move(*sent));
    length = std::max(length, clips[i].duration());
  }
  ProgressBar bar;
  const Progress progress = bar.progress();
  const auto begun = std::chrono::steady_clock::now();
  motion::Pose pose;
  double time = 0;
  for (std::uint64_t frame = 0; time <= length; time = static_cast<double>(++frame) / kSendRate) {
    std::this_thread::sleep_until(begun + std::chrono::duration<double>(time));
    for (SentClip& one : all) {
      motion::sample_pose(*one.clip, time, pose);
      if (auto sent = one.sender.send(time, pose.root, pose.rotations); !sent) return fail_from(sent);
    }
    if (!progress.report(length > 0 ? time / length : 1, "sending")) break;
  }
  nlohmann::json told = nlohmann::json::array();
  for (const SentClip& one : all) told.push_back(one.sender.told());
  return told;
}

}  // namespace loom::app
