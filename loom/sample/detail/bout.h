// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/base/random.h>
#include <loom/sample/detail/score.h>

namespace loom::sample {

/// A direction a blow is aimed in, seen from the shoulder or the hip it comes from.
struct Aim {
  double azimuth = 0;    ///< radians to the left of where the fighter faces
  double elevation = 0;  ///< radians up
};

/// A stretch of fighting, written move by move from a left-foot-forward boxing stance: every move begins at the clock
/// and sets it forward to when the stance is back.
class Bout {
 public:
  enum class Opening { kInStance, kStanding };

  /// The performer faces +Z at the origin, in the stance, or standing at ease and taking it up.
  Bout(Random& random, Opening opening);

  void wait(double seconds) { clock_ += seconds; }
  /// Moves by `by` (metres in the stance's frame, radians of turn), the feet one after the other and never crossed.
  void step(const motion::GroundFrame& by, const std::string& name);
  /// A straight punch. Returns where the wrist is at the stroke, world, metres.
  Vec3 punch(Side side, const Aim& aim);
  /// A punch that comes from the side, at the height of the chin.
  void hook(Side side);
  /// A front kick. Returns where the ankle is at the stroke, world, metres.
  Vec3 kick(Side side, const Aim& aim);
  void slip(Side side);   ///< the head out of the line, to that side
  void weave(Side side);  ///< down and under, from the other side to that side
  void lean_back();
  void block();  ///< both arms up before the head
  /// Takes a blow to the head that throws it `towards` (radians to the left of straight back), `hard` from 0 to 1, and
  /// makes `steps` steps that way.
  void take_to_head(double towards, double hard, int steps);
  /// Takes a blow to the body: folds over it.
  void take_to_body(double hard, int steps);
  /// Back to standing at ease.
  void relax();

  /// When the last blow hit, seconds.
  [[nodiscard]] double stroke() const { return stroke_; }
  [[nodiscard]] double clock() const { return clock_; }
  /// The score with everything in it, `after` seconds longer than the last move.
  [[nodiscard]] Score finish(double after);

 private:
  void lift(Side side, double up);
  void set_down(Side side, double down, const motion::GroundFrame& print, double raise);
  [[nodiscard]] motion::GroundFrame print_of(Side side) const;
  /// The score so far with the stance and the guard of the hands put under all moves.
  [[nodiscard]] Score in_guard() const;
  void reel(double towards, double hard, int steps);
  void turn_body(double begin, double peak, double end, double hips, double shoulders);
  void name(const std::string& what, double begin, double end);

  Random& random_;
  Score score_;
  motion::GroundFrame stance_{};  ///< where the fighter is
  double heading_ = 0;            ///< the same as stance_.heading, not wrapped
  double clock_ = 0;
  double stroke_ = 0;
  Vec3 guard_[2];    ///< where this performer holds the hands, in the chest's frame, metres
  double side_on_;   ///< radians the hips are turned to the right of the opponent
  Curve in_stance_;  ///< 0 standing at ease, 1 in the stance
  Curve weight_;     ///< share on the left foot
};

}  // namespace loom::sample
