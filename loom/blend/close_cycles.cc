// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <loom/base/whole.h>
#include <loom/blend/close_cycles.h>
#include <loom/motion/body.h>
#include <loom/motion/ground_frame.h>

namespace loom::blend {
namespace {

constexpr double kSwingEaseSeconds = 0.1;  ///< in which a leg that swings begins and stops to take its part
constexpr float kWhileSwinging = 0.5f;     ///< of its part; taken there alone, a leg that lacks much would scuff

/// A pose as if it stood at the origin and faced +Z.
struct Fronted {
  float height = 0;
  std::vector<Quat> rotations;
};

Fronted fronted(const motion::GroundFrameFinder& finder, const motion::Clip& clip, double seconds) {
  motion::Pose pose;
  motion::sample_pose(clip, seconds, pose);
  Fronted seen{pose.root.y, std::move(pose.rotations)};
  seen.rotations[0] = conjugate(finder.find(pose.root, seen.rotations[0]).rotation()) * seen.rotations[0];
  return seen;
}

/// The frames of a clip that are one cycle, both ends included.
struct Cycle {
  std::size_t first = 0, last = 0;
  double rate = 0;

  [[nodiscard]] std::size_t steps() const { return last - first; }
  /// How much of what the ends differ by is added to each frame: in all one less at the end than at the beginning.
  [[nodiscard]] std::vector<float> even_shares(std::size_t frames) const {
    std::vector<float> shares(frames);
    for (std::size_t f = 0; f < frames; ++f) {
      shares[f] = 0.5f - (static_cast<float>(f) - static_cast<float>(first)) / static_cast<float>(steps());
    }
    return shares;
  }
};

/// How much of its part a leg takes from each frame of the cycle to the next: while it swings, beginning and stopping
/// gradually; evenly where it never does.
std::vector<float> steps_of_leg(const Cycle& cycle, const motion::Contacts& contacts, std::uint8_t foot) {
  const std::size_t count = cycle.steps();
  const auto ease = to_whole<std::size_t>(std::max(1.0, std::round(kSwingEaseSeconds * cycle.rate)));
  const auto swings = [&](std::size_t step) {
    const std::size_t f = cycle.first + step % count;
    return ((contacts.planted[f] | contacts.planted[f + 1]) & foot) == 0;
  };
  std::vector<float> steps(count);
  float sum = 0;
  for (std::size_t s = 0; s < count; ++s) {
    std::size_t off = 0;  // steps to the nearest in which it stands
    while (off <= ease && swings(s + off) && swings(s + count * ease - off)) ++off;
    sum += steps[s] = static_cast<float>(off);
  }
  for (float& step : steps) step = sum > 0 ? step / sum : 1 / static_cast<float>(count);
  return steps;
}

/// The same as `even_shares` for a leg: half of it changes only while it swings.
std::vector<float> shares_of_leg(const Cycle& cycle, const motion::Contacts& contacts, std::uint8_t foot,
                                 std::size_t frames) {
  const std::vector<float> steps = steps_of_leg(cycle, contacts, foot);
  std::vector<float> taken(frames), standing;
  for (std::size_t f = 0; f < frames; ++f) {
    if (f > cycle.first) taken[f] = taken[f - 1] + (f <= cycle.last ? steps[f - cycle.first - 1] : 0);
    if (f >= cycle.first && f <= cycle.last && (contacts.planted[f] & foot) != 0) standing.push_back(taken[f]);
  }
  float here = 0.5f;
  if (!standing.empty()) {
    const auto middle = standing.begin() + static_cast<std::ptrdiff_t>(standing.size() / 2);
    std::nth_element(standing.begin(), middle, standing.end());
    here = *middle;
  }
  std::vector<float> shares = cycle.even_shares(frames);
  for (std::size_t f = 0; f < frames; ++f) shares[f] = std::lerp(shares[f], here - taken[f], kWhileSwinging);
  return shares;
}

/// For each joint which leg it belongs to: 0 the left, 1 the right, -1 neither.
std::vector<int> legs_of(const motion::Skeleton& skeleton) {
  const motion::Body body = motion::find_body(skeleton);
  std::vector<int> legs(skeleton.size(), -1);
  for (std::size_t j = 1; j < legs.size(); ++j) {
    const int joint = static_cast<int>(j);
    legs[j] = legs[static_cast<std::size_t>(skeleton.joint(j).parent)];
    if (joint == body.left_leg.upper) legs[j] = 0;
    if (joint == body.right_leg.upper) legs[j] = 1;
  }
  return legs;
}

void close_cycle(motion::Clip& clip, const motion::Contacts& contacts, double begin, double end) {
  const motion::GroundFrameFinder finder(*clip.skeleton);
  const Fronted first = fronted(finder, clip, begin), last = fronted(finder, clip, end);
  const Cycle cycle{to_whole<std::size_t>(std::round(begin * clip.rate)),
                    std::min(to_whole<std::size_t>(std::round(end * clip.rate)), clip.frames() - 1), clip.rate};
  if (cycle.last <= cycle.first) return;
  const std::array<std::vector<float>, 3> shares = {cycle.even_shares(clip.frames()),
                                                    shares_of_leg(cycle, contacts, motion::kLeftFoot, clip.frames()),
                                                    shares_of_leg(cycle, contacts, motion::kRightFoot, clip.frames())};
  const std::vector<int> legs = legs_of(*clip.skeleton);
  std::vector<Vec3> turns;  // by what the last pose is turned from the first, in the parent's frame
  for (std::size_t j = 0; j < clip.joints(); ++j) {
    turns.push_back(log_vector(last.rotations[j] * conjugate(first.rotations[j])));
  }
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    clip.roots[f].y += shares[0][f] * (last.height - first.height);
    const Quat facing = finder.find(clip.roots[f], clip.pose(f)[0]).rotation();
    for (std::size_t j = 0; j < clip.joints(); ++j) {
      const Quat turn = exp_vector(turns[j] * shares[static_cast<std::size_t>(1 + legs[j])][f]);
      Quat& q = clip.pose(f)[j];
      q = normalized(j == 0 ? facing * turn * conjugate(facing) * q : turn * q);
    }
  }
}

}  // namespace

void close_cycles(std::vector<motion::Clip>& clips, std::span<const motion::Contacts> contacts,
                  const Alignment& alignment) {
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const double begin = std::max(0.0, alignment.curves[c].at(alignment.begin));
    const double end = std::min(clips[c].duration(), alignment.curves[c].at(alignment.end));
    close_cycle(clips[c], contacts[c], begin, end);
  }
}

}  // namespace loom::blend
