// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <loom/policy/stored_graph_policy.h>

namespace loom::policy {

Result<void> store_graph_policy(library::Library& library, const std::string& graph, const GraphPolicy& policy,
                                const std::string& parameters) {
  const std::vector<std::byte> bytes = to_bytes(policy);
  return library.put_artefact({kGraphPolicyKind, graph, 0, parameters, policy.graph_hash, {}, 0}, bytes);
}

Result<LoadedGraphPolicy> load_graph_policy(const library::Library& library, const std::string& name) {
  auto stored = graph::load_graph(library, name);
  if (!stored) return fail_from(stored);
  const auto artefact = library.get_artefact(kGraphPolicyKind, name);
  if (!artefact) {
    return fail_because(artefact.error(), fmt::format("{}; training on the graph makes one", artefact.error().message),
                        library.path());
  }
  auto policy = graph_policy_from_bytes(artefact->data, *stored->graph, stored->hash);
  if (!policy)
    return fail_because(policy.error(), fmt::format("policy of graph '{}': {}", name, policy.error().message),
                        library.path());
  LoadedGraphPolicy loaded;
  loaded.stored = std::move(*stored);
  loaded.policy = std::make_shared<GraphPolicy>(std::move(*policy));
  return loaded;
}

}  // namespace loom::policy
