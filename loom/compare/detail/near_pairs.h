// SPDX-License-Identifier: MIT
#pragma once

// Pairs of clouds found without comparing all with all (see cpu/cpu_near.h for how): shared by the searches, and not
// part of the library's surface.

#include <cstddef>
#include <cstdint>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/cpu/cpu_near.h>
#include <loom/compare/point_cloud.h>
#include <loom/compare/row_search.h>

namespace loom::compare {

/// The frames of a metric ready to be searched for near pairs. Memory: about (12 points + 150) bytes a frame.
class NearPairs {
 public:
  explicit NearPairs(const PointCloud& metric);

  /// Time that a search for pairs under `threshold` takes over that of comparing all pairs, from a sample: less than
  /// one where it is the quicker way.
  [[nodiscard]] double cost(double threshold) const;

  /// What `find_pairs_under` and `find_local_minima` give, of pairs whose first frame is in `rows`.
  [[nodiscard]] Result<PairsFound> find(const PairQuery& query, bool local_minima, const RowRange& rows,
                                        const Progress& progress) const;

 private:
  struct Row;    ///< a frame and what is near it
  struct Strip;  ///< some consecutive blocks of them

  void lay_out_blocks();
  void reduce();
  void lay_out_rows(std::size_t block, cpu::NearRows& rows) const;
  /// Finds what is near the frames of blocks [begin, end).
  void look(std::size_t begin, std::size_t end, double threshold, Strip& strip) const;
  /// Appends what the exact distance confirms of the hits of row `n`.
  void confirm(const PairQuery& query, bool local_minima, const Strip& strip, std::size_t n,
               std::vector<SimilarPair>& pairs) const;
  /// How far a distance computed for two frames may be from the exact one.
  [[nodiscard]] float margin(std::size_t i, std::size_t j) const {
    return rounding_ * (table_.energy[i] + table_.energy[j]);
  }

  const PointCloud& metric_;
  cpu::NearTable table_;
  std::vector<double> usual_heights_;  ///< of each point, metres: from where heights are counted
  double largest_energy_ = 0;          ///< of a frame
  float bound_margin_ = 0;             ///< of bounds, for rounding
  float rounding_ = 0;                 ///< of distances, relative to the energies
};

}  // namespace loom::compare
