// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/character/transfer.h>
#include <loom/character/transferred_stream.h>
#include <loom/motion/kinematics.h>

#include "tests/character/make_body.h"
#include "tests/count_allocations.h"

namespace loom::character {
namespace {

TEST(Transfer, TheSameBodyGetsTheSamePose) {
  Random random(1);
  for (int round = 0; round < 30; ++round) {
    const HumanBody body = make_body(random_build(random));
    const std::vector<Quat> pose = random_pose(body, random);
    const Vec3 root{1, 0.8f, -2};
    Transfer transfer = Transfer::between(body, body, {.floor = -0.4f});
    Vec3 to_root;
    std::vector<Quat> to(pose.size());
    transfer.apply(root, pose, to_root, to);
    EXPECT_NEAR(transfer.scale(), 1, 1e-6);
    EXPECT_LT(distance(to_root, root + Vec3{0, 0.4f, 0}), 1e-3f);
    for (std::size_t j = 0; j < pose.size(); ++j) {
      const bool shared = std::any_of(body.twists.begin(), body.twists.end(), [&](const TwistJoint& twist) {
        return twist.joint == static_cast<int>(j) || twist.joint == body.skeleton->joint(j).parent;
      });
      if (shared) continue;
      EXPECT_LT(angle_between(to[j], pose[j]), 0.2f * kDegree) << body.skeleton->joint(j).name;
    }
  }
}

/// Whatever two bodies are built like and rest in, a limb of one points where that of the other does. Nothing of how
/// the transfer gets there is used: only where joints are.
TEST(Transfer, LimbsPointAlikeWhateverTheRestPose) {
  Random random(2);
  for (int round = 0; round < 100; ++round) {
    const HumanBody a = make_body(random_build(random)), b = make_body(random_build(random));
    const std::vector<Quat> pose = random_pose(a, random);
    Transfer transfer = Transfer::between(a, b, {.feet = false});
    Vec3 root;
    std::vector<Quat> to(b.skeleton->size());
    transfer.apply({}, pose, root, to);
    const WorldPose from = world_of(a, {}, pose), made = world_of(b, root, to);
    for (const Role role : {Role::kLeftUpperArm, Role::kLeftForearm, Role::kLeftThigh, Role::kLeftShin}) {
      for (const int side : {0, 1}) {
        const Role begin = on_side(role, side), end = static_cast<Role>(static_cast<int>(begin) + 2);
        const auto bone = [&](const HumanBody& body, const WorldPose& w) {
          return normalized(w.positions[at(body.of(end))] - w.positions[at(body.of(begin))]);
        };
        EXPECT_LT(distance(bone(a, from), bone(b, made)), 2e-3f) << role_name(begin);
      }
    }
    // Shoulders and hips are turned alike.
    for (const Role left : {Role::kLeftThigh, Role::kLeftUpperArm}) {
      if (left == Role::kLeftUpperArm && (a.of(Role::kLeftShoulder) >= 0 || b.of(Role::kLeftShoulder) >= 0)) continue;
      const auto line = [&](const HumanBody& body, const WorldPose& w) {
        return normalized(w.positions[at(body.of(left))] - w.positions[at(body.of(on_side(left, 1)))]);
      };
      EXPECT_LT(distance(line(a, from), line(b, made)), 2e-3f);
    }
  }
}

TEST(Transfer, ThereAndBackIsTheSame) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    const HumanBody a = make_body(random_build(random)), b = make_body(random_build(random));
    const std::vector<Quat> pose = random_pose(a, random);
    Transfer there = Transfer::between(a, b, {.feet = false}), back = Transfer::between(b, a, {.feet = false});
    Vec3 root, again_root;
    std::vector<Quat> to(b.skeleton->size()), again(pose.size());
    there.apply({0, 1, 0}, pose, root, to);
    back.apply(root, to, again_root, again);
    const WorldPose one = world_of(a, {}, pose), two = world_of(a, {}, again);
    for (std::size_t r = 0; r < kRoles; ++r) {
      if (a.joints[r] < 0 || b.joints[r] < 0) continue;
      EXPECT_LT(angle_between(one.world[at(a.joints[r])], two.world[at(a.joints[r])]), 0.2f * kDegree) << kRoleNames[r];
    }
  }
}

