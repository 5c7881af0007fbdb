// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/graph/labels.h>
#include <loom/library/listing.h>
#include <loom/motion/label_ranges.h>

namespace loom::graph {
namespace {

/// The labels of a library's clip, as the stretch of it that a graph uses carries them.
std::vector<motion::Label> labels_of(const library::ClipInfo& info, const GraphClip& clip, double rate) {
  auto labels = motion::resample_labels(info.labels, info.frames, info.rate, rate);
  labels = motion::cut_labels(labels, clip.begin, std::size_t{clip.begin} + clip.frames);
  return clip.mirrored ? motion::mirror_labels(labels) : labels;
}

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// A clip of a graph that the library has not, or has damaged.
struct UnknownClip {
  std::string name;
  Error why;
};

/// Gives the clips their labels where the library has them; returns the others.
Result<std::vector<UnknownClip>> look_up_known(const library::Library& library, MotionGraph& graph) {
  const auto listing = library::list_clips(library);  // a damaged clip that the graph does not use is no matter
  if (!listing) return fail_from(listing);
  std::map<std::string, const library::ClipInfo*> known;
  for (const library::ClipInfo& info : listing->clips) known[info.name] = &info;
  std::map<std::string, const Error*> damaged;
  for (const library::DamagedClip& clip : listing->damaged) damaged[clip.name] = &clip.error;
  std::vector<UnknownClip> unknown;
  for (GraphClip& clip : graph.clips) {
    if (const auto broken = damaged.find(clip.name); broken != damaged.end()) {
      unknown.push_back({clip.name, *broken->second});
      continue;
    }
    const auto found = known.find(clip.name);
    if (found == known.end()) {
      unknown.push_back(
          {clip.name,
           {fmt::format("the library has changed since the graph was built: there is no clip '{}'", clip.name),
            library.path(), 0}});
      continue;
    }
    const library::ClipInfo& info = *found->second;
    const std::size_t frames = motion::resampled_frames(info.frames, info.rate, graph.rate);
    if (std::size_t{clip.begin} + clip.frames > frames) {
      return fail(fmt::format("the library has changed since the graph was built: it uses frames {} to {} of '{}', "
                              "which has {}",
                              clip.begin, std::size_t{clip.begin} + clip.frames, clip.name, frames),
                  library.path());
    }
    clip.labels = labels_of(info, clip, graph.rate);
  }
  return unknown;
}

}  // namespace

Result<void> look_up_labels(const library::Library& library, MotionGraph& graph) {
  const auto unknown = look_up_known(library, graph);
  if (!unknown) return fail_from(unknown);
  if (!unknown->empty()) return tl::unexpected(unknown->front().why);
  return {};
}

Result<std::vector<std::string>> look_up_known_labels(const library::Library& library, MotionGraph& graph) {
  const auto unknown = look_up_known(library, graph);
  if (!unknown) return fail_from(unknown);
  std::vector<std::string> names;
  for (const UnknownClip& clip : *unknown) {
    if (std::find(names.begin(), names.end(), clip.name) == names.end()) names.push_back(clip.name);
  }
  return names;
}

std::vector<std::string> lost_labels(const MotionGraph& graph) {
  std::set<std::string> all;
  for (const GraphClip& clip : graph.clips) {
    for (const motion::Label& label : clip.labels) all.insert(label.name);
  }
  const std::vector<std::string> kept = graph.labels();
  std::vector<std::string> lost;
  std::set_difference(all.begin(), all.end(), kept.begin(), kept.end(), std::back_inserter(lost));
  return lost;
}

Error unknown_label(const MotionGraph& graph, const std::string& label) {
  const std::vector<std::string> lost = lost_labels(graph);
  if (std::binary_search(lost.begin(), lost.end(), label)) {
    return {fmt::format("all motion labelled '{}' was lost to pruning, so the graph has none of it (explaining the "
                        "graph tells why); its labels are: {}",
                        label, listed(graph.labels())),
            {},
            0,
            ErrorKind::kNotFound};
  }
  return {fmt::format("no motion in the graph is labelled '{}'; its labels are: {}{}", label, listed(graph.labels()),
                      lost.empty() ? "" : fmt::format(" (lost to pruning: {})", listed(lost))),
          {},
          0,
          ErrorKind::kNotFound};
}

}  // namespace loom::graph
