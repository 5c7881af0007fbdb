// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/base/whole.h>
#include <loom/graph/motion_graph.h>
#include <loom/motion/most_frames.h>

namespace loom::graph {
namespace {

constexpr std::uint32_t kMagic = 0x48504d4c;                   ///< "LMPH"
constexpr std::uint32_t kPlainVersion = 1, kMixedVersion = 3;  // 2 was never written
constexpr std::uint64_t kMostLabelPairs = 100'000'000;         ///< to look for labels that two clips share in
constexpr float kFarthest = 1e6f;                              ///< metres that a clip may lie off another

void write_labels(ByteWriter& out, const std::vector<motion::Label>& labels) {
  out.value<std::uint64_t>(labels.size());
  for (const motion::Label& label : labels) {
    out.string(label.name);
    out.value<std::uint64_t>(label.begin);
    out.value<std::uint64_t>(label.end);
  }
}

std::vector<motion::Label> read_labels(ByteReader& in) {
  std::vector<motion::Label> labels;
  const auto count = in.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    motion::Label label;
    label.name = in.string();
    label.begin = static_cast<std::size_t>(in.value<std::uint64_t>());
    label.end = static_cast<std::size_t>(in.value<std::uint64_t>());
    labels.push_back(std::move(label));
  }
  return labels;
}

/// A run lies in the file together with its clip: a clip of several runs stands there as often.
void write_run(ByteWriter& out, const GraphClip& clip, const Run& run) {
  out.string(clip.name);
  out.value<std::uint8_t>(clip.mirrored ? 1 : 0);
  for (const std::uint32_t v : {clip.begin, clip.frames, run.begin, run.end, run.first_node}) out.value(v);
  write_labels(out, clip.labels);
}

void read_run(ByteReader& in, MotionGraph& graph) {
  GraphClip clip;
  Run run;
  clip.name = in.string();
  clip.mirrored = in.value<std::uint8_t>() != 0;
  clip.begin = in.value<std::uint32_t>();
  clip.frames = in.value<std::uint32_t>();
  run.begin = in.value<std::uint32_t>();
  run.end = in.value<std::uint32_t>();
  run.first_node = in.value<std::uint32_t>();
  clip.labels = read_labels(in);
  const bool further = !graph.runs.empty() && graph.runs.back().end <= run.begin && run.begin < run.end &&
                       static_cast<const take::Stretch&>(graph.clips.back()) == clip &&
                       graph.runs.back().begin < graph.runs.back().end;
  if (!further) graph.clips.push_back(std::move(clip));
  run.clip = static_cast<std::uint32_t>(graph.clips.size() - 1);
  graph.runs.push_back(run);
}

void write_clip(ByteWriter& out, const GraphClip& clip) {
  out.string(clip.name);
  out.value<std::uint8_t>(clip.mirrored ? 1 : 0);
  out.value(clip.begin);
  out.value(clip.frames);
  write_labels(out, clip.labels);
}

GraphClip read_clip(ByteReader& in) {
  GraphClip clip;
  clip.name = in.string();
  clip.mirrored = in.value<std::uint8_t>() != 0;
  clip.begin = in.value<std::uint32_t>();
  clip.frames = in.value<std::uint32_t>();
  clip.labels = read_labels(in);
  return clip;
}

void write_mix(ByteWriter& out, const take::Mix& mix) {
  out.value(mix.a);
  out.value(mix.b);
  out.value(mix.weight);
  out.value(mix.alignment);
  out.array(std::span(mix.knots));
}

take::Mix read_mix(ByteReader& in) {
  take::Mix mix;
  mix.a = in.value<std::uint32_t>();
  mix.b = in.value<std::uint32_t>();
  mix.weight = in.value<float>();
  mix.alignment = in.value<motion::GroundFrame>();
  mix.knots = in.array<take::FrameMatch>();
  return mix;
}

/// Version 3: recorded clips, what lies between them, and runs.
void write_parts(ByteWriter& out, const MotionGraph& graph) {
  const std::uint64_t recorded = graph.recorded_clips();
  out.value<std::uint64_t>(recorded);
  out.value<std::uint64_t>(graph.clips.size() - recorded);
  for (const GraphClip& clip : graph.clips) {
    if (clip.mix) write_mix(out, *clip.mix);
    if (!clip.mix) write_clip(out, clip);
  }
  out.array(std::span(graph.runs));
}

/// Fails with what is wrong where a clip that lies between two others does not.
Result<void> read_parts(ByteReader& in, MotionGraph& graph) {
  const auto recorded = in.value<std::uint64_t>(), mixed = in.value<std::uint64_t>();
  std::uint64_t all_frames = 0, label_pairs = 0;
  std::vector<std::uint32_t> frames;
  for (std::uint64_t i = 0; i < recorded && in.ok(); ++i) {
    graph.clips.push_back(read_clip(in));
    frames.push_back(graph.clips.back().frames);
  }
  for (std::uint64_t i = 0; i < mixed && in.ok(); ++i) {
    GraphClip clip;
    clip.mix = read_mix(in);
    if (!in.ok()) break;
    if (const std::string fault = take::find_fault(*clip.mix, frames); !fault.empty()) return fail(fault);
    clip.name = take::mixed_name(graph.clips[clip.mix->a].title(), graph.clips[clip.mix->b].title(), clip.mix->weight);
    clip.frames = clip.mix->frames();
    all_frames += clip.frames;
    if (all_frames > motion::kMostFramesOfAll) return fail("it has more frames than there can be");
    label_pairs += graph.clips[clip.mix->a].labels.size() * graph.clips[clip.mix->b].labels.size();
    if (label_pairs > kMostLabelPairs) return fail("it has more labels than there can be");
    graph.clips.push_back(std::move(clip));
  }
  graph.runs = in.array<Run>();
  if (in.ok()) label_mixes(graph.clips);
  return {};
}

/// What is wrong with a transition of a graph of so many nodes; empty when nothing is. Searches rely on costs that are
/// not negative: with others they may never end.
std::string find_fault(const Transition& t, std::size_t nodes) {
  const motion::GroundFrame& a = t.alignment;
  if (t.to >= nodes) return "a transition leads nowhere";
  if (!(t.distance >= 0 && std::isfinite(t.distance))) return "the distance of a transition is out of range";
  if (!(t.cost >= 0 && t.cost <= 1)) return "the cost of a transition is out of range";
  if (!(std::abs(a.x) <= kFarthest && std::abs(a.z) <= kFarthest && std::isfinite(a.heading))) {
    return "a transition leads out of the world";
  }
  return {};
}

/// What is wrong with the runs of a graph: they cover its nodes in order. Empty when nothing is.
std::string find_run_fault(const MotionGraph& graph) {
  Node node = 0;
  for (std::size_t r = 0; r < graph.runs.size(); ++r) {
    const Run& run = graph.runs[r];
    if (run.clip >= graph.clips.size()) return "a run has no clip";
    if (r > 0 && std::tie(graph.runs[r - 1].clip, graph.runs[r - 1].end) > std::tie(run.clip, run.begin)) {
      return "its runs are not in order";
    }
    if (run.begin > run.end || run.end > graph.clips[run.clip].frames) {
      return fmt::format("the range of clip {} is wrong", run.clip);
    }
    if (run.begin == run.end) continue;
    if (run.first_node != node || run.frames() > graph.nodes() - node) return "its nodes are not in order";
    for (; node < run.end_node(); ++node) {
      if (graph.run_of[node] != r) return "its nodes do not match its clips";
    }
  }
  return node == graph.nodes() ? std::string{} : "its nodes do not match its clips";
}

/// What a graph promises to those who play it; empty when it holds.
std::string find_fault(const MotionGraph& graph) {
  if (!(graph.rate >= 1 && graph.rate <= 1000)) return "its rate is out of range";
  if (!(graph.threshold >= 0 && std::isfinite(graph.threshold))) return "its threshold is out of range";
  if (!(graph.sigma > 0 && std::isfinite(graph.sigma))) return "its sigma is out of range";
  std::uint64_t frames = 0;
  for (const GraphClip& clip : graph.clips) {
    frames += clip.frames;
    if (frames > motion::kMostFramesOfAll || clip.begin > motion::kMostFramesOfAll)
      return "it has more frames than there can be";
  }
  if (std::string fault = find_run_fault(graph); !fault.empty()) return fault;
  if (graph.first.size() != graph.nodes() + 1 || graph.first.front() != 0 ||
      graph.first.back() != graph.transitions.size() || !std::is_sorted(graph.first.begin(), graph.first.end())) {
    return "its transitions are not in order";
  }
  for (const Transition& t : graph.transitions) {
    if (std::string fault = find_fault(t, graph.nodes()); !fault.empty()) return fault;
  }
  for (Node n = 0; n < graph.nodes(); ++n) {
    if (!graph.goes_on(n) && graph.transitions_of(n).empty()) return "it has a dead end";
  }
  return {};
}

}  // namespace

