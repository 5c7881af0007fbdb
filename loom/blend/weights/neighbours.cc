// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <nanoflann.hpp>

#include <loom/base/random.h>
#include <loom/blend/weights/neighbours.h>

namespace loom::blend {
namespace {

constexpr std::size_t kMaxNeighbours = 32;

/// The points as nanoflann wants to see them. Their number of coordinates is fixed, for with a variable number it
/// would allocate in every query; the unused ones are zero and change no distance.
struct PointCloud {
  const std::vector<double>& points;

  [[nodiscard]] std::size_t kdtree_get_point_count() const { return points.size() / kMaxDimensions; }
  [[nodiscard]] double kdtree_get_pt(std::size_t i, std::size_t d) const { return points[i * kMaxDimensions + d]; }
  template <class Box>
  bool kdtree_get_bbox(Box& /*box*/) const {
    return false;
  }
};

/// The examples from the nearest to the point of example `i` to the furthest, itself first.
std::vector<std::size_t> nearest_first(const ExamplePoints& points, std::size_t i) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto squared = [&](std::size_t j) { return j == i ? -1 : squared_distance(points[i], points[j]); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return squared(a) < squared(b); });
  return order;
}

}  // namespace

struct Neighbours::Tree {
  using Index = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, PointCloud>, PointCloud,
                                                    static_cast<int>(kMaxDimensions), std::uint32_t>;
  explicit Tree(const std::vector<double>& points) : cloud{points}, index(kMaxDimensions, cloud) {}

  PointCloud cloud;
  Index index;
};

Neighbours::Neighbours(std::shared_ptr<const Triangulation> space, const BlendModel& model,
                       const NeighbourOptions& options)
    : Weighting(std::move(space)) {
  const ExamplePoints& points = this->space().points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    points_.insert(points_.end(), points[i].begin(), points[i].end());
    points_.resize((i + 1) * kMaxDimensions);
    shares_.resize((i + 1) * points.size());
    shares_[i * points.size() + i] = 1;
  }
  add_pseudo_examples(model, options);
  neighbours_ =
      std::min({std::max<std::size_t>(options.neighbours, 2), kMaxNeighbours, points_.size() / kMaxDimensions});
  tree_ = std::make_unique<Tree>(points_);
}

Neighbours::~Neighbours() = default;

void Neighbours::add_pseudo_examples(const BlendModel& model, const NeighbourOptions& options) {
  const ExamplePoints& points = space().points();
  const std::size_t n = points.size();
  std::vector<std::vector<std::size_t>> order;
  for (std::size_t i = 0; i < n; ++i) order.push_back(nearest_first(points, i));
  Random random(options.seed);
  std::array<double, kMaxDimensions> at{};
  for (std::size_t p = 0; p < options.pseudo_examples; ++p) {
    // A random member of the simplex of an example and a few of its neighbours, uniformly (exponentials, normalised).
    const std::vector<std::size_t>& near = order[random.index(n)];
    const std::size_t reach = std::min(n, 3 * points.dimensions + 1);
    const std::size_t parts = std::min(n, points.dimensions + 1);
    std::vector<float> share(n);
    share[near[0]] = static_cast<float>(-std::log(1 - random.uniform()));
    for (std::size_t c = 1; c < parts; ++c) {
      share[near[random.index(reach)]] += static_cast<float>(-std::log(1 - random.uniform()));
    }
    const float sum = std::accumulate(share.begin(), share.end(), 0.0f);
    for (float& s : share) s /= sum;
    at.fill(0);
    model.evaluate(share, {at.data(), points.dimensions});
    points_.insert(points_.end(), at.begin(), at.end());
    shares_.insert(shares_.end(), share.begin(), share.end());
  }
}

std::optional<double> Neighbours::weigh_at(std::span<const double> at, std::span<float> weights) const {
  std::array<double, kMaxDimensions> point{};
  std::copy(at.begin(), at.end(), point.begin());
  std::array<std::uint32_t, kMaxNeighbours> found{};
  std::array<double, kMaxNeighbours> squared{};
  const std::size_t count = tree_->index.knnSearch(point.data(), neighbours_, found.data(), squared.data());
  std::array<double, kMaxNeighbours> share{};
  const double furthest = std::sqrt(squared[count - 1]);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double away = std::sqrt(squared[i]);
    // In the place of an example all others count for nothing.
    share[i] = away > 1e-9 * (furthest + 1e-300) ? 1 / away - 1 / furthest : 1e12;
    sum += share[i];
  }
  if (!(sum > 0)) {  // all equally far
    std::fill_n(share.begin(), count, 1.0);
    sum = static_cast<double>(count);
  }
  std::fill(weights.begin(), weights.end(), 0.0f);
  for (std::size_t i = 0; i < count; ++i) {
    const float factor = static_cast<float>(share[i] / sum);
    const float* blended = shares_.data() + std::size_t{found[i]} * weights.size();
    for (std::size_t e = 0; e < weights.size(); ++e) weights[e] += factor * blended[e];
  }
  return std::nullopt;
}

}  // namespace loom::blend
