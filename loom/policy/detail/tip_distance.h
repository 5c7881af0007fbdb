// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <loom/base/math.h>

namespace loom::policy {

/// Where the bone tips of many poses are, laid out so that one tip of consecutive states fills a vector.
class TipTable {
 public:
  TipTable(std::size_t states, std::size_t tips);

  void set(std::size_t state, std::size_t tip, Vec3 at) {
    float* plane = values_.data() + tip * 3 * stride_ + state;
    plane[0] = at.x;
    plane[stride_] = at.y;
    plane[2 * stride_] = at.z;
  }
  [[nodiscard]] std::size_t states() const { return states_; }
  /// One coordinate (0 to 2) of one tip, for all states, filled up to whole vectors.
  [[nodiscard]] const float* plane(std::size_t tip, std::size_t coordinate) const {
    return values_.data() + (tip * 3 + coordinate) * stride_;
  }

 private:
  std::size_t states_, stride_;
  std::vector<float> values_;
};

/// For every state of `to` the weighted sum of the distances of its tips to those of state `from` of `table`.
/// Vectorised over states; each sum runs over the tips in order, so the result is the same on every machine.
void tip_distances(const TipTable& table, std::size_t from, const TipTable& to, std::span<const float> weights,
                   std::span<float> sums);

}  // namespace loom::policy
