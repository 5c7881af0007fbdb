// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/compare/cuda/cuda_back_end.h>
#include <loom/library/library.h>
#include <loom/project/build.h>

#include "loom/command.h"
#include "loom/fragments_commands.h"

namespace loom::app {

/// What a policy over fragments is trained with: `loom fragments train`, and the same on a cluster.
struct TrainArguments {
  std::string library, name, controller = "model";
  TraceChoice traces;
  project::PolicyOptions policy;
  compare::On on = compare::On::kAuto;
};

void add_train_options(Options& options, const std::shared_ptr<TrainArguments>& arguments);

/// Reads the traces, trains and stores.
Result<project::TrainedPolicy> train(library::Library& library, TrainArguments& arguments, const Progress& progress);

/// Tells of it, `more` beside it in JSON; returns the exit status.
int show_trained(const Command& command, const TrainArguments& arguments, const library::Library& library,
                 const project::TrainedPolicy& trained, double seconds, const nlohmann::json& more);

}  // namespace loom::app
