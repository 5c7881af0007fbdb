// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <loom/base/number.h>
#include <loom/base/whole.h>
#include <loom/graph/components.h>
#include <loom/graph/labels.h>
#include <loom/graph/select/requirement.h>

namespace loom::graph {
namespace {

/// Frames of a graph's clip, [begin, end), that a user named.
struct RequirementPart {
  std::uint32_t clip = 0, begin = 0, end = 0;
};

/// The smallest threshold among the pairs' distances at which the largest component is as wanted: `holds(component)` is
/// asked with whether each recorded frame is in it.
template <typename Holds>
std::optional<double> threshold_for(const MotionGraph& graph, std::span<const SimilarPair> pairs, const Holds& holds) {
  const FrameNumbers numbers({graph.clips.data(), graph.recorded_clips()});
  std::vector<double> thresholds;
  for (const SimilarPair& pair : pairs) {
    if (pair.distance > graph.threshold) thresholds.push_back(pair.distance);
  }
  std::sort(thresholds.begin(), thresholds.end());
  thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
  const auto does = [&](double threshold) {
    const FrameGraph frames = frame_graph(numbers, pairs, threshold);
    const Components components = find_components(frames.view());
    return holds([&](std::uint32_t clip, std::uint32_t frame) {
      return components.of[numbers.first(clip) + frame] == components.largest;
    });
  };
  const auto found = std::partition_point(thresholds.begin(), thresholds.end(), [&](double t) { return !does(t); });
  if (found == thresholds.end()) return {};
  return *found;
}

/// The smallest threshold at which all of a part is in the graph.
std::optional<double> keeps_at(const MotionGraph& graph, std::span<const SimilarPair> pairs,
                               const RequirementPart& part) {
  return threshold_for(graph, pairs, [&](const auto& inside) {
    for (std::uint32_t f = part.begin; f < part.end; ++f) {
      if (!inside(part.clip, f)) return false;
    }
    return true;
  });
}

/// The smallest threshold at which something labelled so is in the graph.
std::optional<double> has_label_at(const MotionGraph& graph, std::span<const SimilarPair> pairs,
                                   const std::string& name) {
  return threshold_for(graph, pairs, [&](const auto& inside) {
    for (std::uint32_t c = 0; c < graph.recorded_clips(); ++c) {
      for (const motion::Label& label : graph.clips[c].labels) {
        if (label.name != name) continue;
        for (std::size_t f = label.begin; f < label.end; ++f) {
          if (inside(c, static_cast<std::uint32_t>(f))) return true;
        }
      }
    }
    return false;
  });
}

Error lost(const MotionGraph& graph, std::span<const SimilarPair> pairs, const std::string& text,
           const RequirementPart& part) {
  std::string message =
      fmt::format("'{}' is not in the graph: it was lost to pruning at a threshold of {:.4g}", text, graph.threshold);
  const bool recorded = part.clip < graph.recorded_clips();
  if (const auto threshold = recorded ? keeps_at(graph, pairs, part) : std::nullopt) {
    message += fmt::format("; a graph built with a threshold of {:.4g} would have all of it", *threshold);
  } else {
    message += "; no threshold known would keep all of it";
  }
  return {message, {}, 0, ErrorKind::kNotFound};
}

/// A label that no node carries: nobody's, or lost to pruning, and then what threshold would keep some of it.
Error no_such_label(const MotionGraph& graph, std::span<const SimilarPair> pairs, const std::string& label) {
  Error error = unknown_label(graph, label);
  const std::vector<std::string> all_lost = lost_labels(graph);
  if (!std::binary_search(all_lost.begin(), all_lost.end(), label)) return error;
  const auto threshold = has_label_at(graph, pairs, label);
  error.message +=
      threshold ? fmt::format("; a graph built with a threshold of {:.4g} would have some of it (this one has {:.4g})",
                              *threshold, graph.threshold)
                : std::string("; no threshold known would keep any of it");
  return error;
}

/// The nodes of a part of a clip, a key motion for each run.
std::vector<KeyMotion> motions_in(const MotionGraph& graph, const RequirementPart& part, const std::string& what) {
  std::vector<KeyMotion> motions;
  for (const Run& run : graph.runs_of(part.clip)) {
    const std::uint32_t begin = std::max(run.begin, part.begin), end = std::min(run.end, part.end);
    if (begin < end) motions.push_back({what, run.node_at(begin), run.node_at(begin) + (end - begin)});
  }
  return motions;
}

/// Parts of the graph's clips that frames [from, to) of a clip of the library, or all of it, are. Frames count at the
/// graph's rate; recorded motion only.
std::vector<RequirementPart> parts_named(const MotionGraph& graph, const std::string& name, double from, double to) {
  std::vector<RequirementPart> parts;
  for (std::uint32_t c = 0; c < graph.recorded_clips(); ++c) {
    const GraphClip& clip = graph.clips[c];
    if (clip.title() != name) continue;
    const double begin = std::max(from, static_cast<double>(clip.begin)),
                 end = std::min(to, static_cast<double>(clip.end()));
    if (begin < end) {
      parts.push_back({c, to_whole<std::uint32_t>(begin) - clip.begin, to_whole<std::uint32_t>(end) - clip.begin});
    }
  }
  return parts;
}

/// "20-60" as [20, 61).
std::optional<std::pair<double, double>> read_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return {};
  const auto from = to_number(text.substr(0, dash)), to = to_number(text.substr(dash + 1));
  if (!from || !to || *from < 0 || *to < *from || *from != std::floor(*from) || *to != std::floor(*to)) return {};
  return std::pair{*from, *to + 1};
}

Result<void> add_parts(const MotionGraph& graph, std::span<const SimilarPair> pairs, const std::string& text,
                       const std::vector<RequirementPart>& parts, ReadKeys& keys) {
  std::size_t asked = 0, there = 0;
  for (const RequirementPart& part : parts) {
    asked += part.end - part.begin;
    for (KeyMotion& motion : motions_in(graph, part, text)) {
      there += motion.frames();
      keys.keys.push_back(std::move(motion));
    }
  }
  if (there == 0) return tl::unexpected(lost(graph, pairs, text, parts.front()));
  if (there < asked) {
    keys.notes.push_back(
        fmt::format("of '{}' the graph has {} of {} frames; the rest was lost to pruning", text, there, asked));
  }
  return {};
}

/// Stretches of nodes that carry a label and follow each other.
std::vector<KeyMotion> labelled(const MotionGraph& graph, const std::string& label, const std::string& what) {
  std::vector<KeyMotion> motions;
  for (const Node node : graph.nodes_labelled(label)) {
    if (node >= graph.recorded_nodes()) break;
    const bool goes_on = !motions.empty() && motions.back().end == node && graph.goes_on(node - 1);
    if (!goes_on) motions.push_back({what, node, node});
    motions.back().end = node + 1;
  }
  return motions;
}

/// How typical of a label each node that carries it is: the share of its transitions, in and out, that stay among such
/// nodes. Where a clip is labelled as a whole, standing before and after leads to all kinds of motion, a jump to jumps.
std::vector<float> typical(const MotionGraph& graph, const std::string& label) {
  std::vector<char> carries(graph.nodes(), 0);
  for (const Node node : graph.nodes_labelled(label)) carries[node] = 1;
  std::vector<float> same(graph.nodes(), 0), all(graph.nodes(), 1);
  for (Node n = 0; n < graph.nodes(); ++n) {
    for (const Transition& transition : graph.transitions_of(n)) {
      const bool both = carries[n] != 0 && carries[transition.to] != 0;
      for (const Node node : {n, transition.to}) {
        all[node] += 1;
        same[node] += both ? 1.0f : 0.0f;
      }
    }
  }
  for (Node n = 0; n < graph.nodes(); ++n) same[n] /= all[n];
  return same;
}

/// The most typical part of a stretch, `most` frames long at most, and how typical it is.
std::pair<KeyMotion, double> best_part(const KeyMotion& motion, const std::vector<float>& scores, Node most) {
  const Node frames = std::min(most, motion.frames());
  const auto score = [&](Node n) { return static_cast<double>(scores[n]); };
  double sum = 0;
  for (Node n = motion.begin; n < motion.begin + frames; ++n) sum += score(n);
  double best = sum;
  Node begin = motion.begin;
  for (Node n = motion.begin + frames; n < motion.end; ++n) {
    sum += score(n) - score(n - frames);
    if (sum <= best) continue;
    best = sum;
    begin = n + 1 - frames;
  }
  return {{motion.what, begin, begin + frames}, best};
}

/// The most typical stretches of a label, of different clips as long as there are some.
void add_best(const MotionGraph& graph, const std::string& label, const std::vector<KeyMotion>& stretches,
              std::size_t count, ReadKeys& keys) {
  const std::vector<float> scores = typical(graph, label);
  const Node most = std::max<Node>(2, to_whole<Node>(std::round(kKeySeconds * graph.rate)));
  std::vector<std::pair<KeyMotion, double>> parts;
  for (const KeyMotion& stretch : stretches) parts.push_back(best_part(stretch, scores, most));
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::set<std::string> used;
  for (const bool fresh_clips : {true, false}) {
    for (auto& part : parts) {
      KeyMotion& motion = part.first;
      if (count == 0) return;
      if (motion.frames() == 0) continue;
      const std::string name = graph.clips[graph.clip_of(motion.begin)].name;
      if (fresh_clips && !used.insert(name).second) continue;
      keys.keys.push_back(motion);
      motion.end = motion.begin;
      --count;
    }
  }
}

Result<void> add_label(const MotionGraph& graph, std::span<const SimilarPair> pairs, const std::string& text,
                       const std::string& label, double count, ReadKeys& keys) {
  const std::vector<KeyMotion> stretches = labelled(graph, label, text);
  if (stretches.empty()) return tl::unexpected(no_such_label(graph, pairs, label));
  if (std::isinf(count)) {
    keys.keys.insert(keys.keys.end(), stretches.begin(), stretches.end());
  } else {
    add_best(graph, label, stretches, to_whole<std::size_t>(count), keys);
  }
  return {};
}

Result<void> add_key(const MotionGraph& graph, std::span<const SimilarPair> pairs, const std::string& text,
                     ReadKeys& keys) {
  constexpr double kAll = std::numeric_limits<double>::infinity();
  if (const auto parts = parts_named(graph, text, 0, kAll); !parts.empty()) {
    return add_parts(graph, pairs, text, parts, keys);
  }
  if (!graph.nodes_labelled(text).empty()) return add_label(graph, pairs, text, text, 1, keys);
  if (const std::size_t colon = text.rfind(':'); colon != std::string::npos) {
    const std::string name = text.substr(0, colon);
    const auto range = read_range(std::string_view(text).substr(colon + 1));
    const auto all = parts_named(graph, name, 0, kAll);
    if (range && !all.empty()) {
      const auto parts = parts_named(graph, name, range->first, range->second);
      if (!parts.empty()) return add_parts(graph, pairs, text, parts, keys);
      const GraphClip &first = graph.clips[all.front().clip], &last = graph.clips[all.back().clip];
      return fail_as(ErrorKind::kNotFound,
                     fmt::format("'{}' names frames that the graph was not built of; of '{}' those "
                                 "are frames {} to {}",
                                 text, name, first.begin, last.end() - 1));
    }
    if (!all.empty()) {
      return fail_as(ErrorKind::kBadInput,
                     fmt::format("'{}' is not CLIP:FROM-TO with two frames, the first no later than "
                                 "the second",
                                 text));
    }
  }
  if (const std::size_t star = text.rfind('*'); star != std::string::npos) {
    const std::string label = text.substr(0, star), count = text.substr(star + 1);
    const auto number = count == "all" ? std::optional(kAll) : to_number(count);
    if (number && *number >= 1 && (std::isinf(*number) || *number == std::floor(*number))) {
      return add_label(graph, pairs, text, label, *number, keys);
    }
  }
  Error error = no_such_label(graph, pairs, text);
  error.message = fmt::format("'{}' is no clip, CLIP:FROM-TO, LABEL, LABEL*COUNT or LABEL*all of this graph: {}", text,
                              error.message);
  return tl::unexpected(std::move(error));
}

}  // namespace

