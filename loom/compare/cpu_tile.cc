// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/compare/cpu_tile.h>

namespace loom::compare::cpu {
namespace {

/// Half the spacing of floats at one: the largest relative error of a rounding.
constexpr double kRounding = 0x1.0p-24;

std::size_t round_up(std::size_t n, std::size_t step) { return (n + step - 1) / step * step; }

/// The frames [first, first + count) of a table, some of which may lie before its begin or past its end.
struct FrameRange {
  std::ptrdiff_t first = 0;
  std::size_t count = 0;
};

/// Calls `body(local, frame)` for each frame of `range` that is there.
template <typename Body>
void for_frames(const FrameRange& range, std::size_t frames, const Body& body) {
  const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(range.first, 0);
  const std::ptrdiff_t end = std::min<std::ptrdiff_t>(range.first + static_cast<std::ptrdiff_t>(range.count),
                                                      static_cast<std::ptrdiff_t>(frames));
  for (std::ptrdiff_t f = begin; f < end; ++f) {
    body(static_cast<std::size_t>(f - range.first), static_cast<std::size_t>(f));
  }
}

/// For each frame of a range the point on the floor its coordinates are taken from. Frames of one clip share it, so
/// that windows may be summed, and it lies in their middle, so that what is left is small.
struct Origins {
  std::vector<float> x, z;
};

void find_origins(const CloudTable& table, const FrameRange& range, Origins& origins) {
  origins.x.assign(range.count, 0.0f);
  origins.z.assign(range.count, 0.0f);
  const std::ptrdiff_t last = range.first + static_cast<std::ptrdiff_t>(range.count);
  auto next = std::upper_bound(table.starts.begin(), table.starts.end(),
                               static_cast<std::size_t>(std::max<std::ptrdiff_t>(range.first, 0)));
  std::ptrdiff_t begin = std::max<std::ptrdiff_t>(range.first, 0);
  for (; next != table.starts.end() && begin < last; ++next) {
    const std::ptrdiff_t end = std::min(static_cast<std::ptrdiff_t>(*next), last);
    const Vec3 middle = table.centroid[static_cast<std::size_t>((begin + end) / 2)];
    std::fill(origins.x.begin() + (begin - range.first), origins.x.begin() + (end - range.first), middle.x);
    std::fill(origins.z.begin() + (begin - range.first), origins.z.begin() + (end - range.first), middle.z);
    begin = end;
  }
}

/// The largest root mean squares of the packed coordinates of a range of frames, on the floor and upwards, and the
/// largest energy: what rounding errors grow with.
struct Size {
  double floor = 0, energy = 0;
};

Size measure(const CloudTable& table, const FrameRange& range, const Origins& origins) {
  double floor = 0, energy = 0;
  for_frames(range, table.frames, [&](std::size_t local, std::size_t f) {
    const double dx = table.centroid[f].x - origins.x[local], dz = table.centroid[f].z - origins.z[local];
    floor = std::max(floor, dx * dx + dz * dz + table.spread[f]);
    if (std::isfinite(table.energy[f])) energy = std::max(energy, table.energy[f]);
  });
  return {std::sqrt(floor), energy};
}

/// A bound on the rounding errors of a distance. Sums of n products a b rounded in any order are wrong by at most
/// (n + 1) roundings of the sum of |a b|, which Cauchy and Schwarz bound by the product of the sizes; C and S enter
/// doubled and together (2 sqrt 2), H doubled and bounded by the energies, and a few roundings more are for packing
/// and closing.
double cloud_margin(const CloudTable& table, const Size& left, const Size& right) {
  const auto sums = static_cast<double>(2 * table.points + table.taps.size() + 12);
  const double floor = 2.83 * sums * left.floor * right.floor;
  const double upward = (2 * sums + 8) * std::max(left.energy, right.energy);
  return kRounding * (floor + upward);
}

void pack_left(const CloudTable& table, const FrameRange& range, const Origins& origins, CloudPanel& panel) {
  float* const out = panel.left.data();
  std::fill(out, out + panel.rows * panel.points * 3, 0.0f);
  for_frames(range, table.frames, [&](std::size_t r, std::size_t f) {
    const Vec3* points = table.by_frame.data() + f * table.points;
    float* row = out + (r / kBlockRows * panel.points * kBlockRows + r % kBlockRows) * 3;
    for (std::size_t k = 0; k < panel.points; ++k, row += 3 * kBlockRows) {
      const auto twice = static_cast<float>(2 * table.weights[k]);
      row[0] = twice * (points[k].x - origins.x[r]);
      row[1] = -twice * points[k].y;
      row[2] = twice * (points[k].z - origins.z[r]);
    }
  });
}

void pack_right(const CloudTable& table, const FrameRange& range, const Origins& origins, CloudPanel& panel) {
  const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(range.first, 0);
  const std::ptrdiff_t end =
      std::min(range.first + static_cast<std::ptrdiff_t>(range.count), static_cast<std::ptrdiff_t>(table.frames));
  const auto skip = static_cast<std::size_t>(begin - range.first);
  const auto count = static_cast<std::size_t>(std::max<std::ptrdiff_t>(end - begin, 0));
  if (count < range.count) std::fill_n(panel.right.data(), 3 * panel.points * panel.columns, 0.0f);
  for (std::size_t k = 0; k < panel.points; ++k) {
    const float* x = table.by_coordinate.data() + 3 * k * table.frames + begin;
    const float* y = x + table.frames;
    const float* z = y + table.frames;
    float* out = panel.right.data() + 3 * k * panel.columns + skip;
    for (std::size_t n = 0; n < count; ++n) out[n] = x[n] - origins.x[skip + n];
    std::copy_n(y, count, out + panel.columns);
    for (std::size_t n = 0; n < count; ++n) out[2 * panel.columns + n] = z[n] - origins.z[skip + n];
  }
}

/// Energies and window means of `range`, the means about the origins and times `factor`. Frames that are not there
/// have infinite energy.
void pack_windows(const CloudTable& table, const FrameRange& range, const Origins& origins, double factor,
                  float* energy, float* mean_x, float* mean_z) {
  std::fill_n(energy, range.count, kInfinity);
  std::fill_n(mean_x, range.count, 0.0f);
  std::fill_n(mean_z, range.count, 0.0f);
  for_frames(range, table.frames, [&](std::size_t local, std::size_t f) {
    if (!std::isfinite(table.energy[f])) return;
    energy[local] = static_cast<float>(table.energy[f]);
    mean_x[local] = static_cast<float>(factor * (table.mean_x[f] - origins.x[local]));
    mean_z[local] = static_cast<float>(factor * (table.mean_z[f] - origins.z[local]));
  });
}

}  // namespace

void AlignedFloats::reserve(std::size_t count) {
  if (count <= size_) return;
  floats_.reset(new (std::align_val_t{64}) float[count]());
  size_ = count;
}

Tile::Tile() {
  distances_.reserve((kTileRows + 2) * kLaneStride);
  std::fill_n(distances_.data(), (kTileRows + 2) * kLaneStride, kInfinity);
}

void Tile::close() {
  for (std::size_t r = 0; r < kTileRows; ++r) {
    float* lanes = at(static_cast<std::ptrdiff_t>(r));
    if (r < rows) {
      std::fill(lanes + kBandWidth, lanes + kBandLanes, kInfinity);
    } else {
      std::fill(lanes, lanes + kBandLanes, kInfinity);
    }
  }
}

void pack_cloud(const CloudTable& table, Tile& tile, CloudPanel& panel) {
  const std::size_t half = table.half_window;
  panel.points = table.points;
  panel.half_window = half;
  panel.rows = round_up(kTileRows + 2 * half, kBlockRows);
  panel.columns = panel.rows + kBandLanes;
  panel.taps.clear();
  for (std::size_t t = 0; t <= half; ++t) panel.taps.push_back(static_cast<float>(table.taps[half + t]));
  panel.left.reserve(panel.rows * panel.points * 3);
  panel.right.reserve(3 * panel.points * panel.columns);
  for (AlignedFloats* floats : {&panel.row_energy, &panel.row_mean_x, &panel.row_mean_z, &panel.column_energy,
                                &panel.column_mean_x, &panel.column_mean_z}) {
    floats->reserve(panel.columns);
  }
  panel.planes.reserve(panel.rows * 3 * kLaneStride);

  const auto first = static_cast<std::ptrdiff_t>(tile.row) - static_cast<std::ptrdiff_t>(half);
  const FrameRange rows{first, panel.rows};
  const FrameRange columns{first + static_cast<std::ptrdiff_t>(tile.diagonal), panel.columns};
  thread_local Origins row_origins, column_origins;
  find_origins(table, rows, row_origins);
  find_origins(table, columns, column_origins);
  pack_left(table, rows, row_origins, panel);
  pack_right(table, columns, column_origins, panel);
  pack_windows(table, rows, row_origins, 2, panel.row_energy.data(), panel.row_mean_x.data(), panel.row_mean_z.data());
  pack_windows(table, columns, column_origins, 1, panel.column_energy.data(), panel.column_mean_x.data(),
               panel.column_mean_z.data());
  tile.absolute_margin =
      cloud_margin(table, measure(table, rows, row_origins), measure(table, columns, column_origins));
  tile.relative_margin = 4 * kRounding;
}

void pack_angles(const AngleTable& table, Tile& tile, AnglePanel& panel) {
  panel.joints = table.joints;
  panel.columns = round_up(kTileRows + 1, kBlockRows) + kBandLanes;
  panel.weights = table.weights;
  panel.velocity_weight = table.velocity_weight;
  const std::size_t width = 4 * table.joints + 3;
  panel.left.reserve((kTileRows + 1) * width);
  panel.right.reserve(width * panel.columns);
  panel.row_open.reserve(kTileRows + 1);
  panel.column_open.reserve(panel.columns);
  panel.plane.reserve((kTileRows + 1) * kLaneStride);
  std::fill_n(panel.left.data(), (kTileRows + 1) * width, 0.0f);
  std::fill_n(panel.right.data(), width * panel.columns, 0.0f);
  std::fill_n(panel.row_open.data(), kTileRows + 1, kInfinity);
  std::fill_n(panel.column_open.data(), panel.columns, kInfinity);

  for_frames({static_cast<std::ptrdiff_t>(tile.row), kTileRows + 1}, table.frames, [&](std::size_t r, std::size_t f) {
    float* out = panel.left.data() + r * width;
    for (std::size_t k = 0; k < table.joints; ++k) {
      const Quat q = table.by_frame[f * table.joints + k];
      for (const float component : {q.w, q.x, q.y, q.z}) *out++ = component;
    }
    for (const float component : {table.velocity[f].x, table.velocity[f].y, table.velocity[f].z}) *out++ = component;
    if (table.open[f]) panel.row_open.data()[r] = 0;
  });
  const FrameRange columns{static_cast<std::ptrdiff_t>(tile.row + tile.diagonal), panel.columns};
  for_frames(columns, table.frames, [&](std::size_t c, std::size_t f) {
    float* out = panel.right.data() + 4 * table.joints * panel.columns + c;
    out[0 * panel.columns] = table.velocity[f].x;
    out[1 * panel.columns] = table.velocity[f].y;
    out[2 * panel.columns] = table.velocity[f].z;
    if (table.open[f]) panel.column_open.data()[c] = 0;
  });
  const std::size_t count = std::min(panel.columns, table.frames - std::min(table.frames, tile.row + tile.diagonal));
  for (std::size_t n = 0; n < 4 * table.joints; ++n) {
    const float* from = table.by_component.data() + n * table.frames + tile.row + tile.diagonal;
    std::copy_n(from, count, panel.right.data() + n * panel.columns);
  }
  // Every step of the kernel is right to a few roundings, relative to its result, and so is a sum of positive terms.
  tile.absolute_margin = 0;
  tile.relative_margin = kRounding * static_cast<double>(table.joints + 32);
}

}  // namespace loom::compare::cpu
