// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/measure/suggest_labels.h>
#include <loom/motion/body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>

namespace loom::measure {
namespace {

// Chosen on 452 clips of the CMU database; docs/results/labels.md has what they find.
constexpr double kLeastSeconds = 0.5;    ///< of a clip that can be told something of, and of what shares the time
constexpr double kWindowSeconds = 0.8;   ///< over which speeds and feet are looked at: about a stride
constexpr double kWalkingSpeed = 0.30;   ///< metres a second of the hips; below, a body stays in its place
constexpr double kSurelyRunning = 2.6;   ///< metres a second; hardly anybody walks as fast
constexpr double kPerhapsRunning = 1.2;  ///< metres a second; from here on feet that fly tell a run
constexpr double kTurnRate = 12;         ///< degrees a second, below which a turn pauses
constexpr double kLeastTurn = 25;        ///< degrees: hips swing by less from step to step
constexpr double kTurnSeconds = 0.6;     ///< over which turning is looked at: about a step
constexpr double kJumpRise = 0.12;       ///< metres the hips rise above where they left the floor: runs have less
constexpr double kJumpFlight = 0.18;     ///< seconds without a foot on the floor that a jump has at least
constexpr double kHopFlight = 0.1;       ///< seconds without a foot on the floor, off both feet and onto both: a hop
constexpr double kSurelyJumping = 0.42;  ///< seconds without a foot on the floor: no running step takes as long
constexpr double kAroundJump = 0.3;      ///< seconds before and after a flight that belong to a jump
constexpr double kHandSpeed = 0.7;       ///< metres a second of a wrist, as seen from the hips
constexpr double kOneHand = 1.8;         ///< times as fast as the other
constexpr double kHandGap = 0.4;         ///< seconds within which a hand may pause
constexpr double kWhole = 0.9;           ///< of the clip: what fills as much fills it all

/// What is looked at, one entry a frame.
struct Signs {
  std::vector<double> speed, forward, left;  ///< of the hips, metres a second, over a stride
  std::vector<double> turn_rate;             ///< degrees a second, to the left
  std::vector<double> hip_height;            ///< metres above the floor
  std::vector<double> flight, both;          ///< shares of a stride with no foot, and with both feet on the floor
  std::array<std::vector<double>, 2> hand;   ///< metres a second, left and right; empty without arms
  std::vector<bool> flying, standing;        ///< no foot on the floor; both
};

/// Means over `window` frames around each; by sums, O(frames).
std::vector<double> averaged(const std::vector<double>& values, std::size_t window) {
  std::vector<double> sums(values.size() + 1, 0.0), result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sums[i + 1] = sums[i] + values[i];
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t a = i > window / 2 ? i - window / 2 : 0, b = std::min(values.size(), i + window / 2 + 1);
    result[i] = (sums[b] - sums[a]) / static_cast<double>(b - a);
  }
  return result;
}

std::size_t whole_frames(double seconds, double rate) {
  return std::max<std::size_t>(1, to_whole<std::size_t>(std::round(seconds * rate)));
}

/// Speeds of a wrist as seen from where the body stands.
std::vector<double> hand_speeds(const motion::WorldPoses& poses, const std::vector<motion::GroundFrame>& grounds,
                                int wrist, double rate) {
  std::vector<double> speeds(poses.frames, 0.0);
  const auto seen = [&](std::size_t f) {
    return motion::transform(motion::inverse(grounds[f]), poses.position(f, static_cast<std::size_t>(wrist)));
  };
  for (std::size_t f = 0; f + 1 < poses.frames; ++f) speeds[f] = rate * distance(seen(f + 1), seen(f));
  if (poses.frames > 1) speeds.back() = speeds[poses.frames - 2];
  return averaged(speeds, whole_frames(0.2, rate));
}

Signs look(const motion::Clip& clip, const motion::Contacts& contacts) {
  const std::size_t frames = clip.frames(), stride = whole_frames(kWindowSeconds, clip.rate);
  const auto grounds = motion::GroundFrameFinder(*clip.skeleton).find(clip);
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  const motion::Body body = motion::find_body(*clip.skeleton);
  const auto hips = static_cast<std::size_t>(std::max(0, body.hips));
  Signs signs;
  std::vector<double> along(frames), aside(frames), turning(frames), none(frames), both(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    const std::size_t a = f + 1 < frames ? f : f - 1;  // the last goes as the one before
    const motion::GroundFrame step = motion::inverse(grounds[a]) * grounds[a + 1];
    along[f] = clip.rate * step.z;
    aside[f] = clip.rate * step.x;
    turning[f] = clip.rate * step.heading / kDegree;
    const motion::Stance stance = motion::stance_of(contacts.planted[f]);
    none[f] = stance == motion::Stance::kFlight ? 1 : 0;
    both[f] = stance == motion::Stance::kDouble ? 1 : 0;
    signs.flying.push_back(stance == motion::Stance::kFlight);
    signs.standing.push_back(stance == motion::Stance::kDouble);
    const Vec3 at = poses.position(f, hips);
    signs.hip_height.push_back(at.y - contacts.ground.at(at));
  }
  signs.forward = averaged(along, stride);
  signs.left = averaged(aside, stride);
  for (std::size_t f = 0; f < frames; ++f) signs.speed.push_back(std::hypot(signs.forward[f], signs.left[f]));
  signs.turn_rate = averaged(turning, whole_frames(kTurnSeconds, clip.rate));
  signs.flight = averaged(none, stride);
  signs.both = averaged(both, stride);
  if (body.left_arm.complete() && body.right_arm.complete()) {
    signs.hand = {hand_speeds(poses, grounds, body.left_arm.end, clip.rate),
                  hand_speeds(poses, grounds, body.right_arm.end, clip.rate)};
  }
  return signs;
}

enum Gait { kStand, kWalk, kWalkBackward, kSideLeft, kSideRight, kRun };
constexpr std::array kGaitNames{"stand", "walk", "walk-backward", "sidestep-left", "sidestep-right", "run"};

Gait gait_at(const Signs& signs, std::size_t f) {
  const double speed = signs.speed[f];
  if (speed < kWalkingSpeed) return kStand;
  if (speed > kSurelyRunning || (speed > kPerhapsRunning && signs.flight[f] > signs.both[f])) return kRun;
  if (std::abs(signs.left[f]) > std::abs(signs.forward[f])) return signs.left[f] > 0 ? kSideLeft : kSideRight;
  return signs.forward[f] < 0 ? kWalkBackward : kWalk;
}

struct Stretch {
  int kind = 0;
  std::size_t begin = 0, end = 0;
};

/// Equal neighbours as stretches.
std::vector<Stretch> runs_of(const std::vector<int>& kinds) {
  std::vector<Stretch> runs;
  for (std::size_t f = 0; f < kinds.size(); ++f) {
    if (runs.empty() || runs.back().kind != kinds[f]) runs.push_back({kinds[f], f, f});
    runs.back().end = f + 1;
  }
  return runs;
}

/// What lasts too short to be seen as anything of its own goes to its longer neighbour, the shortest first.
std::vector<Stretch> without_short(std::vector<int> kinds, std::size_t least) {
  for (;;) {
    std::vector<Stretch> runs = runs_of(kinds);
    if (runs.size() < 2) return runs;
    const auto length = [](const Stretch& s) { return s.end - s.begin; };
    const auto shortest =
        std::min_element(runs.begin(), runs.end(), [&](const auto& a, const auto& b) { return length(a) < length(b); });
    if (length(*shortest) >= least) return runs;
    const auto before = shortest == runs.begin() ? runs.end() : shortest - 1, after = shortest + 1;
    const auto& heir = before == runs.end()                                       ? *after
                       : after == runs.end() || length(*before) >= length(*after) ? *before
                                                                                  : *after;
    std::fill(kinds.begin() + static_cast<std::ptrdiff_t>(shortest->begin),
              kinds.begin() + static_cast<std::ptrdiff_t>(shortest->end), heir.kind);
  }
}

class Suggester {
 public:
  Suggester(const motion::Clip& clip, const motion::Contacts& contacts) : clip_(clip), signs_(look(clip, contacts)) {}

