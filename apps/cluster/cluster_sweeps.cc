// SPDX-License-Identifier: MIT
#include "cluster/cluster_sweeps.h"

#include <algorithm>
#include <vector>

#include <loom/base/bytes.h>
#include <loom/base/hash.h>
#include <loom/base/random.h>

namespace loom::cluster {
namespace {

constexpr std::size_t kSampledTransitions = 4096;

/// Some of the qualities, and all of what answers are worth: no two problems that anybody solves have the same.
std::string problem_key(const policy::DecisionProblem& problem) {
  ByteWriter out;
  out.value<std::uint64_t>(problem.states);
  out.value<std::uint64_t>(problem.controls);
  out.array(std::span(problem.control_quality));
  Random random(1);
  for (std::size_t n = 0; n < kSampledTransitions; ++n) {
    const std::size_t from = random.index(problem.states), to = random.index(problem.states);
    out.value(problem.transitions->quality(from, to));
  }
  return content_hash(out.take());
}

Result<Bytes> compute(const policy::DecisionProblem& problem, const std::string& key, std::span<const std::byte> task) {
  ByteReader in(task);
  const std::string asked = in.string();
  const auto first = in.value<std::uint64_t>();
  const auto future = in.array<double>();
  auto next = in.array<std::uint32_t>();
  if (asked != key) return fail("this rank sees another library than rank 0 does");
  const std::size_t states = problem.states, count = future.size() / std::max<std::size_t>(1, states);
  const bool fits = in.finished() && count > 0 && future.size() == count * states && next.size() == future.size() &&
                    first + count <= problem.controls;
  if (!fits) return fail("a message of rank 0 is damaged");
  std::vector<double> value(future.size());
  policy::sweep_controls(problem, first, count, future, next, value);
  ByteWriter out;
  out.array(std::span<const std::uint32_t>(next));
  out.array(std::span<const double>(value));
  return out.take();
}

}  // namespace

Result<void> ClusterSweeps::sweep(const policy::DecisionProblem& problem, std::span<const double> future,
                                  std::span<std::uint32_t> next, std::span<double> value) {
  const std::string key = problem_key(problem);
  const auto work_on = [&](std::span<const std::byte> task) { return compute(problem, key, task); };
  if (!crew_.leads()) {
    crew_.follow(work_on);
    return fail_as(ErrorKind::kStopped, "this rank has done its part");
  }
  const std::size_t states = problem.states;
  // Parts may be read and taken while others are still to be handed out: these begin from where all began.
  const std::vector<std::uint32_t> start(next.begin(), next.end());
  struct Columns {
    std::size_t first, count;
  };
  const auto columns_of = [&](std::uint64_t part) {
    const std::size_t first = part * columns_;
    return Columns{first, std::min(columns_, problem.controls - first)};
  };
  ByteWriter asked;
  asked.string(key);
  asked.value<std::uint64_t>(columns_);
  asked.array(future);
  asked.array(std::span(start));
  PartsWork work;
  work.key = content_hash(asked.take());
  work.count = (problem.controls + columns_ - 1) / columns_;
  work.task = [&](std::uint64_t part) {
    const auto [first, count] = columns_of(part);
    ByteWriter out;
    out.string(key);
    out.value<std::uint64_t>(first);
    out.array(future.subspan(first * states, count * states));
    out.array(std::span(start).subspan(first * states, count * states));
    return out.take();
  };
  work.compute = work_on;
  work.take = [&](std::uint64_t part, std::span<const std::byte> bytes) -> Result<void> {
    const auto [first, count] = columns_of(part);
    ByteReader in(bytes);
    const auto decided = in.array<std::uint32_t>();
    const auto worth = in.array<double>();
    const bool fits = in.finished() && decided.size() == count * states && worth.size() == decided.size() &&
                      std::all_of(decided.begin(), decided.end(), [&](std::uint32_t to) { return to < states; });
    if (!fits) return fail_as(ErrorKind::kDamaged, "what a rank decided is damaged");
    std::copy(decided.begin(), decided.end(), next.begin() + static_cast<std::ptrdiff_t>(first * states));
    std::copy(worth.begin(), worth.end(), value.begin() + static_cast<std::ptrdiff_t>(first * states));
    return {};
  };
  return do_parts(crew_, *kept_, work, report_, {});  // a solve tells how far it is itself
}

}  // namespace loom::cluster
