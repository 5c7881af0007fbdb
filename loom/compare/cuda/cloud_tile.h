// SPDX-License-Identifier: MIT
#pragma once

// The point-cloud distance of all pairs on a card: what cpu_tile.h is for the processor, and read after it.
//
// The limit first, for an H200 (132 multiprocessors, each 128 single-precision lanes and 128 bytes of shared memory a
// cycle, about 1.7 GHz, 4.8 TB/s). With K = 8 points and L = 5 a pair costs
//
//     products   5 K multiply-adds                          40 instructions
//     window     3 planes × (L adds + L + 1 multiply-adds)  33
//     closing    and looking for minima                     about 20
//
// 93 instructions: 29 trillion lanes a second make 3 × 10¹¹ pairs a second, 12 ms for 87,151 frames and 1.6 s for a
// million. Operands come from shared memory, 3 K words a pair and as many, four at a time, that all lanes share: 32
// cycles for a warp where arithmetic takes 23, so that is the narrower way: 2.2 × 10¹¹ a second, 17 ms and 2.2 s. The
// rows that tiles compute beyond their own (12 of 76) cost another sixth. Device memory does not count: a tile of 64 ×
// 124 pairs reads 27 kB.
//
// Tensor cores were considered and left. They multiply windows as a whole, 440 multiply-adds a pair (5 K (2L + 1)),
// since they cannot filter along diagonals: 880 operations, 1.8 × 10¹² pairs a second at the 990 trillion of bf16,
// 0.56 × 10¹² at the 495 of tf32. But tf32 keeps 11 bits, so a distance would be wrong by 2^-11 of the energies (about
// 0.1 m²), 0.5 cm² of the 25 that thresholds are about, and minima, which differ by far less from their neighbours,
// would not be found at all; three products of split numbers mend that and leave 0.19 × 10¹² a second: less than plain
// arithmetic reaches here.
//
// The shape: a block is kCloudRows frames i by kCloudLanes differences d = j - i. A thread goes down one diagonal, with
// the products of the last 2L + 1 frames in registers, and leaves distances in shared memory; then all look for minima
// there. One row and two diagonals on each side are computed twice, so that no minimum is taken for one because it
// lies at an edge: what the processor confirms are the minima and hardly more.

#include <loom/compare/cuda/shim.h>

namespace loom::card {

inline constexpr std::uint32_t kCloudLanes = 124;  ///< diagonals that a block answers for
inline constexpr std::uint32_t kCloudEdge = 2;     ///< diagonals either side that it computes besides
inline constexpr std::uint32_t kCloudThreads = kCloudLanes + 2 * kCloudEdge;
inline constexpr std::uint32_t kCloudRows = 64;             ///< rows that it answers for
inline constexpr std::uint32_t kCloudAll = kCloudRows + 2;  ///< that it computes
inline constexpr std::uint32_t kMostHalfWindow = 32;        ///< L; a second at 60 frames a second
inline constexpr std::uint32_t kUsualHalfWindow = 5;        ///< has its products in registers

/// A table in the card's memory, as `CloudInput` says.
struct CloudOnCard {
  std::uint32_t frames, points, half_window;
  const float* by_coordinate;
  const float* twice_weights;
  const float* taps;
  const std::uint32_t* clip_begin;
  const std::uint32_t* clip_end;
  const double* mean_x;
  const double* mean_z;
  const float* energy;
  const float* centroid_x;
  const float* centroid_z;
  const float* spread;
  double largest_energy;
};

/// One block's distances, and of these the candidates. Shared memory, in floats: see `Places`.
struct CloudTileKernel {
  static constexpr int kPhases = 4;
  static constexpr std::uint32_t kThreads = kCloudThreads;

  CloudOnCard table;
  CloudQuery query;
  std::uint32_t bands;  ///< blocks side by side
  PairFound* found;
  std::uint32_t room;    ///< of `found`
  std::uint32_t* count;  ///< of what was found, also where there was no room

  /// Where things lie in shared memory.
  struct Places {
    std::uint32_t rows, columns;  ///< frames read
    std::uint32_t left;           ///< [row][point][4]: 2 w x, -2 w y, 2 w z
    std::uint32_t right;          ///< [point][x, y, z][column]
    std::uint32_t row_windows;    ///< [energy, 2 × mean x, 2 × mean z][row]
    std::uint32_t column_windows;
    std::uint32_t distances;  ///< [row][thread]
    std::uint32_t sizes;      ///< squares of floor coordinates, at most: of rows, of columns
    std::uint32_t end;
  };

#ifdef __CUDACC__
  __host__ __device__
#endif
      static Places
      places(std::uint32_t points, std::uint32_t half) {
    Places at{};
    at.rows = kCloudAll + 2 * half;
    at.columns = at.rows + kCloudThreads;
    at.right = 4 * points * at.rows;  // what is read four at a time lies first
    at.row_windows = at.right + 3 * points * at.columns;
    at.column_windows = at.row_windows + 3 * at.rows;
    at.distances = at.column_windows + 3 * at.columns;
    at.sizes = at.distances + kCloudAll * kCloudThreads;
    at.end = at.sizes + 2;
    return at;
  }