Result<ReadKeys> read_keys(const MotionGraph& graph, std::span<const SimilarPair> pairs,
                           std::span<const std::string> texts) {
  ReadKeys keys;
  for (const std::string& text : texts) {
    if (const auto added = add_key(graph, pairs, text, keys); !added) return fail_from(added);
  }
  return keys;
}

Result<RequirementBetween> read_between(const std::string& text) {
  const auto wrong = [&] {
    return fail_as(
        ErrorKind::kBadInput,
        fmt::format("'{}' is not FROM,TO=FRAMES, FROM,TO=quickest, FROM,TO=end:FRAMES or FROM,TO=smooth:COST", text));
  };
  const std::size_t comma = text.find(','), equals = text.rfind('=');
  if (comma == std::string::npos || equals == std::string::npos || equals < comma) return wrong();
  RequirementBetween between{text.substr(0, comma), text.substr(comma + 1, equals - comma - 1), {}};
  std::string_view asked = std::string_view(text).substr(equals + 1);
  if (asked == "quickest") {
    between.requirement.need = Need::kQuickest;
    return between;
  }
  for (const auto& [word, need] :
       {std::pair<std::string_view, Need>{"end:", Need::kMotionEnd}, {"smooth:", Need::kSmooth}}) {
    if (!asked.starts_with(word)) continue;
    between.requirement.need = need;
    asked.remove_prefix(word.size());
  }
  const auto within = to_number(asked);
  if (!within || !(*within > 0)) return wrong();
  between.requirement.within = *within;
  return between;
}

}  // namespace loom::graph
