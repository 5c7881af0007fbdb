// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/parallel.h>
#include <loom/io/read.h>
#include <loom/measure/faults.h>
#include <loom/measure/frame_rate_check.h>

#include "tests/make_walk.h"
#include "tests/shared_data.h"

namespace loom::measure {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Evidence of a clip that falls as if recorded at these rates, at whichever octave it is looked at.
RateEvidence falling(double stamped, std::initializer_list<double> rates, double range = 0.1) {
  RateEvidence evidence;
  evidence.stamped = stamped;
  for (auto& octave : evidence.octaves) {
    for (const double rate : rates) octave.falls.push_back({rate, range});
  }
  return evidence;
}

std::optional<double> judged(const std::vector<RateEvidence>& performer) {
  const auto claim = judge_rate(performer);
  return claim ? std::optional(claim->rate) : std::nullopt;
}

TEST(JudgeRate, BelievesTheStampWithoutEvidence) {
  EXPECT_FALSE(judge_rate({}));
  EXPECT_FALSE(judged({RateEvidence{}}));
  EXPECT_FALSE(judged({falling(120, {}), falling(120, {})}));
  EXPECT_FALSE(judged({falling(120, {118, 123}), falling(120, {121})}));
}

TEST(JudgeRate, SeveralFlightsTellHalfAndTwiceTheStamp) {
  EXPECT_EQ(judged({falling(120, {61, 59}), falling(120, {60.5})}), 60);
  EXPECT_EQ(judged({falling(60, {118, 123}), falling(60, {121})}), 120);
  EXPECT_EQ(judged({falling(29.97, {58, 61, 60}), falling(29.97, {61})}), 59.94);
}

TEST(JudgeRate, RatesOfCamerasNeedMoreFlightsThanOctaves) {
  EXPECT_FALSE(judged({falling(120, {100})}));
  EXPECT_EQ(judged({falling(120, {100, 99}), falling(120, {101}), falling(120, {100})}), 100);
}

TEST(JudgeRate, WhatNoCameraRecordsIsNotClaimed) {
  // A body let down on a rope, again and again: 6480 Hz if that were a fall.
  EXPECT_FALSE(judged({falling(120, {6480, 6300}), falling(120, {6500, 6480, 6480})}));
  EXPECT_FALSE(judged({falling(120, {210, 330, 700}), falling(120, {160})}));
  EXPECT_FALSE(judged({falling(20, {5, 5, 5}), falling(20, {5, 5})}));
}

TEST(JudgeRate, OneStrangeTakeDoesNotOutvoteTheOthers) {
  EXPECT_FALSE(judged({falling(120, {60, 60}), falling(120, {121}), falling(120, {119}), falling(120, {120})}));
}

TEST(JudgeRate, WalksTellARateTwiceTooHighButOneSlowWalkNothing) {
  testing::Gait gait;
  gait.rate = 60, gait.seconds = 8;
  motion::Clip clip = testing::make_gait(gait).clip;
  const auto stamped = [&](double rate) {
    clip.rate = rate;
    return rate_evidence_of(clip);
  };
  EXPECT_FALSE(judged({stamped(60)}));
  EXPECT_EQ(judged({stamped(120), stamped(120)}), 60);
  EXPECT_FALSE(judged({stamped(30)}));
}

TEST(JudgeRate, SaysWhatItsEvidenceIs) {
  const std::vector<RateEvidence> performer = {falling(120, {61, 59}), falling(120, {60.5}), falling(120, {6480})};
  const RateClaim claim = judge_rate(performer).value();
  EXPECT_EQ(claim.flights, 3u);
  EXPECT_EQ(claim.clips, 3u);
  EXPECT_GT(claim.probability, 0.9);
  EXPECT_EQ(describe(claim, 120),
            "The frame rate is stamped 120 Hz, but 3 flights in 3 clips of this performer go as if it were 60 Hz.");
}

/// The clips of the CMU sample, by performer.
std::map<std::string, std::vector<motion::Clip>> read_performers() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(testing::mocap_folder() / "cmu30")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<motion::Clip> clips(files.size());
  parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) clips[i] = io::read_motion(files[i].string()).value().front().clip;
  });
  std::map<std::string, std::vector<motion::Clip>> performers;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string name = files[i].stem().string();
    performers[name.substr(0, name.find('_'))].push_back(std::move(clips[i]));
  }
  return performers;
}

/// How well wrong stamps are found, in files.
struct Score {
  std::size_t wrong = 0, claimed = 0, right = 0;
  double precision() const { return claimed > 0 ? static_cast<double>(right) / static_cast<double>(claimed) : 1; }
  double recall() const { return static_cast<double>(right) / static_cast<double>(std::max<std::size_t>(1, wrong)); }
};

using Evidence = std::map<std::string, std::vector<RateEvidence>>;

/// What the performers' clips say when all are stamped `factor` times too high.
Evidence gather(const std::map<std::string, std::vector<motion::Clip>>& performers, double factor) {
  Evidence gathered;
  for (const auto& performer : performers) {
    const std::vector<motion::Clip>& clips = performer.second;
    std::vector<RateEvidence>& evidence = gathered[performer.first];
    evidence.resize(clips.size());
    parallel_for(clips.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        motion::Clip clip = clips[i];
        clip.rate *= factor;
        evidence[i] = rate_evidence_of(clip);
      }
    });
  }
  return gathered;
}