/// Somebody rocks over a foot that stands: over the heel, flat, over the ball.
struct Rocking {
  HumanBody body;
  std::vector<Vec3> roots;
  std::vector<std::vector<Quat>> poses;
};

Rocking rock(const HumanBody& body) {
  Rocking rocking{body, {}, {}};
  const auto foot = at(body.of(Role::kLeftFoot));
  for (int f = -20; f <= 20; ++f) {
    std::vector<Quat> pose(body.skeleton->size());
    const Vec3 across = rotate(body.frames[at(body.of(Role::kHips))], {1, 0, 0});
    pose[at(body.of(Role::kLeftThigh))] = axis_angle(across, -0.35f);
    pose[at(body.of(Role::kLeftShin))] = axis_angle(across, 0.7f);
    // Positive pitch lifts the heel.
    const float pitch = 0.03f * static_cast<float>(f);
    pose[foot] = axis_angle(across, pitch - 0.35f);
    const WorldPose world = world_of(body, {}, pose);
    const Quat part = world.world[foot] * body.frames[foot];
    const Vec3 pivot = pitch > 0 ? body.feet[0].ball : body.feet[0].heel;
    const Vec3 flat_ball = body.feet[0].ball - body.feet[0].heel;
    const Vec3 facing = rotate(part, {0, 0, 1});
    const Vec3 ahead = normalized(Vec3{facing.x, 0, facing.z});
    // The heel stands on the origin, so the ball on where a flat foot has it.
    const Vec3 stands = pitch > 0 ? ahead * flat_ball.z + cross({0, 1, 0}, ahead) * flat_ball.x : Vec3{};
    rocking.roots.push_back(stands - (world.positions[foot] + rotate(part, pivot)));
    rocking.poses.push_back(std::move(pose));
  }
  return rocking;
}

TEST(Transfer, AFootOfOtherShapeStandsStillAndDoesNotSink) {
  Random random(4);
  for (int round = 0; round < 30; ++round) {
    const Rocking source = rock(make_body(random_build(random)));
    const HumanBody b = make_body(random_build(random));
    Transfer transfer = Transfer::between(source.body, b);
    std::vector<Quat> to(b.skeleton->size());
    Vec3 root, stood;
    for (std::size_t f = 0; f < source.poses.size(); ++f) {
      transfer.apply(source.roots[f], source.poses[f], root, to);
      const WorldPose made = world_of(b, root, to);
      const auto foot = at(b.of(Role::kLeftFoot));
      const Quat part = made.world[foot] * b.frames[foot];
      const Vec3 heel = made.positions[foot] + rotate(part, b.feet[0].heel),
                 ball = made.positions[foot] + rotate(part, b.feet[0].ball);
      EXPECT_GT(std::min(heel.y, ball.y), -2e-3f) << f;
      EXPECT_LT(std::min(heel.y, ball.y), 5e-3f) << f;
      // On the heel at first, on the ball at last.
      const Vec3 pivot = f <= 20 ? heel : ball;
      if (f == 0 || f == 21) stood = pivot;
      EXPECT_LT(distance(pivot, stood), 6e-3f) << f << " in round " << round;
    }
  }
}

