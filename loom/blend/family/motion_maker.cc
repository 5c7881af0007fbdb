// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <loom/blend/family/motion_maker.h>
#include <loom/motion/kinematics.h>

namespace loom::blend {
namespace {

/// How often a motion is made again to answer for what planting feet has moved: each time gains about a digit.
constexpr int kRounds = 3;

/// Close enough to stop: metres, or as little of another coordinate.
constexpr double kGoodEnough = 5e-4;

/// Beyond this sum of negative weights, poses are thrown further away from the examples than these are from each other.
constexpr float kMostNegative = 0.75f;

/// How finely the extrapolation that the body allows is sought.
constexpr int kHalvings = 5;

double length_of(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return std::sqrt(sum);
}

/// Where a joint is in a frame of a clip, and how it is turned.
motion::JointFrame frame_of(const motion::Clip& clip, std::size_t frame, int joint) {
  return motion::joint_frame(*clip.skeleton, joint, clip.roots[frame], clip.pose(frame));
}

/// Moves what is asked for by what a motion lacks of what is `wanted`.
void ask_for_more(Constraint& asked, const Constraint& wanted, const motion::JointFrame& reached) {
  if (wanted.kind == Constraint::Kind::kOrientation) {
    asked.orientation = normalized(wanted.orientation * conjugate(reached.rotation) * asked.orientation);
  } else {
    asked.point += wanted.point - reached.position;
  }
}

/// All errors in one number, as the objective weighs them.
double cost_of(std::span<const Constraint> constraints, std::span<const double> errors, Objective objective) {
  double sum = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double error = constraint_weight(constraints[i]) * errors[i];
    sum += objective == Objective::kSum ? error : error * error;
  }
  return objective == Objective::kSum ? sum : std::sqrt(sum);
}

/// The sum of what is negative.
float extrapolated(std::span<const float> weights) {
  float negative = 0;
  for (const float w : weights) negative += std::max(-w, 0.0f);
  return negative;
}

Result<std::vector<Constraint>> constraints_of(std::span<const JointTarget> targets, const BlendSpace& space) {
  if (targets.empty()) return fail("there is no target to reach");
  std::vector<Constraint> constraints;
  for (const JointTarget& target : targets) {
    if (target.stroke >= space.strokes().size()) {
      return fail(
          fmt::format("there is no stroke {}: the examples have {}", target.stroke + 1, space.strokes().size()));
    }
    Constraint constraint;
    constraint.moment = target.stroke;
    constraint.joint = target.joint;
    constraint.kind = target.kind;
    constraint.point = target.point;
    constraint.direction = target.direction;
    constraint.orientation = target.orientation;
    constraint.axes = target.axes;
    constraint.priority = target.priority;
    constraint.normalisation = target.normalisation;
    constraints.push_back(constraint);
  }
  return constraints;
}

Result<InverseBlending> problem_of(const BlendSpace& space, std::vector<Constraint> constraints) {
  std::vector<PoseSet> moments;
  for (const double u : space.strokes()) moments.push_back(space.poses_at(u));
  return InverseBlending::create(*space.skeleton(), moments, std::move(constraints));
}

}  // namespace

Result<InverseBlending> constrain(const BlendSpace& space, std::span<const JointTarget> targets) {
  auto constraints = constraints_of(targets, space);
  if (!constraints) return fail_from(constraints);
  return problem_of(space, std::move(*constraints));
}

MotionMaker MotionMaker::of(std::shared_ptr<const Family> family, std::shared_ptr<const BlendSpace> space,
                            std::shared_ptr<const Triangulation> points, Method method) {
  MotionMaker maker;
  maker.family_ = std::move(family);
  maker.space_ = std::move(space);
  maker.points_ = std::move(points);
  maker.model_ = std::make_shared<FamilyModel>(*maker.family_, *maker.space_);
  maker.weighting_ = make_weighting(method, maker.points_, maker.model_);
  maker.convex_ = make_weighting(Method::kInverse, maker.points_, maker.model_);
  maker.limits_ = ExampleLimits::of(*maker.space_);
  return maker;
}

Weighed MotionMaker::weigh(std::span<const double> at, Outside outside, std::span<float> weights) const {
  Weighed weighed = weighting_->weigh(at, outside, weights);
  if (outside == Outside::kExtrapolate || extrapolated(weights) <= kMostNegative) return weighed;
  weighed = convex_->weigh(at, outside, weights);
  weighed.clamped = true;
  return weighed;
}

Result<MadeMotion> MotionMaker::make(std::span<const double> at, Outside outside, const BlendOptions& options) const {
  MadeMotion made;
  made.weights.resize(space_->size());
  made.weighed = weigh(at, outside, made.weights);
  auto blended = blend(space_, made.weights, options);
  if (!blended) return fail_from(blended);
  made.blended = std::move(*blended);
  if (outside == Outside::kExtrapolate || extrapolated(made.weights) == 0) return made;
  if (limits_.allow(made.blended.clip)) return made;
  if (auto restrained = restrain(at, options, made); !restrained) return fail_from(restrained);
  return made;
}

