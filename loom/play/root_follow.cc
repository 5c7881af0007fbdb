// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/play/root_follow.h>

namespace loom::play {
namespace {

void draw_together(const RootFollow& options, const motion::GroundFrame& before, float seconds, Splice& splice,
                   Guide& guide) {
  motion::GroundFrame place = splice.place();
  const Vec3 own_way = place.position() - before.position();
  const float own_turn = wrap_angle(place.heading - before.heading);
  const float share = 1 - std::exp(-seconds / options.ease_seconds);

  // It makes the guide's step in place of its own, so that a new wish shows at once, and some of what lies between
  // them.
  const Vec3 apart = guide.place.position() - place.position();
  const Vec3 moved = at_most(apart * share + guide.velocity * seconds - own_way, options.most * length(own_way));
  const float turned_away = wrap_angle(guide.place.heading - place.heading);
  // A body that walks on can be turned a little by its steps, too.
  const float most_turn = options.most * std::abs(own_turn) + options.turn_a_metre * length(own_way);
  const float turned = std::clamp(turned_away * share + guide.turn_rate * seconds - own_turn, -most_turn, most_turn);
  place = {place.x + moved.x, place.z + moved.z, wrap_angle(place.heading + turned)};
  splice.move_to(place);

  const Vec3 leash = at_most(guide.place.position() - place.position(), options.leash_metres);
  const float ahead =
      std::clamp(wrap_angle(guide.place.heading - place.heading), -options.leash_radians, options.leash_radians);
  guide.place = {place.x + leash.x, place.z + leash.z, wrap_angle(place.heading + ahead)};
}

}  // namespace

Vec3 at_most(Vec3 v, float most) {
  const float n = length(v);
  return n > most ? v * (most / n) : v;
}

const char* to_string(RootSource source) {
  switch (source) {
    case RootSource::kMotion:
      return "motion";
    case RootSource::kBetween:
      return "between";
    case RootSource::kControl:
      return "control";
  }
  return "";
}

void follow(const RootFollow& options, const motion::GroundFrame& before, float seconds, Splice& splice, Guide& guide) {
  switch (options.source) {
    case RootSource::kMotion:
      guide.place = splice.place();
      break;
    case RootSource::kBetween:
      draw_together(options, before, seconds, splice, guide);
      break;
    case RootSource::kControl:
      splice.move_to(guide.place);
      break;
  }
}

}  // namespace loom::play
