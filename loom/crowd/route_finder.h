// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/crowd/flat.h>
#include <loom/crowd/walls.h>

namespace loom::crowd {

/// Finds ways around walls for one who is `radius` wide: A* over the free cells of a grid, eight neighbours and no
/// corners cut, and of what it finds only the corners that are needed to see from one to the next. It looks at the
/// walls it was made with, which must outlive it.
class RouteFinder {
 public:
  /// The floor from `low` to `high`, cut into cells of `cell` metres (larger ones where that makes more than four
  /// million). A cell is free where its middle is `radius` from all walls that stand. Fails on a floor without extent.
  static Result<RouteFinder> create(const Walls& walls, Flat low, Flat high, float radius, float cell = 0.25f);

  /// The places to go by from `from` to `to`, in order, the last one `to`. Fails where one of them is not free and no
  /// free cell is near, and where no way leads there. O(cells × log). Ways past places where somebody is `standing`
  /// count as longer, so that another one is found where there is one.
  [[nodiscard]] Result<std::vector<Flat>> find(Flat from, Flat to, std::span<const Flat> standing = {}) const;
  [[nodiscard]] bool free(Flat place) const;

 private:
  RouteFinder(const Walls& walls, float radius) : walls_(&walls), radius_(radius) {}
  [[nodiscard]] std::size_t cell_at(Flat place) const;
  [[nodiscard]] Flat middle(std::size_t cell) const;
  [[nodiscard]] std::size_t nearest_free(Flat place) const;
  [[nodiscard]] std::vector<std::size_t> search(std::size_t from, std::size_t to, std::span<const Flat> standing) const;
  [[nodiscard]] bool clear(Flat from, Flat to, std::span<const Flat> standing) const;

  const Walls* walls_;
  float radius_, cell_ = 0.25f;
  Flat low_;
  std::size_t columns_ = 0, rows_ = 0;
  std::vector<bool> free_;
};

}  // namespace loom::crowd
