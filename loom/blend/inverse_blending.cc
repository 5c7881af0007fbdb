// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>

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

double factor(const Constraint& c) {
  return c.priority * (c.normalisation > 0 ? c.normalisation : usual_normalisation(c.kind));
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

/// By how much a joint at `frame` misses the constraint: metres or radians.
double missed_by(const Constraint& c, const motion::JointFrame& frame) {
  const Vec3 missed = difference(c, frame);
  const Directions measured = directions_of(c);
  double sum = 0;
  for (std::size_t d = 0; d < measured.count; ++d) {
    sum += std::pow(static_cast<double>(dot(measured.along[d], missed)), 2);
  }
  return std::sqrt(sum);
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

double usual_normalisation(Constraint::Kind kind) { return kind == Constraint::Kind::kOrientation ? 0.4 : 1.0; }

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
        residuals[row++] = factor(constraints[i]) * static_cast<double>(dot(measured.along[d], missed));
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
      const auto scale = static_cast<float>(factor(constraints[i]));
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
  const std::size_t n = examples();
  assert(weights.size() == n);
  std::array<double, kMaxExamples> errors{};
  for (std::size_t i = 0; i < problem_->constraints.size(); ++i) {
    const Constraint& c = problem_->constraints[i];
    for (std::size_t e = 0; e < n; ++e) {
      errors[e] += std::pow(factor(c) * missed_by(c, problem_->chains[i].example(e)), 2);
    }
  }
  for (std::size_t e = 0; e < n; ++e) errors[e] = std::sqrt(errors[e]);
  std::array<bool, kMaxExamples> excluded;
  start_from_nearest({errors.data(), n}, options.examples == 0 ? n : options.examples, {excluded.data(), n}, weights);
  optimise(options.solver, {excluded.data(), n}, weights, solution);
}

void InverseBlending::optimise(const SimplexOptions& options, std::span<const bool> excluded, std::span<float> weights,
                               InverseSolution& solution) const {
  const SimplexSolution found = solve_on_simplex(*problem_, options, excluded, weights);
  solution.length = found.length;
  solution.steps = found.steps;
  solution.errors.resize(problem_->constraints.size());
  measure(weights, solution.errors);
}

void InverseBlending::measure(std::span<const float> weights, std::span<double> errors) const {
  for (std::size_t i = 0; i < problem_->constraints.size(); ++i) {
    errors[i] = missed_by(problem_->constraints[i], problem_->chains[i].evaluate(weights));
  }
}

}  // namespace loom::blend
