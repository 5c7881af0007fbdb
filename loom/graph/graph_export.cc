// SPDX-License-Identifier: MIT
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include <loom/base/file.h>
#include <loom/base/text.h>
#include <loom/graph/graph_export.h>

namespace loom::graph {
namespace {

constexpr Node kBetweenReports = 4096;  ///< nodes written between two words of progress

/// What is told of a vertex.
struct Vertex {
  std::string_view clip;
  std::uint32_t frame = 0;  ///< of the clip in the library
  std::string label;
  bool mirrored = false, recorded = true;
  std::string_view state;
};

/// The labels that a frame of a clip carries, each once.
std::string labels_at(const GraphClip& clip, std::uint32_t frame) {
  std::string joined;
  std::vector<std::string_view> told;
  for (const motion::Label& label : clip.labels) {
    if (frame < label.begin || frame >= label.end) continue;
    if (std::find(told.begin(), told.end(), label.name) != told.end()) continue;
    told.emplace_back(label.name);
    if (!joined.empty()) joined += ';';
    joined += label.name;
  }
  return joined;
}

Vertex vertex_of(const MotionGraph& graph, const VertexStates& states, Node node) {
  const GraphClip& clip = graph.clips[graph.clip_of(node)];
  const std::uint32_t frame = graph.frame_of(node);
  Vertex vertex{clip.name, clip.begin + frame, labels_at(clip, frame), clip.mirrored, !clip.mix.has_value(), {}};
  if (!states.of.empty()) vertex.state = states.names[states.of[node]];
  return vertex;
}

/// Hands every edge to `tell(from, to, cost, distance, kind)`, by the node it leaves.
template <typename Tell>
Result<void> tell_edges(const MotionGraph& graph, Node node, Tell tell) {
  if (graph.goes_on(node)) {
    if (auto told = tell(node, node + 1, 0.0f, 0.0f, "next"); !told) return told;
  }
  for (const Transition& transition : graph.transitions_of(node)) {
    if (auto told = tell(node, transition.to, transition.cost, transition.distance, "transition"); !told) return told;
  }
  return {};
}

/// Calls `tell(node)` for all nodes, reporting progress from `from` to `to`.
template <typename Tell>
Result<void> tell_nodes(const MotionGraph& graph, const Progress& progress, double from, double to, Tell tell) {
  const auto nodes = static_cast<Node>(graph.nodes());
  for (Node node = 0; node < nodes; ++node) {
    if (node % kBetweenReports == 0) {
      const double done = from + (to - from) * static_cast<double>(node) / static_cast<double>(nodes);
      if (!progress.report(done, "writing")) return fail_as(ErrorKind::kStopped, "stopped while writing the graph");
    }
    if (auto told = tell(node); !told) return told;
  }
  return {};
}

/// A field of a CSV file, in quotes where it needs them (RFC 4180).
std::string csv_field(std::string_view text) {
  std::string field = clean_utf8(text);
  if (field.find_first_of(",\"\n\r") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// Text as XML 1.0 may hold it.
std::string xml_text(std::string_view text) {
  std::string clean = clean_utf8(text), escaped;
  for (const char* never : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {  // U+FFFE and U+FFFF, no characters of XML
    for (std::size_t at = 0; (at = clean.find(never, at)) != std::string::npos;) clean.replace(at, 3, "\xEF\xBF\xBD");
  }
  for (const char c : clean) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

constexpr std::string_view kGraphMlHead =
    R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
<key id="rate" for="graph" attr.name="rate" attr.type="double"/>
<key id="threshold" for="graph" attr.name="threshold" attr.type="double"/>
<key id="sigma" for="graph" attr.name="sigma" attr.type="double"/>
<key id="clip" for="node" attr.name="clip" attr.type="string"/>
<key id="frame" for="node" attr.name="frame" attr.type="int"/>
<key id="label" for="node" attr.name="label" attr.type="string"/>
<key id="mirrored" for="node" attr.name="mirrored" attr.type="boolean"/>
<key id="recorded" for="node" attr.name="recorded" attr.type="boolean"/>
)";
constexpr std::string_view kStateKey = "<key id=\"state\" for=\"node\" attr.name=\"state\" attr.type=\"string\"/>\n";
constexpr std::string_view kEdgeKeys =
    R"(<key id="cost" for="edge" attr.name="cost" attr.type="double"/>
<key id="frames" for="edge" attr.name="frames" attr.type="int"/>
<key id="distance" for="edge" attr.name="distance" attr.type="double"/>
<key id="kind" for="edge" attr.name="kind" attr.type="string"/>
)";

}  // namespace

std::string vertices_beside(const std::string& edges_path) {
  constexpr std::string_view kEnd = ".csv";
  const bool ends_so = edges_path.size() > kEnd.size() && lower_case(edges_path).ends_with(kEnd);
  return (ends_so ? edges_path.substr(0, edges_path.size() - kEnd.size()) : edges_path) + ".vertices.csv";
}

Result<ExportedGraph> write_graph_csv(const MotionGraph& graph, const VertexStates& states, const std::string& path,
                                      const Progress& progress) {
  auto vertices = FileWriter::create(vertices_beside(path));
  if (!vertices) return fail_from(vertices);
  auto edges = FileWriter::create(path);
  if (!edges) return fail_from(edges);
  const bool has_states = !states.of.empty();
  ExportedGraph written{graph.nodes(), 0, 0};
  auto done = vertices->write(fmt::format("id,clip,frame,label,mirrored,recorded{}\n", has_states ? ",state" : ""));
  if (!done) return fail_from(done);
  std::string line;
  done = tell_nodes(graph, progress, 0, 0.3, [&](Node node) {
    const Vertex vertex = vertex_of(graph, states, node);
    line.clear();
    fmt::format_to(std::back_inserter(line), "{},{},{},{},{},{}", node, csv_field(vertex.clip), vertex.frame,
                   csv_field(vertex.label), vertex.mirrored, vertex.recorded);
    if (has_states) line += ',' + csv_field(vertex.state);
    line += '\n';
    return vertices->write(line);
  });
  if (!done) return fail_from(done);
  if (done = edges->write("source,target,cost,frames,distance,kind\n"); !done) return fail_from(done);
  done = tell_nodes(graph, progress, 0.3, 1, [&](Node node) {
    return tell_edges(graph, node, [&](Node from, Node to, float cost, float distance, const char* kind) {
      ++written.edges;
      line.clear();
      fmt::format_to(std::back_inserter(line), "{},{},{},1,{},{}\n", from, to, cost, distance, kind);
      return edges->write(line);
    });
  });
  if (!done) return fail_from(done);
  if (done = vertices->finish(); !done) return fail_from(done);
  if (done = edges->finish(); !done) return fail_from(done);
  written.bytes = vertices->bytes() + edges->bytes();
  return written;
}

Result<ExportedGraph> write_graphml(const MotionGraph& graph, const VertexStates& states, const std::string& path,
                                    const Progress& progress) {
  auto file = FileWriter::create(path);
  if (!file) return fail_from(file);
  const bool has_states = !states.of.empty();
  ExportedGraph written{graph.nodes(), 0, 0};
  std::string text(kGraphMlHead);
  if (has_states) text += kStateKey;
  text += kEdgeKeys;
  fmt::format_to(std::back_inserter(text),
                 "<graph id=\"G\" edgedefault=\"directed\">\n<data key=\"rate\">{}</data><data "
                 "key=\"threshold\">{}</data><data key=\"sigma\">{}</data>\n",
                 graph.rate, graph.threshold, graph.sigma);
  auto done = file->write(text);
  if (!done) return fail_from(done);
  done = tell_nodes(graph, progress, 0, 0.3, [&](Node node) {
    const Vertex vertex = vertex_of(graph, states, node);
    text.clear();
    fmt::format_to(std::back_inserter(text),
                   "<node id=\"n{}\"><data key=\"clip\">{}</data><data key=\"frame\">{}</data><data "
                   "key=\"label\">{}</data><data key=\"mirrored\">{}</data><data key=\"recorded\">{}</data>",
                   node, xml_text(vertex.clip), vertex.frame, xml_text(vertex.label), vertex.mirrored, vertex.recorded);
    if (has_states) text += "<data key=\"state\">" + xml_text(vertex.state) + "</data>";
    text += "</node>\n";
    return file->write(text);
  });
  if (!done) return fail_from(done);
  done = tell_nodes(graph, progress, 0.3, 1, [&](Node node) {
    return tell_edges(graph, node, [&](Node from, Node to, float cost, float distance, const char* kind) {
      ++written.edges;
      text.clear();
      fmt::format_to(std::back_inserter(text),
                     "<edge source=\"n{}\" target=\"n{}\"><data key=\"cost\">{}</data><data key=\"frames\">1</data>"
                     "<data key=\"distance\">{}</data><data key=\"kind\">{}</data></edge>\n",
                     from, to, cost, distance, kind);
      return file->write(text);
    });
  });
  if (!done) return fail_from(done);
  if (done = file->write("</graph>\n</graphml>\n"); !done) return fail_from(done);
  if (done = file->finish(); !done) return fail_from(done);
  written.bytes = file->bytes();
  return written;
}

}  // namespace loom::graph
