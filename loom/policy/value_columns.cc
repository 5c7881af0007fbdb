// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/policy/value_columns.h>

namespace loom::policy {
namespace {

constexpr float kNever = -1e30f;  ///< the future of a state that only fills a block

std::size_t blocks_for(std::size_t states) { return (states + ValueColumns::kBlock - 1) / ValueColumns::kBlock; }

/// Copies `values` into whole blocks and finds the largest of each.
template <typename T>
void fill_column(std::span<const T> values, double level, float* out, float* largest) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    out[i] = static_cast<float>(static_cast<double>(values[i]) - level);
    float& block = largest[i / ValueColumns::kBlock];
    block = std::max(block, out[i]);
  }
}

}  // namespace

ValueColumns::ValueColumns(std::size_t states, std::size_t columns, std::span<const float> quality)
    : states_(states), columns_(columns), blocks_(blocks_for(states)) {
  quality_.assign(columns * blocks_ * kBlock, 0);
  future_.assign(columns * blocks_ * kBlock, kNever);
  block_quality_.assign(columns * padded_blocks(), 0);
  block_future_.assign(columns * padded_blocks(), kNever);
  margin_.assign(columns, 0);
  exact_.assign(columns * states, 0);
  level_.assign(columns, 0);
  for (std::size_t c = 0; c < columns; ++c) set_quality(c, quality.subspan(c * states, states));
}

void ValueColumns::set_quality(std::size_t column, std::span<const float> quality) {
  float* blocks = block_quality_.data() + column * padded_blocks();
  std::fill_n(blocks, padded_blocks(), 0.0f);
  fill_column(quality, 0, quality_.data() + column * blocks_ * kBlock, blocks);
}

void ValueColumns::set_future(std::size_t column, std::span<const double> future) {
  const auto [lowest, highest] = std::minmax_element(future.begin(), future.end());
  level_[column] = *highest;
  double* exact = exact_.data() + column * states_;
  for (std::size_t i = 0; i < states_; ++i) exact[i] = future[i] - *highest;
  float* blocks = block_future_.data() + column * padded_blocks();
  std::fill_n(blocks, padded_blocks(), kNever);
  fill_column(future, *highest, future_.data() + column * blocks_ * kBlock, blocks);
  margin_[column] = sweep_margin(*highest - *lowest);
}

float sweep_margin(double range) {
  // Four roundings of numbers up to 1 + |future|, each by 2^-24 of it at most; twice that, to be safe.
  return static_cast<float>(std::ldexp(1 + range, -21));
}

}  // namespace loom::policy
