// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <loom/motion/body.h>
#include <loom/motion/frame_rate_check.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/mass_centre.h>

namespace loom::motion {
namespace {

constexpr double kGravity = 9.81;           // m/s²
constexpr float kInAir = 0.05f;             // metres all parts of both feet are above their resting height in flight
constexpr float kHandsInAir = 0.3f;         // metres hands, knees, hips and head are above the floor
constexpr std::size_t kShortestFlight = 6;  // frames; fewer do not tell an acceleration
constexpr double kParabolaMiss = 0.004;     // metres, root mean square, that a falling body strays from its parabola
constexpr double kHalvesDiffer = 0.3;       // share by which the two halves of a fall may differ in acceleration

// Step length over step frequency is nearly constant in human walking (Sekiya and Nagasaki 1998: about 0.0065 m for a
// step a minute in adults, whose legs are 0.85 m from hip to ankle).
constexpr double kWalkRatio = 0.0065;
constexpr double kUsualLeg = 0.85;  // metres
constexpr std::size_t kFewestSteps = 4;
constexpr double kShortestStep = 0.35;  // metres; shorter ones are shuffled at any rhythm
constexpr double kUnevenSteps = 0.3;    // share the middle half of the steps may spread over

std::size_t index(int i) { return static_cast<std::size_t>(i); }

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A parabola through heights a frame apart, by least squares.
struct Parabola {
  double acceleration = 0;  ///< metres a frame²
  double miss = 0;          ///< root mean square, metres
};

Parabola fit_parabola(std::span<const double> heights) {
  // Orthogonal polynomials on equal steps: constant, linear and quadratic parts are independent of each other.
  const auto n = static_cast<double>(heights.size());
  const double middle = (n - 1) / 2, spread = (n * n - 1) / 12;
  double constant = 0, linear = 0, quadratic = 0, linear_norm = 0, quadratic_norm = 0;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const double t = static_cast<double>(i) - middle, q = t * t - spread;
    constant += heights[i] / n;
    linear += heights[i] * t, linear_norm += t * t;
    quadratic += heights[i] * q, quadratic_norm += q * q;
  }
  linear /= linear_norm;
  quadratic /= quadratic_norm;
  double squares = 0;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    const double t = static_cast<double>(i) - middle;
    const double off = heights[i] - constant - linear * t - quadratic * (t * t - spread);
    squares += off * off;
  }
  return {2 * quadratic, std::sqrt(squares / n)};
}

/// Metres a frame² of a body that falls freely over these heights; nothing where it does not fall freely.
std::optional<double> fall_of(std::span<const double> heights) {
  if (heights.size() < kShortestFlight) return {};
  const Parabola whole = fit_parabola(heights);
  if (whole.miss > kParabolaMiss || whole.acceleration >= 0) return {};
  const std::size_t half = heights.size() / 2 + 1;
  if (heights.size() >= 2 * kShortestFlight) {
    const double first = fit_parabola(heights.first(half)).acceleration;
    const double second = fit_parabola(heights.last(half)).acceleration;
    if (std::abs(first - second) > -kHalvesDiffer * (first + second)) return {};
  }
  return -whole.acceleration;
}

std::optional<RateEstimate> rate_by_falling(const Clip& clip, const WorldPoses& poses, const Contacts& contacts,
                                            const Body& body) {
  const std::vector<Vec3> centre = mass_centre(poses, body);
  std::vector<int> leaning;
  for (const int joint :
       {body.left_arm.end, body.right_arm.end, body.left_leg.middle, body.right_leg.middle, body.hips, body.head}) {
    if (joint >= 0) leaning.push_back(joint);
  }
  const auto in_air = [&](std::size_t f) {
    if (contacts.planted[f] != 0) return false;
    for (std::size_t part = 0; part < kFootParts; ++part) {
      const Vec3& p = poses.position(f, index(contacts.points[part]));
      if (p.y - contacts.ground.at(p) - contacts.rest_height[part] < kInAir) return false;
    }
    // Nor does it lean on its hands or roll.
    for (const int joint : leaning) {
      const Vec3& p = poses.position(f, index(joint));
      if (p.y - contacts.ground.at(p) < kHandsInAir) return false;
    }
    return true;
  };
  std::vector<double> rates, heights;
  for (std::size_t f = 0; f <= clip.frames(); ++f) {
    if (f < clip.frames() && in_air(f)) {
      heights.push_back(centre[f].y);
      continue;
    }
    if (const auto fall = fall_of(heights)) rates.push_back(std::sqrt(kGravity / *fall));
    heights.clear();
  }
  if (rates.empty()) return {};
  return RateEstimate{median(rates), true, static_cast<int>(rates.size())};
}

/// The frames in which a foot starts to carry alone, left and right in turn.
std::vector<std::size_t> step_frames(const Contacts& contacts) {
  std::vector<std::size_t> steps;
  Stance last = Stance::kDouble;
  for (const ContactPhase& phase : contact_phases(contacts)) {
    if (phase.stance == Stance::kFlight) return {};  // no walk
    if (phase.stance == Stance::kDouble || phase.stance == last) continue;
    steps.push_back(phase.begin);
    last = phase.stance;
  }
  return steps;
}

std::optional<RateEstimate> rate_by_walking(const Clip& clip, const WorldPoses& poses, const Contacts& contacts,
                                            const Body& body) {
  const std::vector<std::size_t> steps = step_frames(contacts);
  const std::vector<GroundFrame> ground = GroundFrameFinder(*clip.skeleton).find(clip);
  const auto bone = [&](int a, int b) { return distance(poses.position(0, index(a)), poses.position(0, index(b))); };
  const Limb& leg = body.left_leg;
  const double scale = (bone(leg.upper, leg.middle) + bone(leg.middle, leg.end)) / kUsualLeg;
  std::vector<double> rates;
  // The first and the last step start and stop the walk.
  for (std::size_t i = 1; i + 2 < steps.size(); ++i) {
    const GroundFrame &from = ground[steps[i]], &to = ground[steps[i + 1]];
    const Vec3 way = to.position() - from.position();
    const double frames = static_cast<double>(steps[i + 1] - steps[i]);
    const bool forward = dot(way, from.forward()) > 0.9f * length(way) && dot(way, to.forward()) > 0.9f * length(way);
    if (!forward || length(way) < kShortestStep * scale) continue;
    // length / (60 rate / frames) = kWalkRatio, of which both sides grow with the legs.
    rates.push_back(length(way) * frames / (60 * kWalkRatio * scale));
  }
  if (rates.size() < kFewestSteps) return {};
  std::sort(rates.begin(), rates.end());
  const double usual = rates[rates.size() / 2];
  if (rates[rates.size() * 3 / 4] - rates[rates.size() / 4] > kUnevenSteps * usual) return {};
  return RateEstimate{usual, false, static_cast<int>(rates.size())};
}

}  // namespace

std::optional<RateEstimate> estimate_rate(const Clip& clip, const WorldPoses& poses, const Contacts& contacts) {
  const Body body = find_body(*clip.skeleton);
  if (!body.has_legs() || clip.frames() == 0) return {};
  if (auto by_fall = rate_by_falling(clip, poses, contacts, body)) return by_fall;
  return rate_by_walking(clip, poses, contacts, body);
}

}  // namespace loom::motion
