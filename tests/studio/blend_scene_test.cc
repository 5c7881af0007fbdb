// SPDX-License-Identifier: MIT
// The character that follows a target, without a page.
#include "apps/studio/blend_scene.h"

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/blend/family/triangulate.h>
#include <loom/library/library.h>
#include <loom/project/build.h>
#include <loom/sample/sample.h>

#include "tests/temporary_folder.h"

namespace loom::studio {
namespace {

using nlohmann::json;

class BlendSceneTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const testing::TemporaryFolder folder;
    auto library = library::Library::open_or_create(folder.file("reaches.loom"));
    ASSERT_TRUE(library);
    for (const std::string& name : sample::sample_names()) {
      if (!name.starts_with("reach-")) continue;
      ASSERT_TRUE(library->add_clip(sample::make_sample(name, {1, 30})->clip));
    }
    blend::FamilyOptions options;
    options.label = "reach";
    ASSERT_TRUE(project::build_family(*library, "reach", options));
    family_ = std::make_shared<const BlendableFamily>(*BlendableFamily::create(*blend::load_family(*library, "reach")));
  }
  static void TearDownTestSuite() { family_.reset(); }

  /// What a frame tells after `message` was heard.
  std::vector<float> values_after(const json& message) {
    scene_->hear(message);
    SceneFrame frame;
    EXPECT_TRUE(scene_->step(0.02, frame));
    return frame.values;
  }

  static constexpr std::size_t kPlain = 3 + 3 + 3 + 3;  ///< values before constraints
  static inline std::shared_ptr<const BlendableFamily> family_;
  std::unique_ptr<Scene> scene_ = *make_blend_scene(family_, blend::Method::kInverse);
};

TEST_F(BlendSceneTest, TellsNoConstraintsAndNoMeshUnlessAskedTo) {
  const auto values = values_after({{"target", {0.2, 1.2, 0.5}}});
  ASSERT_EQ(values.size(), kPlain + 2);
  EXPECT_EQ(values[kPlain], 0);
  EXPECT_EQ(values[kPlain + 1], 0);
}

TEST_F(BlendSceneTest, TheMeshIsTheLocalCoverageAroundTheTargetAndGoesWithIt) {
  for (const std::array<double, 3>& at : {std::array{0.2, 1.2, 0.5}, {-0.1, 1.4, 0.4}}) {
    const auto values = values_after(
        {{"target", at}, {"mesh", {{"shape", "wall"}, {"size", 0.2}, {"points", 4U}}}, {"playing", false}});
    ASSERT_EQ(values.size(), kPlain + 3 + 4 * 16);
    EXPECT_EQ(values[kPlain + 1], 4);
    EXPECT_EQ(values[kPlain + 2], 4);
    const blend::Coverage wanted = blend::LocalCoverage(*blend::triangulate(*family_->stored.family), family_->model)
                                       .at(at, {blend::PatchShape::kWall, 0.2, 4});
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const float* point = &values[kPlain + 3 + 4 * i];
      for (std::size_t d = 0; d < 3; ++d) EXPECT_NEAR(static_cast<double>(point[d]), wanted.target(i)[d], 1e-6);
      EXPECT_FLOAT_EQ(point[3], wanted.errors[i]);
    }
  }
  EXPECT_EQ(values_after({{"mesh", nullptr}}).size(), kPlain + 2);
}

TEST_F(BlendSceneTest, TargetsGoBeforeParameters) {
  const auto place = family_->stored.family->values_of(0);
  const std::string text =
      fmt::format("RightHand=line:{:.3f},{:.3f},{:.3f}:0,1,0@stroke", place[0], place[1], place[2]);
  const auto values =
      values_after({{"target", {-0.4, 0.9, 0.4}}, {"targets", {text}}, {"objective", "sum"}, {"playing", false}});
  ASSERT_EQ(values[kPlain], 1);
  EXPECT_LT(values[kPlain + 1], 0.01f);
  const float* hand = &values[9];
  EXPECT_LT(std::hypot(hand[0] - static_cast<float>(place[0]), hand[2] - static_cast<float>(place[2])), 0.02f);
  // Without targets the parameters decide again.
  EXPECT_EQ(values_after({{"targets", json::array()}})[kPlain], 0);
}

TEST_F(BlendSceneTest, WhatMakesNoSenseIsNotHeard) {
  for (const json& nonsense :
       {json{{"targets", {"Tail=1,2,3"}}}, json{{"targets", {7}}}, json{{"targets", "RightHand=1,2,3"}},
        json{{"targets", {"RightHand=1,2,3@stroke9"}}}, json{{"mesh", 5}}, json{{"mesh", {{"shape", 1}}}},
        json{{"mesh", {{"shape", "wall"}, {"size", -1}, {"points", 4U}}}},
        json{{"mesh", {{"shape", "wall"}, {"size", 1}, {"points", 4000U}}}},
        json{{"mesh", {{"shape", "wall"}, {"size", "1"}, {"points", -4}}}}, json{{"objective", "cubes"}}}) {
    EXPECT_EQ(values_after(nonsense).size(), kPlain + 2) << nonsense;
  }
}

}  // namespace
}  // namespace loom::studio
