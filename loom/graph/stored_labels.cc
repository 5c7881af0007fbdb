// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <loom/graph/stored_labels.h>
#include <loom/library/listing.h>
#include <loom/motion/label_ranges.h>
#include <loom/motion/told_feet.h>

namespace loom::graph {
namespace {

/// The labels of a library's clip, as the stretch of it that a graph uses carries them.
std::vector<motion::Label> labels_of(const library::ClipInfo& info, const GraphClip& clip, double rate) {
  auto labels = motion::resample_labels(info.labels, info.frames, info.rate, rate);
  labels = motion::cut_labels(labels, clip.begin, std::size_t{clip.begin} + clip.frames);
  motion::drop_told_feet(labels);
  return clip.mirrored ? motion::mirror_labels(labels) : labels;
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
    if (clip.mix) continue;
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
  label_mixes(graph.clips);
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

}  // namespace loom::graph
