// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/behavior/state_graph.h>
#include <loom/motion/body.h>
#include <loom/motion/ground_frame.h>
#include <loom/play/segment_player.h>
#include <loom/take/take_set.h>

namespace loom::fight {

/// The points of a body that fighting is about: what is aimed at, and what hits.
enum class BodyPoint : std::uint8_t { kHead, kChest, kAbdomen, kLeftFist, kRightFist, kLeftFoot, kRightFoot };
inline constexpr std::size_t kBodyPoints = 7;
inline constexpr std::array<BodyPoint, 3> kTargets = {BodyPoint::kHead, BodyPoint::kChest, BodyPoint::kAbdomen};
inline constexpr std::array<BodyPoint, 4> kLimbs = {BodyPoint::kLeftFist, BodyPoint::kRightFist, BodyPoint::kLeftFoot,
                                                    BodyPoint::kRightFoot};

/// "head", "left fist".
const char* to_string(BodyPoint point);

using BodyPlaces = std::array<Vec3, kBodyPoints>;

/// How thick the body is around a point, metres: head, chest and abdomen as balls around their centres, fists and feet
/// as balls at their fronts. Of a person of 1.75 m.
float thickness(BodyPoint point);

/// Finds the points of fighting on a skeleton.
class BodyFinder {
 public:
  /// Fails on a skeleton without a head, two arms or two legs, naming what is missing.
  static Result<BodyFinder> create(const motion::Skeleton& skeleton);

  /// The points of a pose whose joints are at `positions`.
  [[nodiscard]] BodyPlaces find(std::span<const Vec3> positions) const;
  [[nodiscard]] const motion::Body& body() const { return body_; }

 private:
  motion::Body body_;
};

/// The blow an action deals.
struct Strike {
  BodyPoint limb = BodyPoint::kLeftFist;
  graph::Node contact = 0;  ///< the frame of the first contact: the limb has shot out and is stretched farthest
};

/// How a body is thrown: where its head and its middle are when it has given way the most, against where they were, in
/// metres, seen from where it stood.
struct Throw {
  Vec3 head, middle;
  graph::Node onset = 0;  ///< the frame before it begins
};

/// A state graph's motion as fighters see it: where the points of the body are in every frame, where the body stands,
/// on which feet, and which actions strike when. 100 bytes a frame; everything a decision asks is looked up here.
class StateBody {
 public:
  /// `motion` must belong to `states`. Fails as BodyFinder does. O(frames × joints).
  static Result<StateBody> create(const behavior::StateGraph& states, const take::TakeSet& motion);

  /// In the coordinates of the frame's clip.
  [[nodiscard]] Vec3 point(graph::Node frame, BodyPoint which) const {
    return places_[frame][static_cast<std::size_t>(which)];
  }
  [[nodiscard]] const motion::GroundFrame& ground(graph::Node frame) const { return ground_[frame]; }
  /// The blow of a node of the state graph, if it deals one.
  [[nodiscard]] const std::optional<Strike>& strike(std::uint32_t node) const { return strikes_[node]; }
  /// Radians from the line straight out of the hips to where blows go: a fighter stands sideways. Mean over strikes.
  [[nodiscard]] float aim() const { return aim_; }
  /// Metres along the floor from where one stands to where blows land: nine tenths of them are shorter. 0 without any.
  [[nodiscard]] float reach() const { return reach_; }
  /// Whether the foot of a frame is on the floor.
  [[nodiscard]] bool stands_on(graph::Node frame, bool left) const { return (planted_[frame] & (left ? 3 : 12)) != 0; }
  /// Of the frames from `from` until `to`, of one clip, those in which a foot is in the air: in them a body can turn.
  [[nodiscard]] std::uint32_t stepping(graph::Node from, graph::Node to) const {
    return stepping_[to] - stepping_[from];
  }
  /// How the body is thrown in a node of the state graph: where it first moves fast, in the moments after.
  [[nodiscard]] Throw thrown(const behavior::StateGraph& states, std::uint32_t node) const;

 private:
  std::vector<BodyPlaces> places_;
  std::vector<motion::GroundFrame> ground_;
  std::vector<std::optional<Strike>> strikes_;
  std::vector<std::uint8_t> planted_;    ///< FootBits
  std::vector<std::uint32_t> stepping_;  ///< frames before each with a foot in the air; one more than there are frames
  float aim_ = 0, reach_ = 0;
};

}  // namespace loom::fight