  std::vector<SuggestedLabel> run() {
    add_jumps();
    add_gaits();
    add_turns();
    add_hands();
    std::stable_sort(found_.begin(), found_.end(),
                     [](const auto& a, const auto& b) { return a.label.begin < b.label.begin; });
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::size_t frames(double seconds) const { return whole_frames(seconds, clip_.rate); }
  [[nodiscard]] double mean(const std::vector<double>& of, const Stretch& stretch) const {
    double sum = 0;
    for (std::size_t f = stretch.begin; f < stretch.end; ++f) sum += of[f];
    return sum / static_cast<double>(stretch.end - stretch.begin);
  }
  void add(std::string name, Stretch stretch, std::string why) {
    const auto whole = static_cast<double>(clip_.frames());
    if (static_cast<double>(stretch.end - stretch.begin) >= kWhole * whole) stretch = {0, 0, clip_.frames()};
    found_.push_back({{std::move(name), stretch.begin, stretch.end}, std::move(why)});
  }

  /// Whether both feet stand within a tenth of a second before a frame, or after it.
  [[nodiscard]] bool both_near(std::size_t frame, int way) const {
    const auto reach = static_cast<std::ptrdiff_t>(frames(0.1));
    for (std::ptrdiff_t k = 0; k <= reach; ++k) {
      const std::ptrdiff_t f = static_cast<std::ptrdiff_t>(frame) + way * k;
      if (f >= 0 && f < static_cast<std::ptrdiff_t>(clip_.frames()) && signs_.standing[static_cast<std::size_t>(f)]) {
        return true;
      }
    }
    return false;
  }

  /// Flights higher or longer than those of running, with what leads to them; several in a row are one stretch.
  void add_jumps() {
    std::vector<int> flying(signs_.flying.begin(), signs_.flying.end());
    std::vector<Stretch> jumps;
    std::vector<double> rises;
    for (const Stretch& run : runs_of(flying)) {
      if (run.kind == 0) continue;
      const double lasts = static_cast<double>(run.end - run.begin) / clip_.rate;
      const auto at = [&](std::size_t f) { return signs_.hip_height.begin() + static_cast<std::ptrdiff_t>(f); };
      const double rise = *std::max_element(at(run.begin), at(run.end)) - signs_.hip_height[run.begin];
      const bool jumps_off = run.begin > 0 && run.end < clip_.frames();  // it leaves the floor and comes back to it
      const bool high =
          lasts >= kJumpFlight && (rise >= kJumpRise || (lasts >= kSurelyJumping && rise >= kJumpRise / 3));
      const bool hops = lasts >= kHopFlight && both_near(run.begin, -1) && both_near(run.end, 1);
      if (!jumps_off || !(high || hops)) continue;
      const std::size_t around = frames(kAroundJump);
      const Stretch jump{1, run.begin > around ? run.begin - around : 0, std::min(run.end + around, clip_.frames())};
      if (!jumps.empty() && jumps.back().end >= jump.begin) {
        jumps.back().end = jump.end;
        rises.back() = std::max(rises.back(), rise);
      } else {
        jumps.push_back(jump);
        rises.push_back(rise);
      }
    }
    for (std::size_t i = 0; i < jumps.size(); ++i) {
      add("jump", jumps[i], fmt::format("no foot on the floor, hips {:.0f} cm up", 100 * rises[i]));
    }
    jumps_ = std::move(jumps);
  }

  [[nodiscard]] bool jumps_at(std::size_t f) const {
    return std::any_of(jumps_.begin(), jumps_.end(), [&](const Stretch& s) { return s.begin <= f && f < s.end; });
  }

  void add_gaits() {
    std::vector<int> kinds(clip_.frames());
    for (std::size_t f = 0; f < kinds.size(); ++f) kinds[f] = jumps_at(f) ? -1 : gait_at(signs_, f);
    for (const Stretch& run : without_short(kinds, frames(kLeastSeconds))) {
      if (run.kind < 0) continue;
      const double speed = mean(signs_.speed, run), flight = mean(signs_.flight, run);
      const std::string feet = run.kind == kRun
                                   ? fmt::format("in the air {:.0f} % of the time", 100 * flight)
                                   : fmt::format("both feet down {:.0f} % of the time", 100 * mean(signs_.both, run));
      add(kGaitNames[static_cast<std::size_t>(run.kind)], run, fmt::format("{:.2f} m/s, {}", speed, feet));
      if (run.kind == kStand) stands_.push_back(run);
    }
  }

  void add_turns() {
    std::vector<int> kinds(clip_.frames());
    for (std::size_t f = 0; f < kinds.size(); ++f) {
      const double rate = signs_.turn_rate[f];
      kinds[f] = rate > kTurnRate ? 1 : rate < -kTurnRate ? -1 : 0;
    }
    // A turn on foot goes by steps: it may pause for one.
    std::vector<Stretch> turns;
    for (const Stretch& run : runs_of(kinds)) {
      if (run.kind == 0) continue;
      if (!turns.empty() && turns.back().kind == run.kind && run.begin - turns.back().end <= frames(kHandGap)) {
        turns.back().end = run.end;
      } else {
        turns.push_back(run);
      }
    }
    for (const Stretch& turn : turns) {
      const double degrees = mean(signs_.turn_rate, turn) * static_cast<double>(turn.end - turn.begin) / clip_.rate;
      if (std::abs(degrees) < kLeastTurn) continue;
      add(degrees > 0 ? "turn-left" : "turn-right", turn, fmt::format("turns by {:.0f}°", std::abs(degrees)));
    }
  }

  /// Which hand does something, while the body stays in its place.
  void add_hands() {
    if (signs_.hand[0].empty()) return;
    std::vector<int> kinds(clip_.frames(), 0);  // 1 left, 2 right, 3 both
    for (const Stretch& stand : stands_) {
      for (std::size_t f = stand.begin; f < stand.end; ++f) {
        const double left = signs_.hand[0][f], right = signs_.hand[1][f];
        if (std::max(left, right) < kHandSpeed) continue;
        kinds[f] = left > kOneHand * right ? 1 : right > kOneHand * left ? 2 : 3;
      }
    }
    std::vector<Stretch> moves;
    for (const Stretch& run : runs_of(kinds)) {
      if (run.kind == 0) continue;
      if (!moves.empty() && run.begin - moves.back().end <= frames(kHandGap)) {
        moves.back().end = run.end;
      } else {
        moves.push_back(run);
      }
    }
    for (Stretch& move : moves) {
      if (move.end - move.begin < frames(0.3)) continue;
      const double left = mean(signs_.hand[0], move), right = mean(signs_.hand[1], move);
      const char* name = left > kOneHand * right ? "hand-left" : right > kOneHand * left ? "hand-right" : "hands-both";
      add(name, move, fmt::format("left {:.1f} m/s, right {:.1f} m/s", left, right));
    }
  }

  const motion::Clip& clip_;
  Signs signs_;
  std::vector<Stretch> jumps_, stands_;
  std::vector<SuggestedLabel> found_;
};

}  // namespace

Result<std::vector<SuggestedLabel>> suggest_labels(const motion::Clip& clip) {
  const auto contacts = motion::find_contacts(clip);
  if (!contacts) return fail_from(contacts);
  if (clip.duration() < kLeastSeconds) return std::vector<SuggestedLabel>();
  return Suggester(clip, *contacts).run();
}

}  // namespace loom::measure
