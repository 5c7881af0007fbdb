// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <loom/blend/inverse_blending.h>
#include <loom/blend/joint_chain.h>
#include <loom/blend/weights/inverse_weighting.h>

namespace loom::blend {
namespace {

std::size_t freedoms(const Constraint& c) {
  switch (c.kind) {
    case Constraint::Kind::kPosition:
      return 3;
    case Constraint::Kind::kLine:
      return 2;
    case Constraint::Kind::kOrientation:
      return static_cast<std::size_t>(std::popcount(static_cast<unsigned>(c.axes & 7)));
  }
  return 0;
}

/// The directions in which a constraint measures: unit vectors, one a degree of freedom.
struct Directions {
  std::array<Vec3, 3> along;
  std::size_t count = 0;
};

Directions directions_of(const Constraint& c) {
  constexpr std::array<Vec3, 3> axes = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  switch (c.kind) {
    case Constraint::Kind::kPosition:
      return {axes, 3};
    case Constraint::Kind::kLine: {
      const Vec3 line = normalized(c.direction);
      const Vec3 least = std::fabs(line.y) < 0.7f ? axes[1] : axes[0];
      const Vec3 side = normalized(cross(line, least));
      return {{side, cross(line, side), {}}, 2};
    }
    case Constraint::Kind::kOrientation: {
      Directions found;
      for (std::size_t a = 0; a < 3; ++a) {
        if ((c.axes >> a & 1) != 0) found.along[found.count++] = axes[a];
      }
      return found;
    }
  }
  return {};
}

/// What a joint at `frame` lacks: a vector in metres or radians, of which the constraint measures its directions.
Vec3 difference(const Constraint& c, const motion::JointFrame& frame) {
  if (c.kind == Constraint::Kind::kOrientation) return log_vector(frame.rotation * conjugate(c.orientation));
  return frame.position - c.point;
}

/// How the rotation vector v of a turn changes with a small turn before it about `along`: the component along a row of
/// the inverse left Jacobian of rotations, 1 - [v]/2 + (1 - |v|/2 cot(|v|/2)) [v]²/|v|².
Vec3 inverse_left_jacobian_row(Vec3 v, Vec3 along) {
  const float angle = length(v);
  const float half = 0.5f * angle;
  const float c = angle > 1e-3f ? (1 - half / std::tan(half)) / (angle * angle) : 1.0f / 12;
  // The row along·J⁻¹, with [v]ᵀ = -[v]: along + (v × along)/2 + c v × (v × along).
  return along + 0.5f * cross(v, along) + c * cross(v, cross(v, along));
}

std::string fault_of(const Constraint& c, const motion::Skeleton& skeleton, std::size_t moments) {
  if (c.moment >= moments) return fmt::format("names moment {} of {}", c.moment, moments);
  if (c.joint < 0 || static_cast<std::size_t>(c.joint) >= skeleton.size()) return "names a joint the body lacks";
  if (!JointChain::fits(skeleton, c.joint)) {
    return fmt::format("names a joint more than {} joints away from the root", JointChain::kMaxChain);
  }
  if (!is_finite(c.offset) || !is_finite(c.point) || !is_finite(c.direction) || !is_finite(c.orientation)) {
    return "has a target that is not a number";
  }
  if (!(c.priority >= 0 && c.priority <= 1)) return "has a priority outside 0 to 1";
  if (!(c.normalisation >= 0 && std::isfinite(c.normalisation))) return "has a normalisation that is no weight";
  if (c.kind == Constraint::Kind::kLine && length(c.direction) < 1e-6f) return "has a line without direction";
  if (c.kind == Constraint::Kind::kOrientation) {
    if ((c.axes & 7) == 0) return "has an orientation about no axis";
    if (std::fabs(dot(c.orientation, c.orientation) - 1) > 1e-2f) return "has an orientation that is no rotation";
  }
  return {};
}

}  // namespace

double constraint_error(const Constraint& c, const motion::JointFrame& frame) {
  const Vec3 missed = difference(c, frame);
  const Directions measured = directions_of(c);
  double sum = 0;
  for (std::size_t d = 0; d < measured.count; ++d) {
    sum += std::pow(static_cast<double>(dot(measured.along[d], missed)), 2);
  }
  return std::sqrt(sum);
}

double constraint_weight(const Constraint& c) {
  return c.priority * (c.normalisation > 0 ? c.normalisation : usual_normalisation(c.kind));
}

const char* to_string(Objective objective) { return objective == Objective::kSum ? "sum" : "squares"; }

std::optional<Objective> objective_named(std::string_view name) {
  for (const Objective objective : {Objective::kSquares, Objective::kSum}) {
    if (name == to_string(objective)) return objective;
  }
  return std::nullopt;
}

double usual_normalisation(Constraint::Kind kind) { return kind == Constraint::Kind::kOrientation ? 0.4 : 1.0; }

namespace {

/// Residuals scaled, constraint by constraint.
class Reweighted final : public Residuals {
 public:
  /// One scale a constraint.
  Reweighted(const Residuals& plain, std::span<const Constraint> constraints, std::span<const double> scales)
      : plain_(plain) {
    std::size_t row = 0;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      for (std::size_t d = 0; d < freedoms(constraints[i]); ++d) scales_[row++] = scales[i];
    }
  }

