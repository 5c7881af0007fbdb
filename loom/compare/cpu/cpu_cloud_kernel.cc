// SPDX-License-Identifier: MIT
// The point-cloud distance of a tile of pairs, compiled once for each kind of vector unit (see cpu_tile.h).
#include <loom/compare/cpu/cpu_tile.h>

// Vectors are kept in arrays here, which units of unknown width do not allow.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loom/compare/cpu/cpu_cloud_kernel.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace loom::compare::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Lanes>;

constexpr std::size_t kPlaneStep = kLaneStride;
constexpr std::size_t kRowStep = 3 * kPlaneStep;

// Accumulators are 3 × kBlockRows × kVectors registers: 24 of 32 where there are so many, 12 of 16 elsewhere.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr std::size_t kVectors = 2;
#else
constexpr std::size_t kVectors = 1;
#endif

/// Single-frame products of one block of rows with kVectors vectors of columns, stored skewed: column c of row r goes
/// to lane c - r.
HWY_INLINE void multiply_block(const CloudPanel& panel, const float* HWY_RESTRICT left, const float* HWY_RESTRICT right,
                               float* HWY_RESTRICT out) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  Vector c[kBlockRows][kVectors], s[kBlockRows][kVectors], h[kBlockRows][kVectors];
  for (std::size_t r = 0; r < kBlockRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) c[r][v] = s[r][v] = h[r][v] = hn::Zero(d);
  }
  for (std::size_t k = 0; k < panel.points; ++k) {
    Vector x[kVectors], y[kVectors], z[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      x[v] = hn::LoadU(d, right + v * lanes);
      y[v] = hn::LoadU(d, right + panel.columns + v * lanes);
      z[v] = hn::LoadU(d, right + 2 * panel.columns + v * lanes);
    }
    right += 3 * panel.columns;
    for (std::size_t r = 0; r < kBlockRows; ++r, left += 3) {
      const Vector ax = hn::Set(d, left[0]), ay = hn::Set(d, left[1]), az = hn::Set(d, left[2]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        c[r][v] = hn::MulAdd(ax, x[v], c[r][v]);
        s[r][v] = hn::MulAdd(ax, z[v], s[r][v]);
        h[r][v] = hn::MulAdd(ay, y[v], h[r][v]);
        c[r][v] = hn::MulAdd(az, z[v], c[r][v]);
        s[r][v] = hn::NegMulAdd(az, x[v], s[r][v]);
      }
    }
  }
  for (std::size_t r = 0; r < kBlockRows; ++r, out += kRowStep - 1) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(c[r][v], d, out + v * lanes);
      hn::StoreU(s[r][v], d, out + kPlaneStep + v * lanes);
      hn::StoreU(h[r][v], d, out + 2 * kPlaneStep + v * lanes);
    }
  }
}

void multiply(CloudPanel& panel) {
  const std::size_t step = kVectors * hn::Lanes(Lanes());
  const float* left = panel.left.data();
  for (std::size_t r = 0; r < panel.rows; r += kBlockRows, left += 3 * kBlockRows * panel.points) {
    float* out = panel.planes.data() + r * kRowStep + kLanePad;
    for (std::size_t lane = 0; lane < kBandLanes; lane += step) {
      multiply_block(panel, left, panel.right.data() + r + lane, out + lane);
    }
  }
}

/// The windowed sums of kBlockRows rows below each other, in one plane: a symmetric filter down the column.
/// With the window's length known when compiled, each product is loaded once for all four sums.
template <std::size_t kHalf>
HWY_INLINE void filter_column(const CloudPanel&, const Vector (&taps)[kHalf + 1], const float* HWY_RESTRICT in,
                              Vector (&sums)[kBlockRows]) {
  const Lanes d;
  Vector rows[kBlockRows + 2 * kHalf];
  for (std::size_t r = 0; r < kBlockRows + 2 * kHalf; ++r) rows[r] = hn::Load(d, in + r * kRowStep);
  for (std::size_t q = 0; q < kBlockRows; ++q) {
    sums[q] = hn::Mul(taps[0], rows[q + kHalf]);
    for (std::size_t t = 1; t <= kHalf; ++t) {
      sums[q] = hn::MulAdd(taps[t], hn::Add(rows[q + kHalf - t], rows[q + kHalf + t]), sums[q]);
    }
  }
}

