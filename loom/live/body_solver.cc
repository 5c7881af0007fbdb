// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/live/body_solver.h>
#include <loom/live/packets/human_bones.h>
#include <loom/motion/contacts.h>
#include <loom/motion/inverse_kinematics.h>
#include <loom/motion/kinematics.h>

namespace loom::live {
namespace {

using character::kRoles;
using character::Role;

constexpr float kShoulderShare = 0.1f;       ///< of the arm's turn from the T-pose that the collarbone takes
constexpr float kHipShare = 0.15f;           ///< of the trunk's turn that hips take which nobody senses
constexpr float kHang = 78 * kDegree;        ///< by which an arm that hangs is lowered from the T-pose
constexpr float kElbow = 12 * kDegree;       ///< and bent
constexpr float kStandingHeight = 0.985f;    ///< of the hips over straight legs, as a share
constexpr float kSwitch = 0.02f;             ///< metres that the other foot must be lower to carry the body
constexpr float kLow = 0.04f, kSlow = 0.4f;  ///< metres and metres a second: a foot that stands
constexpr float kFollow = 0.15f;             ///< seconds in which what is completed goes to another pose

std::size_t at(Role role) { return static_cast<std::size_t>(role); }
Role on(Role left, int side) { return static_cast<Role>(static_cast<int>(left) + side); }
/// As seen in a mirror in the plane x = 0: Huang 2012 §9.4 negates x and w, which is the same rotation.
Quat mirrored(Quat q) { return {q.w, q.x, -q.y, -q.z}; }

/// Between two turns the way a spine shares them out.
Quat share(Quat from, Quat to, float t) { return slerp(from, to, t); }

}  // namespace

BodySolver::BodySolver(const character::HumanBody& body, double rate, BodySolverOptions options)
    : body_(body),
      seconds_(static_cast<float>(1 / rate)),
      options_(std::move(options)),
      points_(body.skeleton->point_count()),
      world_(body.skeleton->size()) {
  const std::vector<Vec3> rest = motion::rest_positions(*body_.skeleton);
  for (int side = 0; side < 2; ++side) {
    legs_[static_cast<std::size_t>(side)] = {body_.of(on(Role::kLeftThigh, side)), body_.of(on(Role::kLeftShin, side)),
                                             body_.of(on(Role::kLeftFoot, side)), body_.of(on(Role::kLeftToe, side))};
    const Vec3 ankle = rest[at(on(Role::kLeftFoot, side))];
    stands_at_[static_cast<std::size_t>(side)] = {ankle.x, body_.hip_height + ankle.y, ankle.z};
  }
  reset();
}

void BodySolver::reset() {
  begun_ = false;
  support_ = 0;
  source_height_ = 0;
  cursor_ = {};
  completes_ = false;
}

bool BodySolver::senses_legs(const PartFrame& frame) {
  for (const Role role : {Role::kLeftThigh, Role::kRightThigh, Role::kLeftShin, Role::kRightShin}) {
    if (frame.has(role)) return true;
  }
  return false;
}

void BodySolver::fill_trunk(const PartFrame& frame, Turns& turns) const {
  // From the hips to the chest, then to the head: what lies between two that are known shares the way.
  const bool chest = frame.has(Role::kChest), spine = frame.has(Role::kSpine);
  const Quat top = chest ? frame.of(Role::kChest) : spine ? frame.of(Role::kSpine) : Quat{};
  if (!frame.has(Role::kHips)) turns[at(Role::kHips)] = share({}, top, kHipShare);
  const Quat hips = turns[at(Role::kHips)];
  if (!chest) turns[at(Role::kChest)] = spine ? frame.of(Role::kSpine) : hips;
  // A sensor on the back that is called the spine's tells of the chest, where none does; the spine itself bends half.
  if (!spine || !chest) turns[at(Role::kSpine)] = share(hips, turns[at(Role::kChest)], 0.5f);
  if (!frame.has(Role::kHead)) {
    turns[at(Role::kHead)] = frame.has(Role::kNeck) ? frame.of(Role::kNeck) : turns[at(Role::kChest)];
  }
  if (!frame.has(Role::kNeck)) turns[at(Role::kNeck)] = share(turns[at(Role::kChest)], turns[at(Role::kHead)], 0.5f);
}

void BodySolver::fill_arms(const PartFrame& frame, Turns& turns) const {
  const Quat chest = turns[at(Role::kChest)];
  const auto is_sensed = [&](int side) {
    return frame.has(on(Role::kLeftUpperArm, side)) || frame.has(on(Role::kLeftForearm, side)) ||
           frame.has(on(Role::kLeftHand, side));
  };
  const auto fill = [&](int side) {
    const auto of = [&](Role left) { return at(on(left, side)); };
    const bool upper = frame.has(on(Role::kLeftUpperArm, side)), fore = frame.has(on(Role::kLeftForearm, side)),
               hand = frame.has(on(Role::kLeftHand, side));
    const float sign = side == 0 ? -1.0f : 1.0f;
    const Quat hangs = chest * axis_angle({0, 0, sign}, kHang);
    if (!fore) {
      turns[of(Role::kLeftForearm)] = hand    ? frame.of(on(Role::kLeftHand, side))
                                      : upper ? turns[of(Role::kLeftUpperArm)]
                                              : hangs * axis_angle({0, -sign, 0}, -kElbow);
    }
    if (!upper)
      turns[of(Role::kLeftUpperArm)] = fore || hand ? share(hangs, turns[of(Role::kLeftForearm)], 0.5f) : hangs;
    if (!hand) turns[of(Role::kLeftHand)] = turns[of(Role::kLeftForearm)];
    if (!frame.has(on(Role::kLeftShoulder, side))) {
      const Quat raised = conjugate(chest) * turns[of(Role::kLeftUpperArm)];
      turns[of(Role::kLeftShoulder)] = normalized(chest * slerp({}, raised, kShoulderShare));
    }
  };
  fill(0);
  fill(1);
  if (!options_.mirror || is_sensed(0) == is_sensed(1)) return;
  const int from = is_sensed(0) ? 0 : 1;
  for (const Role left : {Role::kLeftShoulder, Role::kLeftUpperArm, Role::kLeftForearm, Role::kLeftHand}) {
    // Mirrored is what the arm does against the chest.
    const Quat against = conjugate(chest) * turns[at(on(left, from))];
    turns[at(on(left, 1 - from))] = normalized(chest * mirrored(against));
  }
}

void BodySolver::fill_legs(const PartFrame& frame, Turns& turns) const {
  const Quat level = twist_about(turns[at(Role::kHips)], {0, 1, 0});
  for (int side = 0; side < 2; ++side) {
    const auto of = [&](Role left) { return at(on(left, side)); };
    const bool thigh = frame.has(on(Role::kLeftThigh, side)), shin = frame.has(on(Role::kLeftShin, side));
    if (!thigh) turns[of(Role::kLeftThigh)] = shin ? share(level, frame.of(on(Role::kLeftShin, side)), 0.5f) : level;
    // A shin that nobody senses hangs a little back of its thigh.
    if (!shin) turns[of(Role::kLeftShin)] = thigh ? share(frame.of(on(Role::kLeftThigh, side)), level, 0.7f) : level;
    if (!frame.has(on(Role::kLeftFoot, side))) {
      turns[of(Role::kLeftFoot)] =
          share(twist_about(turns[of(Role::kLeftShin)], {0, 1, 0}), turns[of(Role::kLeftShin)], 0.4f);
    }
    if (!frame.has(on(Role::kLeftToe, side))) turns[of(Role::kLeftToe)] = turns[of(Role::kLeftFoot)];
  }
}

void BodySolver::take_nearest(const PartFrame& frame, Turns& turns) {
  // Heading is the trunk's: the library's poses have none.
  const Role lead = frame.has(Role::kHips) ? Role::kHips : frame.has(Role::kChest) ? Role::kChest : Role::kSpine;
  const Quat heading = frame.has(lead) ? twist_about(frame.of(lead), {0, 1, 0}) : Quat{};
  PartFrame asked = frame;
  for (Quat& turn : asked.turns) turn = normalized(conjugate(heading) * turn);
  const auto found = options_.motion->nearest(asked, cursor_);
  const float t = completes_ ? 1 - std::exp(-seconds_ / kFollow) : 1;
  for (std::size_t r = 0; r < kRoles; ++r) {
    completed_[r] = slerp(completed_[r], normalized(heading * found[r]), t);
    if (!frame.has(static_cast<Role>(r))) turns[r] = completed_[r];
  }
  completes_ = true;
}

void BodySolver::write(const Turns& turns, std::span<Quat> rotations) const {
  for (std::size_t r = 0; r < kRoles; ++r) {
    const auto joint = static_cast<std::size_t>(body_.joints[r]);
    const auto parent = parent_of(static_cast<Role>(r));
    const Quat above = parent ? turns[at(*parent)] : Quat{};
    rotations[joint] = normalized(conjugate(above) * turns[r]);
  }
}

/// Stands with both feet where they are; the hips stay over them.
std::uint8_t BodySolver::stand(Vec3& root, std::span<Quat> rotations) const {
  root = {0, body_.hip_height * kStandingHeight, 0};
  for (std::size_t side = 0; side < 2; ++side) {
    motion::solve_two_bone(*body_.skeleton, legs_[side], root, rotations, stands_at_[side], {Vec3{0, 0, 1}});
    // The foot stays flat, whatever hips and knees do.
    const motion::JointFrame ankle = motion::joint_frame(*body_.skeleton, legs_[side].end, root, rotations);
    auto& foot = rotations[static_cast<std::size_t>(legs_[side].end)];
    foot = normalized(foot * conjugate(ankle.rotation));
  }
  return motion::kLeftFoot | motion::kRightFoot;
}

float BodySolver::lowest_sole(Vec3 root, std::span<const Quat> rotations, int side) const {
  const auto s = static_cast<std::size_t>(side);
  const motion::JointFrame ankle = motion::joint_frame(*body_.skeleton, legs_[s].end, root, rotations);
  const character::FootShape& foot = body_.feet[s];
  return ankle.position.y + std::min(rotate(ankle.rotation, foot.heel).y, rotate(ankle.rotation, foot.ball).y);
}

/// Walks over the lower foot: it stays where it is, and the root goes with the legs.
std::uint8_t BodySolver::walk(Vec3& root, std::span<const Quat> rotations) {
  const std::array<float, 2> low = {lowest_sole({}, rotations, 0), lowest_sole({}, rotations, 1)};
  const auto ankle = [&](int side) {
    return motion::joint_frame(*body_.skeleton, legs_[static_cast<std::size_t>(side)].end, {}, rotations).position;
  };
  if (!begun_) {
    support_ = low[0] <= low[1] ? 0 : 1;
    support_at_ = ankle(support_);
  }
  if (low[static_cast<std::size_t>(1 - support_)] < low[static_cast<std::size_t>(support_)] - kSwitch) {
    // The other carries from here on, from where it is.
    const Vec3 here = support_at_ - ankle(support_);
    support_ = 1 - support_;
    support_at_ = here + ankle(support_);
  }
  root = support_at_ - ankle(support_);
  root.y = -std::min(low[0], low[1]);
  return support_ == 0 ? motion::kLeftFoot : motion::kRightFoot;
}

/// Goes where the source says, as far as its legs would.
std::uint8_t BodySolver::follow(const PartFrame& frame, Vec3& root, std::span<const Quat> rotations) {
  // Who never told how high his hips are stands at some time.
  source_height_ = std::max(source_height_, std::clamp(frame.hips.y, 0.3f, 2.0f));
  const float height = frame.hip_height > 0.2f ? frame.hip_height : source_height_;
  root = frame.hips * (body_.hip_height / height);
  std::uint8_t planted = 0;
  for (int side = 0; side < 2; ++side) {
    const auto s = static_cast<std::size_t>(side);
    const Vec3 ankle = motion::joint_frame(*body_.skeleton, legs_[s].end, root, rotations).position;
    const bool low = lowest_sole(root, rotations, side) < kLow;
    const bool slow = begun_ && distance(ankle, ankles_[s]) < kSlow * seconds_;
    if (low && slow) planted |= side == 0 ? motion::kLeftFoot : motion::kRightFoot;
    ankles_[s] = ankle;
  }
  return planted;
}

std::uint8_t BodySolver::solve(const PartFrame& frame, Vec3& root, std::span<Quat> rotations) {
  Turns turns{};
  for (std::size_t r = 0; r < kRoles; ++r) {
    if (frame.has(static_cast<Role>(r))) turns[r] = frame.turns[r];
  }
  fill_trunk(frame, turns);
  fill_arms(frame, turns);
  fill_legs(frame, turns);
  if (options_.motion) take_nearest(frame, turns);
  write(turns, rotations);
  std::uint8_t planted = 0;
  if (frame.has_hips != 0) {
    planted = follow(frame, root, rotations);
  } else if (senses_legs(frame) || options_.motion) {
    planted = walk(root, rotations);
  } else {
    planted = stand(root, rotations);
  }
  begun_ = true;
  return planted;
}

}  // namespace loom::live
