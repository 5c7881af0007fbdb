// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/machine/detail/cycle.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>

namespace loom::machine {
namespace {

constexpr double kSeconds = 0.4;  ///< in which what the ends of an example differ by dies away
constexpr double kShare = 0.4;    ///< of the cycle, where that is less

float mix(float a, float b, float t) { return a + (b - a) * t; }

/// A pose as if it stood at the origin and faced +Z, and where it stands.
struct Stood {
  motion::GroundFrame ground;
  float height = 0;
  std::vector<Quat> rotations;
};

Stood stand(const motion::GroundFrameFinder& finder, const motion::Clip& clip, double seconds) {
  motion::Pose pose;
  motion::sample_pose(clip, seconds, pose);
  Stood stood{finder.find(pose.root, pose.rotations[0]), pose.root.y, std::move(pose.rotations)};
  stood.rotations[0] = conjugate(stood.ground.rotation()) * stood.rotations[0];
  return stood;
}

void blend_into(Stood& pose, const Stood& other, float weight) {
  pose.height = mix(pose.height, other.height, weight);
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    const Quat &a = pose.rotations[j], b = dot(a, other.rotations[j]) < 0 ? -other.rotations[j] : other.rotations[j];
    pose.rotations[j] =
        normalized(Quat{mix(a.w, b.w, weight), mix(a.x, b.x, weight), mix(a.y, b.y, weight), mix(a.z, b.z, weight)});
  }
}

double warped(std::span<const behavior::WarpKnot> knots, double from) {
  std::size_t k = 1;
  while (k + 1 < knots.size() && from > knots[k].from) ++k;
  const auto &a = knots[k - 1], &b = knots[k];
  return a.to + (b.to - a.to) * (from - a.from) / (b.from - a.from);
}

std::uint8_t planted_at(const motion::Clip& clip, const motion::Contacts& contacts, double seconds) {
  if (contacts.planted.empty()) return 0;
  const double last = static_cast<double>(clip.frames() - 1);
  return contacts.planted[to_whole<std::size_t>(std::clamp(std::round(seconds * clip.rate), 0.0, last))];
}

double squared_apart(const motion::Skeleton& skeleton, const Stood& a, const Stood& b) {
  std::vector<Vec3> there(skeleton.size() + skeleton.end_sites().size()), here(there.size());
  std::vector<Quat> turns(skeleton.size());
  motion::forward_kinematics(skeleton, {0, a.height, 0}, a.rotations, there, turns);
  motion::forward_kinematics(skeleton, {0, b.height, 0}, b.rotations, here, turns);
  double sum = 0;
  for (std::size_t j = 0; j < there.size(); ++j) sum += dot(there[j] - here[j], there[j] - here[j]);
  return sum / static_cast<double>(there.size());
}

/// Half of the difference of the ends, with the sign of the end it is given to.
struct Offset {
  float height = 0;
  std::vector<Vec3> turns;  ///< rotation vectors in the parent's frame
};

void add(motion::Clip& clip, const motion::GroundFrameFinder& finder, std::size_t frame, const Offset& offset,
         float share) {
  if (share == 0) return;
  clip.roots[frame].y += share * offset.height;
  const Quat facing = finder.find(clip.roots[frame], clip.pose(frame)[0]).rotation();
  for (std::size_t j = 0; j < offset.turns.size(); ++j) {
    const Quat turn = exp_vector(offset.turns[j] * share);
    Quat& q = clip.pose(frame)[j];
    q = normalized(j == 0 ? facing * turn * conjugate(facing) * q : turn * q);
  }
}

/// Closes one clip between two of its moments.
double close_example(motion::Clip& clip, double begin, double end) {
  const motion::GroundFrameFinder finder(*clip.skeleton);
  const Stood first = stand(finder, clip, begin), last = stand(finder, clip, end);
  Offset offset{(first.height - last.height) / 2, std::vector<Vec3>(first.rotations.size())};
  for (std::size_t j = 0; j < offset.turns.size(); ++j) {
    offset.turns[j] = log_vector(first.rotations[j] * conjugate(last.rotations[j])) * 0.5f;
  }
  const double fade = std::min(kSeconds, kShare * (end - begin));
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const double at = static_cast<double>(f) / clip.rate;
    const float to_end = smoothstep(static_cast<float>(std::clamp((at - (end - fade)) / fade, 0.0, 1.0)));
    const float to_begin = smoothstep(static_cast<float>(std::clamp(((begin + fade) - at) / fade, 0.0, 1.0)));
    add(clip, finder, f, offset, to_end - to_begin);
  }
  return squared_apart(*clip.skeleton, first, last);
}

}  // namespace