/// The same for any window.
HWY_INLINE void filter_column(const CloudPanel& panel, const float* HWY_RESTRICT in, Vector (&sums)[kBlockRows]) {
  const Lanes d;
  const std::size_t half = panel.half_window;
  for (std::size_t q = 0; q < kBlockRows; ++q) {
    const float* centre = in + (q + half) * kRowStep;
    sums[q] = hn::Mul(hn::Set(d, panel.taps[0]), hn::Load(d, centre));
    for (std::size_t t = 1; t <= half; ++t) {
      const Vector pair = hn::Add(hn::Load(d, centre - t * kRowStep), hn::Load(d, centre + t * kRowStep));
      sums[q] = hn::MulAdd(hn::Set(d, panel.taps[t]), pair, sums[q]);
    }
  }
}

/// E_i + E_j - 2 H - 2 sqrt(C² + S²), the windows' means taken out of C and S. The factors of two are in the panel.
HWY_INLINE Vector close_form(const CloudPanel& panel, std::size_t row, std::size_t lane, Vector c, Vector s, Vector h) {
  const Lanes d;
  const std::size_t column = row + panel.half_window + lane;
  const Vector x = hn::LoadU(d, panel.column_mean_x.data() + column);
  const Vector z = hn::LoadU(d, panel.column_mean_z.data() + column);
  const Vector ax = hn::Set(d, panel.row_mean_x.data()[row + panel.half_window]);
  const Vector az = hn::Set(d, panel.row_mean_z.data()[row + panel.half_window]);
  c = hn::NegMulAdd(az, z, hn::NegMulAdd(ax, x, c));
  s = hn::MulAdd(az, x, hn::NegMulAdd(ax, z, s));
  const Vector fit = hn::Sqrt(hn::MulAdd(c, c, hn::Mul(s, s)));
  const Vector energy = hn::Add(hn::Set(d, panel.row_energy.data()[row + panel.half_window]),
                                hn::LoadU(d, panel.column_energy.data() + column));
  return hn::Sub(hn::Add(energy, h), fit);
}

/// Windows and closed form of the whole tile; `filter(in, sums)` is one of the filters above.
template <typename Filter>
HWY_INLINE void close_tile(const CloudPanel& panel, Tile& tile, const Filter& filter) {
  const Lanes d;
  for (std::size_t lane = 0; lane < kBandLanes; lane += hn::Lanes(d)) {
    for (std::size_t row = 0; row < kTileRows; row += kBlockRows) {
      const float* in = panel.planes.data() + row * kRowStep + kLanePad + lane;
      Vector c[kBlockRows], s[kBlockRows], h[kBlockRows];
      filter(in, c);
      filter(in + kPlaneStep, s);
      filter(in + 2 * kPlaneStep, h);
      for (std::size_t q = 0; q < kBlockRows; ++q) {
        hn::Store(close_form(panel, row + q, lane, c[q], s[q], h[q]), d,
                  tile.at(static_cast<std::ptrdiff_t>(row + q)) + lane);
      }
    }
  }
}

template <std::size_t kHalf>
void close_tile_of(const CloudPanel& panel, Tile& tile) {
  Vector taps[kHalf + 1];
  for (std::size_t t = 0; t <= kHalf; ++t) taps[t] = hn::Set(Lanes(), panel.taps[t]);
  close_tile(panel, tile,
             [&](const float* in, Vector(&sums)[kBlockRows]) HWY_ATTR { filter_column<kHalf>(panel, taps, in, sums); });
}

void fill_cloud_tile(CloudPanel& panel, Tile& tile) {
  multiply(panel);
  switch (panel.half_window) {
    case 0:
      close_tile_of<0>(panel, tile);
      break;
    case 5:  // the window of Zhao 2009 and of this library's default
      close_tile_of<5>(panel, tile);
      break;
    default:
      close_tile(panel, tile,
                 [&](const float* in, Vector(&sums)[kBlockRows]) HWY_ATTR { filter_column(panel, in, sums); });
  }
  tile.close();
}

void subtract(const float* HWY_RESTRICT in, std::size_t count, float shift, float* HWY_RESTRICT out) {
  const Lanes d;
  const std::size_t step = hn::Lanes(d);
  std::size_t n = 0;
  for (; n + step <= count; n += step) hn::StoreU(hn::Sub(hn::LoadU(d, in + n), hn::Set(d, shift)), d, out + n);
  for (; n < count; ++n) out[n] = in[n] - shift;
}

const char* target_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace loom::compare::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace loom::compare::cpu {

HWY_EXPORT(fill_cloud_tile);
HWY_EXPORT(subtract);
HWY_EXPORT(target_name);

void fill_cloud_tile(CloudPanel& panel, Tile& tile) { HWY_DYNAMIC_DISPATCH(fill_cloud_tile)(panel, tile); }

void subtract(const float* in, std::size_t count, float shift, float* out) {
  HWY_DYNAMIC_DISPATCH(subtract)(in, count, shift, out);
}

const char* vector_target() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

}  // namespace loom::compare::cpu
#endif