std::vector<GraphClip> clips_of(const take::TakeSet& motion) {
  std::vector<GraphClip> clips;
  for (std::size_t c = 0; c < motion.stretches.size(); ++c) {
    clips.push_back({motion.stretches[c], motion.clips[c].labels});
  }
  return clips;
}

std::vector<take::Stretch> stretches_of(std::span<const GraphClip> clips) {
  std::vector<take::Stretch> stretches;
  for (const GraphClip& clip : clips) {
    if (!clip.mix) stretches.push_back(clip);
  }
  return stretches;
}

std::vector<take::Mix> mixes_of(std::span<const GraphClip> clips) {
  std::vector<take::Mix> mixes;
  for (const GraphClip& clip : clips) {
    if (clip.mix) mixes.push_back(*clip.mix);
  }
  return mixes;
}

void label_mixes(std::span<GraphClip> clips) {
  for (GraphClip& clip : clips) {
    if (clip.mix) clip.labels = take::mixed_labels(*clip.mix, clips[clip.mix->a].labels, clips[clip.mix->b].labels);
  }
}

std::uint32_t MotionGraph::recorded_clips() const {
  const auto first_mixed = std::find_if(clips.begin(), clips.end(), [](const GraphClip& clip) { return clip.mix; });
  return static_cast<std::uint32_t>(first_mixed - clips.begin());
}

