// SPDX-License-Identifier: MIT
// The expectation over next controls, compiled once for each kind of vector unit (see expectation.h).
#include <algorithm>
#include <cmath>

#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/policy/detail/expectation.h>

#ifndef LOOM_CONTROL_EXPECTATION_PRODUCT
#define LOOM_CONTROL_EXPECTATION_PRODUCT
namespace loom::policy {

/// out (rows × states) = share × common + weights (rows × controls) × reward (controls × states).
struct Product {
  const double* weights = nullptr;
  std::size_t rows = 0, controls = 0, states = 0;
  const double* reward = nullptr;
  const double* share = nullptr;   ///< one a row; null where nothing is common
  const double* common = nullptr;  ///< one a state; null where nothing is
  double* out = nullptr;
};

}  // namespace loom::policy
#endif

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_WASM)  // no doubles there
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loom/policy/detail/expectation.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace loom::policy::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<double, 8>;
/// States handled together, whose sums stay in registers, and controls handled together.
constexpr std::size_t kStates = 16, kControls = 4;
constexpr std::size_t kVectors = kStates / hn::MaxLanes(Lanes());

/// `kRows` rows of the product for kStates states: what is common, times each row's share of it, and weights × reward,
/// sums in the order of d. The products are not fused with the sums, so that all vector units round alike.
template <std::size_t kRows>
HWY_INLINE void multiply_block(const double* HWY_RESTRICT weights, std::size_t controls,
                               const double* HWY_RESTRICT reward, std::size_t stride, const double* share,
                               const double* common, double* HWY_RESTRICT out) {
  const Lanes d;
  hn::Vec<Lanes> sums[kRows][kVectors];
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[r][v] =
          common == nullptr ? hn::Zero(d) : hn::Mul(hn::Set(d, share[r]), hn::LoadU(d, common + v * hn::Lanes(d)));
    }
  }
  for (std::size_t next = 0; next < controls; ++next) {
    bool any = false;
    for (std::size_t r = 0; r < kRows; ++r) any |= weights[r * controls + next] != 0;
    if (!any) continue;
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto x = hn::LoadU(d, reward + next * stride + v * hn::Lanes(d));
      for (std::size_t r = 0; r < kRows; ++r) {
        sums[r][v] = hn::Add(sums[r][v], hn::Mul(hn::Set(d, weights[r * controls + next]), x));
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[r][v], d, out + r * stride + v * hn::Lanes(d));
  }
}

