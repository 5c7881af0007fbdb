// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <loom/base/whole.h>
#include <loom/motion/carried_labels.h>

namespace loom::motion {
namespace {

/// A stretch of the made motion that carries a label, and of how many frames of the label in its source the longest
/// stay in it was.
struct Carried {
  Label label;
  const Label* source = nullptr;  ///< that the last frame is of
  std::size_t in_source = 0;      ///< frames of it so far
  bool whole = false;             ///< all frames of a label of a source are in it
};

}  // namespace

std::vector<Label> carried_labels(const Recording& recording, const LabelsOfSource& labels_of) {
  const auto shortest = to_whole<std::size_t>(std::ceil(kShortestCarried * recording.clip.rate));
  std::map<std::string_view, std::vector<Carried>> found;
  for (std::size_t f = 0; f < recording.sources.size(); ++f) {
    const SourceFrame& at = recording.sources[f];
    for (const Label& label : labels_of(at.clip)) {
      if (at.frame < label.begin || at.frame >= label.end) continue;
      std::vector<Carried>& stretches = found[label.name];
      if (stretches.empty() || stretches.back().label.end < f) {
        stretches.push_back({{label.name, f, f}, nullptr, 0, false});
      }
      Carried& last = stretches.back();
      if (last.label.end == f + 1) continue;  // two labels of one name at one moment
      last.label.end = f + 1;
      if (last.source != &label) last.in_source = 0;
      last.source = &label;
      last.whole |= ++last.in_source == label.end - label.begin;
    }
  }
  std::vector<Label> labels;
  for (const auto& [name, stretches] : found) {
    for (const Carried& stretch : stretches) {
      if (stretch.whole || stretch.label.end - stretch.label.begin >= shortest) labels.push_back(stretch.label);
    }
  }
  return labels;
}

}  // namespace loom::motion
