// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/crowd/reciprocal.h>

namespace loom::crowd {

HalfPlane reciprocal_plane(const Seen& self, const Seen& other, float horizon, float share, float step) {
  const Flat to = other.place - self.place, relative = self.velocity - other.velocity;
  const float radius = self.radius + other.radius, apart = length(to);
  // The disc that cuts the cone off: who is in it touches at the end of the horizon. Overlapping, it is all there is.
  const float seconds = apart > radius ? horizon : step;
  const Flat middle = to * (1 / seconds);
  const float size = radius / seconds;
  Flat normal;    // out of the cone, at the point of its boundary that is nearest
  float out = 0;  // how far it is to there; negative outside
  const Flat from_middle = relative - middle;
  const float along = dot(from_middle, to);
  if (apart <= radius || (along < 0 && along * along > radius * radius * dot(from_middle, from_middle))) {
    // In front of the disc, as seen from the apex: nearest is the disc.
    normal = normalized(from_middle, normalized(-to));
    out = size - length(from_middle);
  } else {
    // Nearest is a leg: the tangent from the apex to the disc, on the side where the velocity is.
    const float leg = std::sqrt(std::max(apart * apart - radius * radius, 0.0f));
    const Flat ahead = to * (1 / apart), left = left_of(ahead);
    const float side = dot(relative, left) >= 0 ? 1.0f : -1.0f;
    const float cosine = leg / apart, sine = radius / apart;
    normal = left * (side * cosine) - ahead * sine;
    out = -dot(normal, relative);
  }
  return {normal, dot(normal, self.velocity) + share * out};
}

}  // namespace loom::crowd
