// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/compare/k_means.h>

namespace loom::compare {
namespace {

constexpr std::size_t kPointsAtATime = 512;

/// In eight partial sums, which the compiler turns into vectors without changing the result from run to run.
float squared_distance(const float* a, const float* b, std::size_t width) {
  float sums[8] = {};
  std::size_t n = 0;
  for (; n + 8 <= width; n += 8) {
    for (std::size_t l = 0; l < 8; ++l) {
      const float d = a[n + l] - b[n + l];
      sums[l] += d * d;
    }
  }
  for (; n < width; ++n) sums[0] += (a[n] - b[n]) * (a[n] - b[n]);
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

class KMeans {
 public:
  KMeans(std::span<const float> points, std::size_t width, std::size_t clusters)
      : points_(points), width_(width), count_(points.size() / width), clusters_(std::min(clusters, count_)) {}

  std::vector<std::uint32_t> run(std::size_t iterations, std::uint64_t seed) {
    group_.assign(count_, 0);
    if (clusters_ < 2) return group_;
    choose_first_means(seed);
    for (std::size_t n = 0; n < iterations && assign(); ++n) update_means();
    return in_use();
  }

 private:
  [[nodiscard]] const float* point(std::size_t n) const { return points_.data() + n * width_; }

  /// Each next mean is a point drawn with a chance that grows with its squared distance from the means so far.
  void choose_first_means(std::uint64_t seed) {
    Random random(seed);
    std::vector<float> nearest(count_, std::numeric_limits<float>::max());
    std::size_t chosen = random.index(count_);
    for (std::size_t c = 0; c < clusters_; ++c) {
      const float* mean = point(chosen);
      means_.insert(means_.end(), mean, mean + width_);
      parallel_for(count_, kPointsAtATime, [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
          nearest[n] = std::min(nearest[n], squared_distance(point(n), mean, width_));
        }
      });
      double total = 0;
      for (const float d : nearest) total += d;
      double draw = random.uniform(0, total);
      for (chosen = 0; chosen + 1 < count_ && (draw -= nearest[chosen]) >= 0;) ++chosen;
    }
  }

  /// Puts every point to its nearest mean, the first of equals; whether any moved.
  bool assign() {
    std::vector<std::uint32_t> now(count_);
    parallel_for(count_, kPointsAtATime, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) {
        float least = std::numeric_limits<float>::max();
        for (std::size_t c = 0; c < clusters_; ++c) {
          const float d = squared_distance(point(n), means_.data() + c * width_, width_);
          if (d < least) least = d, now[n] = static_cast<std::uint32_t>(c);
        }
      }
    });
    const bool moved = now != group_;
    group_ = std::move(now);
    return moved;
  }

  /// A group that lost all its points keeps its mean.
  void update_means() {
    std::vector<double> sums(clusters_ * width_, 0.0);
    std::vector<std::size_t> members(clusters_, 0);
    for (std::size_t n = 0; n < count_; ++n) {
      double* sum = sums.data() + group_[n] * width_;
      for (std::size_t w = 0; w < width_; ++w) sum[w] += point(n)[w];
      ++members[group_[n]];
    }
    for (std::size_t c = 0; c < clusters_; ++c) {
      if (members[c] == 0) continue;
      for (std::size_t w = 0; w < width_; ++w) {
        means_[c * width_ + w] = static_cast<float>(sums[c * width_ + w] / static_cast<double>(members[c]));
      }
    }
  }

  /// The groups renumbered without the empty ones.
  [[nodiscard]] std::vector<std::uint32_t> in_use() const {
    std::vector<std::uint32_t> name(clusters_, 0);
    for (const std::uint32_t c : group_) name[c] = 1;
    std::uint32_t next = 0;
    for (std::uint32_t& n : name) n = n ? next++ : 0;
    std::vector<std::uint32_t> renamed;
    renamed.reserve(count_);
    for (const std::uint32_t c : group_) renamed.push_back(name[c]);
    return renamed;
  }

  std::span<const float> points_;
  std::size_t width_, count_, clusters_;
  std::vector<float> means_;  ///< clusters × width
  std::vector<std::uint32_t> group_;
};

}  // namespace

std::vector<std::uint32_t> k_means(std::span<const float> points, std::size_t width, std::size_t clusters,
                                   std::size_t iterations, std::uint64_t seed) {
  return points.empty() ? std::vector<std::uint32_t>{} : KMeans(points, width, clusters).run(iterations, seed);
}

}  // namespace loom::compare
