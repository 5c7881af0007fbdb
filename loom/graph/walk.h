// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <loom/base/random.h>
#include <loom/graph/player.h>

namespace loom::graph {

struct WalkOptions {
  std::uint64_t seed = 1;
  std::vector<std::string> wanted;  ///< labels to stay in; empty: everything is welcome
  std::uint32_t start = kAnywhere;  ///< node to start from; kAnywhere: drawn, among the wanted ones
  double min_seconds = 1.0 / 3.0;   ///< between two transitions, where the graph leaves the choice
  double max_seconds = 4.0;         ///< after this long in one clip a transition is taken, where there is one
  double smoothness = 4.0;          ///< how much cheap transitions are preferred: weight exp(-smoothness * cost)
  double variety_seconds = 20.0;    ///< a clip played less than this long ago is less likely to be chosen again

  static constexpr std::uint32_t kAnywhere = ~std::uint32_t{0};
};

/// An endless, seeded stroll through a graph: at every choice a transition is drawn, cheap ones and clips not played
/// lately being likelier. With wanted labels it goes to them by the quickest way and leaves them only where it must.
class Walk final : public SegmentFeed {
 public:
  /// Fails on an unknown label, naming the ones there are, on a start outside the graph, and on an empty graph.
  static Result<std::unique_ptr<Walk>> create(std::shared_ptr<const MotionGraph> graph, const WalkOptions& options);

  bool next(const motion::Control& control, Segment& segment) override;

 private:
  Walk(std::shared_ptr<const MotionGraph> graph, const WalkOptions& options)
      : graph_(std::move(graph)), options_(options), random_(options.seed) {}

  /// Where to leave the clip entered at `entry`, and how.
  struct Exit {
    Node from = 0;
    const Transition* transition = nullptr;
  };
  [[nodiscard]] Exit choose_exit(Node entry);
  [[nodiscard]] double appeal(Node entry, Node from, const Transition& transition) const;

  std::shared_ptr<const MotionGraph> graph_;
  WalkOptions options_;
  Random random_;
  std::vector<std::uint32_t> to_wanted_;  ///< frames to the nearest wanted node, of every node; empty: all wanted
  std::vector<double> last_played_;       ///< when each clip was left, seconds of this walk; negative long ago
  double time_ = 0;
  Node node_ = 0;
  motion::GroundFrame world_;
};

}  // namespace loom::graph
