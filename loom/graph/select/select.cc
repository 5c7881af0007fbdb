// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>

#include <loom/base/memory.h>
#include <loom/base/peak_memory.h>
#include <loom/base/progress_part.h>
#include <loom/graph/select/detail/cuts.h>
#include <loom/graph/select/detail/improve.h>
#include <loom/graph/select/detail/iterate.h>
#include <loom/graph/select/detail/steiner.h>
#include <loom/graph/select/select.h>

namespace loom::graph {
namespace {

using detail::Problem;

/// How many random orders are tried (Zhao 2009 appendix A.2, which does not say how many).
constexpr std::size_t kRandomOrders = 8;

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - since_).count();
  }
  /// Seconds since it was made, or since the last lap.
  double lap() {
    const double seconds_now = seconds();
    since_ = std::chrono::steady_clock::now();
    return seconds_now;
  }

 private:
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

/// Whether what is asked is made of numbers that lengths can be.
bool sound(const Requirement& requirement) {
  return std::isfinite(requirement.within) && requirement.within >= 0 && std::isfinite(requirement.roughness) &&
         requirement.roughness >= 0 && std::isfinite(requirement.frame) && requirement.frame > 0;
}

Result<void> check(const MotionGraph& graph, const SelectionTask& task, const SelectOptions& options) {
  if (graph.nodes() == 0) return fail_as(ErrorKind::kBadInput, "the graph has no frames");
  if (task.keys.empty()) {
    return fail_setting({"key"}, "a selection needs key motions: name what it has to hold");
  }
  for (const KeyMotion& key : task.keys) {
    if (key.begin >= key.end || key.end > graph.nodes() || graph.run_of[key.begin] != graph.run_of[key.end - 1]) {
      return fail_as(ErrorKind::kBadInput, "key motion '" + key.what + "' is not one stretch of the graph");
    }
  }
  if (detail::key_frames(task).size() < 2) {
    return fail_setting({"key"}, "one frame is no motion: name key motions of two frames at least");
  }
  const bool all_sound =
      sound(task.usual) && std::all_of(task.between.begin(), task.between.end(),
                                       [](const auto& between) { return sound(between.requirement); });
  if (!all_sound)
    return fail_setting({"within"}, "what is asked of ways must be finite numbers, none of them negative");
  for (const Node node : options.start) {
    if (node >= graph.nodes()) return fail_as(ErrorKind::kBadInput, "a frame to start with is not in the graph");
  }
  return {};
}

std::vector<std::uint32_t> flagged(const std::vector<char>& flags) {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t n = 0; n < flags.size(); ++n) {
    if (flags[n]) nodes.push_back(n);
  }
  return nodes;
}

/// Random orders, of whose answers only what all share is there from the start the last time.
std::vector<std::uint32_t> by_random_orders(const Problem& problem, std::vector<std::uint32_t> start, Random& random,
                                            const detail::Iterated& told) {
  std::vector<std::uint32_t> shared, best;
  for (std::size_t i = 0; i <= kRandomOrders; ++i) {
    const auto wishes = detail::ordered_wishes(problem, SelectOrder::kRandom, random);
    const auto found = detail::iterate(problem, i < kRandomOrders ? start : shared, wishes, false, told);
    if (best.empty() || found.size() < best.size()) best = found;
    if (i == 0) {
      shared = found;
      continue;
    }
    std::vector<std::uint32_t> both;
    std::set_intersection(shared.begin(), shared.end(), found.begin(), found.end(), std::back_inserter(both));
    shared = std::move(both);
  }
  return best;
}

std::vector<std::uint32_t> find_nodes(const Problem& problem, const std::vector<std::uint32_t>& start,
                                      const SelectOptions& options, Random& random, const detail::Iterated& told) {
  if (options.method == SelectMethod::kRandom) return by_random_orders(problem, start, random, told);
  const auto wishes = detail::ordered_wishes(problem, options.order, random);
  if (options.method == SelectMethod::kIterative) {
    return detail::iterate(problem, start, wishes, options.branches, told);
  }
  std::vector<std::uint32_t> begins = detail::steiner_nodes(problem.field, problem.keys);
  begins.insert(begins.end(), start.begin(), start.end());
  return detail::iterate(problem, begins, wishes, false, told);
}

/// The frames that may be used: the core with what is there already, or all.
std::vector<Node> usable(const MotionGraph& graph, const std::vector<Node>& core, const SelectOptions& options) {
  if (options.from == SelectFrom::kCore) {
    std::vector<Node> nodes = core;
    nodes.insert(nodes.end(), options.start.begin(), options.start.end());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }
  std::vector<Node> nodes(graph.nodes());
  for (Node n = 0; n < nodes.size(); ++n) nodes[n] = n;
  return nodes;
}