/// Somebody goes down into a deep squat and up again, feet flat.
TEST(Transfer, HipsDoNotLeapInADeepSquat) {
  Random random(11);
  for (int round = 0; round < 30; ++round) {
    Build build;
    build.thigh = build.shin = 0.42f;
    Build other = random_build(random);
    other.shin = 1.02f * other.thigh;  // with longer thighs knees come down to the floor before the hips
    const HumanBody a = make_body(build), b = make_body(other);
    Transfer transfer = Transfer::between(a, b);
    const Vec3 across = rotate(a.frames[at(a.of(Role::kHips))], {1, 0, 0});
    std::vector<float> heights, theirs;
    std::vector<Quat> pose(a.skeleton->size()), to(b.skeleton->size());
    for (int f = 0; f <= 60; ++f) {
      const float bend = 1.42f * (0.5f - 0.5f * std::cos(kPi * static_cast<float>(f) / 30));
      for (const int side : {0, 1}) {
        pose[at(a.of(on_side(Role::kLeftThigh, side)))] = axis_angle(across, -bend);
        pose[at(a.of(on_side(Role::kLeftShin, side)))] = axis_angle(across, 2 * bend);
        pose[at(a.of(on_side(Role::kLeftFoot, side)))] = axis_angle(across, -bend);
      }
      const auto foot = at(a.of(Role::kLeftFoot));
      const Vec3 ankle = world_of(a, {}, pose).positions[foot];
      const Vec3 root = Vec3{0, -a.feet[0].heel.y, 0} - ankle;
      Vec3 to_root;
      transfer.apply(root, pose, to_root, to);
      theirs.push_back(world_of(a, root, pose).positions[at(a.of(Role::kLeftThigh))].y / a.leg[0]);
      heights.push_back(world_of(b, to_root, to).positions[at(b.of(Role::kLeftThigh))].y / b.leg[0]);
    }
    const auto jump = [](const std::vector<float>& y) {
      float most = 0;
      for (std::size_t f = 1; f + 1 < y.size(); ++f) most = std::max(most, std::abs(y[f + 1] - 2 * y[f] + y[f - 1]));
      return most;
    };
    EXPECT_LT(jump(heights), 1.5f * jump(theirs)) << round;
  }
}

/// Turns a joint so that what of it points along `bone` in the world at rest points along `wanted`.
void point(const HumanBody& body, std::vector<Quat>& pose, Role role, Role end, Vec3 wanted) {
  const auto joint = at(body.of(role));
  pose[joint] = {};
  const WorldPose now = world_of(body, {}, pose);
  const Vec3 bone = normalized(now.positions[at(body.of(end))] - now.positions[joint]);
  pose[joint] = normalized(conjugate(now.world[joint]) * rotation_between(bone, wanted) * now.world[joint]);
}

/// Somebody on hands and knees, looking along +Z, arms and thighs upright.
std::vector<Quat> on_all_fours(const HumanBody& body) {
  std::vector<Quat> pose(body.skeleton->size());
  const Vec3 across = rotate(body.frames[at(body.of(Role::kHips))], {1, 0, 0}), ahead = cross(across, {0, 1, 0});
  pose[at(body.of(Role::kHips))] = axis_angle(across, kPi / 2);
  for (const int side : {0, 1}) {
    point(body, pose, on_side(Role::kLeftThigh, side), on_side(Role::kLeftShin, side), {0, -1, 0});
    point(body, pose, on_side(Role::kLeftShin, side), on_side(Role::kLeftFoot, side), ahead * -1.0f);
    point(body, pose, on_side(Role::kLeftUpperArm, side), on_side(Role::kLeftForearm, side), {0, -1, 0});
    point(body, pose, on_side(Role::kLeftForearm, side), on_side(Role::kLeftHand, side), {0, -1, 0});
  }
  return pose;
}

