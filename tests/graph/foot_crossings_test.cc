// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include <loom/compare/frame_set.h>
#include <loom/graph/build.h>
#include <loom/graph/detail/build_parts.h>
#include <loom/graph/foot_crossings.h>
#include <loom/library/library.h>
#include <loom/motion/body.h>
#include <loom/sample/sample.h>
#include <loom/take/gather.h>

#include "tests/temporary_folder.h"

namespace loom::graph {
namespace {

take::Gathered walks() {
  const testing::TemporaryFolder folder;
  auto library = library::Library::open_or_create(folder.file("walks.loom"));
  for (const char* name : {"walk-normal-1", "walk-normal-2", "walk-fast"}) {
    EXPECT_TRUE(library->add_clip(sample::make_sample(name)->clip)) << name;
  }
  return *take::gather(*library, {});
}

/// How far the right ankle is before the left, as the body faces.
float lead(const compare::FrameSet& set, const motion::Body& body, std::size_t f) {
  const Vec3 apart = set.position(f, static_cast<std::size_t>(body.right_leg.end)) -
                     set.position(f, static_cast<std::size_t>(body.left_leg.end));
  return dot(apart, set.ground[f].forward());
}

TEST(FootCrossings, AreWhereOneAnkleIsBesideTheOther) {
  const take::Gathered source = walks();
  const auto set = compare::make_frame_set(source.motion.clips);
  ASSERT_TRUE(set);
  const motion::Body body = motion::find_body(*set->skeleton);
  const auto crossings = find_foot_crossings(*set);
  ASSERT_TRUE(crossings);
  ASSERT_GT(crossings->ahead.size(), 5u);
  const auto apart = crossings->ahead.size() > crossings->behind.size()
                         ? crossings->ahead.size() - crossings->behind.size()
                         : crossings->behind.size() - crossings->ahead.size();
  EXPECT_LE(apart, source.motion.clips.size()) << "in each clip they take turns";
  for (const std::uint32_t f : crossings->ahead) {
    EXPECT_LT(std::fabs(lead(*set, body, f)), 0.2f);
    EXPECT_GT(lead(*set, body, f), lead(*set, body, f - 1)) << "the right foot goes ahead";
  }
  for (const std::uint32_t f : crossings->behind) EXPECT_LT(lead(*set, body, f), lead(*set, body, f - 1));
}

TEST(FootCrossings, OfTheGraphAreAllPairsOfThemThatAreAlike) {
  const take::Gathered source = walks();
  BuildOptions options;
  options.foot_crossings = true;
  options.threshold = 0.002;
  const auto built = build(source, options);
  ASSERT_TRUE(built) << built.error().to_string();
  const auto set = std::make_shared<const compare::FrameSet>(*compare::make_frame_set(source.motion.clips));
  const auto metric = make_metric(set, options);
  ASSERT_TRUE(metric);
  const auto crossings = find_foot_crossings(*set);
  std::set<std::pair<std::uint32_t, std::uint32_t>> wanted, found;
  for (const auto* side : {&crossings->ahead, &crossings->behind}) {
    for (const std::uint32_t a : *side) {
      for (const std::uint32_t b : *side) {
        if (a >= b || !(*metric)->comparable(a) || !(*metric)->comparable(b)) continue;
        if (set->address(a).clip == set->address(b).clip && b - a < 11) continue;
        if ((*metric)->distance(a, b) <= *options.threshold) wanted.insert({a, b});
      }
    }
  }
  for (const SimilarPair& pair : built->pairs)
    if (static_cast<double>(pair.distance) <= *options.threshold) found.insert({pair.a, pair.b});
  EXPECT_EQ(found, wanted);
  EXPECT_GT(wanted.size(), 10u);
  EXPECT_GT(built->graph.nodes(), 0u);
}

TEST(FootCrossings, AreNotLookedForTogetherWithClustersOrByAngles) {
  const take::Gathered source = walks();
  BuildOptions options;
  options.foot_crossings = true;
  options.clusters = 4;
  EXPECT_FALSE(build(source, options));
  options.clusters = 0;
  options.comparison = compare::MetricKind::kJointAngles;
  EXPECT_FALSE(build(source, options));
}

}  // namespace
}  // namespace loom::graph
