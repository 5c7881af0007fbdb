// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>
#include <loom/graph/select/judge.h>
#include <loom/graph/select/requirement.h>
#include <loom/graph/select/select.h>
#include <loom/library/library.h>

namespace loom::project {

/// What a graph is selected from, and for what.
struct SelectSettings {
  std::string graph;              ///< the whole graph's name in the library
  std::vector<std::string> keys;  ///< as `graph::read_keys` reads them
  graph::Requirement usual;
  std::vector<graph::RequirementBetween> between;
  bool strict = false;
  /// A graph selected before from the same: its frames are kept, its key motions are asked for as well, and what it was
  /// asked for holds where nothing else is said.
  std::string add_to;
  /// Stretches picked by hand (Zhao 2009 §5.5), as `graph::read_keys` reads them: kept as well, at no cost, where they
  /// lead from key motions to key motions. Nothing is asked of the ways to them.
  std::vector<std::string> picked;
  graph::SelectOptions options;
};

/// A graph that was selected, and how good it is.
struct SelectedGraph {
  graph::MotionGraph graph;
  graph::ReadKeys keys;
  std::size_t left_out = 0;  ///< frames of those picked by hand that are dead ends
  graph::Selection selection;
  graph::Judgement judgement;
  std::size_t whole_nodes = 0, whole_edges = 0;
};

/// Selects a graph and keeps it under `name`: it can be used as any other. One transaction; stopped or failed, the
/// library is as it was.
Result<SelectedGraph> select_graph(library::Library& library, const std::string& name, const SelectSettings& settings,
                                   const Progress& progress = {});

/// The settings a graph in a library was selected with; fails where it was not selected.
Result<SelectSettings> select_settings_of(const library::Library& library, const std::string& name);

/// The nodes of `whole` that the nodes of a part of it are, by clip and frame; fails where it has others.
Result<std::vector<graph::Node>> nodes_in_whole(const graph::MotionGraph& part, const graph::MotionGraph& whole);

}  // namespace loom::project
