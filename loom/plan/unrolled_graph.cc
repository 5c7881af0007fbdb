// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/math.h>
#include <loom/base/parallel.h>
#include <loom/motion/kinematics.h>
#include <loom/plan/unrolled_graph.h>

namespace loom::plan {
namespace {

using graph::MotionGraph;
using graph::Node;

constexpr std::uint32_t kWindow = 120;  ///< frames over which the pace is the most of all stretches

/// The smallest disc around discs, roughly: around the middle of their box.
Disc hull(std::span<const Disc> discs) {
  float low_x = 1e9f, low_z = 1e9f, high_x = -1e9f, high_z = -1e9f;
  for (const Disc& d : discs) {
    low_x = std::min(low_x, d.x - d.radius);
    high_x = std::max(high_x, d.x + d.radius);
    low_z = std::min(low_z, d.z - d.radius);
    high_z = std::max(high_z, d.z + d.radius);
  }
  Disc around{(low_x + high_x) / 2, (low_z + high_z) / 2, 0};
  for (const Disc& d : discs)
    around.radius = std::max(around.radius, std::hypot(d.x - around.x, d.z - around.z) + d.radius);
  return around;
}

/// The discs of capsules seen from above; those that lie within others are left out.
void footprint(std::span<const motion::Capsule> capsules, float tallest, std::vector<Disc>& discs) {
  constexpr float kLong = 0.06f;  ///< half a capsule longer than this is two discs
  discs.clear();
  for (const motion::Capsule& c : capsules) {
    if (std::min(c.a.y - c.radius_a, c.b.y - c.radius_b) > tallest) continue;
    const float half = std::hypot(c.b.x - c.a.x, c.b.z - c.a.z) / 2, radius = std::max(c.radius_a, c.radius_b);
    const int pieces = half > kLong ? 1 + static_cast<int>(half / kLong) : 1;
    for (int k = 0; k < pieces; ++k) {
      const Vec3 middle = lerp(c.a, c.b, (static_cast<float>(k) + 0.5f) / static_cast<float>(pieces));
      discs.push_back({middle.x, middle.z, std::hypot(radius, half / static_cast<float>(pieces))});
    }
  }
  std::sort(discs.begin(), discs.end(), [](const Disc& a, const Disc& b) { return a.radius > b.radius; });
  std::size_t kept = 0;
  for (const Disc& d : discs) {
    bool held = false;
    for (std::size_t i = 0; i < kept && !held; ++i) {
      const float out = std::hypot(d.x - discs[i].x, d.z - discs[i].z) + d.radius - discs[i].radius;
      held = out <= 0;
    }
    if (!held) discs[kept++] = d;
  }
  discs.resize(kept);
}

/// Length of every step of the graph by what `step` says of two frames in one coordinate system.
template <typename Step>
Pace pace_of(const UnrolledGraph& made, const Step& step) {
  const MotionGraph& graph = *made.graph;
  const std::size_t nodes = graph.nodes();
  std::vector<float> on(nodes), over(graph.transitions.size());
  for (Node n = 0; n < nodes; ++n) {
    if (graph.goes_on(n)) on[n] = step(made.frame[n], made.frame[n + 1]);
    for (std::size_t t = graph.first[n]; t < graph.first[n + 1]; ++t) {
      const graph::Transition& over_to = graph.transitions[t];
      over[t] = step(made.frame[n], over_to.alignment * made.frame[over_to.to]);
    }
  }
  // most[n] after k rounds: the most that any way of k frames from n covers.
  std::vector<float> most(nodes, 0.0f), next(nodes), widest(kWindow + 1, 0.0f);
  std::vector<std::vector<float>> all;
  for (std::uint32_t k = 1; k <= kWindow; ++k) {
    parallel_for(nodes, 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) {
        float best = 0;
        if (graph.goes_on(static_cast<Node>(n))) best = on[n] + most[n + 1];
        for (std::size_t t = graph.first[n]; t < graph.first[n + 1]; ++t)
          best = std::max(best, over[t] + most[graph.transitions[t].to]);
        next[n] = best;
      }
    });
    most.swap(next);
    widest[k] = *std::max_element(most.begin(), most.end());
    all.push_back(most);
  }
  Pace pace;
  pace.rate = widest[kWindow] / static_cast<float>(kWindow);
  // Longer ways are windows one after the other and a rest, none of which is above the line by more than `burst`.
  float burst = 0;
  for (std::uint32_t k = 0; k <= kWindow; ++k) burst = std::max(burst, widest[k] - pace.rate * static_cast<float>(k));
  pace.head.assign(nodes, 0.0f);
  for (std::size_t n = 0; n < nodes; ++n) {
    for (std::uint32_t k = 1; k <= kWindow; ++k)
      pace.head[n] = std::max(pace.head[n], all[k - 1][n] - pace.rate * static_cast<float>(k));
    pace.head[n] = std::max(pace.head[n], all[kWindow - 1][n] - pace.rate * static_cast<float>(kWindow) + burst);
    pace.head[n] += 1e-4f;  // rounding
  }
  return pace;
}

/// How high the body of each node is: its top, its lowest point, and the higher of its two feet.
struct Heights {
  std::vector<float> top, bottom, foot;
};