  [[nodiscard]] std::size_t size() const override { return plain_.size(); }
  void evaluate(std::span<const float> weights, std::span<double> residuals) const override {
    plain_.evaluate(weights, residuals);
    for (std::size_t row = 0; row < residuals.size(); ++row) residuals[row] *= scales_[row];
  }
  void differentiate(std::span<const float> weights, std::span<double> residuals,
                     std::span<double> jacobian) const override {
    plain_.differentiate(weights, residuals, jacobian);
    for (std::size_t row = 0; row < residuals.size(); ++row) {
      residuals[row] *= scales_[row];
      for (std::size_t e = 0; e < weights.size(); ++e) jacobian[row * weights.size() + e] *= scales_[row];
    }
  }

 private:
  const Residuals& plain_;
  std::array<double, kMaxResiduals> scales_{};
};

}  // namespace

/// The constraints with the chains they hang from, as residuals of the optimiser.
class InverseBlending::Problem final : public Residuals {
 public:
  Problem(const motion::Skeleton& skeleton, std::span<const PoseSet> moments, std::vector<Constraint> given)
      : constraints(std::move(given)) {
    for (const Constraint& c : constraints) {
      chains.emplace_back(skeleton, moments[c.moment], c.joint, c.offset);
      count_ += freedoms(c);
    }
  }

  [[nodiscard]] std::size_t size() const override { return count_; }

  void evaluate(std::span<const float> weights, std::span<double> residuals) const override {
    std::size_t row = 0;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      const Vec3 missed = difference(constraints[i], chains[i].evaluate(weights));
      const Directions measured = directions_of(constraints[i]);
      for (std::size_t d = 0; d < measured.count; ++d) {
        residuals[row++] = constraint_weight(constraints[i]) * static_cast<double>(dot(measured.along[d], missed));
      }
    }
  }

  void differentiate(std::span<const float> weights, std::span<double> residuals,
                     std::span<double> jacobian) const override {
    const std::size_t n = weights.size();
    std::array<float, 3 * kMaxExamples> position, spin;
    std::size_t row = 0;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      const bool turns = constraints[i].kind == Constraint::Kind::kOrientation;
      const motion::JointFrame frame = chains[i].differentiate(
          weights, {{position.data(), 3 * n}, turns ? std::span<float>{spin.data(), 3 * n} : std::span<float>{}});
      const Vec3 missed = difference(constraints[i], frame);
      const Directions measured = directions_of(constraints[i]);
      const auto scale = static_cast<float>(constraint_weight(constraints[i]));
      for (std::size_t d = 0; d < measured.count; ++d, ++row) {
        residuals[row] = static_cast<double>(scale) * static_cast<double>(dot(measured.along[d], missed));
        const Vec3 along = scale * (turns ? inverse_left_jacobian_row(missed, measured.along[d]) : measured.along[d]);
        const float* from = turns ? spin.data() : position.data();
        for (std::size_t e = 0; e < n; ++e) {
          jacobian[row * n + e] =
              static_cast<double>(along.x * from[e] + along.y * from[n + e] + along.z * from[2 * n + e]);
        }
      }
    }
  }

  std::vector<Constraint> constraints;
  std::vector<JointChain> chains;  ///< one a constraint

 private:
  std::size_t count_ = 0;
};

