// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include <loom/graph/build.h>
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

  [[nodiscard]] bool is_cloud() const { return metric == "pointcloud"; }
};

/// The options of which motion a graph is made, and by what frames are compared.
void add_graph_source(Options& options, GraphArguments& arguments);

/// Puts what was given on the command line where the builders look for it. Where it makes no sense an error is told;
/// the result is the exit status then, and kDone otherwise.
int settle(const Command& command, GraphArguments& arguments);

/// A threshold as one reads it: with centimetres beside square metres.
std::string told_threshold(const GraphArguments& arguments, double threshold);

}  // namespace loom::app
