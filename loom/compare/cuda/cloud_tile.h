// SPDX-License-Identifier: MIT
#pragma once

// The point-cloud distance of all pairs on a card: what cpu_tile.h is for the processor, and read after it.
//
// The limit first, for an H200 (132 multiprocessors, each 128 single-precision lanes and 128 bytes of shared memory a
// cycle, 1.98 GHz, 4.8 TB/s). With K = 8 points and L = 5 a pair costs
//
//     products   5 K multiply-adds                          40 instructions
//     window     3 planes × (L adds + L + 1 multiply-adds)  33
//     closing                                               11
//     operands   read four numbers at a time                 7
//
// and some for going on: about 95 instructions, 23.8 cycles of a multiprocessor for the 32 pairs of a warp. Operands
// come from shared memory, 3 K + 3 words a pair. A thread has two diagonals side by side, and what the one reads of a
// column the other has read a step before: 14 words a pair and 14 that all lanes share for two, so about 18 cycles.
// Arithmetic is the narrower way: 3.5 × 10¹¹ pairs a second where no cycle is lost, less a sixth for the rows and
// diagonals that a tile computes beyond its own. Device memory does not count: a tile of 76 × 252 pairs reads 48 kB.
//
// What one was seen to do is 1.45 × 10¹¹ a second (docs/results/scale.md): going down diagonals takes 70 % of the time
// and issues three of four instructions that could be; reading tiles takes 20 %, looking for minima 9 %. More threads
// than 12 × 32 do not fit a multiprocessor, for registers and for shared memory.
//
// Tensor cores were considered and left. They multiply windows as a whole, 440 multiply-adds a pair (5 K (2L + 1)),
// since they cannot filter along diagonals: 880 operations, 0.9 × 10¹² pairs a second at the 790 trillion of bf16 that
// such a card has been seen to reach, half of that in tf32. But tf32 keeps 11 bits, so a distance would be wrong by
// 2^-11 of the energies (about 0.1 m²), 0.5 cm² of the 14 that thresholds are about, and minima, which differ by far
// less from their neighbours, would not be found at all; three products of split numbers mend that and leave 0.15 ×
// 10¹² a second, what plain arithmetic reaches here, too.
//
// The shape: a block is kCloudRows frames i by kCloudLanes differences d = j - i. A thread goes down two diagonals,
// with the products of the last 2L + 1 frames in registers, kRound rows at a time; distances of these rows lie in
// shared memory until all have looked for minima there. A distance above the threshold is none: its root is not taken.
// One row and two diagonals on each side are computed twice, so that no minimum is taken for one because it lies at an
// edge: what the processor confirms are the minima and hardly more. What may be under the threshold goes into a list
// first, since it lies unevenly: of every 32 threads six would work. Longer tiles would compute less twice, but
// coordinates are small, and rounding with them, only where a tile is short.

#include <loom/compare/cuda/cloud_table.h>

namespace loom::card {

/// One block's distances, and of these the candidates. `kHalf` and `kPoints` are the table's, or 0 for any.
template <std::uint32_t kHalf, std::uint32_t kPoints>
struct CloudTileKernel {
  static constexpr int kPhases = 3;
  static constexpr std::uint32_t kThreads = kCloudThreads;
  static constexpr bool kAny = kHalf == 0;
  static constexpr std::uint32_t kRing = kAny ? 2 * kMostHalfWindow + 1 : 2 * kHalf + 1;
  static constexpr std::uint32_t kRound = CloudShape::of(kHalf, kAny).round;  ///< the same for any

  CloudOnCard table;
  CloudQuery query;
  std::uint32_t bands;  ///< blocks side by side
  PairFound* found;
  std::uint32_t room;               ///< of `found`
  std::uint32_t* count;             ///< of what was found, also where there was no room
  float taps[kMostHalfWindow + 1];  ///< the table's: as arguments of the kernel they are read like constants

  struct Sums {
    float c = 0, s = 0, h = 0;
  };

