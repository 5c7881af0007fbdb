// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/body_capsules.h>
#include <loom/motion/hinges.h>
#include <loom/motion/skeleton.h>
#include <loom/motion/stream.h>

namespace loom::fight {

/// A body to be kept out of others, in the memory of whoever shows it.
struct SolidBody {
  Vec3 root;                  ///< metres, world
  std::span<Quat> rotations;  ///< one a joint
  std::span<Vec3> positions;  ///< where all points are, kept true
  std::span<Quat> world;      ///< how all joints are turned in the world, kept true
  std::uint8_t planted = 0;   ///< FootBits: legs that stand are not bent away
  Vec3 pushed;                ///< filled in: how far the body was moved along the floor, metres
};

struct SeparationOptions {
  float push_speed = 2.0f;     ///< metres a second at which a body is moved aside at most
  float stop_speed = 4.5f;     ///< metres a second by which a limb's end is slowed down at most
  float ease_seconds = 0.10f;  ///< in which a limb that was stopped goes back to its motion, about
  float clearance = 0.008f;    ///< metres that are kept between surfaces
  float push_ease = 8.0f;      ///< metres a second squared at which moving a body aside comes and goes at most
  std::size_t ahead = 0;       ///< steps that are foreseen before each (see `foresee`)
  std::size_t rounds = 5;      ///< corrections a step; what is left is mended in the next
};

/// Keeps bodies out of each other: limbs are stopped at the surface they meet, whole bodies are moved apart.
///
/// Pairs of capsules that overlap are pushed apart along the line between them (Müller 2007, position based dynamics):
/// a limb that is free gives way, bent by two-bone inverse kinematics; where none of the two can, both bodies are moved
/// along the floor. What a limb gave way by is kept from step to step and dies away, so it leaves the surface as
/// smoothly as it came; and the side it came from is remembered, so that a limb too quick for one step is not let out
/// at the far side. Where what is coming is told as well, limbs slow down before they meet what stops them, as those do
/// who see it: with what a limb will have to give way by, at most, in the moments ahead, smoothed over as many moments
/// (the look-ahead of a limiter). Allocates nothing once made.
class BodySeparation {
 public:
  /// For `count` bodies of one skeleton. `hinges` are its knees and elbows, as motion::find_hinges finds them.
  BodySeparation(const motion::Skeleton& skeleton, motion::BodyCapsules capsules, const motion::Hinges& hinges,
                 std::size_t count, const SeparationOptions& options = {});

  /// Looks at an instant that is coming if all goes on as it does: before each step, the instant of the step itself and
  /// `SeparationOptions::ahead` after it, in order. The bodies are separated on the spot, in the memory they lie in.
  void foresee(std::span<SolidBody> bodies, float seconds);

  /// Separates the bodies of this instant, `seconds` after the last. O(bodies²) looks; with the two looks
  /// ahead about 40 µs for a pair that is near. Bodies are told by their place in the list.
  void step(std::span<SolidBody> bodies, float seconds);

  /// Of a body, how far a limb is held back at this instant, metres.
  [[nodiscard]] float held_back(std::size_t body, motion::BodyPart limb) const;

 private:
  static constexpr std::size_t kLimbs = 4;
  using Offsets = std::array<Vec3, kLimbs>;
  /// What is known of a body.
  struct State {
    Offsets planned{};               ///< of the limbs' ends from where their motion has them, as foreseen
    Offsets offset{};                ///< the same on top of it, as it turned out
    Offsets begun{};                 ///< that at the beginning of this step
    Vec3 push_begun;                 ///< metres the body was going to be pushed then
    std::array<Vec3, kLimbs> end{};  ///< where their motion has them
    std::vector<Quat> raw;           ///< the pose without offsets
    std::vector<motion::Capsule> now, before;
    std::array<motion::Capsule, motion::kBodyParts> bounds{};  ///< balls around the parts
    bool changed = false;

    [[nodiscard]] Vec3 held(std::size_t limb) const { return planned[limb] + offset[limb]; }
  };
  /// What a body will have to give way by.
  struct Foresight {
    Offsets most{};               ///< of the instants told before this step
    Vec3 pace;                    ///< metres a second at which it has to go aside to be away in time
    std::vector<Offsets> before;  ///< `most` of the last steps, round and round
  };
  /// How far things may go in one step, metres.
  struct Bounds {
    float stop = 0;       ///< a limb
    float push = 0;       ///< a body
    float push_more = 0;  ///< a body, more or less than it was going to
  };
  /// The deepest overlap of two parts.
  struct Overlap {
    std::size_t one = 0, other = 0;  ///< capsules
    Vec3 normal;                     ///< from the other to the one
    float depth = 0, down_one = 0, down_other = 0;
  };

  [[nodiscard]] Vec3 held_end(const State& state, const SolidBody& body, std::size_t limb) const;
  void pose(State& state, SolidBody& body);
  void bound(State& state) const;
  [[nodiscard]] bool find_deepest(const State& one, const State& other, motion::BodyPart part,
                                  motion::BodyPart other_part, Overlap& found) const;
  void plan(std::size_t body, float seconds);
  void begin(State& state, SolidBody& body);
  void separate_all(std::vector<State>& states, std::span<SolidBody> bodies, const Bounds& bounds);
  bool separate(State& one, State& other, SolidBody& body, SolidBody& other_body, const Bounds& bounds) const;
  [[nodiscard]] bool give_way(State& state, motion::BodyPart part, Vec3 by, float down, float most) const;
  static void push(State& state, SolidBody& body, Vec3 by, const Bounds& bounds);
  [[nodiscard]] float freedom(const SolidBody& body, motion::BodyPart part, float down) const;

  const motion::Skeleton& skeleton_;
  motion::BodyCapsules capsules_;
  SeparationOptions options_;
  std::array<motion::Limb, kLimbs> limbs_;
  std::array<std::optional<Vec3>, kLimbs> hinges_;
  std::array<float, kLimbs> lengths_{};                               ///< metres
  std::array<float, kLimbs> folded_{};                                ///< metres from root to end where it is folded
  std::array<std::vector<std::size_t>, motion::kBodyParts> of_part_;  ///< capsules
  std::vector<State> states_, coming_;
  std::vector<Foresight> foresights_;
  std::vector<float> kernel_;  ///< weights of the last steps, this one first
  std::size_t steps_ = 0, foreseen_ = 0;
};

/// Stops the limbs of recorded bodies, all of one skeleton and one rate, at the surfaces of the others, frame by frame;
/// legs that stand and whole bodies stay where they are. For what was separated while it was made and changed a little
/// since, as planting feet does. O(frames × bodies²).
void keep_apart(std::span<motion::Recording> recordings, const motion::Hinges& hinges);

}  // namespace loom::fight
