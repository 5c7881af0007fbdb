// SPDX-License-Identifier: MIT
// Jumps from a stand to a stand: crouch, push, free flight, landing.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <loom/sample/detail/balance.h>
#include <loom/sample/detail/catalogue.h>
#include <loom/sample/detail/locomotion.h>
#include <loom/sample/detail/performer.h>
#include <loom/sample/detail/posture.h>

namespace loom::sample {
namespace {

constexpr double kStandBefore = 0.6;  ///< seconds of standing before

/// What a jump is asked to be.
struct Jump {
  double distance = 0;   ///< metres the feet are moved
  double direction = 0;  ///< radians to the left of forward
  double height = 0.3;   ///< metres the hips rise above standing
};

/// When things happen, and how fast, for a jump whose centre of mass rises by `rise` above standing.
struct Flight {
  Flight(double rise, double distance) : leaving(0.065 - 0.03 * distance), landing(-0.035 - 0.07 * distance) {
    crouch = 0.16 + 0.22 * rise;
    const double up = std::max(0.05, rise - leaving), fall = std::max(0.05, rise - landing);
    leave_speed = std::sqrt(2 * kGravity * up);
    land_speed = std::sqrt(2 * kGravity * fall);
    bottom = kStandBefore + 0.5;
    leave = bottom + 2.1 * (crouch + kPush) / leave_speed;
    apex = leave + leave_speed / kGravity;
    land = apex + land_speed / kGravity;
    absorbed = land + 0.23;
    end = absorbed + 0.75;
  }

  static constexpr double kPush = 0.085;  ///< metres above standing that the push is reckoned to

