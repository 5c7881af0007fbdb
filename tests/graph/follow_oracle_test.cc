// SPDX-License-Identifier: MIT
// `follow` beside a search that tries everything.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/graph/follow.h>

#include "tests/graph/gliders.h"

namespace loom::graph {
namespace {

using testing::Gliders;

struct Point {
  double x = 0, z = 0;
};
struct Place : Point {
  double heading = 0;
};

Place carried(const motion::GroundFrame& world, const Place& in_clip) {
  const double c = std::cos(static_cast<double>(world.heading)), s = std::sin(static_cast<double>(world.heading));
  Place place;
  place.x = static_cast<double>(world.x) + c * in_clip.x + s * in_clip.z;
  place.z = static_cast<double>(world.z) - s * in_clip.x + c * in_clip.z;
  place.heading = in_clip.heading + static_cast<double>(world.heading);
  return place;
}

/// A drawn line, measured piece by piece.
struct DrawnLine {
  std::vector<Point> points;
  std::vector<double> begins{0};  ///< metres along the line; one more than pieces

  explicit DrawnLine(const FloorPath& path) {
    for (const Vec3 p : path.points) points.push_back({static_cast<double>(p.x), static_cast<double>(p.z)});
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      begins.push_back(begins.back() + std::hypot(points[i + 1].x - points[i].x, points[i + 1].z - points[i].z));
    }
  }
  [[nodiscard]] std::size_t piece_of(double way) const {
    std::size_t piece = 0;
    while (piece + 2 < points.size() && begins[piece + 1] <= way) ++piece;
    return piece;
  }
  [[nodiscard]] double heading_of(std::size_t piece) const {
    return std::atan2(points[piece + 1].x - points[piece].x, points[piece + 1].z - points[piece].z);
  }
  [[nodiscard]] double distance(const Point& p, double way) const {
    const std::size_t i = piece_of(way);
    const double share = (way - begins[i]) / (begins[i + 1] - begins[i]);
    return std::hypot(points[i].x + share * (points[i + 1].x - points[i].x) - p.x,
                      points[i].z + share * (points[i + 1].z - points[i].z) - p.z);
  }
  /// Along the line, at most 60 cm beyond `from`, where it comes nearest to `p`.
  [[nodiscard]] double nearest(const Point& p, double from) const {
    const double to = std::min(from + 0.6, begins.back());
    std::vector<double> ways{from, to};
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const double dx = points[i + 1].x - points[i].x, dz = points[i + 1].z - points[i].z;
      const double along = ((p.x - points[i].x) * dx + (p.z - points[i].z) * dz) / std::hypot(dx, dz);
      ways.push_back(begins[i] + std::clamp(along, 0.0, begins[i + 1] - begins[i]));
    }
    double best = from;
    for (const double way : ways) {
      if (way > from && way <= to && distance(p, way) < distance(p, best)) best = way;
    }
    return best;
  }
};

/// Tries every way through a graph, frame by frame, and gives one up only when it costs more than the best known.
class Everything {
 public:
  Everything(const Gliders& gliders, const FloorPath& path, const FollowOptions& options)
      : graph_(*gliders.graph), path_(path), options_(options), line_(path) {
    const motion::GroundFrameFinder finder(*gliders.motion->skeleton);
    for (Node n = 0; n < graph_.nodes(); ++n) {
      const motion::Clip& clip = gliders.motion->clips[graph_.clip_of(n)];
      frames_.push_back(finder.find(clip.roots[graph_.frame_of(n)], clip.pose(graph_.frame_of(n))[0]));
      const motion::GroundFrame& f = frames_.back();
      Place place;
      place.x = static_cast<double>(f.x);
      place.z = static_cast<double>(f.z);
      place.heading = static_cast<double>(f.heading);
      places_.push_back(place);
    }
  }

  /// What the best way costs, or `known` where none is cheaper.
  double best(double known) {
    best_ = known;
    const motion::GroundFrame start{path_.points[0].x, path_.points[0].z, static_cast<float>(line_.heading_of(0))};
    for (Node n = 0; n < graph_.nodes(); ++n) go(n, 0, start * inverse(frames_[n]), 0, 0);
    return best_;
  }

