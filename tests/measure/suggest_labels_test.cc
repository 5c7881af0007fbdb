// SPDX-License-Identifier: MIT
// Labels from motion: on motion whose kind is known, and on real capture against what people wrote about it.
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include <loom/io/read.h>
#include <loom/measure/suggest_labels.h>
#include <loom/motion/mirror.h>

#include "tests/make_clip.h"
#include "tests/make_walk.h"
#include "tests/shared_data.h"

namespace loom::measure {
namespace {

std::set<std::string> names_of(const std::vector<SuggestedLabel>& found) {
  std::set<std::string> names;
  for (const SuggestedLabel& one : found) names.insert(one.label.name);
  return names;
}

TEST(SuggestLabels, AGaitIsTheWholeClip) {
  const auto walk = suggest_labels(testing::make_gait({}).clip).value();
  ASSERT_EQ(walk.size(), 1U);
  EXPECT_EQ(walk[0].label, (motion::Label{"walk", 0, 121}));
  const auto run = suggest_labels(testing::make_gait({.cycle = 0.7, .duty = 0.35, .speed = 3}).clip).value();
  EXPECT_TRUE(names_of(run).contains("run"));
  EXPECT_FALSE(names_of(run).contains("walk"));
}

TEST(SuggestLabels, StandingStillIsStanding) {
  motion::Clip clip = testing::make_gait({}).clip;
  for (std::size_t f = 1; f < clip.frames(); ++f) {
    clip.roots[f] = clip.roots[0];
    std::copy(clip.pose(0).begin(), clip.pose(0).end(), clip.pose(f).begin());
  }
  const auto found = suggest_labels(clip).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].label, (motion::Label{"stand", 0, clip.frames()}));
}

TEST(SuggestLabels, TheMirrorImageTurnsTheOtherWay) {
  LOOM_REQUIRE_MOCAP();
  const auto path = testing::mocap_folder() / "cmu30" / "16_11.bvh";
  const motion::Clip clip = io::read_motion(path.string()).value().front().clip;
  const auto names = names_of(suggest_labels(clip).value()),
             other = names_of(suggest_labels(motion::mirror(clip).value()).value());
  EXPECT_EQ(names.contains("turn-left"), other.contains("turn-right"));
  EXPECT_EQ(names.contains("turn-right"), other.contains("turn-left"));
  EXPECT_TRUE(names.contains("turn-left") || names.contains("turn-right"));
}

TEST(SuggestLabels, EveryStretchLiesInTheClipAndHasAReason) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const motion::Clip clip = testing::random_clip(testing::small_person(), 200, 30, seed);
    const auto found = suggest_labels(clip).value();
    std::size_t from = 0;
    for (const SuggestedLabel& one : found) {
      EXPECT_LT(one.label.begin, one.label.end);
      EXPECT_LE(one.label.end, clip.frames());
      EXPECT_GE(one.label.begin, from);
      from = one.label.begin;
      EXPECT_FALSE(one.why.empty());
    }
  }
  EXPECT_FALSE(suggest_labels(testing::random_clip(testing::random_skeleton(5, 2), 60, 30, 1)));
  EXPECT_TRUE(suggest_labels(testing::random_clip(testing::small_person(), 5, 30, 1)).value().empty());
}

/// The labels that people gave to whole clips, by file.
std::map<std::string, std::set<std::string>> labels_of_people() {
  std::map<std::string, std::set<std::string>> labels;
  std::ifstream file(testing::mocap_folder() / "labels.csv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream row(line);
    std::string name, label;
    std::getline(row, name, ',');
    std::getline(row, label, ',');
    labels[name].insert(label);
  }
  return labels;
}

// Against the descriptions of all 452 clips; docs/results/labels.md has the figures of every label.
TEST(SuggestLabels, AgreeWithWhatPeopleWroteAboutRealCapture) {
  LOOM_REQUIRE_MOCAP();
  struct Count {
    int said = 0, found = 0, both = 0;
  };
  std::map<std::string, Count> counts;
  for (const auto& [file, said] : labels_of_people()) {
    const auto clip = io::read_motion((testing::mocap_folder() / file).string());
    if (!clip) continue;
    const auto found = suggest_labels(clip->front().clip);
    ASSERT_TRUE(found) << file;
    auto names = names_of(*found);
    // Who walks backwards or sideways walks, people say.
    if (names.contains("walk-backward") || names.contains("sidestep-left") || names.contains("sidestep-right")) {
      names.insert("walk");
    }
    for (const char* label : {"walk", "run", "jump", "turn-left", "turn-right", "walk-backward"}) {
      Count& count = counts[label];
      const bool people = said.contains(label), we = names.contains(label);
      count.said += people;
      count.found += we;
      count.both += people && we;
    }
  }
  for (const auto& [label, count] : counts) {
    RecordProperty(label, std::to_string(count.both) + " of " + std::to_string(count.said) + " said, " +
                              std::to_string(count.found) + " found");
  }
  const auto recall = [&](const char* label) { return static_cast<double>(counts[label].both) / counts[label].said; };
  EXPECT_GT(recall("walk"), 0.9);
  EXPECT_GT(recall("run"), 0.85);
  EXPECT_GT(recall("jump"), 0.85);
  EXPECT_GT(recall("turn-left"), 0.85);
  EXPECT_GT(recall("turn-right"), 0.85);
}

}  // namespace
}  // namespace loom::measure
