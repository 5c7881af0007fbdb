// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>
#include <loom/graph/prune.h>
#include <loom/graph/stored_graph.h>
#include <loom/library/library.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::graph {

/// Frames around those of a graph that are kept with them, in seconds: half a blend to both sides, and a little.
inline constexpr double kExtractMargin = 0.25;

/// A graph with only the motion it needs.
///
/// Every piece of a recording that the graph uses is a clip of its own, as it is played: at the graph's rate, mirrored
/// where it was, standing on the floor y = 0. Of a piece alone neither floor nor contacts can be found as they were, so
/// the contacts are kept too, in the provenance of each clip. Nodes and transitions are those of the graph, with the
/// same numbers, so that whatever is drawn or learnt on the one is the same on the other.
struct ExtractedGraph {
  MotionGraph graph;
  std::vector<motion::Clip> clips;            ///< one for each recorded clip of the graph, with its labels
  std::vector<motion::Contacts> contacts;     ///< one a clip
  std::vector<take::Stretch> sources;         ///< what each was cut from
  std::vector<SimilarPair> pairs;             ///< those the graph was chosen from that lie within
  std::size_t frames = 0, source_frames = 0;  ///< of all clips, and of those they were cut from
};

/// Cuts `motion`, which belongs to the graph, down to what the graph needs: the frames of its runs with
/// `margin_seconds` around them, and the segments its mixed clips are made of. O(frames).
Result<ExtractedGraph> extract(const MotionGraph& graph, const take::TakeSet& motion,
                               std::span<const SimilarPair> pairs = {}, double margin_seconds = kExtractMargin);

/// Puts an extracted graph and its clips into a library that has no clips of these names, in one transaction.
/// `parameters` are those the graph was built with, as JSON; `source` is what people call the library it came from.
Result<void> store_extracted(library::Library& library, const std::string& name, const ExtractedGraph& extracted,
                             const std::string& parameters, const std::string& source);

/// Whether a graph of these parameters was extracted: its clips are played as they are stored.
bool is_extracted(const std::string& parameters);

/// Reads the recorded clips of an extracted graph with their contacts. Fails where one is gone, has changed since
/// (`input_hash`), or has lost its contacts.
Result<take::TakeSet> read_extracted(const library::Library& library, const MotionGraph& graph,
                                     const std::string& input_hash, const std::string& name);

}  // namespace loom::graph
