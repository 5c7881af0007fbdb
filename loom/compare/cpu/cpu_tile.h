// SPDX-License-Identifier: MIT
#pragma once

// How the processor computes all pairs: shared by the kernels and not part of the library's surface.
//
// The limit first. A Zen 4 core issues one 512-bit fused multiply-add a cycle (16 lanes), one 512-bit load, and, on
// other ports, one 512-bit add. With K weighted joints and a window of 2L + 1 frames, the plain way to one distance
// is 5 K (2L + 1) multiply-adds (x·x' + z·z', x·z' - z·x', y·y'): 440 for K = 8, L = 5. But weights are separable, so
// the sums over the window are sums along a diagonal of single-frame products:
//
//     products  5 K multiply-adds a pair                                 40 cycles for 16 pairs
//     window    3 planes × (L + 1) multiply-adds (+ 3 L adds beside)     18
//     closing   about 8 and one square root                              15 to 20
//
// so some 75 to 80 cycles for 16 pairs: 3.8 billion pairs (87,151 frames) in 2.6 s on two cores at 3.5 GHz, about the
// price of a plain dot product of 8 × 11 = 88 numbers, one coordinate of the cloud. Nothing of size N² is ever stored,
// so memory bandwidth does not enter: a tile's products live in the second-level cache.
// Measured: 95 to 110 cycles, the rest being the 2L rows a tile computes beyond its own, packing and scanning.
//
// The shape. A tile is kTileRows frames i by kBandWidth differences d = j - i, stored by (i, d). In that skewed form
// the window is a filter down the columns: aligned loads, no overlap between tiles side by side. The products are
// computed unskewed, four rows against two vectors of columns, so that every load feeds several multiply-adds, and
// each row is stored shifted by its place in the block; hence kBandWidth is kBandLanes less three.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include <loom/compare/back_end.h>
#include <loom/compare/joint_angles.h>
#include <loom/compare/point_cloud.h>

namespace loom::compare::cpu {

inline constexpr std::size_t kBlockRows = 4;    ///< rows multiplied together
inline constexpr std::size_t kTileRows = 96;    ///< a multiple of kBlockRows
inline constexpr std::size_t kBandLanes = 256;  ///< a multiple of twice the widest vector
inline constexpr std::size_t kBandWidth = kBandLanes - (kBlockRows - 1);
inline constexpr std::size_t kLanePad = 16;  ///< floats either side, so that neighbours of the edge can be read
inline constexpr std::size_t kLaneStride = kLanePad + kBandLanes + kLanePad;
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Floats that start on a cache line.
class AlignedFloats {
 public:
  /// Makes room for at least `count`; what was there is lost when it must grow, and new room is zero.
  void reserve(std::size_t count);
  [[nodiscard]] float* data() { return floats_.get(); }
  [[nodiscard]] const float* data() const { return floats_.get(); }

 private:
  struct Free {
    void operator()(float* floats) const { ::operator delete[](floats, std::align_val_t{64}); }
  };
  std::unique_ptr<float[], Free> floats_;
  std::size_t size_ = 0;
};

/// Distances of (row + r, row + r + diagonal + d) for r < rows, d < kBandWidth. Everything around them, and every pair
/// that is not comparable, is infinite.
class Tile {
 public:
  Tile();

  std::size_t row = 0, rows = 0, diagonal = 0;
  /// How far a distance near t may be from the exact one: absolute + relative × t.
  double absolute_margin = 0, relative_margin = 0;

  /// The distances of row `r`, from -1 (all infinite) to `rows` (likewise).
  [[nodiscard]] float* at(std::ptrdiff_t r) {
    return distances_.data() + static_cast<std::size_t>(r + 1) * kLaneStride + kLanePad;
  }
  [[nodiscard]] const float* at(std::ptrdiff_t r) const {
    return distances_.data() + static_cast<std::size_t>(r + 1) * kLaneStride + kLanePad;
  }
  /// Called once a kernel has filled rows 0 to `rows` - 1: makes infinite what lies beyond the band and the tile.
  void close();

 private:
  AlignedFloats distances_;
};

/// One tile's input for the point-cloud kernel: frames packed about a common origin a clip, so that products stay
/// small. Local row r is frame row - L + r; local column c is frame row - L + diagonal + c.
struct CloudPanel {
  std::size_t points = 0, half_window = 0;
  std::size_t rows = 0;     ///< input rows: the tile's and 2L more, rounded up to blocks
  std::size_t columns = 0;  ///< stride of `right`
  std::vector<float> taps;  ///< half of the symmetric window: taps[0] the centre's, then outwards to L
  AlignedFloats left;       ///< [block][point][row of block][2 w x, -2 w y, 2 w z]
  AlignedFloats right;      ///< [point][x, y, z][column]
  AlignedFloats row_energy, row_mean_x, row_mean_z;           ///< local rows; means doubled
  AlignedFloats column_energy, column_mean_x, column_mean_z;  ///< columns
  AlignedFloats planes;  ///< [row][C, S, H][kLaneStride], written and read by the kernel
};

/// out[n] = in[n] - shift, for n < count.
void subtract(const float* in, std::size_t count, float shift, float* out);

/// Packs the frames of `tile` and sets its margins.
void pack_cloud(const CloudTable& table, Tile& tile, CloudPanel& panel);
/// Fills `tile` from what was packed.
void fill_cloud_tile(CloudPanel& panel, Tile& tile);

/// The same for joint angles. Local row r is frame row + r; local column c is frame row + diagonal + c.
struct AnglePanel {
  std::size_t joints = 0, columns = 0;
  std::vector<float> weights;
  float velocity_weight = 0;
  AlignedFloats left;                   ///< [row][joint][w, x, y, z], then the velocity [x, y, z]
  AlignedFloats right;                  ///< [joint][w, x, y, z][column], then the velocity [x, y, z][column]
  float joint_velocity_weight = 0;      ///< 0: there are no spins
  AlignedFloats left_spins;             ///< [row][joint][x, y, z]
  AlignedFloats right_spins;            ///< [joint][x, y, z][column]
  AlignedFloats row_open, column_open;  ///< 0 where the frame is comparable, infinite elsewhere
  AlignedFloats plane;                  ///< [row][kLaneStride]: d of eq. 3.1
};

void pack_angles(const AngleTable& table, Tile& tile, AnglePanel& panel);
void fill_angle_tile(AnglePanel& panel, Tile& tile);

/// Appends the pairs of `tile` at or under `limit`, by row, then column.
void scan_under(const Tile& tile, float limit, std::vector<Candidate>& found);
/// Of those, the pairs no neighbour within the tile undercuts by more than `slack`.
void scan_minima(const Tile& tile, float limit, float slack, std::vector<Candidate>& found);

/// The candidates of one piece of a table of clouds: what `BackEnd::find_candidates` does, for a table that need not
/// belong to a metric.
void find_cloud_candidates(const CloudTable& table, const Piece& piece, const CandidateQuery& query,
                           std::vector<Candidate>& found);

/// The widest vector instructions in use: "AVX3", "AVX2", "SSE4" and so on.
const char* vector_target();

}  // namespace loom::compare::cpu
