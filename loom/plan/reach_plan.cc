// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/motion/kinematics.h>
#include <loom/plan/detail/inside_something.h>
#include <loom/plan/detail/push_out.h>
#include <loom/plan/detail/timed_action.h>
#include <loom/plan/reach_plan.h>
#include <loom/plan/walk_plan.h>
#include <loom/polish/plant_feet.h>

namespace loom::plan {
namespace {

using blend::Constraint;
using blend::JointTarget;
using motion::GroundFrame;

/// Tries, each with another seed. Planting feet moves a body by millimetres, so that what was clear may touch: more
/// distance helps, unless there is no way with more.
constexpr std::array<double, 5> kMoreMargin{0, 0.01, 0.005, 0.02, 0};
/// How often the end is put right for what planting and other weights before it have moved.
constexpr int kRounds = 3;
/// Weights that miss by less need no motion to be made to know so: metres, or radians.
constexpr double kGoodEnough = 5e-4;
/// Frames around the ends and the strokes, where the targets alone say what the body does: what touches there does so
/// with every way in between.
constexpr std::size_t kSettled = 2;

struct MethodName {
  ReachMethod method;
  const char* name;
};
constexpr std::array<MethodName, 4> kNames{{{ReachMethod::kInverse, "inverse"},
                                            {ReachMethod::kField, "field"},
                                            {ReachMethod::kTree, "tree"},
                                            {ReachMethod::kBoth, "both"}}};

Constraint constraint_of(const JointTarget& target) {
  Constraint constraint;
  constraint.kind = target.kind;
  constraint.moment = target.stroke;
  constraint.joint = target.joint;
  constraint.point = target.point;
  constraint.direction = target.direction;
  constraint.orientation = target.orientation;
  constraint.axes = target.axes;
  return constraint;
}

/// Plans the action of somebody who stands in one place.
class ReachPlanner {
 public:
  ReachPlanner(const ActionSpace& space, const blend::MotionMaker& maker, const world::World& world,
               world::Collision& collision, const GroundFrame& stand, std::span<const JointTarget> targets,
               const ReachOptions& options)
      : space_(space),
        maker_(maker),
        world_(world),
        collision_(collision),
        stand_(stand),
        options_(options),
        placed_(space.scratch()) {
    for (const JointTarget& target : targets) wanted_.push_back(seen_from(stand, target));
  }

  Result<ReachPlan> run(const Progress& progress);

 private:
  /// The obstacle that a pose touches.
  std::optional<std::size_t> touched(std::size_t slice, std::span<const float> weights, double margin) {
    const auto touch = collision_.touch(capsules_at(slice, weights), seconds_[slice], margin);
    return touch ? std::optional(touch->obstacle) : std::nullopt;
  }
  /// What the body takes. The motion that meets the targets is asked for often, and kept.
  std::span<const motion::Capsule> capsules_at(std::size_t slice, std::span<const float> weights) {
    const bool straight = weights.data() == weights_.data();
    if (straight && !straight_[slice].empty()) return straight_[slice];
    space_.place(slice, weights, stand_, placed_);
    if (straight) straight_[slice] = placed_.capsules;
    return placed_.capsules;
  }
  /// Weights that meet what is asked for, feet not planted.
  Result<std::vector<float>> weights_for(std::span<const JointTarget> asked);
  /// Whether a touch is one that no other way between the marks would change.
  [[nodiscard]] bool is_settled(const ReachPlan& plan, std::size_t frame) const;
  Result<void> solve_targets();
  Result<void> check_ends();
  /// A way from one mark to the next: the weights that meet the targets at both, others in between where need be.
  Result<std::vector<WeightNode>> way_between(std::size_t first, std::size_t last, double margin, std::uint64_t seed,
                                              ReachPlan& plan);
  Result<WeightPath> find_path(double margin, std::uint64_t seed, ReachPlan& plan);
  /// Gives the nodes of a path at which targets are met other weights.
  void meet_with(std::span<const float> weights, WeightPath& path) const;
  Result<void> make_motion(ReachPlan& plan);
  [[nodiscard]] std::string name_of(std::size_t obstacle) const { return in_quotes(world_.obstacles[obstacle].name); }
  [[nodiscard]] std::vector<std::size_t> marks() const;

