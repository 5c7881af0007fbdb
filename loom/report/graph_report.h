// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/measures.h>
#include <loom/graph/motion_graph.h>
#include <loom/graph/prune.h>

namespace loom::report {

/// Everything there is to say about a graph as one self-contained HTML page with pictures: size and connectivity,
/// what other thresholds would give, the time between frames and between behaviors, maneuverability, the transitive
/// closure, and what was lost to pruning and why (Zhao 2009 §4.2). `pairs` are those the graph was chosen from. Fails
/// when `progress` asks to stop.
Result<std::string> report_page(const graph::MotionGraph& graph, std::span<const graph::SimilarPair> pairs,
                                const graph::GraphMeasures& measures, const std::string& title,
                                const Progress& progress = {});

/// A graph to be put beside another.
struct ComparedGraph {
  const graph::MotionGraph& graph;
  std::span<const graph::SimilarPair> pairs;
  const graph::GraphMeasures& measures;
  std::string name;
};

/// Two graphs side by side as one self-contained HTML page: size and component, closures, the times between frames and
/// how long wishes wait as histograms, the times between behaviors (Zhao 2009 figs. 4.6 to 4.8, tables 4.2 to 4.5).
Result<std::string> comparison_page(const ComparedGraph& a, const ComparedGraph& b);

}  // namespace loom::report