Node MotionGraph::recorded_nodes() const {
  const std::uint32_t recorded = recorded_clips();
  Node nodes = 0;
  for (const Run& run : runs) nodes += run.clip < recorded ? run.frames() : 0;
  return nodes;
}

std::span<const Run> MotionGraph::runs_of(std::uint32_t clip) const {
  const auto of_clip = std::equal_range(runs.begin(), runs.end(), Run{clip, 0, 0, 0},
                                        [](const Run& a, const Run& b) { return a.clip < b.clip; });
  return {std::to_address(of_clip.first), std::to_address(of_clip.second)};
}

std::optional<Node> MotionGraph::node_at(std::uint32_t clip, std::uint32_t frame) const {
  const std::span<const Run> all = runs_of(clip);
  const auto after =
      std::upper_bound(all.begin(), all.end(), frame, [](std::uint32_t at, const Run& run) { return at < run.begin; });
  if (after == all.begin() || !std::prev(after)->holds(frame)) return std::nullopt;
  return std::prev(after)->node_at(frame);
}

void MotionGraph::add_run(std::uint32_t clip, std::uint32_t begin, std::uint32_t end) {
  const Run run{clip, begin, end, static_cast<Node>(nodes())};
  run_of.insert(run_of.end(), run.frames(), static_cast<std::uint32_t>(runs.size()));
  runs.push_back(run);
}

std::size_t MotionGraph::edges() const {
  std::size_t going_on = 0;
  for (const Run& run : runs) going_on += run.frames() > 0 ? run.frames() - 1 : 0;
  return going_on + transitions.size();
}

std::vector<Node> MotionGraph::nodes_labelled(const std::string& label) const {
  std::vector<Node> found;
  for (const Run& run : runs) {
    std::vector<bool> inside(run.frames());
    for (const motion::Label& range : clips[run.clip].labels) {
      if (range.name != label) continue;
      for (std::size_t f = std::max<std::size_t>(range.begin, run.begin); f < std::min<std::size_t>(range.end, run.end);
           ++f) {
        inside[f - run.begin] = true;
      }
    }
    for (std::uint32_t i = 0; i < inside.size(); ++i) {
      if (inside[i]) found.push_back(run.first_node + i);
    }
  }
  return found;
}

std::vector<std::string> MotionGraph::labels() const {
  std::set<std::string> names;
  for (const Run& run : runs) {
    for (const motion::Label& label : clips[run.clip].labels) {
      if (label.begin < run.end && label.end > run.begin) names.insert(label.name);
    }
  }
  return {names.begin(), names.end()};
}

std::size_t MotionGraph::memory() const {
  return clips.size() * sizeof(GraphClip) + runs.size() * sizeof(Run) +
         (run_of.size() + first.size()) * sizeof(std::uint32_t) + transitions.size() * sizeof(Transition);
}

std::vector<std::byte> to_bytes(const MotionGraph& graph) {
  ByteWriter out;
  out.value(kMagic);
  const bool plain = graph.recorded_clips() == graph.clips.size();
  out.value(plain ? kPlainVersion : kMixedVersion);
  out.value(graph.rate);
  out.value(graph.threshold);
  out.value(graph.sigma);
  if (plain) {
    out.value<std::uint64_t>(graph.runs.size());
    for (const Run& run : graph.runs) write_run(out, graph.clips[run.clip], run);
  } else {
    write_parts(out, graph);
  }
  out.array(std::span(graph.run_of));
  out.array(std::span(graph.first));
  out.array(std::span(graph.transitions));
  return out.take();
}

Result<MotionGraph> graph_from_bytes(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  if (in.value<std::uint32_t>() != kMagic) return fail("this is not a motion graph");
  const auto version = in.value<std::uint32_t>();
  if (version != kPlainVersion && version != kMixedVersion) {
    return fail_as(version > kMixedVersion ? ErrorKind::kNewer : ErrorKind::kBadInput,
                   fmt::format("this motion graph is of version {}, and this program reads versions {} and {}", version,
                               kPlainVersion, kMixedVersion));
  }
  MotionGraph graph;
  graph.rate = in.value<double>();
  graph.threshold = in.value<double>();
  graph.sigma = in.value<double>();
  if (version == kPlainVersion) {
    const auto runs = in.value<std::uint64_t>();
    for (std::uint64_t i = 0; i < runs && in.ok(); ++i) read_run(in, graph);
  } else if (const auto parts = read_parts(in, graph); !parts) {
    return fail("the motion graph is damaged: " + parts.error().message);
  }
  graph.run_of = in.array<std::uint32_t>();
  graph.first = in.array<std::uint32_t>();
  graph.transitions = in.array<Transition>();
  if (!in.finished()) return fail("the motion graph is damaged: it ends too soon or too late");
  if (const std::string fault = find_fault(graph); !fault.empty()) {
    return fail("the motion graph is damaged: " + fault);
  }
  return graph;
}

}  // namespace loom::graph
