// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <loom/base/random.h>
#include <loom/policy/dense_transitions.h>
#include <loom/policy/detail/sparse_transitions.h>
#include <loom/policy/solver.h>

namespace loom::testing {

/// A row of probabilities after each control, some of them zero.
inline std::vector<double> random_next_control(Random& random, std::size_t controls) {
  std::vector<double> next(controls * controls);
  for (std::size_t c = 0; c < controls; ++c) {
    double sum = 0;
    for (std::size_t d = 0; d < controls; ++d) {
      double& p = next[c * controls + d];
      p = c == d ? 1.0 : (random.uniform() < 0.5 ? 0.0 : 0.3 * random.uniform());
      sum += p;
    }
    for (std::size_t d = 0; d < controls; ++d) next[c * controls + d] /= sum;
  }
  return next;
}

inline std::vector<float> random_control_quality(Random& random, std::size_t size) {
  std::vector<float> quality(size);
  for (float& q : quality) q = static_cast<float>(random.uniform(0.02, 1));
  return quality;
}

/// Every state to every state.
inline policy::DecisionProblem random_dense_problem(std::uint64_t seed, std::size_t states, std::size_t controls,
                                                    double discount = 0.9) {
  Random random(seed);
  std::vector<float> quality(states * states);
  for (float& q : quality) q = static_cast<float>(std::min(1.0, 0.05 / (0.05 + random.uniform())));
  auto table = policy::DenseTransitions::create(states, [&](std::size_t from, std::span<float> row) {
    for (std::size_t to = 0; to < states; ++to) row[to] = quality[from * states + to];
  });
  policy::DecisionProblem problem;
  problem.states = states;
  problem.controls = controls;
  problem.transitions = std::make_shared<policy::DenseTransitions>(std::move(*table));
  problem.control_quality = random_control_quality(random, states * controls);
  problem.next_control = random_next_control(random, controls);
  problem.discount = discount;
  return problem;
}

/// One to four successors a state.
inline policy::DecisionProblem random_sparse_problem(std::uint64_t seed, std::size_t states, std::size_t controls) {
  Random random(seed);
  std::vector<std::uint32_t> first{0}, to;
  std::vector<float> quality;
  for (std::size_t s = 0; s < states; ++s) {
    for (std::size_t e = 1 + random.index(4); e > 0; --e) {
      to.push_back(static_cast<std::uint32_t>(random.index(states)));
      quality.push_back(static_cast<float>(random.uniform()));
    }
    first.push_back(static_cast<std::uint32_t>(to.size()));
  }
  policy::DecisionProblem problem;
  problem.states = states;
  problem.controls = controls;
  problem.transitions = std::make_shared<policy::SparseTransitions>(
      *policy::SparseTransitions::create(std::move(first), std::move(to), std::move(quality)));
  problem.control_quality = random_control_quality(random, states * controls);
  problem.next_control = random_next_control(random, controls);
  problem.discount = 0.9;
  return problem;
}

}  // namespace loom::testing