InverseBlending::InverseBlending(std::unique_ptr<Problem> problem) : problem_(std::move(problem)) {}
InverseBlending::InverseBlending(InverseBlending&&) noexcept = default;
InverseBlending& InverseBlending::operator=(InverseBlending&&) noexcept = default;
InverseBlending::~InverseBlending() = default;

Result<InverseBlending> InverseBlending::create(const motion::Skeleton& skeleton, std::span<const PoseSet> moments,
                                                std::vector<Constraint> constraints) {
  if (moments.empty() || moments[0].size() == 0) return fail("there are no examples to blend");
  if (moments[0].size() > kMaxExamples) return fail(fmt::format("at most {} examples can be blended", kMaxExamples));
  for (const PoseSet& poses : moments) {
    if (poses.size() != moments[0].size() || poses.joints != skeleton.size()) {
      return fail("the moments do not show the same examples");
    }
  }
  if (constraints.empty()) return fail("nothing is constrained");
  std::size_t total = 0;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (const std::string fault = fault_of(constraints[i], skeleton, moments.size()); !fault.empty()) {
      return fail(fmt::format("constraint {} {}", i + 1, fault));
    }
    total += freedoms(constraints[i]);
  }
  if (total > kMaxResiduals) {
    return fail(
        fmt::format("the constraints have {} degrees of freedom together; {} are the most", total, kMaxResiduals));
  }
  return InverseBlending(std::make_unique<Problem>(skeleton, moments, std::move(constraints)));
}

std::size_t InverseBlending::examples() const { return problem_->chains[0].examples(); }

void InverseBlending::retarget(std::size_t constraint, const Constraint& target) {
  Constraint& c = problem_->constraints[constraint];
  c.point = target.point;
  c.direction = target.direction;
  c.orientation = target.orientation;
}

void InverseBlending::solve(const InverseOptions& options, std::span<float> weights, InverseSolution& solution) const {
  const std::size_t n = examples(), count = problem_->constraints.size();
  assert(weights.size() == n);
  std::array<double, kMaxExamples> errors{};
  for (std::size_t i = 0; i < count; ++i) {
    const Constraint& c = problem_->constraints[i];
    for (std::size_t e = 0; e < n; ++e) {
      const double error = constraint_weight(c) * constraint_error(c, problem_->chains[i].example(e));
      errors[e] += error * error;
    }
  }
  for (std::size_t e = 0; e < n; ++e) errors[e] = std::sqrt(errors[e]);
  std::array<bool, kMaxExamples> excluded;
  start_from_nearest({errors.data(), n}, options.examples == 0 ? n : options.examples, {excluded.data(), n}, weights);
  const SimplexSolution found = solve_on_simplex(*problem_, options.solver, {excluded.data(), n}, weights);
  solution.length = found.length;
  solution.steps = found.steps;
  solution.errors.resize(count);
  measure(weights, solution.errors);
  // One constraint alone is least where its square is.
  if (options.objective == Objective::kSum && count > 1)
    make_sum_least(options, {errors.data(), n}, {excluded.data(), n}, weights, solution);
}

double InverseBlending::sum_of(std::span<const double> errors) const {
  double sum = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) sum += constraint_weight(problem_->constraints[i]) * errors[i];
  return sum;
}

