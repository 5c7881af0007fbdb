// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include <loom/base/whole.h>
#include <loom/crowd/walls.h>

namespace loom::crowd {
namespace {

constexpr double kVelocitySeconds = 1.0 / 60;  ///< over which the speed of what moves is taken

Flat nearest_point(Flat a, Flat b, Flat p) {
  const Flat ab = b - a;
  const float square = dot(ab, ab);
  return square > 0 ? a + ab * std::clamp(dot(p - a, ab) / square, 0.0f, 1.0f) : a;
}

WallPoint look(const Wall& wall, Flat place) {
  const Flat axis = nearest_point(wall.a, wall.b, place), out = place - axis;
  const float far = length(out);
  const Flat across = left_of(normalized(wall.b - wall.a));
  return {axis + normalized(out, across) * wall.radius, {}, far - wall.radius, 0};
}

void insert(const WallPoint& here, std::span<WallPoint> found, std::size_t& count) {
  const auto before = [](const WallPoint& a, const WallPoint& b) {
    return a.distance < b.distance || (a.distance == b.distance && a.wall < b.wall);
  };
  for (std::size_t n = 0; n < count; ++n) {
    if (found[n].wall == here.wall) return;  // a long wall is met in several cells
  }
  if (count == found.size() && (count == 0 || !before(here, found[count - 1]))) return;
  std::size_t at = count < found.size() ? count++ : count - 1;
  for (; at > 0 && before(here, found[at - 1]); --at) found[at] = found[at - 1];
  found[at] = here;
}

Flat carried(const motion::GroundFrame& frame, Flat p) {
  const Vec3 there = motion::transform(frame, {p.x, 0, p.z});
  return {there.x, there.z};
}

}  // namespace

float line_distance(Flat a, Flat b, Flat c, Flat d) {
  const auto side = [](Flat from, Flat to, Flat p) { return dot(left_of(to - from), p - from); };
  const float c_side = side(a, b, c), d_side = side(a, b, d), a_side = side(c, d, a), b_side = side(c, d, b);
  if (c_side * d_side < 0 && a_side * b_side < 0) return 0;
  return std::min({length(nearest_point(a, b, c) - c), length(nearest_point(a, b, d) - d),
                   length(nearest_point(c, d, a) - a), length(nearest_point(c, d, b) - b)});
}

motion::GroundFrame MovingWalls::place(double seconds) const {
  if (path.empty()) return {};
  const double begin = path.front().seconds, length = path.back().seconds - begin;
  if (loops && length > 0) seconds = begin + std::fmod(std::max(seconds - begin, 0.0), length);
  if (seconds <= begin) return path.front().at;
  for (std::size_t n = 1; n < path.size(); ++n) {
    if (seconds > path[n].seconds) continue;
    const Waypoint &a = path[n - 1], &b = path[n];
    const double span = b.seconds - a.seconds;
    const auto t = static_cast<float>(span > 0 ? (seconds - a.seconds) / span : 1);
    return {std::lerp(a.at.x, b.at.x, t), std::lerp(a.at.z, b.at.z, t),
            wrap_angle(a.at.heading + t * wrap_angle(b.at.heading - a.at.heading))};
  }
  return path.back().at;
}

Walls::Walls(std::vector<Wall> standing, std::vector<MovingWalls> moving)
    : standing_(std::move(standing)), moving_(std::move(moving)) {
  if (standing_.empty()) return;
  Flat high = low_ = standing_[0].a;
  const auto box = [](const Wall& w) {
    return std::pair{Flat{std::min(w.a.x, w.b.x) - w.radius, std::min(w.a.z, w.b.z) - w.radius},
                     Flat{std::max(w.a.x, w.b.x) + w.radius, std::max(w.a.z, w.b.z) + w.radius}};
  };
  for (const Wall& wall : standing_) {
    const auto [l, h] = box(wall);
    low_ = {std::min(low_.x, l.x), std::min(low_.z, l.z)};
    high = {std::max(high.x, h.x), std::max(high.z, h.z)};
  }
  const float most = std::max(64.0f, 4 * static_cast<float>(standing_.size()));
  const auto cells = [&](float span) { return std::floor(span / cell_) + 1; };
  while (cells(high.x - low_.x) * cells(high.z - low_.z) > most) cell_ *= 1.25f;
  columns_ = to_whole<std::size_t>(static_cast<double>(cells(high.x - low_.x)));
  rows_ = to_whole<std::size_t>(static_cast<double>(cells(high.z - low_.z)));
  // Twice over the walls: to count, and to put them where they belong.
  const auto each_cell = [&](const Wall& wall, const auto& put) {
    const auto [l, h] = box(wall);
    const auto cell = [&](float from, float at, std::size_t count) {
      return std::min(to_whole<std::size_t>(static_cast<double>((at - from) / cell_)), count - 1);
    };
    for (std::size_t r = cell(low_.z, l.z, rows_); r <= cell(low_.z, h.z, rows_); ++r) {
      for (std::size_t c = cell(low_.x, l.x, columns_); c <= cell(low_.x, h.x, columns_); ++c) put(r * columns_ + c);
    }
  };
  begin_.assign(columns_ * rows_ + 1, 0);
  for (const Wall& wall : standing_) each_cell(wall, [&](std::size_t cell) { ++begin_[cell + 1]; });
  for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
  order_.resize(begin_.back());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t w = 0; w < standing_.size(); ++w) {
    each_cell(standing_[w], [&](std::size_t cell) { order_[next[cell]++] = static_cast<std::uint32_t>(w); });
  }
}

