// SPDX-License-Identifier: MIT
#include <set>

#include <gmock/gmock.h>

#include <loom/base/random.h>
#include <loom/motion/carried_labels.h>

namespace loom::motion {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A recording of frames [from, to) of clips, one stretch after the other, at 30 frames a second.
Recording recording_of(const std::vector<SourceRun>& runs) {
  Recording recording;
  recording.clip.rate = 30;
  for (const SourceRun& run : runs) {
    for (std::uint32_t f = run.from; f < run.last; ++f) recording.sources.push_back({run.clip, f});
  }
  return recording;
}
SourceRun run(std::uint32_t clip, std::uint32_t from, std::uint32_t to) { return {clip, 0, 0, from, to}; }

LabelsOfSource labels_in(const std::vector<std::vector<Label>>& labels) {
  return [&labels](std::uint32_t clip) { return std::span<const Label>(labels[clip]); };
}

TEST(CarriedLabels, FollowTheFramesTheyAreOn) {
  const std::vector<std::vector<Label>> labels = {{{"walk", 10, 50}}, {{"jump", 0, 30}}};
  EXPECT_THAT(carried_labels(recording_of({run(0, 20, 60), run(1, 5, 25)}), labels_in(labels)),
              ElementsAre(Label{"jump", 40, 60}, Label{"walk", 0, 30}));
}

TEST(CarriedLabels, OneGoesOnThroughTwoRecordings) {
  const std::vector<std::vector<Label>> labels = {{{"walk", 0, 50}}, {{"walk", 0, 50}}};
  EXPECT_THAT(carried_labels(recording_of({run(0, 20, 40), run(1, 5, 25)}), labels_in(labels)),
              ElementsAre(Label{"walk", 0, 40}));
}

TEST(CarriedLabels, WhatIsOnlyBrushedIsNotDone) {
  const std::vector<std::vector<Label>> labels = {{{"walk", 0, 50}, {"jump", 48, 90}}};
  EXPECT_THAT(carried_labels(recording_of({run(0, 20, 50)}), labels_in(labels)), ElementsAre(Label{"walk", 0, 30}));
}

TEST(CarriedLabels, AShortOneThatIsThereWholeIsKept) {
  const std::vector<std::vector<Label>> labels = {{{"stroke", 30, 31}}};
  EXPECT_THAT(carried_labels(recording_of({run(0, 20, 50)}), labels_in(labels)), ElementsAre(Label{"stroke", 10, 11}));
  EXPECT_THAT(carried_labels(recording_of({run(0, 0, 30)}), labels_in(labels)), IsEmpty());
}

TEST(CarriedLabels, AgreeWithALookAtEveryFrame) {
  Random random(7);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random.index(n)); };
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<Label>> labels(3);
    for (auto& of_clip : labels) {
      for (std::uint32_t n = below(4); n > 0; --n) {
        const std::uint32_t begin = below(80);
        of_clip.push_back({std::string(1, static_cast<char>('a' + below(3))), begin, begin + 6 + below(30)});
      }
    }
    std::vector<SourceRun> runs;
    for (int r = 0; r < 4; ++r) {
      const std::uint32_t from = below(80);
      runs.push_back(run(below(3), from, from + 8 + below(30)));
    }
    const Recording recording = recording_of(runs);
    const std::vector<Label> carried = carried_labels(recording, labels_in(labels));
    // Every frame carries what its source does, but for stretches too short to be told; and nothing else.
    for (std::size_t f = 0; f < recording.sources.size(); ++f) {
      const SourceFrame at = recording.sources[f];
      std::set<std::string> is, should;
      for (const Label& label : carried) {
        if (f >= label.begin && f < label.end) is.insert(label.name);
      }
      for (const Label& label : labels[at.clip]) {
        if (at.frame >= label.begin && at.frame < label.end) should.insert(label.name);
      }
      for (const std::string& name : is) EXPECT_TRUE(should.contains(name)) << name << " at " << f;
      for (const std::string& name : should) {
        std::size_t before = f, after = f;
        const auto holds = [&](std::size_t g) {
          const SourceFrame there = recording.sources[g];
          return std::any_of(labels[there.clip].begin(), labels[there.clip].end(), [&](const Label& label) {
            return label.name == name && there.frame >= label.begin && there.frame < label.end;
          });
        };
        while (before > 0 && holds(before - 1)) --before;
        while (after + 1 < recording.sources.size() && holds(after + 1)) ++after;
        if (after - before + 1 >= 5) {
          EXPECT_TRUE(is.contains(name)) << name << " at " << f;
        }
      }
    }
  }
}

}  // namespace
}  // namespace loom::motion