/// How small a selection out of the whole graph could be. Where that takes more memory than there is: nothing is known
/// but that key frames belong to it.
Result<void> find_bound(const MotionGraph& graph, const SelectionTask& task, std::span<const detail::Layer> layers,
                        const Problem& problem, const std::vector<char>& required, bool whole, const Progress& progress,
                        Selection& selection) {
  if (whole) {
    selection.required_nodes = static_cast<std::size_t>(std::count(required.begin(), required.end(), 1));
    selection.lower_bound = detail::lower_bound(problem, required);
    return {};
  }
  if (2 * detail::problem_bytes(graph.nodes(), layers) > static_cast<double>(free_memory())) {
    selection.lower_bound = static_cast<double>(selection.key_frames);
    return {};
  }
  const auto all = detail::make_problem(detail::whole_field(graph), task, layers, progress);
  if (!all) return fail_from(all);
  std::vector<char> likely(graph.nodes(), 0);
  for (const Node node : selection.nodes) likely[node] = 1;
  const std::vector<char> needed = detail::required_nodes(*all, likely);
  selection.required_nodes = static_cast<std::size_t>(std::count(needed.begin(), needed.end(), 1));
  selection.lower_bound = detail::lower_bound(*all, needed);
  return {};
}

/// The required nodes of a problem, with a first answer to tell which those might be, as in the work (§5.3.1).
std::vector<char> find_required(const Problem& problem, const SelectOptions& options) {
  std::vector<std::uint32_t> start;
  for (const Node node : options.start) start.push_back(problem.field.at(node));
  Random random(options.seed);
  const auto wishes = detail::ordered_wishes(problem, SelectOrder::kDescending, random);
  detail::Chosen first(problem, start);
  detail::ConstrainedPath paths(problem);
  detail::meet_wishes(wishes, paths, first);
  std::vector<char> likely(problem.field.size(), 0);
  for (const std::uint32_t node : first.nodes()) likely[node] = 1;
  return detail::required_nodes(problem, likely);
}

Result<Selection> select_in_memory(const MotionGraph& graph, const SelectionTask& task, const SelectOptions& options,
                                   const Progress& progress) {
  Stopwatch watch;
  Selection selection;
  selection.key_frames = detail::key_frames(task).size();
  std::vector<detail::Layer> layers = detail::make_layers(task);
  std::vector<Node> nodes;
  {
    const detail::Field whole = detail::whole_field(graph);
    const auto core = detail::find_best(whole, task, layers, part_of(progress, 0, 0.3));
    if (!core) return fail_from(core);
    selection.core_nodes = core->size();
    nodes = usable(graph, *core, options);
    selection.core_edges = detail::make_field(graph, *core).forward.to.size();
  }
  selection.core_seconds = watch.lap();

  auto problem =
      detail::make_problem(detail::make_field(graph, std::move(nodes)), task, layers, part_of(progress, 0.3, 0.4));
  if (!problem) return fail_from(problem);
  const std::vector<char> required = find_required(*problem, options);
  selection.required_nodes = static_cast<std::size_t>(std::count(required.begin(), required.end(), 1));
  std::vector<char> kept(problem->field.size(), 0);
  for (const std::uint32_t key : problem->keys) kept[key] = 1;
  for (const Node node : options.start) kept[problem->field.at(node)] = 1;
  std::vector<char> begins = kept;
  for (std::size_t n = 0; n < begins.size(); ++n) {
    if (required[n] && options.required_first) begins[n] = 1;
    if (required[n]) kept[n] = 1;
  }
  selection.required_seconds = watch.lap();

  Random random(options.seed);
  bool stopped = false;
  const auto told = [&](std::size_t size) {
    selection.sizes.push_back(size);
    const double share = 1 - 1 / (1 + 0.1 * static_cast<double>(selection.sizes.size()));
    stopped = stopped || !progress.report(0.4 + 0.3 * share, "selecting frames");
    return !stopped;
  };
  std::vector<std::uint32_t> chosen = find_nodes(*problem, flagged(begins), options, random, told);
  if (stopped) return fail_as(ErrorKind::kStopped, "stopped while selecting frames");
  selection.before_search = chosen.size();
  selection.select_seconds = watch.lap();

  if (options.rounds > 0 || options.seconds > 0) {
    detail::Chosen lean(*problem, chosen);
    detail::remove_needless(*problem, kept, lean);
    const auto goes_on = [&](std::size_t round, std::size_t) {
      const double share = options.seconds > 0 ? watch.seconds() / options.seconds
                                               : static_cast<double>(round) / static_cast<double>(options.rounds);
      if (share >= 1) return false;
      stopped = stopped || !progress.report(0.7 + 0.2 * share, "making it smaller");
      return !stopped;
    };
    chosen = detail::improve(*problem, kept, lean.nodes(), random, goes_on);
    if (stopped) return fail_as(ErrorKind::kStopped, "stopped while making the selection smaller");
  }
  selection.search_seconds = watch.lap();
  for (const std::uint32_t node : chosen) selection.nodes.push_back(problem->field.nodes[node]);

  if (options.bound) {
    const auto bound = find_bound(graph, task, layers, *problem, required, options.from == SelectFrom::kWhole,
                                  part_of(progress, 0.9, 1), selection);
    if (!bound) return fail_from(bound);
  }
  selection.bound_seconds = watch.lap();
  selection.peak_memory_bytes = peak_memory_bytes();
  return selection;
}

}  // namespace

Result<Selection> select(const MotionGraph& graph, const SelectionTask& task, const SelectOptions& options,
                         const Progress& progress) {
  if (const auto sound = check(graph, task, options); !sound) return fail_from(sound);
  return within_memory("a selection", [&] { return select_in_memory(graph, task, options, progress); });
}

}  // namespace loom::graph
