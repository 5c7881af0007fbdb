// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <loom/policy/value_columns.h>

namespace loom::policy {

inline constexpr std::uint32_t kNoState = 0xffffffff;

/// A decision: the state to go on with, and what that is worth, relative to the level of its column.
struct Decision {
  std::uint32_t to = kNoState;
  double value = 0;
};

/// Which state may follow which, and how well the motion goes over (McCann & Pollard 2007: MotionQuality; Zhao 2009:
/// Q_transition), in a form the maximum over successors runs through quickly. Immutable; used by many threads at once.
class TransitionTable {
 public:
  virtual ~TransitionTable() = default;

  [[nodiscard]] virtual std::size_t states() const = 0;
  /// The quality of going from `from` to `to`, in [0, 1]; negative when that is not allowed.
  [[nodiscard]] virtual float quality(std::size_t from, std::size_t to) const = 0;
  /// Some state that may follow `from`.
  [[nodiscard]] virtual std::uint32_t any_successor(std::size_t from) const = 0;
  /// For each column the best successor of `from`: the largest quality × column quality + column future, the lowest
  /// state among equals. On entry `decisions[c].to` is an allowed successor to start from: the closer to the best, the
  /// less work. Float arithmetic finds the candidates, double precision chooses.
  virtual void decide(std::size_t from, const ValueColumns& columns, std::span<Decision> decisions) const = 0;
  /// Bytes it takes.
  [[nodiscard]] virtual std::size_t memory() const = 0;
};

}  // namespace loom::policy