  const ActionSpace& space_;
  const blend::MotionMaker& maker_;
  const world::World& world_;
  world::Collision& collision_;
  GroundFrame stand_;
  const ReachOptions& options_;
  ActionSpace::Placed placed_;
  std::vector<JointTarget> wanted_;                     ///< seen from where the action begins
  std::optional<blend::InverseBlending> problem_;       ///< of the targets
  std::vector<std::vector<motion::Capsule>> straight_;  ///< by slice, of `weights_`; empty: not asked for yet
  std::vector<float> weights_;                          ///< that meet the targets
  std::vector<double> seconds_;                         ///< of each slice, with these weights
  bool field_failed_ = false;                           ///< what potentials found did not hold: trees take over
};

std::vector<std::size_t> ReachPlanner::marks() const {
  std::vector<std::size_t> marks = {0, space_.slices() - 1};
  for (std::size_t i = 0; i < space_.space().strokes().size(); ++i) marks.push_back(space_.stroke_slice(i));
  std::sort(marks.begin(), marks.end());
  marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
  return marks;
}

Result<std::vector<float>> ReachPlanner::weights_for(std::span<const JointTarget> asked) {
  if (!problem_) {
    auto problem = blend::constrain(space_.space(), asked);
    if (!problem) return fail_from(problem);
    problem_.emplace(std::move(*problem));
  }
  for (std::size_t n = 0; n < asked.size(); ++n) problem_->retarget(n, constraint_of(asked[n]));
  // At strokes a motion shows the blend of the examples' poses exactly, so that the solver's errors are its own.
  std::vector<float> weights(space_.examples());
  blend::InverseSolution solution;
  problem_->solve({}, weights, solution);
  const bool met =
      std::all_of(solution.errors.begin(), solution.errors.end(), [](double error) { return error < kGoodEnough; });
  if (met) return weights;
  auto made = maker_.reach(asked, {.plant_feet = false});
  if (!made) return fail_from(made);
  return std::move(made->weights);
}

bool ReachPlanner::is_settled(const ReachPlan& plan, std::size_t frame) const {
  const auto near = [&](std::size_t mark) { return frame + kSettled >= mark && frame <= mark + kSettled; };
  return near(0) || near(plan.blended.clip.frames() - 1) ||
         std::any_of(plan.blended.strokes.begin(), plan.blended.strokes.end(), near);
}

Result<void> ReachPlanner::solve_targets() {
  auto weights = weights_for(wanted_);  // what planting moves is put right when motion is made
  if (!weights) return fail_from(weights);
  std::vector<double> errors(wanted_.size());
  problem_->measure(*weights, errors);
  const double error = *std::max_element(errors.begin(), errors.end());
  if (error > options_.most_missed) {
    const JointTarget& first = wanted_.front();
    space_.place(space_.stroke_slice(first.stroke), *weights, stand_, placed_);
    const Vec3 nearest = placed_.positions[static_cast<std::size_t>(first.joint)];
    return fail_as(
        ErrorKind::kNotFound,
        fmt::format("the target is out of reach from ({:.2f}, {:.2f}): no blend of the examples comes nearer "
                    "than {:.3f}; the nearest it gets is {:.2f},{:.2f},{:.2f}",
                    stand_.x, stand_.z, error, nearest.x, nearest.y, nearest.z));
  }
  weights_ = std::move(*weights);
  straight_.assign(space_.slices(), {});
  seconds_ = {0};
  for (std::size_t s = 1; s < space_.slices(); ++s) {
    seconds_.push_back(seconds_.back() + space_.seconds_after(s - 1, weights_));
  }
  return {};
}

Result<void> ReachPlanner::check_ends() {
  if (const auto obstacle = touched(0, weights_, 0)) {
    return fail_as(ErrorKind::kBadInput, fmt::format("whoever stands at ({:.2f}, {:.2f}) touches {}", stand_.x,
                                                     stand_.z, name_of(*obstacle)));
  }
  for (const JointTarget& target : wanted_) {
    const auto obstacle = touched(space_.stroke_slice(target.stroke), weights_, 0);
    if (!obstacle) continue;
    return fail_as(ErrorKind::kNotFound,
                   fmt::format("the target cannot be met from ({:.2f}, {:.2f}): at the stroke the body is in {}",
                               stand_.x, stand_.z, name_of(*obstacle)));
  }
  return {};
}

Result<std::vector<WeightNode>> ReachPlanner::way_between(std::size_t first, std::size_t last, double margin,
                                                          std::uint64_t seed, ReachPlan& plan) {
  // The ends are free, if only just: what lies at them is not asked to keep its distance.
  std::size_t blocking = 0;
  const IsFree is_free = [&](std::size_t slice, std::span<const float> weights) {
    const auto obstacle = touched(slice, weights, slice == first || slice == last ? 0 : margin);
    if (obstacle) blocking = *obstacle;
    return !obstacle;
  };
  const std::vector<WeightNode> straight = {{first, weights_}, {last, weights_}};
  bool free = true;
  for (std::size_t s = first; s <= last && free; ++s) free = is_free(s, weights_);
  if (free) return straight;
  if (options_.method == ReachMethod::kField || (options_.method == ReachMethod::kBoth && !field_failed_)) {
    const CollisionPotential potential(space_, sphere_middles(world_, stand_, seconds_[first]), stand_);
    auto way = push_way_out(potential, first, last, weights_, is_free);
    if (!way.empty()) {
      plan.by = std::max(plan.by, ReachMethod::kField);
      return way;
    }
  }
  if (options_.method == ReachMethod::kTree || options_.method == ReachMethod::kBoth) {
    if (is_free(first, weights_) && is_free(last, weights_)) {
      WeightSearchOptions search = options_.search;
      search.seed = seed;
      plan.search = search_weights(first, last, weights_, is_free, search);
      if (plan.search.way) {
        plan.by = ReachMethod::kTree;
        return std::move(*plan.search.way);
      }
    }
  }
  return fail_as(ErrorKind::kNotFound,
                 fmt::format("no way to the target was found from ({:.2f}, {:.2f}): {} is in the way", stand_.x,
                             stand_.z, name_of(blocking)));
}

Result<WeightPath> ReachPlanner::find_path(double margin, std::uint64_t seed, ReachPlan& plan) {
  WeightPath path;
  const std::vector<std::size_t> at = marks();
  for (std::size_t m = 0; m + 1 < at.size(); ++m) {
    auto way = way_between(at[m], at[m + 1], margin, seed, plan);
    if (!way) return fail_from(way);
    if (!path.nodes.empty()) path.nodes.pop_back();  // it begins the next
    path.nodes.insert(path.nodes.end(), way->begin(), way->end());
  }
  return path;
}

void ReachPlanner::meet_with(std::span<const float> weights, WeightPath& path) const {
  for (WeightNode& node : path.nodes) {
    const bool met = std::any_of(wanted_.begin(), wanted_.end(), [&](const JointTarget& target) {
      return space_.stroke_slice(target.stroke) == node.slice;
    });
    if (met) node.weights.assign(weights.begin(), weights.end());
  }
}

/// Makes the motion of `plan.path`, and puts right what planting feet moves at the stroke: what is missed is asked for
/// on top.
Result<void> ReachPlanner::make_motion(ReachPlan& plan) {
  std::vector<JointTarget> asked = wanted_;
  for (int round = 0; round < kRounds; ++round) {
    auto made = timed_action(space_, plan.path, wanted_.front().joint);
    if (!made) return fail_from(made);
    plan.blended = std::move(*made);
    if (options_.plant_feet) {
      const auto planted = polish::plant_feet(plan.blended, blend::planting_for(space_.space()));
      if (!planted) return fail_from(planted);
    }
    measure_targets(plan, wanted_);
    if (*std::max_element(plan.errors.begin(), plan.errors.end()) < options_.most_missed / 2) return {};
    for (std::size_t n = 0; n < wanted_.size(); ++n) {
      const std::size_t frame = plan.blended.strokes[wanted_[n].stroke];
      const motion::Clip& clip = plan.blended.clip;
      const auto reached = motion::joint_frame(*clip.skeleton, wanted_[n].joint, clip.roots[frame], clip.pose(frame));
      if (wanted_[n].kind == Constraint::Kind::kOrientation) {
        asked[n].orientation = normalized(wanted_[n].orientation * conjugate(reached.rotation) * asked[n].orientation);
      } else {
        asked[n].point += wanted_[n].point - reached.position;
      }
    }
    const auto better = weights_for(asked);
    if (!better) return fail_from(better);
    meet_with(*better, plan.path);
  }
  return {};
}

Result<ReachPlan> ReachPlanner::run(const Progress& progress) {
  if (auto solved = solve_targets(); !solved) return fail_from(solved);
  if (auto clear = check_ends(); !clear) return fail_from(clear);
  ReachPlan plan;
  std::size_t touching = 0;
  for (std::size_t s = 0; s < space_.slices(); ++s) touching += touched(s, weights_, 0) ? 1 : 0;
  plan.straight_touches = static_cast<double>(touching) / static_cast<double>(space_.slices());
  Error last;
  double blocked = std::numeric_limits<double>::infinity();  // the least that no way was found with
  for (std::size_t attempt = 0; attempt < kMoreMargin.size(); ++attempt) {
    if (kMoreMargin[attempt] >= blocked) continue;
    if (!progress.report(static_cast<double>(attempt) / kMoreMargin.size(), "looking for a way to the target"))
      return fail_as(ErrorKind::kStopped, "stopped while looking for a way to the target");
    plan.by = ReachMethod::kInverse;
    auto path = find_path(options_.margin + kMoreMargin[attempt], options_.search.seed + attempt, plan);
    if (!path && attempt == 0) return fail_from(path);  // nor will there be one with more distance
    if (!path) {
      blocked = kMoreMargin[attempt];
      continue;
    }
    plan.path = std::move(*path);
    if (auto made = make_motion(plan); !made) return fail_from(made);
    motion::move(plan.blended.clip, stand_);
    const std::vector<Collided> collided = find_collisions(plan.blended.clip, space_.body(), collision_);
    const bool met = *std::max_element(plan.errors.begin(), plan.errors.end()) <= options_.most_missed;
    if (collided.empty() && met) return plan;
    last = Error{collided.empty()
                     ? fmt::format("the target was missed by {:.3f}", plan.hand_error_m)
                     : fmt::format("no way to the target was found: {} is touched", name_of(collided.front().obstacle)),
                 {},
                 0,
                 ErrorKind::kNotFound};
    if (options_.method == ReachMethod::kInverse) break;
    const auto settled = [&](const Collided& touch) { return is_settled(plan, touch.frame); };
    if (std::any_of(collided.begin(), collided.end(), settled)) break;
    if (plan.by == ReachMethod::kField) field_failed_ = true;
  }
  return tl::unexpected(last);
}

}  // namespace

const char* to_string(ReachMethod method) {
  for (const MethodName& one : kNames) {
    if (one.method == method) return one.name;
  }
  return "";
}

std::optional<ReachMethod> reach_method_named(std::string_view name) {
  for (const MethodName& one : kNames) {
    if (one.name == name) return one.method;
  }
  return {};
}

void measure_targets(ReachPlan& plan, std::span<const JointTarget> targets) {
  plan.errors.clear();
  plan.hand_error_m = 0;
  for (const JointTarget& target : targets) {
    const std::size_t frame = plan.blended.strokes[target.stroke];
    const motion::Clip& clip = plan.blended.clip;
    const double error = blend::constraint_error(
        constraint_of(target), motion::joint_frame(*clip.skeleton, target.joint, clip.roots[frame], clip.pose(frame)));
    plan.errors.push_back(error);
    if (target.kind != Constraint::Kind::kOrientation) plan.hand_error_m = std::max(plan.hand_error_m, error);
  }
}

JointTarget seen_from(const GroundFrame& stand, JointTarget target) {
  const GroundFrame back = inverse(stand);
  target.point = transform(back, target.point);
  target.direction = rotate(back.rotation(), target.direction);
  target.orientation = back.rotation() * target.orientation;
  return target;
}

Result<ReachPlan> plan_reach(const ActionSpace& space, const blend::MotionMaker& maker, const world::World& world,
                             world::Collision& collision, const GroundFrame& stand,
                             std::span<const JointTarget> targets, const ReachOptions& options,
                             const Progress& progress) {
  if (!std::isfinite(stand.x) || !std::isfinite(stand.z) || !std::isfinite(stand.heading)) {
    return fail_as(ErrorKind::kBadInput, "the place to stand is no finite place");
  }
  if (targets.empty()) return fail_as(ErrorKind::kBadInput, "there is no target to reach");
  for (const JointTarget& target : targets) {
    if (target.stroke >= space.space().strokes().size()) {
      return fail_as(ErrorKind::kBadInput, fmt::format("there is no stroke {}: the examples have {}", target.stroke + 1,
                                                       space.space().strokes().size()));
    }
  }
  for (const JointTarget& target : targets) {
    if (target.kind != Constraint::Kind::kPosition) continue;
    if (auto inside = inside_something(world, collision, target.point)) return tl::unexpected(*inside);
  }
  return ReachPlanner(space, maker, world, collision, stand, targets, options).run(progress);
}

}  // namespace loom::plan
