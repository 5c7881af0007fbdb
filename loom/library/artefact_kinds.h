// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace loom::library {

/// A kind of thing that is built and kept in a library: what the library has to know of it without reading its bytes.
struct ArtefactKind {
  std::string_view name;      ///< as in ArtefactInfo::kind
  int version;                ///< the newest layout of its bytes that this program writes and reads
  std::string_view built_of;  ///< the kind of what it is built of; empty: of clips, or of nothing
  bool goes_along;            ///< nothing without what it is built of, whose name it has: removed with that
  std::string_view what;      ///< for people: "a graph"
};

inline constexpr ArtefactKind kArtefactKinds[] = {
    {"graph", 1, "", false, "a graph, with the similar pairs it was chosen from and the policy trained on it"},
    {"graph-pairs", 1, "graph", true, "the similar pairs a graph was chosen from"},
    {"graph-policy", 1, "graph", true, "what training learnt of a graph"},
    {"family", 1, "", false, "a family"},
    {"states", 1, "", false, "the graph of a state machine"},
    {"machine", 1, "", false, "a machine of behaviors, with the motion it was built with"},
    {"machine-motion", 1, "machine", true, "the motion of a machine"},
    {"fragments", 1, "", false, "fragments"},
    {"policy", 1, "fragments", false, "a policy over fragments"},
    {"trace", 1, "", false, "a trace that the studio kept"},
    {"character", 1, "", false, "a character"},
};

/// Null for a kind this program does not know, as a library of a newer one may hold.
constexpr const ArtefactKind* find_artefact_kind(std::string_view name) {
  for (const ArtefactKind& kind : kArtefactKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

}  // namespace loom::library