  /// What a path costs that was found otherwise; nothing but its segments is looked at.
  double cost_of(const std::vector<play::Segment>& segments) const {
    double cost = 0, way = 0;
    const Transition* into = nullptr;
    for (std::size_t s = 0; s < segments.size(); ++s) {
      const play::Segment& segment = segments[s];
      const Node first = graph_.node_at(segment.clip, segment.begin).value();
      if (s > 0) cost += options_.roughness * static_cast<double>(into->cost);
      for (Node n = first; n < first + (segment.end - segment.begin); ++n) cost += frame(n, segment.world, way);
      if (s + 1 == segments.size()) break;
      const Node last = first + (segment.end - segment.begin) - 1;
      const Node to = graph_.node_at(segments[s + 1].clip, segments[s + 1].begin).value();
      const auto transitions = graph_.transitions_of(last);
      const auto found =
          std::find_if(transitions.begin(), transitions.end(), [&](const Transition& t) { return t.to == to; });
      if (found == transitions.end()) {
        ADD_FAILURE() << "no transition joins segments " << s << " and " << s + 1;
        return 0;
      }
      into = &*found;
    }
    return cost;
  }

 private:
  /// What a frame costs, and how far along the line it comes.
  double frame(Node n, const motion::GroundFrame& world, double& way) const {
    const Place here = carried(world, places_[n]);
    way = line_.nearest(here, way);
    const std::size_t piece = line_.piece_of(way);
    const double off = line_.distance(here, way);
    const double turn = std::remainder(here.heading - line_.heading_of(piece), 2 * std::numbers::pi);
    double cost = off * off + options_.facing * turn * turn + options_.time;
    if (!path_.labels.empty() && !path_.labels[piece].empty()) {
      const auto& labels = graph_.clips[graph_.clip_of(n)].labels;
      const std::uint32_t f = graph_.frame_of(n);
      const bool right = std::any_of(labels.begin(), labels.end(), [&](const motion::Label& label) {
        return label.name == path_.labels[piece] && f >= label.begin && f < label.end;
      });
      if (!right) cost += options_.label;
    }
    return cost / graph_.rate;
  }

  void go(Node n, std::uint32_t played, const motion::GroundFrame& world, double way, double cost) {
    cost += frame(n, world, way);
    if (cost >= best_) return;
    if (way >= line_.begins.back() - 0.15) {
      best_ = cost;
      return;
    }
    if (played >= std::lround(options_.min_seconds * graph_.rate) || !graph_.goes_on(n)) {
      for (const Transition& t : graph_.transitions_of(n)) {
        go(t.to, 0, world * t.alignment, way, cost + options_.roughness * static_cast<double>(t.cost));
      }
    }
    if (graph_.goes_on(n)) go(n + 1, played + 1, world, way, cost);
  }

  const MotionGraph& graph_;
  const FloorPath& path_;
  const FollowOptions& options_;
  DrawnLine line_;
  std::vector<motion::GroundFrame> frames_;
  std::vector<Place> places_;
  double best_ = 0;
};

