// SPDX-License-Identifier: MIT
// The families of reaching and pointing with the right hand.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <loom/sample/detail/bout.h>
#include <loom/sample/detail/catalogue.h>
#include <loom/sample/detail/locomotion.h>
#include <loom/sample/detail/performer.h>
#include <loom/sample/detail/posture.h>

namespace loom::sample {
namespace {

constexpr Side kHand = kRight;
constexpr double kBegin = 0.4, kThere = 1.15, kLeave = 1.45, kBack = 2.25, kStroke = 1.3;  ///< seconds

/// Eyes first, then trunk: turns towards something in direction `azimuth`, `below` radians below the eyes.
void add_turn(Score& score, double azimuth, double below) {
  const auto during = [](double early, double value) {
    return hump(kBegin - early, kThere - early, kLeave, kBack, value);
  };
  score.add(Channel::kHeadYaw, during(0.2, std::clamp(azimuth, -1.2, 1.2)));
  score.add(Channel::kHeadPitch, during(0.2, std::clamp(0.8 * below, -0.5, 0.8)));
  score.add(Channel::kPelvisYaw, during(0, std::clamp(0.22 * azimuth, -0.4, 0.4)));
  score.add(Channel::kSpineTwist, during(0.05, std::clamp(0.42 * azimuth, -0.6, 0.6)));
  // The weight goes to the foot on that side.
  score.left_share = Curve({{kBegin, 0.5},
                            {kThere, 0.5 + 0.22 * std::sin(azimuth)},
                            {kLeave, 0.5 + 0.22 * std::sin(azimuth)},
                            {kBack, 0.5}});
}

/// How far the hand's way bulges: away from the body, and more on the way to something overhead (`high` = 1), where the
/// straight way would lead through the shoulder.
/// Down across the body (`low` = 1) it would lead through the thighs.
Vec3 way_round(double azimuth, double high, double low) {
  const double far = 0.07 + 0.2 * high + 0.14 * low * std::max(0.0, std::sin(azimuth + 0.3));
  return {static_cast<float>(far * std::sin(azimuth) - 0.04), 0.03f, static_cast<float>(far * std::cos(azimuth))};
}

Score write_reach(std::uint64_t seed, Vec3 target, double effort) {
  Score score(seed, kBack + 0.3);
  add_standing(score);
  const double azimuth = std::atan2(target.x, target.z);
  const double away = std::hypot(target.x, target.z);
  add_turn(score, azimuth, std::atan2(1.6 - target.y, away));
  const double low = std::clamp((1.15 - target.y) / 0.8, 0.0, 1.0),
               high = std::clamp((target.y - 1.5) / 0.35, 0.0, 1.0);
  const auto during = [&](double value) { return hump(kBegin, kThere, kLeave, kBack, value); };
  score.raise(during(-0.26 * low * effort));
  score.add(Channel::kPelvisPitch, during((14 + 22 * low - 15 * high) * effort * kDeg));
  score.add(Channel::kSpineFlex, during((17 + 24 * low - 19 * high) * effort * kDeg));
  score.add(Channel::kSpineSide, during((-4 + 22 * std::sin(azimuth) + 10 * high) * effort * kDeg));
  score.add(Channel::kKneesOut, during(8 * low * effort * kDeg));
  // On tiptoe the whole body goes up: knees stay as straight as they are.
  const double tiptoe = 34 * high * std::max(0.0, effort - 0.2) * kDeg;
  for (const Channel heel : {Channel::kLeftHeel, Channel::kRightHeel}) score.add(heel, during(tiptoe));
  score.raise(during(kBallForward * std::sin(tiptoe)));
  // The free arm balances: beside a body that bends down, the elbow bent behind it.
  const Side free = other(kHand);
  score.add(arm_channel(Channel::kLeftArmOut, free), during((6 + (8 + 6 * low) * effort) * kDeg));
  score.add(arm_channel(Channel::kLeftArmFlex, free), during((10 - 12 * low) * effort * kDeg));
  score.add(arm_channel(Channel::kLeftElbow, free), during(58 * low * effort * kDeg));
  score.add(arm_channel(Channel::kLeftWrist, kHand), during(-14 * kDeg));
  score.hands.push_back({kHand,
                         HandGoal::Frame::kWorld,
                         target,
                         hump(kBegin + 0.05, kThere, kLeave - 0.1, kBack, 1),
                         way_round(azimuth, high, low),
                         {}});
  return score;
}

/// As much effort as a reach takes: an arm stays a little bent.
double effort_for(std::uint64_t seed, Vec3 target) {
  constexpr double kComfortable = 0.93;
  double effort = 0.1;
  while (effort < 1.6 && arm_stretch(write_reach(seed, target, effort), kHand, target, kStroke) > kComfortable)
    effort += 0.05;
  return effort;
}

/// Reaches with as much of the body as it takes.
Piece reach_to(Random& random, Vec3 target) {
  const std::uint64_t seed = random.bits();
  Piece piece{write_reach(seed, target, effort_for(seed, target))};
  piece.stroke = kStroke;
  piece.parameters = {{"x_m", target.x}, {"y_m", target.y}, {"z_m", target.z}};
  piece.score.spans = {
      {"idle", 0, kBegin}, {"reach", kBegin, kBack}, {"reach-right", kBegin, kBack}, {"idle", kBack, kBack + 1}};
  return piece;
}

Score write_point(std::uint64_t seed, const Aim& aim, Vec3 hand) {
  Score score(seed, kBack + 0.3);
  add_standing(score);
  add_turn(score, aim.azimuth, -aim.elevation);
  const auto during = [&](double value) { return hump(kBegin, kThere - 0.1, kLeave, kBack, value); };
  score.add(Channel::kSpineFlex, during(-8 * std::sin(aim.elevation) * kDeg));
  score.add(Channel::kSpineSide, during(6 * std::sin(aim.elevation) * kDeg));
  score.add(arm_channel(Channel::kLeftWrist, kHand), during(-6 * kDeg));
  score.add(arm_channel(Channel::kLeftPronate, kHand), during(25 * kDeg));
  // The hand is there a little before the gesture settles, as pointing is.
  score.hands.push_back({kHand,
                         HandGoal::Frame::kWorld,
                         hand,
                         hump(kBegin + 0.05, kThere - 0.1, kLeave, kBack, 1),
                         way_round(aim.azimuth, std::max(0.0, std::sin(aim.elevation)), 0),
                         {}});
  return score;
}

/// What a hand does with a thing.
struct Handling {
  const char* name;
  double pronate, wrist;  ///< degrees at the stroke: the forearm turned, thumb inward; the palm towards the forearm
  double elbow_out;       ///< share that the elbow is lifted to the side
  Vec3 arc;               ///< metres that the hand's way bulges besides
};
/// Pouring tips a jug over; grasping comes from the side with the thumb up; pressing goes straight at it.
constexpr Handling kPour{"pour", 62, 12, 0.55, {-0.02f, 0.16f, 0}};
constexpr Handling kGrasping{"grasp", -58, 0, 0.25, {-0.16f, 0.02f, 0}};
constexpr Handling kPress{"press", 12, -38, 0, {0, 0.02f, -0.09f}};

Piece handle(Random& random, const Handling& how, Vec3 target) {
  const std::uint64_t seed = random.bits();
  Piece piece{write_reach(seed, target, effort_for(seed, target))};
  Score& score = piece.score;
  // The hand is turned while it comes, and has turned when it is there.
  const auto during = [](double value) { return hump(kBegin + 0.2, kThere + 0.05, kLeave, kBack - 0.1, value); };
  score.add(arm_channel(Channel::kLeftPronate, kHand), during(how.pronate * kDeg));
  score.add(arm_channel(Channel::kLeftWrist, kHand), during((how.wrist + 14) * kDeg));  // in place of the reach's own
  score.hands.back().arc += how.arc;
  if (how.elbow_out > 0) score.hands.back().elbow_out = during(how.elbow_out);
  piece.stroke = kStroke;
  piece.parameters = {{"x_m", target.x}, {"y_m", target.y}, {"z_m", target.z}};
  score.spans = {{"idle", 0, kBegin}, {how.name, kBegin, kBack}, {"idle", kBack, kBack + 1}};
  return piece;
}

/// Points with the arm stretched out from the shoulder.
Piece point_at(Random& random, const Aim& aim) {
  const std::uint64_t seed = random.bits();
  const Vec3 direction{static_cast<float>(std::sin(aim.azimuth) * std::cos(aim.elevation)),
                       static_cast<float>(std::sin(aim.elevation)),
                       static_cast<float>(std::cos(aim.azimuth) * std::cos(aim.elevation))};
  Vec3 hand = Vec3{-0.18f, 1.43f, 0} + 0.5f * direction;
  for (int i = 0; i < 4; ++i) {
    hand = sketch_points(write_point(seed, aim, hand), kStroke)[kRightArm] + direction * (0.965f * kArmLength);
  }
  Piece piece{write_point(seed, aim, hand)};
  piece.stroke = kStroke;
  piece.parameters = {{"azimuth_deg", aim.azimuth / kDeg},
                      {"elevation_deg", aim.elevation / kDeg},
                      {"x_m", hand.x},
                      {"y_m", hand.y},
                      {"z_m", hand.z}};
  piece.score.spans = {
      {"idle", 0, kBegin}, {"point", kBegin, kBack}, {"point-right", kBegin, kBack}, {"idle", kBack, kBack + 1}};
  return piece;
}

}  // namespace

namespace {

void add_handling(Catalogue& catalogue) {
  for (const Handling* how : {&kPour, &kGrasping, &kPress}) {
    int number = 1;
    for (const double height : {0.85, 1.1, 1.35}) {
      for (const double degrees : {-70, -40, -12, 15}) {
        const double away = 0.52, angle = degrees * kDeg;
        const Vec3 target{static_cast<float>(away * std::sin(angle)), static_cast<float>(height),
                          static_cast<float>(away * std::cos(angle))};
        catalogue.push_back({fmt::format("{}-{:02}", how->name, number++), how->name,
                             [=](Random& random) { return handle(random, *how, target); }, true});
      }
    }
  }
}

}  // namespace

void add_reaches(Catalogue& catalogue) {
  add_handling(catalogue);
  int number = 1;
  for (const double height : {0.55, 0.95, 1.30, 1.72}) {
    for (const double degrees : {-125, -85, -50, -20, 10, 40}) {
      const double away = height > 1.5 ? 0.45 : (height < 0.6 ? 0.50 : 0.58), angle = degrees * kDeg;
      const Vec3 target{static_cast<float>(away * std::sin(angle)), static_cast<float>(height),
                        static_cast<float>(away * std::cos(angle))};
      catalogue.push_back({fmt::format("reach-{:02}", number++), "reach",
                           [target](Random& random) { return reach_to(random, target); }});
    }
  }
  number = 1;
  for (const double up : {-35, 0, 25, 55}) {
    for (const double degrees : {-125, -85, -50, -20, 10, 40}) {
      const Aim aim{degrees * kDeg, up * kDeg};
      catalogue.push_back(
          {fmt::format("point-{:02}", number++), "point", [aim](Random& random) { return point_at(random, aim); }});
    }
  }
}

}  // namespace loom::sample