  /// What a thread has of its two diagonals from round to round.
  struct Thread {
    Sums ring[2][kRing];             ///< products of the last frames, by step modulo the length of a window
    Four last[2] = {};               ///< distances of the last two rows
    std::uint32_t low[2] = {};       ///< bit b: that of row b - 1 of the round may be under the threshold
    std::uint32_t unlisted[2] = {};  ///< of these, what the list had no room for
  };

  LOOM_ON_CARD std::uint32_t rounds(std::uint32_t block) const {
    if (row_of(block) + static_cast<std::uint64_t>(diagonal_of(block)) >= table.frames) return 0;
    return shape().rounds();
  }

  template <int phase>
  LOOM_ON_CARD void run(std::uint32_t block, std::uint32_t thread, float* memory) const {
    if (rounds(block) == 0) return;  // past the corner of the triangle
    const CloudPlaces at = places();
    if constexpr (phase == 0) {
      if (thread < 2) memory[at.sizes + thread] = 0;
    } else if constexpr (phase == 1) {
      choose_origins(first_row(block), at.steps, thread, memory + at.origins, memory + at.sizes);
      choose_origins(first_column(block), at.columns, thread, memory + at.origins + 2 * at.steps,
                     memory + at.sizes + 1);
    } else {
      read_rows(block, thread, at, memory);
      read_columns(block, thread, at, memory);
      if (thread == 0) begin(block, at, memory);
    }
  }

  /// Goes down the two diagonals, and puts what may be under the threshold into the list.
  LOOM_ON_CARD void before(std::uint32_t, std::uint32_t thread, std::uint32_t round, float* memory,
                           Thread& mine) const {
    if constexpr (kAny) {
      walk_any(thread, round, memory, mine);
    } else {
      walk(thread, round, memory, mine);
    }
    const CloudPlaces at = places();
    for (std::uint32_t side = 0; side < 2; ++side) {
      // The last row waits for the one after it.
      std::uint32_t low = mine.low[side] & ((1U << kRound) - 1);
      mine.low[side] >>= kRound;
      mine.unlisted[side] = 0;
      for (; low != 0; low &= low - 1) {
        const std::uint32_t b = lowest_bit(low), place = count_up_whole(memory + at.counts + (round & 1U));
        if (place < kCloudList) {
          write_whole(memory + at.list + place, b * kCloudAllLanes + 2 * thread + side);
        } else {
          mine.unlisted[side] |= 1U << b;
        }
      }
    }
  }

  /// Looks which of the list are candidates.
  LOOM_ON_CARD void after(std::uint32_t, std::uint32_t thread, std::uint32_t round, float* memory, Thread& mine) const {
    const CloudPlaces at = places();
    const std::uint32_t listed = read_whole(memory + at.counts + (round & 1U));
    for (std::uint32_t n = thread; n < listed && n < kCloudList; n += kCloudThreads) {
      const std::uint32_t entry = read_whole(memory + at.list + n);
      look(round, entry / kCloudAllLanes, entry % kCloudAllLanes, at, memory);
    }
    for (std::uint32_t side = 0; side < 2; ++side) {
      for (std::uint32_t left = mine.unlisted[side]; left != 0; left &= left - 1) {
        look(round, lowest_bit(left), 2 * thread + side, at, memory);
      }
    }
    if (thread == 0) write_whole(memory + at.counts + (1 - (round & 1U)), 0);
  }

 private:
  LOOM_ON_CARD std::uint32_t half() const { return kAny ? table.half_window : kHalf; }
  LOOM_ON_CARD CloudShape shape() const { return CloudShape::of(half(), kAny); }
  LOOM_ON_CARD CloudPlaces places() const { return CloudPlaces::of(kAny ? table.points : kPoints, shape()); }
  LOOM_ON_CARD std::uint32_t row_of(std::uint32_t block) const { return query.row + block / bands * shape().rows(); }
  LOOM_ON_CARD std::uint32_t diagonal_of(std::uint32_t block) const {
    return query.diagonal + block % bands * kCloudLanes;
  }
  /// The first frames that are read: either may lie before the first of all.
  LOOM_ON_CARD std::int64_t first_row(std::uint32_t block) const {
    return static_cast<std::int64_t>(row_of(block)) - 1 - half();
  }
  LOOM_ON_CARD std::int64_t first_column(std::uint32_t block) const {
    return first_row(block) + diagonal_of(block) - kCloudEdge;
  }
  LOOM_ON_CARD bool is_frame(std::int64_t frame) const {
    return frame >= 0 && frame < static_cast<std::int64_t>(table.frames);
  }

