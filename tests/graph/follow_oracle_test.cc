// SPDX-License-Identifier: MIT
// The path search against trying everything, on graphs so small that everything can be tried.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/graph/follow.h>

#include "tests/graph/gliders.h"

namespace loom::graph {
namespace {

using testing::glide;
using testing::Gliders;

constexpr std::uint32_t kFrames = 21, kBetween = 10;  ///< of a clip; from one frame with transitions to the next

/// Three stiff people who glide at random speeds and in random arcs; every tenth frame is like every other tenth.
Gliders random_gliders(std::uint64_t seed) {
  Random random(seed);
  const auto skeleton = testing::small_person();
  auto motion = std::make_shared<take::TakeSet>();
  motion->skeleton = skeleton;
  std::vector<GraphClip> clips;
  for (int c = 0; c < 3; ++c) {
    motion->clips.push_back(glide(skeleton, static_cast<float>(random.uniform(0.7, 1.6)),
                                  static_cast<float>(random.uniform(-1.5, 1.5)), kFrames));
    motion->contacts.emplace_back().planted.assign(kFrames, 0);
    GraphClip clip;
    clip.name = std::to_string(c);
    clip.frames = kFrames;
    clip.labels = {{"walk", 0, kFrames}};
    clips.push_back(clip);
  }
  const FrameNumbers numbers(clips);
  std::vector<SimilarPair> pairs;
  for (std::uint32_t a = 0; a < numbers.total(); ++a) {
    for (std::uint32_t b = a + 1; b < numbers.total(); ++b) {
      const bool both = (a % kFrames) % kBetween == 0 && (b % kFrames) % kBetween == 0;
      if (both) pairs.push_back({a, b, static_cast<float>(random.uniform(0.05, 0.3))});
    }
  }
  const motion::GroundFrameFinder finder(*skeleton);
  const auto ground = [&](std::uint32_t frame) {
    const motion::Clip& clip = motion->clips[numbers.clip_of(frame)];
    const std::size_t f = frame - numbers.first(numbers.clip_of(frame));
    return finder.find(clip.roots[f], clip.pose(f)[0]);
  };
  auto graph = std::make_shared<MotionGraph>(
      prune(clips, pairs, 1, 1, 30, [&](std::uint32_t a, std::uint32_t b) { return ground(a) * inverse(ground(b)); }));
  return {graph, motion};
}

/// What following the straight path from the origin to (0, 0, length) costs, frame by frame, written out.
class StraightCost {
 public:
  StraightCost(const Gliders& gliders, const FollowOptions& options, float length)
      : graph_(*gliders.graph), options_(options), length_(length) {
    const motion::GroundFrameFinder finder(*gliders.motion->skeleton);
    for (Node n = 0; n < graph_.nodes(); ++n) {
      const motion::Clip& clip = gliders.motion->clips[graph_.clip_of[n]];
      ground_.push_back(finder.find(clip.roots[graph_.frame_of(n)], clip.pose(graph_.frame_of(n))[0]));
    }
  }

  /// Somebody on the way: how far, and at what cost.
  struct Walker {
    float way = 0;
    double cost = 0;
  };
  void play(Node node, const motion::GroundFrame& world, Walker& walker) const {
    const motion::GroundFrame here = world * ground_[node];
    walker.way = std::clamp(here.z, walker.way, std::min(walker.way + 0.6f, length_));
    const auto off = static_cast<double>(std::hypot(here.x, here.z - walker.way));
    const auto turn = static_cast<double>(wrap_angle(here.heading));
    walker.cost += (off * off + options_.facing * turn * turn + options_.time) / graph_.rate;
  }
  [[nodiscard]] bool arrived(const Walker& walker) const { return walker.way >= length_ - 0.15f; }
  [[nodiscard]] motion::GroundFrame start(Node node) const {
    return motion::GroundFrame{0, 0, 0} * inverse(ground_[node]);
  }

  /// The cheapest of all ways, if it is cheaper than `bound`; else `bound`.
  [[nodiscard]] double cheapest(double bound) const {
    for (Node n = 0; n < graph_.nodes(); ++n) try_all(n, start(n), {}, bound);
    return bound;
  }

  /// Of the way that was found, transitions and all.
  [[nodiscard]] double cost_of(const std::vector<play::Segment>& segments) const {
    Walker walker;
    for (std::size_t s = 0; s < segments.size(); ++s) {
      const Node first = node_at(segments[s].clip, segments[s].begin);
      if (s > 0) {
        const Node last = node_at(segments[s - 1].clip, segments[s - 1].end - 1);
        double step = std::numeric_limits<double>::infinity();
        for (const Transition& t : graph_.transitions_of(last)) {
          if (t.to == first) step = std::min(step, options_.roughness * static_cast<double>(t.cost));
        }
        walker.cost += step;
      }
      for (std::uint32_t f = segments[s].begin; f < segments[s].end; ++f) {
        play(node_at(segments[s].clip, f), segments[s].world, walker);
      }
    }
    return arrived(walker) ? walker.cost : std::numeric_limits<double>::infinity();
  }

 private:
  [[nodiscard]] Node node_at(std::uint32_t clip, std::uint32_t frame) const {
    return graph_.clips[clip].first_node + (frame - graph_.clips[clip].begin);
  }
  void try_all(Node entry, const motion::GroundFrame& world, Walker walker, double& best) const {
    const auto least = static_cast<std::uint32_t>(options_.min_seconds * graph_.rate);
    for (Node n = entry;; ++n) {
      play(n, world, walker);
      if (walker.cost >= best) return;
      if (arrived(walker)) {
        best = walker.cost;
        return;
      }
      if (n - entry >= least || !graph_.goes_on(n)) {
        for (const Transition& t : graph_.transitions_of(n)) {
          try_all(t.to, world * t.alignment,
                  {walker.way, walker.cost + options_.roughness * static_cast<double>(t.cost)}, best);
        }
      }
      if (!graph_.goes_on(n)) return;
    }
  }

  const MotionGraph& graph_;
  const FollowOptions& options_;
  float length_;
  std::vector<motion::GroundFrame> ground_;
};

TEST(Follow, IsAsGoodAsTryingEverything) {
  double found_in_all = 0, best_in_all = 0;
  int as_good = 0, tried = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Gliders gliders = random_gliders(seed);
    ASSERT_GT(gliders.graph->nodes(), 2 * kFrames);
    FollowOptions options;
    options.beam = 1 << 12;
    options.seconds = 0;  // one search
    options.min_seconds = 0.2;
    const float length = 2;
    const auto followed = follow(*gliders.graph, *gliders.motion, {{{0, 0, 0}, {0, 0, length}}, {}}, options);
    ASSERT_TRUE(followed) << followed.error().to_string();
    const StraightCost straight(gliders, options, length);
    const double found = straight.cost_of(followed->segments), best = straight.cheapest(found * (1 + 1e-6));
    ASSERT_TRUE(std::isfinite(found)) << "what was found is no way through the graph to the end of the path";
    // States that come to the same node in one stretch with nearly the same heading are taken for one.
    EXPECT_LE(found, 1.25 * best) << seed;
    found_in_all += found;
    best_in_all += best;
    as_good += found <= best * (1 + 1e-5) ? 1 : 0;
    ++tried;
  }
  EXPECT_LE(found_in_all, 1.05 * best_in_all);
  EXPECT_GE(as_good, tried / 2) << "of " << tried;
}

}  // namespace
}  // namespace loom::graph
