// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>
#include <loom/motion/ground_frame.h>
#include <loom/play/inertialize.h>
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
/// It may begin with characters that have only a part of the motion, and go over to others as soon as there are some:
/// where the player stands, or else a few seconds later, from the pose and with the speed that was shown. From there on
/// it is their motion alone, counted and asked for anew: {"event": "whole", "clips": names that poses now count}.
///
/// When the wish changes, a copy of the player's character goes on without knowing of it until the two differ: that is
/// when the player is answered.
class PlayScene final : public Scene {
 public:
  /// Characters, one a stream, all of one rate.
  struct Troupe {
    std::vector<std::unique_ptr<motion::MotionStream>> characters;
    PieceTeller::Explain explain{};  ///< says why the first character went over to other motion
  };
  /// Those that play on, as many and of the same bodies; nothing as long as there are none. Asked before each step.
  using Later = std::function<std::optional<Troupe>()>;

  /// `about`: what the page is told besides; "command" has words of the command that plays the same, as the page's
  /// command bar takes them. Fails when there is nobody, or a stream has no pose.
  static Result<std::unique_ptr<PlayScene>> create(Troupe troupe, nlohmann::json about, Later later = {});
  ~PlayScene() override;

  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const override;
  [[nodiscard]] std::vector<std::string> sources() const override { return teller_.names(); }
  [[nodiscard]] nlohmann::json describe() const override;
  void hear(const nlohmann::json& message) override;
  bool step(double seconds, SceneFrame& frame) override;
  std::vector<nlohmann::json> news() override;

 private:
  PlayScene(std::unique_ptr<motion::StreamEnsemble> characters, PieceTeller::Explain explain, nlohmann::json about,
            Later later);
  void ask(std::span<motion::Control> controls);
  [[nodiscard]] double seconds() const;
  /// Carries poses from where streams have them to where they are shown; what joins add is left to `ease`.
  void place(std::vector<CharacterPose>& poses) const;
  void ease(double seconds, std::vector<CharacterPose>& poses);
  [[nodiscard]] bool may_go_over(double seconds, const std::vector<CharacterPose>& poses);
  void go_over(double seconds, std::vector<CharacterPose>& poses);
  void tell_asked(const policy::ControlSignal& signal);
  bool is_unanswered(double seconds, const CharacterPose& shown);

  const motion::StreamEnsemble* characters_;  ///< which `player_` has
  EnsemblePlayer player_;
  PieceTeller teller_;                         ///< of the player's character
  std::vector<policy::ControlSignal> wanted_;  ///< one a character
  std::unique_ptr<const nlohmann::json> about_;
  std::vector<motion::GroundFrame> stands_;  ///< of each character: carries its own world into the one shown
  std::vector<CharacterPose> before_;        ///< where it was shown last, without what joins add
  std::vector<play::Inertializer> joins_;    ///< one a character, once it has gone over
  Later later_;                              ///< nothing once they have come
  std::optional<Troupe> next_;               ///< those that are to play on
  double waited_ = 0;                        ///< seconds, for a moment to go over
  double played_ = 0;                        ///< seconds before it went over
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