TEST(Transfer, KneesThatKneelDoNotSinkAndHandsRestOnTheFloor) {
  Random random(12);
  int reached = 0;
  for (int round = 0; round < 60; ++round) {
    const Build build{.upper = 0.22f, .fore = 0.21f};
    const HumanBody a = make_body(build), b = make_body(random_build(random));
    const std::vector<Quat> pose = on_all_fours(a);
    const WorldPose from = world_of(a, {}, pose);
    const auto height = [](const HumanBody& body, const WorldPose& pose_of, Role role) {
      return pose_of.positions[at(body.of(role))].y;
    };
    const float floor = std::min(height(a, from, Role::kLeftShin), height(a, from, Role::kLeftHand)) - 0.04f * a.leg[0];
    Transfer transfer = Transfer::between(a, b, {.floor = floor});
    Vec3 root;
    std::vector<Quat> to(b.skeleton->size());
    transfer.apply({}, pose, root, to);
    const WorldPose made = world_of(b, root, to);
    for (const int side : {0, 1}) {
      const Role hand = on_side(Role::kLeftHand, side), knee = on_side(Role::kLeftShin, side);
      const auto wanted = [&](Role role) { return transfer.scale() * (height(a, from, role) - floor); };
      EXPECT_GT(height(b, made, knee), std::min(wanted(knee), 0.07f * b.leg[0]) - 0.01f) << round;
      EXPECT_GT(height(b, made, hand), std::min(wanted(hand), 0.05f * b.leg[0]) - 0.01f) << round;
      // An arm that is long enough puts its hand down.
      const Role upper = on_side(Role::kLeftUpperArm, side), fore = on_side(Role::kLeftForearm, side);
      const auto apart = [&](Role one, Role other) {
        return distance(made.positions[at(b.of(one))], made.positions[at(b.of(other))]);
      };
      if (height(b, made, upper) - wanted(hand) > 0.9f * (apart(upper, fore) + apart(fore, hand))) continue;
      EXPECT_NEAR(height(b, made, hand), wanted(hand), 0.01f) << round;
      ++reached;
    }
  }
  EXPECT_GT(reached, 20);
}

/// The ball of a foot dips below the floor while its ankle does not: the foot turns, and the knee stays where it was.
TEST(Transfer, AFootThatDipsTurnsAndLeavesTheKneeAlone) {
  const HumanBody body = make_body({});
  Transfer transfer = Transfer::between(body, body);
  const auto foot = at(body.of(Role::kLeftFoot)), shin = at(body.of(Role::kLeftShin));
  const Vec3 across = rotate(body.frames[at(body.of(Role::kHips))], {1, 0, 0});
  std::vector<Quat> pose(body.skeleton->size()), to(pose.size());
  for (const int side : {0, 1}) {
    pose[at(body.of(on_side(Role::kLeftThigh, side)))] = axis_angle(across, -0.4f);
    pose[at(body.of(on_side(Role::kLeftShin, side)))] = axis_angle(across, 0.8f);
    pose[at(body.of(on_side(Role::kLeftFoot, side)))] = axis_angle(across, -0.4f);
  }
  const Vec3 root = Vec3{0, -body.feet[0].heel.y, 0} - world_of(body, {}, pose).positions[foot];
  pose[foot] = axis_angle(across, -0.4f + 0.15f);
  Vec3 to_root;
  transfer.apply(root, pose, to_root, to);
  const WorldPose from = world_of(body, root, pose), made = world_of(body, to_root, to);
  const auto ball = [&](const WorldPose& world) {
    return (world.positions[foot] + rotate(world.world[foot] * body.frames[foot], body.feet[0].ball)).y;
  };
  EXPECT_LT(ball(from), -0.015f);
  EXPECT_GT(ball(made), -1e-3f);
  EXPECT_LT(distance(made.positions[shin], from.positions[shin]), 0.012f);
}

TEST(Transfer, TwistJointsTakeTheirShareAndTheHandStays) {
  Build build;
  const HumanBody plain = make_body(build);
  build.twists = true;
  const HumanBody twisted = make_body(build);
  std::vector<Quat> pose(plain.skeleton->size());
  pose[at(plain.of(Role::kLeftHand))] = axis_angle({1, 0, 0}, 1.2f);
  Transfer transfer = Transfer::between(plain, twisted, {.feet = false});
  std::vector<Quat> to(twisted.skeleton->size());
  Vec3 root;
  transfer.apply({}, pose, root, to);
  const int twist = twisted.twists[0].joint;
  EXPECT_NEAR(angle_between(to[at(twist)], axis_angle({1, 0, 0}, 0.6f)), 0, 1e-3);
  EXPECT_NEAR(
      angle_between(world_of(twisted, root, to).world[at(twisted.of(Role::kLeftHand))], axis_angle({1, 0, 0}, 1.2f)), 0,
      1e-3);
}

