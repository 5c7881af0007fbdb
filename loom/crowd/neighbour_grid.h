// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/crowd/flat.h>

namespace loom::crowd {

/// One who is near.
struct Neighbour {
  std::uint32_t index = 0;
  float squared = 0;  ///< of the distance, square metres
};

/// Who is near whom: places sorted into the cells of a grid. Filling is O(places), a query looks at the cells around.
/// Allocates only when there are more places than ever before.
class NeighbourGrid {
 public:
  /// `cell` is the edge of a cell in metres: about as far as queries look. Where places are spread over more than four
  /// cells each, cells are larger.
  explicit NeighbourGrid(float cell = 2) : wanted_cell_(cell) {}

  /// Takes the places, which are finite.
  void fill(std::span<const Flat> places);
  /// The nearest others of place `self` within `radius`, nearest first, at most as many as `found` has room for; of
  /// equals the one of lower index. Returns how many there are.
  std::size_t nearest(std::size_t self, float radius, std::span<Neighbour> found) const;
  /// The same of any place; nobody is left out.
  std::size_t nearest(Flat place, float radius, std::span<Neighbour> found) const;

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  std::size_t search(Flat place, std::uint32_t self, float radius, std::span<Neighbour> found) const;
  [[nodiscard]] std::size_t column(float x) const;
  [[nodiscard]] std::size_t row(float z) const;

  float wanted_cell_, cell_ = 1;
  Flat low_;
  std::size_t columns_ = 1, rows_ = 1;
  std::vector<std::uint32_t> begin_;  ///< of each cell in order_, and the end of the last
  std::vector<std::uint32_t> order_;  ///< places by cell
  std::vector<std::uint32_t> cell_of_;
  std::vector<Flat> places_;
};

}  // namespace loom::crowd
