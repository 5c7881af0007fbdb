// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/crowd/route_finder.h>

namespace loom::crowd {
namespace {

constexpr double kMostCells = 4e6;
constexpr std::size_t kNone = ~std::size_t{0};
constexpr float kDiagonal = 1.41421356f;
constexpr float kPast = 6;  ///< metres that a way counts as longer by for each metre past somebody who stands

std::size_t whole(float value) { return to_whole<std::size_t>(static_cast<double>(value)); }

}  // namespace

Result<RouteFinder> RouteFinder::create(const Walls& walls, Flat low, Flat high, float radius, float cell) {
  if (!(high.x > low.x && high.z > low.z && std::isfinite(high.x - low.x) && std::isfinite(high.z - low.z))) {
    return fail_as(ErrorKind::kBadInput, "a floor without extent has no ways");
  }
  RouteFinder finder(walls, radius);
  finder.cell_ = cell;
  finder.low_ = low;
  const auto cells = [&](float span) { return std::ceil(static_cast<double>(span / finder.cell_)); };
  while (cells(high.x - low.x) * cells(high.z - low.z) > kMostCells) finder.cell_ *= 1.25f;
  finder.columns_ = to_whole<std::size_t>(cells(high.x - low.x));
  finder.rows_ = to_whole<std::size_t>(cells(high.z - low.z));
  finder.free_.resize(finder.columns_ * finder.rows_);
  std::array<WallPoint, 1> wall;
  for (std::size_t c = 0; c < finder.free_.size(); ++c) {
    finder.free_[c] = walls.near(finder.middle(c), radius, 0, wall) == 0;
  }
  return finder;
}

Flat RouteFinder::middle(std::size_t cell) const {
  const std::size_t column = cell % columns_, row = cell / columns_;
  return low_ + Flat{static_cast<float>(column) + 0.5f, static_cast<float>(row) + 0.5f} * cell_;
}

std::size_t RouteFinder::cell_at(Flat place) const {
  const std::size_t column = std::min(whole((place.x - low_.x) / cell_), columns_ - 1);
  return std::min(whole((place.z - low_.z) / cell_), rows_ - 1) * columns_ + column;
}

bool RouteFinder::free(Flat place) const { return free_[cell_at(place)]; }

/// The free cell around a place that one gets to straight, the nearest of them.
std::size_t RouteFinder::nearest_free(Flat place) const {
  const std::size_t at = cell_at(place);
  constexpr std::size_t kAround = 3;
  std::size_t best = kNone;
  float nearest = std::numeric_limits<float>::infinity();
  const std::size_t column = at % columns_, row = at / columns_;
  for (std::size_t r = row - std::min(row, kAround); r <= std::min(row + kAround, rows_ - 1); ++r) {
    for (std::size_t c = column - std::min(column, kAround); c <= std::min(column + kAround, columns_ - 1); ++c) {
      const std::size_t cell = r * columns_ + c;
      const float far = length(middle(cell) - place);
      if (!free_[cell] || far >= nearest || !walls_->clear(place, middle(cell), radius_ / 2)) continue;
      nearest = far;
      best = cell;
    }
  }
  return best;
}

/// Whether one gets straight from one place to the other past walls and those who stand.
bool RouteFinder::clear(Flat from, Flat to, std::span<const Flat> standing) const {
  return walls_->clear(from, to, radius_) && std::none_of(standing.begin(), standing.end(), [&](Flat other) {
           return line_distance(from, to, other, other) < 2 * radius_;
         });
}

std::vector<std::size_t> RouteFinder::search(std::size_t from, std::size_t to, std::span<const Flat> standing) const {
  struct Open {
    float estimate;
    std::uint32_t cell;
    bool operator<(const Open& other) const {
      return estimate > other.estimate || (estimate == other.estimate && cell > other.cell);
    }
  };
  const auto estimate = [&](std::size_t cell) {
    const auto apart = [](std::size_t a, std::size_t b) { return static_cast<float>(a > b ? a - b : b - a); };
    const float dx = apart(cell % columns_, to % columns_), dz = apart(cell / columns_, to / columns_);
    return std::max(dx, dz) + (kDiagonal - 1) * std::min(dx, dz);
  };
  const auto past = [&](std::size_t cell) {
    float more = 0;
    for (const Flat& other : standing) more += length(middle(cell) - other) < 2 * radius_ ? kPast : 0;
    return more;
  };
  std::vector<float> cost(free_.size(), std::numeric_limits<float>::infinity());
  std::vector<std::uint32_t> before(free_.size());
  std::priority_queue<Open> open;
  cost[from] = 0;
  open.push({estimate(from), static_cast<std::uint32_t>(from)});
  while (!open.empty()) {
    const auto [reckoned, cell] = open.top();
    open.pop();
    if (cell == to) break;
    if (reckoned > cost[cell] + estimate(cell) + 1e-3f) continue;  // reached more cheaply since
    const std::size_t column = cell % columns_, row = cell / columns_;
    for (int dr = -1; dr <= 1; ++dr) {
      for (int dc = -1; dc <= 1; ++dc) {
        if ((dr == 0 && dc == 0) || (row == 0 && dr < 0) || (column == 0 && dc < 0) || (row + 1 == rows_ && dr > 0) ||
            (column + 1 == columns_ && dc > 0)) {
          continue;
        }
        const auto there = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(cell) +
                                                    dr * static_cast<std::ptrdiff_t>(columns_) + dc);
        if (!free_[there]) continue;
        const bool corner = dr != 0 && dc != 0;
        if (corner && (!free_[row * columns_ + there % columns_] || !free_[there - there % columns_ + column]))
          continue;
        const float now = cost[cell] + (corner ? kDiagonal : 1.0f) + past(there);
        if (now >= cost[there]) continue;
        cost[there] = now;
        before[there] = cell;
        open.push({now + estimate(there), static_cast<std::uint32_t>(there)});
      }
    }
  }
  std::vector<std::size_t> way;
  if (!std::isfinite(cost[to])) return way;
  for (std::size_t cell = to; cell != from; cell = before[cell]) way.push_back(cell);
  way.push_back(from);
  std::reverse(way.begin(), way.end());
  return way;
}

Result<std::vector<Flat>> RouteFinder::find(Flat from, Flat to, std::span<const Flat> standing) const {
  if (clear(from, to, standing)) return std::vector<Flat>{to};
  const std::size_t first = nearest_free(from), last = nearest_free(to);
  const Flat bad = first == kNone ? from : to;
  if (first == kNone || last == kNone) {
    return fail_as(ErrorKind::kBadInput, fmt::format("nobody can stand at {:.2f}, {:.2f}", bad.x, bad.z));
  }
  const std::vector<std::size_t> way = search(first, last, standing);
  if (way.empty()) {
    return fail_as(ErrorKind::kBadInput,
                   fmt::format("no way leads from {:.2f}, {:.2f} to {:.2f}, {:.2f}", from.x, from.z, to.x, to.z));
  }
  // From each place to the last one in sight of it; a cell further on is always in sight.
  std::vector<Flat> route;
  Flat here = from;
  for (std::size_t n = 0; n < way.size();) {
    std::size_t next = n;
    while (next + 1 < way.size() && clear(here, middle(way[next + 1]), standing)) ++next;
    here = middle(way[next]);
    route.push_back(here);
    n = next + 1;
  }
  route.push_back(to);
  return route;
}

}  // namespace loom::crowd