  /// The place that each frame of a range is seen from: the middle of what the range has of its clip, so that
  /// coordinates are small and rounding with them. Raises `size` to the largest square of what is left.
  LOOM_ON_CARD void choose_origins(std::int64_t first, std::uint32_t length, std::uint32_t thread, float* origins,
                                   float* size) const {
    float largest = 0;
    for (std::uint32_t n = thread; n < length; n += kCloudThreads) {
      const std::int64_t frame = first + n;
      if (!is_frame(frame)) continue;
      const std::int64_t clip_begin = table.clip_begin[frame], clip_end = table.clip_end[frame];
      const std::int64_t begin = first > clip_begin ? first : clip_begin;
      const std::int64_t end = first + length < clip_end ? first + length : clip_end;
      const std::int64_t middle = (begin + end) / 2;
      const float x = table.centroid_x[middle], z = table.centroid_z[middle];
      origins[n] = x;
      origins[length + n] = z;
      const float dx = table.centroid_x[frame] - x, dz = table.centroid_z[frame] - z;
      const float square = multiply_add(dx, dx, multiply_add(dz, dz, table.spread[frame]));
      if (square > largest) largest = square;
    }
    raise(size, largest);
  }

  /// The window in whose middle step `n` less half a window lies: what has ended by then. None is infinitely far.
  LOOM_ON_CARD Four window_of(std::int64_t first, std::uint32_t n, const float* origins, std::uint32_t length,
                              double factor) const {
    const std::int64_t frame = first + n - half();
    if (n < half() || !is_frame(frame)) return {INFINITY, 0, 0, 0};
    const std::uint32_t at = n - half();
    return {static_cast<float>(table.energy[frame]),
            static_cast<float>(factor * (table.mean_x[frame] - static_cast<double>(origins[at]))),
            static_cast<float>(factor * (table.mean_z[frame] - static_cast<double>(origins[length + at]))), 0};
  }

  /// Four coordinates of a frame, those on the floor seen from the origin; read in any case, so that several are asked
  /// for before the first has come.
  LOOM_ON_CARD Four coordinates(std::int64_t frame, std::uint32_t four, bool on_floor, float x, float z) const {
    const bool is = is_frame(frame);
    const std::size_t from = static_cast<std::size_t>(four) * table.frames + static_cast<std::size_t>(is ? frame : 0);
    const Four in = read_four(table.fours + 4 * from);
    if (!is) return {0, 0, 0, 0};
    return on_floor ? Four{in.a - x, in.b - z, in.c - x, in.d - z} : in;
  }

  LOOM_ON_CARD void read_rows(std::uint32_t block, std::uint32_t thread, const CloudPlaces& at, float* memory) const {
    const std::int64_t first = first_row(block);
    const float* origins = memory + at.origins;
    for (std::uint32_t item = thread; item < at.steps * (at.fours - 1); item += kCloudThreads) {
      const std::uint32_t four = item / at.steps, n = item % at.steps;
      const Four in = coordinates(first + n, four, four < at.floor, origins[n], origins[at.steps + n]);
      const Four weights = read_four(table.weights + 4 * four);
      write_four(memory + at.left + 4 * (n * at.fours + four),
                 {weights.a * in.a, weights.b * in.b, weights.c * in.c, weights.d * in.d});
    }
    for (std::uint32_t n = thread; n < at.steps; n += kCloudThreads) {
      write_four(memory + at.left + 4 * (n * at.fours + at.fours - 1), window_of(first, n, origins, at.steps, 2));
    }
  }

