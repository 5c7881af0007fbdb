// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/motion/ground_frame.h>
#include <loom/policy/control_space.h>

#include "studio/scene.h"

namespace loom::studio {

/// A character and who steers it.
struct Played {
  StreamCharacter character;
  std::function<motion::GroundFrame()> place;  ///< where the stream within `character` is
  policy::ControlSignal wanted;
};

/// Hears {"left": m/s, "forward": m/s, "turn": rad/s, "jump": bool}: the wish of the player, for the first character.
/// The others wander about by themselves. Values: place (x, z) and heading of each.
///
/// When the wish changes, a copy of the player's character goes on without knowing of it until the two differ: that is
/// when the player is answered.
class PlayScene final : public Scene {
 public:
  /// `command`: words of the command that plays the same, as the page's command bar takes them.
  PlayScene(std::vector<Played> players, nlohmann::json command);
  ~PlayScene() override;

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override;
  [[nodiscard]] nlohmann::json describe() const override;
  void hear(const nlohmann::json& message) override;
  bool step(double seconds, SceneFrame& frame) override;
  std::vector<nlohmann::json> news() override;

 private:
  bool is_unanswered(double seconds, float heading, const CharacterPose& shown);
  [[nodiscard]] policy::ControlSignal stroll(std::size_t p) const;

  std::vector<Played> players_;
  std::unique_ptr<const nlohmann::json> command_;
  double time_ = 0;
  std::uint32_t tapped_ = 0;   ///< flags last asked for, which hold for a moment: a tap may be over before it is seen
  double tapped_seconds_ = 0;  ///< since then
  std::optional<StreamCharacter> unaware_;  ///< the player's character as it would be without the last wish
  CharacterPose unaware_pose_;
  policy::ControlSignal unaware_wanted_;
  double unaware_seconds_ = 0;
};

}  // namespace loom::studio
