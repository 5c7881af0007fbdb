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

#include "tests/count_allocations.h"

namespace loom::character {
namespace {

Role on_side(Role left, int side) { return static_cast<Role>(static_cast<int>(left) + side); }
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// How somebody is built.
struct Build {
  float thigh = 0.42f, shin = 0.41f, ankle = 0.08f, foot = 0.14f, upper = 0.29f, fore = 0.26f;
  float arms_down = 0;  ///< radians below the T-pose in which arms are held at rest
  float faces = 0;      ///< radians about the vertical at rest
  int spine = 3;        ///< joints of it, the chest included
  bool collars = true, twists = false, root_above = false;
};

/// Somebody made joint by joint, with the truth of which is which.
struct Person {
  std::vector<motion::Joint> joints;
  std::vector<motion::EndSite> ends;
  JointMap map;
  Quat facing;

  int add(const std::string& name, int parent, Vec3 offset) {
    joints.push_back({name, parent, rotate(facing, offset)});
    return static_cast<int>(joints.size()) - 1;
  }
  int add(Role role, int parent, Vec3 offset) {
    const int joint = add(std::string(role_name(role)), parent, offset);
    map.of(role) = {joint, 1};
    return joint;
  }
};

HumanBody make_body(const Build& build) {
  Person p;
  p.map.human = true;
  p.facing = axis_angle({0, 1, 0}, build.faces);
  const int root = build.root_above ? p.add("root", -1, {}) : -1;
  const int hips = p.add(Role::kHips, root, root < 0 ? Vec3{} : Vec3{0, 0.9f, 0});
  int top = hips;
  for (int s = 0; s < build.spine; ++s) {
    const Vec3 offset{0, 0.36f / static_cast<float>(build.spine), s == 0 ? -0.02f : 0.0f};
    if (s == 0) {
      top = p.add(Role::kSpine, top, offset);
    } else if (s + 1 == build.spine) {
      top = p.add(Role::kChest, top, offset);
    } else {
      top = p.add("between" + std::to_string(s), top, offset);
    }
  }
  p.add(Role::kHead, p.add(Role::kNeck, top, {0, 0.2f, 0}), {0, 0.1f, 0});
  for (const int side : {0, 1}) {
    const float sign = side == 0 ? 1.0f : -1.0f;
    const Vec3 along{sign * std::cos(build.arms_down), -std::sin(build.arms_down), 0};
    int from = top;
    if (build.collars) from = p.add(on_side(Role::kLeftShoulder, side), top, {sign * 0.04f, 0.14f, 0});
    const int upper = p.add(on_side(Role::kLeftUpperArm, side), from, {sign * 0.14f, build.collars ? 0.02f : 0.16f, 0});
    const int fore = p.add(on_side(Role::kLeftForearm, side), upper, along * build.upper);
    int wrist = fore;
    if (build.twists) {
      wrist = p.add("twist" + std::to_string(side), fore, along * (build.fore / 2));
      p.map.twists.push_back({on_side(Role::kLeftForearm, side), wrist});
    }
    p.add(on_side(Role::kLeftHand, side), wrist, along * (build.twists ? build.fore / 2 : build.fore));
    const int thigh = p.add(on_side(Role::kLeftThigh, side), hips, {sign * 0.09f, -0.03f, 0});
    const int shin = p.add(on_side(Role::kLeftShin, side), thigh, {0, -build.thigh, 0.01f});
    const int foot = p.add(on_side(Role::kLeftFoot, side), shin, {0, -build.shin, -0.02f});
    const int toe = p.add(on_side(Role::kLeftToe, side), foot, {0, -build.ankle + 0.02f, build.foot});
    p.ends.push_back({toe, rotate(p.facing, Vec3{0, -0.02f, 0.06f})});
  }
  auto skeleton = motion::Skeleton::create(p.joints, p.ends);
  EXPECT_TRUE(skeleton) << skeleton.error().to_string();
  auto body = look_at_body(std::make_shared<motion::Skeleton>(std::move(*skeleton)), p.map);
  EXPECT_TRUE(body) << body.error().to_string();
  return std::move(*body);
}

Build random_build(Random& random) {
  const auto about = [&](double value, double share) {
    return static_cast<float>(value * random.uniform(1 - share, 1 + share));
  };
  Build build;
  build.thigh = about(0.42, 0.3);
  build.shin = about(0.41, 0.3);
  build.ankle = about(0.08, 0.4);
  build.foot = about(0.14, 0.4);
  build.upper = about(0.29, 0.3);
  build.fore = about(0.26, 0.3);
  build.arms_down = static_cast<float>(random.uniform(0, 1.2));
  build.faces = static_cast<float>(random.uniform(-3, 3));
  build.spine = random.uniform(0, 1) < 0.5 ? 2 : 4;
  build.collars = random.uniform(0, 1) < 0.7;
  build.twists = random.uniform(0, 1) < 0.5;
  build.root_above = random.uniform(0, 1) < 0.5;
  return build;
}

struct WorldPose {
  std::vector<Vec3> positions;
  std::vector<Quat> world;
};

WorldPose world_of(const HumanBody& body, Vec3 root, std::span<const Quat> rotations) {
  WorldPose pose{std::vector<Vec3>(body.skeleton->point_count()), std::vector<Quat>(body.skeleton->size())};
  motion::forward_kinematics(*body.skeleton, root, rotations, pose.positions, pose.world);
  return pose;
}

/// A pose of somebody on their feet: knees bend as knees do, everything else as it likes, within reason.
std::vector<Quat> random_pose(const HumanBody& body, Random& random) {
  std::vector<Quat> pose(body.skeleton->size());
  for (std::size_t r = 0; r < kRoles; ++r) {
    if (body.joints[r] < 0) continue;
    const auto any = [&] { return static_cast<float>(random.uniform(-1, 1)); };
    const Role role = static_cast<Role>(r);
    const bool knee = role == Role::kLeftShin || role == Role::kRightShin;
    const Vec3 across = rotate(body.frames[at(body.of(Role::kHips))], {1, 0, 0});
    pose[at(body.joints[r])] =
        knee ? axis_angle(across, 0.8f + 0.3f * any()) : axis_angle({any(), any(), any()}, 0.35f * any());
  }
  return pose;
}

TEST(Transfer, TheSameBodyGetsTheSamePose) {
  Random random(1);
  for (int round = 0; round < 30; ++round) {
    const HumanBody body = make_body(random_build(random));
    const std::vector<Quat> pose = random_pose(body, random);
    const Vec3 root{1, 0.8f, -2};
    Transfer transfer = Transfer::between(body, body, {true, -0.4f});
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
  Transfer transfer = Transfer::between(a, b, {true, 0});
  std::vector<Quat> to(b.skeleton->size());
  Vec3 root;
  const std::size_t before = loom::testing::allocations;
  for (int i = 0; i < 10; ++i) transfer.apply({0, 1, 0}, pose, root, to);
  EXPECT_EQ(std::size_t{loom::testing::allocations}, before);
}

TEST(TransferredStream, PlaysWhatTheClipBecomes) {
  Random random(6);
  const HumanBody a = make_body(random_build(random)), b = make_body(random_build(random));
  motion::Clip clip{"moves", a.skeleton, 30, {}, {}, {}};
  for (int f = 0; f < 20; ++f) {
    clip.roots.push_back({0.02f * static_cast<float>(f), 0.9f, 0});
    const std::vector<Quat> pose = random_pose(a, random);
    clip.rotations.insert(clip.rotations.end(), pose.begin(), pose.end());
  }
  Transfer transfer = Transfer::between(a, b);
  const auto whole = transfer_clip(transfer, clip);
  ASSERT_TRUE(whole);
  auto stream = TransferredStream::create(std::make_unique<motion::RecordedStream>(clip, motion::Contacts{}), transfer);
  ASSERT_TRUE(stream) << stream.error().to_string();
  std::vector<Quat> rotations(b.skeleton->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    ASSERT_TRUE((*stream)->next({}, pose));
    EXPECT_EQ(pose.root, whole->roots[f]);
    for (std::size_t j = 0; j < rotations.size(); ++j) EXPECT_LT(angle_between(rotations[j], whole->pose(f)[j]), 1e-3f);
  }
  EXPECT_FALSE((*stream)->next({}, pose));
  EXPECT_FALSE(
      TransferredStream::create(std::make_unique<motion::RecordedStream>(*whole, motion::Contacts{}), transfer));
}

}  // namespace
}  // namespace loom::character
