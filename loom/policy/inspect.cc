// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/parallel.h>
#include <loom/policy/inspect.h>

namespace loom::policy {
namespace {

constexpr std::size_t kMostRounds = 1000;
constexpr double kSettledShare = 1e-6;

/// The share of time spent in each situation: arriving in fragment t under control c, then the player's next control.
/// Starts with all fragments alike and goes on until little changes.
std::vector<double> long_run_shares(const Policy& policy) {
  const std::size_t states = policy.solution.states, bins = policy.solution.controls;
  std::vector<double> share(states * bins, 1 / static_cast<double>(states * bins)), arrived(share.size());
  for (std::size_t round = 0; round < kMostRounds; ++round) {
    parallel_for(bins, 4, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) {
        const auto row = std::span(arrived).subspan(c * states, states);
        std::fill(row.begin(), row.end(), 0.0);
        for (std::size_t s = 0; s < states; ++s) row[policy.solution.next[c * states + s]] += share[c * states + s];
      }
    });
    std::vector<double> change(bins);
    parallel_for(bins, 1, [&](std::size_t begin, std::size_t end) {
      std::vector<double> after(states);
      for (std::size_t d = begin; d < end; ++d) {
        std::fill(after.begin(), after.end(), 0.0);
        for (std::size_t c = 0; c < bins; ++c) {
          const double p = policy.model.next[c * bins + d];
          if (p == 0) continue;
          for (std::size_t s = 0; s < states; ++s) after[s] += p * arrived[c * states + s];
        }
        for (std::size_t s = 0; s < states; ++s) {
          change[d] += std::abs(after[s] - share[d * states + s]);
          share[d * states + s] = after[s];
        }
      }
    });
    double total = 0;
    for (const double c : change) total += c;
    if (total < kSettledShare) break;
  }
  return share;
}

/// Keeps the first `count` of `items` in the order of `before`.
template <typename T, typename Before>
void keep_first(std::vector<T>& items, std::size_t count, Before before) {
  const std::size_t kept = std::min(count, items.size());
  std::partial_sort(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(kept), items.end(), before);
  items.resize(kept);
}

/// Puts the shares of the same transition under several controls together, under the control of the largest.
void join_equal(std::vector<PolicyDecision>& decisions) {
  std::sort(decisions.begin(), decisions.end(), [](const PolicyDecision& a, const PolicyDecision& b) {
    if (a.from != b.from) return a.from < b.from;
    if (a.to != b.to) return a.to < b.to;
    return a.share > b.share;
  });
  std::vector<PolicyDecision> joined;
  for (const PolicyDecision& d : decisions) {
    if (!joined.empty() && joined.back().from == d.from && joined.back().to == d.to) {
      joined.back().share += d.share;
    } else {
      joined.push_back(d);
    }
  }
  decisions = std::move(joined);
}

}  // namespace

Inspection inspect(const Policy& policy, const FragmentSet& set, const TransitionTable& transitions, std::size_t count,
                   double least_share) {
  const Solution& solution = policy.solution;
  const std::size_t states = solution.states;
  const std::vector<double> share = long_run_shares(policy);
  Inspection found;
  found.decisions = share.size();
  for (std::size_t c = 0; c < solution.controls; ++c) {
    const auto rewards = std::span(solution.reward).subspan(c * states, states);
    const double best = *std::max_element(rewards.begin(), rewards.end());
    std::uint32_t lowest = kNoState;
    for (std::uint32_t s = 0; s < states; ++s) {
      const double here = share[c * states + s];
      if (here < least_share) continue;
      ++found.reached;
      const std::uint32_t to = solution.decide(s, c);
      const float motion = std::max(0.0f, transitions.quality(s, to));
      const float control = control_quality(policy.space.weights, set.fragments[to].evident, policy.space.bins[c]);
      found.mean_quality += here * static_cast<double>(motion) * static_cast<double>(control);
      found.worst.push_back({s, to, c, motion, control, here});
      if (lowest == kNoState || rewards[s] < rewards[lowest]) lowest = s;
    }
    if (lowest != kNoState) {
      found.lowest.push_back({lowest, c, rewards[lowest], best - rewards[lowest], share[c * states + lowest]});
    }
  }
  join_equal(found.worst);
  keep_first(found.worst, count, [](const PolicyDecision& a, const PolicyDecision& b) {
    if (a.motion_quality != b.motion_quality) return a.motion_quality < b.motion_quality;
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  keep_first(found.lowest, count, [](const Situation& a, const Situation& b) {
    if (a.reward != b.reward) return a.reward < b.reward;
    return std::pair(a.bin, a.fragment) < std::pair(b.bin, b.fragment);
  });
  return found;
}

}  // namespace loom::policy