  template <int phase>
  LOOM_ON_CARD void run(std::uint32_t block, std::uint32_t thread, float* memory) const {
    const std::uint32_t row = query.row + block / bands * kCloudRows;
    const std::uint32_t diagonal = query.diagonal + block % bands * kCloudLanes;
    if (static_cast<std::uint64_t>(row) + diagonal >= table.frames) return;  // past the corner of the triangle
    const Places at = places(table.points, table.half_window);
    if constexpr (phase == 0) {
      if (thread < 2) memory[at.sizes + thread] = 0;
    } else if constexpr (phase == 1) {
      read(row, diagonal, thread, at, memory);
    } else if constexpr (phase == 2) {
      if (table.half_window == kUsualHalfWindow) {
        walk<kUsualHalfWindow>(diagonal, thread, at, memory);
      } else {
        walk_any(diagonal, thread, at, memory);
      }
    } else {
      look(row, diagonal, thread, at, memory);
    }
  }

 private:
  /// Frame `local` of a range that begins at `first`, which may lie before the first of all: -1 where
  /// there is none.
  LOOM_ON_CARD std::int64_t frame_of(std::int64_t first, std::uint32_t local) const {
    const std::int64_t frame = first + local;
    return frame >= 0 && frame < static_cast<std::int64_t>(table.frames) ? frame : -1;
  }

  /// The frame whose place coordinates are taken from: in the middle of what the range has of the clip, so that what is
  /// left is small and rounding with it.
  LOOM_ON_CARD std::uint32_t middle_of(std::int64_t frame, std::int64_t first, std::uint32_t length) const {
    const std::int64_t clip_begin = table.clip_begin[frame], clip_end = table.clip_end[frame];
    const std::int64_t begin = first > clip_begin ? first : clip_begin;
    const std::int64_t end = first + length < clip_end ? first + length : clip_end;
    return static_cast<std::uint32_t>((begin + end) / 2);
  }

  LOOM_ON_CARD float floor_size(std::int64_t frame, float x, float z) const {
    const float dx = table.centroid_x[frame] - x, dz = table.centroid_z[frame] - z;
    return multiply_add(dx, dx, multiply_add(dz, dz, table.spread[frame]));
  }

  LOOM_ON_CARD void read_windows(std::int64_t frame, float x, float z, double factor, float* energy, float* mean_x,
                                 float* mean_z) const {
    *energy = table.energy[frame];
    *mean_x = static_cast<float>(factor * (table.mean_x[frame] - static_cast<double>(x)));
    *mean_z = static_cast<float>(factor * (table.mean_z[frame] - static_cast<double>(z)));
  }

