// SPDX-License-Identifier: MIT
// Analysis of whole families: what is reckoned against what is really made, led motions, flows, pictures and the page.
#include <algorithm>
#include <cmath>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/blend/blend.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/family_model.h>
#include <loom/blend/family/lead.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/family/triangulate.h>
#include <loom/library/library.h>
#include <loom/motion/kinematics.h>
#include <loom/report/analysis_page.h>
#include <loom/sample/sample.h>

#include "tests/make_clip.h"
#include "tests/temporary_folder.h"

namespace loom::report {
namespace {

using namespace loom::blend;  // NOLINT: whose families are told of

using ::testing::HasSubstr;

/// A family of the samples of one group at 30 Hz.
StoredFamily sample_family(const std::string& group) {
  const testing::TemporaryFolder folder;
  auto library = library::Library::open_or_create(folder.file("samples.loom")).value();
  const auto made = sample::make_samples({1, 30}, std::vector<std::string>{group}).value();
  for (const sample::SampleClip& s : made) EXPECT_TRUE(library.add_clip(s.clip));
  FamilyOptions options;
  options.label = group;
  const auto built = build_family(library, options).value();
  EXPECT_TRUE(store_family(library, group, built.family, built.input_hash, "{}"));
  return load_family(library, group).value();
}

class FamilyReportTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    reach_ = std::make_unique<StoredFamily>(sample_family("reach"));
    walk_ = std::make_unique<StoredFamily>(sample_family("locomotion"));
  }
  static void TearDownTestSuite() {
    reach_.reset();
    walk_.reset();
  }
  static inline std::unique_ptr<StoredFamily> reach_, walk_;
};

/// The coordinates of the motion that is really made with these weights.
std::vector<double> measure_made(const StoredFamily& stored, std::span<const float> weights) {
  const auto made = blend::blend(stored.space, weights, {false}).value();
  Moments moments{0, std::nullopt, made.clip.duration()};
  if (!made.strokes.empty()) moments.stroke = static_cast<double>(made.strokes[0]) / made.clip.rate;
  return measure_coordinates(stored.family->space.kind, made.clip, moments, stored.family->joint).value();
}

TEST_F(FamilyReportTest, ErrorsAreThoseOfTheMotionThatIsMade) {
  for (const auto& [stored, tolerance] : {std::pair{reach_.get(), 2e-3}, {walk_.get(), 0.03}}) {
    const Subject subject = report::subject_of("family", *stored);
    AnalysisOptions options{{7, 1}, 5, 5};
    const auto analysis = analyse(subject, options).value();
    const auto space = triangulate(*stored->family).value();
    for (const MethodAnalysis& found : analysis.methods) {
      const auto weighting = make_weighting(found.method, space, subject.model);
      for (std::size_t i = 0; i < analysis.grid.size(); i += 5) {
        if (analysis.grid.inside[i] == 0) continue;
        std::vector<float> weights(subject.points.size());
        weighting->weigh(analysis.grid.at(i), Outside::kClamp, weights);
        const std::vector<double> made = measure_made(*stored, weights);
        double error = 0;
        for (std::size_t d = 0; d < made.size(); ++d) error += std::pow(made[d] - analysis.grid.at(i)[d], 2);
        EXPECT_NEAR(found.errors[i], std::sqrt(error), tolerance) << to_string(found.method) << ", point " << i;
      }
    }
  }
}

TEST_F(FamilyReportTest, AHandLedRoundACircleDrawsIt) {
  const Subject subject = report::subject_of("reach", *reach_);
  const auto space = triangulate(*reach_->family).value();
  const ParameterPath path = usual_path(subject.space, *space, 40);
  ASSERT_EQ(path.size(), 40u);
  EXPECT_FALSE(path.cyclic);
  std::vector<double> shares(subject.points.size());
  for (std::size_t f = 0; f < path.size(); ++f) EXPECT_LT(space->project(path[f], shares), 0.02);
  const auto led = lead(reach_->space, *make_weighting(Method::kCorrected, space, subject.model), path);
  ASSERT_TRUE(led);
  ASSERT_EQ(led->clip.frames(), 40u);
  const motion::WorldPoses poses = motion::forward_kinematics(led->clip);
  for (std::size_t f = 0; f < path.size(); ++f) {
    const Vec3 hand = poses.position(f, static_cast<std::size_t>(reach_->family->joint));
    const Vec3 asked{static_cast<float>(path[f][0]), static_cast<float>(path[f][1]), static_cast<float>(path[f][2])};
    EXPECT_LT(distance(hand, asked), 0.02f) << f;
  }
}

