// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include <loom/base/random.h>
#include <loom/policy/graph_policy_score.h>

namespace loom::policy {
namespace {

constexpr double kAskedHeadingSeconds = 2, kBehaviorSeconds = 4;  ///< how long a wish is held, on average
constexpr double kShortestSeconds = 0.5;                          ///< nobody changes their mind sooner
constexpr float kWidestTurn = 0.75f * kPi;                        ///< a new heading is at most so far to either side

double held_for(double mean, Random& random) {
  return kShortestSeconds - (mean - kShortestSeconds) * std::log(1 - random.uniform());
}

std::map<std::string, std::vector<bool>> frames_by_behavior(const graph::MotionGraph& graph,
                                                            std::span<const GraphWish> wishes) {
  std::map<std::string, std::vector<bool>> frames;
  for (const GraphWish& wish : wishes) {
    const auto [entry, fresh] = frames.try_emplace(wish.behavior, graph.nodes(), false);
    if (!fresh) continue;
    for (const graph::Node n : graph.nodes_labelled(wish.behavior)) entry->second[n] = true;
  }
  return frames;
}

int number_of(const GraphPolicy& policy, const std::string& behavior) {
  const auto found = std::find(policy.behaviors.begin(), policy.behaviors.end(), behavior);
  return found == policy.behaviors.end() ? -1 : static_cast<int>(found - policy.behaviors.begin());
}

}  // namespace

std::vector<GraphWish> simulate_wishes(const std::vector<std::string>& behaviors, double seconds, std::uint64_t seed) {
  Random random(seed);
  std::vector<GraphWish> wishes;
  GraphWish wish{0, 0, behaviors.empty() ? std::string() : behaviors.front()};
  double turns_at = held_for(kAskedHeadingSeconds, random), changes_at = held_for(kBehaviorSeconds, random);
  bool aside = false;
  while (wish.seconds < seconds) {
    wishes.push_back(wish);
    wish.seconds = std::min(turns_at, changes_at);
    if (turns_at <= changes_at) {
      wish.heading = wrap_angle(wish.heading + kWidestTurn * static_cast<float>(random.uniform(-1, 1)));
      turns_at += held_for(kAskedHeadingSeconds, random);
      continue;
    }
    aside = !aside && behaviors.size() > 1;
    if (!behaviors.empty()) wish.behavior = behaviors[aside ? 1 + random.index(behaviors.size() - 1) : 0];
    changes_at += held_for(kBehaviorSeconds, random);
  }
  return wishes;
}

GraphPolicyScore score_graph_policy(const graph::MotionGraph& graph, std::span<const take::Track> tracks,
                                    const GraphPolicy& policy, std::span<const GraphWish> wishes, double seconds,
                                    graph::Node start, double heading_weight) {
  const auto frames = frames_by_behavior(graph, wishes);
  const auto in_clip = [&](graph::Node n) { return tracks[graph.clip_of(n)][graph.frame_of(n)]; };
  graph::Node node = start;
  motion::GroundFrame world = inverse(in_clip(node));  // it begins at the origin, facing where heading 0 is
  GraphPolicyScore score;
  std::size_t at = 0;
  const auto steps = static_cast<std::size_t>(std::max(0.0, seconds * graph.rate));
  for (; score.frames < steps; ++score.frames) {
    const double time = static_cast<double>(score.frames) / graph.rate;
    while (at + 1 < wishes.size() && wishes[at + 1].seconds <= time) ++at;
    const GraphWish& wish = wishes[at];
    const auto off = [&] { return wrap_angle(wish.heading - (world * in_clip(node)).heading); };
    const std::uint16_t way = policy.decide(node, off(), number_of(policy, wish.behavior));
    double smooth = 1;
    if (way == 0) {
      ++node;
    } else {
      const graph::Transition& transition = graph.transitions_of(node)[way - 1U];
      smooth = 1 - static_cast<double>(std::clamp(transition.cost, 0.0f, 1.0f));
      world = world * transition.alignment;
      node = transition.to;
      score.jumps += 1;
    }
    const double apart = static_cast<double>(off());
    const double control = frames.at(wish.behavior)[node] ? 1 / (1 + heading_weight * apart * apart) : 0;
    score.control += control;
    score.transition += smooth;
    score.total += smooth * control;
  }
  if (score.frames == 0) return score;
  const auto all = static_cast<double>(score.frames);
  for (double* sum : {&score.control, &score.transition, &score.total, &score.jumps}) *sum /= all;
  return score;
}

GraphPolicyScore mean_of(std::span<const GraphPolicyScore> scores) {
  GraphPolicyScore mean;
  for (const GraphPolicyScore& score : scores) {
    const auto frames = static_cast<double>(score.frames);
    mean.control += score.control * frames;
    mean.transition += score.transition * frames;
    mean.total += score.total * frames;
    mean.jumps += score.jumps * frames;
    mean.frames += score.frames;
  }
  if (mean.frames == 0) return mean;
  const auto all = static_cast<double>(mean.frames);
  for (double* sum : {&mean.control, &mean.transition, &mean.total, &mean.jumps}) *sum /= all;
  return mean;
}

}  // namespace loom::policy
