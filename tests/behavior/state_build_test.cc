// SPDX-License-Identifier: MIT
// State graphs of the sample fighting motions: what a user's library goes through, from labels to a stored artefact.
#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/behavior/state_blows.h>
#include <loom/behavior/state_build.h>
#include <loom/behavior/state_table.h>
#include <loom/blend/align/alignment.h>
#include <loom/blend/family/stored_family.h>
#include <loom/motion/body.h>
#include <loom/sample/sample.h>

#include "tests/temporary_folder.h"

namespace loom::behavior {
namespace {

using ::testing::HasSubstr;

class BuildStates : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"fight-stance-1", "fight-stance-2", "fight-advance", "punch-left-1", "punch-right-1",
                             "kick-left-low", "slip-left"}) {
      const auto clip = sample::make_sample(name);
      ASSERT_TRUE(clip && library_.add_clip(clip->clip)) << name;
    }
  }
  Result<StateBuild> build(const std::string& text, double threshold = 0.0064, bool minima_only = false) {
    const auto machine = parse_machine(text, "m");
    if (!machine) return fail_from(machine);
    StateBuildOptions options;
    options.threshold = threshold;
    options.minima_only = minima_only;
    return build_states(library_, *machine, options);
  }

  const std::string machine_ =
      "machine m\nstate attack whole: punch, kick\nstate move: fight-stance\ndefault move\n"
      "transition move -> move self\ntransition move -> attack full\ntransition attack -> move\n";
  testing::TemporaryFolder folder_;
  library::Library library_ = *library::Library::open_or_create(folder_.file("moves.loom"));
};

TEST_F(BuildStates, AttacksAreWholeAndCanBeHadAtOnce) {
  const auto built = build(machine_);
  ASSERT_TRUE(built) << built.error().to_string();
  const StateGraph& states = *built->states;
  const StateTable table = measure_states(states);
  EXPECT_EQ(table.states[0].nodes, 3u) << "two punches and a kick";
  EXPECT_GT(table.states[0].mean_length_s, 0.5);
  for (const StatePairTime& time : table.times) {
    EXPECT_TRUE(time.link != Link::kFull || time.mean_to_each_s < kPromptSeconds);
  }
  // An attack is left only where it ends and entered only where it begins.
  for (const StateNode& node : states.nodes) {
    if (node.state != 0) continue;
    for (graph::Node n = node.begin; n + 8 < node.end; ++n) EXPECT_TRUE(states.graph.transitions_of(n).empty());
    for (graph::Node n = node.begin + 8; n < node.end; ++n) EXPECT_FALSE(states.entered[n]);
  }
}

TEST_F(BuildStates, MinimaAloneAreFewerTransitionsAndLaterAnswers) {
  const auto usual = build(machine_, 0.02), plain = build(machine_, 0.02, true);
  ASSERT_TRUE(usual) << usual.error().to_string();
  ASSERT_TRUE(plain) << plain.error().to_string();
  EXPECT_LT(plain->states->graph.transitions.size(), usual->states->graph.transitions.size());
  const auto to_attack = [](const StateBuild& built) {
    for (const StatePairTime& time : measure_states(*built.states).times) {
      if (time.link == Link::kFull && time.to == 0) return time.mean_to_each_s;
    }
    return -1.0;
  };
  // Or no attack is left at all, where no minimum leads to one and back.
  EXPECT_TRUE(to_attack(*plain) < 0 || to_attack(*plain) > to_attack(*usual)) << to_attack(*plain);
}

TEST_F(BuildStates, RunsOfARecordingShareItsMotion) {
  const auto built = build(machine_);
  ASSERT_TRUE(built) << built.error().to_string();
  const graph::MotionGraph& graph = built->states->graph;
  ASSERT_EQ(built->motion->clips.size(), graph.clips.size());
  EXPECT_GE(graph.runs.size(), graph.clips.size());
  for (std::size_t c = 1; c < graph.clips.size(); ++c) {
    EXPECT_FALSE(static_cast<const take::Stretch&>(graph.clips[c]) == graph.clips[c - 1]) << "each once: " << c;
  }
}

TEST_F(BuildStates, IsStoredAndRefusedOnceTheLibraryChanged) {
  const auto built = build(machine_);
  ASSERT_TRUE(built) << built.error().to_string();
  ASSERT_TRUE(store_states(library_, "fight", *built, "{}"));
  const auto loaded = load_states(library_, "fight");
  ASSERT_TRUE(loaded) << loaded.error().to_string();
  EXPECT_EQ(to_bytes(*loaded->states), to_bytes(*built->states));
  ASSERT_EQ(loaded->motion->clips.size(), built->motion->clips.size());
  EXPECT_EQ(loaded->motion->clips[0].roots, built->motion->clips[0].roots);
  ASSERT_TRUE(library_.add_label("slip-left", {"evade-left", 3, 9}));
  EXPECT_THAT(load_states(library_, "fight").error().message, HasSubstr("labels have changed"));
  ASSERT_TRUE(library_.remove_clip("slip-left"));
  EXPECT_THAT(load_states(library_, "fight").error().message,
              HasSubstr("since the states 'fight' were built: 'slip-left' is gone"));
}

