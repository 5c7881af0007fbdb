// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <loom/base/whole.h>
#include <loom/graph/seams.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>

namespace loom::graph {
namespace {

constexpr double kBlendSeconds = 0.5;  ///< to both sides, within which the transition of a seam lies

/// Where joints are in two frames one after the other, as seen from where the body stands in the first.
class Moment {
 public:
  Moment(const motion::Clip& clip, std::size_t frame) {
    const std::size_t last = clip.frames() - 1, a = std::min(frame, last > 0 ? last - 1 : 0);
    auto stretch = motion::cut(clip, a, std::min(a + 2, last + 1));
    if (!stretch) return;
    poses_ = motion::forward_kinematics(*stretch);
    const auto grounds = motion::GroundFrameFinder(*clip.skeleton).find(*stretch);
    seen_ = motion::inverse(grounds[0]);
    turning_ = grounds.size() > 1 ? clip.rate * wrap_angle(grounds[1].heading - grounds[0].heading) : 0;
    rate_ = clip.rate;
  }
  [[nodiscard]] std::size_t joints() const { return poses_.joints; }
  [[nodiscard]] Vec3 place(std::size_t joint) const { return motion::transform(seen_, poses_.position(0, joint)); }
  [[nodiscard]] Vec3 velocity(std::size_t joint) const {
    if (poses_.frames < 2) return {};
    return (motion::transform(seen_, poses_.position(1, joint)) - place(joint)) * static_cast<float>(rate_);
  }
  [[nodiscard]] double turning() const { return turning_; }

 private:
  motion::WorldPoses poses_;
  motion::GroundFrame seen_;
  double turning_ = 0, rate_ = 30;
};

SeamCandidate candidate(const MotionGraph& graph, const take::TakeSet& motion, Node from,
                        const Transition& transition) {
  const motion::SourceFrame to{graph.clip_of(transition.to), graph.frame_of(transition.to)};
  return {to.clip, to.frame, transition.distance, transition.cost,
          gap_between(motion, {graph.clip_of(from), graph.frame_of(from)}, to)};
}

/// A transition that leads from the run before to the run after, nearest to where the one goes over into the other.
struct Taken {
  Node from = 0;
  const Transition* transition = nullptr;
};

Taken find_taken(const MotionGraph& graph, const Seam& seam) {
  const int reach = to_whole<int>(std::round(kBlendSeconds * graph.rate));
  Taken best;
  int least = reach + 1;
  for (int away = -reach; away <= reach; ++away) {
    const std::int64_t frame = static_cast<std::int64_t>(seam.from_frame) + away;
    if (frame < 0 || std::abs(away) >= least) continue;
    const auto node = graph.node_at(seam.from_clip, static_cast<std::uint32_t>(frame));
    if (!node) continue;
    for (const Transition& one : graph.transitions_of(*node)) {
      // Played on from there, it is at `to_frame` one frame after `from_frame`.
      const std::int64_t there = static_cast<std::int64_t>(graph.frame_of(one.to)) - away;
      if (graph.clip_of(one.to) != seam.to_clip || std::abs(there - static_cast<std::int64_t>(seam.to_frame)) > 1)
        continue;
      least = std::abs(away);
      best = {*node, &one};
      break;
    }
  }
  return best;
}

}  // namespace

MomentGap gap_between(const take::TakeSet& motion, motion::SourceFrame left, motion::SourceFrame entered) {
  MomentGap gap;
  if (left.clip >= motion.clips.size() || entered.clip >= motion.clips.size()) return gap;
  const Moment from(motion.clips[left.clip], left.frame), to(motion.clips[entered.clip], entered.frame);
  const std::size_t joints = std::min(from.joints(), to.joints());
  if (joints == 0) return gap;
  double places = 0, speeds = 0;
  for (std::size_t j = 0; j < joints; ++j) {
    const Vec3 p = from.place(j) - to.place(j), v = from.velocity(j) - to.velocity(j);
    places += dot(p, p);
    speeds += dot(v, v);
  }
  gap.places_m = std::sqrt(places / static_cast<double>(joints));
  gap.speeds_mps = std::sqrt(speeds / static_cast<double>(joints));
  gap.turning_rps = std::abs(from.turning() - to.turning());
  return gap;
}

Seam seam_between(const MotionGraph& graph, const take::TakeSet& motion, motion::SourceFrame left,
                  motion::SourceFrame entered, std::size_t most) {
  Seam seam;
  seam.from_clip = left.clip;
  seam.from_frame = left.frame;
  seam.to_clip = entered.clip;
  seam.to_frame = entered.frame;
  seam.gap = gap_between(motion, left, entered);
  const Taken taken = find_taken(graph, seam);
  if (taken.transition) seam.taken = candidate(graph, motion, taken.from, *taken.transition);
  const auto node = taken.transition ? std::optional(taken.from) : graph.node_at(seam.from_clip, seam.from_frame);
  if (!node) return seam;
  for (const Transition& one : graph.transitions_of(*node)) {
    if (seam.others.size() >= most) break;
    if (&one != taken.transition) seam.others.push_back(candidate(graph, motion, *node, one));
  }
  return seam;
}

std::vector<Seam> find_seams(const MotionGraph& graph, const take::TakeSet& motion, const motion::Recording& recording,
                             std::size_t most) {
  std::vector<Seam> seams;
  const auto runs = motion::source_runs(recording);
  for (std::size_t i = 1; i < runs.size(); ++i) {
    const motion::SourceFrame left{runs[i - 1].clip, runs[i - 1].last}, entered{runs[i].clip, runs[i].from};
    if (left.clip >= motion.clips.size() || entered.clip >= motion.clips.size()) continue;
    seams.push_back(seam_between(graph, motion, left, entered, most));
    seams.back().frame = runs[i].begin;
  }
  return seams;
}

}  // namespace loom::graph