double worse_but_longer(double best) { return 1.25 * best + 0.0005; }

std::optional<Cycle> find_cycle(const compare::CostMatrix& self, const CycleLimits& limits) {
  std::vector<Cycle> cycles;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t begin = limits.fade; begin + limits.least < self.rows; ++begin) {
    for (std::size_t end = begin + limits.least; end <= std::min(begin + limits.most, self.rows - 1); ++end) {
      double sum = 0;
      for (std::size_t k = 0; k <= limits.fade; ++k) sum += static_cast<double>(self.at(end - k, begin - k));
      const double cost = sum / static_cast<double>(limits.fade + 1);
      if (cost > worse_but_longer(best)) continue;
      best = std::min(best, cost);
      cycles.push_back({begin, end, limits.fade, cost});
    }
  }
  std::optional<Cycle> longest;
  for (const Cycle& cycle : cycles) {
    if (cycle.cost <= worse_but_longer(best) && (!longest || cycle.frames() > longest->frames())) longest = cycle;
  }
  return longest;
}

ClosedMotion close_cycle(const motion::Clip& clip, const motion::Contacts& contacts,
                         std::span<const behavior::WarpKnot> knots) {
  const motion::GroundFrameFinder finder(*clip.skeleton);
  const double begin = knots.back().to, end = knots.back().from, fade = knots.front().from;
  const auto count = to_whole<std::size_t>(std::max(2.0, std::round((end - begin) * clip.rate)));
  ClosedMotion closed{{clip.name, clip.skeleton, clip.rate, {}, {}, {}}, contacts};
  closed.contacts.planted.clear();
  motion::GroundFrame place, before, other_before;
  for (std::size_t k = 0; k <= count; ++k) {
    const double at = begin + (end - begin) * static_cast<double>(k) / static_cast<double>(count);
    const auto weight = smoothstep(static_cast<float>(std::clamp((at - fade) / (end - fade), 0.0, 1.0)));
    const double there = warped(knots, std::max(at, fade));
    Stood pose = stand(finder, clip, at);
    const Stood other = stand(finder, clip, there);
    const motion::GroundFrame ground = pose.ground;
    if (k == 0) {
      place = ground;
    } else {
      const motion::GroundFrame own = inverse(before) * ground, theirs = inverse(other_before) * other.ground;
      place = place * motion::GroundFrame{mix(own.x, theirs.x, weight), mix(own.z, theirs.z, weight),
                                          own.heading + weight * wrap_angle(theirs.heading - own.heading)};
    }
    before = ground;
    other_before = other.ground;
    blend_into(pose, other, weight);
    closed.clip.roots.push_back({place.x, pose.height, place.z});
    pose.rotations[0] = normalized(place.rotation() * pose.rotations[0]);
    closed.clip.rotations.insert(closed.clip.rotations.end(), pose.rotations.begin(), pose.rotations.end());
    closed.contacts.planted.push_back(planted_at(clip, contacts, weight < 0.5f ? at : there));
  }
  motion::align_hemispheres(closed.clip);
  return closed;
}

double close_examples(std::vector<motion::Clip>& clips, const blend::Alignment& alignment) {
  double sum = 0;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    const double begin = std::max(0.0, alignment.curves[c].at(alignment.begin));
    const double end = std::min(clips[c].duration(), alignment.curves[c].at(alignment.end));
    sum += close_example(clips[c], begin, end);
  }
  return sum / static_cast<double>(clips.size());
}

}  // namespace loom::machine
