// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/base/hash.h>
#include <loom/base/memory.h>
#include <loom/base/progress_part.h>
#include <loom/base/whole.h>
#include <loom/graph/labels.h>
#include <loom/policy/detail/memory_needs.h>
#include <loom/policy/detail/sparse_transitions.h>
#include <loom/policy/graph_policy.h>
#include <loom/policy/solver.h>

namespace loom::policy {
namespace {

constexpr std::size_t kFewestHeadings = 4, kMostHeadings = 360;

/// The graph as states and transitions: the first successor of a node is the next frame of its clip, where there is
/// one, then its transitions in order.
Result<SparseTransitions> successors_of(const graph::MotionGraph& graph) {
  std::vector<std::uint32_t> first{0}, to;
  std::vector<float> quality;
  for (graph::Node n = 0; n < graph.nodes(); ++n) {
    if (graph.goes_on(n)) {
      to.push_back(n + 1);
      quality.push_back(1);
    }
    for (const graph::Transition& transition : graph.transitions_of(n)) {
      to.push_back(transition.to);
      quality.push_back(std::clamp(1 - transition.cost, 0.0f, 1.0f));
    }
    first.push_back(static_cast<std::uint32_t>(to.size()));
  }
  return SparseTransitions::create(std::move(first), std::move(to), std::move(quality));
}

/// How far the body turns from the frame before a node to the node, in places of the circle; turning left brings a
/// wanted heading nearer to straight ahead, so the control goes the other way.
std::vector<float> drift_of(const graph::MotionGraph& graph, std::span<const take::Track> tracks,
                            std::size_t headings) {
  std::vector<float> drift(graph.nodes());
  const float place = 2 * kPi / static_cast<float>(headings);
  for (graph::Node n = 0; n < graph.nodes(); ++n) {
    const take::Track& track = tracks[graph.clip_of(n)];
    const std::uint32_t frame = graph.frame_of(n);
    if (frame > 0) drift[n] = -wrap_angle(track[frame].heading - track[frame - 1].heading) / place;
  }
  return drift;
}

float heading_of(std::size_t h, std::size_t headings) {
  return wrap_angle(2 * kPi * static_cast<float>(h) / static_cast<float>(headings));
}

/// Q_control: headings × nodes, for one behavior or, where `label` is empty, for any.
std::vector<float> control_quality_of(const graph::MotionGraph& graph, const GraphPolicyOptions& options,
                                      const std::string& label) {
  std::vector<bool> wanted(graph.nodes(), label.empty());
  if (!label.empty()) {
    for (const graph::Node n : graph.nodes_labelled(label)) wanted[n] = true;
  }
  std::vector<float> quality(options.headings * graph.nodes());
  for (std::size_t h = 0; h < options.headings; ++h) {
    const double off = static_cast<double>(heading_of(h, options.headings));
    const auto value = static_cast<float>(1 / (1 + options.heading_weight * off * off));
    for (std::size_t n = 0; n < graph.nodes(); ++n) quality[h * graph.nodes() + n] = wanted[n] ? value : 0;
  }
  return quality;
}

/// A solution names states; the policy names ways to them, the smoothest where several lead to one.
std::uint16_t way_to(const graph::MotionGraph& graph, graph::Node from, graph::Node to) {
  if (graph.goes_on(from) && to == from + 1) return 0;
  const auto transitions = graph.transitions_of(from);
  for (std::size_t i = 0; i < transitions.size(); ++i) {
    if (transitions[i].to == to) return static_cast<std::uint16_t>(i + 1);
  }
  return 0;
}

Result<std::vector<std::string>> behaviors_of(const graph::MotionGraph& graph, const GraphPolicyOptions& options) {
  const std::vector<std::string> known = graph.labels();
  if (options.behaviors.empty()) return known;
  for (const std::string& label : options.behaviors) {
    if (std::find(known.begin(), known.end(), label) == known.end()) {
      return tl::unexpected(graph::unknown_label(graph, label));
    }
  }
  return options.behaviors;
}

Result<void> check(const graph::MotionGraph& graph, const GraphPolicyOptions& options) {
  if (graph.nodes() == 0) return fail("the graph has no nodes to steer on");
  if (options.headings < kFewestHeadings || options.headings > kMostHeadings) {
    return fail(fmt::format("there can be {} to {} wanted headings", kFewestHeadings, kMostHeadings));
  }
  if (!(options.discount >= 0 && options.discount < 1)) return fail("the discount must be in [0, 1)");
  if (!(options.heading_weight > 0 && std::isfinite(options.heading_weight))) {
    return fail("the weight of the heading must be positive");
  }
  return {};
}

/// Asks for what training takes: the problem, its solution, and the table that is made of it.
Result<void> require_room(const graph::MotionGraph& graph, std::size_t headings, std::size_t behaviors) {
  const auto rows = static_cast<double>(headings), nodes = static_cast<double>(graph.nodes());
  const double bytes = solve_bytes(graph.nodes(), headings) + rows * nodes * sizeof(float) +
                       8.0 * static_cast<double>(graph.edges()) +
                       (static_cast<double>(behaviors) + 1) * rows * nodes * sizeof(std::uint16_t);
  return require_memory(
      bytes, fmt::format("training on {} frames, {} headings and {} behaviors", graph.nodes(), headings, behaviors),
      "build a graph of fewer clips, or tell fewer headings or behaviors apart", {"label", "headings", "behaviors"});
}

Result<GraphPolicy> train(const graph::MotionGraph& graph, std::span<const take::Track> tracks,
                          const GraphPolicyOptions& options, const Progress& progress) {
  if (const auto sound = check(graph, options); !sound) return fail_from(sound);
  auto behaviors = behaviors_of(graph, options);
  if (!behaviors) return fail_from(behaviors);
  if (const auto room = require_room(graph, options.headings, behaviors->size()); !room) return fail_from(room);
  auto successors = successors_of(graph);
  if (!successors) return fail_from(successors);
  GraphPolicy policy;
  policy.headings = options.headings;
  policy.behaviors = std::move(*behaviors);
  policy.nodes = graph.nodes();
  policy.graph_hash = policy::hash_of(graph);

  DecisionProblem problem;
  problem.states = graph.nodes();
  problem.controls = problem.ring = options.headings;
  problem.transitions = std::make_shared<SparseTransitions>(std::move(*successors));
  problem.drift = drift_of(graph, tracks, options.headings);
  problem.discount = options.discount;
  // The player's wish is taken to stay as it is (eq. 4.3); it changes only as the body turns.
  problem.next_control.assign(options.headings * options.headings, 0);
  for (std::size_t h = 0; h < options.headings; ++h) problem.next_control[h * options.headings + h] = 1;

  SolveOptions solving;
  solving.tolerance = options.tolerance;
  const std::size_t rounds = policy.behaviors.size() + 1;
  for (std::size_t b = 0; b < rounds; ++b) {
    const std::string what = b == 0 ? "any behavior" : policy.behaviors[b - 1];
    const auto begun = static_cast<double>(b), all = static_cast<double>(rounds);
    problem.control_quality = control_quality_of(graph, options, b == 0 ? std::string() : what);
    const auto solution = solve(problem, solving, nullptr, part_of(progress, begun / all, (begun + 1) / all, what));
    if (!solution) return fail_from(solution);
    if (!solution->converged) {
      const bool stopped = solution->sweeps < solving.max_sweeps;
      return fail_as(stopped ? ErrorKind::kStopped : ErrorKind::kOther, "stopped while training");
    }
    policy.choice.reserve(rounds * options.headings * graph.nodes());
    for (std::size_t h = 0; h < options.headings; ++h) {
      for (graph::Node n = 0; n < graph.nodes(); ++n) {
        policy.choice.push_back(way_to(graph, n, solution->decide(n, h)));
      }
    }
  }
  return policy;
}

}  // namespace

std::uint16_t GraphPolicy::decide(graph::Node node, float to_left, int behavior) const {
  const auto turns = static_cast<double>(to_left) * static_cast<double>(headings) / (2 * static_cast<double>(kPi));
  const auto n = static_cast<long>(headings);
  const auto h = static_cast<std::size_t>(((to_whole<long>(std::round(turns)) % n) + n) % n);
  const bool wish = behavior >= 0 && static_cast<std::size_t>(behavior) < behaviors.size();
  const std::size_t b = wish ? static_cast<std::size_t>(behavior) + 1 : 0;
  return choice[(b * headings + h) * nodes + node];
}

Result<GraphPolicy> train_graph_policy(const graph::MotionGraph& graph, std::span<const take::Track> tracks,
                                       const GraphPolicyOptions& options, const Progress& progress) {
  return within_memory("training on so many frames", [&] { return train(graph, tracks, options, progress); });
}

std::string hash_of(const graph::MotionGraph& graph) {
  graph::MotionGraph bare = graph;
  for (graph::GraphClip& clip : bare.clips) clip.labels.clear();
  return content_hash(graph::to_bytes(bare));
}

std::vector<std::byte> to_bytes(const GraphPolicy& policy) {
  ByteWriter writer;
  writer.value<std::uint64_t>(policy.headings);
  writer.value<std::uint64_t>(policy.nodes);
  writer.string(policy.graph_hash);
  writer.value<std::uint64_t>(policy.behaviors.size());
  for (const std::string& behavior : policy.behaviors) writer.string(behavior);
  writer.array(std::span<const std::uint16_t>(policy.choice));
  return writer.take();
}

Result<GraphPolicy> graph_policy_from_bytes(std::span<const std::byte> bytes, const graph::MotionGraph& graph,
                                            std::string_view stored_hash) {
  ByteReader reader(bytes);
  GraphPolicy policy;
  policy.headings = reader.value<std::uint64_t>();
  policy.nodes = reader.value<std::uint64_t>();
  policy.graph_hash = reader.string();
  const auto behaviors = reader.value<std::uint64_t>();
  for (std::uint64_t b = 0; b < behaviors && reader.ok(); ++b) policy.behaviors.push_back(reader.string());
  policy.choice = reader.array<std::uint16_t>();
  if (!reader.finished()) return fail_as(ErrorKind::kDamaged, "the policy's bytes are cut off or too long");
  const bool same = policy.graph_hash == hash_of(graph) || (!stored_hash.empty() && policy.graph_hash == stored_hash);
  if (policy.nodes != graph.nodes() || !same) {
    return fail("the graph has been built anew since the policy was trained on it; train it again");
  }
  if (policy.headings < kFewestHeadings || policy.headings > kMostHeadings ||
      policy.choice.size() != (policy.behaviors.size() + 1) * policy.headings * policy.nodes) {
    return fail_as(ErrorKind::kDamaged, "the policy's table does not have the size it says");
  }
  for (std::size_t i = 0; i < policy.choice.size(); ++i) {
    const auto node = static_cast<graph::Node>(i % policy.nodes);
    const bool sound =
        policy.choice[i] == 0 ? graph.goes_on(node) : policy.choice[i] <= graph.transitions_of(node).size();
    if (!sound)
      return fail_as(ErrorKind::kDamaged,
                     fmt::format("the policy goes a way at node {} that the graph does not have", node));
  }
  return policy;
}

}  // namespace loom::policy
