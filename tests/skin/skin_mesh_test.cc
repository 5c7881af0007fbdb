// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include <loom/motion/implicit_surface.h>
#include <loom/motion/kinematics.h>
#include <loom/skin/skin_mesh.h>

#include "tests/make_clip.h"

namespace loom::skin {
namespace {

using testing::random_skeleton;
using testing::small_person;

/// Whether every edge is walked once in each direction: a closed surface with all triangles facing the same way.
bool is_closed(const std::vector<std::uint32_t>& triangles) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (std::size_t t = 0; t < triangles.size(); t += 3) {
    for (std::size_t i = 0; i < 3; ++i) ++edges[{triangles[t + i], triangles[t + (i + 1) % 3]}];
  }
  return std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
    const auto back = edges.find({edge.first.second, edge.first.first});
    return back != edges.end() && back->second == edge.second;
  });
}

/// The volume inside, positive when triangles are counter-clockwise seen from outside.
double volume(const std::vector<Vec3>& positions, const std::vector<std::uint32_t>& triangles) {
  double sum = 0;
  for (std::size_t t = 0; t < triangles.size(); t += 3) {
    sum += dot(positions[triangles[t]], cross(positions[triangles[t + 1]], positions[triangles[t + 2]]));
  }
  return sum / 6;
}

/// Where the vertices are in a pose given by `forward_kinematics`, as programs that draw skins have them.
void deform(const SkinMesh& mesh, std::span<const Vec3> rest, std::span<const Vec3> positions,
            std::span<const Quat> world, std::span<Vec3> out) {
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    Vec3 sum;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t j = mesh.influences[v].joints[i];
      sum += mesh.influences[v].weights[i] * (positions[j] + rotate(world[j], mesh.positions[v] - rest[j]));
    }
    out[v] = sum;
  }
}

TEST(ImplicitSurface, ABallIsRound) {
  const std::vector<motion::Blob> blobs = {{{1, 2, 3}, {1, 2, 3}, 0.5f, 0.5f, {1, 0, 0}, 1, 1, 0, 0}};
  const motion::Surface ball = motion::surface_of(blobs, 0.03f, 0.05f);
  for (std::size_t v = 0; v < ball.positions.size(); ++v) {
    EXPECT_NEAR(distance(ball.positions[v], {1, 2, 3}), 0.5f, 1e-3f);
    EXPECT_GT(dot(ball.normals[v], normalized(ball.positions[v] - Vec3{1, 2, 3})), 0.999f);
  }
  EXPECT_TRUE(is_closed(ball.triangles));
  EXPECT_NEAR(volume(ball.positions, ball.triangles), 4.0 / 3 * 3.14159 * 0.125, 0.01);
}

TEST(ImplicitSurface, AWidenedBallIsAnEllipsoid) {
  const motion::Blob blob{{}, {}, 0.2f, 0.2f, {1, 0, 0}, 2, 2, 0, 0};
  EXPECT_NEAR(motion::distance_to(blob, {0.4f, 0, 0}), 0, 1e-5f);
  EXPECT_NEAR(motion::distance_to(blob, {0, 0.2f, 0}), 0, 1e-5f);
  EXPECT_NEAR(motion::distance_to(blob, {0.42f, 0, 0}), 0.02f, 1e-3f);
  EXPECT_LT(motion::distance_to(blob, {0.1f, 0.1f, 0}), 0);
}

TEST(ImplicitSurface, PartsFlowIntoEachOtherButPiecesOfOneDoNotSwell) {
  std::vector<motion::Blob> blobs = {{{0, 0, 0}, {1, 0, 0}, 0.1f, 0.1f, {0, 1, 0}, 1, 1, 0, 0},
                                     {{1, 0, 0}, {2, 0, 0}, 0.1f, 0.1f, {0, 1, 0}, 1, 1, 0, 0}};
  EXPECT_NEAR(motion::distance_to(blobs, 0.05f, {1, 0.1f, 0}), 0, 1e-6f) << "one rod of two pieces";
  blobs[1].group = 1;
  EXPECT_LT(motion::distance_to(blobs, 0.05f, {1, 0.1f, 0}), -0.01f) << "two parts";
}

void expect_sound(const SkinMesh& mesh, std::size_t joints) {
  ASSERT_FALSE(mesh.positions.empty());
  ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
  ASSERT_EQ(mesh.influences.size(), mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    ASSERT_TRUE(is_finite(mesh.positions[v]));
    ASSERT_NEAR(length(mesh.normals[v]), 1, 1e-4f);
    float sum = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      ASSERT_LT(mesh.influences[v].joints[i], joints);
      ASSERT_GE(mesh.influences[v].weights[i], 0);
      ASSERT_LE(mesh.influences[v].weights[i], mesh.influences[v].weights[i > 0 ? i - 1 : 0]);
      sum += mesh.influences[v].weights[i];
    }
    ASSERT_NEAR(sum, 1, 1e-5f);
  }
  ASSERT_TRUE(std::all_of(mesh.triangles.begin(), mesh.triangles.end(),
                          [&](std::uint32_t v) { return v < mesh.positions.size(); }));
  EXPECT_TRUE(is_closed(mesh.triangles));
  EXPECT_GT(volume(mesh.positions, mesh.triangles), 0);
}

TEST(SkinMesh, IsSoundOnAnyHierarchy) {
  for (const std::size_t joints : {1UL, 2UL, 5UL, 60UL, 400UL}) {
    expect_sound(build_skin_mesh(*random_skeleton(joints, joints)), joints);
  }
}