/// Of every frame of a library's clip that was kept, the state.
std::map<std::pair<std::string, std::uint32_t>, std::string> states_by_frame(const StateBuild& built) {
  std::map<std::pair<std::string, std::uint32_t>, std::string> states;
  const StateGraph& made = *built.states;
  for (graph::Node n = 0; n < made.graph.nodes(); ++n) {
    const graph::GraphClip& clip = made.graph.clips[made.graph.clip_of(n)];
    states[{clip.name, clip.begin + made.graph.frame_of(n)}] = made.machine.states[made.state_of[n]].name;
  }
  return states;
}

/// A take of three blows with a guard between them, nowhere like the stances of the samples but at its ends: all the
/// while the fighter is bent forward. `begins`: the first frame of each sample in it, and the last's end.
motion::Clip long_take(std::vector<std::size_t>& begins) {
  std::vector<motion::Clip> parts;
  for (const char* name : {"fight-stance-1", "punch-left-1", "fight-stance-2", "kick-left-low", "fight-stance-1",
                           "punch-right-1", "fight-stance-2"}) {
    parts.push_back(sample::make_sample(name)->clip);
    begins.push_back(begins.empty() ? 0 : begins.back() + parts[parts.size() - 2].frames());
  }
  motion::Clip take = *motion::join(parts);
  begins.push_back(take.frames());
  take.name = "take";
  take.labels = {{"punch", 0, take.frames()}};
  const auto spine = static_cast<std::size_t>(motion::find_body(*take.skeleton).spine.front());
  for (std::size_t f = 0; f < take.frames(); ++f) {
    const auto from_end = static_cast<double>(std::min(f, take.frames() - 1 - f)) / take.rate;
    const auto share = static_cast<float>(std::clamp(from_end - 0.3, 0.0, 1.0));
    take.pose(f)[spine] = axis_angle({1, 0, 0}, 0.8f * share) * take.pose(f)[spine];
  }
  return take;
}

TEST(FindBlows, FindsEachFromRestToRestAndNoneInAGuard) {
  std::vector<std::size_t> begins;
  const motion::Clip take = long_take(begins);
  const std::vector<motion::FrameRange> blows = find_blows(take, 0, take.frames());
  ASSERT_EQ(blows.size(), 3u);
  for (std::size_t b = 0; b < blows.size(); ++b) {
    const auto slack = static_cast<std::size_t>(0.2 * take.rate);
    EXPECT_GE(blows[b].begin + slack, begins[2 * b + 1]) << b;
    EXPECT_LE(blows[b].end, begins[2 * b + 2] + slack) << b;
    EXPECT_GT(static_cast<double>(blows[b].end - blows[b].begin), 0.4 * take.rate) << b;
  }
  EXPECT_TRUE(find_blows(take, begins[2], begins[3]).empty());
  EXPECT_EQ(find_blows(take, begins[2], begins[5]), std::vector<motion::FrameRange>({blows[1]}));
}

TEST_F(BuildStates, ALongTakeOfAnAttackIsCutAtItsBlows) {
  std::vector<std::size_t> begins;
  ASSERT_TRUE(library_.add_clip(long_take(begins)));
  const auto actions_of_take = [](const StateBuild& built) {
    std::vector<double> seconds;
    const StateGraph& states = *built.states;
    for (const std::uint32_t n : states.nodes_of_state(0)) {
      const StateNode& node = states.nodes[n];
      if (states.graph.clips[states.graph.clip_of(node.begin)].name != "take") continue;
      seconds.push_back((node.end - node.begin) / states.graph.rate);
    }
    return seconds;
  };
  const auto whole = build(machine_), cut = build(machine_ + "activity hit: attack in attack\n");
  ASSERT_TRUE(whole) << whole.error().to_string();
  ASSERT_TRUE(cut) << cut.error().to_string();
  EXPECT_THAT(actions_of_take(*whole), ::testing::Contains(::testing::Gt(6.0)));
  EXPECT_THAT(actions_of_take(*cut), ::testing::SizeIs(::testing::Ge(3)));
  EXPECT_THAT(actions_of_take(*cut), ::testing::Each(::testing::Lt(3.0)));
  // Whoever stands on guard in it may begin any of the blows, and comes out of it.
  std::size_t guarding = 0;
  for (const auto& [frame, state] : states_by_frame(*cut)) guarding += frame.first == "take" && state == "move";
  EXPECT_GT(guarding, 100u);
}

