// SPDX-License-Identifier: MIT
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <loom/matching/nearest_frames.h>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "loom/matching/nearest_frames.cc"  // NOLINT(bugprone-macro-parentheses)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef LOOM_CONTROL_NEAREST_FRAMES_SHAPES
#define LOOM_CONTROL_NEAREST_FRAMES_SHAPES
namespace loom::matching {

inline constexpr std::size_t kBlock = 32;     // points: two cache lines a coordinate
inline constexpr std::size_t kGroup = 16;     // blocks whose boxes are looked at together: the widest vector
inline constexpr float kNowhere = 1e18f;      // where padding lies; its square still fits a float
inline constexpr std::size_t kCheckEach = 4;  // coordinates between two looks at whether a block can be dropped

}  // namespace loom::matching
#endif

HWY_BEFORE_NAMESPACE();
namespace loom::matching::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, kGroup>;

/// Squared distances of `count` boxes from the query, a multiple of 16; coordinate d of their low corners starts at
/// `low + d * stride`. Of boxes beyond `limit` the distance may be told too short, but still beyond it.
void bound_boxes(const float* HWY_RESTRICT low, const float* HWY_RESTRICT high, std::size_t stride, std::size_t dims,
                 const float* HWY_RESTRICT query, float limit, std::size_t count, float* HWY_RESTRICT bounds) {
  const Lanes d;
  const auto far = hn::Set(d, limit);
  for (std::size_t b = 0; b < count; b += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    bool near = true;
    for (std::size_t begin = 0; begin < dims && near; begin += kCheckEach) {
      for (std::size_t k = begin; k < std::min(dims, begin + kCheckEach); ++k) {
        const auto q = hn::Set(d, query[k]);
        const auto below = hn::Sub(hn::LoadU(d, low + k * stride + b), q);
        const auto above = hn::Sub(q, hn::LoadU(d, high + k * stride + b));
        const auto gap = hn::Max(hn::Max(below, above), hn::Zero(d));
        sum = hn::MulAdd(gap, gap, sum);
      }
      near = !hn::AllTrue(d, hn::Gt(sum, far));
    }
    hn::StoreU(sum, d, bounds + b);
  }
}

/// Squared distances of a block's points; false as soon as all of them are beyond `limit`.
bool scan_block(const float* HWY_RESTRICT points, std::size_t dims, const float* HWY_RESTRICT query, float limit,
                float* HWY_RESTRICT sums) {
  const Lanes d;
  const auto far = hn::Set(d, limit);
  bool any = false;
  for (std::size_t p = 0; p < kBlock; p += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    bool near = true;
    for (std::size_t begin = 0; begin < dims && near; begin += kCheckEach) {
      for (std::size_t k = begin; k < std::min(dims, begin + kCheckEach); ++k) {
        const auto gap = hn::Sub(hn::LoadU(d, points + k * kBlock + p), hn::Set(d, query[k]));
        sum = hn::MulAdd(gap, gap, sum);
      }
      near = !hn::AllTrue(d, hn::Gt(sum, far));
    }
    hn::StoreU(sum, d, sums + p);
    any |= near;
  }
  return any;
}

}  // namespace loom::matching::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace loom::matching {

HWY_EXPORT(bound_boxes);
HWY_EXPORT(scan_block);

namespace {

std::size_t round_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

/// Sorts points into a balanced tree by halving them across the widest axis, down to blocks: `order` afterwards lists
/// them leaf by leaf. Halves are whole blocks, and whole groups as long as there are several.
class BlockOrder {
 public:
  BlockOrder(std::span<const double> points, std::size_t dims) : points_(points), dims_(dims) {}