  LOOM_ON_CARD void read(std::uint32_t row, std::uint32_t diagonal, std::uint32_t thread, const Places& at,
                         float* memory) const {
    const std::int64_t first_row = static_cast<std::int64_t>(row) - 1 - table.half_window;
    const std::int64_t first_column = first_row + diagonal - kCloudEdge;
    float largest_row = 0, largest_column = 0;
    for (std::uint32_t n = thread; n < at.rows; n += kCloudThreads) {
      float* out = memory + static_cast<std::size_t>(4) * table.points * n;
      float* windows = memory + at.row_windows + n;
      const std::int64_t frame = frame_of(first_row, n);
      if (frame < 0) {
        for (std::uint32_t k = 0; k < 4 * table.points; ++k) out[k] = 0;
        windows[0] = INFINITY;
        windows[at.rows] = windows[2 * at.rows] = 0;
        continue;
      }
      const std::uint32_t middle = middle_of(frame, first_row, at.rows);
      const float x = table.centroid_x[middle], z = table.centroid_z[middle];
      for (std::uint32_t k = 0; k < table.points; ++k) {
        const float* in = table.by_coordinate + static_cast<std::size_t>(3) * k * table.frames + frame;
        out[4 * k] = table.twice_weights[k] * (in[0] - x);
        out[4 * k + 1] = -table.twice_weights[k] * in[table.frames];
        out[4 * k + 2] = table.twice_weights[k] * (in[static_cast<std::size_t>(2) * table.frames] - z);
        out[4 * k + 3] = 0;
      }
      read_windows(frame, x, z, 2, windows, windows + at.rows, windows + 2 * at.rows);
      const float size = floor_size(frame, x, z);
      if (size > largest_row) largest_row = size;
    }
    for (std::uint32_t n = thread; n < at.columns; n += kCloudThreads) {
      float* out = memory + at.right + n;
      float* windows = memory + at.column_windows + n;
      const std::int64_t frame = frame_of(first_column, n);
      if (frame < 0) {
        for (std::uint32_t k = 0; k < 3 * table.points; ++k) out[k * at.columns] = 0;
        windows[0] = INFINITY;
        windows[at.columns] = windows[2 * at.columns] = 0;
        continue;
      }
      const std::uint32_t middle = middle_of(frame, first_column, at.columns);
      const float x = table.centroid_x[middle], z = table.centroid_z[middle];
      for (std::uint32_t k = 0; k < table.points; ++k) {
        const float* in = table.by_coordinate + static_cast<std::size_t>(3) * k * table.frames + frame;
        out[3 * k * at.columns] = in[0] - x;
        out[(3 * k + 1) * at.columns] = in[table.frames];
        out[(3 * k + 2) * at.columns] = in[static_cast<std::size_t>(2) * table.frames] - z;
      }
      read_windows(frame, x, z, 1, windows, windows + at.columns, windows + 2 * at.columns);
      const float size = floor_size(frame, x, z);
      if (size > largest_column) largest_column = size;
    }
    raise(memory + at.sizes, largest_row);
    raise(memory + at.sizes + 1, largest_column);
  }

  struct Sums {
    float c = 0, s = 0, h = 0;
  };

  /// The products of row frame `n` and column frame `n + thread`.
  LOOM_ON_CARD Sums multiply(std::uint32_t n, std::uint32_t thread, const Places& at, const float* memory) const {
    const float* left = memory + static_cast<std::size_t>(4) * table.points * n;
    const float* right = memory + at.right + n + thread;
    Sums sums;
    for (std::uint32_t k = 0; k < table.points; ++k, left += 4, right += 3 * at.columns) {
      const float x = right[0], y = right[at.columns], z = right[2 * at.columns];
      sums.c = multiply_add(left[0], x, sums.c);
      sums.s = multiply_add(left[0], z, sums.s);
      sums.h = multiply_add(left[1], y, sums.h);
      sums.c = multiply_add(left[2], z, sums.c);
      sums.s = multiply_add(-left[2], x, sums.s);
    }
    return sums;
  }

  /// E_i + E_j - 2 H - 2 sqrt(C² + S²) of row `n`, the windows' means taken out of C and S.
  LOOM_ON_CARD float close(std::uint32_t n, std::uint32_t thread, const Places& at, const float* memory,
                           Sums sums) const {
    const std::uint32_t r = n + table.half_window;
    const float* row = memory + at.row_windows + r;
    const float* column = memory + at.column_windows + r + thread;
    const float ax = row[at.rows], az = row[2 * at.rows];
    const float x = column[at.columns], z = column[2 * at.columns];
    const float c = multiply_add(-az, z, multiply_add(-ax, x, sums.c));
    const float s = multiply_add(az, x, multiply_add(-ax, z, sums.s));
    return row[0] + column[0] + sums.h - sqrtf(multiply_add(c, c, s * s));
  }

  /// Goes down a diagonal with the last 2L + 1 products at hand. The ring's places are known when compiled, so that it
  /// lies in registers.
  template <std::uint32_t kHalf>
  LOOM_ON_CARD void walk(std::uint32_t diagonal, std::uint32_t thread, const Places& at, float* memory) const {
    constexpr std::uint32_t kRing = 2 * kHalf + 1;
    const bool apart = diagonal + thread > kCloudEdge;  // a frame is no partner of itself or of a later one
    float taps[kHalf + 1];
    LOOM_UNROLL
    for (std::uint32_t q = 0; q <= kHalf; ++q) taps[q] = table.taps[q];
    Sums ring[kRing];
    for (std::uint32_t base = 0; base < at.rows; base += kRing) {
      LOOM_UNROLL
      for (std::uint32_t u = 0; u < kRing; ++u) {
        const std::uint32_t n = base + u;
        if (n >= at.rows) break;
        ring[u] = multiply(n, thread, at, memory);
        if (n < 2 * kHalf) continue;
        const Sums& centre = ring[(u + kHalf + 1) % kRing];
        Sums sums{taps[0] * centre.c, taps[0] * centre.s, taps[0] * centre.h};
        LOOM_UNROLL
        for (std::uint32_t q = 1; q <= kHalf; ++q) {
          const Sums& before = ring[(u + kHalf + 1 + kRing - q) % kRing];
          const Sums& after = ring[(u + kHalf + 1 + q) % kRing];
          sums.c = multiply_add(taps[q], before.c + after.c, sums.c);
          sums.s = multiply_add(taps[q], before.s + after.s, sums.s);
          sums.h = multiply_add(taps[q], before.h + after.h, sums.h);
        }
        const std::uint32_t out = n - 2 * kHalf;
        memory[at.distances + out * kCloudThreads + thread] = apart ? close(out, thread, at, memory, sums) : INFINITY;
      }
    }
  }