TEST(Transfer, ALongerSpineSharesTheBend) {
  Build build;
  build.spine = 2;
  const HumanBody two = make_body(build);
  build.spine = 4;
  const HumanBody four = make_body(build);
  std::vector<Quat> pose(two.skeleton->size());
  pose[at(two.of(Role::kChest))] = axis_angle({1, 0, 0}, 0.9f);
  Transfer transfer = Transfer::between(two, four, {.feet = false});
  std::vector<Quat> to(four.skeleton->size());
  Vec3 root;
  transfer.apply({}, pose, root, to);
  ASSERT_EQ(four.trunk.size(), 4U);
  for (std::size_t k = 1; k < 4; ++k) EXPECT_NEAR(angle_between(to[at(four.trunk[k])], {}), 0.3f, 1e-3) << k;
}

TEST(Transfer, AllocatesNothingInAFrame) {
  Random random(5);
  const HumanBody a = make_body(random_build(random)), b = make_body(random_build(random));
  const std::vector<Quat> pose = random_pose(a, random);
  Transfer transfer = Transfer::between(a, b);
  std::vector<Quat> to(b.skeleton->size());
  Vec3 root;
  const std::size_t before = loom::testing::allocations;
  for (int i = 0; i < 10; ++i) transfer.apply({0, 1, 0}, pose, root, to);
  EXPECT_EQ(std::size_t{loom::testing::allocations}, before);
}

/// Arms brought before the chest until the hands meet, then carried to longer and shorter arms.
TEST(Transfer, HandsThatMeetStillMeet) {
  Build build;
  const HumanBody a = make_body(build);
  std::vector<Quat> pose(a.skeleton->size());
  for (const int side : {0, 1}) {
    const float sign = side == 0 ? 1.0f : -1.0f;
    pose[at(a.of(on_side(Role::kLeftUpperArm, side)))] = axis_angle({0, 1, 0}, -sign * 70 * kDegree);
    pose[at(a.of(on_side(Role::kLeftForearm, side)))] = axis_angle({0, 1, 0}, -sign * 82 * kDegree);
  }
  const auto apart = [](const HumanBody& body, const WorldPose& world) {
    return distance(world.positions[at(body.of(Role::kLeftHand))], world.positions[at(body.of(Role::kRightHand))]);
  };
  const float here = apart(a, world_of(a, {}, pose));
  ASSERT_LT(here, 0.12f);
  for (const float longer : {0.7f, 1.3f}) {
    build.upper = 0.29f * longer;
    build.fore = 0.26f * longer;
    const HumanBody b = make_body(build);
    const auto carried = [&](bool hands) {
      Transfer transfer = Transfer::between(a, b, {.feet = false, .hands = hands});
      std::vector<Quat> to(b.skeleton->size());
      Vec3 root;
      transfer.apply({0, 1, 0}, pose, root, to);
      return apart(b, world_of(b, root, to));
    };
    EXPECT_NEAR(carried(true), here * longer, 0.04f) << longer;
    EXPECT_GT(std::abs(carried(false) - here * longer), 0.08f) << "arms of other length alone do not";
  }
}

