// SPDX-License-Identifier: MIT
// Conventions that people use, each with the joints its tools add: helpers, twists, controls, hair and skirts.
#include "tests/character/conventions.h"

#include <array>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/base/whole.h>
#include <loom/character/map_joints.h>
#include <loom/io/read_rig.h>
#include <loom/motion/joint_names.h>

#include "tests/character_table.h"

namespace loom::character {
namespace {

using loom::testing::body_of;
using loom::testing::Convention;
using loom::testing::ConventionalBody;
using loom::testing::conventions;

void expect_truth(const ConventionalBody& body, const std::string& what) {
  const auto map = map_joints(body.rig);
  ASSERT_TRUE(map) << map.error().to_string();
  ASSERT_TRUE(map->human) << what << " lacks " << (map->missing.empty() ? "nothing" : map->missing[0]);
  for (std::size_t r = 0; r < kRoles; ++r) {
    const auto found = body.truth.find(static_cast<Role>(r));
    const int right = found == body.truth.end() ? -1 : found->second, got = map->joints[r].joint;
    EXPECT_EQ(got, right) << what << ": " << kRoleNames[r] << " is "
                          << (got < 0 ? "none" : body.rig.joints[index(got)].name) << ", not "
                          << (right < 0 ? "none" : body.rig.joints[index(right)].name);
  }
}

TEST(Conventions, AreReadAsTheyAre) {
  for (const Convention& convention : conventions()) expect_truth(body_of(convention), std::string(convention.name));
}

TEST(Conventions, WhateverTheAxesAndTheUnit) {
  Random random(3);
  for (const Convention& convention : conventions()) {
    ConventionalBody body = body_of(convention);
    const auto any = [&] { return static_cast<float>(random.uniform(-1, 1)); };
    const Quat turn = normalized(Quat{any(), any(), any(), any()});
    const float scale = static_cast<float>(std::pow(10, random.uniform(-3, 3)));
    const Vec3 shift = Vec3{any(), any(), any()} * scale;
    for (Vec3& p : body.rig.poses[0]) p = rotate(turn, p) * scale + shift;
    expect_truth(body, std::string(convention.name) + ", turned");
  }
}

/// Arms that hang, as in many files that have no T-pose.
TEST(Conventions, WithArmsThatHang) {
  for (const Convention& convention : conventions()) {
    for (const float down : {0.8f, 1.35f}) {
      ConventionalBody body = body_of(convention);
      for (Vec3& p : body.rig.poses[0]) {
        const Vec3 joint{p.x > 0 ? 0.17f : -0.17f, 1.42f, 0};
        if (std::abs(p.x) < 0.17f || p.y < 1.3f) continue;
        p = joint + rotate(axis_angle({0, 0, 1}, p.x > 0 ? -down : down), p - joint);
      }
      expect_truth(body, std::string(convention.name) + ", arms down by " + std::to_string(down));
    }
  }
}

/// Something made joint by joint.
struct Thing {
  motion::Rig rig{"thing", {}, {{}}};

