// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace loom::policy {

/// What arriving in each state earns and is worth, one column a control: what a sweep of the maximum runs through.
///
/// Kept twice: as floats in blocks with the largest of each block beside them, which allow most states to be skipped
/// without a look, and in double precision for the last word. The futures are relative to a level of their column,
/// which no decision depends on, so that floats are precise where it matters.
class ValueColumns {
 public:
  /// States in a block; blocks are whole, the last filled up with states that never win.
  static constexpr std::size_t kBlock = 32;

  /// `quality` is columns × states, [c * states + t], not negative.
  ValueColumns(std::size_t states, std::size_t columns, std::span<const float> quality);

  /// Takes the discounted worth of what follows, one a state, for one column. Columns may be set at the same time.
  void set_future(std::size_t column, std::span<const double> future);
  /// Takes another quality for one column.
  void set_quality(std::size_t column, std::span<const float> quality);

  [[nodiscard]] std::size_t states() const { return states_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t blocks() const { return blocks_; }

  /// blocks() × kBlock floats each.
  [[nodiscard]] const float* quality(std::size_t column) const { return quality_.data() + column * blocks_ * kBlock; }
  [[nodiscard]] const float* future(std::size_t column) const { return future_.data() + column * blocks_ * kBlock; }
  /// The largest of each block, blocks() rounded up to whole kBlock long.
  [[nodiscard]] const float* block_quality(std::size_t column) const {
    return block_quality_.data() + column * padded_blocks();
  }
  [[nodiscard]] const float* block_future(std::size_t column) const {
    return block_future_.data() + column * padded_blocks();
  }
  [[nodiscard]] std::size_t padded_blocks() const { return (blocks_ + kBlock - 1) / kBlock * kBlock; }
  /// The futures in double precision, states() of them, relative to `level`.
  [[nodiscard]] const double* exact(std::size_t column) const { return exact_.data() + column * states_; }
  /// What was taken off every future of the column.
  [[nodiscard]] double level(std::size_t column) const { return level_[column]; }
  /// Values closer than this in float arithmetic may be in another order in double precision.
  [[nodiscard]] float margin(std::size_t column) const { return margin_[column]; }

 private:
  std::size_t states_, columns_, blocks_;
  std::vector<float> quality_, future_, block_quality_, block_future_, margin_;
  std::vector<double> exact_, level_;
};

/// How far apart values of single precision may be and still be in another order in double, where futures lie within
/// `range` of each other.
float sweep_margin(double range);

}  // namespace loom::policy