/// Somebody who glides fast, in a few short clips with random bends, half of them labelled "a" and half "b", that may
/// change from any frame to a few random others, not quite in line.
Gliders random_gliders(std::uint64_t seed) {
  Random random(seed);
  const auto skeleton = testing::small_person();
  Gliders made{nullptr, std::make_shared<take::TakeSet>()};
  made.motion->skeleton = skeleton;
  std::vector<GraphClip> clips;
  for (std::size_t c = 0; c < 4; ++c) {
    const std::size_t frames = 6 + random.index(5);
    made.motion->clips.push_back(testing::glide(skeleton, static_cast<float>(random.uniform(3, 6)),
                                                static_cast<float>(random.uniform(-5, 5)), frames));
    GraphClip clip;
    clip.name = "clip" + std::to_string(c);
    clip.frames = static_cast<std::uint32_t>(frames);
    clip.labels = {{c < 2 ? "a" : "b", 0, clip.frames}};
    clips.push_back(clip);
    made.motion->contacts.emplace_back().planted.assign(frames, 0);
  }
  const FrameNumbers numbers(clips);
  std::vector<SimilarPair> pairs;
  for (std::size_t p = 0; p < 40; ++p) {
    const auto a = static_cast<std::uint32_t>(random.index(numbers.total()));
    const auto b = static_cast<std::uint32_t>(random.index(numbers.total()));
    const SimilarPair pair{std::min(a, b), std::max(a, b), static_cast<float>(random.uniform(0.01, 1))};
    const bool known =
        std::any_of(pairs.begin(), pairs.end(), [&](const SimilarPair& q) { return q.a == pair.a && q.b == pair.b; });
    if (a != b && !known) pairs.push_back(pair);
  }
  std::vector<motion::GroundFrame> ground;
  for (const motion::Clip& clip : made.motion->clips) {
    for (const motion::GroundFrame& frame : motion::GroundFrameFinder(*skeleton).find(clip)) ground.push_back(frame);
  }
  made.graph =
      std::make_shared<MotionGraph>(prune(std::move(clips), pairs, 1, 0.5, 30, [&](std::uint32_t a, std::uint32_t b) {
        const auto shift = static_cast<float>(random.uniform(-0.05, 0.05));
        return ground[a] * motion::GroundFrame{shift, -shift, 2 * shift} * inverse(ground[b]);
      }));
  return made;
}

FloorPath path_number(std::size_t number) {
  switch (number % 3) {
    case 0:
      return {{{1, 0, -2}, {1, 0, 0}}, {}};
    case 1:
      return {{{0, 0, 0}, {0.3f, 0, 1}, {1.3f, 0, 1.4f}}, {}};
    default:
      return {{{0, 0, 0}, {0, 0, 1}, {0.2f, 0, 2}}, {"b", "a", ""}};
  }
}

/// One search, with changes allowed after a tenth of a second, so that there is much to try.
FollowOptions options_of(std::size_t beam) {
  FollowOptions options;
  options.beam = beam;
  options.seconds = 0;
  options.min_seconds = 0.1;
  return options;
}

TEST(FollowOracle, BeamWithRoomForAllFindsWhatTryingEverythingFinds) {
  const FollowOptions options = options_of(std::size_t{1} << 14);
  std::size_t changed = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Gliders gliders = random_gliders(seed);
    const FloorPath path = path_number(seed);
    Everything everything(gliders, path, options);
    const auto followed = follow(*gliders.graph, *gliders.motion, path, options);
    ASSERT_TRUE(followed) << "seed " << seed << ": " << followed.error().message;
    const double cost = everything.cost_of(followed->segments);
    EXPECT_NEAR(cost, followed->cost, 1e-4 * cost) << "seed " << seed;
    EXPECT_NEAR(cost, everything.best(cost), 1e-6) << "seed " << seed;
    if (followed->segments.size() > 1) ++changed;
  }
  EXPECT_GT(changed, 20u) << "most have to change clip to get there";
}

TEST(FollowOracle, NarrowBeamPromisesNoMoreThanItTells) {
  std::size_t dearer = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Gliders gliders = random_gliders(seed);
    const FloorPath path = path_number(seed);
    const FollowOptions options = options_of(16);
    Everything everything(gliders, path, options);
    const auto followed = follow(*gliders.graph, *gliders.motion, path, options);
    ASSERT_TRUE(followed) << "seed " << seed << ": " << followed.error().message;
    const double cost = everything.cost_of(followed->segments);
    EXPECT_NEAR(cost, followed->cost, 1e-4 * cost) << "seed " << seed;
    if (everything.best(cost) < cost - 1e-6) ++dearer;
  }
  EXPECT_GT(dearer, 5u) << "else the beams of this test are not narrow";
}

}  // namespace
}  // namespace loom::graph
