// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/crowd/neighbour_grid.h>

namespace loom::crowd {
namespace {

constexpr float kCellsEach = 4;  ///< cells for a place, at most

}  // namespace

std::size_t NeighbourGrid::column(float x) const {
  return std::min(to_whole<std::size_t>(static_cast<double>((x - low_.x) / cell_)), columns_ - 1);
}
std::size_t NeighbourGrid::row(float z) const {
  return std::min(to_whole<std::size_t>(static_cast<double>((z - low_.z) / cell_)), rows_ - 1);
}

void NeighbourGrid::fill(std::span<const Flat> places) {
  places_.assign(places.begin(), places.end());
  Flat high = low_ = places.empty() ? Flat{} : places[0];
  for (const Flat& p : places) {
    low_ = {std::min(low_.x, p.x), std::min(low_.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.z, p.z)};
  }
  const float most = kCellsEach * static_cast<float>(std::max<std::size_t>(places.size(), 16));
  const auto cells = [&](float span) { return std::floor(span / cell_) + 1; };
  for (cell_ = wanted_cell_; cells(high.x - low_.x) * cells(high.z - low_.z) > most;) cell_ *= 1.25f;
  columns_ = to_whole<std::size_t>(static_cast<double>(cells(high.x - low_.x)));
  rows_ = to_whole<std::size_t>(static_cast<double>(cells(high.z - low_.z)));
  if (begin_.capacity() == 0 || places.size() > order_.capacity())
    begin_.reserve(to_whole<std::size_t>(static_cast<double>(most)) + 1);
  begin_.assign(columns_ * rows_ + 1, 0);
  order_.resize(places.size());
  cell_of_.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    cell_of_[i] = static_cast<std::uint32_t>(row(places[i].z) * columns_ + column(places[i].x));
    ++begin_[cell_of_[i] + 1];
  }
  for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
  // Filled from behind, each cell's begin is moved down to where it belongs: places of a cell stay in order.
  for (std::size_t i = places.size(); i-- > 0;) order_[--begin_[cell_of_[i] + 1]] = static_cast<std::uint32_t>(i);
  for (std::size_t c = 0; c + 1 < begin_.size(); ++c) begin_[c] = begin_[c + 1];
  begin_.back() = static_cast<std::uint32_t>(places.size());
}

std::size_t NeighbourGrid::nearest(std::size_t self, float radius, std::span<Neighbour> found) const {
  return search(places_[self], static_cast<std::uint32_t>(self), radius, found);
}

std::size_t NeighbourGrid::nearest(Flat place, float radius, std::span<Neighbour> found) const {
  return search(place, kNobody, radius, found);
}

std::size_t NeighbourGrid::search(Flat place, std::uint32_t self, float radius, std::span<Neighbour> found) const {
  if (places_.empty() || found.empty()) return 0;
  std::size_t count = 0;
  const std::size_t from = column(place.x - radius), to = column(place.x + radius);
  for (std::size_t r = row(place.z - radius); r <= row(place.z + radius); ++r) {
    for (std::uint32_t n = begin_[r * columns_ + from]; n < begin_[r * columns_ + to + 1]; ++n) {
      const std::uint32_t other = order_[n];
      const Flat apart = places_[other] - place;
      const Neighbour here{other, dot(apart, apart)};
      if (other == self || here.squared > radius * radius) continue;
      const auto before = [](const Neighbour& a, const Neighbour& b) {
        return a.squared < b.squared || (a.squared == b.squared && a.index < b.index);
      };
      if (count == found.size() && !before(here, found[count - 1])) continue;
      std::size_t at = count < found.size() ? count++ : count - 1;
      for (; at > 0 && before(here, found[at - 1]); --at) found[at] = found[at - 1];
      found[at] = here;
    }
  }
  return count;
}

}  // namespace loom::crowd
