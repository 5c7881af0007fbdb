// SPDX-License-Identifier: MIT
// Motions that go somewhere: walks and runs, how they begin, end and turn.
#include <cmath>

#include <fmt/format.h>

#include <loom/sample/detail/catalogue.h>
#include <loom/sample/detail/locomotion.h>
#include <loom/sample/detail/posture.h>

namespace loom::sample {
namespace {

constexpr double kWalk = 1.35, kJog = 2.4, kRun = 3.4;  ///< metres a second
constexpr double kToTheEnd = 1e3;                       ///< seconds: to the end of the clip

StepOptions going_on() {
  StepOptions options;
  options.from_stand = options.to_stand = false;
  return options;
}

/// Steady motion over whole cycles, recorded in full swing.
struct Steady {
  double forward = 0, side = 0, turn = 0;  ///< metres and radians a second
  bool run = false;
  double crouch = 0;  ///< metres
  int cycles = 4;
  std::string label;
};

Piece steady(Random& random, const Steady& how) {
  StepOptions options = going_on();
  options.tempo = random.uniform(0.97, 1.03);
  const double cadence = options.tempo * step_shape(walking_pace(how.forward, how.side, how.turn), how.run).cadence;
  Score score(random.bits(), 2 * how.cycles / cadence);
  score.lead = 2;
  Drive drive;
  drive.forward = Curve(how.forward);
  drive.side = Curve(how.side);
  drive.turn = Curve(how.turn);
  drive.run = Curve(how.run ? 1 : 0);
  drive.crouch = Curve(how.crouch);
  add_steps(score, drive, options, random);
  if (how.crouch > 0) {
    score.add(Channel::kPelvisPitch, Curve(90 * kDeg * how.crouch));
    score.add(Channel::kSpineFlex, Curve(150 * kDeg * how.crouch));
    score.add(Channel::kHeadPitch, Curve(10 * kDeg));
    for (const Channel arm : {Channel::kLeftArmFlex, Channel::kRightArmFlex}) {
      score.add(arm, Curve(180 * kDeg * how.crouch));  // they hang from a chest that leans
    }
  }
  score.spans.push_back({how.label, 0, kToTheEnd});
  return {score};
}

/// From standing to `speed`, recorded for `seconds`.
Piece start(Random& random, double speed, bool run, Side first) {
  const double rise = run ? 3.0 : 1.4;  // seconds to full speed
  Score score(random.bits(), 1.0 + rise + (run ? 1.4 : 1.6));
  score.lead = 2;
  Drive drive;
  drive.forward = Curve({{0.5, 0}, {0.5 + rise, speed}});
  if (run) drive.run = Curve({{1.3, 0}, {2.1, 1}});
  StepOptions options;
  options.begin = 0.75;
  options.to_stand = false;
  options.first = first;
  add_steps(score, drive, options, random);
  const std::string moving = run ? "run" : "walk";
  score.spans = {{"idle", 0, 0.5}, {"start", 0.5, 0.5 + rise}, {moving, 0.9, kToTheEnd}};
  return {score};
}

/// From `speed` to standing.
Piece stop(Random& random, double speed, bool run, double phase) {
  const double fall = run ? 2.4 : 1.35, begin = 1.2;
  Score score(random.bits(), begin + fall + 1.0);
  score.lead = 2;
  Drive drive;
  drive.forward = Curve({{begin, speed}, {begin + fall, 0}});
  if (run) drive.run = Curve({{begin + 0.9, 1}, {begin + 1.5, 0}});
  StepOptions options;
  options.from_stand = false;
  options.phase = phase;
  options.end = begin + fall - 0.1;
  add_steps(score, drive, options, random);
  const std::string moving = run ? "run" : "walk";
  score.spans = {{moving, 0, begin + 0.6 * fall}, {"stop", begin, begin + fall}, {"idle", begin + fall, kToTheEnd}};
  return {score};
}

/// Changes speed while moving, between walking and running where asked.
Piece change(Random& random, double from, double to, bool from_run, bool to_run) {
  Score score(random.bits(), 4.8);
  score.lead = 2;
  Drive drive;
  drive.forward = Curve({{1.0, from}, {3.3, to}});
  drive.run = Curve({{1.8, from_run ? 1.0 : 0.0}, {2.3, to_run ? 1.0 : 0.0}});
  add_steps(score, drive, going_on(), random);
  score.spans = {{from_run ? "run" : "walk", 0, 2.0}, {to_run ? "run" : "walk", 2.0, kToTheEnd}};
  return {score};
}

/// Turns by `angle` (left positive) while moving straight before and after.
Piece turn_moving(Random& random, double speed, bool run, double angle, double phase) {
  const double before = 1.0, seconds = std::fabs(angle) / ((run ? 45 : 75) * kDeg) + 0.5;
  Score score(random.bits(), before + seconds + 1.1);
  score.lead = 2;
  const double slow = speed * (1 - 0.35 * std::min(1.0, std::fabs(angle) / (120 * kDeg)));
  Drive drive;
  drive.forward = Curve({{before - 0.5, speed}, {before + 0.5 * seconds, slow}, {before + seconds + 0.5, speed}});
  // Easing in and out over 0.35 of the time each leaves 0.65 of it at the full rate.
  drive.turn =
      hump(before, before + 0.35 * seconds, before + 0.65 * seconds, before + seconds, angle / (0.65 * seconds));
  drive.run = Curve(run ? 1 : 0);
  StepOptions options = going_on();
  options.phase = phase;
  add_steps(score, drive, options, random);
  const std::string moving = run ? "run" : "walk", side = angle > 0 ? "left" : "right";
  score.spans = {{moving, 0, kToTheEnd}, {"turn-" + side, before, before + seconds}};
  return {score, {{"turn_deg", angle / kDeg}}};
}

/// Turns by `angle` standing.
Piece turn_in_place(Random& random, double angle) {
  const double seconds = 0.9 + std::fabs(angle) / (120 * kDeg), begin = 0.7;
  Score score(random.bits(), begin + seconds + 1.2);
  Drive drive;
  drive.turn =
      Curve({{begin - 0.1, 0}, {begin + 0.5 * seconds, 2 * angle / (seconds + 0.2)}, {begin + seconds + 0.1, 0}});
  StepOptions options;
  options.begin = begin;
  options.end = begin + seconds;
  options.first = angle > 0 ? kLeft : kRight;  // the foot on the inside opens
  options.tempo = 1.5;                         // small steps: no hip turns far
  add_steps(score, drive, options, random);
  const std::string side = angle > 0 ? "left" : "right";
  score.spans = {
      {"idle", 0, begin}, {"turn-in-place-" + side, begin, begin + seconds}, {"idle", begin + seconds, kToTheEnd}};
  return {score, {{"turn_deg", angle / kDeg}}};
}

/// Steps to the side from a stand and back to one: `side` metres a second for `seconds`.
Piece side_steps(Random& random, double side, double seconds) {
  const double begin = 0.7;
  Score score(random.bits(), begin + seconds + 1.1);
  Drive drive;
  drive.side = Curve({{begin, 0}, {begin + 0.6, side}, {begin + seconds - 0.5, side}, {begin + seconds, 0}});
  StepOptions options;
  options.begin = begin;
  options.end = begin + seconds;
  options.first = side > 0 ? kLeft : kRight;
  add_steps(score, drive, options, random);
  const std::string where = side > 0 ? "left" : "right";
  score.spans = {
      {"idle", 0, begin}, {"side-step-" + where, begin, begin + seconds}, {"idle", begin + seconds, kToTheEnd}};
  return {score};
}

/// Walks up to something lying in the way, `height` metres high, lifts one foot after the other over it, walks on.
Piece step_over(Random& random, double height) {
  const double middle = 1.9;
  Score score(random.bits(), 3.8);
  score.lead = 2;
  Drive drive;
  drive.forward = Curve({{0.4, 1.2}, {middle - 0.4, 0.75}, {middle + 0.6, 0.75}, {middle + 1.6, 1.2}});
  StepOptions options = going_on();
  options.high = HighStep{middle - 0.5, height};
  add_steps(score, drive, options, random);
  score.add(Channel::kHeadPitch, hump(0.1, 0.7, middle, middle + 0.5, 16 * kDeg));
  score.add(Channel::kSpineFlex, hump(middle - 0.7, middle - 0.3, middle + 0.3, middle + 0.8, 25 * height * kDeg));
  score.spans = {{"walk", 0, kToTheEnd}, {"step-over", middle - 0.6, middle + 0.7}};
  return {score, {{"height_m", height}}};
}

/// Walks, stoops under something low and straightens up again.
Piece duck_under(Random& random, double depth) {
  const double down = 0.8, low = 1.6, rising = 2.5, up = 3.3;
  Score score(random.bits(), 4.2);
  score.lead = 2;
  Drive drive;
  drive.forward = Curve({{down - 0.2, 1.2}, {low, 0.85}, {rising, 0.85}, {up + 0.2, 1.2}});
  drive.crouch = hump(down, low, rising, up, depth);
  add_steps(score, drive, going_on(), random);
  score.add(Channel::kPelvisPitch, hump(down, low, rising, up, 130 * depth * kDeg));
  score.add(Channel::kSpineFlex, hump(down - 0.1, low, rising, up, 200 * depth * kDeg));
  score.add(Channel::kHeadPitch, hump(down - 0.1, low, rising, up, 18 * kDeg));
  for (const Channel arm : {Channel::kLeftArmFlex, Channel::kRightArmFlex}) {
    score.add(arm, hump(down, low, rising, up, 260 * depth * kDeg));  // they hang from a chest that leans
  }
  score.spans = {{"walk", 0, kToTheEnd}, {"duck-under", down, up}};
  return {score, {{"depth_m", depth}}};
}

/// Strolls about for a while: walks, turns, stands, jogs, as the mood takes it.
Piece wander(Random& random, double seconds) {
  Score score(random.bits(), seconds);
  Drive drive;
  drive.forward = Curve();
  drive.turn = Curve();
  drive.run = Curve();
  double t = 1.0;
  drive.forward.key(0.5, 0);
  drive.turn.key(0.5, 0);
  drive.run.key(0.5, 0);
  while (true) {
    const double speed = random.uniform(0.7, 1.7), angle = random.uniform(-130, 130) * kDeg;
    const double straight = random.uniform(1.0, 2.0), bend = std::fabs(angle) / (75 * kDeg) + 0.6;
    if (t + straight + bend > seconds - 3.2) break;
    drive.forward.key(t + 0.9, speed).key(t + straight, speed).key(t + straight + 0.5 * bend, 0.75 * speed);
    drive.turn.key(t + straight, 0).key(t + straight + 0.5 * bend, 2 * angle / bend).key(t + straight + bend, 0);
    t += straight + bend;
  }
  drive.forward.key(t + 0.6, 1.3).key(seconds - 2.4, 1.3).key(seconds - 1.0, 0);
  drive.turn.key(seconds, 0);
  StepOptions options;
  options.begin = 0.8;
  options.end = seconds - 1.1;
  add_steps(score, drive, options, random);
  score.spans = {{"idle", 0, 0.6}, {"walk", 0.8, seconds - 1.2}, {"idle", seconds - 0.9, kToTheEnd}};
  return {score};
}

/// The family of steady locomotion: forward speed, turn rate and side speed, 20 of them.
struct Velocity {
  double forward, turn_deg, side;
};
constexpr Velocity kVelocities[] = {{0.6, 0, 0},    {0.9, 0, 0},     {1.2, 0, 0},    {1.5, 0, 0},    {1.8, 0, 0},
                                    {0.9, 30, 0},   {0.9, -30, 0},   {0.9, 60, 0},   {0.9, -60, 0},  {1.35, 20, 0},
                                    {1.35, -20, 0}, {1.35, 45, 0},   {1.35, -45, 0}, {1.7, 25, 0},   {1.7, -25, 0},
                                    {0.9, 0, 0.25}, {0.9, 0, -0.25}, {1.3, 0, 0.3},  {1.3, 0, -0.3}, {0.6, 45, 0.2}};

Piece locomotion_member(Random& random, const Velocity& v) {
  Piece piece = steady(random, {v.forward, v.side, v.turn_deg * kDeg, false, 0, 3, "locomotion"});
  piece.score.spans.push_back({"walk", 0, kToTheEnd});
  piece.parameters = {{"forward_mps", v.forward}, {"turn_rate_dps", v.turn_deg}, {"side_mps", v.side}};
  return piece;
}

void add_steady(Catalogue& c) {
  const auto add = [&](const std::string& name, const std::string& group, const Steady& how) {
    c.push_back({name, group, [how](Random& random) { return steady(random, how); }});
  };
  add("walk-slow", "walk", {.forward = 0.8, .cycles = 4, .label = "walk"});
  add("walk-normal-1", "walk", {.forward = kWalk, .cycles = 5, .label = "walk"});
  add("walk-normal-2", "walk", {.forward = kWalk, .cycles = 5, .label = "walk"});
  add("walk-fast", "walk", {.forward = 1.85, .cycles = 5, .label = "walk"});
  add("walk-backward", "walk", {.forward = -0.8, .cycles = 4, .label = "walk-backward"});
  add("walk-crouched", "walk", {.forward = 0.8, .crouch = 0.14, .cycles = 4, .label = "crouch-walk"});
  add("jog", "run", {.forward = kJog, .run = true, .cycles = 6, .label = "run"});
  add("run-1", "run", {.forward = kRun, .run = true, .cycles = 6, .label = "run"});
  add("run-2", "run", {.forward = kRun, .run = true, .cycles = 6, .label = "run"});
  add("run-fast", "run", {.forward = 4.5, .run = true, .cycles = 6, .label = "run"});
  add("side-walk-left", "side-step", {.side = 0.4, .cycles = 4, .label = "side-step-left"});
  add("side-walk-right", "side-step", {.side = -0.4, .cycles = 4, .label = "side-step-right"});
}

void add_changes(Catalogue& c) {
  c.push_back({"start-walk-left-foot", "start", [](Random& r) { return start(r, kWalk, false, kLeft); }});
  c.push_back({"start-walk-right-foot", "start", [](Random& r) { return start(r, kWalk, false, kRight); }});
  c.push_back({"start-run", "start", [](Random& r) { return start(r, kRun, true, kRight); }});
  c.push_back({"stop-walk-1", "stop", [](Random& r) { return stop(r, kWalk, false, 0); }});
  c.push_back({"stop-walk-2", "stop", [](Random& r) { return stop(r, kWalk, false, 1); }});
  c.push_back({"stop-run", "stop", [](Random& r) { return stop(r, kRun, true, 0); }});
  c.push_back({"walk-to-run", "change", [](Random& r) { return change(r, kWalk, kRun, false, true); }});
  c.push_back({"run-to-walk", "change", [](Random& r) { return change(r, kRun, kWalk, true, false); }});
  c.push_back({"walk-to-jog", "change", [](Random& r) { return change(r, kWalk, kJog, false, true); }});
  c.push_back({"jog-to-walk", "change", [](Random& r) { return change(r, kJog, kWalk, true, false); }});
  c.push_back({"walk-slow-to-fast", "change", [](Random& r) { return change(r, 0.8, 1.8, false, false); }});
}

void add_obstacles(Catalogue& c) {
  c.push_back({"step-over-low", "step-over", [](Random& r) { return step_over(r, 0.14); }});
  c.push_back({"step-over-high", "step-over", [](Random& r) { return step_over(r, 0.30); }});
  c.push_back({"duck-under-1", "duck-under", [](Random& r) { return duck_under(r, 0.14); }});
  c.push_back({"duck-under-2", "duck-under", [](Random& r) { return duck_under(r, 0.20); }});
  for (int take = 1; take <= 3; ++take) {
    c.push_back({fmt::format("wander-{}", take), "wander", [](Random& r) { return wander(r, 20); }});
  }
}

void add_turns(Catalogue& c) {
  for (const int sign : {1, -1}) {
    const char* side = sign > 0 ? "left" : "right";
    for (const int degrees : {30, 60, 90, 135, 180}) {
      c.push_back({fmt::format("walk-turn-{}-{}", side, degrees), "walk-turn",
                   [=](Random& r) { return turn_moving(r, kWalk, false, sign * degrees * kDeg, sign > 0 ? 0 : 1); }});
    }
    for (const int degrees : {45, 90}) {
      c.push_back({fmt::format("run-turn-{}-{}", side, degrees), "run-turn",
                   [=](Random& r) { return turn_moving(r, kRun - 0.6, true, sign * degrees * kDeg, 0); }});
    }
    for (const int degrees : {45, 90, 135, 180}) {
      c.push_back({fmt::format("turn-in-place-{}-{}", side, degrees), "turn-in-place",
                   [=](Random& r) { return turn_in_place(r, sign * degrees * kDeg); }});
    }
    c.push_back({fmt::format("side-step-{}-short", side), "side-step",
                 [=](Random& r) { return side_steps(r, sign * 0.35, 1.5); }});
    c.push_back({fmt::format("side-step-{}-long", side), "side-step",
                 [=](Random& r) { return side_steps(r, sign * 0.5, 2.9); }});
  }
}

}  // namespace

void add_locomotion(Catalogue& catalogue) {
  add_steady(catalogue);
  add_changes(catalogue);
  add_turns(catalogue);
  add_obstacles(catalogue);
  int number = 1;
  for (const Velocity& v : kVelocities) {
    catalogue.push_back({fmt::format("locomotion-{:02}", number++), "locomotion",
                         [v](Random& random) { return locomotion_member(random, v); }});
  }
}

}  // namespace loom::sample
