// SPDX-License-Identifier: MIT
// Graphs as others read them: tests/tools/read_graph.py reads what was written and says what it found.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/graph/graph_export.h>

#include "tests/graph/random_graph.h"
#include "tests/temporary_folder.h"

namespace loom::graph {
namespace {

using nlohmann::json;

class GraphExport : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (std::system("command -v python3 >/dev/null") != 0) GTEST_SKIP() << "SKIPPED: Python is not installed (python3)";
  }

  /// Writes `graph` in the format of this case.
  Result<ExportedGraph> write(const MotionGraph& graph, const VertexStates& states = {},
                              const Progress& progress = {}) const {
    return path_.ends_with(".csv") ? write_graph_csv(graph, states, path_, progress)
                                   : write_graphml(graph, states, path_, progress);
  }

  /// What the independent reader says of the file.
  [[nodiscard]] json read() const {
    const std::string script = (std::filesystem::path(LOOM_SOURCE_DIR) / "tests/tools/read_graph.py").string();
    const std::string out = folder_.file("read.json"), log = folder_.file("log.txt");
    const int status = std::system(fmt::format("python3 '{}' '{}' >'{}' 2>'{}'", script, path_, out, log).c_str());
    std::ifstream printed(log);
    EXPECT_EQ(status, 0) << std::string(std::istreambuf_iterator<char>(printed), {});
    std::ifstream file(out);
    return json::parse(file, nullptr, false);
  }

  testing::TemporaryFolder folder_;
  std::string path_ = folder_.file(std::string("graph") + GetParam());
};

INSTANTIATE_TEST_SUITE_P(Formats, GraphExport, ::testing::Values(".csv", ".graphml"),
                         [](const auto& format) { return std::string(format.param).substr(1); });

/// A graph with names that mean something in CSV and in XML.
MotionGraph oddly_named() {
  MotionGraph graph = testing::random_graph(7, 12, 60, 3);
  graph.clips[0].name = "a, \"b\" <&> 'c'";
  graph.clips[1].name = "größe;1 \xEF\xBF\xBF";
  graph.clips[2].mirrored = true;
  graph.clips[2].begin = 40;
  graph.clips[0].labels.push_back({"x<y", 0, 2});
  return graph;
}

TEST_P(GraphExport, AnotherReaderFindsEveryVertexAndEdge) {
  const MotionGraph graph = oddly_named();
  const auto written = write(graph);
  ASSERT_TRUE(written) << written.error().to_string();
  const json found = read();
  ASSERT_EQ(found["vertices"].size(), graph.nodes());
  ASSERT_EQ(found["edges"].size(), graph.edges());
  EXPECT_EQ(written->vertices, graph.nodes());
  EXPECT_EQ(written->edges, graph.edges());
  for (Node node = 0; node < graph.nodes(); ++node) {
    const json& vertex = found["vertices"][node];
    const GraphClip& clip = graph.clips[graph.clip_of(node)];
    EXPECT_EQ(vertex["id"], node);
    if (clip.name.find('\xEF') == std::string::npos) {
      EXPECT_EQ(vertex["clip"], clip.name);
    }
    EXPECT_EQ(vertex["frame"], clip.begin + graph.frame_of(node));
    EXPECT_EQ(vertex["mirrored"], clip.mirrored);
    EXPECT_EQ(vertex["recorded"], true);
    std::string labels = clip.labels.front().name;
    if (clip.labels.size() > 1 && graph.frame_of(node) < 2) labels += ";x<y";
    EXPECT_EQ(vertex["label"], labels);
  }
  // Every edge by its ends; a transition with its cost and distance.
  std::vector<std::tuple<Node, Node, float, float, std::string>> theirs, ours;
  for (const json& edge : found["edges"]) {
    EXPECT_EQ(edge["frames"], 1);
    theirs.emplace_back(edge["source"], edge["target"], edge["cost"], edge["distance"], edge["kind"]);
  }
  for (Node node = 0; node < graph.nodes(); ++node) {
    if (graph.goes_on(node)) ours.emplace_back(node, node + 1, 0.0f, 0.0f, "next");
    for (const Transition& t : graph.transitions_of(node)) {
      ours.emplace_back(node, t.to, t.cost, t.distance, "transition");
    }
  }
  EXPECT_THAT(theirs, ::testing::UnorderedElementsAreArray(ours)) << "floats come back as they were";
}

TEST_P(GraphExport, ShortestWaysAreThoseOfTheGraph) {
  const MotionGraph graph = testing::random_graph(6, 15, 50, 11);
  ASSERT_GT(graph.nodes(), 20U);
  ASSERT_TRUE(write(graph));
  const auto ours = testing::all_distances(graph);
  const json theirs = read()["ways"];
  ASSERT_EQ(theirs.size(), ours.size());
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_EQ(theirs[i], json(ours[i])) << i;
}

TEST_P(GraphExport, StatesAreTold) {
  const MotionGraph graph = testing::random_graph(6, 15, 50, 11);
  const std::vector<std::string> names{"stand", "go & come"};
  std::vector<std::uint32_t> of(graph.nodes());
  for (std::size_t node = 0; node < of.size(); ++node) of[node] = node % 3 == 0 ? 1 : 0;
  ASSERT_TRUE(write(graph, {names, of}));
  const json found = read();
  for (std::size_t node = 0; node < of.size(); ++node) EXPECT_EQ(found["vertices"][node]["state"], names[of[node]]);
}

TEST_P(GraphExport, StoppedItLeavesNoFile) {
  const auto written = write(testing::random_graph(6, 15, 50, 11), {},
                             Progress([](double share, std::string_view) { return share < 0.3; }));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::kStopped);
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST(GraphExportNames, VerticesLieBesideTheEdges) {
  EXPECT_EQ(vertices_beside("out/g.csv"), "out/g.vertices.csv");
  EXPECT_EQ(vertices_beside("g.CSV"), "g.vertices.csv");
}

}  // namespace
}  // namespace loom::graph
