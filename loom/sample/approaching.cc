// SPDX-License-Identifier: MIT
// How somebody gets to where there is something to do: starting to walk in all directions, and arriving from all.
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include <loom/sample/detail/catalogue.h>
#include <loom/sample/detail/locomotion.h>
#include <loom/sample/detail/posture.h>

namespace loom::sample {
namespace {

constexpr double kPace = 1.2;        ///< metres a second: across a room
constexpr double kTurning = 125;     ///< degrees a second, on average
constexpr double kStand = 0.6;       ///< seconds of standing before the first foot is lifted
constexpr double kAfterwards = 1.1;  ///< seconds of standing after the last is down
constexpr double kEver = 1e3;        ///< seconds: to the end of the clip

/// From standing to walking where `angle` (left positive) points to: turns on the spot in its first steps.
Piece start_towards(Random& random, double angle, double pace, Side first) {
  const double turning = 0.45 + std::fabs(angle) / (kTurning * kDeg), rise = 1.3;
  const double off = kStand + 0.45 * turning;  // gets on before all of the turn is done
  Score score(random.bits(), off + rise + 1.2);
  score.lead = 2;
  Drive drive;
  drive.turn =
      Curve({{kStand - 0.15, 0}, {kStand + 0.5 * turning, 2 * angle / (turning + 0.3)}, {kStand + turning + 0.15, 0}});
  drive.forward = Curve({{off - 0.2, 0}, {off + rise, pace}});
  StepOptions options;
  options.begin = kStand;
  options.to_stand = false;
  options.first = first;
  options.tempo = 1.15;
  add_steps(score, drive, options, random);
  score.add(Channel::kHeadYaw, hump(kStand - 0.35, kStand + 0.2, kStand + 0.5 * turning, kStand + turning,
                                    0.6 * std::clamp(angle, -1.2, 1.2)));  // the eyes are there first
  score.spans = {{"idle", 0, kStand}, {"start", kStand, off + rise}, {"walk", kStand, kEver}};
  return {score, {{"turn_deg", angle / kDeg}}};
}

/// From walking to standing, turned by `angle` in the last steps.
Piece arrive_turned(Random& random, double angle, double phase) {
  const double turning = 0.45 + std::fabs(angle) / (kTurning * kDeg), begin = 1.0, fall = 1.2;
  const double turn_begin = begin + fall - 0.55, end = std::max(begin + fall, turn_begin + turning) - 0.1;
  Score score(random.bits(), end + kAfterwards);
  score.lead = 2;
  Drive drive;
  drive.forward = Curve({{begin, kPace}, {begin + fall, 0}});
  drive.turn = Curve({{turn_begin - 0.1, 0},
                      {turn_begin + 0.5 * turning, 2 * angle / (turning + 0.2)},
                      {turn_begin + turning + 0.1, 0}});
  StepOptions options;
  options.from_stand = false;
  options.phase = phase;
  options.end = end;
  options.tempo = 1.1;
  add_steps(score, drive, options, random);
  score.spans = {{"walk", 0, end}, {"stop", begin, end}, {"idle", end, kEver}};
  return {score, {{"turn_deg", angle / kDeg}}};
}

}  // namespace

void add_approaches(Catalogue& catalogue) {
  // Small steps, for where there is little room.
  for (const auto& [name, pace, angle] : {std::tuple{"slowly", 0.65, 0.0},
                                          {"very-slowly", 0.35, 0.0},
                                          {"back", -0.6, 0.0},
                                          {"slowly-left", 0.5, 60 * kDeg},
                                          {"slowly-right", 0.5, -60 * kDeg}}) {
    const Side first = angle > 0 ? kLeft : kRight;
    catalogue.push_back(
        {fmt::format("set-off-{}", name), "approach",
         [pace = pace, angle = angle, first](Random& r) { return start_towards(r, angle, pace, first); }, true});
  }
  for (const int sign : {1, -1}) {
    const char* side = sign > 0 ? "left" : "right";
    for (const int degrees : {0, 45, 90, 135, 180}) {
      if (degrees == 0 && sign < 0) continue;
      const std::string way = degrees == 0 ? "ahead" : fmt::format("{}-{}", side, degrees);
      const double angle = sign * degrees * kDeg;
      const Side first = angle > 0 ? kLeft : kRight;  // the foot on the inside opens
      catalogue.push_back(
          {"set-off-" + way, "approach", [=](Random& r) { return start_towards(r, angle, kPace, first); }, true});
      for (const int phase : {0, 1}) {
        catalogue.push_back({fmt::format("arrive-{}-{}", way, phase + 1), "approach",
                             [=](Random& r) { return arrive_turned(r, angle, phase); }, true});
      }
    }
  }
}

}  // namespace loom::sample
