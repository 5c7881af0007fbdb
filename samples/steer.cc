// SPDX-License-Identifier: MIT
// Steer a character: at sixty poses a second it does what a stick says, by motion matching.
//
// Prints:
//   0 s    0 cm ahead,   0 cm to the left, facing  0 degrees, playing start-run
//   1 s  121 cm ahead,   0 cm to the left, facing  0 degrees, playing start-run
//   2 s  261 cm ahead,   0 cm to the left, facing  1 degrees, playing walk-turn-left-135
//   3 s  390 cm ahead,  47 cm to the left, facing 41 degrees, playing walk-turn-left-60
//   4 s  449 cm ahead, 169 cm to the left, facing 88 degrees, playing walk-slow
//   5 s  446 cm ahead, 211 cm to the left, facing 92 degrees, playing stop-walk-1
#include <cmath>
#include <cstdio>
#include <numbers>

#include <loom/matching/matching.h>
#include <loom/polish/polished_stream.h>
#include <loom/take/gather.h>

#include "sample_library.h"

using namespace loom;

namespace {

/// What the player's hand does: two seconds ahead, two in a curve to the left, one at rest. A control is said in the
/// world, so a stick that means "ahead" is turned with the character.
motion::Control hand(double time, float heading) {
  motion::Control control;
  const float speed = time < 4 ? 1.4f : 0;  // metres a second
  control.velocity = {speed * std::sin(heading), 0, speed * std::cos(heading)};
  control.turn_rate = time >= 2 && time < 4 ? 0.8f : 0;  // radians a second, positive to the left
  return control;
}

Result<void> run() {
  const SampleLibrary samples({"walk", "walk-turn", "idle", "start", "stop"});
  const auto library = samples.open();
  if (!library) return fail_from(library);

  // What is made once, for all characters: the clips, the way each goes, and every frame as a point of a space in which
  // near means "goes on alike".
  auto source = take::gather(*library, {});
  if (!source) return fail_from(source);
  const auto motion = std::make_shared<const take::TakeSet>(std::move(source->motion));
  const auto features = matching::find_match_features(*motion);
  if (!features) return fail_from(features);

  // One character. What plays it knows only that it is a stream; `character` stays to be asked where it is.
  auto made = matching::MotionMatcher::create(motion, *features);
  if (!made) return fail_from(made);
  const matching::MotionMatcher& character = **made;
  auto stream = polish::PolishedStream::create(std::move(*made));  // its feet are held where they stand
  if (!stream) return fail_from(stream);

  // The game's own loop: control in, pose out, in memory of the caller's. Nothing here allocates.
  std::vector<Quat> rotations((*stream)->skeleton()->size());
  motion::StreamPose pose;
  pose.rotations = rotations;
  for (int tick = 0; tick <= 5 * 60; ++tick) {
    const double time = tick / 60.0;
    if (!(*stream)->next(hand(time, character.place().heading), pose)) break;
    if (tick % 60 != 0) continue;
    const motion::GroundFrame place = character.place();
    std::printf("%.0f s  %3ld cm ahead, %3ld cm to the left, facing %2ld degrees, playing %s\n", time,
                std::lround(100 * place.z), std::lround(100 * place.x),
                std::lround(place.heading * 180 / std::numbers::pi_v<float>), motion->title(pose.source.clip).c_str());
  }
  return {};
}

}  // namespace

int main() {
  const auto done = run();
  if (!done) std::fprintf(stderr, "%s\n", done.error().to_string().c_str());
  return done ? 0 : 1;
}
