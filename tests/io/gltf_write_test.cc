// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <loom/io/gltf_read.h>
#include <loom/io/gltf_write.h>
#include <loom/io/read.h>
#include <loom/motion/kinematics.h>

#include "tests/io/gltf_builder.h"
#include "tests/make_clip.h"
#include "tests/temporary_folder.h"

namespace loom::io {
namespace {

using motion::Clip;
using testing::random_clip;
using testing::random_skeleton;
using testing::small_person;

constexpr float kTenthOfMillimetre = 1e-4f;

GltfCharacter character_of(const Clip& clip) { return {"somebody", clip.skeleton, {clip}, {0.5f, 0.5f, 0.5f}}; }

/// Joint names and order, frames, rate and the positions of all points agree.
void expect_same_motion(const Clip& clip, const RawMotion& raw) {
  ASSERT_EQ(raw.joints.size(), clip.joints());
  for (std::size_t j = 0; j < clip.joints(); ++j) {
    EXPECT_EQ(raw.joints[j].name, clip.skeleton->joint(j).name);
    EXPECT_EQ(raw.joints[j].parent, clip.skeleton->joint(j).parent);
  }
  ASSERT_EQ(raw.end_sites.size(), clip.skeleton->end_sites().size());
  ASSERT_EQ(raw.frames, clip.frames());
  EXPECT_DOUBLE_EQ(raw.rate, clip.rate);
  const motion::WorldPoses poses = forward_kinematics(clip);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const std::vector<Vec3> positions = testing::raw_positions(raw, f);
    for (std::size_t p = 0; p < positions.size(); ++p) {
      ASSERT_LT(distance(positions[p], poses.position(f, p)), kTenthOfMillimetre) << "frame " << f << " point " << p;
    }
  }
}

TEST(GltfWriter, ReadsBackWithinATenthOfAMillimetre) {
  for (const std::size_t joints : {1UL, 2UL, 17UL, 64UL, 300UL}) {
    const Clip clip = random_clip(random_skeleton(joints, joints), 40, 120, 3);
    const Result<std::string> glb = format_glb(std::vector{character_of(clip)});
    ASSERT_TRUE(glb) << glb.error().to_string();
    const auto motions = read_gltf(*glb, "a.glb", "");
    ASSERT_TRUE(motions) << motions.error().to_string();
    ASSERT_EQ(motions->size(), 1U);
    expect_same_motion(clip, motions->front());
  }
}

TEST(GltfWriter, TextFormHoldsTheSameMotion) {
  const Clip clip = random_clip(small_person(), 10, 30, 5);
  const Result<std::string> text = format_gltf(std::vector{character_of(clip)});
  ASSERT_TRUE(text);
  EXPECT_EQ(text->front(), '{');
  const auto motions = read_gltf(*text, "a.gltf", "");
  ASSERT_TRUE(motions) << motions.error().to_string();
  expect_same_motion(clip, motions->front());
}

TEST(GltfWriter, SeveralClipsBecomeSeveralAnimationsOnOneSkeleton) {
  const auto skeleton = small_person();
  std::vector<Clip> clips;
  for (int i = 0; i < 3; ++i) clips.push_back(random_clip(skeleton, 5 + static_cast<std::size_t>(i), 30 * (i + 1), 7));
  clips[0].name = "walk";
  clips[1].name = "run";
  clips[2].name = "walk";
  const auto motions = read_gltf(format_glb(std::vector<GltfCharacter>{{"a", skeleton, clips, {}}}).value(), "a", "");
  ASSERT_TRUE(motions) << motions.error().to_string();
  ASSERT_EQ(motions->size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) expect_same_motion(clips[i], (*motions)[i]);
  EXPECT_EQ((*motions)[0].name, "walk");
  EXPECT_EQ((*motions)[1].name, "run");
  EXPECT_EQ((*motions)[2].name, "walk (2)");
}

TEST(GltfWriter, LabelsAndAFractionalRateSurvive) {
  Clip clip = random_clip(small_person(), 20, 29.97, 5);
  clip.labels = {{"step \"left\"", 0, 10}, {"schritt ä", 5, 20}};
  const auto motions = read_gltf(format_glb(std::vector{character_of(clip)}).value(), "a", "");
  ASSERT_TRUE(motions);
  EXPECT_EQ(motions->front().labels, clip.labels);
  EXPECT_EQ(motions->front().rate, 29.97);
}

TEST(GltfWriter, TwoCharactersMoveInOneAnimation) {
  Clip left = random_clip(small_person(), 12, 30, 1);
  Clip right = random_clip(random_skeleton(9, 4), 12, 30, 2);
  left.name = right.name = "duel";
  left.labels = {{"attack", 0, 6}};
  right.labels = {{"defend", 3, 12}};
  const std::vector<GltfCharacter> fighters = {{"red", left.skeleton, {left}, {0.6f, 0.1f, 0.1f}},
                                               {"blue", right.skeleton, {right}, {0.1f, 0.1f, 0.6f}}};
  const auto motions = read_gltf(format_glb(fighters).value(), "a", "");
  ASSERT_TRUE(motions) << motions.error().to_string();
  ASSERT_EQ(motions->size(), 2U);
  EXPECT_EQ((*motions)[0].name, "duel/red");
  EXPECT_EQ((*motions)[1].name, "duel/blue");
  expect_same_motion(left, (*motions)[0]);
  expect_same_motion(right, (*motions)[1]);
  EXPECT_EQ((*motions)[0].labels, left.labels);
  EXPECT_EQ((*motions)[1].labels, right.labels);
}

TEST(GltfWriter, StillClipKeepsItsLength) {
  Clip clip = random_clip(small_person(), 1, 30, 1);
  for (int i = 0; i < 9; ++i) {
    clip.roots.push_back(clip.roots[0]);
    clip.rotations.insert(clip.rotations.end(), clip.rotations.begin(),
                          clip.rotations.begin() + static_cast<std::ptrdiff_t>(clip.joints()));
  }
  const auto motions = read_gltf(format_glb(std::vector{character_of(clip)}).value(), "a", "");
  ASSERT_TRUE(motions);
  expect_same_motion(clip, motions->front());
}

TEST(GltfWriter, RotationsRunOnWithoutChangeOfSign) {
  Clip clip = random_clip(small_person(), 50, 30, 1);
  for (std::size_t f = 0; f < clip.frames(); f += 2) {
    for (Quat& q : clip.pose(f)) q = -q;
  }
  const auto motions = read_gltf(format_glb(std::vector{character_of(clip)}).value(), "a", "");
  ASSERT_TRUE(motions);
  const RawMotion& raw = motions->front();
  for (std::size_t i = raw.joints.size(); i < raw.rotations.size(); ++i) {
    ASSERT_GT(dot(raw.rotations[i], raw.rotations[i - raw.joints.size()]), 0.0f);
  }
}

TEST(GltfWriter, SameInputSameBytes) {
  const Clip clip = random_clip(small_person(), 20, 30, 1);
  EXPECT_EQ(format_glb(std::vector{character_of(clip)}).value(), format_glb(std::vector{character_of(clip)}).value());
}

TEST(GltfWriter, RefusesClipsOnDifferentBones) {
  const Clip first = random_clip(small_person(), 3, 30, 1);
  Clip second = first;
  second.name = "tall";
  second.skeleton = std::make_shared<motion::Skeleton>(first.skeleton->scaled(1.1f));
  const auto written = format_glb(std::vector<GltfCharacter>{{"a", first.skeleton, {first, second}, {}}});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "clip 'tall' is on another skeleton than the rest: its bones differ in length");
}

