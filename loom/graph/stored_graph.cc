// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <loom/base/hash.h>
#include <loom/graph/connect/hold_feet.h>
#include <loom/graph/extract.h>
#include <loom/graph/stored_graph.h>
#include <loom/graph/stored_labels.h>
#include <loom/take/gather.h>

namespace loom::graph {
namespace {

/// Reads the recorded clips of a graph as they were when it was built.
Result<take::TakeSet> read_gathered(const library::Library& library, const MotionGraph& graph,
                                    const std::string& input_hash, const std::string& name) {
  take::AgainOptions again;
  again.input_hash = input_hash;
  again.made = fmt::format("the graph '{}' was built", name);
  again.remedy = "build it again";
  again.smaller = "build a graph of fewer clips";
  auto gathered = take::gather_again(library, stretches_of(graph.clips), graph.rate, again);
  if (!gathered) return fail_from(gathered);
  return std::move(gathered->motion);
}

}  // namespace

Result<StoredGraph> load_graph(const library::Library& library, const std::string& name) {
  const auto artefact = library.get_artefact(kGraphKind, name);
  if (!artefact) return fail_from(artefact);
  auto graph = graph_from_bytes(artefact->data);
  if (!graph) {
    return fail_because(graph.error().or_kind(ErrorKind::kDamaged),
                        fmt::format("graph '{}': {}", name, graph.error().message), library.path());
  }
  take::TakeSet motion;
  if (is_extracted(artefact->info.parameters)) {
    auto read = read_extracted(library, *graph, artefact->info.input_hash, name);
    if (!read) return fail_from(read);
    motion = std::move(*read);
  } else {
    auto read = read_gathered(library, *graph, artefact->info.input_hash, name);
    if (!read) return fail_from(read);
    motion = std::move(*read);
    if (has_held_feet(artefact->info.parameters)) {
      if (const auto held = hold_feet(motion); !held) return fail_from(held);
    }
  }
  if (const auto labelled = look_up_labels(library, *graph); !labelled) return fail_from(labelled);
  const auto mixed = take::append_mixes(motion, mixes_of(graph->clips));
  if (!mixed) return fail_from(mixed);
  return StoredGraph{std::make_shared<MotionGraph>(std::move(*graph)),
                     std::make_shared<take::TakeSet>(std::move(motion)), artefact->info.parameters,
                     content_hash(artefact->data)};
}

}  // namespace loom::graph
