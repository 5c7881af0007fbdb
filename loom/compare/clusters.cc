// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/compare/clusters.h>
#include <loom/compare/cpu/cpu_tile.h>
#include <loom/compare/detail/confirm.h>
#include <loom/compare/detail/sweep.h>
#include <loom/compare/k_means.h>

namespace loom::compare {
namespace {

/// The cloud of `frame` seen from the ground frame of its root, each coordinate times the root of its weight, so that
/// plain distances between such rows are weighted ones.
void describe_cloud(const PointCloud& metric, std::size_t frame, float* row) {
  const CloudTable& table = metric.table();
  const motion::GroundFrame back = motion::inverse(metric.frames().ground[frame]);
  const double* weight = metric.cloud_weights().data();
  for (std::size_t t = 0; t < table.taps.size(); ++t) {
    for (const std::size_t joint : table.joints) {
      const Vec3 p = transform(back, metric.frames().position(frame + t - table.half_window, joint));
      const auto root = static_cast<float>(std::sqrt(*weight++));
      for (const float coordinate : {p.x, p.y, p.z}) *row++ = root * coordinate;
    }
  }
}

Result<Clusters> group(const PointCloud& metric, std::span<const motion::Stance> stances,
                       const ClusterOptions& options) {
  const std::size_t frames = metric.frames().frames();
  if (options.clusters == 0) return fail("no clusters were asked for");
  if (!stances.empty() && stances.size() != frames) {
    return fail(fmt::format("{} stances were given for {} frames", stances.size(), frames));
  }
  Clusters clusters{std::vector<std::uint32_t>(frames, kNoCluster), 0};
  const std::size_t width = 3 * metric.cloud_weights().size();
  using motion::Stance;
  for (const Stance category : {Stance::kFlight, Stance::kLeft, Stance::kRight, Stance::kDouble}) {
    std::vector<std::size_t> members;
    for (std::size_t f = 0; f < frames; ++f) {
      const Stance stance = stances.empty() ? Stance::kFlight : stances[f];
      if (stance == category && metric.comparable(f)) members.push_back(f);
    }
    std::vector<float> rows(members.size() * width);
    parallel_for(members.size(), 256, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) describe_cloud(metric, members[n], rows.data() + n * width);
    });
    const auto groups = k_means(rows, width, options.clusters, options.iterations, options.seed);
    std::uint32_t last = 0;
    for (std::size_t n = 0; n < members.size(); ++n) {
      clusters.of_frame[members[n]] = static_cast<std::uint32_t>(clusters.count) + groups[n];
      last = std::max(last, groups[n] + 1);
    }
    clusters.count += last;
  }
  return clusters;
}

/// The members of a cluster as poses of (2L + 1) × points points: whole windows, so that no filter over frames is
/// left to do. Taken about the windows' means, which makes these zero.
CloudTable gather_windows(const PointCloud& metric, const std::vector<std::uint32_t>& members) {
  const CloudTable& from = metric.table();
  CloudTable table;
  table.frames = members.size();
  table.points = metric.cloud_weights().size();
  table.weights = metric.cloud_weights();
  table.taps = {1.0};
  table.starts = {0, members.size()};
  table.by_frame.resize(table.frames * table.points);
  table.by_coordinate.resize(3 * table.frames * table.points);
  table.mean_x.assign(table.frames, 0.0);
  table.mean_z.assign(table.frames, 0.0);
  table.centroid_x.assign(table.frames, 0.0f);
  table.centroid_z.assign(table.frames, 0.0f);
  table.largest_energy = from.largest_energy;
  for (std::size_t n = 0; n < members.size(); ++n) {
    const std::size_t f = members[n];
    const Vec3* window = from.by_frame.data() + (f - from.half_window) * from.points;
    for (std::size_t k = 0; k < table.points; ++k) {
      const Vec3 p{static_cast<float>(window[k].x - from.mean_x[f]), window[k].y,
                   static_cast<float>(window[k].z - from.mean_z[f])};
      table.by_frame[n * table.points + k] = p;
      float* coordinate = table.by_coordinate.data() + 3 * k * table.frames + n;
      coordinate[0] = p.x;
      coordinate[table.frames] = p.y;
      coordinate[2 * table.frames] = p.z;
    }
    table.energy.push_back(from.energy[f]);
    table.spread.push_back(static_cast<float>(from.energy[f]));
  }
  return table;
}