  LOOM_ON_CARD void read_columns(std::uint32_t block, std::uint32_t thread, const CloudPlaces& at,
                                 float* memory) const {
    const std::int64_t first = first_column(block);
    const float* origins = memory + at.origins + 2 * at.steps;
    for (std::uint32_t item = thread; item < at.columns * (at.fours - 1); item += kCloudThreads) {
      const std::uint32_t four = item / at.columns, m = item % at.columns;
      write_four(memory + column_place(at, m, four),
                 coordinates(first + m, four, four < at.floor, origins[m], origins[at.columns + m]));
    }
    for (std::uint32_t m = thread; m < at.columns; m += kCloudThreads) {
      write_four(memory + column_place(at, m, at.fours - 1), window_of(first, m, origins, at.columns, 1));
    }
  }
  LOOM_ON_CARD static std::uint32_t column_place(const CloudPlaces& at, std::uint32_t m, std::uint32_t four) {
    return at.right + 4 * (((m & 1U) * at.fours + four) * at.halves + (m >> 1U));
  }

  /// What all threads want to know: the limits, with a bound on the rounding of a distance as in cpu_tile.cc, and where
  /// the block begins.
  LOOM_ON_CARD void begin(std::uint32_t block, const CloudPlaces& at, float* memory) const {
    constexpr double kRounding = 0x1.0p-24;
    const double sums = 2.0 * table.points + 2.0 * table.half_window + 1 + 12;
    const double sizes = sqrt(static_cast<double>(memory[at.sizes])) * sqrt(static_cast<double>(memory[at.sizes + 1]));
    const double absolute = kRounding * (2.83 * sums * sizes + (2 * sums + 8) * table.largest_energy);
    const double slack = 1.001 * (absolute + 4 * kRounding * query.threshold);
    // Rounded up for certain.
    memory[at.limits] = static_cast<float>((query.threshold + slack) * (1 + 0x1.0p-22));
    memory[at.limits + 1] = static_cast<float>(2 * slack * (1 + 0x1.0p-22));
    write_whole(memory + at.begin, row_of(block));
    write_whole(memory + at.begin + 1, diagonal_of(block));
    write_whole(memory + at.counts, 0);
    write_whole(memory + at.counts + 1, 0);
  }

  LOOM_ON_CARD static void multiply_floor(const Four& row, const Four& column, Sums& sums) {
    sums.c = multiply_add(row.a, column.a, sums.c);
    sums.s = multiply_add(row.a, column.b, sums.s);
    sums.c = multiply_add(row.b, column.b, sums.c);
    sums.s = multiply_add(-row.b, column.a, sums.s);
    sums.c = multiply_add(row.c, column.c, sums.c);
    sums.s = multiply_add(row.c, column.d, sums.s);
    sums.c = multiply_add(row.d, column.d, sums.c);
    sums.s = multiply_add(-row.d, column.c, sums.s);
  }
  LOOM_ON_CARD static void multiply_heights(const Four& row, const Four& column, Sums& sums) {
    sums.h = multiply_add(row.a, column.a, sums.h);
    sums.h = multiply_add(row.b, column.b, sums.h);
    sums.h = multiply_add(row.c, column.c, sums.h);
    sums.h = multiply_add(row.d, column.d, sums.h);
  }

  /// What a distance is made of: e - sqrt(q), with e = E_i + E_j - 2 H and q = 4 (C² + S²), the windows' means taken
  /// out of C and S. Sets `bit` of `low` where it may be at most `limit`, which needs no root: e - sqrt(q) <= limit
  /// where q >= (e - limit)², and a millionth of e less sees to the rounding of both sides. The root is taken of these
  /// few later.
  LOOM_ON_CARD static void close(const Four& row, const Four& column, const Sums& sums, float limit, std::uint32_t bit,
                                 std::uint32_t& low, float& e, float& q) {
    const float c = multiply_add(-row.c, column.c, multiply_add(-row.b, column.b, sums.c));
    const float s = multiply_add(row.c, column.b, multiply_add(-row.b, column.c, sums.s));
    e = row.a + column.a + sums.h;
    q = multiply_add(c, c, s * s);
    const float over = multiply_add(e, 1 - 0x1.0p-20f, -limit);
    if (q >= over * fabsf(over)) low |= bit;
  }
  LOOM_ON_CARD static float distance(const float* at) { return at[0] - sqrtf(at[1]); }

