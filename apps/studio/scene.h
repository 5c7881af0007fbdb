// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/math.h>
#include <loom/motion/skeleton.h>
#include <loom/motion/stream.h>

namespace loom::studio {

/// One character of a scene at one instant.
struct CharacterPose {
  Vec3 root;                    ///< metres
  std::vector<Quat> rotations;  ///< one a joint
  std::uint8_t planted = 0;     ///< FootBits
};

/// What a page is shown at one instant.
struct SceneFrame {
  std::vector<CharacterPose> characters;  ///< as many as the scene has, always
  std::vector<float> values;              ///< whatever else moves, as the kind of scene says
  bool unanswered = false;                ///< nothing of this shows yet what was last heard
};

/// Something live: characters that move, and hear what a page says.
///
/// Scenes are made on any thread; afterwards one thread alone calls them (see `Stage`).
class Scene {
 public:
  virtual ~Scene() = default;

  /// The body of every character, in order.
  [[nodiscard]] virtual std::vector<std::shared_ptr<const motion::Skeleton>> bodies() const = 0;
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

/// Plays a stream at any rate, between its own poses where need be.
class StreamCharacter {
 public:
  explicit StreamCharacter(std::unique_ptr<motion::MotionStream> stream);

  [[nodiscard]] const motion::MotionStream& stream() const { return *stream_; }
  /// A second one that goes on exactly as this one would; nothing where the stream has none.
  [[nodiscard]] std::optional<StreamCharacter> clone() const;
  /// Goes on by `seconds` under `control`; false when the stream is over.
  bool step(double seconds, const motion::Control& control, CharacterPose& pose);
  /// Where the newest pose of the stream came from.
  [[nodiscard]] motion::SourceFrame source() const { return source_; }
  /// Poses of the stream so far.
  [[nodiscard]] std::uint64_t poses() const { return poses_; }

 private:
  bool pull(const motion::Control& control, CharacterPose& pose);

  std::unique_ptr<motion::MotionStream> stream_;
  CharacterPose before_, after_;
  motion::SourceFrame source_;
  std::uint64_t poses_ = 0;
  double phase_ = 1;  ///< between `before_` and `after_`
  bool started_ = false;
};

}  // namespace loom::studio
