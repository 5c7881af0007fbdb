// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <loom/base/whole.h>
#include <loom/motion/implicit_surface.h>

namespace loom::motion {
namespace {

constexpr float kFar = 1e6f;
constexpr float kMostCells = 1024;  ///< along each axis: 2.6 mm of a body of 2.7 m

/// Both distances where they are far apart, less than either where they are near.
float soft_minimum(float a, float b, float blend) {
  const float h = std::max(blend - std::fabs(a - b), 0.0f) / blend;
  return std::min(a, b) - h * h * blend * 0.25f;
}

/// The largest distance from its axis that the blob reaches.
float reach(const Blob& blob) {
  return std::max(blob.radius_a * std::max(blob.widening_a, 1.0f), blob.radius_b * std::max(blob.widening_b, 1.0f));
}

/// Makes the box from `low` to `high` hold the blob and `margin` metres around it.
void extend(const Blob& blob, float margin, Vec3& low, Vec3& high) {
  const float around = reach(blob) + margin;
  for (const Vec3 end : {blob.a, blob.b}) {
    low = {std::min(low.x, end.x - around), std::min(low.y, end.y - around), std::min(low.z, end.z - around)};
    high = {std::max(high.x, end.x + around), std::max(high.y, end.y + around), std::max(high.z, end.z + around)};
  }
}

/// How many blobs from the first on are of its group.
std::size_t group_size(std::span<const Blob> blobs) {
  std::size_t count = 1;
  while (count < blobs.size() && blobs[count].group == blobs[0].group) ++count;
  return count;
}

/// Where on the blob's axis the point nearest to `p` is, from 0 at `a` to 1 at `b`.
float nearest_on_axis(const Blob& blob, Vec3 p) {
  const Vec3 axis = blob.b - blob.a;
  const float square = dot(axis, axis);
  return square > 1e-12f ? std::clamp(dot(p - blob.a, axis) / square, 0.0f, 1.0f) : 0.0f;
}

/// The distance to a rod of several pieces: that of the piece whose axis passes nearest.
float rod_distance(std::span<const Blob> rod, Vec3 p) {
  const Blob* nearest = nullptr;
  float least = std::numeric_limits<float>::max();
  for (const Blob& blob : rod) {
    const Vec3 away = p - lerp(blob.a, blob.b, nearest_on_axis(blob, p));
    if (dot(away, away) >= least) continue;
    least = dot(away, away);
    nearest = &blob;
  }
  return distance_to(*nearest, p);
}

/// A group of blobs and the box beyond which it has no part in the surface.
struct Part {
  std::span<const Blob> blobs;
  Vec3 low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};

  [[nodiscard]] bool holds(Vec3 p) const {
    return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z;
  }
};

std::vector<Part> parts_of(std::span<const Blob> blobs, float margin) {
  std::vector<Part> parts;
  while (!blobs.empty()) {
    Part part;
    part.blobs = blobs.first(group_size(blobs));
    for (const Blob& blob : part.blobs) extend(blob, margin, part.low, part.high);
    blobs = blobs.subspan(part.blobs.size());
    parts.push_back(part);
  }
  return parts;
}

/// The body's field near its surface: groups far from `p` are passed over.
float field_at(const std::vector<Part>& parts, float blend, Vec3 p) {
  float total = kFar;
  for (const Part& part : parts) {
    if (part.holds(p)) total = soft_minimum(total, rod_distance(part.blobs, p), blend);
  }
  return total;
}

/// A field sampled at the corners of a regular grid, coarser than asked for where there would be too many.
class Grid {
 public:
  Grid(const std::vector<Part>& parts, float blend, float cell) : cell_(cell) {
    Vec3 low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
    for (const Part& part : parts) {
      low = {std::min(low.x, part.low.x), std::min(low.y, part.low.y), std::min(low.z, part.low.z)};
      high = {std::max(high.x, part.high.x), std::max(high.y, part.high.y), std::max(high.z, part.high.z)};
    }
    origin_ = low;
    const Vec3 span = high - low;
    cell_ = std::max(cell, std::max({span.x, span.y, span.z}) / kMostCells);
    size_ = {to_whole<int>(span.x / cell_) + 2, to_whole<int>(span.y / cell_) + 2, to_whole<int>(span.z / cell_) + 2};
    values_.assign(
        static_cast<std::size_t>(size_[0]) * static_cast<std::size_t>(size_[1]) * static_cast<std::size_t>(size_[2]),
        kFar);
    for (const Part& part : parts) add(part, blend);
  }

