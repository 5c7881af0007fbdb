// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <loom/sample/detail/curve.h>
#include <loom/sample/detail/foot_plan.h>
#include <loom/sample/detail/gait.h>
#include <loom/sample/detail/posture.h>

namespace loom::sample {

/// A wish for one hand: be at `position` as far as `weight` says.
struct HandGoal {
  enum class Frame { kWorld, kChest };

  Side side = kRight;
  Frame frame = Frame::kWorld;
  Vec3 position;    ///< of the wrist, metres; in the chest's frame from the joint Spine2
  Curve weight;     ///< 0 the hand is elsewhere, 1 it is there
  Vec3 arc;         ///< how far the way there bulges, world, metres
  Curve elbow_out;  ///< extra share of the elbow pointing outward rather than down
};

/// A stretch of the performance that has a name.
struct NamedSpan {
  std::string name;
  double begin = 0, end = 0;  ///< seconds
};

/// What a performer is asked to do: everything about a motion except the poses themselves.
///
/// The feet and the height of the body say where the weight can be, and the performer finds the way of the centre of
/// mass from them (see balance.h); posture, hands and gaze are layered on top. Parts of a motion are functions that
/// add to a score, so that a walk, a punch and a look to the side combine.
struct Score {
  explicit Score(std::uint64_t take_seed, double seconds) : seed(take_seed), duration(seconds) {}

  std::uint64_t seed = 0;  ///< of the small differences from take to take
  double duration = 0;     ///< seconds that are recorded, from time 0
  double lead = 0;         ///< seconds performed before and after, so that what is recorded is in full swing
  FootPlan feet;
  Curve heading;  ///< the way the body faces, radians, continuous (not wrapped)
  /// 0: the height moves the hips, as one thinks of standing and walking. 1: it moves the centre of mass, as flight
  /// needs.
  Curve ballistic;
  Curve left_share{0.5};     ///< share of the weight on the left foot while both carry and no step is near
  std::optional<Gait> gait;  ///< swings the body to its steps
  std::vector<HandGoal> hands;
  std::vector<NamedSpan> spans;
  double noise = 1;  ///< how restless the body is; 1 is a person at ease

  /// Adds `curve` to a channel of the posture.
  void add(Channel channel, Curve curve) { layers.push_back({channel, std::move(curve)}); }

  /// Adds to the height of the body relative to standing, metres.
  void raise(Curve curve) { heights.push_back(std::move(curve)); }
  [[nodiscard]] double height(double time) const {
    double sum = 0;
    for (const Curve& curve : heights) sum += curve(time);
    return sum;
  }

  struct Layer {
    Channel channel;
    Curve curve;
  };
  std::vector<Layer> layers;
  std::vector<Curve> heights;
};

}  // namespace loom::sample
