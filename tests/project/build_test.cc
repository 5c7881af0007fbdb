// SPDX-License-Identifier: MIT
// What is built and kept in a library, and what goes when something of it goes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/policy/simulated_player.h>
#include <loom/policy/stored_fragments.h>
#include <loom/project/build.h>
#include <loom/project/dependents.h>
#include <loom/sample/sample.h>

#include "tests/temporary_folder.h"

namespace loom::project {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A library of a few sample motions, with everything built of them that depends on something else.
class Project : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = library::Library::open_or_create(folder_.file("p.loom"));
    ASSERT_TRUE(opened);
    library_.emplace(std::move(*opened));
    for (const char* name : {"idle-1", "locomotion-01", "locomotion-02", "jog"}) {
      ASSERT_TRUE(library_->add_clip(sample::make_sample(name, {1, 30})->clip));
    }
  }

  std::vector<std::string> kept() const {
    std::vector<std::string> names;
    const auto all = *library_->artefacts();
    for (const library::ArtefactInfo& info : all) names.push_back(info.kind + " " + info.name);
    return names;
  }

  testing::TemporaryFolder folder_;
  std::optional<library::Library> library_;
};

TEST_F(Project, AGraphIsKeptWithHowItWasBuilt) {
  take::GatherOptions source;
  source.labels = {"walk", "idle"};
  const auto made = build_graph(*library_, "g", source, {});
  ASSERT_TRUE(made) << made.error().to_string();
  const auto told = parse_json(library_->get_artefact(graph::kGraphKind, "g")->info.parameters);
  EXPECT_EQ(told["labels"], (std::vector<std::string>{"walk", "idle"}));
  EXPECT_EQ(told["metric"], "pointcloud");
  EXPECT_EQ(told["threshold"], made->built.graph.threshold);
  EXPECT_EQ(told["threshold_given"], false);
  EXPECT_TRUE(told["body"].is_null());
}

TEST_F(Project, ThePolicyOfAGraphGoesWithIt) {
  ASSERT_TRUE(build_graph(*library_, "g", {}, {}));
  ASSERT_TRUE(build_graph(*library_, "other", {}, {}));
  policy::GraphPolicyOptions options;
  options.behaviors = {"idle"};
  options.headings = 4;
  const auto trained = train_graph_policy(*library_, "g", options);
  ASSERT_TRUE(trained) << trained.error().to_string();
  EXPECT_THAT(kept(), ElementsAre("graph g", "graph other", "graph-pairs g", "graph-pairs other", "graph-policy g"));
  ASSERT_TRUE(remove_artefact(*library_, graph::kGraphKind, "g"));
  EXPECT_THAT(kept(), ElementsAre("graph other", "graph-pairs other")) << "nothing is left an orphan";
  EXPECT_FALSE(remove_artefact(*library_, graph::kGraphKind, "g"));
}

TEST_F(Project, WhatDependsOnWhatGoesIsFoundOneStepOrMoreAway) {
  ASSERT_TRUE(cut_fragments(*library_, "moves", {}));
  PolicyOptions options;
  options.fragments = "moves";
  options.train.solve.tolerance = 1e-2;
  const auto trained =
      train_policy(*library_, "player", options, {policy::simulate_player(policy::habits_of(0), 20, 1)});
  ASSERT_TRUE(trained) << trained.error().to_string();
  EXPECT_FALSE(trained->started_from_earlier);
  Removal removal;
  removal.clips = {*library_->clip_info("jog")};
  const auto dependents = find_dependents(*library_, removal);
  ASSERT_TRUE(dependents);
  ASSERT_EQ(dependents->size(), 2U);
  EXPECT_EQ((*dependents)[0].artefact.kind, policy::kFragmentsKind);
  EXPECT_THAT((*dependents)[0].needs, ElementsAre("clip 'jog'"));
  EXPECT_EQ((*dependents)[1].artefact.name, "player");
  EXPECT_THAT((*dependents)[1].needs, ElementsAre("fragments 'moves'"));
  const auto again = train_policy(*library_, "player", options, {policy::simulate_player(policy::habits_of(0), 20, 1)});
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->started_from_earlier);
  EXPECT_EQ(again->policy.solution.next.size(), trained->policy.solution.next.size());
}

TEST_F(Project, WhatFailsOrIsStoppedKeepsNothing) {
  take::GatherOptions nothing;
  nothing.labels = {"swim"};
  EXPECT_FALSE(build_graph(*library_, "g", nothing, {}));
  const Progress stopped([](double, std::string_view) { return false; });
  EXPECT_FALSE(build_graph(*library_, "g", {}, {}, stopped));
  EXPECT_FALSE(cut_fragments(*library_, "f", {}, stopped));
  EXPECT_THAT(kept(), IsEmpty());
}

}  // namespace
}  // namespace loom::project