  [[nodiscard]] const std::array<int, 3>& size() const { return size_; }
  [[nodiscard]] std::size_t index(int x, int y, int z) const {
    return (static_cast<std::size_t>(z) * static_cast<std::size_t>(size_[1]) + static_cast<std::size_t>(y)) *
               static_cast<std::size_t>(size_[0]) +
           static_cast<std::size_t>(x);
  }
  [[nodiscard]] float value(int x, int y, int z) const { return values_[index(x, y, z)]; }
  [[nodiscard]] Vec3 corner(int x, int y, int z) const {
    return origin_ + Vec3{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)} * cell_;
  }

 private:
  /// Blends a part into the corners near it; further out it changes nothing of the surface.
  void add(const Part& part, float blend) {
    const auto range = [&](float least, float most, float from, int count) {
      const int first = to_whole<int>(std::floor((least - from) / cell_));
      const int last = to_whole<int>(std::ceil((most - from) / cell_));
      return std::array<int, 2>{std::max(first, 0), std::min(last, count - 1)};
    };
    const auto xs = range(part.low.x, part.high.x, origin_.x, size_[0]);
    const auto ys = range(part.low.y, part.high.y, origin_.y, size_[1]);
    const auto zs = range(part.low.z, part.high.z, origin_.z, size_[2]);
    for (int z = zs[0]; z <= zs[1]; ++z) {
      for (int y = ys[0]; y <= ys[1]; ++y) {
        for (int x = xs[0]; x <= xs[1]; ++x) {
          float& value = values_[index(x, y, z)];
          value = soft_minimum(value, rod_distance(part.blobs, corner(x, y, z)), blend);
        }
      }
    }
  }

  float cell_;
  Vec3 origin_;
  std::array<int, 3> size_{};
  std::vector<float> values_;
};

/// Where the surface crosses the edges of a cell, averaged; nothing where it does not.
bool crossing(const Grid& grid, int x, int y, int z, Vec3& place) {
  std::array<float, 8> value{};
  int inside = 0;
  for (int c = 0; c < 8; ++c) {
    value[static_cast<std::size_t>(c)] = grid.value(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
    if (value[static_cast<std::size_t>(c)] < 0) ++inside;
  }
  if (inside == 0 || inside == 8) return false;
  Vec3 sum;
  int count = 0;
  for (int c = 0; c < 8; ++c) {
    for (const int bit : {1, 2, 4}) {
      if ((c & bit) != 0) continue;
      const int d = c | bit;
      const float from = value[static_cast<std::size_t>(c)], to = value[static_cast<std::size_t>(d)];
      if ((from < 0) == (to < 0)) continue;
      const Vec3 p = grid.corner(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
      const Vec3 q = grid.corner(x + (d & 1), y + (d >> 1 & 1), z + (d >> 2));
      sum += lerp(p, q, from / (from - to));
      ++count;
    }
  }
  place = sum / static_cast<float>(count);
  return true;
}

constexpr std::uint32_t kNoVertex = std::numeric_limits<std::uint32_t>::max();

/// Two triangles around the edge from a corner to the next along `axis`, if the surface crosses it.
void add_quad(const Grid& grid, const std::vector<std::uint32_t>& vertex, std::array<int, 3> at, int axis,
              std::vector<std::uint32_t>& triangles) {
  std::array<int, 3> next = at;
  ++next[static_cast<std::size_t>(axis)];
  const bool in = grid.value(at[0], at[1], at[2]) < 0, out = grid.value(next[0], next[1], next[2]) < 0;
  if (in == out) return;
  const auto u = static_cast<std::size_t>((axis + 1) % 3), v = static_cast<std::size_t>((axis + 2) % 3);
  if (at[u] == 0 || at[v] == 0) return;
  std::array<std::uint32_t, 4> ring{};
  constexpr int kAround[4][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}};
  for (std::size_t i = 0; i < 4; ++i) {
    std::array<int, 3> cell = at;
    cell[u] += kAround[i][0];
    cell[v] += kAround[i][1];
    ring[i] = vertex[grid.index(cell[0], cell[1], cell[2])];
    if (ring[i] == kNoVertex) return;
  }
  if (!in) std::swap(ring[1], ring[3]);
  triangles.insert(triangles.end(), {ring[0], ring[1], ring[2], ring[0], ring[2], ring[3]});
}

Vec3 gradient(const std::vector<Part>& parts, float blend, Vec3 p, float step) {
  const auto along = [&](Vec3 d) {
    return field_at(parts, blend, p + d * step) - field_at(parts, blend, p - d * step);
  };
  return normalized(Vec3{along({1, 0, 0}), along({0, 1, 0}), along({0, 0, 1})});
}

}  // namespace