TEST(Transfer, HandsFarFromEverythingStayAsTheyAre) {
  Random random(8);
  const HumanBody a = make_body(random_build(random));
  const std::vector<Quat> pose(a.skeleton->size());  // at rest, arms out or down
  for (const bool hands : {false, true}) {
    Transfer transfer = Transfer::between(a, a, {.feet = false, .hands = hands});
    std::vector<Quat> to(a.skeleton->size());
    Vec3 root;
    transfer.apply({0, 1, 0}, pose, root, to);
    for (const int side : {0, 1}) {
      const int hand = a.of(on_side(Role::kLeftHand, side));
      EXPECT_LT(distance(world_of(a, root, to).positions[at(hand)], world_of(a, root, pose).positions[at(hand)]),
                0.02f);
    }
  }
}

/// A clip whose feet roll over their balls within one frame, legs bent, and stay so.
motion::Clip roll_of_feet(const HumanBody& body) {
  motion::Clip clip{"rolls", body.skeleton, 30, {}, {}, {}};
  const Vec3 across = rotate(body.frames[at(body.of(Role::kHips))], {1, 0, 0});
  for (int f = 0; f < 60; ++f) {
    const float pitch = f < 30 ? 0.1f : 0.8f;
    std::vector<Quat> pose(body.skeleton->size());
    for (const int side : {0, 1}) {
      pose[at(body.of(on_side(Role::kLeftThigh, side)))] = axis_angle(across, -0.35f);
      pose[at(body.of(on_side(Role::kLeftShin, side)))] = axis_angle(across, 0.7f);
      pose[at(body.of(on_side(Role::kLeftFoot, side)))] = axis_angle(across, pitch - 0.35f);
    }
    const auto foot = at(body.of(Role::kLeftFoot));
    const WorldPose world = world_of(body, {}, pose);
    const Vec3 ball = world.positions[foot] + rotate(world.world[foot] * body.frames[foot], body.feet[0].ball);
    clip.roots.push_back(ball * -1.0f);
    clip.rotations.insert(clip.rotations.end(), pose.begin(), pose.end());
  }
  return clip;
}

/// On a foot of other shape an ankle comes up by less than the source's in that frame. Alone the pose has the hips
/// leap; in a clip they make ready for it, and no leg is drawn straighter.
TEST(TransferClip, HipsMakeReadyForWhatOneFrameAsks) {
  const HumanBody a = make_body({}), b = make_body({.ankle = 0.14f, .foot = 0.07f});
  const motion::Clip clip = roll_of_feet(a);
  Transfer transfer = Transfer::between(a, b);
  const auto whole = transfer_clip(transfer, clip);
  ASSERT_TRUE(whole);
  std::vector<float> one, all;  // how the hips leave the way that scaling alone has
  std::vector<Quat> to(b.skeleton->size());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    Vec3 root;
    transfer.apply(clip.roots[f], clip.pose(f), root, to);
    one.push_back(root.y - transfer.scale() * clip.roots[f].y);
    all.push_back(whole->roots[f].y - transfer.scale() * clip.roots[f].y);
    const WorldPose alone = world_of(b, root, to), made = world_of(b, whole->roots[f], whole->pose(f));
    const auto foot = at(b.of(Role::kLeftFoot)), thigh = at(b.of(Role::kLeftThigh));
    EXPECT_LT(distance(made.positions[thigh], made.positions[foot]),
              distance(alone.positions[thigh], alone.positions[foot]) + 2e-3f)
        << f;
    const Vec3 ball = made.positions[foot] + rotate(made.world[foot] * b.frames[foot], b.feet[0].ball);
    EXPECT_GT(ball.y, -2e-3f) << f;
  }
  const auto jump = [](const std::vector<float>& y) {
    float most = 0;
    for (std::size_t f = 1; f + 1 < y.size(); ++f) most = std::max(most, std::abs(y[f + 1] - 2 * y[f] + y[f - 1]));
    return most;
  };
  EXPECT_GT(jump(one), 0.01f);
  EXPECT_LT(jump(all), 0.4f * jump(one));
}

