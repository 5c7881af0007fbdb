// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <mutex>
#include <span>
#include <utility>

#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/compare/detail/confirm.h>
#include <loom/compare/detail/near_pairs.h>
#include <loom/compare/detail/near_tree.h>
#include <loom/compare/detail/sweep.h>
#include <loom/compare/detail/told_cloud.h>

namespace loom::compare {
namespace {

using cpu::kCoarseFloor, cpu::kCoarseHeights, cpu::kCoarseNumbers;
using cpu::kFineFloor, cpu::kFineHeights, cpu::kFineNumbers, cpu::kNearBlock;

constexpr double kRounding = 0x1.0p-24;    ///< the largest relative error of a rounding
constexpr std::size_t kSampled = 2048;     ///< frames that the principal axes are found of
constexpr std::size_t kChunkBlocks = 512;  ///< of columns that are looked at together: 300 kB of a second-level cache
constexpr std::size_t kStripBlocks = 32;   ///< one task; the blocks either side are looked at twice
constexpr std::size_t kWidest = 16;        ///< floats of the widest vector
constexpr std::size_t kTriedBlocks = 48;   ///< that `cost` looks at
constexpr double kEveryPairCycles = 6.2;   ///< of comparing all, a pair with 8 markers and 11 frames (cpu_tile.h)
constexpr double kGroupCycles = 60;        ///< a block and a group of them, or of groups, by their middles
constexpr double kBoundCycles = 50;        ///< two blocks, pair by pair
constexpr double kPairCycles = 90;         ///< a pair along its window, with what follows
/// Which of the rows before, of and after a pair are looked at for nearer ones, the likeliest first: valleys of the
/// distance run along diagonals.
constexpr std::uint32_t kRowsLookedAt[3] = {2, 0, 1};

/// The principal axes that clouds are told by, the longest first.
struct Axes {
  Eigen::MatrixXd heights;  ///< a column each
  Eigen::MatrixXcd floor;
};

/// How high each point is on average. Distances do not ask from where heights are counted, and counted from there they
/// are small: so is rounding, and no axis is spent on what all clouds have.
std::vector<double> usual_heights(const CloudTable& table) {
  std::vector<double> heights(table.points, 0);
  for (std::size_t n = 0; n < table.frames * table.points; ++n) {
    heights[n % table.points] += static_cast<double>(table.by_frame[n].y);
  }
  for (double& height : heights) height /= static_cast<double>(std::max<std::size_t>(table.frames, 1));
  return heights;
}

void read_cloud(const PointCloud& metric, const std::vector<double>& usual, std::size_t frame, CloudVector& out) {
  const CloudTable& table = metric.table();
  const std::vector<double>& weights = metric.cloud_weights();
  const Vec3* points = table.by_frame.data() + (frame - table.half_window) * table.points;
  const auto size = static_cast<Eigen::Index>(weights.size());
  out.heights.resize(size);
  out.floor.resize(size);
  for (std::size_t n = 0; n < weights.size(); ++n) {
    const double root = std::sqrt(weights[n]);
    const auto at = static_cast<Eigen::Index>(n);
    out.heights[at] = root * (points[n].y - usual[n % table.points]);
    out.floor[at] = root * std::complex<double>(points[n].x - table.mean_x[frame], points[n].z - table.mean_z[frame]);
  }
}

Axes principal_axes(const PointCloud& metric, const std::vector<double>& usual) {
  const std::vector<std::uint32_t> frames = comparable_frames(metric);
  const std::size_t step = std::max<std::size_t>(1, frames.size() / kSampled),
                    count = (frames.size() + step - 1) / step;
  const auto size = static_cast<Eigen::Index>(metric.cloud_weights().size());
  Eigen::MatrixXd heights(size, static_cast<Eigen::Index>(count));
  Eigen::MatrixXcd floor(size, static_cast<Eigen::Index>(count));
  CloudVector cloud;
  for (std::size_t n = 0; n < count; ++n) {
    read_cloud(metric, usual, frames[n * step], cloud);
    heights.col(static_cast<Eigen::Index>(n)) = cloud.heights;
    floor.col(static_cast<Eigen::Index>(n)) = cloud.floor;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> of_heights(heights * heights.transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> of_floor(floor * floor.adjoint());
  const Eigen::Index h = std::min<Eigen::Index>(size, kFineHeights), f = std::min<Eigen::Index>(size, kFineFloor);
  return {of_heights.eigenvectors().rightCols(h).rowwise().reverse(),
          of_floor.eigenvectors().rightCols(f).rowwise().reverse()};
}

float up(double value) { return std::nextafter(static_cast<float>(value), cpu::kInfinity); }

/// Whether `other` is beside `hit`, and nearer by more than `slack`.
bool undercuts(const cpu::NearHit& other, const cpu::NearHit& hit, float slack) {
  const bool beside = (other.column - hit.column + 1) <= 2;
  return beside & (other.distance < hit.distance - slack);
}

/// A neighbour of a pair that rounding does not tell from it.
struct Doubtful {
  float distance = 0;  ///< within rounding
  Candidate pair;
};

/// Whether one of `others` is nearer than `pair`, or as near and comes before it. Asks the one first that seems
/// nearest: where somebody stands still, nearly all pairs have one that is.
bool any_nearer(const Metric& metric, const Candidate& pair, double distance, std::vector<Doubtful>& others) {
  const auto nearest = std::min_element(others.begin(), others.end(),
                                        [](const Doubtful& a, const Doubtful& b) { return a.distance < b.distance; });
  if (nearest != others.end()) std::iter_swap(others.begin(), nearest);
  return std::any_of(others.begin(), others.end(), [&](const Doubtful& other) {
    const double there = metric.distance(other.pair.i, other.pair.j);
    return there < distance || (there == distance && std::pair(other.pair.i, other.pair.j) < std::pair(pair.i, pair.j));
  });
}

}  // namespace

struct NearPairs::Row {
  std::uint32_t frame = 0;
  std::vector<cpu::NearHit> hits;  ///< by ascending column: at or under the threshold, within rounding
  std::uint64_t compared = 0;      ///< pairs
};

struct NearPairs::Strip {
  std::vector<Row> rows;            ///< of consecutive blocks
  std::vector<cpu::NearRows> left;  ///< one a block
  NearBlocks tree;
  std::vector<std::vector<std::uint32_t>> blocks;  ///< near each
  std::array<std::vector<cpu::NearHit>, kNearBlock> found;
};

NearPairs::NearPairs(const PointCloud& metric) : metric_(metric) {
  const CloudTable& from = metric.table();
  table_.points = from.points;
  table_.half_window = from.half_window;
  const auto window = static_cast<double>(metric.cloud_weights().size());
  // Each of the partial sums of C and S has two products a step, and they are added up; left sides were rounded once,
  // right sides twice. What that makes of a sum of products is bounded by the energies' mean (Cauchy and Schwarz), of C
  // and S together by sqrt 2 times as much; closing takes four roundings of the energies.
  const double steps = std::ceil(window / static_cast<double>(cpu::near_lanes()));
  const double roundings = 2 * steps + std::log2(static_cast<double>(cpu::near_lanes())) + 5;
  rounding_ = up(kRounding * (1.42 * roundings + 4));
  usual_heights_ = usual_heights(from);
  lay_out_blocks();
  reduce();
  bound_margin_ = up(256 * kRounding * largest_energy_);

  const std::size_t coordinates = from.frames * from.points;
  for (cpu::AlignedFloats* floats : {&table_.x, &table_.y, &table_.z}) floats->reserve(coordinates + kWidest);
  for (std::size_t n = 0; n < coordinates; ++n) {
    table_.x.data()[n] = from.by_frame[n].x;
    table_.y.data()[n] = static_cast<float>(from.by_frame[n].y - usual_heights_[n % from.points]);
    table_.z.data()[n] = from.by_frame[n].z;
  }
  table_.mean_x.assign(from.mean_x.begin(), from.mean_x.end());
  table_.mean_z.assign(from.mean_z.begin(), from.mean_z.end());
}

void NearPairs::lay_out_blocks() {
  const std::vector<std::uint32_t> frames = comparable_frames(metric_);
  // Between clips some frames are not comparable, so that those of a block are of one clip where they are consecutive.
  for (std::size_t n = 0; n < frames.size();) {
    std::size_t end = n + 1;
    while (end < frames.size() && end < n + kNearBlock && frames[end] == frames[end - 1] + 1) ++end;
    table_.first.push_back(frames[n]);
    table_.count.push_back(static_cast<std::uint8_t>(end - n));
    n = end;
  }
  table_.blocks = table_.first.size();
}

void NearPairs::reduce() {
  table_.energy.assign(metric_.table().frames, 0);
  table_.fine.reserve(table_.blocks * kFineNumbers * kNearBlock);
  if (table_.blocks == 0) return;
  std::vector<Coarse> middles(table_.blocks);
  const Axes axes = principal_axes(metric_, usual_heights_);
  parallel_for(table_.blocks, 256, [&](std::size_t begin, std::size_t end) {
    CloudVector cloud;
    Eigen::VectorXd heights;
    Eigen::VectorXcd floor;
    for (std::size_t b = begin; b < end; ++b) {
      std::array<Coarse, kNearBlock> coarse;
      float* const fine = table_.fine.data() + b * kFineNumbers * kNearBlock;
      for (std::size_t r = 0; r < kNearBlock; ++r) {
        Fine told;
        told.energy = static_cast<double>(cpu::kInfinity);
        if (r < table_.count[b]) {
          read_cloud(metric_, usual_heights_, table_.first[b] + r, cloud);
          heights.noalias() = axes.heights.transpose() * cloud.heights;
          floor.noalias() = axes.floor.adjoint() * cloud.floor;
          told = Fine(cloud, heights, floor);
          coarse[r] = Coarse(cloud, heights, floor);
          table_.energy[table_.first[b] + r] = static_cast<float>(told.energy);
        } else {
          coarse[r].energy = told.energy;
        }
        const auto put = [&](std::size_t n, double value) { fine[n * kNearBlock + r] = static_cast<float>(value); };
        coarse[r].write(put);
        put(kCoarseNumbers - 1, coarse[r].energy);
        told.write(put, kCoarseNumbers, kCoarseHeights, kCoarseFloor);
      }
      middles[b] = Coarse(std::span<const Coarse>(coarse).first(table_.count[b]));
    }
  });
  grow_trees(middles, table_);
  largest_energy_ = static_cast<double>(*std::max_element(table_.energy.begin(), table_.energy.end()));
}

void NearPairs::lay_out_rows(std::size_t block, cpu::NearRows& rows) const {
  const CloudTable& from = metric_.table();
  const std::vector<double>& weights = metric_.cloud_weights();
  for (std::size_t r = 0; r < table_.count[block]; ++r) {
    const std::size_t frame = table_.first[block] + r;
    const Vec3* points = from.by_frame.data() + (frame - from.half_window) * from.points;
    for (auto* floats : {&rows.x[r], &rows.y[r], &rows.z[r]}) {
      floats->reserve(weights.size() + kWidest);
      std::fill_n(floats->data() + weights.size(), kWidest, 0.0f);  // there may be something longer from before
    }
    for (std::size_t n = 0; n < weights.size(); ++n) {
      rows.x[r].data()[n] = static_cast<float>(2 * weights[n] * (points[n].x - from.mean_x[frame]));
      rows.y[r].data()[n] = static_cast<float>(2 * weights[n] * (points[n].y - usual_heights_[n % from.points]));
      rows.z[r].data()[n] = static_cast<float>(2 * weights[n] * (points[n].z - from.mean_z[frame]));
    }
    rows.energy[r] = table_.energy[frame];
  }
}

void NearPairs::look(std::size_t begin, std::size_t end, double threshold, Strip& strip) const {
  const float most = up(threshold), reach = up(std::sqrt(threshold)) + kTinyLength;
  const float limit = up(threshold + static_cast<double>(bound_margin_));
  strip.rows.clear();
  strip.left.resize(std::max(strip.left.size(), end - begin));
  strip.blocks.resize(std::max(strip.blocks.size(), end - begin));
  std::vector<std::size_t> looked_at(end - begin, 0);
  for (std::size_t b = begin; b < end; ++b) {
    const auto near = strip.tree.find(table_, b, reach, bound_margin_ + kTinyLength);
    strip.blocks[b - begin].assign(near.begin(), near.end());
    lay_out_rows(b, strip.left[b - begin]);
    for (std::uint32_t r = 0; r < table_.count[b]; ++r) strip.rows.push_back({table_.first[b] + r, {}, 0});
  }
  // Chunk by chunk, so that all rows meet its columns while these are at hand.
  for (std::size_t chunk = begin / kChunkBlocks * kChunkBlocks; chunk < table_.blocks; chunk += kChunkBlocks) {
    const std::size_t past = std::min(chunk + kChunkBlocks, table_.blocks);
    auto row = strip.rows.begin();
    for (std::size_t b = begin; b < end; ++b) {
      std::vector<std::uint32_t>& near = strip.blocks[b - begin];
      std::size_t& at = looked_at[b - begin];
      const std::size_t before = at;
      while (at < near.size() && near[at] < past) ++at;
      if (at == before) {
        row += table_.count[b];
        continue;
      }
      cpu::near_frames(table_, b, std::span(near).subspan(before, at - before), limit, strip.found);
      for (std::size_t r = 0; r < table_.count[b]; ++r, ++row) {
        auto& found = strip.found[r];
        if (!found.empty() && found.front().column <= row->frame) {
          std::erase_if(found, [&](const cpu::NearHit& hit) { return hit.column <= row->frame; });
        }
        cpu::near_distances(table_, strip.left[b - begin], r, found);
        row->compared += found.size();
        std::size_t hits = row->hits.size();
        row->hits.resize(hits + found.size());
        for (const cpu::NearHit& hit : found) {  // without a branch: what is too far is written over
          row->hits[hits] = hit;
          hits += hit.distance <= most + margin(row->frame, hit.column) ? 1 : 0;
        }
        row->hits.resize(hits);
        found.clear();
      }
    }
  }
}

void NearPairs::confirm(const PairQuery& query, bool local_minima, const Strip& strip, std::size_t n,
                        std::vector<SimilarPair>& pairs) const {
  const Row& row = strip.rows[n];
  // The hits of the rows before, of and after it, each with a cursor: all come by ascending column.
  std::array<std::span<const cpu::NearHit>, 3> around{{{}, row.hits, {}}};
  if (n > 0 && strip.rows[n - 1].frame + 1 == row.frame) around[0] = strip.rows[n - 1].hits;
  if (n + 1 < strip.rows.size() && strip.rows[n + 1].frame == row.frame + 1) around[2] = strip.rows[n + 1].hits;
  std::array<std::size_t, 3> cursor{};
  std::vector<Doubtful> doubtful;
  const float widest_slack =
      up(2 * static_cast<double>(rounding_) * (static_cast<double>(table_.energy[row.frame]) + largest_energy_));
  for (std::size_t h = 0; h < row.hits.size(); ++h) {
    const cpu::NearHit& hit = row.hits[h];
    // Most have a nearer one beside them in their row.
    if (local_minima && ((h > 0 && undercuts(row.hits[h - 1], hit, widest_slack)) ||
                         (h + 1 < row.hits.size() && undercuts(row.hits[h + 1], hit, widest_slack)))) {
      continue;
    }
    const Candidate pair{row.frame, hit.column};
    const float own = margin(pair.i, pair.j);
    bool least = true;
    doubtful.clear();
    for (const std::uint32_t a : kRowsLookedAt) {
      if (!local_minima || !least) break;
      const auto& hits = around[a];
      std::size_t k = a == 1 ? h - std::min<std::size_t>(h, 1) : cursor[a];
      while (k < hits.size() && hits[k].column + 1 < hit.column) ++k;
      cursor[a] = k;
      for (; k < hits.size() && hits[k].column <= hit.column + 1; ++k) {
        const Candidate other{row.frame + a - 1, hits[k].column};
        if (a == 1 && other.j == pair.j) continue;
        const float slack = own + margin(other.i, other.j);
        if (hits[k].distance < hit.distance - slack) least = false;
        if (hits[k].distance <= hit.distance + slack) doubtful.push_back({hits[k].distance, other});
      }
    }
    if (!least || !admitted(metric_, query, pair)) continue;
    const double distance = metric_.distance(pair.i, pair.j);
    if (distance > query.threshold) continue;
    // Beside the diagonal some neighbours are pairs of a frame with an earlier one, or with itself.
    if (local_minima && (pair.j <= pair.i + 2 ? !is_local_minimum(metric_, pair, distance)
                                              : any_nearer(metric_, pair, distance, doubtful))) {
      continue;
    }
    pairs.push_back({pair.i, pair.j, static_cast<float>(distance)});
  }
}

double NearPairs::cost(double threshold) const {
  if (table_.blocks < 2) return 1;
  Random random(1);
  NearBlocks tree;
  std::vector<std::uint32_t> blocks;
  std::array<std::vector<cpu::NearHit>, kNearBlock> found;
  double all = 0, near_blocks = 0, near_frames = 0;
  for (std::size_t n = 0; n < kTriedBlocks; ++n) {
    const std::size_t block = random.index(table_.blocks);
    const auto near = tree.find(table_, block, up(std::sqrt(threshold)) + kTinyLength, bound_margin_ + kTinyLength);
    blocks.assign(near.begin(), near.end());
    all += static_cast<double>(table_.blocks - block);
    near_blocks += static_cast<double>(near.size());
    cpu::near_frames(table_, block, blocks, up(threshold + static_cast<double>(bound_margin_)), found);
    for (auto& row : found) {
      near_frames += static_cast<double>(row.size());
      row.clear();
    }
  }
  // Other clouds than the usual ones take longer both ways, by about their size.
  const double larger = static_cast<double>(metric_.cloud_weights().size()) / 88;
  const double near = kGroupCycles * static_cast<double>(tree.groups_seen()) + kBoundCycles * near_blocks +
                      kPairCycles * larger * near_frames;
  return near / (kEveryPairCycles * std::sqrt(larger) * static_cast<double>(cpu::kNearPairs) * all);
}

Result<PairsFound> NearPairs::find(const PairQuery& query, bool local_minima, const RowRange& rows,
                                   const Progress& progress) const {
  const auto before = [&](std::size_t frame) {  // how many blocks begin before it
    return static_cast<std::size_t>(std::lower_bound(table_.first.begin(), table_.first.end(), frame) -
                                    table_.first.begin());
  };
  const std::size_t past_block = before(rows.end);
  std::size_t first_block = before(rows.begin);
  if (first_block > 0 && table_.first[first_block - 1] + table_.count[first_block - 1] > rows.begin) --first_block;
  const std::size_t blocks = first_block < past_block ? past_block - first_block : 0;
  const std::size_t strips = (blocks + kStripBlocks - 1) / kStripBlocks;
  std::vector<std::vector<SimilarPair>> pairs(strips);
  std::atomic<std::size_t> found = 0;
  std::atomic<std::uint64_t> compared = 0;
  std::atomic<bool> stopped = false;
  std::mutex reporting;
  std::size_t done = 0;
  const Stopwatch watch;
  parallel_for(strips, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin; s < end && !stopped; ++s) {
      thread_local Strip strip;
      const std::size_t first = first_block + s * kStripBlocks, last = std::min(first + kStripBlocks, past_block);
      // A minimum is seen among its neighbours, so the blocks either side are looked at, too.
      const std::size_t from = first - (local_minima && first > 0);
      const std::size_t to = std::min(last + (local_minima ? 1 : 0), table_.blocks);
      look(from, to, query.threshold, strip);
      const std::size_t begin_row = std::max<std::size_t>(rows.begin, table_.first[first]);
      const std::size_t end_row = std::min<std::size_t>(rows.end, table_.first[last - 1] + table_.count[last - 1]);
      for (std::size_t n = 0; n < strip.rows.size(); ++n) {
        if (strip.rows[n].frame < begin_row || strip.rows[n].frame >= end_row) continue;
        confirm(query, local_minima, strip, n, pairs[s]);
        compared += strip.rows[n].compared;
      }
      if ((found += pairs[s].size()) > query.max_pairs) stopped = true;
      const std::scoped_lock lock(reporting);
      const double share = static_cast<double>(++done) / static_cast<double>(strips);
      if (!stopped && !progress.report(share, "comparing frames")) stopped = true;
    }
  });
  if (found > query.max_pairs) return too_many_pairs(query);
  if (stopped) return fail_as(ErrorKind::kStopped, "comparing was stopped");
  PairsFound result;
  result.pairs.reserve(found);
  for (auto& part : pairs) {
    result.pairs.insert(result.pairs.end(), part.begin(), part.end());
    part = {};
  }
  result.stats = watch.stats(compared, pairs_of(comparable_frames(metric_), rows) - compared);
  return result;
}

}  // namespace loom::compare
