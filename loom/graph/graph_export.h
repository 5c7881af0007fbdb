// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>

namespace loom::graph {

// A graph for other people's tools, so that what is claimed of it can be checked and researchers can take it elsewhere.
// Every node is a vertex, numbered as in the graph; every way of going on and every transition is an edge, which takes
// one frame. Files are written piece by piece: memory stays small, however large the graph.

/// States of a state-annotated graph, where there are any.
struct VertexStates {
  std::span<const std::string> names;
  std::span<const std::uint32_t> of;  ///< of each node; empty: the graph has no states
};

/// How much was written.
struct ExportedGraph {
  std::uint64_t vertices = 0, edges = 0, bytes = 0;
};

/// Where `write_graph_csv` puts the vertices: "graph.vertices.csv" beside "graph.csv".
std::string vertices_beside(const std::string& edges_path);

/// Writes two tables. Edges, in `path`: source, target, cost, frames, distance, kind ("next" or "transition").
/// Vertices, beside it: id, clip, frame, label, mirrored, recorded and, where there are states, state. The columns
/// source, target and id are those that Gephi, pandas and igraph look for.
///
/// Frames are those of the clip in the library, at the graph's rate; motion between two clips counts its own. Several
/// labels of a vertex are joined by ';'. Going on costs 0. Fails where a file cannot be written, or when stopped.
Result<ExportedGraph> write_graph_csv(const MotionGraph& graph, const VertexStates& states, const std::string& path,
                                      const Progress& progress = {});

/// Writes the same as one GraphML file (graphml.graphdrawing.org), with typed keys; vertices are called n0, n1, ...
/// The graph carries its rate, threshold and sigma.
Result<ExportedGraph> write_graphml(const MotionGraph& graph, const VertexStates& states, const std::string& path,
                                    const Progress& progress = {});

}  // namespace loom::graph