TEST(SkinMesh, OfAPersonIsClosedAndHasAPersonsSize) {
  const auto person = small_person();
  const SkinMesh mesh = build_skin_mesh(*person);
  expect_sound(mesh, person->size());
  float low = 1e9f, high = -1e9f;
  for (const Vec3 p : mesh.positions) {
    low = std::min(low, p.y);
    high = std::max(high, p.y);
  }
  const std::vector<Vec3> rest = motion::rest_positions(*person);
  const float floor = std::min_element(rest.begin(), rest.end(), [](Vec3 a, Vec3 b) { return a.y < b.y; })->y;
  EXPECT_NEAR(low, floor, 0.04f) << "soles near the lowest point";
  EXPECT_GT(high - low, 1.6f);
  EXPECT_LT(high - low, 1.9f);
  const double litres = 1000 * volume(mesh.positions, mesh.triangles);
  EXPECT_GT(litres, 45) << "a person of 1.7 m weighs 50 to 90 kg, and about a kilogram a litre";
  EXPECT_LT(litres, 90);
}

TEST(SkinMesh, TheCoarseOneIsTheSamePersonOfFewerVertices) {
  const auto person = small_person();
  const SkinMesh fine = build_skin_mesh(*person), coarse = build_skin_mesh(*person, SkinDetail::kCoarse);
  expect_sound(coarse, person->size());
  EXPECT_LT(3 * coarse.positions.size(), fine.positions.size());
  EXPECT_NEAR(volume(coarse.positions, coarse.triangles) / volume(fine.positions, fine.triangles), 1, 0.1);
  for (const Vec3 p : coarse.positions) {
    float nearest = 1e9f;
    for (const Vec3 q : fine.positions) nearest = std::min(nearest, distance(p, q));
    EXPECT_LT(nearest, 0.03f);
  }
}

TEST(SkinMesh, OfImpossibleProportionsIsStillMade) {
  std::vector<motion::Joint> joints = small_person()->joints();
  joints[6].offset = {0, -1e6f, 0};  // a forearm of a thousand kilometres
  const motion::Skeleton monster = motion::Skeleton::create(joints, small_person()->end_sites()).value();
  const SkinMesh mesh = build_skin_mesh(monster);
  EXPECT_LT(mesh.positions.size(), 10000U);
  std::vector<motion::Joint> collapsed = small_person()->joints();
  for (motion::Joint& joint : collapsed) joint.offset = {};
  EXPECT_FALSE(build_skin_mesh(motion::Skeleton::create(collapsed, {}).value()).positions.empty());
}

TEST(SkinMesh, StaysAtRestInTheRestPose) {
  const auto person = small_person();
  const SkinMesh mesh = build_skin_mesh(*person);
  const std::vector<Vec3> rest = motion::rest_positions(*person);
  const std::vector<Quat> still(person->size());
  std::vector<Vec3> out(mesh.positions.size());
  deform(mesh, rest, rest, still, out);
  for (std::size_t v = 0; v < out.size(); ++v) EXPECT_LT(distance(out[v], mesh.positions[v]), 1e-5f);
}

TEST(SkinMesh, BendingAnElbowMovesTheForearmAndNotTheLegs) {
  const auto person = small_person();
  const SkinMesh mesh = build_skin_mesh(*person);
  const auto elbow = static_cast<std::size_t>(*person->find("LeftForeArm"));
  const auto hand = static_cast<std::uint16_t>(*person->find("LeftHand"));
  const auto foot = static_cast<std::uint16_t>(*person->find("RightFoot"));
  std::vector<Quat> turned(person->size());
  turned[elbow] = axis_angle({1, 0, 0}, -kPi / 2);
  std::vector<Vec3> positions(person->point_count());
  std::vector<Quat> world(person->size());
  motion::forward_kinematics(*person, {}, turned, positions, world);
  const std::vector<Vec3> rest = motion::rest_positions(*person);
  std::vector<Vec3> out(mesh.positions.size());
  deform(mesh, rest, positions, world, out);
  std::size_t on_hand = 0, on_foot = 0;
  for (std::size_t v = 0; v < out.size(); ++v) {
    if (mesh.influences[v].joints[0] == hand && mesh.influences[v].weights[0] > 0.999f) {
      ++on_hand;
      EXPECT_NEAR(distance(out[v], positions[hand]), distance(mesh.positions[v], rest[hand]), 1e-4f);
      EXPECT_GT(distance(out[v], mesh.positions[v]), 0.2f);
    }
    if (mesh.influences[v].joints[0] == foot) {
      ++on_foot;
      EXPECT_LT(distance(out[v], mesh.positions[v]), 1e-4f);
    }
  }
  EXPECT_GT(on_hand, 20U);
  EXPECT_GT(on_foot, 20U);
}

TEST(SkinMesh, SkinNearAJointBelongsToBothSidesOfIt) {
  const auto person = small_person();
  const SkinMesh mesh = build_skin_mesh(*person);
  const auto knee = static_cast<std::size_t>(*person->find("LeftLeg"));
  const Vec3 centre = motion::rest_positions(*person)[knee];
  std::size_t shared = 0;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    if (std::fabs(mesh.positions[v].y - centre.y) > 0.01f || distance(mesh.positions[v], centre) > 0.12f) continue;
    EXPECT_GT(mesh.influences[v].weights[1], 0.2f);
    ++shared;
  }
  EXPECT_GT(shared, 5U);
}

TEST(SkinMesh, SameSkeletonSameMesh) {
  const SkinMesh a = build_skin_mesh(*small_person()), b = build_skin_mesh(*small_person());
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.triangles, b.triangles);
}

}  // namespace
}  // namespace loom::skin
