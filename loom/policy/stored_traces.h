// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/library/library.h>
#include <loom/policy/trace.h>

namespace loom::policy {

/// Artefacts of a library that are traces: what somebody played, kept to train and judge policies with.
inline constexpr const char* kTraceKind = "trace";

/// Keeps a trace under `name`, in place of one of that name.
Result<void> store_trace(library::Library& library, const std::string& name, const Trace& trace);

/// The trace kept under `name`. Fails when there is none, naming those there are.
Result<Trace> load_trace(const library::Library& library, const std::string& name);

/// The trace in the file `name`, or where there is no such file the one kept under that name.
Result<Trace> find_trace(const library::Library& library, const std::string& name);

/// A kept trace without its signals.
struct StoredTrace {
  std::string name, created;
  double seconds = 0;
  bool simulated = false;
};

/// All kept traces, by name.
Result<std::vector<StoredTrace>> stored_traces(const library::Library& library);

}  // namespace loom::policy