  void sort(std::span<std::uint32_t> order) const {
    if (order.size() <= kBlock) return;
    const std::size_t whole = order.size() > kBlock * kGroup ? kBlock * kGroup : kBlock;
    const std::size_t half = round_up(order.size() / 2, whole);
    if (half >= order.size()) return;
    const std::size_t axis = widest(order);
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(half), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) {
                       const double x = points_[a * dims_ + axis], y = points_[b * dims_ + axis];
                       return x != y ? x < y : a < b;
                     });
    sort(order.first(half));
    sort(order.subspan(half));
  }

 private:
  [[nodiscard]] std::size_t widest(std::span<const std::uint32_t> order) const {
    std::array<double, NearestFrames::kMaxDims> sum{}, squares{};
    for (const std::uint32_t i : order) {
      for (std::size_t k = 0; k < dims_; ++k) {
        const double x = points_[i * dims_ + k];
        sum[k] += x;
        squares[k] += x * x;
      }
    }
    std::size_t axis = 0;
    double most = -1;
    for (std::size_t k = 0; k < dims_; ++k) {
      const double spread = squares[k] - sum[k] * sum[k] / static_cast<double>(order.size());
      if (spread > most) {
        most = spread;
        axis = k;
      }
    }
    return axis;
  }

  std::span<const double> points_;
  std::size_t dims_;
};

/// What may survive a bound: beyond this squared distance in the axes nothing is as near as `cost`. `rounding` is how
/// far single precision may move a point or the query.
float limit_for(float cost, float rounding) {
  if (!(cost < kNowhere)) return kNowhere;
  const float reach = std::sqrt(cost) * (1 + 1e-5f) + rounding;
  return reach * reach * (1 + 1e-5f);
}

bool is_skipped(std::uint32_t row, NearestFrames::Skips skips) {
  return std::any_of(skips.begin(), skips.end(), [&](const NearestFrames::Skip& skip) { return skip.has(row); });
}

}  // namespace

NearestFrames::NearestFrames(std::vector<float> rows, std::size_t dims, std::span<const std::uint32_t> candidates,
                             std::vector<std::uint64_t> tags)
    : dims_(dims), candidates_(candidates.size()), rows_(std::move(rows)), tags_(std::move(tags)) {
  std::vector<double> turned;
  turn_into_axes(candidates, turned);
  std::vector<std::uint32_t> order(candidates.size());
  std::iota(order.begin(), order.end(), 0U);
  BlockOrder(turned, dims_).sort(order);
  groups_ = (candidates.size() + kBlock * kGroup - 1) / (kBlock * kGroup);
  fill_blocks(candidates, order, turned);
  fill_boxes();
}

void NearestFrames::turn_into_axes(std::span<const std::uint32_t> candidates, std::vector<double>& turned) {
  const auto n = static_cast<Eigen::Index>(dims_);
  const auto count = static_cast<double>(std::max<std::size_t>(candidates.size(), 1));
  const auto row_vector = [&](std::uint32_t r) {
    return Eigen::Map<const Eigen::VectorXf>(rows_.data() + r * dims_, n).cast<double>();
  };
  Eigen::VectorXd centre = Eigen::VectorXd::Zero(n);
  for (const std::uint32_t r : candidates) centre += row_vector(r);
  centre /= count;
  Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(n, n);
  for (const std::uint32_t r : candidates) {
    const Eigen::VectorXd x = row_vector(r) - centre;
    spread.selfadjointView<Eigen::Lower>().rankUpdate(x);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(spread);
  // Eigenvalues ascend; the widest axis is to be the first.
  const Eigen::MatrixXd axes = solver.eigenvectors().rowwise().reverse().transpose();
  centre_.assign(centre.data(), centre.data() + n);
  axes_.resize(dims_ * dims_);
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(axes_.data(), n, n) = axes;
  turned.resize(candidates.size() * dims_);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Eigen::Map<Eigen::VectorXd> at(turned.data() + i * dims_, n);
    at.noalias() = axes * (row_vector(candidates[i]) - centre);
    largest_ = std::max(largest_, static_cast<float>(at.norm()));
  }
}

