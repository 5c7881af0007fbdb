// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/character/detail/rig_tree.h>
#include <loom/character/map_joints.h>

#include "tests/character_table.h"

namespace loom::character {
namespace {

using loom::testing::without_names;

/// A person made joint by joint, with what each of them is: the truth to hold the search against.
struct TruePerson {
  motion::Rig rig{"person", {}, {{}}};
  std::map<Role, int> truth;

  int add(const std::string& name, int parent, Vec3 place) {
    rig.joints.push_back({name, parent, false});
    rig.poses[0].push_back(place);
    return static_cast<int>(rig.joints.size()) - 1;
  }
  int add(Role role, int parent, Vec3 place) { return truth[role] = add(std::string(role_name(role)), parent, place); }
};

Role of_side(Role left, int right) { return static_cast<Role>(static_cast<int>(left) + right); }

/// Somebody of random proportions in T-pose, who looks along +Z, with fingers; now and then with twist joints,
/// collarbones or a hidden root.
TruePerson random_person(std::uint64_t seed) {
  Random random(seed);
  TruePerson p;
  const auto about = [&](double value) { return static_cast<float>(value * random.uniform(0.9, 1.1)); };
  const float hip = about(0.92), shoulder = hip + about(0.48);
  const int root = random.uniform(0, 1) < 0.5 ? p.add("root", -1, {}) : -1;
  const int hips = p.add(Role::kHips, root, {0, hip, 0});
  const int spine = p.add(Role::kSpine, hips, {0, hip + 0.12f, -0.01f});
  const int chest = p.add(Role::kChest, spine, {0, hip + 0.3f, -0.02f});
  const int neck = p.add(Role::kNeck, chest, {0, shoulder + 0.06f, 0});
  p.add(Role::kHead, neck, {0, shoulder + 0.15f, 0.01f});
  const float thigh = about(0.43), shin = about(0.42), apart = about(0.09), upper = about(0.28), fore = about(0.26);
  const float wide = about(0.18);
  const bool collars = random.uniform(0, 1) < 0.7, twists = random.uniform(0, 1) < 0.5;
  for (const int right : {0, 1}) {
    const float side = right == 0 ? 1.0f : -1.0f;
    const int leg = p.add(of_side(Role::kLeftThigh, right), hips, {side * apart, hip - 0.03f, 0});
    const int knee = p.add(of_side(Role::kLeftShin, right), leg, {side * apart, hip - 0.03f - thigh, 0.01f});
    const Vec3 ankle{side * apart, hip - 0.03f - thigh - shin, -0.02f};
    const int foot = p.add(of_side(Role::kLeftFoot, right), knee, ankle);
    p.add(of_side(Role::kLeftToe, right), foot, ankle + Vec3{0, -0.05f, 0.14f});
    int from = chest;
    if (collars) from = p.add(of_side(Role::kLeftShoulder, right), chest, {side * 0.03f, shoulder - 0.02f, 0.02f});
    int arm = p.add(of_side(Role::kLeftUpperArm, right), from, {side * wide, shoulder, 0});
    if (twists) arm = p.add("upper twist", arm, {side * (wide + upper / 2), shoulder, 0});
    const int elbow = p.add(of_side(Role::kLeftForearm, right), arm, {side * (wide + upper), shoulder, 0});
    const float wrist = wide + upper + fore;
    const int hand = p.add(of_side(Role::kLeftHand, right), elbow, {side * wrist, shoulder, 0});
    for (int finger = 0; finger < 5; ++finger) {
      const float z = 0.03f * static_cast<float>(2 - finger);
      int last = hand;
      for (int joint = 0; joint < 3; ++joint) {
        last = p.add("finger", last, {side * (wrist + 0.08f + 0.03f * static_cast<float>(joint)), shoulder, z});
      }
    }
  }
  return p;
}

void expect_truth(const TruePerson& person, const JointMap& map, const std::string& what) {
  EXPECT_TRUE(map.human) << what << (map.missing.empty() ? "" : map.missing[0]);
  for (std::size_t r = 0; r < kRoles; ++r) {
    const auto found = person.truth.find(static_cast<Role>(r));
    EXPECT_EQ(map.joints[r].joint, found == person.truth.end() ? -1 : found->second) << what << ": " << kRoleNames[r];
  }
}

TEST(MapJoints, FindsRandomPeopleByShapeAlone) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    TruePerson person = random_person(seed);
    const auto map = map_joints(without_names(person.rig));
    ASSERT_TRUE(map) << map.error().to_string();
    expect_truth(person, *map, "seed " + std::to_string(seed));
    EXPECT_LT(map->of(Role::kLeftShin).confidence, 0.9f) << "shape alone is not certain";
  }
}

