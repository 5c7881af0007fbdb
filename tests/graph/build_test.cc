// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/graph/build.h>
#include <loom/sample/sample.h>
#include <loom/take/gather.h>

#include "tests/temporary_folder.h"

namespace loom::graph {
namespace {

TEST(Build, NoTransitionChangesWhatTheHandsTouch) {
  const testing::TemporaryFolder folder;
  auto library = library::Library::open_or_create(folder.file("walks.loom"));
  ASSERT_TRUE(library);
  for (const char* name : {"walk-normal-1", "walk-normal-2"}) {
    motion::Clip clip = sample::make_sample(name)->clip;
    clip.labels.push_back({"touch", clip.frames() / 3, 2 * clip.frames() / 3});
    ASSERT_TRUE(library->add_clip(clip));
  }
  const auto source = take::gather(*library, {});
  ASSERT_TRUE(source);
  // Frames that touch, by their number over all clips.
  std::vector<bool> touches;
  for (const motion::Clip& clip : source->motion.clips) {
    const std::size_t first = touches.size();
    touches.resize(first + clip.frames());
    for (const motion::Label& label : clip.labels) {
      if (label.name != "touch") continue;
      for (std::size_t f = label.begin; f < label.end; ++f) touches[first + f] = true;
    }
  }
  const auto across = [&](const Built& built) {
    return std::count_if(built.pairs.begin(), built.pairs.end(),
                         [&](const SimilarPair& pair) { return touches[pair.a] != touches[pair.b]; });
  };
  BuildOptions options;
  options.threshold = 0.0025;
  const auto any = build(*source, options);
  ASSERT_TRUE(any) << any.error().to_string();
  EXPECT_GT(across(*any), 0);
  options.hands.label = "touch";
  const auto matched = build(*source, options);
  ASSERT_TRUE(matched) << matched.error().to_string();
  EXPECT_EQ(across(*matched), 0);
  EXPECT_EQ(static_cast<std::ptrdiff_t>(matched->pairs.size()),
            static_cast<std::ptrdiff_t>(any->pairs.size()) - across(*any));
}

TEST(Build, ClustersFindNothingThatComparingAllDoesNot) {
  const testing::TemporaryFolder folder;
  auto library = library::Library::open_or_create(folder.file("walks.loom"));
  ASSERT_TRUE(library);
  for (const char* name : {"walk-normal-1", "walk-normal-2"})
    ASSERT_TRUE(library->add_clip(sample::make_sample(name)->clip));
  const auto source = take::gather(*library, {});
  ASSERT_TRUE(source);
  BuildOptions options;
  options.threshold = 0.0025;
  const auto all = build(*source, options);
  ASSERT_TRUE(all) << all.error().to_string();
  options.clusters = 4;
  const auto some = build(*source, options);
  ASSERT_TRUE(some) << some.error().to_string();
  EXPECT_LT(some->pairs.size(), all->pairs.size());
  EXPECT_GT(some->pairs.size(), all->pairs.size() / 2);
  for (const SimilarPair& pair : some->pairs) {
    EXPECT_NE(std::find(all->pairs.begin(), all->pairs.end(), pair), all->pairs.end()) << pair.a << ", " << pair.b;
  }
  options.comparison = compare::MetricKind::kJointAngles;
  EXPECT_FALSE(build(*source, options)) << "clusters are made of clouds";
}

}  // namespace
}  // namespace loom::graph
