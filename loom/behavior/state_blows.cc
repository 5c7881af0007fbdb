// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <loom/base/whole.h>
#include <loom/behavior/state_blows.h>
#include <loom/motion/body.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>

namespace loom::behavior {
namespace {

constexpr double kSpeedSeconds = 1.0 / 15;  ///< over which a speed is taken
constexpr float kStrikes = 2.5f;            ///< metres a second: faster than a guard or a step moves a hand or a foot
constexpr float kRests = 0.6f;              ///< metres a second: slower is a guard
constexpr double kFarthestRest = 1.0;  ///< seconds from the blow; where there is none, the slowest moment until then
constexpr double kOneBlow = 0.5;  ///< seconds between what goes out and what comes back of one blow, less than this
constexpr double kEase = 0.1;     ///< seconds of rest that belong to a blow, where one may come in and go out

/// The joints that strike; empty where the body has not all of them.
std::vector<std::size_t> striking_joints(const motion::Skeleton& skeleton) {
  const motion::Body body = motion::find_body(skeleton);
  std::vector<std::size_t> joints;
  for (const motion::Limb* limb : {&body.left_arm, &body.right_arm, &body.left_leg, &body.right_leg}) {
    if (!limb->complete()) return {};
    joints.push_back(static_cast<std::size_t>(limb->end));
  }
  return joints;
}

/// Of every frame in [begin, end) the speed of the fastest of these joints, seen from where the body stands.
std::vector<float> fastest_joint(const motion::Clip& clip, std::size_t begin, std::size_t end,
                                 const std::vector<std::size_t>& joints) {
  const std::size_t points = clip.skeleton->point_count(), frames = end - begin;
  const std::vector<Vec3> positions = motion::point_positions(clip, begin, end);
  const motion::GroundFrameFinder finder(*clip.skeleton);
  std::vector<motion::GroundFrame> home;
  for (std::size_t f = begin; f < end; ++f) home.push_back(inverse(finder.find(clip.roots[f], clip.pose(f)[0])));
  const auto half = to_whole<std::size_t>(std::max(1.0, std::round(kSpeedSeconds * clip.rate / 2)));
  std::vector<float> speeds(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    const std::size_t a = f - std::min(half, f), b = std::min(f + half, frames - 1);
    if (a == b) continue;
    const auto per_second = static_cast<float>(clip.rate / static_cast<double>(b - a));
    for (const std::size_t joint : joints) {
      const Vec3 from = transform(home[a], positions[a * points + joint]);
      const Vec3 to = transform(home[b], positions[b * points + joint]);
      speeds[f] = std::max(speeds[f], distance(from, to) * per_second);
    }
  }
  return speeds;
}

/// The stretches of fast movement; those nearer to each other than `apart` frames are one: out and back, or one after
/// the other at once.
std::vector<motion::FrameRange> strokes_of(const std::vector<float>& speed, std::size_t apart) {
  std::vector<motion::FrameRange> strokes;
  for (std::size_t f = 0; f < speed.size(); ++f) {
    if (speed[f] < kStrikes) continue;
    if (strokes.empty() || f >= strokes.back().end + apart) strokes.push_back({f, f});
    strokes.back().end = f + 1;
  }
  return strokes;
}

std::size_t slowest(const std::vector<float>& speed, std::size_t begin, std::size_t end) {
  const auto from = speed.begin() + static_cast<std::ptrdiff_t>(begin);
  return begin +
         static_cast<std::size_t>(std::min_element(from, from + static_cast<std::ptrdiff_t>(end - begin)) - from);
}

/// Whether an attack is made of the motion of a state that one comes into from the default state and leaves for it.
bool deals_blows(const StateMachine& machine, std::size_t state) {
  const std::size_t home = machine.default_state;
  return state != home && machine.allows(home, state) && machine.allows(state, home) &&
         std::any_of(machine.activities.begin(), machine.activities.end(),
                     [&](const Activity& a) { return a.state == state && a.kind == kAttackKind; });
}

}  // namespace

std::vector<motion::FrameRange> find_blows(const motion::Clip& clip, std::size_t begin, std::size_t end) {
  const std::vector<std::size_t> joints = striking_joints(*clip.skeleton);
  if (joints.empty() || begin >= end) return {};
  const std::vector<float> speed = fastest_joint(clip, begin, end, joints);
  const auto frames_in = [&](double seconds) { return to_whole<std::size_t>(std::round(seconds * clip.rate)); };
  const std::size_t far = frames_in(kFarthestRest), ease = frames_in(kEase);
  const std::vector<motion::FrameRange> strokes = strokes_of(speed, frames_in(kOneBlow));
  std::vector<motion::FrameRange> blows;
  std::size_t least = 0;  // where a blow may begin: no earlier than the middle of the guard before it
  for (std::size_t s = 0; s < strokes.size(); ++s) {
    std::size_t most = speed.size(), next = most;
    if (s + 1 < strokes.size()) {
      const std::size_t pause = slowest(speed, strokes[s].end, strokes[s + 1].begin);
      most = std::max(strokes[s].end, pause - std::min(pause, ease));
      next = std::min(strokes[s + 1].begin, pause + ease);
    }
    std::size_t from = strokes[s].begin, to = strokes[s].end - 1;
    for (std::size_t f = from; f > least && strokes[s].begin - f < far && speed[from] > kRests; --f) {
      if (speed[f - 1] < speed[from]) from = f - 1;
    }
    for (std::size_t f = to; f + 1 < most && f + 1 - strokes[s].end < far && speed[to] > kRests; ++f) {
      if (speed[f + 1] < speed[to]) to = f + 1;
    }
    from = std::max(least, from - std::min(from, ease));
    blows.push_back({begin + from, begin + std::min(to + 1 + ease, most)});
    least = next;
  }
  return blows;
}

std::vector<FrameSpan> cut_at_blows(const StateMachine& machine, const StateFrames& frames,
                                    std::span<const Action> actions, std::span<const motion::Clip> clips,
                                    double longest_seconds, std::vector<std::uint32_t>& state_of) {
  std::vector<FrameSpan> cut;
  const auto stand = [&](std::uint32_t from, std::uint32_t to) {
    std::fill(state_of.begin() + from, state_of.begin() + to, static_cast<std::uint32_t>(machine.default_state));
  };
  const auto cut_part = [&](const FrameSpan& part) {
    const std::uint32_t c = frames.numbers().clip_of(part.begin), first = frames.numbers().first(c);
    if (part.end - part.begin <= longest_seconds * clips[c].rate) return;
    const auto blows = find_blows(clips[c], part.begin - first, part.end - first);
    if (blows.empty()) return;
    std::uint32_t f = part.begin;
    for (const motion::FrameRange& blow : blows) {
      cut.push_back({first + static_cast<std::uint32_t>(blow.begin), first + static_cast<std::uint32_t>(blow.end)});
      stand(f, cut.back().begin);
      f = cut.back().end;
    }
    stand(f, part.end);
  };
  std::vector<bool> gate(frames.numbers().total() + 1);
  for (const Action& action : actions) gate[action.begin] = gate[action.end] = true;
  for (FrameSpan part; part.begin < frames.numbers().total(); part.begin = part.end) {
    part.end = part.begin + 1;
    if (!frames.whole(part.begin) || !deals_blows(machine, frames.state_of(part.begin))) continue;
    while (frames.numbers().goes_on(part.end - 1) && !gate[part.end] &&
           frames.state_of(part.end) == frames.state_of(part.begin)) {
      ++part.end;
    }
    cut_part(part);
  }
  return cut;
}

}  // namespace loom::behavior