TEST(MapJoints, IsSurerWhereNamesAgree) {
  TruePerson person = random_person(3);
  const auto named = map_joints(person.rig), bare = map_joints(without_names(person.rig));
  ASSERT_TRUE(named && bare);
  EXPECT_GT(named->of(Role::kLeftShin).confidence, bare->of(Role::kLeftShin).confidence);
  EXPECT_TRUE(named->unclear.empty());
  EXPECT_FALSE(bare->unclear.empty()) << "that sides come from the toes is told";
}

TEST(MapJoints, OrderOfJointsDoesNotMatter) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const TruePerson person = random_person(seed);
    const std::size_t count = person.rig.joints.size();
    Random random(seed);
    std::vector<int> place(count);
    for (std::size_t j = 0; j < count; ++j) place[j] = static_cast<int>(j);
    for (std::size_t j = count; j-- > 1;) std::swap(place[j], place[random.index(j + 1)]);
    TruePerson shuffled = person;
    for (std::size_t j = 0; j < count; ++j) {
      const auto to = static_cast<std::size_t>(place[j]);
      shuffled.rig.joints[to] = person.rig.joints[j];
      const int parent = person.rig.joints[j].parent;
      shuffled.rig.joints[to].parent = parent < 0 ? -1 : place[static_cast<std::size_t>(parent)];
      shuffled.rig.poses[0][to] = person.rig.poses[0][j];
    }
    for (auto& entry : shuffled.truth) entry.second = place[static_cast<std::size_t>(entry.second)];
    const auto map = map_joints(shuffled.rig);
    ASSERT_TRUE(map);
    expect_truth(shuffled, *map, "seed " + std::to_string(seed));
  }
}

TEST(MapJoints, AWrongPoseDoesNotHideTheRightOne) {
  TruePerson person = random_person(5);
  std::vector<Vec3> nonsense = person.rig.poses[0];
  for (Vec3& p : nonsense) p.y = -p.y * (p.y < 1 ? -1.0f : 1.0f);  // folded: the torso hangs below the hips
  person.rig.poses.push_back(nonsense);
  const auto map = map_joints(person.rig);
  ASSERT_TRUE(map);
  expect_truth(person, *map, "two poses");
}

TEST(MapJoints, TwistsAndFingersAreTold) {
  std::size_t with_twists = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto map = map_joints(random_person(seed).rig);
    ASSERT_TRUE(map);
    EXPECT_EQ(map->fingers.size(), 30U);
    if (map->twists.empty()) continue;
    ++with_twists;
    ASSERT_EQ(map->twists.size(), 2U);
    EXPECT_EQ(map->twists[0].of, Role::kLeftUpperArm);
    EXPECT_EQ(map->twists[1].of, Role::kRightUpperArm);
  }
  EXPECT_GT(with_twists, 0U);
}

TEST(MapJoints, RefusesWhoGoesOnAllFours) {
  TruePerson person = random_person(7);
  // The torso laid forward, arms down to the floor: names still say human.
  const float hip = person.rig.poses[0][static_cast<std::size_t>(person.truth[Role::kHips])].y;
  for (std::size_t j = 0; j < person.rig.joints.size(); ++j) {
    Vec3& p = person.rig.poses[0][j];
    if (p.y <= hip + 0.01f) continue;
    const float out = std::abs(p.x);
    p = {p.x > 0 ? 0.1f : -0.1f, hip - std::max(0.0f, out - 0.1f) * 1.2f, p.y - hip};
  }
  const auto map = map_joints(person.rig);
  ASSERT_TRUE(map);
  EXPECT_FALSE(map->human);
  ASSERT_FALSE(map->missing.empty());
  EXPECT_EQ(map->missing[0], "an upright torso above the legs");
  for (const MappedJoint& mapped : map->joints) EXPECT_EQ(mapped.joint, -1) << "nothing is mapped to nonsense";
}