  int add(const std::string& name, int parent, Vec3 place) {
    rig.joints.push_back({name, parent, false});
    rig.poses[0].push_back(place);
    return static_cast<int>(rig.joints.size()) - 1;
  }
  /// A chain on both sides of x = 0.
  void add_pair(const std::string& name, int from, const std::vector<Vec3>& places) {
    for (const int side : {0, 1}) {
      int last = from;
      for (std::size_t i = 0; i < places.size(); ++i) {
        const Vec3 p = side == 0 ? places[i] : Vec3{-places[i].x, places[i].y, places[i].z};
        last = add(name + std::to_string(i) + (side == 0 ? "_L" : "_R"), last, p);
      }
    }
  }
};

/// Animals and machines of many legs, wheels and arms: none of them is mapped to nonsense.
TEST(Conventions, WhatIsNoHumanIsRefused) {
  std::vector<std::pair<std::string, Thing>> things(6);
  {
    auto& [name, spider] = things[0];
    name = "spider";
    const int body = spider.add("body", -1, {0, 0.4f, 0});
    spider.add("abdomen", body, {0, 0.4f, -0.4f});
    spider.add("head", body, {0, 0.4f, 0.3f});
    for (int leg = 0; leg < 4; ++leg) {
      const float z = 0.2f * static_cast<float>(leg) - 0.3f;
      spider.add_pair("leg" + std::to_string(leg), body,
                      {{0.1f, 0.4f, z}, {0.4f, 0.7f, z}, {0.8f, 0.1f, z}, {0.9f, 0, z}});
    }
  }
  {
    auto& [name, car] = things[1];
    name = "car";
    const int body = car.add("chassis", -1, {0, 0.5f, 0});
    car.add_pair("wheel_front", body, {{0.7f, 0.3f, 1.3f}});
    car.add_pair("wheel_back", body, {{0.7f, 0.3f, -1.3f}});
    car.add_pair("door", body, {{0.8f, 0.8f, 0.2f}, {0.8f, 0.8f, -0.6f}});
    car.add("steering", body, {0.3f, 0.9f, 0.4f});
  }
  {
    auto& [name, arm] = things[2];
    name = "robot arm";
    int last = arm.add("base", -1, {});
    for (int j = 1; j < 6; ++j)
      last = arm.add("axis" + std::to_string(j), last, {0, 0.4f * static_cast<float>(j), 0.1f});
    arm.add_pair("gripper", last, {{0.05f, 2.1f, 0.1f}, {0.06f, 2.2f, 0.1f}, {0.03f, 2.3f, 0.1f}});
  }
  {
    auto& [name, dog] = things[3];
    name = "robot dog";
    const int body = dog.add("body", -1, {0, 0.6f, 0});
    dog.add_pair("hind_leg", body, {{0.15f, 0.6f, -0.4f}, {0.16f, 0.3f, -0.3f}, {0.16f, 0.02f, -0.4f}});
    const int front = dog.add("front", body, {0, 0.6f, 0.4f});
    dog.add_pair("front_leg", front, {{0.15f, 0.6f, 0.4f}, {0.16f, 0.3f, 0.3f}, {0.16f, 0.02f, 0.4f}});
    dog.add("head", front, {0, 0.65f, 0.55f});
  }
  {
    auto& [name, tree] = things[4];
    name = "tree";
    int last = tree.add("trunk", -1, {});
    for (int j = 1; j < 5; ++j) {
      const float y = static_cast<float>(j);
      tree.add_pair("branch" + std::to_string(j), last, {{0.2f, y, 0}, {0.9f, y + 0.5f, 0}, {1.5f, y + 1.1f, 0}});
      last = tree.add("trunk" + std::to_string(j), last, {0, y, 0});
    }
  }
  {
    auto& [name, plane] = things[5];
    name = "aeroplane";
    const int body = plane.add("fuselage", -1, {0, 1, 0});
    plane.add_pair("wing", body, {{0.5f, 1, 0.5f}, {3, 1.1f, 0.2f}, {6, 1.2f, 0}});
    plane.add_pair("gear", body, {{0.5f, 0.9f, -0.2f}, {0.6f, 0.5f, -0.2f}, {0.6f, 0.1f, -0.2f}});
    plane.add("tail", body, {0, 1.2f, -5});
  }
  for (const auto& [name, thing] : things) {
    const auto map = map_joints(thing.rig);
    ASSERT_TRUE(map) << map.error().to_string();
    EXPECT_FALSE(map->human) << name;
    EXPECT_FALSE(map->missing.empty()) << name;
    for (const MappedJoint& mapped : map->joints) EXPECT_EQ(mapped.joint, -1) << name;
  }
}

/// The thing without its names: shape alone.
motion::Rig bare(motion::Rig rig) {
  for (std::size_t j = 0; j < rig.joints.size(); ++j) rig.joints[j].name = "x" + std::to_string(j * 7919 % 10007);
  return rig;
}

/// More animals and machines, some of which stand upright, with names and without any.
TEST(Conventions, WhatStandsUprightButIsNoHumanIsRefused) {
  std::vector<std::pair<std::string, Thing>> things;
  const auto start = [&](const std::string& name) -> Thing& { return things.emplace_back(name, Thing{}).second; };
  things.reserve(16);
  {
    Thing& kangaroo = start("kangaroo");
    const int hips = kangaroo.add("hips", -1, {0, 0.7f, 0});
    const int spine = kangaroo.add("spine", hips, {0, 0.9f, 0.12f});
    const int chest = kangaroo.add("chest", spine, {0, 1.1f, 0.25f});
    const int neck = kangaroo.add("neck", chest, {0, 1.25f, 0.3f});
    kangaroo.add("head", neck, {0, 1.4f, 0.35f});
    kangaroo.add_pair("arm", chest, {{0.1f, 1.1f, 0.3f}, {0.14f, 0.95f, 0.35f}, {0.14f, 0.9f, 0.45f}});
    kangaroo.add_pair("leg", hips,
                      {{0.12f, 0.65f, 0.05f}, {0.15f, 0.4f, 0.35f}, {0.15f, 0.1f, -0.1f}, {0.15f, 0.02f, 0.35f}});
    int last = hips;
    for (int j = 1; j < 6; ++j)
      last = kangaroo.add("tail" + std::to_string(j), last,
                          {0, 0.7f - 0.12f * static_cast<float>(j), -0.22f * static_cast<float>(j)});
  }
  {
    Thing& penguin = start("penguin");
    const int hips = penguin.add("pelvis", -1, {0, 0.2f, 0});
    const int chest = penguin.add("chest", hips, {0, 0.6f, 0});
    penguin.add("head", chest, {0, 0.85f, 0.05f});
    penguin.add_pair("wing", chest, {{0.12f, 0.65f, 0}, {0.25f, 0.5f, 0}, {0.33f, 0.35f, 0}});
    penguin.add_pair("leg", hips, {{0.06f, 0.16f, 0}, {0.07f, 0.1f, 0.02f}, {0.07f, 0.03f, 0}, {0.07f, 0.01f, 0.08f}});
  }
  {
    Thing& ape_like = start("excavator");
    const int chassis = ape_like.add("chassis", -1, {0, 0.5f, 0});
    const int cabin = ape_like.add("cabin", chassis, {0, 1.2f, 0});
    int last = cabin;
    last = ape_like.add("boom", last, {0.3f, 1.6f, 0.8f});
    last = ape_like.add("stick", last, {0.3f, 3.0f, 2.5f});
    ape_like.add("bucket", last, {0.3f, 1.2f, 3.5f});
    ape_like.add_pair("track", chassis, {{0.8f, 0.4f, 1.2f}, {0.8f, 0.4f, 0}, {0.8f, 0.4f, -1.2f}});
  }
  {
    Thing& chair = start("office chair");
    const int seat = chair.add("seat", -1, {0, 0.5f, 0});
    const int back = chair.add("back", seat, {0, 0.7f, -0.2f});
    chair.add("headrest", back, {0, 1.2f, -0.25f});
    chair.add_pair("armrest", seat, {{0.25f, 0.55f, 0}, {0.28f, 0.7f, 0}, {0.28f, 0.7f, 0.2f}});
    chair.add_pair("leg_front", seat, {{0.15f, 0.45f, 0.15f}, {0.2f, 0.2f, 0.2f}, {0.25f, 0, 0.25f}});
    chair.add_pair("leg_back", seat, {{0.15f, 0.45f, -0.15f}, {0.2f, 0.2f, -0.2f}, {0.25f, 0, -0.25f}});
  }
  {
    Thing& drone = start("drone");
    const int body = drone.add("body", -1, {0, 1, 0});
    drone.add_pair("arm_front", body, {{0.1f, 1, 0.1f}, {0.3f, 1, 0.3f}, {0.32f, 1.05f, 0.32f}});
    drone.add_pair("arm_back", body, {{0.1f, 1, -0.1f}, {0.3f, 1, -0.3f}, {0.32f, 1.05f, -0.32f}});
    drone.add_pair("leg", body, {{0.1f, 0.9f, 0}, {0.12f, 0.8f, 0}, {0.12f, 0.75f, 0}});
    const int gimbal = drone.add("gimbal", body, {0, 0.9f, 0.1f});
    drone.add("camera", gimbal, {0, 0.85f, 0.12f});
  }
  {
    Thing& mantis = start("mantis");
    const int body = mantis.add("abdomen", -1, {0, 0.5f, 0});
    const int thorax = mantis.add("thorax", body, {0, 0.9f, 0.4f});
    mantis.add("head", thorax, {0, 1.1f, 0.5f});
    mantis.add_pair("raptor", thorax,
                    {{0.05f, 0.95f, 0.45f}, {0.15f, 0.7f, 0.7f}, {0.12f, 0.9f, 0.8f}, {0.1f, 0.7f, 0.9f}});
    for (int leg = 0; leg < 2; ++leg) {
      const float z = 0.25f * static_cast<float>(leg) - 0.1f;
      mantis.add_pair("leg" + std::to_string(leg), body,
                      {{0.06f, 0.5f, z}, {0.5f, 0.8f, z}, {0.7f, 0.05f, z}, {0.8f, 0, z}});
    }
  }
  {
    Thing& gripper = start("hand");
    const int wrist = gripper.add("wrist", -1, {});
    for (int finger = 0; finger < 5; ++finger) {
      int last = wrist;
      for (int j = 1; j < 4; ++j)
        last = gripper.add("finger" + std::to_string(finger) + std::to_string(j), last,
                           {0.02f * static_cast<float>(finger - 2), 0.05f + 0.03f * static_cast<float>(j), 0});
    }
  }
  {
    Thing& dragon = start("dragon");
    const int hips = dragon.add("hips", -1, {0, 1.4f, 0});
    int last = hips;
    for (int j = 1; j < 5; ++j)
      last = dragon.add("tail" + std::to_string(j), last, {0, 1.4f, -0.6f * static_cast<float>(j)});
    const int spine = dragon.add("spine", hips, {0, 1.5f, 0.5f});
    const int chest = dragon.add("chest", spine, {0, 1.6f, 1});
    int neck = chest;
    for (int j = 1; j < 4; ++j)
      neck = dragon.add("neck" + std::to_string(j), neck,
                        {0, 1.6f + 0.3f * static_cast<float>(j), 1 + 0.2f * static_cast<float>(j)});
    dragon.add("head", neck, {0, 2.6f, 1.8f});
    dragon.add_pair("wing", chest, {{0.2f, 1.8f, 1}, {1.2f, 2.2f, 0.9f}, {2.2f, 2.3f, 0.8f}, {3, 2.1f, 0.4f}});
    dragon.add_pair("frontleg", chest, {{0.3f, 1.5f, 1}, {0.35f, 0.9f, 0.9f}, {0.35f, 0.2f, 1}, {0.35f, 0.02f, 1.15f}});
    dragon.add_pair("hindleg", hips,
                    {{0.3f, 1.3f, 0}, {0.35f, 0.8f, 0.2f}, {0.35f, 0.3f, -0.1f}, {0.35f, 0.02f, 0.1f}});
  }
  {
    Thing& crane = start("pair of cranes");
    const int base = crane.add("base", -1, {});
    const int mast = crane.add("mast", base, {0, 5, 0});
    crane.add_pair("jib", mast, {{0.3f, 5, 0}, {4, 5.5f, 0}, {7, 5, 0}, {7, 2, 0}});
    crane.add_pair("outrigger", base, {{0.5f, 0.3f, 0.5f}, {2, 0.3f, 0.5f}, {2, 0, 0.5f}});
  }
  for (const auto& [name, thing] : things) {
    for (const bool named : {true, false}) {
      const auto map = map_joints(named ? thing.rig : bare(thing.rig));
      ASSERT_TRUE(map) << map.error().to_string();
      EXPECT_FALSE(map->human) << name << (named ? "" : " without names");
    }
  }
}

/// Somebody of one convention, with the places that `change` moves.
template <typename Change>
void expect_truth_after(std::string_view convention, const std::string& what, Change&& change) {
  for (const Convention& known : conventions()) {
    if (known.name != convention) continue;
    ConventionalBody body = body_of(known);
    for (std::size_t j = 0; j < body.rig.joints.size(); ++j) change(body.rig.joints[j], body.rig.poses[0][j]);
    expect_truth(body, what);
  }
}

TEST(Conventions, AnUpperArmThatIsShort) {
  expect_truth_after("Godot", "short upper arms", [](const motion::RigJoint& joint, Vec3& p) {
    if (joint.name.ends_with("UpperArm")) p.x *= 2;
  });
}

TEST(Conventions, BigHeadsShortLegsAndLongArms) {
  expect_truth_after("Godot", "drawn", [](const motion::RigJoint&, Vec3& p) {
    p.y = p.y > 0.95f ? 0.45f + (p.y - 0.95f) * (p.y > 1.5f ? 1.6f : 1.0f) : p.y * 0.45f / 0.95f;
    p.x *= 1.7f;
  });
}

/// Sketchfab numbers all joints through; here one knee is bent, so that names must say what belongs together.
TEST(Conventions, NamesThatAreNumberedThrough) {
  int number = 0;
  ConventionalBody body;
  for (const Convention& known : conventions()) {
    if (known.name == "Rigify deform bones") body = body_of(known);
  }
  for (std::size_t j = 0; j < body.rig.joints.size(); ++j) {
    const std::string digits = std::to_string(number++);
    std::string& name = body.rig.joints[j].name;
    Vec3& p = body.rig.poses[0][j];
    if (name.find("shin.L") != name.npos) p = p + Vec3{0.05f, 0.15f, 0.3f};
    if (name.find("foot.L") != name.npos || name.find("toe.L") != name.npos) p = p + Vec3{0.02f, 0.35f, -0.2f};
    name += "_0" + digits;
  }
  expect_truth(body, "numbered through");
}

/// Rigs for inverse kinematics as Quaternius makes them: feet hang from the root, a point of the file ends each shin.
TEST(Conventions, FeetThatHangFromTheRootBesideAPoint) {
  for (const std::string foot : {"Foot", "FootIK"}) {
    Thing figure;
    const int root = figure.add("Bone", -1, {});
    const int hips = figure.add("Hips", figure.add("Body", root, {0, 0.95f, 0.1f}), {0, 0.9f, 0});
    const int chest = figure.add("Torso", figure.add("Abdomen", hips, {0, 1.05f, 0}), {0, 1.3f, 0});
    figure.add("Head", figure.add("Neck", chest, {0, 1.5f, 0}), {0, 1.6f, 0});
    std::array<int, 2> feet{};
    for (const int side : {0, 1}) {
      const float x = side == 0 ? 1.0f : -1.0f;
      const std::string end = side == 0 ? ".L" : ".R";
      feet[index(side)] = figure.add(foot + end, root, {0.1f * x, 0.05f, 0});
      figure.add(foot + end + "_end", feet[index(side)], {0.1f * x, 0.03f, 0.15f});
      const int knee = figure.add("LowerLeg" + end, figure.add("UpperLeg" + end, hips, {0.1f * x, 0.9f, 0}),
                                  {0.1f * x, 0.45f, 0.02f});
      figure.add("LowerLeg" + end + "_end", knee, {0.1f * x, 0.05f, 0});
      figure.add("PoleTarget" + end, root, {0.1f * x, 0.5f, 0.8f});
      const int arm =
          figure.add("UpperArm" + end, figure.add("Shoulder" + end, chest, {0.05f * x, 1.4f, 0}), {0.2f * x, 1.42f, 0});
      figure.add("Palm" + end, figure.add("LowerArm" + end, arm, {0.45f * x, 1.42f, 0}), {0.7f * x, 1.42f, 0});
    }
    const auto map = map_joints(figure.rig);
    ASSERT_TRUE(map && map->human) << foot;
    EXPECT_EQ(map->of(Role::kLeftFoot).joint, feet[0]) << foot;
    EXPECT_EQ(map->of(Role::kRightFoot).joint, feet[1]) << foot;
  }
}

/// Fingers without a hand: where they begin is the hand, not within one of them.
TEST(Conventions, FingersWithoutAHand) {
  ConventionalBody body;
  for (const Convention& known : conventions()) {
    if (known.name == "Godot") body = body_of(known);
  }
  motion::Rig& rig = body.rig;
  for (const int side : {0, 1}) {
    const std::string word = side == 0 ? "Left" : "Right";
    const int hand = body.truth[side == 0 ? Role::kLeftHand : Role::kRightHand];
    for (motion::RigJoint& joint : rig.joints) {
      if (joint.parent == hand) joint.parent = rig.joints[index(hand)].parent;
    }
    rig.joints[index(hand)].name = word + "Little1";
    rig.joints.push_back({word + "Little2", hand, false});
    rig.poses[0].push_back(rig.poses[0][index(hand)] + Vec3{side == 0 ? 0.1f : -0.1f, 0, 0});
    rig.joints.push_back({word + "Little3", static_cast<int>(rig.joints.size()) - 1, false});
    rig.poses[0].push_back(rig.poses[0][index(hand)] + Vec3{side == 0 ? 0.14f : -0.14f, 0, 0});
  }
  const auto map = map_joints(rig);
  ASSERT_TRUE(map && map->human);
  for (const Role hand : {Role::kLeftHand, Role::kRightHand}) {
    ASSERT_GE(map->of(hand).joint, 0);
    EXPECT_EQ(rig.joints[index(map->of(hand).joint)].parent, rig.joints[index(body.truth[hand])].parent)
        << rig.joints[index(map->of(hand).joint)].name;
  }
}

TEST(Conventions, OfTwoSidesTheOneAtTheEndIsMeant) {
  for (const auto& [name, side] : {std::pair{"PalmR.L", motion::Side::kLeft},
                                   {"PalmL.R", motion::Side::kRight},
                                   {"L_Hand", motion::Side::kLeft},
                                   {"Hand_links", motion::Side::kLeft},
                                   {"braccio_dx", motion::Side::kRight},
                                   {"JtHipLf", motion::Side::kLeft}}) {
    EXPECT_EQ(motion::parse_joint_name(name).side, side) << name;
  }
}

/// Somebody whose arms are copies of the legs, names and all, stands upright all the same.
TEST(Conventions, ArmsCopiedFromLegs) {
  ConventionalBody body;
  for (const Convention& known : conventions()) {
    if (known.name == "Godot") body = body_of(known);
  }
  for (motion::RigJoint& joint : body.rig.joints) {
    for (const std::string side : {"Left", "Right"}) {
      if (joint.name == side + "Shoulder") joint.name = side + "Bone";
      if (joint.name == side + "UpperArm") joint.name = side + "UpperLeg.001";
      if (joint.name == side + "LowerArm") joint.name = side + "LowerLeg.001";
      if (joint.name == side + "Hand") joint.name = side + "Foot.001";
    }
  }
  expect_truth(body, "copied");
}

/// Bodies of the shared set with the names of all conventions: what is right does not depend on them.
TEST(ConventionsRealCapture, OnEveryBodyOfTheSet) {
  if (!std::filesystem::exists(loom::testing::characters_folder())) GTEST_SKIP();
  std::size_t right = 0, roles = 0;
  std::string wrong;
  for (const auto& [file, table] : loom::testing::read_character_table()) {
    const auto rigs = io::read_rigs((loom::testing::characters_folder() / file).string());
    ASSERT_TRUE(rigs) << rigs.error().to_string();
    for (const Convention& convention : conventions()) {
      const ConventionalBody names = body_of(convention);
      motion::Rig rig = rigs->front();
      for (const auto& [role, joints] : table) {
        const auto named = names.truth.find(role);
        if (named == names.truth.end()) continue;
        for (std::size_t j = 0; j < rig.joints.size(); ++j) {
          const bool it = rigs->front().joints[j].name == *joints.begin() ||
                          (joints.size() == 1 && joints.contains(rigs->front().joints[j].name));
          if (it && !rigs->front().joints[j].name.empty())
            rig.joints[j].name = names.rig.joints[index(named->second)].name;
        }
      }
      const auto map = map_joints(rig);
      ASSERT_TRUE(map);
      if (table.empty()) {
        EXPECT_FALSE(map->human) << file;
        continue;
      }
      const std::size_t here = loom::testing::count_right(table, *map, rigs->front());
      right += here, roles += table.size();
      if (here == table.size()) continue;
      wrong += file + " as " + std::string(convention.name) + ":";
      for (const auto& [role, joints] : table) {
        const int joint = map->of(role).joint;
        const std::string got = joint < 0 ? std::string() : rigs->front().joints[index(joint)].name;
        if (!joints.contains(got)) wrong += " " + std::string(role_name(role)) + "=" + got;
      }
      wrong += "\n";
    }
  }
  EXPECT_GE(right * 100, roles * 99) << right << " of " << roles << "\n" << wrong;
}

}  // namespace
}  // namespace loom::character