/// Sums of lengths have a valley about every place where some of the constraints are met, so the descent begins at
/// several: at the least squares, where one constraint counts far more than the others, for each of them, and at the
/// examples that are nearest by themselves. The lowest end is taken.
void InverseBlending::make_sum_least(const InverseOptions& options, std::span<const double> distances,
                                     std::span<const bool> excluded, std::span<float> weights,
                                     InverseSolution& solution) const {
  constexpr double kFarMore = 10;
  constexpr std::size_t kNearest = 3;
  const std::size_t n = weights.size(), count = problem_->constraints.size();
  solution.length = sum_of(solution.errors);
  std::array<float, kMaxExamples> squares, start;
  std::copy(weights.begin(), weights.end(), squares.begin());
  const auto descend = [&] { lower_sum(options, excluded, {start.data(), n}, weights, solution); };
  start = squares;
  descend();
  for (std::size_t i = 0; i < count && solution.length > options.solver.good_enough; ++i) {
    std::array<double, kMaxResiduals> scales;
    std::fill(scales.begin(), scales.end(), 1.0);
    scales[i] = kFarMore;
    start = squares;
    const Reweighted one_first(*problem_, problem_->constraints, {scales.data(), count});
    solution.steps += solve_on_simplex(one_first, options.solver, excluded, {start.data(), n}).steps;
    descend();
  }
  std::array<std::size_t, kMaxExamples> order;
  std::iota(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n), std::size_t{0});
  const std::size_t nearest = std::min(kNearest, n);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(nearest),
                    order.begin() + static_cast<std::ptrdiff_t>(n),
                    [&](std::size_t a, std::size_t b) { return distances[a] < distances[b]; });
  for (std::size_t k = 0; k < nearest && solution.length > options.solver.good_enough; ++k) {
    // Not on the corner itself, where every way leads down a bend: mostly there.
    for (std::size_t e = 0; e < n; ++e) start[e] = 0.1f * squares[e] + (e == order[k] ? 0.9f : 0.0f);
    descend();
  }
}

/// Goes down from `tried`, which it changes: squares are weighed by what is left of each constraint, so that their sum
/// is that of the lengths, and solved again until that no longer falls (iteratively reweighted least squares, Weiszfeld
/// 1937). Where it comes out below `solution`, that is replaced, and `weights` with it.
void InverseBlending::lower_sum(const InverseOptions& options, std::span<const bool> excluded, std::span<float> tried,
                                std::span<float> weights, InverseSolution& solution) const {
  constexpr int kRounds = 30;
  constexpr double kLeastGain = 1e-4;
  constexpr double kLeast = 1e-5;  // metres: nearer counts as met
  const std::size_t count = problem_->constraints.size();
  std::array<double, kMaxResiduals> errors{}, scales{};
  const std::span<double> left(errors.data(), count);
  SimplexOptions solver = options.solver;
  solver.good_enough = std::sqrt(solver.good_enough);  // residuals are roots of lengths now
  double lowest = 0;
  const auto look = [&] {
    measure(tried, left);
    lowest = sum_of(left);
    if (lowest >= solution.length) return;
    solution.length = lowest;
    std::copy(tried.begin(), tried.end(), weights.begin());
    std::copy(left.begin(), left.end(), solution.errors.begin());
  };
  look();
  for (int round = 0; round < kRounds && lowest > options.solver.good_enough; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      scales[i] = 1 / std::sqrt(std::max(constraint_weight(problem_->constraints[i]) * left[i], kLeast));
    }
    const Reweighted reweighted(*problem_, problem_->constraints, {scales.data(), count});
    solution.steps += solve_on_simplex(reweighted, solver, excluded, tried).steps;
    const double before = lowest;
    look();
    if (lowest > (1 - kLeastGain) * before) break;
  }
}

void InverseBlending::measure(std::span<const float> weights, std::span<double> errors) const {
  for (std::size_t i = 0; i < problem_->constraints.size(); ++i) {
    errors[i] = constraint_error(problem_->constraints[i], problem_->chains[i].evaluate(weights));
  }
}

}  // namespace loom::blend