TEST(MapJoints, SaysWhatAStickLacks) {
  motion::Rig rig{"stick", {{"a", -1, false}, {"b", 0, false}, {"c", 1, false}}, {{{}, {0, 1, 0}, {0, 2, 0}}}};
  const auto map = map_joints(rig);
  ASSERT_TRUE(map);
  EXPECT_FALSE(map->human);
  EXPECT_EQ(map->missing, (std::vector<std::string>{"two legs", "two arms"}));
}

TEST(MapJoints, ReadsRigsOfTwoRoots) {
  TruePerson person = random_person(9);
  person.add("prop", -1, {3, 0, 0});
  const auto map = map_joints(person.rig);
  ASSERT_TRUE(map);
  expect_truth(person, *map, "with a prop");
}

TEST(MapJoints, ReadsBonesWithoutLength) {
  TruePerson person = random_person(2);
  for (Vec3& p : person.rig.poses[0]) p = {};
  const auto map = map_joints(person.rig);
  ASSERT_TRUE(map);
  EXPECT_FALSE(map->human) << "a body at one point stands nowhere";
}

TEST(MapJoints, RefusesCyclesAndNumbersThatAreNone) {
  TruePerson person = random_person(4);
  motion::Rig circle = person.rig;
  circle.joints[2].parent = 3;
  circle.joints[3].parent = 2;
  EXPECT_FALSE(map_joints(circle));
  motion::Rig self = person.rig;
  self.joints[1].parent = 1;
  EXPECT_FALSE(map_joints(self));
  motion::Rig outside = person.rig;
  outside.joints[1].parent = 1000;
  EXPECT_FALSE(map_joints(outside));
  motion::Rig infinite = person.rig;
  infinite.poses[0][4].x = INFINITY;
  EXPECT_FALSE(map_joints(infinite));
  motion::Rig poor = person.rig;
  poor.poses[0].pop_back();
  EXPECT_FALSE(map_joints(poor));
  EXPECT_FALSE(map_joints(motion::Rig{}));
}

TEST(MapJoints, AnswersWhateverTheShape) {
  for (const bool star : {true, false}) {
    motion::Rig rig{"odd", {}, {{}}};
    for (int j = 0; j < 4096; ++j) {
      rig.joints.push_back({"j", star ? std::min(0, j - 1) : j - 1, false});
      rig.poses[0].push_back({static_cast<float>(j % 7), static_cast<float>(j % 11), 1});
    }
    const auto map = map_joints(rig);
    ASSERT_TRUE(map);
    EXPECT_FALSE(map->human);
  }
}

TEST(RigTree, AncestorsAreThoseOneMeetsGoingUp) {
  Random random(1);
  motion::Rig rig{"tree", {}, {{}}};
  for (int j = 0; j < 60; ++j) {
    const int parent = j < 2 ? -1 : static_cast<int>(random.index(static_cast<std::size_t>(j)));
    rig.joints.push_back({"j", parent, false});
    rig.poses[0].push_back({static_cast<float>(j), 0, 0});
  }
  const RigTree tree(rig);
  const auto above = [&](int joint) {
    std::vector<int> met;
    for (; joint >= 0; joint = rig.joints[static_cast<std::size_t>(joint)].parent) met.push_back(joint);
    return met;
  };
  for (int a = 0; a < 60; ++a) {
    for (int b = 0; b < 60; ++b) {
      const std::vector<int> of_a = above(a), of_b = above(b);
      const auto has = [&](int joint) { return std::find(of_b.begin(), of_b.end(), joint) != of_b.end(); };
      const auto common = std::find_if(of_a.begin(), of_a.end(), has);
      EXPECT_EQ(tree.common(a, b), common == of_a.end() ? -1 : *common);
      EXPECT_EQ(tree.is_above(a, b), has(a));
    }
  }
}

}  // namespace
}  // namespace loom::character
