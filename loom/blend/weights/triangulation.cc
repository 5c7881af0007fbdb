// SPDX-License-Identifier: MIT
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/blend/weights/triangulation.h>

namespace loom::blend {
namespace {

/// A set is as flat as a plane where it is thinner than this share of its size.
constexpr double kFlat = 1e-6;
/// Outside by less than this share of the set's size counts as inside: rounding, not a wish.
constexpr double kTouching = 1e-9;

using Corral = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxDimensions + 2, kMaxDimensions + 2>;
using CorralVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxDimensions + 2, 1>;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The nearest point of a convex hull to the origin `at`, by Wolfe 1976: a growing and shrinking set of points, the
/// corral, whose affine hull is searched exactly. Ends after finitely many steps.
class NearestPoint {
 public:
  NearestPoint(const ExamplePoints& points, std::span<const double> at) : points_(points), at_(at) {
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
      if (squared(i) < squared(nearest)) nearest = i;
    }
    corral_[0] = nearest;
    share_[0] = 1;
    count_ = 1;
  }

  double solve(std::span<double> weights) {
    const std::size_t most = 50 * points_.size();
    for (std::size_t step = 0; step < most; ++step) {
      find_difference();
      const std::size_t next = furthest_along();
      const double here = dot(x(), x());
      if (here - product(next) <= 1e-12 * (here + squared(next)) || holds(next)) break;
      if (count_ == points_.dimensions + 1) break;  // the point is inside: nothing is nearer
      corral_[count_] = next;
      share_[count_++] = 0;
      settle();
    }
    find_difference();
    std::fill(weights.begin(), weights.end(), 0.0);
    for (std::size_t c = 0; c < count_; ++c) weights[corral_[c]] = share_[c];
    return std::sqrt(dot(x(), x()));
  }

 private:
  [[nodiscard]] std::span<const double> x() const { return {difference_.data(), points_.dimensions}; }
  [[nodiscard]] double squared(std::size_t i) const { return squared_distance(points_[i], at_); }
  [[nodiscard]] double product(std::size_t i) const {
    double sum = 0;
    for (std::size_t d = 0; d < points_.dimensions; ++d) sum += difference_[d] * (points_[i][d] - at_[d]);
    return sum;
  }
  [[nodiscard]] bool holds(std::size_t i) const {
    return std::find(corral_.begin(), corral_.begin() + static_cast<std::ptrdiff_t>(count_), i) !=
           corral_.begin() + static_cast<std::ptrdiff_t>(count_);
  }

  void find_difference() {
    for (std::size_t d = 0; d < points_.dimensions; ++d) {
      difference_[d] = -at_[d];
      for (std::size_t c = 0; c < count_; ++c) difference_[d] += share_[c] * points_[corral_[c]][d];
    }
  }

  [[nodiscard]] std::size_t furthest_along() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points_.size(); ++i) {
      if (product(i) < product(best)) best = i;
    }
    return best;
  }

  /// The nearest point of the affine hull of the corral; while it lies outside the corral's own hull, go there as far
  /// as possible and drop the corners left behind.
  void settle() {
    while (count_ > 1) {
      const CorralVector wanted = nearest_in_affine_hull();
      double theta = 1;
      for (std::size_t c = 0; c < count_; ++c) {
        const double v = wanted(static_cast<Eigen::Index>(c));
        if (v < 0) theta = std::min(theta, share_[c] / (share_[c] - v));
      }
      for (std::size_t c = 0; c < count_; ++c) {
        share_[c] += theta * (wanted(static_cast<Eigen::Index>(c)) - share_[c]);
      }
      if (theta >= 1) return;
      drop_empty();
    }
  }

  [[nodiscard]] CorralVector nearest_in_affine_hull() const {
    const auto n = static_cast<Eigen::Index>(count_);
    Corral equations = Corral::Zero(n + 1, n + 1);
    for (Eigen::Index a = 0; a < n; ++a) {
      equations(n, a) = equations(a, n) = 1;
      for (Eigen::Index b = 0; b < n; ++b) {
        for (std::size_t d = 0; d < points_.dimensions; ++d) {
          equations(a, b) += (points_[corral_[static_cast<std::size_t>(a)]][d] - at_[d]) *
                             (points_[corral_[static_cast<std::size_t>(b)]][d] - at_[d]);
        }
      }
    }
    CorralVector right = CorralVector::Zero(n + 1);
    right(n) = 1;
    return equations.fullPivLu().solve(right).head(n);
  }

  void drop_empty() {
    std::size_t kept = 0;
    for (std::size_t c = 0; c < count_; ++c) {
      if (share_[c] <= 1e-14) continue;
      corral_[kept] = corral_[c];
      share_[kept++] = share_[c];
    }
    // Rounding may leave all corners; then the lightest goes, so that the search always ends.
    if (kept == count_) {
      const auto lightest = std::min_element(share_.begin(), share_.begin() + static_cast<std::ptrdiff_t>(count_));
      const auto which = static_cast<std::size_t>(lightest - share_.begin());
      share_[which] = share_[count_ - 1];
      corral_[which] = corral_[count_ - 1];
      --kept;
    }
    count_ = kept;
    const double sum = std::accumulate(share_.begin(), share_.begin() + static_cast<std::ptrdiff_t>(count_), 0.0);
    for (std::size_t c = 0; c < count_; ++c) share_[c] /= sum;
  }

  const ExamplePoints& points_;
  std::span<const double> at_;
  std::array<std::size_t, kMaxDimensions + 1> corral_{};
  std::array<double, kMaxDimensions + 1> share_{};
  std::size_t count_ = 0;
  std::array<double, kMaxDimensions> difference_{};  ///< from `at` to the nearest point found so far
};

}  // namespace

