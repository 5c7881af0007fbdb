// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/ensemble.h>
#include <loom/motion/skeleton.h>
#include <loom/motion/stream.h>

namespace loom::studio {

/// One character of a scene at one instant.
struct CharacterPose {
  Vec3 root;                    ///< metres
  std::vector<Quat> rotations;  ///< one a joint
  std::uint8_t planted = 0;     ///< FootBits
  motion::SourceFrame source;   ///< where the pose it goes to was taken from; what it counts is told by Scene::sources
};

/// What a page is shown at one instant.
struct SceneFrame {
  std::vector<CharacterPose> characters;  ///< as many as the scene has, always
  std::vector<float> values;              ///< whatever else moves, as the kind of scene says
  bool unanswered = false;                ///< nothing of this shows yet what was last heard
  std::vector<float> worn{};  ///< the same poses on another character (`Costume::carry`), where one is shown
};

/// Something live: characters that move, and hear what a page says.
///
/// Scenes are made on any thread; afterwards one thread alone calls them (see `Stage`).
class Scene {
 public:
  virtual ~Scene() = default;

  /// The body of every character, in order.
  [[nodiscard]] virtual std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const = 0;
  /// The names of the clips that CharacterPose::source counts; none where poses are taken from none.
  [[nodiscard]] virtual std::vector<std::string> sources() const { return {}; }
  /// What else a page should know when it opens the scene.
  [[nodiscard]] virtual nlohmann::json describe() const = 0;
  /// A message from the page: keys, sliders, targets.
  virtual void hear(const nlohmann::json& message) = 0;
  /// Goes on by `seconds` and fills in `frame`; false when the scene is over.
  virtual bool step(double seconds, SceneFrame& frame) = 0;
  /// What is to be told to the page as text since it was last asked; usually nothing.
  virtual std::vector<nlohmann::json> news() = 0;
};

/// Whether a body in both poses looks different: by a millimetre, or a fifth of a degree at any joint.
bool differ(const CharacterPose& a, const CharacterPose& b);

/// Poses a second of characters that hear a page: four times what is shown, so that an answer hardly waits for one. The
/// commands that pages show say so.
inline constexpr double kPoseRate = 240;

/// A character has gone on in another place than the frame after the one it was in.
struct SourceChange {
  std::size_t character = 0;
  std::optional<motion::SourceFrame> left;  ///< nothing: it begins
  motion::SourceFrame entered;
};

/// Plays an ensemble at any rate, between its own poses where need be. What all scenes are made of.
class EnsemblePlayer {
 public:
  explicit EnsemblePlayer(std::unique_ptr<motion::Ensemble> ensemble);
  /// Plays a stream alone. Fails when it has no pose.
  static Result<EnsemblePlayer> of(std::unique_ptr<motion::MotionStream> stream);

  [[nodiscard]] const motion::Ensemble& ensemble() const { return *ensemble_; }
  /// The bodies of its characters, as Scene::bodies tells them.
  [[nodiscard]] std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const;
  /// Goes on by `seconds` and fills in `poses`; false when it is over. `ask`, where there is one, is asked before each
  /// step of the ensemble what is wanted in it, one control a character: as motion::record asks, so that the same
  /// wishes make the same motion, however long the steps of the page are.
  bool step(double seconds, const std::function<void(std::span<motion::Control> controls)>& ask,
            std::vector<CharacterPose>& poses);
  /// A player of `copy`, which is a copy of one character at this instant, that goes on as this one would.
  [[nodiscard]] EnsemblePlayer with(std::unique_ptr<motion::Ensemble> copy, std::size_t character) const;
  /// Where the newest pose of a character came from.
  [[nodiscard]] motion::SourceFrame source(std::size_t character) const { return after_[character].source; }
  /// Where characters went over to other motion since it was last asked, pose by pose.
  std::vector<SourceChange> take_changes() { return std::exchange(changes_, {}); }
  /// Steps of the ensemble so far.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  void look();
  void note_changes();

  std::unique_ptr<motion::Ensemble> ensemble_;
  std::vector<CharacterPose> before_, after_;
  std::vector<SourceChange> changes_;
  std::vector<motion::Control> controls_;  ///< room for what is wanted
  std::uint64_t steps_ = 0;
  double phase_ = 1;  ///< between `before_` and `after_`
};

}  // namespace loom::studio
