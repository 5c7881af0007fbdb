// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/policy/control_space.h>

#include "studio/pieces.h"
#include "studio/scene.h"

namespace loom::studio {

/// Hears {"left": m/s, "forward": m/s, "turn": rad/s, "jump": bool}: the wish of the player, for the first character.
/// The others wander about by themselves. Values: place (x, z) and heading of each.
///
/// Tells {"event": "asked", "time": s, "left", "forward", "turn", "jump"} whenever the character is asked for something
/// else than before, with what it really was asked for and when: the lines of a trace (policy/trace.h) that makes the
/// command play the very same motion. A time lies half a pose before the first one made of it, so that no rounding puts
/// it behind.
///
/// When the wish changes, a copy of the player's character goes on without knowing of it until the two differ: that is
/// when the player is answered.
class PlayScene final : public Scene {
 public:
  /// One character a stream, all of one rate. `command`: words of the command that plays the same, as the page's
  /// command bar takes them. Fails when there is nobody, or a stream has no pose.
  /// `explain` says why the first character went over to other motion.
  static Result<std::unique_ptr<PlayScene>> create(std::vector<std::unique_ptr<motion::MotionStream>> characters,
                                                   nlohmann::json command, PieceTeller::Explain explain);
  ~PlayScene() override;

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override;
  [[nodiscard]] std::vector<std::string> sources() const override { return teller_.names(); }
  [[nodiscard]] nlohmann::json describe() const override;
  void hear(const nlohmann::json& message) override;
  bool step(double seconds, SceneFrame& frame) override;
  std::vector<nlohmann::json> news() override;

 private:
  PlayScene(std::unique_ptr<motion::StreamEnsemble> characters, nlohmann::json command, PieceTeller::Explain explain);
  void ask(std::span<motion::Control> controls);
  void tell_asked(const policy::ControlSignal& signal);
  bool is_unanswered(double seconds, const CharacterPose& shown);

  const motion::StreamEnsemble* characters_;  ///< which `player_` has
  EnsemblePlayer player_;
  PieceTeller teller_;                         ///< of the player's character
  std::vector<policy::ControlSignal> wanted_;  ///< one a character
  std::unique_ptr<const nlohmann::json> command_;
  std::uint64_t pose_ = 0;    ///< the newest that was asked for; the first, 0, was there when the scene began
  std::uint32_t tapped_ = 0;  ///< flags last asked for, which hold for a moment: a tap may be over before it is seen
  std::uint64_t tapped_poses_ = 0;  ///< for which they will still hold
  policy::ControlSignal asked_;     ///< for the newest pose
  std::vector<nlohmann::json> news_;
  std::optional<EnsemblePlayer> unaware_;  ///< the player's character as it would be without the last wish
  std::vector<CharacterPose> unaware_pose_;
  policy::ControlSignal unaware_wanted_;
  double unaware_seconds_ = 0;
};

}  // namespace loom::studio
