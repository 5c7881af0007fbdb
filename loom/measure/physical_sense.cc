// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <loom/base/whole.h>
#include <loom/measure/detail/parabola.h>
#include <loom/measure/physical_sense.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/mass_centre.h>

namespace loom::measure {
namespace {

constexpr double kGravity = 9.81;         ///< metres a second squared
constexpr std::size_t kFewestFrames = 6;  ///< of a flight, for a parabola to be told from noise
constexpr double kReach = 0.1;            ///< seconds to either side of an acceleration
constexpr double kSoleRadius = 0.045;     ///< metres around each part of a foot on which it can press

struct Place {
  double x = 0, z = 0;
};

Place operator-(Place a, Place b) { return {a.x - b.x, a.z - b.z}; }
double cross(Place a, Place b) { return a.x * b.z - a.z * b.x; }
double dot(Place a, Place b) { return a.x * b.x + a.z * b.z; }

double distance_to_segment(Place p, Place a, Place b) {
  const Place along = b - a;
  const double squared = dot(along, along);
  const double t = squared > 0 ? std::clamp(dot(p - a, along) / squared, 0.0, 1.0) : 0.0;
  const Place off = p - Place{a.x + t * along.x, a.z + t * along.z};
  return std::hypot(off.x, off.z);
}

bool in_triangle(Place p, Place a, Place b, Place c) {
  const double u = cross(b - a, p - a), v = cross(c - b, p - b), w = cross(a - c, p - c);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

/// From a point to what at most four others enclose; zero inside. A convex polygon is the union of its corners'
/// triangles, and nearest to a point outside is one of their sides.
double distance_to_hull(Place p, const std::vector<Place>& corners) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    for (std::size_t j = i; j < corners.size(); ++j) {
      least = std::min(least, distance_to_segment(p, corners[i], corners[j]));
      for (std::size_t k = j + 1; k < corners.size(); ++k) {
        if (i != j && in_triangle(p, corners[i], corners[j], corners[k])) return 0;
      }
    }
  }
  return least;
}

std::vector<Vec3> centre_of(const motion::Clip& clip, const motion::WorldPoses& poses) {
  return motion::mass_centre(poses, motion::find_body(*clip.skeleton));
}

}  // namespace

std::vector<Flight> find_flights(const motion::Clip& clip, const motion::Contacts& contacts) {
  std::vector<Flight> flights;
  const std::vector<Vec3> centre = centre_of(clip, motion::forward_kinematics(clip));
  if (centre.empty() || contacts.planted.size() != centre.size()) return flights;
  for (const motion::ContactPhase& phase : motion::contact_phases(contacts)) {
    if (phase.stance != motion::Stance::kFlight || phase.end - phase.begin < kFewestFrames) continue;
    std::vector<double> heights;
    for (std::size_t f = phase.begin + 1; f + 1 < phase.end; ++f) heights.push_back(static_cast<double>(centre[f].y));
    flights.push_back({phase.begin, phase.end, -fit_parabola(heights).acceleration * clip.rate * clip.rate});
  }
  return flights;
}

std::vector<double> zero_moment_outside(const motion::Clip& clip, const motion::Contacts& contacts) {
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  const std::vector<Vec3> centre = centre_of(clip, poses);
  if (centre.empty() || contacts.planted.size() != centre.size()) return {};
  std::vector<double> outside(centre.size(), std::numeric_limits<double>::quiet_NaN());
  const std::size_t reach = std::max<std::size_t>(1, to_whole<std::size_t>(std::round(kReach * clip.rate)));
  const double seconds = static_cast<double>(reach) / clip.rate;
  std::vector<Place> corners;
  for (std::size_t f = reach; f + reach < centre.size(); ++f) {
    corners.clear();
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      if ((contacts.planted[f] >> part & 1) == 0 || contacts.points[part] < 0) continue;
      const Vec3 p = poses.position(f, static_cast<std::size_t>(contacts.points[part]));
      corners.push_back({static_cast<double>(p.x), static_cast<double>(p.z)});
    }
    if (corners.empty()) continue;
    const auto bends = [&](float Vec3::*axis) {
      const auto at = [&](std::size_t frame) { return static_cast<double>(centre[frame].*axis); };
      return (at(f + reach) - 2 * at(f) + at(f - reach)) / (seconds * seconds);
    };
    const double pressed = kGravity + bends(&Vec3::y);
    if (pressed < 0.2 * kGravity) continue;  // hardly on the floor: the force has no place
    const Vec3 c = centre[f];
    const double lever = static_cast<double>(c.y - contacts.ground.at(c)) / pressed;
    const Place point{static_cast<double>(c.x) - lever * bends(&Vec3::x),
                      static_cast<double>(c.z) - lever * bends(&Vec3::z)};
    outside[f] = std::max(0.0, distance_to_hull(point, corners) - kSoleRadius);
  }
  return outside;
}

}  // namespace loom::measure