/// The product for the states [begin, end). `share` and `common` may be null: nothing is common.
void Multiply(const Product& product, std::size_t begin, std::size_t end) {
  const std::size_t controls = product.controls, states = product.states;
  const double *weights = product.weights, *share = product.share, *common = product.common;
  const double* reward = product.reward;
  double* out = product.out;
  std::size_t s = begin;
  for (; s + kStates <= end; s += kStates) {
    const double* common_here = common == nullptr ? nullptr : common + s;
    const auto share_at = [&](std::size_t c) { return share == nullptr ? nullptr : share + c; };
    std::size_t c = 0;
    for (; c + kControls <= product.rows; c += kControls) {
      multiply_block<kControls>(weights + c * controls, controls, reward + s, states, share_at(c), common_here,
                                out + c * states + s);
    }
    for (; c < product.rows; ++c) {
      multiply_block<1>(weights + c * controls, controls, reward + s, states, share_at(c), common_here,
                        out + c * states + s);
    }
  }
  for (; s < end; ++s) {
    for (std::size_t c = 0; c < product.rows; ++c) {
      double sum = common == nullptr ? 0 : share[c] * common[s];
      for (std::size_t next = 0; next < controls; ++next) {
        const double weight = weights[c * controls + next];
        if (weight != 0) sum = sum + weight * reward[next * states + s];
      }
      out[c * states + s] = sum;
    }
  }
}

}  // namespace loom::policy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace loom::policy {
namespace {

HWY_EXPORT(Multiply);

/// States a thread takes at a time: no fewer than are worth waking it.
std::size_t states_at_once(const DecisionProblem& problem) {
  constexpr std::size_t kProducts = 4'000'000;
  return std::max<std::size_t>(64, kProducts / (problem.controls * problem.controls));
}

/// Where on its circle a control lies after a turn: between two places, `share` of the way to the second.
struct Turned {
  std::size_t from = 0, to = 0;
  double share = 0;
};

Turned turn(const DecisionProblem& problem, std::size_t control, float drift) {
  const auto ring = static_cast<double>(problem.ring);
  const std::size_t base = control / problem.ring * problem.ring;
  double place = static_cast<double>(control - base) + static_cast<double>(drift);
  place -= std::floor(place / ring) * ring;
  const double whole = std::floor(place);
  const std::size_t from = to_whole<std::size_t>(whole) % problem.ring;
  return {base + from, base + (from + 1) % problem.ring, place - whole};
}

/// Turns the controls of the states [begin, end) along with their bodies.
void turn_states(const DecisionProblem& problem, std::size_t begin, std::size_t end, double* future) {
  std::vector<double> before(problem.controls);
  for (std::size_t s = begin; s < end; ++s) {
    for (std::size_t c = 0; c < problem.controls; ++c) before[c] = future[c * problem.states + s];
    for (std::size_t c = 0; c < problem.controls; ++c) {
      const Turned t = turn(problem, c, problem.drift[s]);
      future[c * problem.states + s] = before[t.from] + t.share * (before[t.to] - before[t.from]);
    }
  }
}

}  // namespace

Expectation::Expectation(const DecisionProblem& problem)
    : problem_(problem), chances_(split_chances(problem.next_control, problem.controls)) {
  for (double& chance : chances_.rest) chance *= problem.discount;
  for (double& chance : chances_.common) chance *= problem.discount;
  if (!chances_.common.empty()) common_row_.resize(problem.states);
}

void Expectation::find(std::span<const double> reward, std::span<double> future) {
  const bool split = !chances_.common.empty();
  const std::size_t controls = problem_.controls, states = problem_.states;
  const Product all{chances_.rest.data(),
                    controls,
                    controls,
                    states,
                    reward.data(),
                    split ? chances_.share.data() : nullptr,
                    split ? common_row_.data() : nullptr,
                    future.data()};
  const Product common{chances_.common.data(), 1,       controls, states,
                       reward.data(),          nullptr, nullptr,  common_row_.data()};
  parallel_for(states, states_at_once(problem_), [&](std::size_t begin, std::size_t end) {
    if (split) HWY_DYNAMIC_DISPATCH(Multiply)(common, begin, end);
    HWY_DYNAMIC_DISPATCH(Multiply)(all, begin, end);
    if (problem_.ring > 0) turn_states(problem_, begin, end, future.data());
  });
}

std::vector<double> mean_next_control(const DecisionProblem& problem, std::span<const std::uint32_t> next) {
  if (problem.ring == 0) return problem.next_control;
  const std::size_t controls = problem.controls;
  std::vector<double> turned(controls * controls);
  for (std::size_t c = 0; c < controls; ++c) {
    for (std::size_t s = 0; s < problem.states; ++s) {
      const Turned t = turn(problem, c, problem.drift[next[c * problem.states + s]]);
      turned[c * controls + t.from] += (1 - t.share) / static_cast<double>(problem.states);
      turned[c * controls + t.to] += t.share / static_cast<double>(problem.states);
    }
  }
  std::vector<double> mean(controls * controls);
  for (std::size_t c = 0; c < controls; ++c) {
    for (std::size_t k = 0; k < controls; ++k) {
      const double share = turned[c * controls + k];
      if (share == 0) continue;
      for (std::size_t d = 0; d < controls; ++d)
        mean[c * controls + d] += share * problem.next_control[k * controls + d];
    }
  }
  return mean;
}

}  // namespace loom::policy
#endif  // HWY_ONCE
