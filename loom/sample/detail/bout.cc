// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/sample/detail/bout.h>
#include <loom/sample/detail/locomotion.h>
#include <loom/sample/detail/performer.h>
#include <loom/sample/detail/posture.h>

namespace loom::sample {
namespace {

constexpr double kNever = 1e3;           ///< seconds: after the end of any bout
constexpr double kRearHeel = 13 * kDeg;  ///< how far a fighter's rear heel is off the floor
constexpr float kHandsAhead = 0.08f;     ///< metres that hands go out as the guard is taken up and left
constexpr double kAround = 0.22;         ///< seconds of the stance that belong to a hit, before and after
constexpr double kShare = 0.5;           ///< of the weight on the left foot in the stance

/// The unit vector of an aim for a body that faces `heading`.
Vec3 direction_of(const Aim& aim, double heading) {
  const double a = heading + aim.azimuth, flat = std::cos(aim.elevation);
  return {static_cast<float>(std::sin(a) * flat), static_cast<float>(std::sin(aim.elevation)),
          static_cast<float>(std::cos(a) * flat)};
}

std::string with_side(const std::string& what, Side side) { return what + (side == kLeft ? "-left" : "-right"); }

}  // namespace

Bout::Bout(Random& random, Opening opening)
    : random_(random), score_(random.bits(), 1), side_on_(random.uniform(26, 34) * kDeg) {
  const auto about = [&](Vec3 place) {
    constexpr double kSpread = 0.012;  // metres
    const auto off = [&] { return static_cast<float>(kSpread * random.normal()); };
    return place + Vec3{off(), off(), off()};
  };
  guard_[kLeft] = about({0.17f, 0.15f, 0.33f});
  guard_[kRight] = about({-0.05f, 0.15f, 0.26f});
  weight_.key(-10, kShare);
  if (opening == Opening::kInStance) {
    in_stance_.key(-1, 1);
    for (const Side side : {kLeft, kRight}) set_down(side, -kAlways, print_of(side), side == kRight ? kRearHeel : 0);
    clock_ = 0.3;
    return;
  }
  add_standing(score_);
  in_stance_.key(0.35, 0).key(1.15, 1);
  lift(kLeft, 0.55);
  set_down(kLeft, 0.85, print_of(kLeft), 0);
  lift(kRight, 0.98);
  set_down(kRight, 1.27, print_of(kRight), kRearHeel);
  name("idle", 0, 0.4);
  name("fight-enter", 0.4, 1.4);
  clock_ = 1.5;
}

motion::GroundFrame Bout::print_of(Side side) const {
  return stance_ * (side == kLeft ? motion::GroundFrame{0.11f, 0.15f, -10 * kDegree}
                                  : motion::GroundFrame{-0.13f, -0.27f, -42 * kDegree});
}

void Bout::name(const std::string& what, double begin, double end) { score_.spans.push_back({what, begin, end}); }

void Bout::lift(Side side, double up) {
  Plant& plant = score_.feet[side].back();
  plant.up = up;
  plant.release = 8 * kDeg;
  plant.release_time = 0.16;
}

void Bout::set_down(Side side, double down, const motion::GroundFrame& print, double raise) {
  Plant plant;
  plant.down = down;
  plant.print = print;
  plant.raise = raise;
  plant.strike_time = 0.08;
  plant.lift = 0.03;
  score_.feet[side].push_back(plant);
}

void Bout::step(const motion::GroundFrame& by, const std::string& what) {
  constexpr double kShift = 0.14, kSwing = 0.21, kBetween = 0.05;  // seconds
  // The foot on the side one goes to leads, so that the feet open and close and never cross.
  const bool left_leads = std::fabs(by.z) >= std::fabs(by.x) ? by.z > 0 : by.x > 0;
  const Side first = left_leads ? kLeft : kRight;
  const double begin = clock_, off = begin + kShift;
  score_.heading.key(begin, heading_);
  stance_ = stance_ * by;
  heading_ += by.heading;
  const auto move = [&](Side side, double up) {
    lift(side, up);
    set_down(side, up + kSwing, print_of(side), side == kRight ? kRearHeel : 0);
  };
  move(first, off);
  move(other(first), off + kSwing + kBetween);
  const double end = off + 2 * kSwing + kBetween + 0.12;
  score_.heading.key(end, heading_);
  score_.raise(hump(begin, off, end - 0.2, end, -0.012));
  name(what, begin, end);
  clock_ = end;
}

/// Hips first, then shoulders, to the left, radians; back in the stance at `end`.
void Bout::turn_body(double begin, double peak, double end, double hips, double shoulders) {
  score_.add(Channel::kPelvisYaw, Curve({{begin, 0},
                                         {begin + 0.3 * (peak - begin), -0.1 * hips},
                                         {peak - 0.02, hips},
                                         {peak + 0.05, 0.97 * hips},
                                         {end, 0}}));
  score_.add(Channel::kSpineTwist, Curve({{begin, 0},
                                          {begin + 0.35 * (peak - begin), -0.18 * shoulders},
                                          {peak, shoulders},
                                          {peak + 0.05, 0.95 * shoulders},
                                          {end, 0}}));
}

Vec3 Bout::punch(Side side, const Aim& aim) {
  const double begin = clock_, hit = begin + 0.36, end = hit + 0.45;
  const bool lead = side == kLeft;
  turn_body(begin, hit, end, (lead ? -9 : 38) * kDeg + 0.2 * aim.azimuth,
            (lead ? -15 : 20) * kDeg + 0.35 * aim.azimuth);
  weight_.key(begin, kShare).key(hit, lead ? 0.6 : 0.68).key(end, kShare);
  const double low = std::max(0.0, -std::sin(aim.elevation));
  score_.raise(hump(begin, hit - 0.03, hit + 0.06, end, -0.015 - 0.16 * low));
  score_.add(Channel::kPelvisPitch, hump(begin, hit, hit + 0.05, end, (2 + 12 * low) * kDeg));
  score_.add(Channel::kSpineFlex, hump(begin, hit, hit + 0.05, end, (3 + 16 * low) * kDeg));
  if (!lead) score_.add(Channel::kRightHeel, hump(begin + 0.06, hit, hit + 0.08, end, 20 * kDeg));
  HandGoal goal{side, HandGoal::Frame::kWorld, {}, {}, {}, Curve(0.05)};
  // The fist is fastest just before it hits.
  goal.weight = Curve({{begin + 0.1, 0}, {begin + 0.24, 0.42}, {hit - 0.017, 1}, {hit + 0.034, 1}, {end, 0}});
  // The other fist comes back to the chin, its elbow with it.
  const Side stays = other(side);
  score_.hands.push_back({stays,
                          HandGoal::Frame::kChest,
                          guard_[stays] + Vec3{-outward(stays) * 0.02f, 0.03f, -0.07f},
                          hump(begin, hit - 0.04, hit + 0.05, end, 0.9),
                          {},
                          Curve(-0.1)});
  score_.hands.push_back(goal);
  score_.duration = end + 1;
  const Vec3 direction = direction_of(aim, heading_);
  const std::size_t shoulder = lead ? kLeftArm : kRightArm;
  score_.hands.back().position = Vec3{0, 1.4f, 0} + stance_.position() + 0.5f * direction;
  for (int i = 0; i < 4; ++i) {
    const Vec3 from = sketch_points(in_guard(), hit)[shoulder];
    score_.hands.back().position = from + direction * (0.96f * kArmLength);
  }
  name("punch", begin, end);
  name(with_side("punch", side), begin, end);
  stroke_ = hit;
  clock_ = end;
  return score_.hands.back().position;
}

void Bout::hook(Side side) {
  const double begin = clock_, hit = begin + 0.36, end = hit + 0.46;
  const double sign = side == kLeft ? -1 : 1;
  turn_body(begin, hit, end, sign * (side == kLeft ? 26 : 40) * kDeg, sign * 26 * kDeg);
  weight_.key(begin, kShare).key(hit, side == kLeft ? 0.4 : 0.66).key(end, kShare);
  score_.raise(hump(begin, hit - 0.1, hit, end, -0.025));
  score_.add(heel_channel(side), hump(begin + 0.08, hit, hit + 0.1, end, 20 * kDeg));
  const float out = outward(side);
  HandGoal goal{side, HandGoal::Frame::kChest, {-out * 0.02f, 0.19f, 0.40f}, {}, {out * 0.2f, -0.02f, 0}, {}};
  goal.weight = Curve({{begin + 0.08, 0}, {begin + 0.24, 0.45}, {hit - 0.017, 1}, {hit + 0.034, 1}, {end, 0}});
  goal.elbow_out = hump(begin + 0.05, hit, hit + 0.1, end, 1.3);
  score_.hands.push_back(goal);
  name("punch", begin, end);
  name(with_side("hook", side), begin, end);
  stroke_ = hit;
  clock_ = end;
}

Vec3 Bout::kick(Side side, const Aim& aim) {
  const double begin = clock_, up = begin + 0.3, chamber = up + 0.22, hit = chamber + 0.18, back = hit + 0.2;
  const double down = back + 0.3, end = down + 0.3;
  const double high = std::clamp((aim.elevation + 40 * kDeg) / (60 * kDeg), 0.0, 1.3);
  const double sign = outward(side);
  // The hip of the kicking leg goes forward and up, the trunk leans back and away, the knee that stands gives a little.
  const auto during = [&](double value) { return hump(begin + 0.05, hit - 0.02, hit + 0.06, end, value); };
  // They wind up first, lift with the knee and are driven through as the foot shoots out.
  const auto driven = [&](double value) {
    return Curve({{begin, 0},
                  {begin + 0.2, -0.16 * value},
                  {chamber, 0.5 * value},
                  {hit - 0.02, value},
                  {hit + 0.05, 0.97 * value},
                  {back, 0.55 * value},
                  {end, 0}});
  };
  const double hips = (side == kRight ? 50 : -18) * kDeg + 0.5 * aim.azimuth;
  score_.add(Channel::kPelvisYaw, driven(hips));
  score_.add(Channel::kPelvisPitch, driven((-14 - 9 * high) * kDeg));
  score_.add(Channel::kPelvisRoll,
             Curve({{begin, 0}, {chamber, -8 * sign * kDeg}, {hit, -(4 + 7 * high) * sign * kDeg}, {end, 0}}));
  score_.add(Channel::kSpineFlex,
             Curve({{begin, 0}, {chamber, 7 * kDeg}, {hit, (2 - 4 * high) * kDeg}, {back, 6 * kDeg}, {end, 0}}));
  // The shoulders stay behind the hips, the arm of the kicking side swings down and back, the other guards the chin.
  score_.add(Channel::kSpineTwist, driven(-0.55 * hips));
  score_.hands.push_back(
      {side,
       HandGoal::Frame::kChest,
       {static_cast<float>(sign) * 0.29f, -0.17f, 0.07f},
       Curve({{begin + 0.12, 0}, {chamber, 0.45}, {hit, 1}, {hit + 0.08, 0.95}, {down, 0.25}, {end, 0}}),
       {static_cast<float>(sign) * 0.06f, 0, 0},
       hump(begin, hit, back, end, 0.6)});
  score_.hands.push_back({other(side),
                          HandGoal::Frame::kChest,
                          guard_[other(side)] + Vec3{static_cast<float>(sign) * 0.03f, 0.05f, -0.04f},
                          hump(begin + 0.05, hit, hit + 0.1, end, 0.9),
                          {},
                          hump(begin, hit, back, end, 0.25)});
  score_.add(Channel::kHeadPitch, during(6 * kDeg));
  score_.raise(hump(begin, up, down, end, -0.005));
  // Where the foot goes depends on where the hip will be, and that a little on where the foot goes.
  const motion::GroundFrame print = print_of(side);
  lift(side, up);
  set_down(side, down, print, side == kRight ? kRearHeel : 0);
  Plant& landing = score_.feet[side].back();
  landing.lift = 0;  // the way says how high
  const Vec3 direction = direction_of(aim, heading_), flat = direction_of({aim.azimuth, 0}, heading_);
  const double yaw = heading_ + aim.azimuth;
  Vec3 hip = stance_.position() + Vec3{-0.09f, 0.9f, 0};
  const std::size_t joint = side == kLeft ? kLeftUpLeg : kRightUpLeg;
  score_.duration = end + 1;
  for (int i = 0; i < 5; ++i) {
    const Vec3 folded = hip + flat * 0.22f + Vec3{0, static_cast<float>(-0.46 + 0.12 * high), 0};
    const Vec3 target = hip + direction * (0.965f * kLegLength);
    landing.way = {{chamber, folded, yaw, 0.3}, {hit, target, yaw, 0.5}, {back, folded, yaw, 0.3}};
    hip = sketch_points(in_guard(), hit)[joint];
  }
  name("kick", begin, end);
  name(with_side("kick", side), begin, end);
  stroke_ = hit;
  clock_ = end;
  return landing.way[1].ankle;
}

void Bout::slip(Side side) {
  const double begin = clock_, there = begin + 0.24, leaving = there + 0.1, end = leaving + 0.42;
  const double sign = outward(side);
  const auto during = [&](double value) { return hump(begin, there, leaving, end, value); };
  score_.add(Channel::kSpineSide, during(24 * sign * kDeg));
  score_.add(Channel::kPelvisRoll, during(7 * sign * kDeg));
  score_.add(Channel::kSpineTwist, during(14 * sign * kDeg));
  score_.add(Channel::kSpineFlex, during(9 * kDeg));
  score_.add(Channel::kHeadRoll, during(12 * sign * kDeg));
  score_.raise(during(-0.06));
  weight_.key(begin, kShare).key(there, kShare + 0.2 * sign).key(leaving, kShare + 0.2 * sign).key(end, kShare);
  name("evade", begin, end);
  name(with_side("slip", side), begin, end);
  clock_ = end;
}

void Bout::weave(Side side) {
  const double begin = clock_, low = begin + 0.38, end = begin + 1.0, sign = outward(side);
  const double out = begin + 0.2, in = begin + 0.62;
  score_.add(Channel::kSpineSide, Curve({{begin, 0}, {out, -14 * sign * kDeg}, {in, 20 * sign * kDeg}, {end, 0}}));
  score_.add(Channel::kSpineFlex, Curve({{begin, 0}, {low, 24 * kDeg}, {in + 0.05, 14 * kDeg}, {end, 0}}));
  score_.add(Channel::kPelvisPitch, Curve({{begin, 0}, {low, 14 * kDeg}, {end, 0}}));
  score_.add(Channel::kHeadPitch, Curve({{begin, 0}, {low, 10 * kDeg}, {end, 0}}));
  score_.raise(Curve({{begin, 0}, {low, -0.2}, {end, 0}}));
  weight_.key(begin, kShare).key(out, kShare - 0.16 * sign).key(in, kShare + 0.2 * sign).key(end, kShare);
  name("evade", begin, end);
  name(with_side("weave", side), begin, end);
  clock_ = end;
}

void Bout::lean_back() {
  const double begin = clock_, there = begin + 0.26, leaving = there + 0.12, end = leaving + 0.45;
  const auto during = [&](double value) { return hump(begin, there, leaving, end, value); };
  score_.add(Channel::kPelvisPitch, during(-9 * kDeg));
  score_.add(Channel::kSpineFlex, during(-24 * kDeg));
  score_.add(Channel::kHeadPitch, during(-6 * kDeg));
  score_.raise(during(-0.05));
  weight_.key(begin, kShare).key(there, 0.26).key(leaving, 0.26).key(end, kShare);
  name("evade", begin, end);
  name("lean-back", begin, end);
  clock_ = end;
}

void Bout::block() {
  const double begin = clock_, there = begin + 0.2, leaving = there + 0.3, end = leaving + 0.35;
  for (const Side side : {kLeft, kRight}) {
    const float out = outward(side);
    score_.hands.push_back({side,
                            HandGoal::Frame::kChest,
                            {out * 0.085f + 0.04f, 0.29f, 0.23f},
                            hump(begin, there, leaving, end, 1),
                            {},
                            Curve(-0.1)});
  }
  score_.add(Channel::kSpineFlex, hump(begin, there, leaving, end, 9 * kDeg));
  score_.add(Channel::kHeadPitch, hump(begin, there, leaving, end, 14 * kDeg));
  score_.raise(hump(begin, there, leaving, end, -0.035));
  name("block", begin, end);
  clock_ = end;
}

/// Steps the way one is thrown, while the stance is kept as well as may be.
void Bout::reel(double towards, double hard, int steps) {
  const auto far = static_cast<float>(0.16 + 0.14 * hard);
  const motion::GroundFrame by{far * static_cast<float>(std::sin(towards)),
                               -far * static_cast<float>(std::cos(towards)), 0};
  for (int i = 0; i < steps; ++i) step(by, "hit");
}

void Bout::take_to_head(double towards, double hard, int steps) {
  const double begin = clock_, there = begin + 0.13, leaving = there + 0.06 + 0.1 * hard;
  const double back = std::cos(towards), left = std::sin(towards);
  clock_ = begin + 0.06;
  reel(towards, hard, steps);
  const double end = std::max(clock_, leaving + 0.4 + 0.25 * hard);
  const auto during = [&](double value) { return hump(begin, there, leaving, end, (0.25 + 0.75 * hard) * value); };
  // The head goes first and farthest, the trunk follows, the hips give.
  const auto after = [&](double value) {
    return hump(begin + 0.03, there + 0.06, leaving + 0.06, end, (0.25 + 0.75 * hard) * value);
  };
  score_.add(Channel::kHeadPitch, during(-34 * back * kDeg));
  score_.add(Channel::kHeadRoll, during(26 * left * kDeg));
  score_.add(Channel::kHeadYaw, during(38 * left * kDeg));
  score_.add(Channel::kSpineFlex, after(-30 * back * kDeg));
  score_.add(Channel::kSpineSide, after(20 * left * kDeg));
  score_.add(Channel::kSpineTwist, after(30 * left * kDeg));
  score_.add(Channel::kPelvisPitch, after(-9 * back * kDeg));
  score_.add(Channel::kPelvisYaw, after(12 * left * kDeg));
  score_.raise(after(-0.05));
  // The guard comes apart.
  for (const Side side : {kLeft, kRight}) {
    const float out = outward(side);
    score_.hands.push_back({side,
                            HandGoal::Frame::kChest,
                            {out * 0.27f, 0.02f, 0.25f},
                            hump(begin + 0.04, there + 0.09, leaving + 0.08, end, 0.3 + 0.6 * hard),
                            {},
                            hump(begin, there + 0.1, leaving + 0.1, end, 0.7)});
  }
  if (steps == 0)
    weight_.key(begin, kShare).key(there, kShare - 0.14 * back).key(leaving, kShare - 0.1 * back).key(end, kShare);
  name("hit", begin - kAround, end + kAround);
  name("hit-head", begin, end);
  clock_ = end;
}

void Bout::take_to_body(double hard, int steps) {
  const double begin = clock_, there = begin + 0.14, leaving = there + 0.12 + 0.2 * hard;
  clock_ = begin + 0.08;
  reel(0, hard, steps);
  const double end = std::max(clock_, leaving + 0.45 + 0.3 * hard);
  const auto during = [&](double value) { return hump(begin, there, leaving, end, (0.25 + 0.75 * hard) * value); };
  score_.add(Channel::kSpineFlex, during(38 * kDeg));
  score_.add(Channel::kPelvisPitch, during(14 * kDeg));
  score_.add(Channel::kHeadPitch, hump(begin + 0.03, there + 0.05, leaving, end, (0.25 + 0.75 * hard) * 20 * kDeg));
  score_.raise(during(-0.09));
  // The arms close over what hurts.
  for (const Side side : {kLeft, kRight}) {
    const float out = outward(side);
    score_.hands.push_back({side,
                            HandGoal::Frame::kChest,
                            {out * 0.09f, -0.13f, 0.24f},
                            hump(begin + 0.05, there + 0.12, leaving, end, 0.35 + 0.55 * hard),
                            {},
                            hump(begin, there, leaving, end, -0.2)});
  }
  name("hit", begin - kAround, end + kAround);
  name("hit-body", begin, end);
  clock_ = end;
}

void Bout::relax() {
  const double begin = clock_, end = begin + 1.25;
  in_stance_.key(begin + 0.1, 1).key(end, 0);
  lift(kRight, begin + 0.2);
  set_down(kRight, begin + 0.52, standing_print(stance_, kRight), 0);
  lift(kLeft, begin + 0.68);
  set_down(kLeft, begin + 0.98, standing_print(stance_, kLeft), 0);
  name("fight-leave", begin, end);
  name("idle", end, kNever);
  clock_ = end;
}

Score Bout::in_guard() const {
  Score score = score_;
  const auto hold = [&](Channel channel, double degrees) { score.add(channel, in_stance_.scaled(degrees * kDeg)); };
  hold(Channel::kPelvisYaw, -side_on_ / kDeg);
  hold(Channel::kPelvisPitch, 5);
  hold(Channel::kSpineFlex, 14);
  hold(Channel::kSpineTwist, 6);
  hold(Channel::kHeadPitch, 5);
  hold(Channel::kKneesOut, 5);
  hold(Channel::kLeftPronate, 35);
  hold(Channel::kRightPronate, 35);
  score.raise(in_stance_.scaled(-0.055));
  // The hands before the chin, the left a little ahead. They come before all other goals, which are reached from here.
  // On their way up and down they keep in front of the belly.
  const Vec3 ahead = rotate(axis_angle({0, 1, 0}, static_cast<float>(heading_)), {0, 0, kHandsAhead});
  const std::array guard = {HandGoal{kLeft, HandGoal::Frame::kChest, guard_[kLeft], in_stance_, ahead, Curve(-0.22)},
                            HandGoal{kRight, HandGoal::Frame::kChest, guard_[kRight], in_stance_, ahead, Curve(-0.22)}};
  score.hands.insert(score.hands.begin(), guard.begin(), guard.end());
  score.left_share = weight_;
  if (score.heading.empty()) score.heading = Curve(0.0);
  return score;
}

Score Bout::finish(double after) {
  Score score = in_guard();
  score.duration = clock_ + after;
  // A fighter is never quite still.
  Curve bounce;
  for (double t = -1; t < score.duration + 1; t += random_.uniform(0.28, 0.4)) {
    bounce.key(t, random_.uniform(-0.016, 0.004) * in_stance_(t));
  }
  score.raise(bounce);
  // Nor is the guard: fists circle a little, elbows open and close. The guard's own goals are the first two.
  for (const Side side : {kLeft, kRight}) {
    Curve elbow, circle;
    for (double t = -1; t < score.duration + 1; t += random_.uniform(0.35, 0.6)) {
      elbow.key(t, random_.uniform(-0.32, 0.0));
      circle.key(t, random_.uniform(0, 1) * in_stance_(t));
    }
    score.hands[static_cast<std::size_t>(side)].elbow_out = elbow;
    const Vec3 off{-outward(side) * 0.015f, -0.025f, side == kLeft ? 0.035f : 0.025f};
    score.hands.insert(score.hands.begin() + 2, {side, HandGoal::Frame::kChest, guard_[side] + off, circle, {}, elbow});
  }
  return score;
}

}  // namespace loom::sample
