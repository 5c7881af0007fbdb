// SPDX-License-Identifier: MIT
// What the run-time library plays without a library is what the whole plays.
#include <array>
#include <cstdio>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/behavior/state_build.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/family/triangulate.h>
#include <loom/fight/fighting_machine.h>
#include <loom/graph/build.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/train.h>
#include <loom/sample/sample.h>
#include <loom/take/gather.h>

#include "tests/runtime/play_artefacts.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using testing::Bytes;

library::Library sample_library(const std::string& path, const std::vector<std::string>& groups) {
  auto made = sample::make_samples({}, groups).value();
  std::vector<motion::Clip> clips;
  for (sample::SampleClip& one : made) clips.push_back(std::move(one.clip));
  auto library = library::Library::open_or_create(path).value();
  EXPECT_TRUE(library.add_clips(clips));
  return library;
}

/// What a program prints, line by line; and nothing where it fails.
std::vector<std::string> lines_of(const std::string& command) {
  std::vector<std::string> lines;
  std::FILE* pipe = ::popen(command.c_str(), "r");  // NOLINT(cert-env33-c): our own words
  if (pipe == nullptr) return lines;
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    lines.emplace_back(line.data());
    if (lines.back().ends_with('\n')) lines.back().pop_back();
  }
  EXPECT_EQ(::pclose(pipe), 0);
  return lines;
}

class Runtime : public ::testing::Test {
 protected:
  void write(const std::string& name, const Bytes& bytes) {
    std::ofstream out(folder_.file(name), std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  [[nodiscard]] static policy::Policy train(const policy::FragmentMotion& fragments) {
    policy::ControlSpace space = policy::usual_control_space();
    space.bins.resize(12);
    policy::Trace trace;
    trace.times = {0, 1, 2};
    trace.signals = {space.bins[0], space.bins[1], space.bins[2]};
    const auto model = policy::count_player_model(space, std::vector<policy::Trace>{trace}, fragments.set->seconds());
    const auto ground = policy::prepare_training(fragments, space, *model, {}, 0.9);
    auto policy = policy::train_policy(*ground, {}).value();
    policy.fragments_hash = fragments.hash;
    return policy;
  }

  testing::TemporaryFolder folder_;
};

TEST_F(Runtime, PlaysWhatTheWholePlays) {
  const auto walks = sample_library(folder_.file("walks.loom"), {"walk", "idle", "start", "stop"});
  const auto gathered = take::gather(walks, {}).value();
  const Bytes graph = graph::to_bytes(graph::build(gathered, {})->graph), walking = take::to_bytes(gathered.motion);

  const auto reaches = sample_library(folder_.file("reaches.loom"), {"reach"});
  blend::FamilyOptions reach;
  reach.label = "reach";
  const auto built = blend::build_family(reaches, reach).value();
  const Bytes family = blend::to_bytes(built.family);
  const Bytes points = blend::triangulate(built.family).value()->to_bytes();
  const Bytes reaching =
      take::to_bytes(blend::read_members(reaches, built.family.rate, built.family.members).value().motion);

  const auto fights = sample_library(folder_.file("fights.loom"),
                                     {"fight-stance", "fight-step", "fight-change", "punch", "kick", "evade"});
  const auto bound = behavior::build_states(fights, fight::fighting_machine(), {}).value();
  const Bytes states = behavior::to_bytes(*bound.states), fighting = take::to_bytes(*bound.motion);

  policy::CutOptions sparse;
  sparse.step_seconds = 0.2;
  const auto cut = policy::cut_fragments(walks, sparse).value();
  const Bytes fragments = policy::to_bytes(*cut.set), steered = take::to_bytes(*cut.motion);
  const Bytes policy = policy::to_bytes(train(cut));

  write("graph", graph);
  write("graph.motion", walking);
  write("family", family);
  write("family.motion", reaching);
  write("family.points", points);
  write("states", states);
  write("states.motion", fighting);
  write("fragments", fragments);
  write("fragments.motion", steered);
  write("policy", policy);
  const std::vector<std::string> expected = {
      testing::play_graph(graph, walking).value(), testing::play_matching(walking).value(),
      testing::play_family(family, reaching, points).value(), testing::play_bout(states, fighting).value(),
      testing::play_policy(fragments, policy, steered).value()};
  EXPECT_EQ(lines_of(std::string(LOOM_RUNTIME_PLAYER) + " '" + folder_.path().string() + "'"), expected);
}

TEST_F(Runtime, NeedsNoneOfTheHeavyLibraries) {
  const std::vector<std::string> needed = lines_of(std::string("ldd ") + LOOM_RUNTIME_PLAYER);
  ASSERT_FALSE(needed.empty());
  for (const std::string& one : needed) {
    for (const char* heavy : {"sqlite", "qhull", "png", "assimp"}) {
      EXPECT_EQ(one.find(heavy), std::string::npos) << one;
    }
  }
}

TEST_F(Runtime, MotionAsBytesComesBackOrIsRefused) {
  const auto walks = sample_library(folder_.file("walks.loom"), {"idle"});
  const auto gathered = take::gather(walks, {}).value();
  const Bytes bytes = take::to_bytes(gathered.motion);
  const auto back = take::take_set_from_bytes(bytes);
  ASSERT_TRUE(back) << back.error().to_string();
  EXPECT_EQ(take::to_bytes(*back), bytes);
  EXPECT_EQ(back->titles(), gathered.motion.titles());
  for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 97) {
    EXPECT_FALSE(take::take_set_from_bytes(std::span(bytes).first(size))) << size;
  }
  Bytes wrong = bytes;
  wrong[4] = std::byte{99};
  EXPECT_EQ(take::take_set_from_bytes(wrong).error().kind, ErrorKind::kNewer);
  Random random(3);
  for (int i = 0; i < 300; ++i) {  // whatever the bytes, the answer is motion or an error
    wrong = bytes;
    wrong[random.index(wrong.size())] ^= std::byte{1} << random.index(8);
    const auto read = take::take_set_from_bytes(wrong);
    EXPECT_TRUE(read || !read.error().message.empty());
  }
}

TEST_F(Runtime, ATriangulationComesBackOrIsRefused) {
  const blend::ExamplePoints points{2, {0, 0, 1, 0, 0, 1, 1, 1, 0.4, 0.6}};
  const auto made = blend::Triangulation::create(points).value();
  const Bytes bytes = made.to_bytes();
  const auto back = blend::Triangulation::from_bytes(bytes);
  ASSERT_TRUE(back);
  std::array<double, 3> here{}, there{};
  const std::array<double, 2> at{0.3, 0.4};
  EXPECT_EQ(made.locate(at, here), back->locate(at, there));
  EXPECT_EQ(here, there);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(blend::Triangulation::from_bytes(std::span(bytes).first(size))) << size;
  }
  Bytes wrong = bytes;
  for (std::size_t i = bytes.size() - 4; i < bytes.size(); ++i)
    wrong[i] = std::byte{0xff};  // a corner that is no point
  EXPECT_FALSE(blend::Triangulation::from_bytes(wrong));
}

}  // namespace
}  // namespace loom
