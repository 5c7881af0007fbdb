// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <loom/base/result.h>
#include <loom/graph/stored_graph.h>
#include <loom/library/library.h>
#include <loom/policy/graph_policy.h>

namespace loom::policy {

inline constexpr const char* kGraphPolicyKind = "graph-policy";

/// Stores the policy for the graph called `graph`, under its name.
Result<void> store_graph_policy(library::Library& library, const std::string& graph, const GraphPolicy& policy,
                                const std::string& parameters);

/// A graph with its policy and its motion.
struct LoadedGraphPolicy {
  graph::StoredGraph stored;
  std::shared_ptr<const GraphPolicy> policy;
};

/// Loads the policy trained for the graph called `name`. Fails when there is none, and when the graph has been built
/// anew since or its clips have changed.
Result<LoadedGraphPolicy> load_graph_policy(const library::Library& library, const std::string& name);

}  // namespace loom::policy
