// SPDX-License-Identifier: MIT
// What the page Plan is told: a show that is planned anew with every question, and why there is none.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <loom/library/library.h>
#include <loom/project/build.h>
#include <loom/sample/sample.h>

#include "tests/studio/opened_studio.h"

namespace loom::studio {
namespace {

using ::testing::HasSubstr;

class ShowRoutes : public StudioRoutes {
 protected:
  /// Puts reaches and walks from rest to rest into the library.
  void add_motions() {
    auto library = library::Library::open_or_create(folder_.file("test.loom")).value();
    sample::SampleOptions options;
    options.rate = 30;
    const std::vector<std::string> only = {"reach", "approach"};
    const auto samples = sample::make_samples(options, only).value();
    for (const sample::SampleClip& made : samples) ASSERT_TRUE(library.add_clip(made.clip));
    blend::FamilyOptions how;
    how.label = "reach";
    ASSERT_TRUE(project::build_family(library, "reach", how));
  }

  static json room() {
    return {{"name", "room"},
            {"ground", json::array({json::array({-4, -4, 4, 4})})},
            {"obstacles", json::array({{{"name", "table"},
                                        {"shape", "box"},
                                        {"x", 0},
                                        {"z", 0},
                                        {"width", 1.4},
                                        {"depth", 0.7},
                                        {"bottom", 0.7},
                                        {"top", 0.75}}})},
            {"starts", json::array({{{"x", -2.5}, {"z", -2.5}, {"turn", 90}}})},
            {"goals", json::array()}};
  }

  static json wish(double height) {
    return {{"world", room()},
            {"family", "reach"},
            {"target", {{"x", 0.2}, {"y", height}, {"z", -0.15}}},
            {"observers", json::array({{{"x", 0}, {"z", 2}}})}};
  }
};

TEST_F(ShowRoutes, AShowIsPlannedWalkAndAll) {
  add_motions();
  const json told = ask_json("POST", "/api/worlds/show", wish(0.95));
  ASSERT_TRUE(told["error"].is_null()) << told["error"];
  EXPECT_EQ(told["candidates"].size(), 72u);
  EXPECT_EQ(told["joint"], "RightHand");
  EXPECT_GT(told["plan"]["footprints"].size(), 5u);
  EXPECT_LT(told["plan"]["hand_error_m"].get<double>(), 0.005);
  EXPECT_EQ(told["plan"]["gaze"][0]["at"], "floor");
  EXPECT_EQ(ask("GET", fmt::format("/api/made/{}/motion", told["made"].get<int>())).status, 200);
  json there = wish(0.95);
  there["walk"] = false;
  EXPECT_TRUE(ask_json("POST", "/api/worlds/show", there)["plan"]["footprints"].empty());

  const json high = ask_json("POST", "/api/worlds/show", wish(2.9));
  EXPECT_TRUE(high["plan"].is_null());
  EXPECT_THAT(high["error"].get<std::string>(), HasSubstr("out of reach"));
  EXPECT_EQ(high["candidates"].size(), 72u) << "where one could stand is told all the same";
}

TEST_F(ShowRoutes, WhatIsNoWishIsRefused) {
  EXPECT_EQ(ask("POST", "/api/worlds/show", wish(0.95)).status, 404) << "there is no such family";
  add_motions();
  json nobody = wish(0.95);
  nobody["observers"] = json::array();
  EXPECT_EQ(ask("POST", "/api/worlds/show", nobody).status, 400);
  json nowhere = wish(0.95);
  nowhere["target"] = "there";
  EXPECT_EQ(ask("POST", "/api/worlds/show", nowhere).status, 400);
}

}  // namespace
}  // namespace loom::studio
