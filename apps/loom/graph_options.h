// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <nlohmann/json_fwd.hpp>

#include <loom/compare/pair_engine.h>
#include <loom/graph/build.h>
#include <loom/library/library.h>
#include <loom/take/gather.h>

#include "loom/command.h"

namespace loom::app {

/// What a graph is built of and with: options that `graph build` and `graph connect` share.
struct GraphArguments {
  std::string library, name, metric = "pointcloud";
  take::GatherOptions source;
  graph::BuildOptions build;
  double threshold = 0, threshold_cm = 0;
  std::vector<std::string> joint_weights;  ///< JOINT=W
  compare::On on = compare::On::kAuto;
  std::unique_ptr<compare::PairEngine> engine;  ///< that `settle` made of it

  [[nodiscard]] bool is_cloud() const { return metric == "pointcloud"; }
};

/// The options of which motion a graph is made, and by what frames are compared.
void add_graph_source(Options& options, GraphArguments& arguments);

/// Puts what was given on the command line where the builders look for it. Where it makes no sense an error is told;
/// the result is the exit status then, and kDone otherwise.
int settle(const Command& command, GraphArguments& arguments);

/// "on the processor (no graphics card can be used: there is no driver of NVIDIA)", "on the graphics card".
std::string told_on(const graph::Built& built);

/// Tells of a graph that was built, `more` beside it in JSON; returns the exit status.
int show_graph(const Command& command, const GraphArguments& arguments, const library::Library& library,
               const take::Gathered& source, const graph::Built& built, const nlohmann::json& more);

/// A threshold as one reads it: with centimetres beside square metres.
std::string told_threshold(const GraphArguments& arguments, double threshold);

}  // namespace loom::app