/// Goes from the convex weights for the same point towards those of `made`, as far as the limits of the examples allow.
Result<void> MotionMaker::restrain(std::span<const double> at, const BlendOptions& options, MadeMotion& made) const {
  const std::vector<float> wanted = std::exchange(made.weights, std::vector<float>(space_->size()));
  made.weighed = convex_->weigh(at, Outside::kClamp, made.weights);
  made.weighed.clamped = true;
  const std::vector<float> convex = made.weights;
  auto blended = blend(space_, convex, options);
  if (!blended) return fail_from(blended);
  made.blended = std::move(*blended);
  float most = 0, too_much = 1;
  for (int i = 0; i < kHalvings; ++i) {
    const float share = (most + too_much) / 2;
    std::vector<float> weights(convex.size());
    for (std::size_t w = 0; w < weights.size(); ++w) weights[w] = std::lerp(convex[w], wanted[w], share);
    auto tried = blend(space_, weights, options);
    if (!tried) return fail_from(tried);
    const bool allowed = limits_.allow(tried->clip);
    (allowed ? most : too_much) = share;
    if (!allowed) continue;
    made.weights = std::move(weights);
    made.blended = std::move(*tried);
  }
  return {};
}

/// What the made motion measures; for parameters that are no property of motion, what its weights blend to.
std::vector<double> MotionMaker::coordinates_of(const MadeMotion& made) const {
  std::vector<double> at(family_->space.size());
  if (family_->space.kind != FamilyKind::kTable) {
    const motion::Clip& clip = made.blended.clip;
    Moments moments{0, std::nullopt, clip.duration()};
    if (!made.blended.strokes.empty()) moments.stroke = static_cast<double>(made.blended.strokes.front()) / clip.rate;
    if (auto measured = measure_coordinates(family_->space.kind, clip, moments, family_->joint)) return *measured;
  }
  model_->evaluate(made.weights, at);
  return at;
}

Result<MadeMotion> MotionMaker::at(std::span<const double> values, Outside outside, const BlendOptions& options) const {
  const std::size_t size = family_->space.size();
  if (values.size() != size) {
    std::string names;
    for (const FamilyParameter& p : family_->space.parameters) names += (names.empty() ? "" : ", ") + p.name;
    return fail(fmt::format("the family has {} parameters ({}), not {}", size, names, values.size()));
  }
  for (const double value : values) {
    if (!std::isfinite(value)) return fail("a parameter is not a number");
  }
  std::vector<double> wanted(size);
  family_->space.to_coordinates(values, wanted);
  std::vector<double> asked = wanted;
  MadeMotion best;
  for (int round = 0; round < kRounds; ++round) {
    auto tried = make(asked, outside, options);
    if (!tried) return tried;
    MadeMotion made = std::move(*tried);
    const std::vector<double> reached = coordinates_of(made);
    made.error = length_of(reached, wanted);
    made.reached.resize(size);
    family_->space.to_values(reached, made.reached);
    if (round > 0) made.weighed = best.weighed;
    for (std::size_t d = 0; d < size; ++d) asked[d] += wanted[d] - reached[d];
    const bool better = round == 0 || made.error < best.error;
    if (better) best = std::move(made);
    // A clamped point stays where it is, and what does not get better has come as near as it can.
    if (!better || best.weighed.clamped || best.error < kGoodEnough) break;
  }
  return best;
}

Result<MadeMotion> MotionMaker::reach(std::span<const JointTarget> targets, const BlendOptions& options,
                                      Objective objective) const {
  const auto wanted = constraints_of(targets, *space_);
  if (!wanted) return fail_from(wanted);
  std::vector<Constraint> asked = *wanted;
  auto problem = problem_of(*space_, asked);
  if (!problem) return fail_from(problem);
  InverseOptions solving;
  solving.objective = objective;
  MadeMotion best;
  double least = 0;
  for (int round = 0; round < kRounds; ++round) {
    MadeMotion made;
    made.weights.resize(space_->size());
    InverseSolution solution;
    problem->solve(solving, made.weights, solution);
    auto blended = blend(space_, made.weights, options);
    if (!blended) return fail_from(blended);
    made.blended = std::move(*blended);
    for (std::size_t n = 0; n < targets.size(); ++n) {
      const Constraint& target = (*wanted)[n];
      const auto reached = frame_of(made.blended.clip, made.blended.strokes[target.moment], target.joint);
      made.errors.push_back(constraint_error(target, reached));
      ask_for_more(asked[n], target, reached);
      problem->retarget(n, asked[n]);
    }
    made.error = *std::max_element(made.errors.begin(), made.errors.end());
    const double cost = cost_of(*wanted, made.errors, objective);
    const bool better = round == 0 || cost < least;
    if (better) {
      best = std::move(made);
      least = cost;
    }
    if (!better || best.error < kGoodEnough) break;
  }
  const JointTarget& only = targets.front();
  const bool parameters_say_it = targets.size() == 1 && only.kind == Constraint::Kind::kPosition &&
                                 places_a_joint(family_->space.kind) && only.joint == family_->joint &&
                                 only.stroke == 0;
  if (!parameters_say_it || best.error < kGoodEnough) return best;
  const std::array<double, 3> values{only.point.x, only.point.y, only.point.z};
  auto other = at(values, Outside::kClamp, options);
  if (!other) return fail_from(other);
  if (other->error >= best.error) return best;
  other->errors = {other->error};
  other->reached.clear();
  return other;
}

}  // namespace loom::blend
