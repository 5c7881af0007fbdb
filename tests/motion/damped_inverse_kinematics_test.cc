// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/motion/inverse_kinematics.h>
#include <loom/motion/kinematics.h>

#include "tests/make_clip.h"
#include "tests/make_skeleton.h"

namespace loom::motion {
namespace {

using testing::outline_skeleton;
using testing::random_rotation;
using testing::random_skeleton;
using testing::small_person;

/// Every joint turned by up to `most` radians.
std::vector<Quat> bent_pose(std::size_t joints, float most, Random& random) {
  std::vector<Quat> pose(joints);
  for (Quat& q : pose) {
    q = axis_angle(rotate(random_rotation(random), Vec3{1, 0, 0}), most * static_cast<float>(random.uniform()));
  }
  return pose;
}

Vec3 position_of(const Skeleton& skeleton, int point, Vec3 root, std::span<const Quat> pose) {
  std::vector<Vec3> positions(skeleton.point_count());
  std::vector<Quat> world(skeleton.size());
  forward_kinematics(skeleton, root, pose, positions, world);
  return positions[static_cast<std::size_t>(point)];
}

TEST(SolveDamped, FindsAPoseThatMeetsGoalsTakenFromAPose) {
  Random random(1);
  const auto person = small_person();
  const int hand = person->find("LeftHand").value(), foot = person->find("RightFoot").value();
  const int head_top = static_cast<int>(person->size());  // the first end site
  for (int round = 0; round < 30; ++round) {
    const std::vector<Quat> there = bent_pose(person->size(), 0.8f, random);
    std::vector<Quat> pose = bent_pose(person->size(), 0.3f, random);
    pose[0] = there[0];
    Vec3 root{1, 1, 1};
    const Goal goals[] = {
        {hand, position_of(*person, hand, root, there), joint_frame(*person, hand, root, there).rotation, 1},
        {foot, position_of(*person, foot, root, there), {}, 1},
        {head_top, position_of(*person, head_top, root, there), {}, 2}};
    DampedOptions options;
    options.iterations = 200;
    EXPECT_LT(solve_damped(*person, goals, root, pose, options), 1e-3f) << round;
    EXPECT_EQ(root, (Vec3{1, 1, 1}));
    for (const Goal& goal : goals)
      EXPECT_LT(distance(position_of(*person, goal.point, root, pose), goal.position), 1e-3f);
    EXPECT_LT(angle_between(joint_frame(*person, hand, root, pose).rotation, *goals[0].orientation), 1e-2f);
  }
}

TEST(SolveDamped, ReachesOutStraightTowardsWhatIsTooFar) {
  const Skeleton chain = outline_skeleton("a{b[0 -0.4 0]{c[0 -0.3 0.01]{d[0 -0.3 0]}}}");
  std::vector<Quat> pose(4);
  Vec3 root;
  const Goal goal{3, {3, 0, 0}, {}, 1};
  DampedOptions options;
  options.iterations = 300;
  const float left = solve_damped(chain, {&goal, 1}, root, pose, options);
  EXPECT_NEAR(left, 3 - (0.4f + 0.3f + std::hypot(0.3f, 0.01f)), 1e-3f);
}

/// The cost the solver promises to make small, written down anew.
double cost(const Skeleton& skeleton, std::span<const Goal> goals, std::span<const Quat> pose) {
  double sum = 0;
  for (const Goal& goal : goals) {
    const Vec3 miss = position_of(skeleton, goal.point, {}, pose) - goal.position;
    sum += static_cast<double>(goal.weight) * static_cast<double>(dot(miss, miss));
  }
  return sum;
}

/// Brute force: small random changes, kept when they help, from many starts.
double best_cost_by_search(const Skeleton& skeleton, std::span<const Goal> goals, Random& random) {
  double best = 1e9;
  for (int start = 0; start < 8; ++start) {
    std::vector<Quat> pose = bent_pose(skeleton.size(), 2.0f, random);
    double now = cost(skeleton, goals, pose);
    for (int round = 0; round < 6000; ++round) {
      std::vector<Quat> changed = pose;
      Quat& q = changed[random.index(changed.size())];
      const float size = 0.5f * std::pow(0.999f, static_cast<float>(round));
      q = axis_angle(rotate(random_rotation(random), Vec3{1, 0, 0}), size) * q;
      const double then = cost(skeleton, goals, changed);
      if (then < now) now = then, pose = std::move(changed);
    }
    best = std::min(best, now);
  }
  return best;
}

TEST(SolveDamped, ContradictoryGoalsAreMetAsWellAsSearchingCan) {
  Random random(3);
  const Skeleton tree = outline_skeleton("a{b[0 0.4 0]{c[0.3 0 0] d[0 0.2 0.3]}}");
  for (int round = 0; round < 3; ++round) {
    const auto somewhere = [&] { return rotate(random_rotation(random), Vec3{0.8f, 0, 0}); };
    const Goal goals[] = {{2, somewhere(), {}, 1}, {3, somewhere(), {}, 3}, {1, somewhere(), {}, 0.5f}};
    DampedOptions options;
    options.iterations = 300;
    double found = 1e9;
    for (int start = 0; start < 8; ++start) {
      std::vector<Quat> pose = bent_pose(tree.size(), 2.0f, random);
      Vec3 root;
      solve_damped(tree, goals, root, pose, options);
      found = std::min(found, cost(tree, goals, pose));
    }
    EXPECT_LT(found, best_cost_by_search(tree, goals, random) + 1e-3);
  }
}

TEST(SolveDamped, TurnsOnlyWhatHelpsAndMay) {
  Random random(4);
  const auto person = small_person();
  const int hand = person->find("LeftHand").value();
  const auto chest = static_cast<std::size_t>(person->find("Chest").value());
  const std::vector<Quat> before = bent_pose(person->size(), 0.3f, random);
  std::vector<Quat> after = before;
  std::vector<float> weights(person->size(), 1);
  weights[chest] = 0;
  DampedOptions options;
  options.joint_weights = weights;
  Vec3 root;
  const Vec3 target = position_of(*person, hand, root, before) + Vec3{0.1f, 0.1f, 0.1f};
  const Goal goal{hand, target, {}, 1};
  EXPECT_LT(solve_damped(*person, {&goal, 1}, root, after, options), 1e-3f);
  EXPECT_EQ(after[chest], before[chest]);
  for (const char* other : {"RightArm", "LeftLeg", "Head"}) {
    const auto j = static_cast<std::size_t>(person->find(other).value());
    EXPECT_EQ(after[j], before[j]) << other;
  }
}

TEST(SolveDamped, MovesTheRootOnlyWhenAllowed) {
  const auto person = small_person();
  std::vector<Quat> pose(person->size());
  Vec3 root{0, 1, 0};
  const Goal goals[] = {{person->find("LeftFoot").value(), {5.1f, 0.1f, 0}, {}, 1},
                        {person->find("Head").value(), {5, 1.6f, 0}, {}, 1}};
  DampedOptions options;
  options.move_root = true;
  options.iterations = 200;
  EXPECT_LT(solve_damped(*person, goals, root, pose, options), 1e-3f);
  EXPECT_NEAR(root.x, 5, 0.5);
}

TEST(SolveDamped, StiffnessKeepsThePoseNearTheGivenOne) {
  Random random(5);
  const auto person = small_person();
  const std::vector<Quat> given = bent_pose(person->size(), 0.5f, random);
  const int hand = person->find("RightHand").value();
  const Goal goal{hand, position_of(*person, hand, {}, given) + Vec3{0.2f, 0.1f, 0}, {}, 1};
  const auto turned = [&](float stiffness) {
    std::vector<Quat> pose = given;
    Vec3 root;
    DampedOptions options;
    options.stiffness = stiffness;
    options.iterations = 100;
    solve_damped(*person, {&goal, 1}, root, pose, options);
    float sum = 0;
    for (std::size_t j = 0; j < pose.size(); ++j) sum += angle_between(pose[j], given[j]);
    return sum;
  };
  const float soft = turned(0.02f), medium = turned(0.3f), stiff = turned(3.0f);
  EXPECT_GT(soft, medium);
  EXPECT_GT(medium, stiff);
  EXPECT_LT(stiff, 0.1f);
}

TEST(SolveDamped, GivesTheSameBytesEveryTime) {
  Random random(6);
  const auto skeleton = random_skeleton(25, 6);
  const std::vector<Quat> start = bent_pose(skeleton->size(), 1.0f, random);
  const Goal goals[] = {{24, {0.3f, 0.2f, 0.1f}, {}, 1}, {20, {-0.3f, 0, 0.1f}, random_rotation(random), 1}};
  std::vector<Quat> first = start, second = start;
  Vec3 root_a, root_b;
  solve_damped(*skeleton, goals, root_a, first);
  solve_damped(*skeleton, goals, root_b, second);
  EXPECT_EQ(first, second);
  EXPECT_NE(first, start);
}

TEST(SolveDamped, NothingToDoChangesNothing) {
  const auto person = small_person();
  std::vector<Quat> pose(person->size());
  const std::vector<Quat> before = pose;
  Vec3 root;
  EXPECT_EQ(solve_damped(*person, {}, root, pose), 0);
  EXPECT_EQ(pose, before);
  const int hand = person->find("LeftHand").value();
  const Goal there{hand, position_of(*person, hand, root, pose), {}, 1};
  EXPECT_LT(solve_damped(*person, {&there, 1}, root, pose), 1e-6f);
  EXPECT_EQ(pose, before);
}

}  // namespace
}  // namespace loom::motion