void find_heights(std::span<const motion::Capsule> capsules, const motion::BodyCapsules& body, Node node,
                  Heights& heights) {
  float top = 0, left = 1e9f, right = 1e9f;
  for (std::size_t i = 0; i < capsules.size(); ++i) {
    const motion::Capsule& c = capsules[i];
    top = std::max({top, c.a.y + c.radius_a, c.b.y + c.radius_b});
    const float low = std::min(c.a.y - c.radius_a, c.b.y - c.radius_b);
    if (body.part(i) == motion::BodyPart::kLeftLeg) left = std::min(left, low);
    if (body.part(i) == motion::BodyPart::kRightLeg) right = std::min(right, low);
  }
  heights.top[node] = top;
  heights.bottom[node] = std::min(left, right);
  heights.foot[node] = std::max(left, right);
}

float quantile(std::vector<float> values, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

template <typename Does>
void mark(UnrolledGraph& made, const std::vector<std::string>& labels, world::Ask ask, const Does& does) {
  for (const std::string& label : labels) {
    for (const Node n : made.graph->nodes_labelled(label))
      if (does(n)) made.asks[n] |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(ask));
  }
}

/// Which nodes do what their labels say: labels are of whole clips, mostly, with the run before a jump and after it.
void mark_what_is_done(UnrolledGraph& made, const Heights& heights, const UnrollOptions& options) {
  constexpr float kLow = 0.88f;     ///< of the height of somebody upright: lower is ducked
  constexpr float kInAir = 0.04f;   ///< metres of both feet above where the lower one stands
  constexpr float kFootUp = 0.18f;  ///< metres of one foot: higher than anybody's who walks
  const float upright = quantile(heights.top, 0.8), standing = quantile(heights.bottom, 0.3);
  mark(made, options.duck, world::Ask::kDuck, [&](Node n) { return heights.top[n] < kLow * upright; });
  mark(made, options.jump, world::Ask::kJump, [&](Node n) { return heights.bottom[n] > standing + kInAir; });
  mark(made, options.step, world::Ask::kStepOver, [&](Node n) { return heights.foot[n] > standing + kFootUp; });
  made.grounded.resize(made.asks.size());
  for (Node n = 0; n < made.asks.size(); ++n) made.grounded[n] = heights.bottom[n] < standing + kInAir ? 1 : 0;
  made.lowest_duck = upright;
  for (Node n = 0; n < made.asks.size(); ++n) {
    const auto does = [&](world::Ask ask) { return (made.asks[n] >> static_cast<unsigned>(ask) & 1u) != 0; };
    if (does(world::Ask::kDuck)) made.lowest_duck = std::min(made.lowest_duck, heights.top[n]);
    if (made.grounded[n] != 0) made.highest_step = std::max(made.highest_step, heights.foot[n] - standing);
    if (does(world::Ask::kJump)) made.highest_jump = std::max(made.highest_jump, heights.bottom[n] - standing);
  }
}

}  // namespace

std::size_t UnrolledGraph::memory() const {
  return frame.size() * sizeof(frame[0]) + (around.size() + ahead.size() + discs.size()) * sizeof(Disc) +
         first_disc.size() * 4 + asks.size() + grounded.size() + (metres.head.size() + radians.head.size()) * 4;
}

Result<UnrolledGraph> unroll(std::shared_ptr<const MotionGraph> graph, std::shared_ptr<const take::TakeSet> motion,
                             const UnrollOptions& options) {
  if (graph->nodes() == 0) return fail("the graph has no nodes");
  const auto body = motion::BodyCapsules::of(*motion->skeleton);
  if (!body) return fail("the body is no human figure that stands at rest, so its room among obstacles is not known");
  UnrolledGraph made;
  made.graph = graph;
  made.motion = motion;
  const std::size_t nodes = graph->nodes();
  made.frame.resize(nodes);
  made.around.resize(nodes);
  made.ahead.resize(nodes);
  made.asks.assign(nodes, 0);
  Heights heights{std::vector<float>(nodes), std::vector<float>(nodes), std::vector<float>(nodes)};
  std::vector<std::vector<Disc>> of_node(nodes);
  const motion::GroundFrameFinder finder(*motion->skeleton);
  parallel_for(graph->clips.size(), 1, [&](std::size_t clip, std::size_t) {
    const motion::WorldPoses poses = motion::forward_kinematics(motion->clips[clip]);
    std::vector<motion::Capsule> capsules(body->size());
    for (const graph::Run& run : graph->runs_of(static_cast<std::uint32_t>(clip))) {
      for (std::uint32_t f = run.begin; f < run.end; ++f) {
        const Node n = run.node_at(f);
        made.frame[n] = finder.find(motion->clips[clip].roots[f], motion->clips[clip].pose(f)[0]);
        body->place({&poses.positions[f * poses.points], poses.points},
                    {&poses.rotations[f * poses.joints], poses.joints}, capsules);
        find_heights(capsules, *body, n, heights);
        footprint(capsules, static_cast<float>(options.tallest), of_node[n]);
        made.around[n] = hull(of_node[n]);
      }
    }
  });
  made.first_disc.assign(nodes + 1, 0);
  for (Node n = 0; n < nodes; ++n) {
    made.discs.insert(made.discs.end(), of_node[n].begin(), of_node[n].end());
    made.first_disc[n + 1] = static_cast<std::uint32_t>(made.discs.size());
    const Node end = std::min(n + UnrolledGraph::kAhead, graph->last_of_run(n) + 1);
    made.ahead[n] = hull({&made.around[n], end - n});
  }
  made.metres = pace_of(made, [](const motion::GroundFrame& a, const motion::GroundFrame& b) {
    return std::hypot(b.x - a.x, b.z - a.z);
  });
  made.radians = pace_of(made, [](const motion::GroundFrame& a, const motion::GroundFrame& b) {
    return std::fabs(wrap_angle(b.heading - a.heading));
  });
  mark_what_is_done(made, heights, options);
  return made;
}

}  // namespace loom::plan
