// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/sample/detail/foot_plan.h>

namespace loom::sample {
namespace {

/// From this share of its length less than straight on a leg that swings is stretched reluctantly, so that no knee
/// snaps.
constexpr double kSwingBend = 0.06;

/// A value with its first two derivatives in time.
struct Moving {
  double value = 0, velocity = 0, acceleration = 0;
};

/// The ankle relative to the point of the floor the foot rolls about, for a foot of this pitch: forward and up.
struct Rolled {
  Moving forward, up;
};

/// `forward`, `up`: the ankle seen from the pivot when the foot is flat.
Rolled roll(double forward, double up, const Moving& pitch) {
  const double c = std::cos(pitch.value), s = std::sin(pitch.value);
  // Toes up turns forward into up: (f, u) -> (f c - u s, f s + u c).
  const double f = forward * c - up * s, u = forward * s + up * c;
  const double w = pitch.velocity, a = pitch.acceleration;
  return {{f, -w * u, -a * u - w * w * f}, {u, w * f, a * f - w * w * u}};
}

/// The foot as one plant has it, with derivatives: along the print's forward, upward, and pitch.
struct Stance {
  Moving forward, up, pitch;
  double toe = 0, toe_velocity = 0;
  double toes_up = 0;  ///< radians the toes are turned up from the floor; below 0 they stand on their ends
};

/// The pitch left during the strike: the foot is on its way down when it touches the floor and comes to rest on it.
Moving strike_pitch(const Plant& plant, double time) {
  const double t = plant.strike_time, u = (time - plant.down) / t;
  if (!(u < 1) || plant.strike == 0) return {};
  const double c = std::max(0.0, u), r = 1 - c;
  return {plant.strike * r * r * r * (1 + c), -plant.strike * r * r * (2 + 4 * c) / t,
          12 * plant.strike * c * r / (t * t)};
}

/// A rise to `angle` over the last `seconds` before `up`: slow at first, and still rising at the end.
Moving rising(double angle, double seconds, double power, double up, double time) {
  const double u = 1 - (up - time) / seconds;
  if (!(u > 0) || angle == 0) return {};
  const double r = std::min(1.0, u), a = angle * std::pow(r, power - 2), rate = power / seconds;
  return {a * r * r, rate * a * r, rate * (power - 1) / seconds * a};
}

/// How far the heel has risen.
Moving release_pitch(const Plant& plant, double time) {
  return rising(plant.release, plant.release_time, plant.release_power, plant.up, time);
}

/// How far the toes have: only when the heel is well up.
Moving tip_pitch(const Plant& plant, double time) {
  constexpr double kShare = 0.42;  // of the time the heel takes
  return rising(plant.tip, kShare * plant.release_time, 3, plant.up, time);
}

Moving operator-(const Moving& a) { return {-a.value, -a.velocity, -a.acceleration}; }
Moving operator+(const Moving& a, const Moving& b) {
  return {a.value + b.value, a.velocity + b.velocity, a.acceleration + b.acceleration};
}

Stance stance_at(const Plant& plant, double time, double raise) {
  const Moving strike = strike_pitch(plant, time);
  if (strike.value > 0) {
    const Rolled ankle = roll(kHeelBack, kAnkleHeight, strike);
    Stance result{ankle.forward, ankle.up, strike};
    result.forward.value -= kHeelBack;
    return result;
  }
  const Moving toes = -tip_pitch(plant, time);
  const Moving pitch = strike + -release_pitch(plant, time) + Moving{-plant.raise - raise, 0, 0};
  const Rolled ball = roll(-kToeLength, kBallHeight - kToeTipHeight, toes);
  const Rolled ankle = roll(-kBallForward, kAnkleHeight - kBallHeight, pitch);
  const Moving bend = toes + -pitch;
  Stance result{ball.forward + ankle.forward, ball.up + ankle.up, pitch, bend.value, bend.velocity, toes.value};
  result.forward.value += kBallForward + kToeLength;
  result.up.value += kToeTipHeight;
  return result;
}

/// Where along the foot it presses on the floor, metres forward of the ankle: from the heel after the strike over the
/// middle to the ball before the release (Winter 2009 §5.2).
double pressure_forward(const Plant& plant, double time, double raise) {
  constexpr double kHeel = 0.0, kBall = 0.175;
  const double stay = plant.up - plant.down;
  const double loading = std::min(0.12, 0.25 * stay), leaving = std::min(0.5, 0.8 * stay);
  const double heel = plant.strike > 0.2 ? 1 - ease((time - plant.down) / loading) : 0;
  const double rolled = plant.release > 0 ? ease(1 - (plant.up - time) / leaving) : 0;
  const double on_ball = std::max(
      {rolled, ease((plant.raise + raise) / 0.4), plant.strike < 0 ? 1 - ease((time - plant.down) / loading) : 0});
  return plant.pressure + heel * (kHeel - plant.pressure) + on_ball * (kBall - plant.pressure);
}

Vec3 place(const Plant& plant, double forward, double up) {
  return motion::transform(plant.print, {0, static_cast<float>(up), static_cast<float>(forward)});
}

FootPose pose_in(const Plant& plant, double time, double raise) {
  const Stance stance = stance_at(plant, time, raise);
  FootPose pose;
  pose.ankle = place(plant, stance.forward.value, stance.up.value);
  pose.yaw = plant.print.heading;
  pose.pitch = stance.pitch.value;
  pose.toe = stance.toe;
  pose.planted = true;
  const double from_rest = std::hypot(stance.forward.value, stance.up.value - kAnkleHeight);
  pose.heel_fixed = from_rest < kContactSlip;
  pose.straight = kStraightLeg;
  if (plant.strike != 0) pose.straight -= plant.bend * strike_pitch(plant, time).value / plant.strike;
  // About the heel and about the ends of the toes the ball moves up and down, about itself it does not move.
  pose.toe_fixed = stance.pitch.value <= 0 ? -kToeLength * stance.toes_up < kContactSlip
                                           : (kHeelBack + kBallForward) * stance.pitch.value < kContactSlip;
  pose.pressure = place(plant, pressure_forward(plant, time, raise), 0);
  return pose;
}

constexpr double kBump = 6;     ///< how hard a foot is braked by the floor, relative to the mean
constexpr double kHang = 0.46;  ///< radians a foot that has pushed off hard points down
/// Share of a swing until the foot hangs free, and of its end in which it is set for the floor.
constexpr double kFreeing = 0.32, kSetting = 0.4;
constexpr double kClearance = 0.004;  ///< metres a swinging foot stays above the floor

/// How freely the foot hangs at `u` of a swing, 0 to 1.
double freedom(double u) { return ease(u / kFreeing) * ease((1 - u) / kSetting); }

/// Whether the foot is lifted for a kick rather than pushed off for a step or a jump: its knee may then snap straight,
/// and its toes stay as they are.
bool lifted_to_kick(const Plant& from, const Plant& to) {
  constexpr double kPushed = 0.4;  // radians of heel rise
  return !to.way.empty() && from.release < kPushed;
}

}  // namespace

double swing_arch(double share, double peak) {
  const double p = std::pow(std::clamp(share, 0.0, 1.0), std::log(0.5) / std::log(peak));
  return 64 * p * p * p * (1 - p) * (1 - p) * (1 - p);
}

Quat FootPose::rotation() const {
  return axis_angle({0, 1, 0}, static_cast<float>(yaw)) * axis_angle({1, 0, 0}, static_cast<float>(-pitch));
}

FootTrack::FootTrack(std::vector<Plant> plants) : plants_(std::move(plants)) {
  for (std::size_t i = 0; i + 1 < plants_.size(); ++i) {
    swings_.push_back(make_swing(plants_[i], plants_[i + 1]));
    if (plants_[i + 1].way.empty()) clear_the_floor(swings_.back(), plants_[i], plants_[i + 1]);
  }
}

FootTrack::Swing FootTrack::make_swing(const Plant& from, const Plant& to) {
  const Stance a = stance_at(from, from.up, 0), b = stance_at(to, to.down, 0);
  const auto key = [](Curve& curve, double time, const Moving& m) {
    curve.key(time, m.value, m.velocity, m.acceleration);
  };
  const auto along = [](const Moving& forward, double direction, float origin) {
    return Moving{origin + direction * forward.value, direction * forward.velocity, direction * forward.acceleration};
  };
  Swing swing;
  const double yaw_a = from.print.heading, yaw_b = yaw_a + wrap_angle(to.print.heading - from.print.heading);
  // A foot comes down with a bump: its speed ends at the floor, its deceleration does not.
  const double time = to.down - from.up;
  const auto land = [&](double from_value, Moving m, double brake) {
    m.acceleration -= brake * (m.value - from_value) / (time * time);
    return m;
  };
  const Moving ax = along(a.forward, std::sin(yaw_a), from.print.x),
               az = along(a.forward, std::cos(yaw_a), from.print.z);
  const Moving bx = along(b.forward, std::sin(yaw_b), to.print.x), bz = along(b.forward, std::cos(yaw_b), to.print.z);
  key(swing.x, from.up, ax);
  key(swing.x, to.down, land(ax.value, bx, to.brake));
  key(swing.z, from.up, az);
  key(swing.z, to.down, land(az.value, bz, to.brake));
  key(swing.y, from.up, a.up);
  key(swing.y, to.down, land(a.up.value + to.lift, b.up, kBump));
  key(swing.pitch, from.up, a.pitch);
  key(swing.pitch, to.down, b.pitch);
  // A foot that has pushed off points down, the more the harder, and is drawn up by the time it passes the other.
  const double pushed = std::clamp((from.release - 0.2) / 0.4, 0.0, 1.0);
  swing.hang.key(from.up, to.hang + pushed * std::max(0.0, kHang - to.hang))
      .key(0.5 * (from.up + to.down), to.hang)
      .key(to.down, to.hang);
  swing.yaw.key(from.up, yaw_a).key(to.down, yaw_b);
  // The toes straighten once they are free; the faster the foot leaves the less time they take.
  const double relaxed = from.up + std::min({0.17, 1.7 / std::max(1.0, a.toe_velocity), 0.5 * time});
  swing.toe.key(from.up, a.toe, a.toe_velocity, 0)
      .key(relaxed, lifted_to_kick(from, to) ? a.toe : 0.06, 0, 0)
      .key(to.down, b.toe, b.toe_velocity, 0);
  for (const SwingKey& pass : to.way) {
    swing.x.key(pass.time, pass.ankle.x);
    swing.y.key(pass.time, pass.ankle.y);
    swing.z.key(pass.time, pass.ankle.z);
    swing.hang.key(pass.time, pass.hang);
    swing.yaw.key(pass.time, yaw_a + wrap_angle(static_cast<float>(pass.yaw - yaw_a)));
  }
  return swing;
}

void FootTrack::clear_the_floor(const Swing& swing, const Plant& from, Plant& to) {
  constexpr int kLooks = 24;
  double lift = to.lift;
  for (int i = 2; i + 1 < kLooks; ++i) {
    const double u = static_cast<double>(i) / kLooks, t = from.up + u * (to.down - from.up);
    if (freedom(u) > 0.5) continue;  // then the foot is held clear by itself
    const double pitch = swing.pitch(t), toe = pitch + swing.toe(t), y = swing.y(t);
    const double ball =
        y - (kAnkleHeight - kBallHeight) * std::cos(pitch) + kBallForward * std::sin(pitch) - kBallHeight;
    const double tip = ball + kToeLength * std::sin(toe);
    const double heel = y - kAnkleHeight * std::cos(pitch) - kHeelBack * std::sin(pitch);
    lift = std::max(lift, (kClearance - std::min({ball, tip, heel})) / std::max(0.05, swing_arch(u, to.lift_peak)));
  }
  to.lift = lift;
}

std::size_t FootTrack::plant_before(double time) const {
  const auto after = std::upper_bound(plants_.begin(), plants_.end(), time,
                                      [](double t, const Plant& plant) { return t < plant.down; });
  return after == plants_.begin() ? 0 : static_cast<std::size_t>(after - plants_.begin()) - 1;
}

bool FootTrack::planted(double time) const {
  const Plant& plant = plants_[plant_before(time)];
  return time >= plant.down && time <= plant.up;
}

FootPose FootTrack::at(double time, double raise) const {
  const std::size_t i = plant_before(time);
  const Plant& plant = plants_[i];
  if (time <= plant.up || i + 1 == plants_.size()) return pose_in(plant, time, raise);
  const Swing& swing = swings_[i];
  const Plant& next = plants_[i + 1];
  FootPose pose;
  const double u = (time - plant.up) / (next.down - plant.up);
  pose.ankle = Vec3{static_cast<float>(swing.x(time)),
                    static_cast<float>(swing.y(time) + next.lift * swing_arch(u, next.lift_peak)),
                    static_cast<float>(swing.z(time))} +
               next.bulge * static_cast<float>(swing_arch(u, next.bulge_peak));
  pose.yaw = swing.yaw(time);
  pose.pitch = swing.pitch(time);
  pose.toe = swing.toe(time);
  pose.free = freedom(u);
  pose.hang = swing.hang(time);
  pose.straight = kStraightLeg - next.bend * u - (lifted_to_kick(plant, next) ? 0 : kSwingBend * 4 * u * (1 - u));
  pose.pressure = lerp(place(plant, kBallForward, 0), place(next, 0, 0), static_cast<float>(u));
  return pose;
}

}  // namespace loom::sample
