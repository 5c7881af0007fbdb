// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "studio/scene.h"
#include "studio/site.h"
#include "studio/wardrobe.h"

namespace loom::studio {

/// Frames a second that pages get.
inline constexpr double kStageRate = 60;

/// Plays all live scenes, 60 times a second, and sends what they show to the pages that joined them.
///
/// A frame is: number of the frame, number of the last message whose effect it shows (the page numbers them, so that it
/// can tell how long an answer took), characters, values (all 32 bits); then for every character joints (32 bits), root
/// (3 floats), rotations (w, x, y, z a joint), planted, and the clip (as Scene::sources counts them) and frame it was
/// taken from (32 bits each); then the values (floats); then, where the scene is shown on a character, what its nodes
/// do: for every character seven floats a node (`Costume::carry`).
///
/// A page that tells which frames it has got is never sent more than a few beyond them: a slow page, or a slow network,
/// then shows fewer frames instead of old ones.
class Stage {
 public:
  Stage();
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  /// Takes a scene and says its number. It stands still until a page joins, and goes when nobody does for a minute.
  std::uint64_t add(std::unique_ptr<Scene> scene);
  /// The bodies of a scene's characters; none where there is no such scene.
  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies(std::uint64_t scene) const;
  /// Shows the characters of a scene as `costume`, or as they are without one; false when there is no such scene.
  bool wear(std::uint64_t scene, std::shared_ptr<Costume> costume);
  /// Shows a scene to a page, in place of the one it was shown; false when there is no such scene.
  bool join(const std::shared_ptr<Connection>& connection, std::uint64_t scene);
  /// Passes on what a page says to the scene it joined. `seq` is the number the page gave the message.
  void hear(const std::shared_ptr<Connection>& connection, const nlohmann::json& message, std::uint32_t seq);
  /// The page has got the frame of that number.
  void seen(const std::shared_ptr<Connection>& connection, std::uint32_t frame);
  /// The page has gone, or looks at something else.
  void leave(const std::shared_ptr<Connection>& connection);

 private:
  using Clock = std::chrono::steady_clock;
  struct Act;
  /// A page that looks at a scene.
  struct Watcher {
    std::uint64_t scene = 0;
    std::uint32_t sent = 0, seen = 0;  ///< numbers of frames
    bool tells = false;                ///< which frames it has seen
  };

  void play();
  /// Moves every scene on and sends what pages are to get; says whether every wish is answered by now.
  bool tick(Clock::time_point now, bool on_the_beat);
  /// Moves one scene on, after it has heard what was `said`; says whether every wish is answered by now.
  bool perform(std::uint64_t id, Act& act, std::span<const std::pair<std::uint32_t, nlohmann::json>> said,
               std::span<const std::shared_ptr<Connection>> audience, Clock::time_point now, bool on_the_beat);
  /// Whether a page still looks at the scene and is ready for the frame of that number; if so it counts as sent.
  bool takes(const std::shared_ptr<Connection>& connection, std::uint64_t scene, std::uint32_t frame);
  void forget_idle(Clock::time_point now);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, std::shared_ptr<Act>> acts_;
  std::map<std::shared_ptr<Connection>, Watcher> watching_;
  std::uint64_t last_id_ = 0;
  bool stopping_ = false;
  bool hurry_ = false;  ///< a page said something since the last frame
  std::thread thread_;
};

/// A frame as it goes over the wire.
std::string frame_bytes(const SceneFrame& frame, std::uint32_t number, std::uint32_t answered);

}  // namespace loom::studio
