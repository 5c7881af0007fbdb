// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/library/library.h>
#include <loom/policy/simulated_player.h>
#include <loom/policy/trace.h>

#include "loom/command.h"

namespace loom::app {

inline constexpr const char* kFragmentsAbout = "fragment policies: a character that answers the stick at once";

/// The two words every command on fragments takes: the library and the name of the fragments.
void add_fragments_options(Options& options, std::string& library, std::string& fragments);

/// Which traces a command works on: files or traces of the library, or simulated players where none is given.
struct TraceChoice {
  std::vector<std::string> files;
  policy::SimulationOptions simulation;
};

/// Adds --traces, and --player and --seed for simulated ones.
void add_trace_options(Options& options, TraceChoice& choice);

/// Reads or simulates the traces, with the flags of the control space.
Result<std::vector<policy::Trace>> load_traces(const TraceChoice& choice, const library::Library& library,
                                               const std::vector<std::string>& flags);

}  // namespace loom::app