void NearestFrames::fill_blocks(std::span<const std::uint32_t> candidates, std::span<const std::uint32_t> order,
                                std::span<const double> turned) {
  const std::size_t blocks = groups_ * kGroup;
  points_.assign(blocks * dims_ * kBlock, kNowhere);
  row_of_.assign(blocks * kBlock, 0);
  block_tags_.assign(blocks, 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t block = i / kBlock, lane = i % kBlock;
    const std::uint32_t row = candidates[order[i]];
    row_of_[i] = row;
    block_tags_[block] |= tags_.empty() ? kAll : tags_[row];
    for (std::size_t k = 0; k < dims_; ++k) {
      points_[(block * dims_ + k) * kBlock + lane] = static_cast<float>(turned[order[i] * dims_ + k]);
    }
  }
}

void NearestFrames::fill_boxes() {
  const std::size_t stride = round_up(groups_, kGroup);
  block_low_.assign(groups_ * dims_ * kGroup, kNowhere);
  block_high_.assign(groups_ * dims_ * kGroup, kNowhere);
  group_low_.assign(dims_ * stride, kNowhere);
  group_high_.assign(dims_ * stride, kNowhere);
  for (std::size_t i = 0; i < candidates_; ++i) {
    const std::size_t block = i / kBlock, group = block / kGroup;
    for (std::size_t k = 0; k < dims_; ++k) {
      const float x = points_[(block * dims_ + k) * kBlock + i % kBlock];
      const std::size_t in_group = (group * dims_ + k) * kGroup + block % kGroup;
      const bool first_of_block = i % kBlock == 0, first_of_group = i % (kBlock * kGroup) == 0;
      block_low_[in_group] = first_of_block ? x : std::min(block_low_[in_group], x);
      block_high_[in_group] = first_of_block ? x : std::max(block_high_[in_group], x);
      float& low = group_low_[k * stride + group];
      float& high = group_high_[k * stride + group];
      low = first_of_group ? x : std::min(low, x);
      high = first_of_group ? x : std::max(high, x);
    }
  }
}

std::size_t NearestFrames::memory() const {
  const std::size_t floats = rows_.size() + points_.size() + row_of_.size() + block_low_.size() + block_high_.size() +
                             group_low_.size() + group_high_.size();
  return floats * sizeof(float) + (tags_.size() + block_tags_.size()) * sizeof(std::uint64_t) +
         (centre_.size() + axes_.size()) * sizeof(double);
}

NearestFrames::Found NearestFrames::scan(std::span<const float> query, std::span<const float> shares,
                                         std::uint64_t tags, Skips skips, Test test) const {
  Found best{0, std::numeric_limits<float>::infinity()};
  for (const std::uint32_t row : std::span(row_of_).first(candidates_)) {
    if (is_skipped(row, skips)) continue;
    if (!tags_.empty() && (tags_[row] & tags) == 0) continue;
    const float* at = rows_.data() + row * dims_;
    float sum = 0;
    for (std::size_t k = 0; k < dims_; ++k) {
      const float gap = query[k] - at[k];
      sum += shares[k] * gap * gap;
    }
    const bool nearer = sum < best.cost || (sum == best.cost && row < best.row);
    if (nearer && test.admits(row)) best = {row, sum};
  }
  return best;
}

float NearestFrames::cost(std::span<const float> query, std::uint32_t r) const {
  const float* at = rows_.data() + r * dims_;
  float sum = 0;
  for (std::size_t k = 0; k < dims_; ++k) {
    const float gap = query[k] - at[k];
    sum += gap * gap;
  }
  return sum;
}

NearestFrames::Room::Room(const NearestFrames& frames)
    : bounds_(round_up(frames.groups_, kGroup)), in_order_(frames.groups_) {}