/// Judges all, of whom every second performer is falsely stamped, and then all with the others so; together by
/// performer or file by file. All were recorded at 30 Hz.
Score score(const Evidence& truly, const Evidence& falsely, bool together) {
  Score result;
  for (const std::size_t half : {0u, 1u}) {
    std::size_t number = half;
    for (const auto& [name, evidence] : truly) {
      const bool wrong = number++ % 2 == 0;
      const std::span<const RateEvidence> heard = wrong ? falsely.at(name) : evidence;
      result.wrong += wrong ? heard.size() : 0;
      const std::size_t step = together ? heard.size() : 1;
      for (std::size_t i = 0; i < heard.size(); i += step) {
        const auto claim = judge_rate(heard.subspan(i, step));
        if (!claim) continue;
        result.claimed += step;
        if (wrong && std::abs(claim->rate / 30 - 1) < 0.03) result.right += step;
      }
    }
  }
  return result;
}

/// The benchmark behind docs/library.md: 452 clips of 22 performers, half of whom are stamped with a false rate.
TEST(RealCaptureRates, FalseStampsAreFoundByPerformerAndHardlyEverWhereThereAreNone) {
  LOOM_REQUIRE_MOCAP();
  const auto performers = read_performers();
  ASSERT_EQ(performers.size(), 22u);
  const Evidence truly = gather(performers, 1);
  EXPECT_EQ(score(truly, truly, true).claimed, 0u);
  EXPECT_EQ(score(truly, truly, false).claimed, 0u);
  struct Case {
    double factor, least_recall, least_alone;
  };
  for (const Case& c : {Case{2, 0.8, 0.35}, Case{0.5, 0.8, 0}, Case{4, 0.8, 0.15}, Case{1.2, 0.55, 0}}) {
    const Evidence falsely = gather(performers, c.factor);
    const Score together = score(truly, falsely, true), alone = score(truly, falsely, false);
    std::printf(
        "stamped %.3g times too high: of %zu files found %zu (%.0f %%), right %.1f %% of %zu claims; file by file "
        "found %.0f %%, right %.1f %% of %zu\n",
        c.factor, together.wrong, together.right, 100 * together.recall(), 100 * together.precision(), together.claimed,
        100 * alone.recall(), 100 * alone.precision(), alone.claimed);
    EXPECT_GE(together.precision(), 0.97) << c.factor;
    EXPECT_GE(together.recall(), c.least_recall) << c.factor;
    EXPECT_GE(alone.recall(), c.least_alone) << c.factor;
    if (alone.claimed >= 20) {
      EXPECT_GE(alone.precision(), 0.95) << c.factor;
    }
  }
}

TEST(RealCaptureRates, OfPerformersNeverSeenFewAreFoundAndNoneIsAccused) {
  LOOM_REQUIRE_MOCAP();
  // Spreads and thresholds were set on the folder cmu30: these performers and makers are not in it. One file of each.
  std::vector<motion::Clip> clips;
  for (const char* file :
       {"native/05_02", "native/111_01", "native/120_01", "native/132_01", "native/37_01", "native/49_02",
        "native/60_05", "native/81_01", "native/85_02", "asfamc/11_01", "formats/walk01", "formats/test_mocapbank",
        "formats/bvh_test3", "formats/test_freebvh", "formats/rotation_first_root"}) {
    const auto read = io::read_motion((testing::mocap_folder() / file).string() + ".bvh");
    ASSERT_TRUE(read) << read.error().to_string();
    clips.push_back(read->front().clip);
  }
  for (const auto& [factor, least] : {std::pair{1.0, 0u}, {2.0, 3u}, {0.5, 1u}, {4.0, 3u}, {1.2, 1u}}) {
    std::size_t found = 0;
    for (const motion::Clip& clip : clips) {
      motion::Clip stamped = clip;
      stamped.rate *= factor;
      const RateEvidence evidence = rate_evidence_of(stamped);
      const auto claim = judge_rate({&evidence, 1});
      if (!claim) continue;
      ++found;
      EXPECT_NEAR(claim->rate / clip.rate, 1, 0.03) << clip.name << " stamped " << factor << " times too high";
      EXPECT_NE(factor, 1) << clip.name << " is accused";
    }
    std::printf("never seen, stamped %.3g times too high: %zu of %zu found\n", factor, found, clips.size());
    EXPECT_GE(found, least) << factor;
  }
}

TEST(RealCaptureRates, TheFalseStampThatIsNotFoundHasNothingThatTellsOfIt) {
  LOOM_REQUIRE_MOCAP();
  // 143_23 was recorded at about 60 Hz and is stamped 120: nobody flies or walks in it at any rate that is thought of.
  const auto read = io::read_motion((testing::mocap_folder() / "native/143_23.bvh").string());
  ASSERT_TRUE(read) << read.error().to_string();
  for (const RateEvidence::AtOctave& octave : rate_evidence_of(read->front().clip).octaves) {
    EXPECT_TRUE(octave.falls.empty());
    EXPECT_EQ(octave.walk.steps, 0u);
  }
}

TEST(RealCaptureRates, DownloadedFilesAreBelievedButForTheOneKnownToBeFalse) {
  LOOM_REQUIRE_MOCAP();
  for (const char* folder : {"native", "asfamc", "formats"}) {
    for (const auto& entry : fs::directory_iterator(testing::mocap_folder() / folder)) {
      const auto read = io::read_motion(entry.path().string());
      if (!read) continue;
      const RateEvidence evidence = rate_evidence_of(read->front().clip);
      const auto claim = judge_rate({&evidence, 1});
      if (entry.path().filename() == "74_01.bvh") {
        ASSERT_TRUE(claim);
        EXPECT_EQ(claim->rate, 60);
      } else {
        EXPECT_FALSE(claim) << entry.path() << (claim ? describe(*claim, read->front().clip.rate) : "");
      }
    }
  }
}

}  // namespace
}  // namespace loom::measure