TEST(TransferClip, WhoStandsIsCarriedAsPoseByPose) {
  Random random(21);
  const HumanBody a = make_body(random_build(random)), b = make_body(random_build(random));
  motion::Clip clip = roll_of_feet(a);
  clip = *motion::cut(clip, 0, 20);
  Transfer transfer = Transfer::between(a, b);
  const auto whole = transfer_clip(transfer, clip);
  ASSERT_TRUE(whole);
  std::vector<Quat> to(b.skeleton->size());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    Vec3 root;
    transfer.apply(clip.roots[f], clip.pose(f), root, to);
    EXPECT_LT(distance(whole->roots[f], root), 1e-4f);
    for (std::size_t j = 0; j < to.size(); ++j) EXPECT_LT(angle_between(whole->pose(f)[j], to[j]), 5e-3f);
  }
}

/// Somebody sits lower than a body is thick, feet up in the air: the floor lifts the body, and the feet with it.
TEST(Transfer, FeetInTheAirGoAlongWithABodyThatTheFloorLifts) {
  const HumanBody body = make_body({});
  std::vector<Quat> pose(body.skeleton->size());
  const Vec3 across = rotate(body.frames[at(body.of(Role::kHips))], {1, 0, 0}), ahead = cross(across, {0, 1, 0});
  for (const int side : {0, 1}) {
    point(body, pose, on_side(Role::kLeftThigh, side), on_side(Role::kLeftShin, side),
          normalized(ahead * 0.3f + Vec3{0, 1, 0}));
    point(body, pose, on_side(Role::kLeftShin, side), on_side(Role::kLeftFoot, side),
          normalized(ahead + Vec3{0, 0.5f, 0}));
  }
  Transfer transfer = Transfer::between(body, body, {.floor = 0.1f});
  std::vector<Quat> to(pose.size());
  Vec3 root;
  transfer.apply({}, pose, root, to);
  EXPECT_GT(root.y, 0.0f);  // from -0.1
  const WorldPose from = world_of(body, {}, pose), made = world_of(body, root, to);
  for (const int side : {0, 1}) {
    const auto shin = [&](const WorldPose& world) {
      return normalized(world.positions[at(body.of(on_side(Role::kLeftFoot, side)))] -
                        world.positions[at(body.of(on_side(Role::kLeftShin, side)))]);
    };
    EXPECT_LT(distance(shin(made), shin(from)), 0.06f);
  }
}

TEST(TransferredStream, PlaysEveryPoseAsItIsCarriedAlone) {
  Random random(6);
  const HumanBody a = make_body(random_build(random)), b = make_body(random_build(random));
  motion::Clip clip{"moves", a.skeleton, 30, {}, {}, {}};
  for (int f = 0; f < 20; ++f) {
    clip.roots.push_back({0.02f * static_cast<float>(f), 0.9f, 0});
    const std::vector<Quat> pose = random_pose(a, random);
    clip.rotations.insert(clip.rotations.end(), pose.begin(), pose.end());
  }
  Transfer transfer = Transfer::between(a, b);
  auto stream = TransferredStream::create(std::make_unique<motion::RecordedStream>(clip, motion::Contacts{}), transfer);
  ASSERT_TRUE(stream) << stream.error().to_string();
  std::vector<Quat> rotations(b.skeleton->size()), alone(b.skeleton->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    ASSERT_TRUE((*stream)->next({}, pose));
    Vec3 root;
    transfer.apply(clip.roots[f], clip.pose(f), root, alone);
    EXPECT_EQ(pose.root, root);
    for (std::size_t j = 0; j < rotations.size(); ++j) EXPECT_LT(angle_between(rotations[j], alone[j]), 1e-3f);
  }
  EXPECT_FALSE((*stream)->next({}, pose));
  motion::Clip other{"other", b.skeleton, 30, {}, {}, {}};
  other.roots.resize(2);
  other.rotations.resize(2 * other.joints());
  EXPECT_FALSE(
      TransferredStream::create(std::make_unique<motion::RecordedStream>(other, motion::Contacts{}), transfer));
}

}  // namespace
}  // namespace loom::character