Result<void> Triangulation::find_span() {
  const auto n = static_cast<Eigen::Index>(points_.size()), d = static_cast<Eigen::Index>(points_.dimensions);
  const Eigen::Map<const RowMatrix> values(points_.values.data(), n, d);
  const Eigen::RowVectorXd mean = values.colwise().mean();
  const Eigen::MatrixXd centred = values.rowwise() - mean;
  radius_ = 0.5 * (values.colwise().maxCoeff() - values.colwise().minCoeff()).maxCoeff();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(centred, Eigen::ComputeThinV);
  const double largest = svd.singularValues()(0);
  if (!(largest > 1e-12 * (1 + mean.norm()))) return fail("all examples have the same parameters");
  while (rank_ < static_cast<std::size_t>(svd.singularValues().size()) &&
         svd.singularValues()(static_cast<Eigen::Index>(rank_)) > kFlat * largest) {
    ++rank_;
  }
  if (rank_ == 0) return fail("all examples have the same parameters");
  origin_.assign(mean.data(), mean.data() + d);
  basis_.resize(rank_ * points_.dimensions);
  if (rank_ == points_.dimensions) {
    // The set fills its space: keep the coordinates as they are, so that nothing is lost to rounding.
    for (std::size_t i = 0; i < rank_; ++i) basis_[i * rank_ + i] = 1;
  } else {
    Eigen::Map<RowMatrix>(basis_.data(), static_cast<Eigen::Index>(rank_), d) =
        svd.matrixV().leftCols(static_cast<Eigen::Index>(rank_)).transpose();
  }
  reduced_.resize(points_.size() * rank_);
  for (std::size_t i = 0; i < points_.size(); ++i) reduce(points_[i], {reduced_.data() + i * rank_, rank_});
  return {};
}

void Triangulation::triangulate_line() {
  std::vector<std::uint32_t> order(points_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return reduced_[a] < reduced_[b]; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (reduced_[order[i]] > reduced_[order[i - 1]]) corners_.insert(corners_.end(), {order[i - 1], order[i]});
  }
  facets_ = {-1, reduced_[order.front()], 1, -reduced_[order.back()]};
}

void Triangulation::invert_simplices() {
  const auto n = static_cast<Eigen::Index>(rank_ + 1);
  std::vector<std::uint32_t> kept;
  for (std::size_t s = 0; s < simplices(); ++s) {
    Eigen::MatrixXd columns(n, n);
    for (Eigen::Index c = 0; c < n; ++c) {
      const std::size_t point = corners(s)[static_cast<std::size_t>(c)];
      for (std::size_t r = 0; r < rank_; ++r) columns(static_cast<Eigen::Index>(r), c) = reduced_[point * rank_ + r];
      columns(n - 1, c) = 1;
    }
    // Cospherical points leave slivers without volume, which contain nothing.
    const double volume = std::fabs(columns.determinant());
    if (!(volume > 1e-12 * std::pow(radius_, static_cast<double>(rank_)))) continue;
    const RowMatrix inverse = columns.inverse();
    inverses_.insert(inverses_.end(), inverse.data(), inverse.data() + inverse.size());
    kept.insert(kept.end(), corners(s).begin(), corners(s).end());
  }
  corners_ = std::move(kept);
}

void Triangulation::reduce(std::span<const double> at, std::span<double> reduced) const {
  for (std::size_t r = 0; r < rank_; ++r) {
    reduced[r] = 0;
    for (std::size_t d = 0; d < points_.dimensions; ++d) {
      reduced[r] += basis_[r * points_.dimensions + d] * (at[d] - origin_[d]);
    }
  }
}

std::size_t Triangulation::locate(std::span<const double> at, std::span<double> coordinates) const {
  const std::size_t n = rank_ + 1;
  std::array<double, kMaxDimensions + 1> point{}, trial{};
  reduce(at, {point.data(), rank_});
  point[rank_] = 1;
  std::size_t best = 0;
  double best_least = -std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < simplices(); ++s) {
    const double* inverse = inverses_.data() + s * n * n;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < n; ++c) {
      trial[c] = dot({inverse + c * n, n}, {point.data(), n});
      least = std::min(least, trial[c]);
    }
    if (least <= best_least) continue;
    best_least = least;
    best = s;
    std::copy_n(trial.begin(), n, coordinates.begin());
  }
  return best;
}