/// A search under way.
struct NearestFrames::Search {
  std::span<const float> query;        ///< as asked
  std::array<float, kMaxDims> turned;  ///< the same in the axes
  std::uint64_t tags;
  Skips skips;
  Test test;
  Found best;
  bool found = false;  ///< whether `best` is a candidate, and no longer what the caller brought
  float rounding = 0;
  float limit = 0;  ///< nothing beyond this can be nearer than `best`
  Effort effort;
};

NearestFrames::Found NearestFrames::find(std::span<const float> query, Found best, Room& room, std::uint64_t tags,
                                         Skips skips, Test test) const {
  Search search{query, {}, tags, skips, test, best, false, 0, 0, {}};
  double norm = 0;
  for (std::size_t a = 0; a < dims_; ++a) {
    double sum = 0;
    for (std::size_t k = 0; k < dims_; ++k) sum += axes_[a * dims_ + k] * (static_cast<double>(query[k]) - centre_[k]);
    search.turned[a] = static_cast<float>(sum);
    norm += sum * sum;
  }
  search.rounding = 1e-6f * (static_cast<float>(std::sqrt(norm)) + largest_);
  search.limit = limit_for(best.cost, search.rounding);

  const std::size_t stride = room.bounds_.size();
  HWY_DYNAMIC_DISPATCH(bound_boxes)
  (group_low_.data(), group_high_.data(), stride, dims_, search.turned.data(), search.limit, stride,
   room.bounds_.data());
  std::size_t worth = 0;
  for (std::uint32_t g = 0; g < groups_; ++g) {
    if (room.bounds_[g] <= search.limit) room.in_order_[worth++] = {room.bounds_[g], g};
  }
  std::sort(room.in_order_.begin(), room.in_order_.begin() + static_cast<std::ptrdiff_t>(worth));
  for (std::size_t i = 0; i < worth && room.in_order_[i].first <= search.limit; ++i) {
    search_group(room.in_order_[i].second, search);
  }
  room.effort = search.effort;
  return search.best;
}

void NearestFrames::search_group(std::size_t group, Search& search) const {
  ++search.effort.groups;
  std::array<float, kGroup> bounds{};
  const std::size_t at = group * dims_ * kGroup;
  HWY_DYNAMIC_DISPATCH(bound_boxes)
  (block_low_.data() + at, block_high_.data() + at, kGroup, dims_, search.turned.data(), search.limit, kGroup,
   bounds.data());
  std::array<std::pair<float, std::size_t>, kGroup> in_order;
  std::size_t worth = 0;
  for (std::size_t b = 0; b < kGroup; ++b) {
    const std::size_t block = group * kGroup + b;
    if (bounds[b] <= search.limit && (block_tags_[block] & search.tags) != 0) in_order[worth++] = {bounds[b], block};
  }
  std::sort(in_order.begin(), in_order.begin() + static_cast<std::ptrdiff_t>(worth));
  for (std::size_t i = 0; i < worth && in_order[i].first <= search.limit; ++i) search_block(in_order[i].second, search);
}

void NearestFrames::search_block(std::size_t block, Search& search) const {
  ++search.effort.blocks;
  std::array<float, kBlock> sums{};
  if (!HWY_DYNAMIC_DISPATCH(scan_block)(points_.data() + block * dims_ * kBlock, dims_, search.turned.data(),
                                        search.limit, sums.data())) {
    return;
  }
  for (std::size_t p = 0; p < kBlock; ++p) {
    if (!(sums[p] <= search.limit)) continue;
    const std::uint32_t row = row_of_[block * kBlock + p];
    if (!tags_.empty() && (tags_[row] & search.tags) == 0) continue;
    if (is_skipped(row, search.skips)) continue;
    ++search.effort.measured;
    const float exact = cost(search.query, row);
    const bool nearer =
        exact < search.best.cost || (search.found && exact == search.best.cost && row < search.best.row);
    if (nearer && search.test.admits(row)) {
      search.best = {row, exact};
      search.found = true;
      search.limit = limit_for(exact, search.rounding);
    }
  }
}

}  // namespace loom::matching
#endif  // HWY_ONCE
