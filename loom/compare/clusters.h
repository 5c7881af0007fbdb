// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/point_cloud.h>
#include <loom/motion/contacts.h>

namespace loom::compare {

/// The cluster of a frame that cannot be compared.
inline constexpr std::uint32_t kNoCluster = std::numeric_limits<std::uint32_t>::max();

/// A division of a set's frames into groups of which only members are compared with each other (Zhao 2009 §3.2).
///
/// It finds fewer pairs than comparing all, and `measure_clusters` tells how many fewer. The all-pairs engine exploits
/// that windows overlap, which frames picked from everywhere do not, so clusters must leave out nine tenths of the
/// pairs before they save anything; they are here for comparison with the work, and for sets too large for O(n²).
struct Clusters {
  std::vector<std::uint32_t> of_frame;  ///< one a frame, in [0, count) or kNoCluster
  std::size_t count = 0;
};

struct ClusterOptions {
  std::size_t clusters = 8;     ///< k: at most so many for each contact category
  std::size_t iterations = 30;  ///< at most so many rounds of k-means
  std::uint64_t seed = 1;       ///< of the first centres
};

/// Groups the frames of the metric's set: first by contact category (one stance a frame; empty for one category),
/// then, within each, by k-means over their clouds, brought to a common place and heading on the floor by the root of
/// the centre frame and weighted as in the distance. First centres by k-means++ (Arthur and Vassilvitskii 2007).
/// Deterministic for a seed. O(frames × k × points) a round. Fails on no clusters or a wrong number of stances.
Result<Clusters> cluster_frames(const PointCloud& metric, std::span<const motion::Stance> stances,
                                const ClusterOptions& options = {});

/// `find_pairs_under` or, with `local_minima`, `find_local_minima`, among pairs of one cluster alone. What is found
/// has the same distances as there. Runs on this machine's cores.
Result<PairsFound> find_pairs_in_clusters(const PointCloud& metric, const Clusters& clusters, const PairQuery& query,
                                          bool local_minima = false, const Progress& progress = {});

/// What clusters save and what they lose.
struct ClusterMeasure {
  std::uint64_t all_pairs = 0;       ///< of comparable frames
  std::uint64_t compared_pairs = 0;  ///< of those, within one cluster
  std::size_t wanted = 0;            ///< pairs found by comparing all
  std::size_t kept = 0;              ///< of those, within one cluster

  /// The share of the wanted pairs that is still found; one where nothing is wanted.
  [[nodiscard]] double recall() const {
    return wanted == 0 ? 1.0 : static_cast<double>(kept) / static_cast<double>(wanted);
  }
};

/// Measures `clusters` against the pairs found by comparing all.
ClusterMeasure measure_clusters(const Clusters& clusters, std::span<const SimilarPair> pairs);

}  // namespace loom::compare