float distance_to(const Blob& blob, Vec3 p) {
  const float t = nearest_on_axis(blob, p);
  const float widening = blob.widening_a + (blob.widening_b - blob.widening_a) * t;
  const float radius = blob.radius_a + (blob.radius_b - blob.radius_a) * t;
  Vec3 away = p - lerp(blob.a, blob.b, t);
  // In a space narrowed along `wide` the section is a circle. How far that is in metres, to first order, follows from
  // how fast the distance grows there (Taubin 1994).
  const float narrowing = 1 - 1 / widening;
  away -= blob.wide * (dot(away, blob.wide) * narrowing);
  const float narrowed = length(away);
  if (narrowed < 1e-6f) return -radius * std::min(widening, 1.0f);
  const Vec3 outward = away / narrowed;
  return (narrowed - radius) / length(outward - blob.wide * (dot(outward, blob.wide) * narrowing));
}

float distance_to(std::span<const Blob> blobs, float blend, Vec3 p) {
  return field_at(parts_of(blobs, kFar), blend, p);
}

Surface surface_of(std::span<const Blob> blobs, float blend, float cell) {
  Surface surface;
  if (blobs.empty()) return surface;
  const std::vector<Part> parts = parts_of(blobs, blend + 2 * cell);
  const Grid grid(parts, blend, cell);
  const int nx = grid.size()[0], ny = grid.size()[1], nz = grid.size()[2];
  std::vector<std::uint32_t> vertex(
      static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(nz), kNoVertex);
  const auto each = [&](auto visit) {
    for (int z = 0; z + 1 < nz; ++z) {
      for (int y = 0; y + 1 < ny; ++y) {
        for (int x = 0; x + 1 < nx; ++x) visit(x, y, z);
      }
    }
  };
  each([&](int x, int y, int z) {
    Vec3 place;
    if (!crossing(grid, x, y, z, place)) return;
    vertex[grid.index(x, y, z)] = static_cast<std::uint32_t>(surface.positions.size());
    surface.positions.push_back(place);
  });
  each([&](int x, int y, int z) {
    for (int axis = 0; axis < 3; ++axis) add_quad(grid, vertex, {x, y, z}, axis, surface.triangles);
  });
  surface.normals.reserve(surface.positions.size());
  for (Vec3& p : surface.positions) {
    const float step = cell * 0.6f;  // wide enough to take out the grain where two pieces of a rod meet
    for (int i = 0; i < 2; ++i) {
      p -= gradient(parts, blend, p, step) * std::clamp(field_at(parts, blend, p), -cell, cell);
    }
    surface.normals.push_back(gradient(parts, blend, p, step));
  }
  return surface;
}

}  // namespace loom::motion
