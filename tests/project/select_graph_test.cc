// SPDX-License-Identifier: MIT
// What was picked by hand is kept with what is selected, and leads on and back.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/project/build.h>
#include <loom/project/select_graph.h>
#include <loom/sample/sample.h>

#include "tests/temporary_folder.h"

namespace loom::project {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

class SelectPicked : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = library::Library::open_or_create(folder_.file("p.loom"));
    ASSERT_TRUE(opened);
    library_.emplace(std::move(*opened));
    for (const char* name : {"walk-slow", "walk-normal-1", "walk-fast"}) {
      ASSERT_TRUE(library_->add_clip(sample::make_sample(name, {1, 30})->clip));
    }
    const auto built = build_graph(*library_, "whole", {}, {});
    ASSERT_TRUE(built) << built.error().to_string();
    whole_ = built->built.graph;
    settings_.graph = "whole";
    settings_.keys = {"walk-slow:30-40", "walk-fast:30-40"};
  }

  SelectedGraph selected(const std::vector<std::string>& picked) {
    settings_.picked = picked;
    auto made = select_graph(*library_, "s", settings_);
    EXPECT_TRUE(made) << made.error().to_string();
    return std::move(*made);
  }
  /// Whether each node reaches each other, by looking until nothing changes.
  static bool leads_everywhere(const graph::MotionGraph& graph) {
    for (graph::Node from = 0; from < graph.nodes(); ++from) {
      std::vector<char> reached(graph.nodes(), 0);
      reached[from] = 1;
      for (bool changed = true; changed;) {
        changed = false;
        for (graph::Node node = 0; node < graph.nodes(); ++node) {
          if (reached[node] == 0) continue;
          const auto reach = [&](graph::Node to) {
            changed = changed || reached[to] == 0;
            reached[to] = 1;
          };
          if (graph.goes_on(node)) reach(node + 1);
          for (const graph::Transition& transition : graph.transitions_of(node)) reach(transition.to);
        }
      }
      if (std::count(reached.begin(), reached.end(), 0) > 0) return false;
    }
    return true;
  }

  testing::TemporaryFolder folder_;
  std::optional<library::Library> library_;
  graph::MotionGraph whole_;
  SelectSettings settings_;
};

TEST_F(SelectPicked, IsKeptWhereItLeadsOnAndBack) {
  const SelectedGraph without = selected({});
  EXPECT_EQ(without.left_out, 0U);
  EXPECT_TRUE(leads_everywhere(without.graph));
  std::size_t kept = 0, left_out = 0;
  for (std::uint32_t begin = 5; begin < 80; begin += 10) {
    const std::string stretch = "walk-normal-1:" + std::to_string(begin) + "-" + std::to_string(begin + 12);
    const auto read = graph::read_keys(whole_, {}, std::vector<std::string>{stretch});
    if (!read) continue;  // lost to pruning
    const SelectedGraph with = selected({stretch});
    EXPECT_TRUE(leads_everywhere(with.graph)) << stretch;
    EXPECT_EQ(with.judgement.satisfied_share, 1) << stretch;
    std::vector<graph::Node> picked;
    for (const graph::KeyMotion& motion : read->keys) {
      for (graph::Node node = motion.begin; node < motion.end; ++node) picked.push_back(node);
    }
    const auto there = static_cast<std::size_t>(std::count_if(picked.begin(), picked.end(), [&](graph::Node node) {
      return std::binary_search(with.selection.nodes.begin(), with.selection.nodes.end(), node);
    }));
    EXPECT_EQ(there + with.left_out, picked.size()) << stretch << ": each is kept, or counted";
    kept += there;
    left_out += with.left_out;
  }
  EXPECT_GT(kept, 0U);
  EXPECT_GT(left_out, 0U);
}

TEST_F(SelectPicked, IsRememberedAndTakenOver) {
  const SelectedGraph first = selected({"walk-normal-1"});
  EXPECT_THAT(select_settings_of(*library_, "s")->picked, ElementsAre("walk-normal-1"));
  SelectSettings more;
  more.graph = "whole";
  more.add_to = "s";
  more.keys = {"walk-slow:60-70"};
  const auto second = select_graph(*library_, "t", more);
  ASSERT_TRUE(second) << second.error().to_string();
  EXPECT_THAT(second->selection.nodes, IsSupersetOf(first.selection.nodes));
  EXPECT_THAT(select_settings_of(*library_, "t")->picked, ElementsAre("walk-normal-1"));
}

TEST_F(SelectPicked, MustBeKnown) {
  settings_.picked = {"wlak:3-4"};
  const auto made = select_graph(*library_, "s", settings_);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().to_string(), ::testing::HasSubstr("wlak"));
}

}  // namespace
}  // namespace loom::project
