// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>
#include <loom/motion/body_capsules.h>
#include <loom/motion/ground_frame.h>
#include <loom/take/take_set.h>
#include <loom/world/world.h>

namespace loom::plan {

/// A disc on the floor, in the coordinates of a clip.
struct Disc {
  float x = 0, z = 0, radius = 0;
};

/// The most that a graph can do in a time: a line above all that it does, whatever way it takes.
///
/// From node v no more than `head[v] + rate × frames` is covered in any number of frames (metres, or radians turned).
/// `rate` is the most that any stretch of four seconds covers, over its frames, so that one quick frame does not count
/// for all.
struct Pace {
  float rate = 0;           ///< a frame
  std::vector<float> head;  ///< a node

  /// Frames at least that `amount` takes from a node.
  [[nodiscard]] float frames(graph::Node node, float amount) const {
    return amount > head[node] && rate > 0 ? (amount - head[node]) / rate : 0;
  }
};

/// A motion graph made ready to be unrolled in a world (Zhao 2009 §5.6.2): where the body is on the floor at every node
/// and how much room it takes, and how quickly the graph gets anywhere. Made once for a graph, used for any world.
struct UnrolledGraph {
  std::shared_ptr<const graph::MotionGraph> graph;
  std::shared_ptr<const take::TakeSet> motion;
  std::vector<motion::GroundFrame> frame;  ///< a node, in its clip's coordinates
  std::vector<Disc> around;                ///< a node: holds all discs of its body
  std::vector<Disc> ahead;                 ///< a node: holds the discs of it and the next kAhead - 1 of its run
  std::vector<Disc> discs;                 ///< of all nodes: together they hold the body as seen from above
  std::vector<std::uint32_t> first_disc;   ///< nodes + 1
  std::vector<std::uint8_t> asks;  ///< a node: for what its motion is made, as bits 1 << world::Ask; 0: for nothing
  std::vector<std::uint8_t>
      grounded;            ///< a node: 1 where a foot is on the floor, so that a walk may begin and end there
  float lowest_duck = 0;   ///< metres: how low the body gets in motion made for ducking
  float highest_jump = 0;  ///< metres between the floor and the whole body, at most, in motion made for jumping
  float highest_step = 0;  ///< metres that a foot is above the floor, at most, while the other stands
  Pace metres, radians;
  std::vector<graph::Node> begins;  ///< where walks can begin; none: anywhere

  static constexpr std::uint32_t kAhead = 8;
  [[nodiscard]] std::size_t memory() const;
};

struct UnrollOptions {
  double tallest = 2.0;  ///< metres: what of the body is higher is not looked at on the floor
  /// Labels of motion that is made for one thing. Of the frames that carry them those in which it is done (the body is
  /// low, in the air, or has a foot up) are played only where the world asks for it; the steps before and after are
  /// steps like others.
  std::vector<std::string> duck{"duck", "crouch", "duck-under"}, step{"step-over", "step-height", "step"},
      jump{"jump", "leap"};
};

/// Makes a graph ready. Fails on a body that is no human figure, naming what is missing, and on a graph without nodes.
/// O(frames × joints + 120 × edges).
Result<UnrolledGraph> unroll(std::shared_ptr<const graph::MotionGraph> graph,
                             std::shared_ptr<const take::TakeSet> motion, const UnrollOptions& options = {});

}  // namespace loom::plan
