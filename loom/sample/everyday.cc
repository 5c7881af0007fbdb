// SPDX-License-Identifier: MIT
// Motions on the spot: standing, ducking, picking up.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/sample/detail/catalogue.h>
#include <loom/sample/detail/locomotion.h>
#include <loom/sample/detail/performer.h>
#include <loom/sample/detail/posture.h>

namespace loom::sample {
namespace {

/// Standing at ease; the weight goes from leg to leg now and then.
Piece idle(Random& random, double seconds) {
  Score score(random.bits(), seconds);
  add_standing(score);
  double t = random.uniform(1.0, 2.0);
  Curve share, hip;
  share.key(0, 0.5);
  hip.key(0, 0);
  while (t + 2.5 < seconds) {
    const double left = random.uniform(0.25, 0.75), shift = random.uniform(0.9, 1.3), stay = random.uniform(0.8, 2.0);
    // On the leg that carries the hip stands higher.
    const double roll = (0.5 - left) * 10 * kDeg;
    share.key(t, 0.5).key(t + shift, left).key(t + shift + stay, left).key(t + 2 * shift + stay, 0.5);
    hip.key(t, 0).key(t + shift, roll).key(t + shift + stay, roll).key(t + 2 * shift + stay, 0);
    t += 2 * shift + stay + random.uniform(0.3, 1.0);
  }
  score.left_share = share;
  score.add(Channel::kPelvisRoll, hip);
  score.spans.push_back({"idle", 0, seconds + 1});
  return {score};
}

/// Looks to both sides, shoulders following a little.
Piece look_around(Random& random) {
  Piece piece = idle(random, 6);
  const double far = random.uniform(52, 62) * kDeg, side = random.uniform() < 0.5 ? 1 : -1;
  const Curve look({{0.8, 0}, {1.4, side * far}, {2.2, side * far}, {3.1, -side * far}, {3.9, -side * far}, {4.6, 0}});
  const Curve turn({{0.9, 0}, {1.7, side * 0.2}, {2.3, side * 0.2}, {3.4, -side * 0.2}, {4.0, -side * 0.2}, {5.0, 0}});
  piece.score.add(Channel::kHeadYaw, look);
  piece.score.add(Channel::kSpineTwist, turn);
  piece.score.spans.push_back({"look-around", 0.8, 4.8});
  return piece;
}

/// Folds the body down by `depth` metres between two times, fully from `low` to `rising`: hips back, back bent, eyes
/// on what is in front.
void add_crouch(Score& score, double begin, double low, double rising, double end, double depth, double bow) {
  score.raise(hump(begin, low, rising, end, -depth));
  score.add(Channel::kPelvisPitch, hump(begin, low, rising, end, (48 * depth + 10 * bow) * kDeg));
  score.add(Channel::kSpineFlex, hump(begin, low, rising, end, (38 * depth + 46 * bow) * kDeg));
  score.add(Channel::kKneesOut, hump(begin, low, rising, end, 22 * depth * kDeg));
}

/// Ducks under something that comes flying, hands half up.
Piece duck(Random& random, double depth) {
  const double begin = 0.6, low = begin + 0.35, rising = low + random.uniform(0.4, 0.6), end = rising + 0.65;
  Score score(random.bits(), end + 0.6);
  add_standing(score);
  add_crouch(score, begin, low, rising, end, depth, 0.65);
  score.add(Channel::kHeadPitch, hump(begin, low, rising, end, 30 * kDeg));
  for (const Side side : {kLeft, kRight}) {
    score.add(arm_channel(Channel::kLeftArmFlex, side), hump(begin, low, rising, end, 42 * kDeg));
    score.add(arm_channel(Channel::kLeftArmOut, side), hump(begin, low, rising, end, 10 * kDeg));
    score.add(arm_channel(Channel::kLeftElbow, side), hump(begin - 0.05, low, rising, end, 75 * kDeg));
  }
  score.spans = {{"idle", 0, begin}, {"duck", begin, end}, {"idle", end, end + 1}};
  return {score, {{"depth_m", depth}}};
}

/// When things happen in a pick-up, seconds.
constexpr double kStoop = 0.5, kGrasp = 1.45, kHold = 1.7, kUp = 2.65, kDone = 3.5;

Score write_pick_up(std::uint64_t seed, Side side, Vec3 where, double effort) {
  Score score(seed, kDone + 0.4);
  add_standing(score);
  const double low = std::clamp((0.85 - where.y) / 0.7, 0.0, 1.0);  // 1 at the floor, 0 at table height
  add_crouch(score, kStoop, kGrasp, kHold, kUp, 0.42 * low * effort, (0.4 + 0.3 * low) * effort);
  const double turn = std::atan2(where.x, where.z);
  const auto during = [](double value) { return hump(kStoop, kGrasp, kHold, kUp, value); };
  score.add(Channel::kSpineTwist, during(0.55 * turn));
  score.add(Channel::kSpineSide, during(6 * outward(side) * low * kDeg));
  score.add(Channel::kHeadPitch,
            Curve({{kStoop - 0.15, 0}, {kStoop + 0.35, 42 * kDeg}, {kHold, 48 * kDeg}, {kUp, 20 * kDeg}, {kDone, 0}}));
  score.add(Channel::kHeadYaw, during(0.7 * turn));
  // The other arm balances, and stays behind beside a back that bends far.
  score.add(arm_channel(Channel::kLeftArmFlex, other(side)), during((8 + 6 * low) * kDeg));
  score.add(arm_channel(Channel::kLeftArmOut, other(side)), during((16 + 8 * low) * kDeg));
  score.add(arm_channel(Channel::kLeftElbow, other(side)), during(40 * low * kDeg));
  const float out = outward(side);
  // Round the knee on the way down and up.
  score.hands.push_back({side,
                         HandGoal::Frame::kWorld,
                         where,
                         hump(kStoop, kGrasp, kHold, kUp - 0.1, 1),
                         {out * 0.16f, 0, 0.06f},
                         Curve(0.5)});
  score.hands.push_back({side,
                         HandGoal::Frame::kChest,
                         {out * 0.13f, -0.1f, 0.33f},
                         hump(kHold, kUp - 0.1, kUp + 0.15, kDone, 1),
                         {},
                         {}});
  return score;
}

/// Takes something up with one hand from `where` (metres; the height is that of the wrist), stooping as far as it
/// takes, holds it before the body and lets the arm sink.
Piece pick_up(Random& random, Side side, Vec3 where) {
  constexpr double kComfortable = 0.93, kStroke = 1.6;
  const std::uint64_t seed = random.bits();
  double effort = 0.2;
  while (effort < 1.6 && arm_stretch(write_pick_up(seed, side, where, effort), side, where, kStroke) > kComfortable)
    effort += 0.05;
  Piece piece{write_pick_up(seed, side, where, effort), {{"x_m", where.x}, {"y_m", where.y}, {"z_m", where.z}}};
  piece.score.spans = {{"idle", 0, kStoop},
                       {"pick-up", kStoop, kDone},
                       {side == kLeft ? "pick-up-left" : "pick-up-right", kStoop, kDone},
                       {"idle", kDone, kDone + 1}};
  piece.stroke = kStroke;
  return piece;
}

/// Waves with one hand.
Piece wave(Random& random, Side side) {
  const double begin = 0.5, raised = begin + 0.55, falling = raised + 1.5, end = falling + 0.7;
  Score score(random.bits(), end + 0.4);
  add_standing(score);
  const auto s = static_cast<float>(outward(side));
  HandGoal goal{side,
                HandGoal::Frame::kChest,
                {s * 0.36f, 0.34f, 0.16f},
                hump(begin, raised, falling, end, 1),
                {s * 0.08f, 0, 0.1f},
                {}};
  score.hands.push_back(goal);
  // To and fro about the raised hand: a second goal pulled at in a rhythm.
  goal.position = {s * 0.15f, 0.40f, 0.2f};
  goal.arc = {};
  goal.weight = Curve();
  const double beat = random.uniform(0.34, 0.4);
  for (int i = 0; raised + i * beat * 0.5 < falling; ++i)
    goal.weight.key(raised + i * beat * 0.5, i % 2 == 0 ? 0 : 0.85);
  goal.weight.key(falling + 0.2, 0);
  score.hands.push_back(goal);
  score.add(Channel::kSpineSide, hump(begin, raised, falling, end, -4 * s * kDeg));
  score.spans = {{"idle", 0, begin}, {"wave", begin, end}, {"idle", end, end + 1}};
  return {score};
}

}  // namespace

void add_everyday(Catalogue& catalogue) {
  const auto add = [&](const std::string& name, const std::string& group, std::function<Piece(Random&)> write) {
    catalogue.push_back({name, group, std::move(write)});
  };
  for (int take = 1; take <= 3; ++take) {
    add(fmt::format("idle-{}", take), "idle", [](Random& random) { return idle(random, 8); });
  }
  add("look-around", "idle", look_around);
  add("duck-1", "duck", [](Random& random) { return duck(random, 0.30); });
  add("duck-2", "duck", [](Random& random) { return duck(random, 0.40); });
  add("pick-up-right-floor", "pick-up", [](Random& random) { return pick_up(random, kRight, {-0.22f, 0.21f, 0.30f}); });
  add("pick-up-left-floor", "pick-up", [](Random& random) { return pick_up(random, kLeft, {0.22f, 0.21f, 0.30f}); });
  add("pick-up-right-chair", "pick-up", [](Random& random) { return pick_up(random, kRight, {-0.20f, 0.50f, 0.42f}); });
  add("pick-up-left-table", "pick-up", [](Random& random) { return pick_up(random, kLeft, {0.18f, 0.78f, 0.48f}); });
  add("wave-right", "wave", [](Random& random) { return wave(random, kRight); });
  add("wave-left", "wave", [](Random& random) { return wave(random, kLeft); });
}

}  // namespace loom::sample