TEST(GltfWriter, RefusesAnEndingItDoesNotKnow) {
  const Clip clip = random_clip(small_person(), 3, 30, 1);
  const auto saved = write_gltf(std::vector{clip}, "a", "motion.obj");
  ASSERT_FALSE(saved);
  EXPECT_NE(saved.error().to_string().find(".glb or .gltf"), std::string::npos);
}

TEST(GltfWriter, SavedFileImportsAsTheSameClips) {
  const auto skeleton = small_person();
  std::vector<Clip> clips = {random_clip(skeleton, 30, 60, 1), random_clip(skeleton, 20, 30, 2)};
  clips[0].labels = {{"first", 3, 9}};
  clips[1].name = "other";
  const testing::TemporaryFolder folder;
  const std::string file = folder.file("two.glb");
  ASSERT_TRUE(write_gltf(clips, "somebody", file));
  const auto read = read_motion(file);
  ASSERT_TRUE(read) << read.error().to_string();
  ASSERT_EQ(read->size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const Clip& clip = (*read)[i].clip;
    EXPECT_EQ(clip.name, clips[i].name);
    EXPECT_EQ(clip.labels, clips[i].labels);
    EXPECT_TRUE((*read)[i].warnings.empty());
    EXPECT_TRUE(motion::same_hierarchy(*clip.skeleton, *skeleton));
    const motion::WorldPoses got = forward_kinematics(clip), wanted = forward_kinematics(clips[i]);
    ASSERT_EQ(got.positions.size(), wanted.positions.size());
    for (std::size_t p = 0; p < got.positions.size(); ++p) {
      ASSERT_LT(distance(got.positions[p], wanted.positions[p]), kTenthOfMillimetre);
    }
  }
  EXPECT_EQ((*read)[0].clip.skeleton, (*read)[1].clip.skeleton) << "one object";
}

/// What the Khronos validator says of a file, or nothing where it is not installed.
class KhronosValidator : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path tools = std::filesystem::path(LOOM_SOURCE_DIR) / "tests" / "tools";
    script_ = tools / "validate_gltf.mjs";
    if (!std::filesystem::exists(tools / "node_modules" / "gltf-validator")) {
      GTEST_SKIP() << "SKIPPED: the Khronos validator is not installed; run `npm ci` in tests/tools";
    }
  }

  /// Expects no error and no warning.
  void expect_valid(const std::vector<GltfCharacter>& characters, const std::string& ending) {
    const testing::TemporaryFolder folder;
    const std::string file = folder.file("scene" + ending);
    ASSERT_TRUE(write_gltf(characters, file));
    const int status = std::system(fmt::format("node '{}' '{}'", script_.string(), file).c_str());
    EXPECT_EQ(status, 0) << "the validator's complaints stand above";
  }

  std::filesystem::path script_;
};

TEST_F(KhronosValidator, AcceptsAPersonWithTwoClips) {
  Clip clip = random_clip(small_person(), 25, 30, 1);
  clip.labels = {{"walk", 0, 25}};
  expect_valid({{"somebody", clip.skeleton, {clip, random_clip(clip.skeleton, 4, 120, 2)}, {0.5f, 0.5f, 0.5f}}},
               ".glb");
}

TEST_F(KhronosValidator, AcceptsTheTextForm) {
  expect_valid({character_of(random_clip(small_person(), 5, 30, 1))}, ".gltf");
}

TEST_F(KhronosValidator, AcceptsOneJointAndThreeHundred) {
  expect_valid({character_of(random_clip(random_skeleton(1, 1), 2, 30, 1)),
                character_of(random_clip(random_skeleton(300, 2), 2, 30, 1))},
               ".glb");
}

TEST_F(KhronosValidator, AcceptsABodyWithoutMotion) { expect_valid({{"statue", small_person(), {}, {}}}, ".glb"); }

}  // namespace
}  // namespace loom::io
