// SPDX-License-Identifier: MIT
#include "studio/capture.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>

namespace loom::studio {
namespace {

constexpr std::size_t kMostSources = 16;
constexpr double kBreath = 0.1;  ///< seconds after which a thread looks whether it is to end

}  // namespace

Capture::Capture() {
  if (auto pages = live::LiveSource::create("loom")) {
    listeners_[kPages] = {"pages", std::shared_ptr<live::LiveSource>(std::move(*pages)), live::steady_seconds(), {}};
  }
}

Capture::~Capture() = default;

Result<std::uint64_t> Capture::open(const std::string& text) {
  const auto address = live::read_live_address(text);
  if (!address) return fail_from(address);
  const std::lock_guard lock(mutex_);
  if (listeners_.size() >= kMostSources) return fail("so many sources at once are not listened to; close one");
  auto opened = live::LiveSession::open(*address);
  if (!opened) return fail_from(opened);
  auto session = std::make_shared<live::LiveSession>(std::move(*opened));
  const std::uint64_t id = ++last_id_;
  Listener& listener = listeners_[id];
  listener.address = fmt::format("{}:{}", address->protocol, address->endpoint.to_string());
  listener.source = session->share();
  listener.begun = live::steady_seconds();
  listener.thread = std::jthread([session](const std::stop_token& stop) {
    while (!stop.stop_requested()) session->listen(session->now() + kBreath);
  });
  return id;
}

Result<void> Capture::close(std::uint64_t id) {
  Listener closed;  // ends outside the lock: its thread takes a breath to do so
  const std::lock_guard lock(mutex_);
  const auto found = listeners_.find(id);
  if (found == listeners_.end() || id == kPages) return fail_as(ErrorKind::kNotFound, "there is no such source");
  closed = std::move(found->second);
  listeners_.erase(found);
  return {};
}

void Capture::hear(const nlohmann::json& said) {
  const std::string frame = json_text(said);
  const std::lock_guard lock(mutex_);
  const auto pages = listeners_.find(kPages);
  if (pages == listeners_.end()) return;
  static_cast<void>(pages->second.source->take(std::as_bytes(std::span(frame.data(), frame.size())), 0,
                                               live::steady_seconds() - pages->second.begun));
}

std::vector<Capture::Info> Capture::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<Info> all;
  for (const auto& [id, listener] : listeners_) {
    Info info{id,
              listener.address,
              listener.source->statistics(live::steady_seconds() - listener.begun),
              listener.source->calibration(),
              {}};
    if (const auto newest = listener.source->newest()) {
      for (const live::LivePart& part : newest->parts) info.parts.push_back(part.name);
    }
    all.push_back(std::move(info));
  }
  return all;
}

Result<std::shared_ptr<live::LiveSource>> Capture::source(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  const auto found = listeners_.find(id);
  if (found == listeners_.end()) return fail_as(ErrorKind::kNotFound, "there is no such source (any more)");
  return found->second.source;
}

bool Capture::performs(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  const auto found = listeners_.find(id);
  if (found == listeners_.end()) return false;
  return found->second.source->statistics(live::steady_seconds() - found->second.begun).performs();
}

}  // namespace loom::studio
