// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/compare/cpu/cpu_tile.h>

namespace loom::compare::cpu {
namespace {

/// Half the spacing of floats at one: the largest relative error of a rounding.
constexpr double kRounding = 0x1.0p-24;

std::size_t round_up(std::size_t n, std::size_t step) { return (n + step - 1) / step * step; }

/// `count` frames of a table from `first` on, some of which may lie before its begin or past its end.
struct FrameRange {
  std::ptrdiff_t first = 0;
  std::size_t count = 0;
};

/// Frames of one clip in a range, and the point on the floor their coordinates are taken from. Frames of a clip share
/// it, so that windows may be summed, and it lies in their middle, so that what is left is small.
struct Stretch {
  std::size_t local = 0;  ///< place of its first frame in the range
  std::size_t frame = 0;  ///< that frame in the table
  std::size_t count = 0;
  float x = 0, z = 0;
};

std::vector<Stretch> stretches_of(const CloudTable& table, const FrameRange& range) {
  std::vector<Stretch> stretches;
  const std::ptrdiff_t last = range.first + static_cast<std::ptrdiff_t>(range.count);
  std::ptrdiff_t begin = std::max<std::ptrdiff_t>(range.first, 0);
  auto next = std::upper_bound(table.starts.begin(), table.starts.end(), static_cast<std::size_t>(begin));
  for (; next != table.starts.end() && begin < last; ++next) {
    const std::ptrdiff_t end = std::min(static_cast<std::ptrdiff_t>(*next), last);
    const auto middle = static_cast<std::size_t>((begin + end) / 2);
    stretches.push_back({static_cast<std::size_t>(begin - range.first), static_cast<std::size_t>(begin),
                         static_cast<std::size_t>(end - begin), table.centroid_x[middle], table.centroid_z[middle]});
    begin = end;
  }
  return stretches;
}

/// The largest root mean square of packed floor coordinates: what rounding errors grow with.
double floor_size(const CloudTable& table, const std::vector<Stretch>& stretches) {
  float largest = 0;
  for (const Stretch& stretch : stretches) {
    for (std::size_t f = stretch.frame; f < stretch.frame + stretch.count; ++f) {
      const float dx = table.centroid_x[f] - stretch.x, dz = table.centroid_z[f] - stretch.z;
      largest = std::max(largest, dx * dx + dz * dz + table.spread[f]);
    }
  }
  return std::sqrt(largest);
}

/// A bound on the rounding errors of a distance. Sums of n products a b rounded in any order are wrong by at most
/// (n + 1) roundings of the sum of |a b|, which Cauchy and Schwarz bound by the product of the sizes; C and S enter
/// doubled and together (2 sqrt 2), H doubled and bounded by the energies, and a dozen roundings more are for packing
/// and closing.
double cloud_margin(const CloudTable& table, double left, double right) {
  const auto sums = static_cast<double>(2 * table.points + table.taps.size() + 12);
  return kRounding * (2.83 * sums * left * right + (2 * sums + 8) * table.largest_energy);
}

void pack_left(const CloudTable& table, const std::vector<Stretch>& stretches, CloudPanel& panel) {
  float* const out = panel.left.data();
  std::fill(out, out + panel.rows * panel.points * 3, 0.0f);
  for (const Stretch& stretch : stretches) {
    const Vec3* points = table.by_frame.data() + stretch.frame * table.points;
    for (std::size_t r = stretch.local; r < stretch.local + stretch.count; ++r, points += table.points) {
      float* row = out + (r / kBlockRows * panel.points * kBlockRows + r % kBlockRows) * 3;
      for (std::size_t k = 0; k < panel.points; ++k, row += 3 * kBlockRows) {
        const auto twice = static_cast<float>(2 * table.weights[k]);
        row[0] = twice * (points[k].x - stretch.x);
        row[1] = -twice * points[k].y;
        row[2] = twice * (points[k].z - stretch.z);
      }
    }
  }
}

void pack_right(const CloudTable& table, const std::vector<Stretch>& stretches, CloudPanel& panel) {
  std::size_t packed = 0;
  for (const Stretch& stretch : stretches) packed += stretch.count;
  if (packed < panel.columns) std::fill_n(panel.right.data(), 3 * panel.points * panel.columns, 0.0f);
  for (std::size_t k = 0; k < panel.points; ++k) {
    for (const Stretch& stretch : stretches) {
      const float* in = table.by_coordinate.data() + 3 * k * table.frames + stretch.frame;
      float* out = panel.right.data() + 3 * k * panel.columns + stretch.local;
      subtract(in, stretch.count, stretch.x, out);
      std::copy_n(in + table.frames, stretch.count, out + panel.columns);
      subtract(in + 2 * table.frames, stretch.count, stretch.z, out + 2 * panel.columns);
    }
  }
}

/// Energies and window means, the means about the stretch's origin and times `factor`. Frames that are not there have
/// infinite energy.
void pack_windows(const CloudTable& table, const std::vector<Stretch>& stretches, std::size_t count, double factor,
                  float* energy, float* mean_x, float* mean_z) {
  std::fill_n(energy, count, kInfinity);
  std::fill_n(mean_x, count, 0.0f);
  std::fill_n(mean_z, count, 0.0f);
  for (const Stretch& stretch : stretches) {
    for (std::size_t n = 0; n < stretch.count; ++n) {
      const std::size_t local = stretch.local + n, f = stretch.frame + n;
      energy[local] = static_cast<float>(table.energy[f]);
      mean_x[local] = static_cast<float>(factor * (table.mean_x[f] - stretch.x));
      mean_z[local] = static_cast<float>(factor * (table.mean_z[f] - stretch.z));
    }
  }
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
  const auto left = stretches_of(table, rows), right = stretches_of(table, columns);
  pack_left(table, left, panel);
  pack_right(table, right, panel);
  pack_windows(table, left, rows.count, 2, panel.row_energy.data(), panel.row_mean_x.data(), panel.row_mean_z.data());
  pack_windows(table, right, columns.count, 1, panel.column_energy.data(), panel.column_mean_x.data(),
               panel.column_mean_z.data());
  tile.absolute_margin = cloud_margin(table, floor_size(table, left), floor_size(table, right));
  tile.relative_margin = 4 * kRounding;
}

/// How fast joints turn, laid out as their rotations are.
static void pack_spins(const AngleTable& table, const Tile& tile, AnglePanel& panel) {
  const std::size_t width = 3 * table.joints;
  panel.left_spins.reserve((kTileRows + 1) * width);
  panel.right_spins.reserve(width * panel.columns);
  std::fill_n(panel.left_spins.data(), (kTileRows + 1) * width, 0.0f);
  std::fill_n(panel.right_spins.data(), width * panel.columns, 0.0f);
  for (std::size_t r = 0; r <= kTileRows && tile.row + r < table.frames; ++r) {
    float* out = panel.left_spins.data() + r * width;
    for (std::size_t k = 0; k < table.joints; ++k) {
      const Vec3 spin = table.spins_by_frame[(tile.row + r) * table.joints + k];
      for (const float component : {spin.x, spin.y, spin.z}) *out++ = component;
    }
  }
  const std::size_t first = tile.row + tile.diagonal;
  const std::size_t count = first < table.frames ? std::min(panel.columns, table.frames - first) : 0;
  for (std::size_t n = 0; n < width; ++n) {
    std::copy_n(table.spins_by_component.data() + n * table.frames + first, count,
                panel.right_spins.data() + n * panel.columns);
  }
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

  for (std::size_t r = 0; r <= kTileRows && tile.row + r < table.frames; ++r) {
    const std::size_t f = tile.row + r;
    float* out = panel.left.data() + r * width;
    for (std::size_t k = 0; k < table.joints; ++k) {
      const Quat q = table.by_frame[f * table.joints + k];
      for (const float component : {q.w, q.x, q.y, q.z}) *out++ = component;
    }
    for (const float component : {table.velocity[f].x, table.velocity[f].y, table.velocity[f].z}) *out++ = component;
    if (table.open[f]) panel.row_open.data()[r] = 0;
  }
  const std::size_t first = tile.row + tile.diagonal;
  const std::size_t count = first < table.frames ? std::min(panel.columns, table.frames - first) : 0;
  for (std::size_t n = 0; n < 4 * table.joints; ++n) {
    std::copy_n(table.by_component.data() + n * table.frames + first, count, panel.right.data() + n * panel.columns);
  }
  for (std::size_t c = 0; c < count; ++c) {
    float* out = panel.right.data() + 4 * table.joints * panel.columns + c;
    out[0 * panel.columns] = table.velocity[first + c].x;
    out[1 * panel.columns] = table.velocity[first + c].y;
    out[2 * panel.columns] = table.velocity[first + c].z;
    if (table.open[first + c]) panel.column_open.data()[c] = 0;
  }
  panel.joint_velocity_weight = table.joint_velocity_weight;
  if (panel.joint_velocity_weight > 0) pack_spins(table, tile, panel);
  // Every step of the kernel is right to a few roundings, relative to its result, and so is a sum of positive terms.
  tile.absolute_margin = 0;
  const std::size_t terms = (panel.joint_velocity_weight > 0 ? 2 : 1) * table.joints;
  tile.relative_margin = kRounding * static_cast<double>(terms + 32);
}

}  // namespace loom::compare::cpu