  /// The same for any window, with the ring in the thread's own memory.
  LOOM_ON_CARD void walk_any(std::uint32_t diagonal, std::uint32_t thread, const Places& at, float* memory) const {
    const std::uint32_t half = table.half_window, length = 2 * half + 1;
    const bool apart = diagonal + thread > kCloudEdge;
    Sums ring[2 * kMostHalfWindow + 1];
    for (std::uint32_t n = 0; n < at.rows; ++n) {
      ring[n % length] = multiply(n, thread, at, memory);
      if (n < 2 * half) continue;
      const std::uint32_t middle = n - half;
      const Sums centre = ring[middle % length];
      Sums sums{table.taps[0] * centre.c, table.taps[0] * centre.s, table.taps[0] * centre.h};
      for (std::uint32_t q = 1; q <= half; ++q) {
        const Sums before = ring[(middle - q) % length], after = ring[(middle + q) % length];
        sums.c = multiply_add(table.taps[q], before.c + after.c, sums.c);
        sums.s = multiply_add(table.taps[q], before.s + after.s, sums.s);
        sums.h = multiply_add(table.taps[q], before.h + after.h, sums.h);
      }
      const std::uint32_t out = n - 2 * half;
      memory[at.distances + out * kCloudThreads + thread] = apart ? close(out, thread, at, memory, sums) : INFINITY;
    }
  }

  /// A bound on the rounding of a distance, as in cpu_tile.cc.
  LOOM_ON_CARD double margin(const Places& at, const float* memory) const {
    constexpr double kRounding = 0x1.0p-24;
    const double sums = 2.0 * table.points + 2.0 * table.half_window + 1 + 12;
    const double sizes = sqrt(static_cast<double>(memory[at.sizes])) * sqrt(static_cast<double>(memory[at.sizes + 1]));
    const double absolute = kRounding * (2.83 * sums * sizes + (2 * sums + 8) * table.largest_energy);
    return 1.001 * (absolute + 4 * kRounding * query.threshold);
  }

  LOOM_ON_CARD void look(std::uint32_t row, std::uint32_t diagonal, std::uint32_t thread, const Places& at,
                         const float* memory) const {
    if (thread < kCloudEdge || thread >= kCloudEdge + kCloudLanes) return;
    const std::uint64_t d = static_cast<std::uint64_t>(diagonal) + thread - kCloudEdge;
    if (d >= static_cast<std::uint64_t>(query.diagonal) + query.diagonals) return;
    const double slack = margin(at, memory);
    // Rounded up for certain.
    const float limit = static_cast<float>((query.threshold + slack) * (1 + 0x1.0p-22));
    const float twice = static_cast<float>(2 * slack * (1 + 0x1.0p-22));
    for (std::uint32_t r = 0; r < kCloudRows; ++r) {
      const std::uint64_t i = static_cast<std::uint64_t>(row) + r;
      if (i >= static_cast<std::uint64_t>(query.row) + query.rows || i + d >= table.frames) return;
      const float* here = memory + at.distances + (r + 1) * kCloudThreads + thread;
      if (!(*here <= limit)) continue;
      if (query.local_minima != 0 && !least(here, *here - twice)) continue;
      const std::uint32_t place = count_up(count);
      if (place < room) found[place] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + d)};
    }
  }

  /// Whether no neighbour is below `bound`. The neighbour (i + a, j + b) lies a rows down and b - a lanes to the right.
  LOOM_ON_CARD static bool least(const float* here, float bound) {
    constexpr int kDown = kCloudThreads;
    const int steps[8] = {1, -1, kDown, -kDown, kDown - 1, 1 - kDown, kDown - 2, 2 - kDown};
    bool is = true;
    LOOM_UNROLL
    for (int n = 0; n < 8; ++n) is = is && bound <= here[steps[n]];
    return is;
  }
};

}  // namespace loom::card
