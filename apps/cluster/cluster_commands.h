// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cluster/crew.h"
#include "cluster/parts_work.h"
#include "loom/command.h"

namespace loom::cluster {

// One function a subcommand, each in the file of its name.
void add_fragments_train(app::Commands& commands, Crew& crew);
void add_graph_build(app::Commands& commands, Crew& crew);

/// What a run of several ranks took, for the JSON of its result.
nlohmann::json cluster_json(const Crew& crew, const PartsReport& report);

/// Where the parts of a run are kept where nobody says otherwise.
std::string usual_checkpoint(const std::string& library, const std::string& name);

/// Tells that a run failed and what is left of it; returns the exit status.
int report_failure(const Error& error, const std::string& checkpoint);

}  // namespace loom::cluster
