// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/graph/motion_graph.h>
#include <loom/motion/most_frames.h>

namespace loom::graph {
namespace {

constexpr std::uint32_t kMagic = 0x48504d4c;  ///< "LMPH"
constexpr std::uint32_t kVersion = 1;
constexpr float kFarthest = 1e6f;  ///< metres that a clip may lie off another

void write_clip(ByteWriter& out, const GraphClip& clip) {
  out.string(clip.name);
  out.value<std::uint8_t>(clip.mirrored ? 1 : 0);
  for (const std::uint32_t v : {clip.offset, clip.frames, clip.begin, clip.end, clip.first_node}) out.value(v);
  out.value<std::uint64_t>(clip.labels.size());
  for (const motion::Label& label : clip.labels) {
    out.string(label.name);
    out.value<std::uint64_t>(label.begin);
    out.value<std::uint64_t>(label.end);
  }
}

GraphClip read_clip(ByteReader& in) {
  GraphClip clip;
  clip.name = in.string();
  clip.mirrored = in.value<std::uint8_t>() != 0;
  clip.offset = in.value<std::uint32_t>();
  clip.frames = in.value<std::uint32_t>();
  clip.begin = in.value<std::uint32_t>();
  clip.end = in.value<std::uint32_t>();
  clip.first_node = in.value<std::uint32_t>();
  const auto labels = in.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < labels && in.ok(); ++i) {
    motion::Label label;
    label.name = in.string();
    label.begin = static_cast<std::size_t>(in.value<std::uint64_t>());
    label.end = static_cast<std::size_t>(in.value<std::uint64_t>());
    clip.labels.push_back(std::move(label));
  }
  return clip;
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

/// What a graph promises to those who play it; empty when it holds.
std::string find_fault(const MotionGraph& graph) {
  if (!(graph.rate >= 1 && graph.rate <= 1000)) return "its rate is out of range";
  if (!(graph.threshold >= 0 && std::isfinite(graph.threshold))) return "its threshold is out of range";
  if (!(graph.sigma > 0 && std::isfinite(graph.sigma))) return "its sigma is out of range";
  Node node = 0;
  std::uint64_t frames = 0;
  for (std::size_t c = 0; c < graph.clips.size(); ++c) {
    const GraphClip& clip = graph.clips[c];
    frames += clip.frames;
    if (frames > motion::kMostFramesOfAll || clip.offset > motion::kMostFramesOfAll)
      return "it has more frames than there can be";
    if (clip.begin > clip.end || clip.end > clip.frames) return fmt::format("the range of clip {} is wrong", c);
    if (clip.begin == clip.end) continue;
    if (clip.first_node != node || clip.end - clip.begin > graph.nodes() - node) return "its nodes are not in order";
    for (const std::uint32_t end = node + (clip.end - clip.begin); node < end; ++node) {
      if (graph.clip_of[node] != c) return "its nodes do not match its clips";
    }
  }
  if (node != graph.nodes()) return "its nodes do not match its clips";
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

std::size_t MotionGraph::edges() const {
  std::size_t going_on = 0;
  for (const GraphClip& clip : clips) going_on += clip.end > clip.begin ? clip.end - clip.begin - 1 : 0;
  return going_on + transitions.size();
}

std::vector<Node> MotionGraph::nodes_labelled(const std::string& label) const {
  std::vector<Node> found;
  for (const GraphClip& clip : clips) {
    std::vector<bool> inside(clip.end - clip.begin);
    for (const motion::Label& range : clip.labels) {
      if (range.name != label) continue;
      for (std::size_t f = std::max<std::size_t>(range.begin, clip.begin);
           f < std::min<std::size_t>(range.end, clip.end); ++f) {
        inside[f - clip.begin] = true;
      }
    }
    for (std::uint32_t i = 0; i < inside.size(); ++i) {
      if (inside[i]) found.push_back(clip.first_node + i);
    }
  }
  return found;
}

std::vector<std::string> MotionGraph::labels() const {
  std::set<std::string> names;
  for (const GraphClip& clip : clips) {
    for (const motion::Label& label : clip.labels) {
      if (label.begin < clip.end && label.end > clip.begin) names.insert(label.name);
    }
  }
  return {names.begin(), names.end()};
}

std::size_t MotionGraph::memory() const {
  return clips.size() * sizeof(GraphClip) + (clip_of.size() + first.size()) * sizeof(std::uint32_t) +
         transitions.size() * sizeof(Transition);
}

std::vector<std::byte> to_bytes(const MotionGraph& graph) {
  ByteWriter out;
  out.value(kMagic);
  out.value(kVersion);
  out.value(graph.rate);
  out.value(graph.threshold);
  out.value(graph.sigma);
  out.value<std::uint64_t>(graph.clips.size());
  for (const GraphClip& clip : graph.clips) write_clip(out, clip);
  out.array(std::span(graph.clip_of));
  out.array(std::span(graph.first));
  out.array(std::span(graph.transitions));
  return out.take();
}

Result<MotionGraph> graph_from_bytes(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  if (in.value<std::uint32_t>() != kMagic) return fail("this is not a motion graph");
  if (const auto version = in.value<std::uint32_t>(); version != kVersion) {
    return fail_as(
        version > kVersion ? ErrorKind::kNewer : ErrorKind::kBadInput,
        fmt::format("this motion graph is of version {}, and this program reads version {}", version, kVersion));
  }
  MotionGraph graph;
  graph.rate = in.value<double>();
  graph.threshold = in.value<double>();
  graph.sigma = in.value<double>();
  const auto clips = in.value<std::uint64_t>();
  for (std::uint64_t i = 0; i < clips && in.ok(); ++i) graph.clips.push_back(read_clip(in));
  graph.clip_of = in.array<std::uint32_t>();
  graph.first = in.array<std::uint32_t>();
  graph.transitions = in.array<Transition>();
  if (!in.finished()) return fail("the motion graph is damaged: it ends too soon or too late");
  if (const std::string fault = find_fault(graph); !fault.empty()) {
    return fail("the motion graph is damaged: " + fault);
  }
  return graph;
}

}  // namespace loom::graph
