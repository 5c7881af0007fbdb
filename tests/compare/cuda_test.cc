// SPDX-License-Identifier: MIT
// What a card does, by the same source on the processor; and on a card, where there is one.
#include <cstdio>
#include <utility>

#include <gtest/gtest.h>

#include <loom/compare/all_pairs.h>
#include <loom/compare/cuda/cloud_on_card.h>
#include <loom/compare/cuda/cuda_back_end.h>
#include <loom/compare/joint_angles.h>
#include <loom/compare/pair_engine.h>
#include <loom/compare/point_cloud.h>

#include "tests/compare/make_set.h"

namespace loom::compare {
namespace {

using testing::random_frame_set;

bool open_host(std::uint32_t, card::Device*, card::Failure*) { return true; }
constexpr card::Api kHost{card::kApiVersion, open_host, card::load_cloud, card::drop_cloud, card::find_in_cloud};

/// Several blocks either way, clips shorter than a window, of one frame, and of odd lengths; and one that walks far.
std::shared_ptr<const FrameSet> awkward_frames() { return random_frame_set({90, 7, 11, 1, 280, 12, 70}, 1); }

double threshold_of(const Metric& metric, double share) {
  return distance_quantiles(metric, std::span(&share, 1)).value()[0];
}

std::vector<PointCloud> point_clouds_of(const std::shared_ptr<const FrameSet>& set) {
  std::vector<PointCloud> clouds;
  for (const std::size_t half : {0, 1, 5, 7, 10}) clouds.push_back(PointCloud::create(set, {half, 0, {}}).value());
  clouds.push_back(PointCloud::create(set, {5, 0, uniform_weights(*set->skeleton)}).value());
  return clouds;
}

TEST(CardCode, FindsTheSamePairsAsTheProcessor) {
  const auto back_end = back_end_of(kHost);
  std::size_t with_kernels_of_their_own = 0;
  for (const PointCloud& cloud : point_clouds_of(awkward_frames())) {
    with_kernels_of_their_own += card::cloud_has_kernel(static_cast<std::uint32_t>(cloud.table().points),
                                                        static_cast<std::uint32_t>(cloud.table().half_window));
    for (const double share : {0.05, 0.4, 1.0}) {
      PairQuery query;
      query.threshold = threshold_of(cloud, share);
      const auto minima = find_local_minima(cloud, query).value(), under = find_pairs_under(cloud, query).value();
      ASSERT_FALSE(under.pairs.empty());
      EXPECT_EQ(find_local_minima(cloud, query, {}, *back_end).value().pairs, minima.pairs);
      EXPECT_EQ(find_pairs_under(cloud, query, {}, *back_end).value().pairs, under.pairs);
    }
  }
  EXPECT_EQ(with_kernels_of_their_own, 3);  // windows of 1, 5 and 10 either side
}

TEST(CardCode, ProposesNoMinimumInVain) {
  // Those that single precision cannot tell from their neighbours are told in double precision, on the card, too.
  const auto back_end = back_end_of(kHost);
  const PointCloud cloud = PointCloud::create(random_frame_set({400, 300}, 7)).value();
  PairQuery query;
  query.threshold = threshold_of(cloud, 0.3);
  query.min_gap = 0;
  const std::size_t frames = cloud.frames().frames();
  std::vector<Candidate> proposed;
  ASSERT_TRUE(back_end->prepare(cloud).value()->find({0, frames, 3, frames}, {query.threshold, true}, proposed));
  const auto minima = find_local_minima(cloud, query).value();
  const auto apart = static_cast<std::size_t>(std::count_if(
      minima.pairs.begin(), minima.pairs.end(), [](const SimilarPair& pair) { return pair.b >= pair.a + 3; }));
  ASSERT_GT(apart, 20U);
  EXPECT_EQ(proposed.size(), apart);
}

TEST(CardCode, PiecesFindWhatTheyHoldAndLittleElse) {
  // Minima are seen with all their neighbours, also across the edges of blocks: few are proposed in vain.
  const PointCloud cloud = PointCloud::create(awkward_frames()).value();
  const auto back_end = back_end_of(kHost);
  const auto finder = back_end->prepare(cloud).value();
  const CandidateQuery query{threshold_of(cloud, 0.3), true};
  std::vector<Candidate> whole, parts;
  const std::size_t frames = cloud.frames().frames();
  ASSERT_TRUE(finder->find({0, frames, 1, frames}, query, whole));
  for (std::size_t row = 0; row < frames; row += 37) {
    for (std::size_t diagonal = 1; diagonal < frames; diagonal += 101) {
      ASSERT_TRUE(finder->find({row, 37, diagonal, 101}, query, parts));
    }
  }
  const auto before = [](const Candidate& a, const Candidate& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; };
  const auto same = [](const Candidate& a, const Candidate& b) { return a.i == b.i && a.j == b.j; };
  std::sort(parts.begin(), parts.end(), before);
  // A piece may look at rows past its end, no piece at a pair twice within itself.
  parts.erase(std::unique(parts.begin(), parts.end(), same), parts.end());
  PairQuery exact;
  exact.threshold = query.threshold;
  exact.min_gap = 0;
  const auto minima = find_local_minima(cloud, exact).value();
  for (const auto& found : {whole, parts}) {
    std::size_t confirmed = 0;
    for (const SimilarPair& pair : minima.pairs) {
      confirmed += std::binary_search(found.begin(), found.end(), Candidate{pair.a, pair.b}, before);
    }
    EXPECT_EQ(confirmed, minima.pairs.size());
    // Beside the diagonal frames are alike because they follow each other; no search asks for these.
    const auto apart =
        std::count_if(found.begin(), found.end(), [](const Candidate& pair) { return pair.j > pair.i + 2; });
    EXPECT_LT(static_cast<double>(apart), 1.1 * static_cast<double>(minima.pairs.size()) + 20);
  }
}

TEST(CardCode, RefusesWhatItCannotCompute) {
  const auto back_end = back_end_of(kHost);
  const auto set = random_frame_set({200}, 3);
  EXPECT_FALSE(back_end->supports(JointAngles::create(set).value()));
  const auto wide = back_end->supports(PointCloud::create(set, {40, 0, {}}).value());
  ASSERT_FALSE(wide);
  EXPECT_NE(wide.error().message.find("windows of at most 65 frames"), std::string::npos);
}

void say(card::Failure* failure, const char* text) { std::snprintf(failure->text, sizeof(failure->text), "%s", text); }

/// A card that others have filled.
void* load_none(const card::CloudInput*, card::Failure* failure) {
  say(failure, "copying frames: out of memory");
  return nullptr;
}

/// A card that is lost while it compares.
bool find_some(void* cloud, const card::CloudQuery* query, card::TakePairs take, void* whom, card::Failure* failure) {
  card::find_in_cloud(cloud, query, take, whom, failure);
  say(failure, "the card has fallen off the bus");
  return false;
}

TEST(LocalEngine, OfACardThatFailsLeavesAllToTheProcessorOrSaysSoWhereTheCardIsWanted) {
  const PointCloud cloud = PointCloud::create(awkward_frames(), {5, 0, {}}).value();
  PairQuery query;
  query.threshold = threshold_of(cloud, 0.1);
  const auto expected = find_local_minima(cloud, query).value();
  ASSERT_FALSE(expected.pairs.empty());
  const card::Api full{card::kApiVersion, open_host, load_none, card::drop_cloud, card::find_in_cloud};
  const card::Api lost{card::kApiVersion, open_host, card::load_cloud, card::drop_cloud, find_some};
  for (const auto& [api, why] : {std::pair(full, "out of memory"), std::pair(lost, "fallen off the bus")}) {
    const auto card = back_end_of(api);
    const auto wanted = LocalEngine(On::kCuda, card.get()).find(cloud, query, {});
    ASSERT_FALSE(wanted);
    EXPECT_NE(wanted.error().message.find("the graphics card failed: "), std::string::npos);
    EXPECT_NE(wanted.error().message.find(why), std::string::npos);
    const auto instead = LocalEngine(On::kAuto, card.get()).find(cloud, query, {});
    ASSERT_TRUE(instead) << instead.error().to_string();
    EXPECT_EQ(instead->pairs, expected.pairs);
    EXPECT_EQ(instead->stats.on, "cpu");
    EXPECT_NE(instead->stats.why_not_the_card.find(why), std::string::npos);
  }
  // One that works is used, and a search that was stopped is not begun again.
  const auto card = back_end_of(kHost);
  const auto made = LocalEngine(On::kAuto, card.get()).find(cloud, query, {});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->stats.on, "cuda");
  EXPECT_EQ(made->pairs, expected.pairs);
  const Progress stop([](double, std::string_view) { return false; });
  const auto stopped = LocalEngine(On::kAuto, card.get()).find(cloud, query, stop);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
}

TEST(ChooseBackEnd, TheProcessorWithAReasonWhereThereIsNoCardAndAnErrorWhereItIsWanted) {
  const PointCloud cloud = PointCloud::create(random_frame_set({60, 60}, 3)).value();
  EXPECT_STREQ(choose_back_end(On::kCpu, cloud).value().back_end->kind(), "cpu");
  EXPECT_TRUE(choose_back_end(On::kCpu, cloud).value().why_not_the_card.empty());
  const auto few = choose_back_end(On::kAuto, cloud).value();
  EXPECT_STREQ(few.back_end->kind(), "cpu");
  EXPECT_NE(few.why_not_the_card.find("not worth starting"), std::string::npos);
  const auto wanted = choose_back_end(On::kCuda, cloud);
  EXPECT_EQ(wanted.has_value(), cuda_back_end().has_value());
  if (!wanted) {
    EXPECT_NE(wanted.error().message.find("no graphics card can be used: "), std::string::npos);
  }
}

TEST(Card, FindsTheSameCandidatesAsItsCodeOnTheProcessor) {
  const auto card = cuda_back_end();
  if (!card) GTEST_SKIP() << "NOT TESTED ON A CARD: " << card.error().message;
  const auto host = back_end_of(kHost);
  const auto same = [](const Candidate& a, const Candidate& b) { return a.i == b.i && a.j == b.j; };
  for (const PointCloud& cloud : point_clouds_of(awkward_frames())) {
    const auto on_card = (*card)->prepare(cloud).value(), on_host = host->prepare(cloud).value();
    for (const bool minima : {false, true}) {
      const CandidateQuery query{threshold_of(cloud, 0.1), minima};
      const std::size_t frames = cloud.frames().frames();
      std::vector<Candidate> a, b;
      ASSERT_TRUE(on_card->find({0, frames, 1, frames}, query, a));
      ASSERT_TRUE(on_host->find({0, frames, 1, frames}, query, b));
      EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end(), same));
    }
  }
}

}  // namespace
}  // namespace loom::compare
