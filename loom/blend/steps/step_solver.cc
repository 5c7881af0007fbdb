// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/blend/steps/step_solver.h>
#include <loom/motion/kinematics.h>

namespace loom::blend {
namespace {

/// Priorities of the constraints of a step: the place of the foot before all; its direction as far as examples allow
/// (a foot can be turned at the ankle afterwards); the root gently, for continuity; which way a body faces that begins
/// to walk before its place.
constexpr double kTurnPriority = 0.3, kRootPriority = 0.25, kFacingPriority = 0.5;

/// Rounds in which the target is moved by where the blend puts the supporting foot: that moves by millimetres, so each
/// round gains two digits.
constexpr int kSolverRounds = 3;

/// A point of the skeleton as a joint and an offset in its frame.
struct JointPoint {
  int joint = 0;
  Vec3 offset;
};

JointPoint joint_point(const motion::Skeleton& skeleton, std::size_t point) {
  if (point < skeleton.size()) return {static_cast<int>(point), {}};
  const motion::EndSite& site = skeleton.end_sites()[point - skeleton.size()];
  return {site.joint, site.offset};
}

Vec3 on_floor(Vec3 p) { return {p.x, 0, p.z}; }

/// The pose of a clip between two frames on the straight way: of what is blended with others anyway, a hundred times a
/// step.
void pose_between(const motion::Clip& clip, double seconds, motion::Pose& pose) {
  const double at = std::clamp(seconds * clip.rate, 0.0, static_cast<double>(clip.frames() - 1));
  const auto frame = std::min(to_whole<std::size_t>(std::floor(at)), clip.frames() - 1);
  const std::size_t next = std::min(frame + 1, clip.frames() - 1);
  const auto share = static_cast<float>(at - static_cast<double>(frame));
  pose.root = lerp(clip.roots[frame], clip.roots[next], share);
  pose.rotations.assign(clip.pose(frame).begin(), clip.pose(frame).end());
  if (share <= 0) return;
  for (std::size_t j = 0; j < pose.rotations.size(); ++j) {
    const Quat a = pose.rotations[j], b = clip.pose(next)[j];
    const float other = dot(a, b) < 0 ? -share : share, own = 1 - share;
    pose.rotations[j] = normalized(
        {own * a.w + other * b.w, own * a.x + other * b.x, own * a.y + other * b.y, own * a.z + other * b.z});
  }
}

}  // namespace

StepSolver::StepSolver(const StepLibrary& library, bool left, StepKind kind, const std::array<polish::Foot, 2>& feet)
    : library_(&library),
      set_(&library.steps(left, kind)),
      finder_(*library.skeleton),
      support_(feet[left ? 1 : 0]),
      stepping_(feet[left ? 0 : 1]) {
  start_ = poses_at(0);
  end_ = poses_at(1);
  std::vector<Quat> turned;
  for (std::size_t i = 0; i < set_->examples.size(); ++i) {
    const StepExample& step = set_->examples[i];
    const std::size_t last = step.clip.frames() - 1;
    const auto ankle =
        motion::joint_frame(*library.skeleton, stepping_.leg.end, step.clip.roots[last], step.clip.pose(last));
    Quat q = axis_angle({0, 1, 0}, -step.turn) * ankle.rotation;
    if (!turned.empty() && dot(q, turned.front()) < 0) q = -q;
    turned.push_back(q);
    rest_height_ += step.to.y / static_cast<float>(set_->examples.size());
  }
  const std::vector<float> equal(turned.size(), 1.0f / static_cast<float>(turned.size()));
  blend_rotations(turned, equal, std::span(&flat_, 1));
  std::vector<Quat> fronts;
  for (std::size_t i = 0; i < start_.size(); ++i) fronts.push_back(start_.pose(i)[0]);
  blend_rotations(fronts, equal, std::span(&front_, 1));
}

Result<StepSolver> StepSolver::create(const StepLibrary& library, bool left, StepKind kind) {
  const auto feet = polish::find_feet(*library.skeleton);
  if (!feet) return fail_from(feet);
  if (library.steps(left, kind).examples.empty()) {
    return fail_as(ErrorKind::kNotFound, kind == StepKind::kFromRest
                                             ? "no step begins from standing still: nothing to start walking with"
                                             : "no step ends standing still: nothing to stop walking with");
  }
  StepSolver solver(library, left, kind, *feet);
  const JointPoint ball = joint_point(*library.skeleton, solver.stepping_.toe);
  Constraint place;
  place.joint = ball.joint;
  place.offset = ball.offset;
  Constraint root;
  root.joint = 0;
  root.priority = kRootPriority;
  Constraint turn;
  turn.kind = Constraint::Kind::kOrientation;
  turn.joint = solver.stepping_.leg.end;
  turn.axes = 2;
  turn.priority = kTurnPriority;
  Constraint facing;
  facing.kind = Constraint::Kind::kOrientation;
  facing.axes = 2;
  facing.priority = kFacingPriority;
  auto first = InverseBlending::create(*library.skeleton, std::span(&solver.start_, 1), {place, facing});
  if (!first) return fail_from(first);
  auto start = InverseBlending::create(*library.skeleton, std::span(&solver.start_, 1), {place, root});
  if (!start) return fail_from(start);
  auto end = InverseBlending::create(*library.skeleton, std::span(&solver.end_, 1), {place, turn});
  if (!end) return fail_from(end);
  solver.first_problem_ = std::move(*first);
  solver.start_problem_ = std::move(*start);
  solver.end_problem_ = std::move(*end);
  return solver;
}

PoseSet StepSolver::poses_at(double u) const {
  PoseSet set;
  motion::Pose pose;
  for (std::size_t i = 0; i < set_->examples.size(); ++i) {
    motion::sample_pose(set_->examples[i].clip, set_->curves[i].at(u), pose);
    add_pose(set, finder_, {}, pose.root, pose.rotations);
  }
  align_hemispheres(set, 0);
  return set;
}

Vec3 StepSolver::ball_in(const PoseSet& moment, std::span<const float> weights, const polish::Foot& foot) const {
  Vec3 root;
  std::vector<Quat> rotations(moment.joints);
  blend_pose(moment, weights, root, rotations);
  const JointPoint ball = joint_point(*library_->skeleton, foot.toe);
  const auto frame = motion::joint_frame(*library_->skeleton, ball.joint, root, rotations);
  return frame.position + rotate(frame.rotation, ball.offset);
}

/// Weights for which the stepping foot starts from where it stands, and the body as it was or faces where it should.
void StepSolver::start(const StepWish& wish, const InverseOptions& options, std::span<float> weights) {
  InverseBlending& problem = wish.root ? *start_problem_ : *first_problem_;
  InverseSolution solution;
  Constraint place, body;
  body.orientation = axis_angle({0, 1, 0}, wish.facing) * front_;
  for (int round = 0; round < kSolverRounds; ++round) {
    const Vec3 shift = round == 0 ? Vec3{} : on_floor(ball_in(start_, weights, support_));
    place.point = on_floor(wish.from) + shift;
    // The ball of a foot about to leave is as high as it is in the examples that leave from there.
    place.point.y = round == 0 ? rest_height_ : ball_in(start_, weights, stepping_).y;
    body.point = wish.root.value_or(Vec3{}) + shift;
    problem.retarget(0, place);
    problem.retarget(1, body);
    problem.solve(options, weights, solution);
  }
}

StepWeights StepSolver::solve(const StepWish& wish, std::size_t examples, Objective objective) {
  const std::size_t count = set_->examples.size();
  StepWeights found{std::vector<float>(count), std::vector<float>(count), 0, 0};
  InverseOptions options;
  options.examples = std::min(examples, count);
  options.objective = objective;
  InverseSolution solution;

  start(wish, options, found.start);
  Constraint place, turn;
  turn.orientation = axis_angle({0, 1, 0}, wish.turn) * flat_;
  for (int round = 0; round < kSolverRounds; ++round) {
    const Vec3 shift = round == 0 ? Vec3{} : on_floor(ball_in(end_, found.end, support_));
    place.point = on_floor(wish.to) + shift;
    place.point.y = round == 0 ? rest_height_ : ball_in(end_, found.end, stepping_).y;
    end_problem_->retarget(0, place);
    end_problem_->retarget(1, turn);
    end_problem_->solve(options, found.end, solution);
  }
  const Vec3 reached = ball_in(end_, found.end, stepping_) - ball_in(end_, found.end, support_);
  found.error = length(on_floor(reached - wish.to));
  found.turn_error = solution.errors[1];
  return found;
}

void StepSolver::pose(double u, std::span<const float> weights, Vec3& root, std::span<Quat> rotations) const {
  PoseSet set;
  std::vector<float> used;
  motion::Pose pose;
  for (std::size_t i = 0; i < set_->examples.size(); ++i) {
    if (weights[i] == 0) continue;
    pose_between(set_->examples[i].clip, set_->curves[i].at(u), pose);
    add_pose(set, finder_, {}, pose.root, pose.rotations);
    used.push_back(weights[i]);
  }
  align_hemispheres(set, 0);
  blend_pose(set, used, root, rotations);
  const JointPoint ball = joint_point(*library_->skeleton, support_.toe);
  const auto frame = motion::joint_frame(*library_->skeleton, ball.joint, root, rotations);
  root -= on_floor(frame.position + rotate(frame.rotation, ball.offset));
}

std::uint8_t StepSolver::planted(double u, std::span<const float> weights) const {
  std::array<float, motion::kFootParts> votes{};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const StepExample& step = set_->examples[i];
    const auto frame = to_whole<std::size_t>(std::round(
        std::clamp(set_->curves[i].at(u) * step.clip.rate, 0.0, static_cast<double>(step.clip.frames() - 1))));
    for (std::size_t part = 0; part < votes.size(); ++part) {
      if (step.planted[frame] >> part & 1) votes[part] += weights[i];
    }
  }
  // The ball of the supporting foot stands throughout: that is what makes it a step.
  auto bits = static_cast<std::uint8_t>(1U << support_.toe_part);
  for (std::size_t part = 0; part < votes.size(); ++part) {
    if (votes[part] >= 0.5f) bits = static_cast<std::uint8_t>(bits | 1U << part);
  }
  return bits;
}

double StepSolver::seconds(std::span<const float> weights) const {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * set_->examples[i].clip.duration();
  return sum;
}

std::vector<double> StepSolver::profile(std::size_t i, std::size_t count) const {
  const motion::Clip& clip = set_->examples[i].clip;
  std::vector<double> way{0};
  Vec3 before = clip.roots.front();
  for (std::size_t n = 1; n <= count; ++n) {
    const double at = static_cast<double>(clip.frames() - 1) * static_cast<double>(n) / static_cast<double>(count);
    const auto frame = std::min(to_whole<std::size_t>(std::floor(at)), clip.frames() - 1);
    const std::size_t next = std::min(frame + 1, clip.frames() - 1);
    const Vec3 root = lerp(clip.roots[frame], clip.roots[next], static_cast<float>(at - static_cast<double>(frame)));
    way.push_back(way.back() + length(on_floor(root - before)));
    before = root;
  }
  const double whole = way.back();
  for (std::size_t n = 0; n <= count; ++n) {
    way[n] = whole > 1e-6 ? way[n] / whole : static_cast<double>(n) / static_cast<double>(count);
  }
  return way;
}

}  // namespace loom::blend
