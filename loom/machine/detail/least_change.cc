// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>

#include <nlopt.h>

#include <loom/machine/detail/least_change.h>

namespace loom::machine {
namespace {

constexpr double kHolds = 1e-9;      ///< how far a condition may be off for the solver
constexpr double kAccepted = 1e-6;   ///< and in the end
constexpr double kMostCost = 60;     ///< no probability is less than 1e-26
constexpr double kLeastLeft = 1e-9;  ///< of a row, on the way to where something is left
constexpr int kMostSteps = 3000;

double distance(unsigned count, const double* x, double* gradient, void* data) {
  const auto& wanted = static_cast<const LeastChange*>(data)->wanted;
  double sum = 0;
  for (unsigned i = 0; i < count; ++i) {
    const double off = x[i] - wanted[i];
    sum += 0.5 * off * off;
    if (gradient != nullptr) gradient[i] = off;
  }
  return sum;
}

/// A limit, with the rows it speaks of.
struct Condition {
  const LeastChange* problem = nullptr;
  const LeastChange::Limit* limit = nullptr;
};

double excess(unsigned count, const double* x, double* gradient, void* data) {
  const auto& [problem, limit] = *static_cast<const Condition*>(data);
  if (gradient != nullptr) std::fill(gradient, gradient + count, 0.0);
  double sum = -limit->most;
  for (const auto& [index, factor] : limit->terms) {
    sum += factor * x[index];
    if (gradient != nullptr) gradient[index] += factor;
  }
  for (const auto& [row, factor] : limit->leavings) {
    double left = 1;
    for (const std::size_t index : problem->rows[row].members) left -= std::exp(-x[index]);
    left = std::max(left, kLeastLeft);
    sum -= factor * std::log(left);
    if (gradient == nullptr) continue;
    for (const std::size_t index : problem->rows[row].members) gradient[index] -= factor * std::exp(-x[index]) / left;
  }
  return sum;
}

double row_excess(unsigned count, const double* x, double* gradient, void* data) {
  const auto& row = *static_cast<const LeastChange::Row*>(data);
  if (gradient != nullptr) std::fill(gradient, gradient + count, 0.0);
  double sum = -row.sum;
  for (const std::size_t index : row.members) {
    const double probability = std::exp(-x[index]);
    sum += probability;
    if (gradient != nullptr) gradient[index] = -probability;
  }
  return sum;
}

struct Destroy {
  void operator()(nlopt_opt solver) const { nlopt_destroy(solver); }
};

/// Whether all conditions hold, whatever the solver says.
bool all_hold(std::vector<Condition>& conditions, std::vector<LeastChange::Row>& rows, const std::vector<double>& x) {
  const auto count = static_cast<unsigned>(x.size());
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); }) &&
         std::all_of(conditions.begin(), conditions.end(),
                     [&](Condition& limit) { return excess(count, x.data(), nullptr, &limit) <= kAccepted; }) &&
         std::all_of(rows.begin(), rows.end(), [&](LeastChange::Row& row) {
           const double off = row_excess(count, x.data(), nullptr, &row);
           return row.exact ? std::abs(off) <= kAccepted : off <= kAccepted;
         });
}

}  // namespace

Result<std::vector<double>> solve_least_change(const LeastChange& problem) {
  LeastChange given = problem;  // the solver takes what is not const
  const std::size_t count = given.wanted.size();
  const std::unique_ptr<nlopt_opt_s, Destroy> solver(nlopt_create(NLOPT_LD_SLSQP, static_cast<unsigned>(count)));
  if (!solver) return fail_as(ErrorKind::kOutOfMemory, "no memory for changing a machine");
  nlopt_set_min_objective(solver.get(), distance, &given);
  nlopt_set_lower_bounds1(solver.get(), given.least);
  nlopt_set_upper_bounds1(solver.get(), kMostCost);
  std::vector<Condition> conditions;
  for (const auto& limit : given.limits) conditions.push_back({&given, &limit});
  for (auto& condition : conditions) nlopt_add_inequality_constraint(solver.get(), excess, &condition, kHolds);
  for (auto& row : given.rows) {
    if (row.exact) {
      nlopt_add_equality_constraint(solver.get(), row_excess, &row, kHolds);
    } else {
      nlopt_add_inequality_constraint(solver.get(), row_excess, &row, kHolds);
    }
  }
  nlopt_set_xtol_rel(solver.get(), 1e-12);
  nlopt_set_ftol_rel(solver.get(), 1e-14);
  nlopt_set_maxeval(solver.get(), kMostSteps);
  std::vector<double> x = given.start;
  for (double& value : x) value = std::clamp(value, given.least, kMostCost);
  double off = 0;
  nlopt_optimize(solver.get(), x.data(), &off);
  if (!all_hold(conditions, given.rows, x)) return fail("no probabilities were found that meet all of it");
  return x;
}

}  // namespace loom::machine