TEST_F(BuildStates, ClipsMakeTheSameStatesAsLabelsOverAllTheirFrames) {
  // What is labelled here is no more than the clips that are named there.
  for (const char* name : {"fight-stance-1", "fight-stance-2", "fight-advance"}) {
    ASSERT_TRUE(library_.add_label(name, {"mine", 0, library_.clip_info(name)->frames}));
  }
  std::string by_label = machine_, by_clip = machine_;
  by_label.replace(by_label.find("fight-stance"), 12, "mine");
  by_clip.replace(by_clip.find("fight-stance"), 12, "clip fight-stance-1, clip fight-stance-2, clip fight-advance");
  const auto labels = build(by_label), clips = build(by_clip);
  ASSERT_TRUE(labels) << labels.error().to_string();
  ASSERT_TRUE(clips) << clips.error().to_string();
  EXPECT_EQ(states_by_frame(*clips), states_by_frame(*labels));
  EXPECT_EQ(clips->states->graph.transitions.size(), labels->states->graph.transitions.size());
  ASSERT_TRUE(store_states(library_, "fight", *clips, "{}"));
  const auto loaded = load_states(library_, "fight");
  ASSERT_TRUE(loaded) << loaded.error().to_string();
  EXPECT_EQ(to_bytes(*loaded->states), to_bytes(*clips->states));
  ASSERT_TRUE(library_.remove_clip("fight-advance"));
  EXPECT_THAT(build(by_clip).error().to_string(), HasSubstr("m:3: the library has no clip 'fight-advance'"));
}

TEST_F(BuildStates, AFamilyGivesItsExamplesAndNothingElse) {
  // Two stretches of the stances, and of no other frame, though all of the clips are labelled.
  blend::Family family;
  family.rate = 15;  // another than that of the states
  const auto member = [](const char* name, std::uint32_t begin, std::uint32_t frames) {
    blend::FamilyMember made;
    made.name = name;
    made.begin = begin;
    made.frames = frames;
    return made;
  };
  family.members = {member("fight-stance-1", 4, 30), member("fight-stance-2", 0, 40)};
  const auto motion = blend::read_members(library_, family.rate, family.members);
  ASSERT_TRUE(motion) << motion.error().to_string();
  family.space.parameters.resize(1);
  family.space.parameters[0].name = "way";
  family.space.scales = {1};
  family.values = {0, 1};
  family.alignment = blend::align(motion->motion.clips, motion->motion.contacts).value();
  ASSERT_TRUE(blend::store_family(library_, "stances", family, motion->input_hash, "{}"));
  std::string text = machine_;
  text.replace(text.find("fight-stance"), 12, "family stances");
  const auto built = build(text);
  ASSERT_TRUE(built) << built.error().to_string();
  std::size_t moving = 0;
  for (const auto& [frame, state] : states_by_frame(*built)) {
    if (state != "move") continue;
    ++moving;
    const bool first = frame.first == "fight-stance-1" && frame.second >= 8 && frame.second < 68;
    const bool second = frame.first == "fight-stance-2" && frame.second < 80;
    EXPECT_TRUE(first || second) << frame.first << " " << frame.second;
  }
  EXPECT_GT(moving, 60u);
  text.replace(text.find("stances"), 7, "dances");
  EXPECT_THAT(build(text).error().to_string(),
              HasSubstr("m:3: the library has no family 'dances'; its families are: stances"));
}

TEST_F(BuildStates, UnknownLabelsAndEmptyStatesAreToldWithTheirLine) {
  std::string text = machine_;
  text.replace(text.find("kick"), 4, "kcik");
  EXPECT_THAT(build(text).error().to_string(), HasSubstr("m:2: nothing in the library is labelled 'kcik'"));
  text = machine_ + "state rest: nap?\ntransition rest -> move\ntransition move -> rest\n";
  EXPECT_THAT(build(text).error().to_string(), HasSubstr("m:8: state 'rest' has no motion"));
  text = machine_ + "state more: punch\ntransition more -> move\ntransition move -> more\n";
  EXPECT_THAT(build(text).error().to_string(), HasSubstr("m:8: state 'more' has no motion"));
}

TEST_F(BuildStates, AStateThatLosesEverythingIsToldWithTheNearestWayIn) {
  std::string text = machine_ + "transition dodge -> move\ntransition move -> dodge\n";
  text.insert(text.find("state"), "state dodge whole: evade\n");
  const auto good = build(text);
  ASSERT_TRUE(good) << good.error().to_string();
  // A clip cut within the dodge, so that nothing recorded leads in or out and only a far transition could.
  auto cut = motion::cut(library_.read_clip("slip-left").value(), 35, 60);
  ASSERT_TRUE(cut);
  cut->name = "cut";
  cut->labels = {{"evade", 0, cut->frames()}};
  ASSERT_TRUE(library_.remove_clip("slip-left"));
  ASSERT_TRUE(library_.add_clip(*cut));
  const auto lost = build(text, 0.0005);
  ASSERT_TRUE(lost) << lost.error().to_string();
  const StateYield& yield = lost->yields[0];
  EXPECT_EQ(yield.kept, 0u);
  EXPECT_FALSE(yield.reason.empty());
  ASSERT_TRUE(yield.missing_in);
  EXPECT_EQ(yield.missing_in->to_clip, "cut");
  EXPECT_GT(yield.missing_in->distance, 0.0005);
}

}  // namespace
}  // namespace loom::behavior
