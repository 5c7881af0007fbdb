// SPDX-License-Identifier: MIT
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include <loom/motion/inverse_kinematics.h>
#include <loom/motion/kinematics.h>

namespace loom::motion {
namespace {

// A radian of a goal's orientation counts like this many metres of its position: about the length of a hand.
constexpr double kMetresPerRadian = 0.2;
constexpr double kFewerDamping = 0.3, kMoreDamping = 5.0;  // after a step that helped, and one that did not
constexpr double kLeastDamping = 1e-10, kMostDamping = 1e6;
constexpr double kStandsStill = 1e-8;  // of the largest turn in a step, radians
constexpr float kFreezes = 1e-6f;      // joints that turn less freely than this do not turn

std::size_t index(int i) { return static_cast<std::size_t>(i); }
Eigen::Vector3d to_eigen(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3 to_vec3(const Eigen::Vector3d& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

/// Levenberg and Marquardt's method on the turns of all joints above a goal, three numbers a joint in the frame of its
/// parent, and the way of the root.
///
/// The cost is Σ weight |miss|² + stiffness² Σ |turn from the given pose|². With few goals and many joints the step is
/// found in the space of the goals: x = -(g - Jᵀ (J Jᵀ + D)⁻¹ J g) / D for the gradient g and the damping D.
class DampedSolver {
 public:
  DampedSolver(const Skeleton& skeleton, std::span<const Goal> goals, const DampedOptions& options, Vec3 root,
               std::span<const Quat> rotations)
      : skeleton_(skeleton), goals_(goals), options_(options), given_(rotations.begin(), rotations.end()) {
    now_ = {root, given_, std::vector<Vec3>(skeleton.point_count()), std::vector<Quat>(skeleton.size())};
    choose_joints();
    for (const Goal& goal : goals_) rows_ += goal.orientation ? 6 : 3;
    columns_ = 3 * static_cast<Eigen::Index>(joints_.size()) + (options_.move_root ? 3 : 0);
  }

  void solve() {
    place(now_);
    double cost = cost_of(now_);
    double damping = static_cast<double>(options_.damping) * options_.damping;
    for (int round = 0; round < options_.iterations && columns_ > 0 && rows_ > 0; ++round) {
      if (everything_near()) return;
      linearise();
      // Try harder and harder damped steps until one helps; a step of nothing means there is no better place nearby.
      for (;;) {
        const Eigen::VectorXd step = step_with(std::max(damping, kLeastDamping));
        State next = moved(step);
        const double next_cost = cost_of(next);
        if (next_cost < cost) {
          const bool settled = step.cwiseAbs().maxCoeff() < kStandsStill;
          now_ = std::move(next);
          cost = next_cost;
          damping = std::max(damping * kFewerDamping, kLeastDamping);
          if (settled) return;
          break;
        }
        damping = std::max(damping, kLeastDamping) * kMoreDamping;
        if (damping > kMostDamping) return;
      }
    }
  }

  [[nodiscard]] Vec3 root() const { return now_.root; }
  [[nodiscard]] const std::vector<Quat>& rotations() const { return now_.rotations; }
  [[nodiscard]] float largest_distance() const {
    float largest = 0;
    for (const Goal& goal : goals_)
      largest = std::max(largest, distance(now_.positions[index(goal.point)], goal.position));
    return largest;
  }

 private:
  struct State {
    Vec3 root;
    std::vector<Quat> rotations;
    std::vector<Vec3> positions;
    std::vector<Quat> world;
  };

  void place(State& state) const {
    forward_kinematics(skeleton_, state.root, state.rotations, state.positions, state.world);
  }

  [[nodiscard]] int joint_of(const Goal& goal) const {
    const std::size_t point = index(goal.point);
    return point < skeleton_.size() ? goal.point : skeleton_.end_sites()[point - skeleton_.size()].joint;
  }

  [[nodiscard]] double freedom(std::size_t joint) const {
    return options_.joint_weights.empty() ? 1.0 : static_cast<double>(options_.joint_weights[joint]);
  }

  /// Only joints above a goal can do anything for it.
  void choose_joints() {
    column_.assign(skeleton_.size(), -1);
    for (const Goal& goal : goals_) {
      for (int j = joint_of(goal); j >= 0; j = skeleton_.joint(index(j)).parent) {
        if (column_[index(j)] >= 0 || freedom(index(j)) < static_cast<double>(kFreezes)) continue;
        column_[index(j)] = 3 * static_cast<Eigen::Index>(joints_.size());
        joints_.push_back(index(j));
      }
    }
  }

  [[nodiscard]] Eigen::Vector3d turn_left(const State& state, const Goal& goal) const {
    return kMetresPerRadian * to_eigen(log_vector(*goal.orientation * conjugate(state.world[index(goal.point)])));
  }

  [[nodiscard]] Eigen::Vector3d turned(const State& state, std::size_t joint) const {
    return to_eigen(log_vector(state.rotations[joint] * conjugate(given_[joint])));
  }

  [[nodiscard]] double cost_of(const State& state) const {
    double cost = 0;
    for (const Goal& goal : goals_) {
      double squares = to_eigen(goal.position - state.positions[index(goal.point)]).squaredNorm();
      if (goal.orientation) squares += turn_left(state, goal).squaredNorm();
      cost += goal.weight * squares;
    }
    const double stiffness = options_.stiffness;
    if (stiffness > 0) {
      for (const std::size_t j : joints_) {
        cost += stiffness * stiffness * turned(state, j).squaredNorm() / (freedom(j) * freedom(j));
      }
    }
    return cost;
  }

  [[nodiscard]] bool everything_near() const {
    if (options_.stiffness > 0) return false;  // near is not all that is wanted
    return std::all_of(goals_.begin(), goals_.end(), [&](const Goal& goal) {
      const bool there = distance(now_.positions[index(goal.point)], goal.position) < options_.tolerance;
      return there && (!goal.orientation || turn_left(now_, goal).norm() < static_cast<double>(options_.tolerance));
    });
  }

  /// How every goal misses and how that changes with every turn.
  void linearise() {
    jacobian_ = Eigen::MatrixXd::Zero(rows_, columns_);
    miss_.resize(rows_);
    Eigen::Index row = 0;
    for (const Goal& goal : goals_) {
      const double weight = std::sqrt(std::max(0.0, static_cast<double>(goal.weight)));
      const Vec3& point = now_.positions[index(goal.point)];
      miss_.segment<3>(row) = weight * to_eigen(goal.position - point);
      if (goal.orientation) miss_.segment<3>(row + 3) = weight * turn_left(now_, goal);
      for (int j = joint_of(goal); j >= 0; j = skeleton_.joint(index(j)).parent) {
        const Eigen::Index column = column_[index(j)];
        if (column < 0) continue;
        const int parent = skeleton_.joint(index(j)).parent;
        const Quat frame = parent < 0 ? Quat{} : now_.world[index(parent)];
        const double scale = weight * freedom(index(j));
        const Vec3 arm = point - now_.positions[index(j)];
        const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (Eigen::Index k = 0; k < 3; ++k) {
          const Vec3 axis = rotate(frame, axes[k]);
          jacobian_.block<3, 1>(row, column + k) = scale * to_eigen(cross(axis, arm));
          if (goal.orientation) jacobian_.block<3, 1>(row + 3, column + k) = scale * kMetresPerRadian * to_eigen(axis);
        }
      }
      if (options_.move_root) jacobian_.block<3, 3>(row, columns_ - 3) = weight * Eigen::Matrix3d::Identity();
      row += goal.orientation ? 6 : 3;
    }
  }

  [[nodiscard]] Eigen::VectorXd step_with(double damping) const {
    const double stiff = static_cast<double>(options_.stiffness) * options_.stiffness;
    // Against the gradient; where the pose is stiff it also goes back towards the given one.
    Eigen::VectorXd downhill = jacobian_.transpose() * miss_;
    for (const std::size_t j : joints_) downhill.segment<3>(column_[j]) -= stiff / freedom(j) * turned(now_, j);
    const double diagonal = damping + stiff;
    Eigen::MatrixXd normal = jacobian_ * jacobian_.transpose();
    normal.diagonal().array() += diagonal;
    return (downhill - jacobian_.transpose() * normal.ldlt().solve(jacobian_ * downhill)) / diagonal;
  }

  [[nodiscard]] State moved(const Eigen::VectorXd& step) const {
    State next = now_;
    for (const std::size_t j : joints_) {
      const Eigen::Vector3d turn = freedom(j) * step.segment<3>(column_[j]);
      next.rotations[j] = normalized(exp_vector(to_vec3(turn)) * now_.rotations[j]);
    }
    if (options_.move_root) next.root += to_vec3(step.tail<3>());
    place(next);
    return next;
  }

  const Skeleton& skeleton_;
  std::span<const Goal> goals_;
  const DampedOptions& options_;
  std::vector<Quat> given_;
  State now_;
  std::vector<std::size_t> joints_;   ///< that may turn
  std::vector<Eigen::Index> column_;  ///< of every joint its first column, -1 for those that may not
  Eigen::Index rows_ = 0, columns_ = 0;
  Eigen::MatrixXd jacobian_;
  Eigen::VectorXd miss_;
};

}  // namespace

float solve_damped(const Skeleton& skeleton, std::span<const Goal> goals, Vec3& root, std::span<Quat> rotations,
                   const DampedOptions& options) {
  DampedSolver solver(skeleton, goals, options, root, rotations);
  solver.solve();
  root = solver.root();
  std::copy(solver.rotations().begin(), solver.rotations().end(), rotations.begin());
  return solver.largest_distance();
}

}  // namespace loom::motion