  /// Height of the centre of mass above standing when the toes leave the floor, metres: heels and arms are up, and legs
  /// not quite straight, less so the farther the way leads.
  double leaving;
  double landing;                                   ///< the same when they touch it, lower the farther the legs reach
  double crouch, leave_speed, land_speed;           ///< metres, metres a second
  double bottom, leave, apex, land, absorbed, end;  ///< seconds
};

void add_height(Score& score, const Flight& f) {
  const double give = 0.4 * f.land_speed * (f.absorbed - f.land) - f.landing;  // how deep the landing goes
  Curve height;
  height.key(kStandBefore, 0)
      .key(f.bottom, -f.crouch, 0, 4)
      .key(f.leave, f.leaving, f.leave_speed, -kGravity)
      .key(f.land, f.landing, -f.land_speed, -kGravity)
      .key(f.absorbed, -give, 0, 8)
      .key(f.end, 0);
  score.raise(height);
  score.ballistic = Curve(1);
}

/// What is found by trying: how high the centre of mass has to go for the hips to rise as wanted, and where the feet
/// are at the highest point, under the hips.
struct Effort {
  double rise = 0;               ///< above standing, metres
  std::array<Vec3, 2> ankles{};  ///< by side, world, metres
};

void add_feet(Score& score, const Flight& f, const Jump& jump, const Effort& effort) {
  const auto x = static_cast<float>(jump.distance * std::sin(jump.direction));
  const auto z = static_cast<float>(jump.distance * std::cos(jump.direction));
  for (const Side side : {kLeft, kRight}) {
    Plant from, to;
    from.print = standing_print({}, side);
    from.up = f.leave;
    from.release = 42 * kDeg;
    from.release_time = 0.3;
    to.print = standing_print({x, z, 0}, side);
    to.down = f.land;
    to.strike = jump.distance > 0.5 ? 4 * kDeg : -24 * kDeg;  // a long jump lands on the whole foot
    to.strike_time = 0.1;
    to.bend = 0.03;
    to.lift = 0;  // the way says how high
    to.hang = 0.35;
    to.way = {{f.apex, effort.ankles[side], to.print.heading, to.hang}};
    score.feet[side] = {from, to};
  }
}

/// The arms throw the body up, the trunk folds and opens.
void add_body(Score& score, const Flight& f, const Jump& jump, double rise, Random& random) {
  const double effort = std::clamp(0.55 + 1.1 * rise + 0.25 * jump.distance, 0.5, 1.25) * random.uniform(0.94, 1.06);
  const double ahead = jump.distance * std::cos(jump.direction), aside = jump.distance * std::sin(jump.direction);
  const double after = f.land + 0.12;
  const auto add = [&](Channel channel, double low, double up, double landing) {
    score.add(channel, Curve({{kStandBefore, 0},
                              {f.bottom, low * kDeg},
                              {f.leave, up * kDeg},
                              {0.5 * (f.apex + f.land), 0.5 * (up + landing) * kDeg},
                              {after, landing * kDeg},
                              {f.end, 0}}));
  };
  add(Channel::kPelvisPitch, 23 * effort + 8 * ahead, 2 + 18 * ahead, 20 * effort - 6 * ahead);
  add(Channel::kSpineFlex, 19 * effort, -6, 18 * effort + 10 * ahead);
  add(Channel::kHeadPitch, 6, -4, 12);
  add(Channel::kSpineSide, 10 * aside, 6 * aside, -8 * aside);
  add(Channel::kKneesOut, 6, 0, 6);
  for (const Side side : {kLeft, kRight}) {
    const double own = random.uniform(0.95, 1.05);
    const double swing = f.bottom - 0.14;
    score.add(arm_channel(Channel::kLeftArmFlex, side), Curve({{kStandBefore, 0},
                                                               {swing, -38 * effort * own * kDeg},
                                                               {f.leave + 0.06, 118 * effort * own * kDeg},
                                                               {f.land + 0.06, 40 * effort * kDeg},
                                                               {f.end + 0.1, 0}}));
    score.add(arm_channel(Channel::kLeftArmOut, side),
              Curve({{kStandBefore, 0}, {f.leave, 10 * kDeg}, {f.land, 20 * kDeg}, {f.end + 0.1, 0}}));
    score.add(arm_channel(Channel::kLeftElbow, side), Curve({{kStandBefore, 0},
                                                             {swing, 8 * kDeg},
                                                             {0.5 * (swing + f.leave), 42 * kDeg},
                                                             {f.leave + 0.05, 14 * kDeg},
                                                             {f.land + 0.1, 35 * kDeg},
                                                             {f.end + 0.1, 0}}));
  }
}

Score write_jump(std::uint64_t seed, const Jump& jump, const Effort& effort, Random random) {
  const Flight flight(effort.rise, jump.distance);
  Score score(seed, flight.end + 0.5);
  add_height(score, flight);
  add_feet(score, flight, jump, effort);
  add_body(score, flight, jump, effort.rise, random);
  score.spans = {{"idle", 0, kStandBefore},
                 {"jump", kStandBefore, flight.end},
                 {"flight", flight.leave, flight.land},
                 {"idle", flight.end, flight.end + 1}};
  return score;
}

/// A leg at the highest point, from the hip to the ankle, metres. People's knees are bent by some 40 degrees then, more
/// on a long way, and their thighs point forward by some 20 (118, 13 and 16 of the CMU capture).
Vec3 drawn_up(const Jump& jump) {
  const double ahead = jump.distance * std::cos(jump.direction);
  const double length = (0.94 - 0.03 * jump.distance) * kLegLength, forward = (3 + 3 * ahead) * kDeg;
  return {0, static_cast<float>(-length * std::cos(forward)), static_cast<float>(length * std::sin(forward))};
}

Piece jump_to(Random& random, const Jump& jump) {
  const std::uint64_t seed = random.bits();
  const Vec3 leg = drawn_up(jump);
  Effort effort{jump.height + 0.06};
  effort.ankles.fill({0, static_cast<float>(kAnkleHeight + jump.height), 0});
  constexpr int kTries = 5;
  for (int i = 0; i < kTries; ++i) {
    const Score score = write_jump(seed, jump, effort, random);
    const auto highest = sketch_points(score, Flight(effort.rise, jump.distance).apex);
    effort.ankles = {highest[kLeftUpLeg] + leg, highest[kRightUpLeg] + leg};
    effort.rise += jump.height - (highest[kHips].y - sketch_points(score, 0)[kHips].y);
  }
  Piece piece{write_jump(seed, jump, effort, random)};
  piece.stroke = Flight(effort.rise, jump.distance).apex;
  piece.parameters = {
      {"distance_m", jump.distance}, {"direction_deg", jump.direction / kDeg}, {"height_m", jump.height}};
  return piece;
}

}  // namespace

void add_jumps(Catalogue& catalogue) {
  const auto add = [&](const std::string& name, const std::string& group, const Jump& jump) {
    catalogue.push_back({name, group, [jump](Random& random) { return jump_to(random, jump); }});
  };
  add("jump-up", "jump", {0, 0, 0.32});
  add("jump-up-high", "jump", {0, 0, 0.42});
  add("jump-forward", "jump", {0.7, 0, 0.26});
  add("jump-forward-far", "jump", {1.1, 0, 0.34});
  int number = 1;
  for (const double height : {0.18, 0.32}) {
    for (const auto& [distance, degrees] : {std::pair{0.0, 0},
                                            {0.3, 0},
                                            {0.6, 0},
                                            {0.75, 0},
                                            {0.5, 45},
                                            {0.5, -45},
                                            {0.5, 90},
                                            {0.5, -90},
                                            {0.35, 180},
                                            {0.65, 20}}) {
      add(fmt::format("jump-family-{:02}", number++), "jump-family", {distance, degrees * kDeg, height});
    }
  }
}

}  // namespace loom::sample