/// Calls for every wall in the cells that a box meets, some of them several times.
template <typename Visit>
void Walls::visit(Flat low, Flat high, const Visit& visit) const {
  if (standing_.empty()) return;
  const auto cell = [&](float from, float at, std::size_t count) {
    return std::min(to_whole<std::size_t>(static_cast<double>((at - from) / cell_)), count - 1);
  };
  const std::size_t from = cell(low_.x, low.x, columns_), to = cell(low_.x, high.x, columns_);
  for (std::size_t r = cell(low_.z, low.z, rows_); r <= cell(low_.z, high.z, rows_); ++r) {
    for (std::uint32_t n = begin_[r * columns_ + from]; n < begin_[r * columns_ + to + 1]; ++n) visit(order_[n]);
  }
}

std::size_t Walls::near(Flat place, float radius, double seconds, std::span<WallPoint> found) const {
  std::size_t count = 0;
  const Flat reach{radius, radius};
  visit(place - reach, place + reach, [&](std::uint32_t w) {
    WallPoint here = look(standing_[w], place);
    here.wall = w;
    if (here.distance <= radius) insert(here, found, count);
  });
  auto number = static_cast<std::uint32_t>(standing_.size());
  for (const MovingWalls& mover : moving_) {
    const motion::GroundFrame now = mover.place(seconds), soon = mover.place(seconds + kVelocitySeconds);
    const motion::GroundFrame back = inverse(now);
    for (const Wall& wall : mover.walls) {
      const Wall there{carried(now, wall.a), carried(now, wall.b), wall.radius};
      WallPoint here = look(there, place);
      here.wall = number++;
      if (here.distance > radius) continue;
      const Flat own = carried(back, here.point);
      here.velocity = (carried(soon, own) - here.point) * static_cast<float>(1 / kVelocitySeconds);
      insert(here, found, count);
    }
  }
  return count;
}

bool Walls::clear(Flat from, Flat to, float radius) const {
  const Flat low{std::min(from.x, to.x) - radius, std::min(from.z, to.z) - radius};
  const Flat high{std::max(from.x, to.x) + radius, std::max(from.z, to.z) + radius};
  bool clear = true;
  visit(low, high, [&](std::uint32_t w) {
    const Wall& wall = standing_[w];
    clear = clear && line_distance(from, to, wall.a, wall.b) >= radius + wall.radius;
  });
  return clear;
}

}  // namespace loom::crowd