  /// A product to begin with: nothing, or so far that no frame is a partner of itself or of an earlier one.
  LOOM_ON_CARD static Sums start(const CloudPlaces& at, const float* memory, std::uint32_t lane) {
    return {0, 0, read_whole(memory + at.begin + 1) + lane > kCloudEdge ? 0.0f : INFINITY};
  }

  /// Goes down two diagonals with the last 2L + 1 products at hand. The ring's places are known when compiled, so that
  /// it lies in registers.
  LOOM_ON_CARD void walk(std::uint32_t thread, std::uint32_t round, float* memory, Thread& mine) const {
    const CloudPlaces at = places();
    constexpr CloudPlaces kAt = CloudPlaces::of(kPoints, CloudShape::of(kHalf, false));
    constexpr std::uint32_t kFours = kAt.fours, kFloor = kAt.floor;
    const float limit = memory[at.limits];
    const Sums starts[2] = {start(at, memory, 2 * thread), start(at, memory, 2 * thread + 1)};
    float* out = memory + at.distances + 4 * thread;
    write_four(out, mine.last[0]);
    write_four(out + 2 * kCloudAllLanes, mine.last[1]);
    const std::uint32_t first = round * kRound;
    const float* left = memory + at.left + 4 * kFours * first;
    const std::uint32_t kind = 4 * kFours * at.halves;
    // Columns first + 2 thread (which the first step has) and what comes after it, in turns of both kinds.
    const float* even = memory + at.right + (first & 1U) * kind + 4 * (thread + (first >> 1U));
    const float* odd = memory + at.right + (1 - (first & 1U)) * kind + 4 * (thread + ((first + 1) >> 1U));
    Four column[kFours];
    LOOM_UNROLL
    for (std::uint32_t v = 0; v < kFours; ++v) column[v] = read_four(even + 4 * v * at.halves);
    LOOM_UNROLL
    for (std::uint32_t u = 0; u < kRound; ++u) {
      const float* next = u % 2 == 0 ? odd + 4 * (u / 2) : even + 4 * (u / 2 + 1);
      Sums products[2] = {starts[0], starts[1]};
      LOOM_UNROLL
      for (std::uint32_t v = 0; v + 1 < kFours; ++v) {
        const Four row = read_four(left + 4 * (u * kFours + v)), later = read_four(next + 4 * v * at.halves);
        if (v < kFloor) {
          multiply_floor(row, column[v], products[0]);
          multiply_floor(row, later, products[1]);
        } else {
          multiply_heights(row, column[v], products[0]);
          multiply_heights(row, later, products[1]);
        }
        column[v] = later;
      }
      const Four row = read_four(left + 4 * (u * kFours + kFours - 1));
      const Four later = read_four(next + 4 * (kFours - 1) * at.halves);
      Four distances;
      LOOM_UNROLL
      for (std::uint32_t side = 0; side < 2; ++side) {
        Sums* ring = mine.ring[side];
        ring[u % kRing] = products[side];
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
        close(row, side == 0 ? column[kFours - 1] : later, sums, limit, 2U << u, mine.low[side],
              side == 0 ? distances.a : distances.c, side == 0 ? distances.b : distances.d);
      }
      column[kFours - 1] = later;
      write_four(out + 2 * (u + 2) * kCloudAllLanes, distances);
      if (u + 2 >= kRound) mine.last[u + 2 - kRound] = distances;
    }
  }