TEST_F(FamilyReportTest, AWalkLedFromSlowToFastGetsFaster) {
  const Subject subject = report::subject_of("walk", *walk_);
  const auto space = triangulate(*walk_->family).value();
  const ParameterPath path = usual_path(subject.space, *space, 150);
  EXPECT_TRUE(path.cyclic);
  const auto led = lead(walk_->space, *make_weighting(Method::kCorrected, space, subject.model), path);
  ASSERT_TRUE(led);
  const auto ground_speed = [&](std::size_t begin, std::size_t end) {
    const Vec3 way = led->clip.roots[end] - led->clip.roots[begin];
    return std::hypot(way.x, way.z) * 30 / static_cast<float>(end - begin);
  };
  // The mean of what was asked for over that time, to the sway of a step.
  const auto asked = [&](std::size_t begin, std::size_t end) { return (path[begin][0] + path[end][0]) / 2; };
  EXPECT_NEAR(ground_speed(0, 60), asked(0, 60), 0.12);
  EXPECT_NEAR(ground_speed(90, 149), asked(90, 149), 0.12);
  // From frame to frame it goes on: no jumps, also where a cycle begins anew.
  for (std::size_t f = 1; f < led->clip.frames(); ++f)
    EXPECT_LT(distance(led->clip.roots[f], led->clip.roots[f - 1]), 0.12f) << f;
}

TEST_F(FamilyReportTest, PathsThatDoNotFitAreRefused) {
  const Subject subject = report::subject_of("reach", *reach_);
  const auto space = triangulate(*reach_->family).value();
  const auto weighting = make_weighting(Method::kBarycentric, space, subject.model);
  EXPECT_FALSE(lead(reach_->space, *weighting, {3, {0, 1, 0.5}, false}));
  EXPECT_FALSE(lead(reach_->space, *weighting, {2, {0, 1, 0.5, 1}, false}));
  EXPECT_FALSE(lead(walk_->space, *weighting, {3, {0, 1, 0.5, 0, 1, 0.5}, false}));
}

TEST(MotionFlow, AJumpOfOneFrameShowsAsSpeedUpAndEvenMotionNotAtAll) {
  motion::Clip clip = testing::random_clip(testing::small_person(), 60, 30, 4);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    clip.roots[f] = {0, 1, 0.03f * static_cast<float>(f)};
    std::fill(clip.pose(f).begin(), clip.pose(f).end(), Quat{});
  }
  const MotionFlow even = motion_flow(clip);
  EXPECT_EQ(even.vectors.size(), 59 * even.points);
  EXPECT_GT(even.points, clip.joints());
  EXPECT_EQ(even.sudden, 0);
  EXPECT_NEAR(even.unevenness, 0, 1e-3);
  for (std::size_t f = 30; f < clip.frames(); ++f) clip.roots[f].z += 0.09f;
  const MotionFlow jumping = motion_flow(clip);
  EXPECT_GT(jumping.vectors[29 * jumping.points].change, 1);     // four times as long as its neighbours
  EXPECT_LT(jumping.vectors[28 * jumping.points].change, -0.2);  // short beside the jump
  EXPECT_NEAR(jumping.vectors[10 * jumping.points].change, 0, 1e-3);
  EXPECT_GT(jumping.sudden, 0.05);
  EXPECT_TRUE(motion_flow(motion::cut(clip, 0, 1).value()).vectors.empty());
}

TEST_F(FamilyReportTest, PageAndJsonTellEveryMethodOfEveryFamily) {
  report::ReportOptions options;
  options.analysis = {{8, 1}, 20, 5};
  options.led_frames = 20;
  const std::vector<report::FamilyReport> reports = {report::report_on("reach <1>", *reach_, options).value(),
                                                     report::report_on("walk", *walk_, options).value()};
  const auto page = report::analysis_page(reports);
  ASSERT_TRUE(page);
  EXPECT_THAT(*page, HasSubstr("reach &lt;1&gt;"));
  EXPECT_THAT(*page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_EQ(page->find("http://www.w3.org") == std::string::npos, page->find("<svg") == std::string::npos);
  EXPECT_EQ(page->find("<script"), std::string::npos);
  const auto json = nlohmann::json::parse(report::analysis_json(reports));
  ASSERT_EQ(json["methods"].size(), 2 * kMethods.size());
  for (const auto& row : json["methods"]) {
    EXPECT_THAT(*page, HasSubstr(row["method"].get<std::string>()));
    for (const char* key : {"error", "smoothness", "query_ms", "precompute_ms"}) {
      EXPECT_TRUE(row[key].is_number()) << key;
    }
  }
  EXPECT_EQ(json["methods"][5]["family"], "walk");
  EXPECT_EQ(json["families"][0]["grid"], nlohmann::json({8, 8, 1}));
  EXPECT_GT(json["families"][0]["coverage"]["covered"], 0.1);
}

}  // namespace
}  // namespace loom::report
