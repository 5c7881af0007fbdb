// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/live/live_session.h>
#include <loom/live/live_source.h>

namespace loom::studio {

/// The sources of live motion that the studio listens to: ports of this machine, each with a thread of its own, and
/// pages that send frames of our own protocol over their WebSocket (a phone as a sensor). May be used from any thread.
class Capture {
 public:
  /// The source that pages send to.
  static constexpr std::uint64_t kPages = 1;

  struct Info {
    std::uint64_t id = 0;
    std::string address;  ///< "vmc:127.0.0.1:39539", or "pages"
    live::SourceStatistics statistics;
    live::Calibration calibration;
    std::vector<std::string> parts;  ///< of the newest frame, by name
  };

  Capture();
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  /// Listens to "vmc:39539" and the like; says the number of the source. Fails where the port is in use, on what is no
  /// source, and on more than a few at once.
  Result<std::uint64_t> open(const std::string& address);
  /// Ends it. Fails where there is none of that number, or it is that of the pages.
  Result<void> close(std::uint64_t id);
  /// A frame that a page sent, of our own protocol.
  void hear(const nlohmann::json& frame);

  [[nodiscard]] std::vector<Info> list() const;
  /// Fails where there is none of that number.
  [[nodiscard]] Result<std::shared_ptr<live::LiveSource>> source(std::uint64_t id) const;
  /// Whether the source of that number has sent something within the last second.
  [[nodiscard]] bool performs(std::uint64_t id) const;

 private:
  struct Listener {
    std::string address;
    std::shared_ptr<live::LiveSource> source;
    double begun = 0;
    std::jthread thread;
  };

  mutable std::mutex mutex_;
  std::map<std::uint64_t, Listener> listeners_;
  std::uint64_t last_id_ = kPages;
};

}  // namespace loom::studio
