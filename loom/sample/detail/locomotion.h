// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <loom/base/random.h>
#include <loom/sample/detail/score.h>

namespace loom::sample {

/// Where a body is to go: its velocity over the floor in its own frame, over time.
struct Drive {
  Curve forward{0.0};  ///< metres a second
  Curve side{0.0};     ///< to the left, metres a second
  Curve turn{0.0};     ///< to the left, radians a second
  Curve run{0.0};      ///< 0 walks, 1 runs
  Curve crouch{0.0};   ///< metres the body is kept lower
};

/// Something to be stepped over: the next swing of each foot that begins after this time is arched higher.
struct HighStep {
  double after = 0;  ///< seconds
  double lift = 0;   ///< metres
};

struct StepOptions {
  double begin = 0;        ///< seconds: the first foot leaves the floor; ignored when `from_stand` is false
  double end = 0;          ///< seconds: the last foot comes down; ignored when `to_stand` is false
  bool from_stand = true;  ///< begins standing; otherwise the steps have always been going on
  bool to_stand = true;    ///< ends standing
  double tempo = 1;        ///< cadence relative to what the speed asks for
  Side first = kRight;     ///< the foot that steps first
  double phase = 0;        ///< of the gait at time 0 when it has always been going on
  std::optional<HighStep> high;
};

/// Adds to `score` a walk or run along `drive`: heading, footsteps in the rhythm of the speed, height and gait.
///
/// Each foot is put down so that the body is above it in the middle of its stay, corrected for the body's acceleration
/// (Raibert 1986), which makes the body follow the drive through starts, stops and turns. Sideways the feet close up
/// and open again and never cross.
void add_steps(Score& score, const Drive& drive, const StepOptions& options, Random& random);

/// The feet of somebody standing at `where`.
motion::GroundFrame standing_print(const motion::GroundFrame& where, Side side);

/// Adds feet that stand at the origin for the whole score.
void add_standing(Score& score);

}  // namespace loom::sample
