// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <loom/base/random.h>
#include <loom/graph/motion_graph.h>
#include <loom/play/segment_player.h>
#include <loom/take/take_set.h>

namespace loom::graph {

struct WalkOptions {
  std::uint64_t seed = 1;
  std::vector<std::string> wanted;  ///< labels to stay with; empty: everything is welcome
  std::uint32_t start = kAnywhere;  ///< node to start from; kAnywhere: drawn, among the wanted ones
  double min_seconds = 1.0 / 3.0;   ///< between two transitions, unless what comes then was played just now
  double max_seconds = 4.0;         ///< after this long in one clip a transition is taken, where there is one
  double smoothness = 4.0;          ///< how much cheap transitions are preferred: weight exp(-smoothness * cost)
  double variety_seconds = 20.0;  ///< a clip, or a moment, played less than this long ago is less likely to come again

  static constexpr std::uint32_t kAnywhere = ~std::uint32_t{0};
};

/// An endless, seeded stroll through a graph: at every choice a transition is drawn, cheap ones, and clips and moments
/// not played lately, being likelier. Where all ways soon lead back to what was just played, as between two short
/// takes of the same run, one that leads elsewhere is taken although it comes early or leaves little room to blend.
///
/// With wanted labels it goes to them by the quickest way and leaves them only where it must. A state it goes on with;
/// an action it enters at its beginning and plays to its end (actions.h).
class Walk final : public play::SegmentFeed {
 public:
  /// `motion` belongs to the graph, and is looked at for wanted labels only. Fails on an unknown label, naming the ones
  /// there are, on a start outside the graph, and on an empty graph.
  static Result<std::unique_ptr<Walk>> create(std::shared_ptr<const MotionGraph> graph, const take::TakeSet& motion,
                                              const WalkOptions& options);

  bool next(const motion::Control& control, play::Segment& segment) override;
  [[nodiscard]] std::unique_ptr<play::SegmentFeed> clone() const override {
    return std::unique_ptr<Walk>(new Walk(*this));
  }

 private:
  Walk(std::shared_ptr<const MotionGraph> graph, const WalkOptions& options)
      : graph_(std::move(graph)), options_(options), random_(options.seed) {}

  /// Where to leave the clip entered at some node, and how.
  struct Exit {
    Node from = 0;
    const Transition* transition = nullptr;
  };
  /// Where an action that is entered may be left, and is over.
  struct Leave {
    Node first = kNever, last = 0;
    static constexpr Node kNever = ~Node{0};
  };
  Result<std::vector<Node>> look_for(const take::TakeSet& motion);
  [[nodiscard]] Exit choose_exit(Node entry);
  /// Draws one exit among those of [entry, last] in proportion to their appeal.
  [[nodiscard]] Exit draw(Node entry, Node last);
  [[nodiscard]] double appeal(Node entry, Node from, const Transition& transition) const;
  [[nodiscard]] double freshness(Node node) const;
  [[nodiscard]] double novelty(double played_at) const;

  std::shared_ptr<const MotionGraph> graph_;
  WalkOptions options_;
  Random random_;
  std::vector<std::uint32_t> to_wanted_;  ///< frames to where something wanted begins, of every node; empty: all wanted
  std::vector<bool> wanted_;              ///< nodes of wanted states
  std::vector<Leave> leave_;              ///< of every node at which a wanted action may be entered
  std::vector<double> run_played_;        ///< when each run was left, seconds of this walk; long ago: never
  std::vector<float> node_played_;        ///< when each node was played last
  double time_ = 0;
  Node node_ = 0;
  motion::GroundFrame world_;
};

}  // namespace loom::graph
