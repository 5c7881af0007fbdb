// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/blend_space.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/stream.h>

namespace loom::crowd {

/// How a body goes over the floor, seen from itself.
struct Velocity {
  float forward = 0;  ///< metres a second
  float turn = 0;     ///< radians a second, positive to the left
  float side = 0;     ///< metres a second, positive to the left
};

/// Walks that are aligned and cyclic, in the form a crowd reads: made once, then shared by everybody who walks.
///
/// A `blend::Blender` keeps the whole way of its blend and works it out anew when weights change, which is right for
/// one character whose weights hardly do. In a crowd everybody's weights change in every frame. So here the cycle is
/// cut into even pieces of its phase; each holds, for every example, the pose and by how much time, place and heading
/// go on within the piece. A step sums these by the weights (Srinivasan 2009 eq. 5.9 to 5.14, on the floor), and
/// nothing else is ever worked out: O(examples) for a step, O(examples × joints) for a pose, no allocation.
///
/// By what the end of an example differs from its beginning it is bent over the whole cycle, once, here, so that a
/// cycle runs into the next without a join. A standing pose is an example of its own: it does not move, and what is
/// blended of it and a slow walk takes shorter steps.
class Gait {
 public:
  /// `space` holds whole cycles of walks, as a family of locomotion does. `standing`, if given, is how the body stands,
  /// on the same skeleton and on the floor y = 0; without one it stands as it does in the mean over the slowest cycle.
  /// Fails on a space of which an example goes nowhere, and on a standing clip of another body.
  static Result<std::shared_ptr<const Gait>> create(const blend::BlendSpace& space,
                                                    const motion::Clip* standing = nullptr);

  [[nodiscard]] std::size_t examples() const { return velocities_.size(); }
  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const { return skeleton_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// The mean velocity of an example over its cycle.
  [[nodiscard]] const Velocity& velocity(std::size_t example) const { return velocities_[example]; }
  /// Heights of the parts of the feet while they stand, metres: the means of the examples'.
  [[nodiscard]] const std::array<float, motion::kFootParts>& standing_heights() const { return standing_heights_; }
  /// Bytes that all characters share.
  [[nodiscard]] std::size_t bytes() const;

  /// The mean velocity of a blend: every part a ratio of sums over the weights, way and turn over time.
  [[nodiscard]] Velocity velocity(std::span<const float> weights) const;

  /// Where a character is in its cycle, and how it mixes.
  struct Blend {
    double phase = 0;                ///< in [0, 1)
    std::span<const float> weights;  ///< one an example, none negative, summing to one
    float stand = 0;                 ///< share of the standing pose, in [0, 1]
  };
  /// Takes the phase on by `seconds`, which may be no longer than a cycle. Returns the way over the floor and the turn,
  /// seen from where it was.
  motion::GroundFrame advance(Blend& blend, double seconds) const;
  /// The pose of a body that stands at `place`. `time` is that of the standing pose, which breathes, in seconds.
  void pose(const Blend& blend, const motion::GroundFrame& place, double time, motion::StreamPose& pose) const;
  /// By how much the hips face to the left of where the character goes, radians: they swing with every step, and
  /// whoever steers a body should not follow them.
  [[nodiscard]] float swing(const Blend& blend) const;

 private:
  /// What an example does in one piece of the cycle.
  struct Piece {
    float seconds = 0, ahead = 0, aside = 0, turn = 0;
  };
  /// What it is at the boundary of two.
  struct Mark {
    float height = 0;  ///< of the root, metres
    float swing = 0;   ///< radians
    std::uint8_t planted = 0;
    std::uint32_t frame = 0;  ///< of the clip
  };
  /// A moment between two boundaries.
  struct Between {
    std::size_t piece = 0, next = 0;
    float share = 0;
  };

  Gait() = default;
  void read(const blend::BlendSpace& space);
  void close(std::vector<Quat>& rotations, std::vector<float>& heights);
  Result<void> stand_as(const motion::Clip& clip);
  void stand_as_slowest();
  void align_standing();
  [[nodiscard]] Between between(double phase) const;
  [[nodiscard]] const Piece& piece(std::size_t k, std::size_t c) const { return pieces_[k * examples() + c]; }
  [[nodiscard]] const Mark& mark(std::size_t k, std::size_t c) const { return marks_[k * examples() + c]; }

  std::shared_ptr<const motion::Skeleton> skeleton_;
  std::vector<std::string> names_;
  std::size_t count_ = 0;  ///< of pieces
  std::vector<Velocity> velocities_;
  std::vector<float> durations_;  ///< of the cycles, seconds
  std::vector<Piece> pieces_;     ///< pieces × examples
  std::vector<Mark> marks_;       ///< pieces × examples, each at the beginning of the piece
  std::vector<Quat> rotations_;   ///< pieces × examples × joints; the root's seen from its heading
  std::array<float, motion::kFootParts> standing_heights_{};
  std::vector<Quat> stand_rotations_;  ///< frames × joints
  std::vector<float> stand_heights_;   ///< frames
  double stand_rate_ = 30;
};

}  // namespace loom::crowd