  /// The same for any window and any number of points, with the ring in the thread's own memory.
  LOOM_ON_CARD void walk_any(std::uint32_t thread, std::uint32_t round, float* memory, Thread& mine) const {
    const CloudPlaces at = places();
    const std::uint32_t reach = table.half_window, length = 2 * reach + 1;
    const float limit = memory[at.limits];
    float* out = memory + at.distances + 4 * thread;
    write_four(out, mine.last[0]);
    write_four(out + 2 * kCloudAllLanes, mine.last[1]);
    for (std::uint32_t u = 0; u < kRound; ++u) {
      const std::uint32_t n = round * kRound + u;
      if (n >= at.steps) return;  // the last round: what comes after its rows is not looked at
      const float* left = memory + at.left + static_cast<std::size_t>(4) * at.fours * n;
      Four distances;
      for (std::uint32_t side = 0; side < 2; ++side) {
        const std::uint32_t m = n + 2 * thread + side;
        const float* right = memory + at.right + 4 * ((m & 1U) * at.fours * at.halves + (m >> 1U));
        Sums* ring = mine.ring[side];
        Sums products = start(at, memory, 2 * thread + side);
        for (std::uint32_t v = 0; v + 1 < at.fours; ++v) {
          const Four row = read_four(left + 4 * v), column = read_four(right + 4 * v * at.halves);
          if (v < at.floor) {
            multiply_floor(row, column, products);
          } else {
            multiply_heights(row, column, products);
          }
        }
        ring[n % length] = products;
        const std::uint32_t middle = n + length - reach;
        const Sums centre = ring[middle % length];
        Sums sums{taps[0] * centre.c, taps[0] * centre.s, taps[0] * centre.h};
        for (std::uint32_t q = 1; q <= reach; ++q) {
          const Sums before = ring[(middle - q) % length], after = ring[(middle + q) % length];
          sums.c = multiply_add(taps[q], before.c + after.c, sums.c);
          sums.s = multiply_add(taps[q], before.s + after.s, sums.s);
          sums.h = multiply_add(taps[q], before.h + after.h, sums.h);
        }
        const std::uint32_t window = 4 * (at.fours - 1);
        close(read_four(left + window), read_four(right + window * at.halves), sums, limit, 2U << u, mine.low[side],
              side == 0 ? distances.a : distances.c, side == 0 ? distances.b : distances.d);
      }
      mine.last[0] = mine.last[1];
      mine.last[1] = distances;
      write_four(out + 2 * (u + 2) * kCloudAllLanes, distances);
    }
  }

  /// Adds the pair of bit `b` of a round's rows and a lane where it is asked for and a candidate.
  LOOM_ON_CARD void look(std::uint32_t round, std::uint32_t b, std::uint32_t lane, const CloudPlaces& at,
                         const float* memory) const {
    // Row 0 is the edge above those that the block answers for; the first rounds have some before it.
    const std::uint32_t step = round * kRound + b, row = step - (2 * half() + 1);
    if (step <= 2 * half() + 1 || row > shape().rows()) return;
    if (lane < kCloudEdge || lane >= kCloudEdge + kCloudLanes) return;
    const std::uint64_t i = static_cast<std::uint64_t>(read_whole(memory + at.begin)) + row - 1;
    const std::uint64_t d = static_cast<std::uint64_t>(read_whole(memory + at.begin + 1)) + lane - kCloudEdge;
    if (d >= static_cast<std::uint64_t>(query.diagonal) + query.diagonals) return;
    if (i >= static_cast<std::uint64_t>(query.row) + query.rows || i + d >= table.frames) return;
    if (!is_candidate(memory + at.distances + 2 * ((b + 1) * kCloudAllLanes + lane), memory + at.limits)) return;
    const std::uint32_t place = count_up(count);
    if (place < room) found[place] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + d)};
  }

  /// Whether a distance is at most the first of the limits and, where minima are asked for, no neighbour nearer by more
  /// than the second. The neighbour (i + a, j + b) lies a rows down and b - a lanes to the right.
  LOOM_ON_CARD bool is_candidate(const float* here, const float* limits) const {
    const float mine = distance(here);
    if (!(mine <= limits[0])) return false;
    if (query.local_minima == 0) return true;
    constexpr int kDown = kCloudAllLanes;
    const int steps[8] = {1, -1, kDown, -kDown, kDown - 1, 1 - kDown, kDown - 2, 2 - kDown};
    LOOM_UNROLL
    for (int n = 0; n < 8; ++n) {
      if (distance(here + 2 * steps[n]) < mine - limits[1]) return false;
    }
    return true;
  }
};

using AnyCloudKernel = CloudTileKernel<0, 0>;

}  // namespace loom::card
