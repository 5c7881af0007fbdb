// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/io/read_rig.h>

#include "tests/temporary_folder.h"

namespace loom::io {
namespace {

/// A scene of nodes one below the other, each a metre above its parent.
AnimatedScene chain(std::size_t count) {
  AnimatedScene scene;
  for (std::size_t n = 0; n < count; ++n) {
    SceneNode node;
    node.name = "n" + std::to_string(n);
    node.parent = static_cast<int>(n) - 1;
    node.translation = {0, 1, 0};
    scene.nodes.push_back(node);
  }
  return scene;
}

TEST(RigsOf, WithoutASkinEveryNodeIsAJoint) {
  const auto rigs = rigs_of(chain(3));
  ASSERT_TRUE(rigs);
  ASSERT_EQ(rigs->size(), 1U);
  EXPECT_EQ((*rigs)[0].joints.size(), 3U);
  EXPECT_EQ((*rigs)[0].poses.size(), 1U);
  EXPECT_EQ((*rigs)[0].poses[0][2], (Vec3{0, 3, 0}));
}

TEST(RigsOf, JointsAreThoseOfSkinsWithWhatIsAboveAndBelow) {
  AnimatedScene scene = chain(4);
  SceneNode mesh;
  mesh.name = "mesh", mesh.parent = 2, mesh.ornament = true;
  scene.nodes.push_back(mesh);
  SceneNode camera;  // of another tree
  camera.name = "camera";
  scene.nodes.push_back(camera);
  scene.skins.push_back({"skin", {2}});
  const auto rigs = rigs_of(scene);
  ASSERT_TRUE(rigs);
  ASSERT_EQ(rigs->size(), 1U);
  ASSERT_EQ((*rigs)[0].joints.size(), 4U);
  EXPECT_EQ((*rigs)[0].joints[3].name, "n3");
}

TEST(RigsOf, TwoTreesAreTwoRigsAndTheContainerIsNone) {
  AnimatedScene scene = chain(1);
  scene.nodes[0].container = true;
  for (const char* name : {"a", "b"}) {
    SceneNode node;
    node.name = name, node.parent = 0;
    scene.nodes.push_back(node);
  }
  scene.skins.push_back({"one", {1}});
  scene.skins.push_back({"two", {2}});
  const auto rigs = rigs_of(scene);
  ASSERT_TRUE(rigs);
  ASSERT_EQ(rigs->size(), 2U);
  EXPECT_EQ((*rigs)[1].joints[0].name, "b");
  EXPECT_EQ((*rigs)[1].joints[0].parent, -1);
}

TEST(RigsOf, ScaledAndMirroredNodesPutWhatHangsFromThemWhereItIsSeen) {
  AnimatedScene scene = chain(3);
  scene.nodes[0].scale = {-2, 2, 3};
  scene.nodes[1].translation = {1, 1, 1};
  scene.nodes[1].rotation = axis_angle({0, 0, 1}, kPi / 2);  // up becomes -X, which the mirror turns to +X
  const auto rigs = rigs_of(scene);
  ASSERT_TRUE(rigs);
  EXPECT_LT(distance((*rigs)[0].poses[0][1], {-2, 3, 3}), 1e-5f);
  EXPECT_LT(distance((*rigs)[0].poses[0][2], {0, 3, 3}), 1e-5f);
}

TEST(RigsOf, TheBindPoseIsAPoseOfItsOwn) {
  AnimatedScene scene = chain(3);
  scene.skins.push_back({"skin", {0, 1, 2}});
  scene.nodes[1].bind = axis_angle({0, 0, 1}, -kPi / 2);  // bound with the last bone along +X
  const auto rigs = rigs_of(scene);
  ASSERT_TRUE(rigs);
  ASSERT_EQ((*rigs)[0].poses.size(), 2U);
  EXPECT_LT(distance((*rigs)[0].poses[1][2], {1, 2, 0}), 1e-5f);
}

TEST(RigsOf, RefusesCycles) {
  AnimatedScene scene = chain(3);
  scene.nodes[0].parent = 2;
  EXPECT_FALSE(rigs_of(scene));
}

TEST(ReadRigs, SaysWhatIsNoCharacter) {
  const testing::TemporaryFolder folder;
  const auto ending = read_rigs(folder.write("a.txt", "x"));
  ASSERT_FALSE(ending);
  EXPECT_EQ(ending.error().kind, ErrorKind::kBadInput);
  EXPECT_FALSE(read_rigs(folder.file("none.glb")));
  EXPECT_FALSE(read_rigs(folder.write("bad.vrm", "glTF")));
}

}  // namespace
}  // namespace loom::io
