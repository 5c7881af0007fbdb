// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include <loom/policy/drive.h>
#include <loom/policy/graph_policy_stream.h>

namespace loom::policy {
namespace {

constexpr float kNoDirection = 0.05f;  ///< metres a second: a slower wish has no direction
constexpr float kTurnSeconds = 0.5f;   ///< how much of a wanted turn is put into the wanted heading

/// How far to the left of `heading` one wants to go.
float wanted_to_left(const motion::Control& control, float heading) {
  if (length(control.velocity) < kNoDirection) return control.turn_rate * kTurnSeconds;
  return wrap_angle(std::atan2(control.velocity.x, control.velocity.z) - heading);
}

}  // namespace

Result<std::unique_ptr<GraphPolicyStream>> GraphPolicyStream::create(std::shared_ptr<const graph::MotionGraph> graph,
                                                                     std::shared_ptr<const take::TakeSet> motion,
                                                                     std::shared_ptr<const GraphPolicy> policy,
                                                                     const GraphPolicyStreamOptions& options) {
  if (!(options.rate >= 1 && options.rate <= 1000)) return fail("the rate of poses must be in [1, 1000] a second");
  if (!(options.ease_seconds > 0 && options.ease_seconds <= 2)) {
    return fail("the time constant of joins must be above 0 and at most 2 seconds");
  }
  if (options.start >= graph->nodes()) {
    return fail(fmt::format("there is no node {} in a graph of {}", options.start, graph->nodes()));
  }
  return std::unique_ptr<GraphPolicyStream>(
      new GraphPolicyStream(std::move(graph), std::move(motion), std::move(policy), options));
}

GraphPolicyStream::GraphPolicyStream(std::shared_ptr<const graph::MotionGraph> graph,
                                     std::shared_ptr<const take::TakeSet> motion,
                                     std::shared_ptr<const GraphPolicy> policy, const GraphPolicyStreamOptions& options)
    : graph_(std::move(graph)),
      policy_(std::move(policy)),
      options_(options),
      splice_(std::move(motion), options.rate, options.ease_seconds),
      node_(options.start) {
  splice_.start({graph_->clip_of(node_), graph_->frame_of(node_)}, {});
}

const std::shared_ptr<const motion::Skeleton>& GraphPolicyStream::skeleton() const { return splice_.motion().skeleton; }

void GraphPolicyStream::decide(const motion::Control& control) {
  const std::uint16_t way = policy_->decide(node_, wanted_to_left(control, splice_.place().heading), control.behavior);
  into_ -= 1;
  if (way == 0) {
    ++node_;
    return;
  }
  const graph::Transition& transition = graph_->transitions_of(node_)[way - 1U];
  node_ = transition.to;
  splice_.jump(graph_->clip_of(node_), graph_->frame_of(node_) + into_, splice_.world() * transition.alignment);
}

bool GraphPolicyStream::next(const motion::Control& asked, motion::StreamPose& pose) {
  const motion::Control control = sound_control(asked);
  while (into_ >= 1) decide(control);
  splice_.write(pose);
  splice_.advance();
  into_ += splice_.frames_a_pose();
  return true;
}

}  // namespace loom::policy