std::vector<std::vector<std::uint32_t>> members_of(const Clusters& clusters) {
  std::vector<std::vector<std::uint32_t>> members(clusters.count);
  for (std::size_t f = 0; f < clusters.of_frame.size(); ++f) {
    if (clusters.of_frame[f] != kNoCluster) members[clusters.of_frame[f]].push_back(static_cast<std::uint32_t>(f));
  }
  return members;
}

std::uint64_t pairs_of(std::uint64_t frames) { return frames < 2 ? 0 : frames * (frames - 1) / 2; }

Result<PairsFound> search(const PointCloud& metric, const Clusters& clusters, const PairQuery& query, bool local_minima,
                          const Progress& progress) {
  if (auto good = check(metric, query); !good) return fail_from(good);
  if (clusters.of_frame.size() != metric.frames().frames()) return fail("the clusters are of another set of frames");
  const auto groups = members_of(clusters);
  Stopwatch watch;
  PairsFound result;
  std::uint64_t compared = 0;
  for (std::size_t c = 0; c < groups.size(); ++c) {
    const auto& members = groups[c];
    const CloudTable table = gather_windows(metric, members);
    const std::vector<Piece> pieces = cover(members.size(), cpu_back_end().preferred_piece());
    std::vector<std::vector<SimilarPair>> found(pieces.size());
    parallel_for(pieces.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) {
        std::vector<Candidate> candidates;
        // Whether a pair is a minimum is seen among its neighbours in time, which are not here: `confirm` looks.
        cpu::find_cloud_candidates(table, pieces[n], {query.threshold, false}, candidates);
        for (Candidate& pair : candidates) pair = {members[pair.i], members[pair.j]};
        confirm(metric, query, local_minima, candidates, found[n]);
      }
    });
    for (const auto& part : found) result.pairs.insert(result.pairs.end(), part.begin(), part.end());
    if (result.pairs.size() > query.max_pairs) return too_many_pairs(query);
    compared += pairs_of(members.size());
    if (!progress.report(static_cast<double>(c + 1) / static_cast<double>(groups.size()), "comparing frames")) {
      return fail_as(ErrorKind::kStopped, "comparing was stopped");
    }
  }
  std::sort(result.pairs.begin(), result.pairs.end(),
            [](const SimilarPair& a, const SimilarPair& b) { return a.a != b.a ? a.a < b.a : a.b < b.b; });
  result.stats = watch.stats(compared);
  return result;
}

}  // namespace

Result<Clusters> cluster_frames(const PointCloud& metric, std::span<const motion::Stance> stances,
                                const ClusterOptions& options) {
  return within_memory("comparing so many frames", [&] { return group(metric, stances, options); });
}

Result<PairsFound> find_pairs_in_clusters(const PointCloud& metric, const Clusters& clusters, const PairQuery& query,
                                          bool local_minima, const Progress& progress) {
  return within_memory("comparing so many frames",
                       [&] { return search(metric, clusters, query, local_minima, progress); });
}

ClusterMeasure measure_clusters(const Clusters& clusters, std::span<const SimilarPair> pairs) {
  ClusterMeasure measure;
  std::uint64_t comparable = 0;
  for (const auto& members : members_of(clusters)) {
    comparable += members.size();
    measure.compared_pairs += pairs_of(members.size());
  }
  measure.all_pairs = pairs_of(comparable);
  measure.wanted = pairs.size();
  for (const SimilarPair& pair : pairs) measure.kept += clusters.of_frame[pair.a] == clusters.of_frame[pair.b];
  return measure;
}

}  // namespace loom::compare
