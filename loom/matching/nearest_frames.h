// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace loom::matching {

/// The nearest of many points, exactly, without looking at most of them: what motion matching does all the time.
///
/// Points are turned into their principal axes, where a few coordinates hold most of every distance, and sorted into
/// blocks of 32 that lie close together, blocks into groups of 16. A query walks groups, then blocks, in the order of
/// how near their boxes are, and stops where nothing can be nearer than the best so far; within a block it drops all 32
/// as soon as the first coordinates put them too far away. Whatever survives is measured with the plain sum in the
/// order of the coordinates, and the bounds are widened by what rounding can do, so that the answer is that of the
/// plain scan, to the last tie. Memory: about twice the points'.
class NearestFrames {
 public:
  static constexpr std::size_t kMaxDims = 64;
  static constexpr std::uint64_t kAll = ~std::uint64_t{0};

  /// A point and its squared distance from the query.
  struct Found {
    std::uint32_t row = 0;
    float cost = 0;
  };
  /// What a search cost, for those who tune it.
  struct Effort {
    std::size_t groups = 0;    ///< looked into
    std::size_t blocks = 0;    ///< looked into
    std::size_t measured = 0;  ///< points measured exactly
  };
  /// Rows [begin, end) that must not be found: those just played.
  struct Skip {
    std::uint32_t begin = 0, end = 0;
    [[nodiscard]] bool has(std::uint32_t row) const { return row >= begin && row < end; }
  };
  using Skips = std::span<const Skip>;
  /// Whether a row may be found, beyond what tags and skips say. Only rows that would be the nearest so far are asked
  /// for, few in a search, so it may look closely.
  struct Test {
    bool (*passes)(const void* with, std::uint32_t row);  ///< none: all do
    const void* with;
    [[nodiscard]] bool admits(std::uint32_t row) const { return passes == nullptr || passes(with, row); }
  };
  /// Memory a search works in: one for each thread or character, so that searching allocates nothing.
  class Room {
   public:
    explicit Room(const NearestFrames& frames);
    Effort effort;  ///< of the last search

   private:
    friend class NearestFrames;
    std::vector<float> bounds_;                              ///< of all groups
    std::vector<std::pair<float, std::uint32_t>> in_order_;  ///< bound and number of those worth a look
  };

  NearestFrames() = default;
  /// Indexes the `candidates` among `rows` (row after row, `dims` finite numbers each, at most kMaxDims); the rows are
  /// kept. `tags` has 64 bits for every row, for searches among some only; empty: all rows have all.
  /// O(n log n × dims), deterministic.
  NearestFrames(std::vector<float> rows, std::size_t dims, std::span<const std::uint32_t> candidates,
                std::vector<std::uint64_t> tags = {});

  [[nodiscard]] std::size_t dims() const { return dims_; }
  [[nodiscard]] std::size_t rows() const { return dims_ == 0 ? 0 : rows_.size() / dims_; }
  [[nodiscard]] std::span<const float> row(std::uint32_t r) const { return {rows_.data() + r * dims_, dims_}; }
  /// Candidates indexed.
  [[nodiscard]] std::size_t size() const { return candidates_; }
  [[nodiscard]] std::size_t memory() const;
  /// The squared distance of a row: the sum in the order of the coordinates, in single precision.
  [[nodiscard]] float cost(std::span<const float> query, std::uint32_t r) const;

  /// The nearest candidate that has a tag of `tags`, passes `test` and is strictly nearer than `best`, or `best` where
  /// there is none; among equals the one with the lowest row. Pass what is known to be near, for it bounds the search;
  /// a cost of infinity asks for the nearest whatever it be.
  [[nodiscard]] Found find(std::span<const float> query, Found best, Room& room, std::uint64_t tags = kAll,
                           Skips skips = {}, Test test = {}) const;

  /// The same under another measure, whose coordinates count `shares` (one a coordinate) of what they do otherwise.
  /// Looks at every candidate: O(candidates × dims).
  [[nodiscard]] Found scan(std::span<const float> query, std::span<const float> shares, std::uint64_t tags = kAll,
                           Skips skips = {}, Test test = {}) const;

 private:
  struct Search;
  void search_group(std::size_t group, Search& search) const;
  void search_block(std::size_t block, Search& search) const;
  void turn_into_axes(std::span<const std::uint32_t> candidates, std::vector<double>& turned);
  void fill_blocks(std::span<const std::uint32_t> candidates, std::span<const std::uint32_t> order,
                   std::span<const double> turned);
  void fill_boxes();

  std::size_t dims_ = 0, candidates_ = 0, groups_ = 0;
  std::vector<float> rows_;
  std::vector<std::uint64_t> tags_;
  std::vector<double> centre_, axes_;          ///< dims; dims × dims, one axis a row, widest first
  float largest_ = 0;                          ///< distance of any candidate from the centre
  std::vector<float> points_;                  ///< blocks × dims × 32, in the axes
  std::vector<std::uint32_t> row_of_;          ///< blocks × 32
  std::vector<float> block_low_, block_high_;  ///< groups × dims × 16
  std::vector<float> group_low_, group_high_;  ///< dims × groups, padded
  std::vector<std::uint64_t> block_tags_;      ///< of any point within
};

}  // namespace loom::matching
