// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/policy/transition_table.h>

namespace loom::policy {

/// What is to be decided: in which state to go on, for every state one may be in and every control one may be given.
///
/// Going from state s to t under control c earns quality(s, t) × control_quality(t, c) at once (McCann & Pollard 2007
/// eq. 1, Zhao 2009 eq. 4.4), and then the next control comes with the probabilities of `next_control` (eq. 2):
///
///     R(s, c) = max over t of  quality(s, t) control_quality(t, c) + discount × sum over d of next_control(c, d) R(t,
///     d)
///
/// The problem knows neither fragments nor graphs; the table of transitions is dense for the former, sparse for the
/// latter.
struct DecisionProblem {
  std::size_t states = 0;
  std::size_t controls = 0;
  std::shared_ptr<const TransitionTable> transitions;  ///< which states follow which, and how well; never null
  std::vector<float> control_quality;                  ///< controls × states, [c * states + t], in [0, 1]
  std::vector<double> next_control;                    ///< controls × controls, [c * controls + d]; rows sum to 1
  double discount = 0.999;                             ///< in [0, 1); 0 is the greedy controller (eq. 4)

  /// Controls that turn with the body, for policies whose control is a heading in the world (Zhao 2009 §4.3.2): each
  /// run of `ring` consecutive controls is a circle of wanted headings relative to the body, and arriving in state t
  /// moves the control `drift[t]` places along its circle before the player's next change. Between places the value is
  /// interpolated. 0: controls do not turn.
  std::size_t ring = 0;
  std::vector<float> drift;  ///< states, in places; empty when ring is 0
};

/// Checks sizes and ranges: everything `solve` relies on. Says what is wrong.
Result<void> validate(const DecisionProblem& problem);

/// Whoever takes the maximum of a full sweep for `solve`: a card, or the machines of a cluster. What is decided is the
/// same, to the bit.
class SweepEngine {
 public:
  virtual ~SweepEngine() = default;

  /// For every control and state the best successor and what it is worth. `future`, `next` and `value` are controls ×
  /// states; `future` is what follows on arriving in a state; `next` holds allowed successors to start from, and then
  /// the decisions. Fails when a device or a rank does.
  [[nodiscard]] virtual Result<void> sweep(const DecisionProblem& problem, std::span<const double> future,
                                           std::span<std::uint32_t> next, std::span<double> value) = 0;
};

/// What a sweep engine does for `count` controls from `first` on, on this machine's cores; the spans are count ×
/// states.
void sweep_controls(const DecisionProblem& problem, std::size_t first, std::size_t count,
                    std::span<const double> future, std::span<std::uint32_t> next, std::span<double> value);

struct SolveOptions {
  /// When to stop: the largest change one more full sweep would make to any expected reward. The loss of the policy
  /// against the optimum is then below tolerance × discount / (1 - discount).
  double tolerance = 1e-6;
  std::size_t max_sweeps = 1000;  ///< full sweeps, of which a problem of the work's size takes a few tens
  SweepEngine* engine = nullptr;  ///< who sweeps; null: this machine's cores
};

/// The decisions and what they are worth.
struct Solution {
  std::size_t states = 0, controls = 0;
  std::vector<std::uint32_t> next;  ///< [c * states + s]: the state to go on with
  std::vector<double> reward;       ///< [c * states + s]: R, the expected discounted sum of qualities
  double residual = 0;              ///< largest change the last full sweep made to R
  std::size_t sweeps = 0;           ///< full sweeps taken
  std::size_t evaluations = 0;      ///< cheap sweeps along the policy in between
  bool converged = false;           ///< false when stopped, by the caller or by max_sweeps

  [[nodiscard]] std::uint32_t decide(std::size_t state, std::size_t control) const {
    return next[control * states + state];
  }
};

/// Solves the problem by modified policy iteration (Puterman and Shin 1978): a full sweep of the maximum, then many
/// cheap sweeps along the policy it found.
///
/// What makes it quick: the expectation over next controls does not depend on where one comes from, so it is taken out
/// of the maximum as one small matrix product; the maximum starts from the previous decision and skips whole blocks of
/// states whose bounds cannot beat it (transition_table.h); and the slow part of a discount near 1, a level common to
/// all states of a control, is solved for directly (aggregation, Bertsekas and Castañon 1989).
///
/// `start` is a solution of a similar problem with the same sizes (before a change of parameters, or one that was
/// interrupted), or null. When `progress` asks to stop, what is there is returned with `converged` false; it can be
/// started from later. The decisions are exact for the problem as given: float arithmetic finds candidates, double
/// precision chooses, ties go to the lowest state. The same whatever the number of threads.
Result<Solution> solve(const DecisionProblem& problem, const SolveOptions& options = {},
                       const Solution* start = nullptr, const Progress& progress = {});

}  // namespace loom::policy
