// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/stream.h>
#include <loom/play/splice.h>
#include <loom/policy/graph_policy.h>

namespace loom::policy {

struct GraphPolicyStreamOptions {
  double rate = 60;            ///< poses a second
  float ease_seconds = 0.10f;  ///< of the joins, see play::Inertializer
  graph::Node start = 0;       ///< the frame to start with
};

/// A character on a motion graph that goes where it is told (Zhao 2009 fig. 4.12): at every frame the policy says
/// whether to go on or which transition to take, by look-up.
///
/// The wanted heading is the direction of Control::velocity; with none, the one it has, turned by half a second of
/// Control::turn_rate. Control::behavior counts the policy's behaviors. `next` never allocates.
class GraphPolicyStream final : public motion::MotionStream {
 public:
  /// Fails on options out of range and a start outside the graph.
  static Result<std::unique_ptr<GraphPolicyStream>> create(std::shared_ptr<const graph::MotionGraph> graph,
                                                           std::shared_ptr<const take::TakeSet> motion,
                                                           std::shared_ptr<const GraphPolicy> policy,
                                                           const GraphPolicyStreamOptions& options = {});

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override;
  [[nodiscard]] double rate() const override { return options_.rate; }
  [[nodiscard]] std::vector<std::string> source_names() const override { return splice_.motion().titles(); }
  [[nodiscard]] motion::Inputs inputs() const override { return {true, true, policy_->behaviors, {}}; }
  [[nodiscard]] motion::GroundFrame place() const override { return splice_.place(); }
  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override {
    return std::unique_ptr<GraphPolicyStream>(new GraphPolicyStream(*this));
  }

 private:
  GraphPolicyStream(std::shared_ptr<const graph::MotionGraph> graph, std::shared_ptr<const take::TakeSet> motion,
                    std::shared_ptr<const GraphPolicy> policy, const GraphPolicyStreamOptions& options);
  void decide(const motion::Control& control);

  std::shared_ptr<const graph::MotionGraph> graph_;
  std::shared_ptr<const GraphPolicy> policy_;
  GraphPolicyStreamOptions options_;
  play::Splice splice_;
  graph::Node node_ = 0;
  double into_ = 0;  ///< frames since `node_`
};

}  // namespace loom::policy