double Triangulation::distance_outside_facets(std::span<const double> at) const {
  std::array<double, kMaxDimensions + 1> point{};
  reduce(at, {point.data(), rank_});
  point[rank_] = 1;
  double outside = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < facets_.size(); f += rank_ + 1) {
    outside = std::max(outside, dot({facets_.data() + f, rank_ + 1}, {point.data(), rank_ + 1}));
  }
  if (rank_ == points_.dimensions) return outside;
  double off = 0;  // squared distance from the set's own plane
  for (std::size_t d = 0; d < points_.dimensions; ++d) {
    double rest = at[d] - origin_[d];
    for (std::size_t r = 0; r < rank_; ++r) rest -= basis_[r * points_.dimensions + d] * point[r];
    off += rest * rest;
  }
  return std::max(outside, std::sqrt(off));
}

double Triangulation::project(std::span<const double> at, std::span<double> weights) const {
  // Off a flat set's own plane by what rounding put there is not outside.
  const double touching = rank_ == points_.dimensions ? kTouching : 10 * kFlat;
  if (distance_outside_facets(at) <= touching * radius_) return 0;
  return NearestPoint(points_, at).solve(weights);
}

std::optional<std::array<double, 2>> Triangulation::cross(std::span<const double> from,
                                                          std::span<const double> way) const {
  if (rank_ < points_.dimensions) return std::nullopt;
  std::array<double, kMaxDimensions> onward{};
  std::array<double, kMaxDimensions + 1> start{}, step{};
  for (std::size_t d = 0; d < rank_; ++d) onward[d] = from[d] + way[d];
  reduce(from, {start.data(), rank_});
  reduce({onward.data(), rank_}, {step.data(), rank_});
  for (std::size_t r = 0; r < rank_; ++r) step[r] -= start[r];
  start[rank_] = 1;
  double begin = -std::numeric_limits<double>::infinity(), end = -begin;
  for (std::size_t f = 0; f < facets_.size(); f += rank_ + 1) {
    const std::span<const double> facet{facets_.data() + f, rank_ + 1};
    const double outside = dot(facet, {start.data(), rank_ + 1}), leaving = dot(facet, {step.data(), rank_ + 1});
    if (leaving > 0) {
      end = std::min(end, -outside / leaving);
    } else if (leaving < 0) {
      begin = std::max(begin, -outside / leaving);
    } else if (outside > 0) {
      return std::nullopt;
    }
  }
  if (!(begin < end) || !std::isfinite(begin) || !std::isfinite(end)) return std::nullopt;
  return std::array{begin, end};
}

std::vector<std::byte> Triangulation::to_bytes() const {
  ByteWriter out;
  out.value<std::uint64_t>(points_.dimensions);
  out.value<std::uint64_t>(rank_);
  out.value(radius_);
  for (const std::vector<double>* numbers : {&points_.values, &origin_, &basis_, &reduced_, &inverses_, &facets_}) {
    out.array(std::span<const double>(*numbers));
  }
  out.array(std::span<const std::uint32_t>(corners_));
  return out.take();
}

Result<Triangulation> Triangulation::from_bytes(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  Triangulation made;
  made.points_.dimensions = static_cast<std::size_t>(in.value<std::uint64_t>());
  made.rank_ = static_cast<std::size_t>(in.value<std::uint64_t>());
  made.radius_ = in.value<double>();
  for (std::vector<double>* numbers :
       {&made.points_.values, &made.origin_, &made.basis_, &made.reduced_, &made.inverses_, &made.facets_}) {
    *numbers = in.array<double>();
  }
  made.corners_ = in.array<std::uint32_t>();
  if (!in.finished() || !made.is_sound()) return fail_as(ErrorKind::kDamaged, "the triangulation is damaged");
  return made;
}

/// Whether all sizes agree, all numbers are numbers, and all corners are points.
bool Triangulation::is_sound() const {
  const std::size_t dimensions = points_.dimensions, side = rank_ + 1;
  if (dimensions < 1 || dimensions > kMaxDimensions || rank_ < 1 || rank_ > dimensions) return false;
  if (points_.values.size() % dimensions != 0) return false;
  const std::size_t count = points_.size();
  if (count < 2 || count > kMaxExamples || corners_.empty() || corners_.size() % side != 0) return false;
  const bool sizes = origin_.size() == dimensions && basis_.size() == rank_ * dimensions &&
                     reduced_.size() == count * rank_ && inverses_.size() == corners_.size() * side &&
                     !facets_.empty() && facets_.size() % side == 0;
  if (!sizes || !(std::isfinite(radius_) && radius_ > 0)) return false;
  for (const std::vector<double>* numbers : {&points_.values, &origin_, &basis_, &reduced_, &inverses_, &facets_}) {
    if (!std::all_of(numbers->begin(), numbers->end(), [](double v) { return std::isfinite(v); })) return false;
  }
  return std::all_of(corners_.begin(), corners_.end(), [&](std::uint32_t corner) { return corner < count; });
}

}  // namespace loom::blend
