// SPDX-License-Identifier: MIT
// What builders say they will take, against what they take. The program's operator new is replaced to know.
#include <atomic>
#include <cstdlib>
#include <new>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/behavior/state_build.h>
#include <loom/blend/align/alignment.h>
#include <loom/blend/family/family.h>
#include <loom/blend/family/stored_family.h>
#include <loom/graph/build.h>
#include <loom/graph/clip_pair.h>
#include <loom/graph/connect/connect.h>
#include <loom/machine/build.h>
#include <loom/matching/match_features.h>
#include <loom/motion/stand_on_floor.h>
#include <loom/policy/comparison.h>
#include <loom/policy/graph_policy.h>
#include <loom/policy/simulated_player.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/train.h>
#include <loom/sample/sample.h>
#include <loom/take/gather.h>
#include <loom/take/take_set.h>

#include "tests/make_walk.h"
#include "tests/temporary_folder.h"

namespace {

std::atomic<std::size_t> held{0}, most_held{0};

void* count_in(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t now = held += malloc_usable_size(memory);
  for (std::size_t most = most_held; now > most && !most_held.compare_exchange_weak(most, now);) {
  }
  return memory;
}
void count_out(void* memory) {
  held -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

// Kept from being inlined, where g++ 12 takes the pair for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) { return count_in(std::malloc(size > 0 ? size : 1)); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto a = static_cast<std::size_t>(alignment);
  return count_in(std::aligned_alloc(a, (size + a) / a * a));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { count_out(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { count_out(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { count_out(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { count_out(memory); }

namespace loom {
namespace {

using ::testing::HasSubstr;

/// What `work` took beyond what was held, and the most it said it would.
struct Taken {
  double truly = 0, said = 0;
};

template <typename Work>
Taken taken_by(const Work& work) {
  Taken taken;
  const ThreadLimit one(1);  // what threads keep for themselves is small in earnest, and large in a test
  const MemoryLimit telling(
      0, [&](const MemoryRequirement& r) { taken.said = std::max(taken.said, r.bytes); }, 1);
  const std::size_t before = held;
  most_held = before;
  const auto made = work();
  EXPECT_TRUE(made) << made.error().to_string();
  taken.truly = static_cast<double>(most_held - before);
  return taken;
}

void expect_told_rightly(const Taken& taken, const char* what) {
  EXPECT_GT(taken.said, 0.5 * taken.truly)
      << what << " took " << describe_bytes(taken.truly) << " and said " << describe_bytes(taken.said);
  EXPECT_LT(taken.said, 2.5 * taken.truly)
      << what << " took " << describe_bytes(taken.truly) << " and said " << describe_bytes(taken.said);
}

/// Fails for want of memory, in words that say what to do.
template <typename Work>
void expect_refused(const Work& work, const std::string& instead) {
  const MemoryLimit none(1);
  const auto made = work();
  ASSERT_FALSE(made) << instead;
  EXPECT_THAT(made.error().message, HasSubstr("of memory, and 0 bytes are free"));
  EXPECT_THAT(made.error().message, HasSubstr(instead));
  EXPECT_EQ(made.error().kind, ErrorKind::kOutOfMemory);
  EXPECT_EQ(made.error().settings.back(), "memory");
}

class Builders : public ::testing::Test {
 protected:
  /// Walks of several speeds, `seconds` long each.
  void add_walks(int count, double seconds) {
    for (int i = 0; i < count; ++i) {
      testing::Gait gait;
      gait.seconds = seconds;
      gait.speed = 1.0 + 0.05 * i;
      gait.rate = 60;
      motion::Clip clip = testing::make_gait(gait).clip;
      clip.name = "walk-" + std::to_string(i);
      clip.labels = {{"walk", 0, clip.frames()}};
      ASSERT_TRUE(library_.add_clip(clip));
    }
  }

  testing::TemporaryFolder folder_;
  library::Library library_ = *library::Library::open_or_create(folder_.file("moves.loom"));
};

TEST_F(Builders, OfGraphsSayWhatTheyTake) {
  add_walks(8, 40);
  const auto gather = [&] { return take::gather(library_, {}); };
  expect_told_rightly(taken_by(gather), "gather");
  expect_refused(gather, "choose fewer clips");
  const auto source = *gather();
  const auto build = [&] { return graph::build(source, {}); };
  expect_told_rightly(taken_by(build), "build");
  expect_refused(build, "choose fewer clips");
}

TEST_F(Builders, OfWellConnectedGraphsSayWhatTheyTake) {
  add_walks(4, 8);
  const auto source = *take::gather(library_, {});
  graph::ConnectOptions options;
  options.build.threshold = graph::square_metres_of(2);
  options.every_pair = true;
  const auto connect = [&] { return graph::connect(source, options); };
  expect_told_rightly(taken_by(connect), "connect");
  expect_refused(connect, "choose fewer clips");
}

TEST_F(Builders, OfPoliciesOnGraphsSayWhatTheyTake) {
  add_walks(6, 30);
  const auto source = *take::gather(library_, {});
  ASSERT_TRUE(graph::store(library_, "g", *graph::build(source, {}), source, "{}"));
  const auto stored = *graph::load_graph(library_, "g");
  const std::vector<take::Track>& tracks = stored.motion->tracks();
  policy::GraphPolicyOptions options;
  options.tolerance = 0.5;
  const auto train = [&] { return policy::train_graph_policy(*stored.graph, tracks, options); };
  expect_told_rightly(taken_by(train), "graph train");
  expect_refused(train, "fewer headings");
}

TEST_F(Builders, OfPoliciesOnFragmentsSayWhatTheyTake) {
  add_walks(10, 20);
  policy::CutOptions cut;
  const auto cutting = [&] { return policy::cut_fragments(library_, cut); };
  expect_told_rightly(taken_by(cutting), "cut");
  expect_refused(cutting, "choose fewer clips");
  const policy::FragmentMotion fragments = *cutting();
  const auto judge = [&] { return policy::motion_qualities(fragments); };
  expect_told_rightly(taken_by(judge), "judging");
  expect_refused(judge, "cut fewer of them");

  policy::ControlSpace space = policy::usual_control_space();
  policy::SimulationOptions players;
  players.traces = 2;
  const auto traces = policy::simulate_players(players);
  auto model = *policy::count_player_model(space, traces, fragments.set->seconds());
  const auto ground = *policy::prepare_training(fragments, space, model, {}, 0.9);
  policy::TrainOptions options;
  options.solve.max_sweeps = 2;
  const auto train = [&] { return policy::train_policy(ground, options); };
  expect_told_rightly(taken_by(train), "train");
  expect_refused(train, "take fewer of either");
  policy::ComparisonOptions comparing;
  comparing.kinds = {policy::PolicyKind::kGreedy};
  comparing.thresholded = false;
  const auto compare = [&] { return policy::compare_controllers(ground, traces, nullptr, {}, comparing); };
  expect_told_rightly(taken_by(compare), "eval");
  expect_refused(compare, "fewer or shorter traces");
}

TEST_F(Builders, OfAlignmentsAndFamiliesSayWhatTheyTake) {
  add_walks(2, 30);
  std::vector<motion::Clip> clips = {*library_.read_clip("walk-0"), *library_.read_clip("walk-1")};
  std::vector<motion::Contacts> contacts;
  for (motion::Clip& clip : clips) contacts.push_back(motion::stand_on_floor(clip));
  const auto align = [&] { return blend::align(clips, contacts, {}); };
  expect_told_rightly(taken_by(align), "align");
  expect_refused(align, "cut the clips");
  const auto pair = graph::ClipPair::create(clips[0], clips[1], 60);
  const auto compare = [&] { return pair->distances(); };
  expect_told_rightly(taken_by(compare), "compare");
  expect_refused(compare, "cut the clips");
  const std::vector<blend::FamilyMember> members = {{{"walk-0", false, 0, 100}, {}}, {{"walk-1", false, 0, 100}, {}}};
  expect_refused([&] { return blend::read_members(library_, 60, members); }, "take fewer examples");
}

TEST_F(Builders, OfStatesSayWhatTheyTake) {
  for (const char* name : {"fight-stance-1", "fight-stance-2", "fight-advance", "punch-left-1", "kick-left-low"}) {
    ASSERT_TRUE(library_.add_clip(sample::make_sample(name)->clip));
  }
  const auto machine = *behavior::parse_machine(
      "machine m\nstate attack whole: punch, kick\nstate move: fight-stance\ndefault move\n"
      "transition move -> move self\ntransition move -> attack full\ntransition attack -> move\n",
      "m");
  const auto build = [&] { return behavior::build_states(library_, machine, {}); };
  ASSERT_TRUE(build());
  expect_refused(build, "choose fewer clips");
}

TEST_F(Builders, OfMachinesSayWhatTheyTake) {
  add_walks(6, 40);
  const auto machine =
      *behavior::parse_machine("machine m\nstate walk: walk\ndefault walk\ntransition walk -> walk self\n", "m");
  const auto build = [&] { return machine::build(library_, machine, {}); };
  expect_told_rightly(taken_by(build), "machine");
  expect_refused(build, "label less motion");
}

TEST_F(Builders, OfMatchingSayWhatTheyTake) {
  add_walks(8, 40);
  const auto source = *take::gather(library_, {});
  static_cast<void>(source.motion.tracks());  // not of the index
  const auto index = [&] { return matching::find_match_features(source.motion, {}); };
  expect_told_rightly(taken_by(index), "match");
  expect_refused(index, "take fewer clips");
}

}  // namespace
}  // namespace loom
