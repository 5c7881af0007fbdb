// SPDX-License-Identifier: MIT
// Libraries, labels, what is built in them, and graphs as arrays.
#include <cstring>

#include <loom/blend/family/family_build.h>
#include <loom/blend/family/motion_maker.h>
#include <loom/blend/family/stored_family.h>
#include <loom/compare/frame_set.h>
#include <loom/compare/point_cloud.h>
#include <loom/graph/build.h>
#include <loom/graph/prune.h>
#include <loom/graph/stored_graph.h>
#include <loom/graph/walk.h>
#include <loom/library/import.h>
#include <loom/library/library.h>
#include <loom/library/motion_files.h>
#include <loom/play/segment_player.h>
#include <loom/polish/plant_feet.h>
#include <loom/project/build.h>
#include <loom/take/gather.h>
#include <loom/world/world.h>

#include "binding.h"

namespace loom::python {
namespace {

using library::Library;
using motion::Clip;
using ClipPointer = std::shared_ptr<Clip>;

ClipPointer keep_clip(Clip clip) { return std::make_shared<Clip>(std::move(clip)); }

/// Motion of a library, ready to be used.
struct Motion {
  std::shared_ptr<const take::Gathered> gathered;
};

template <typename T>
py::array_t<T> array_of(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

take::GatherOptions gather_options(const std::vector<std::string>& labels, double rate, bool mirror) {
  take::GatherOptions options;
  options.labels = labels;
  options.rate = rate;
  options.mirror = mirror;
  return options;
}

graph::BuildOptions build_options(const std::string& metric, std::optional<double> threshold, double connect) {
  if (metric != "pointcloud" && metric != "joints") {
    throw py::value_error("a metric is 'pointcloud' or 'joints', not '" + metric + "'");
  }
  graph::BuildOptions options;
  options.comparison = metric == "pointcloud" ? compare::MetricKind::kPointCloud : compare::MetricKind::kJointAngles;
  options.threshold = threshold;
  options.connect = connect;
  return options;
}

Graph load(const Library& library, const std::string& name) {
  auto stored = [&] {
    const py::gil_scoped_release released;
    return graph::load_graph(library, name);
  }();
  const graph::StoredGraph loaded = value_of(std::move(stored));
  return {loaded.graph, loaded.motion};
}

py::dict edges_of(const graph::MotionGraph& graph) {
  std::vector<std::uint32_t> from, to;
  std::vector<float> cost, distance;
  std::vector<std::uint8_t> recorded;
  for (graph::Node node = 0; node < graph.nodes(); ++node) {
    if (graph.goes_on(node)) {
      from.push_back(node);
      to.push_back(node + 1);
      cost.push_back(0);
      distance.push_back(0);
      recorded.push_back(1);
    }
    for (const graph::Transition& t : graph.transitions_of(node)) {
      from.push_back(node);
      to.push_back(t.to);
      cost.push_back(t.cost);
      distance.push_back(t.distance);
      recorded.push_back(0);
    }
  }
  py::dict edges;
  edges["from"] = array_of(from);
  edges["to"] = array_of(to);
  edges["cost"] = array_of(cost);
  edges["distance"] = array_of(distance);
  edges["recorded"] = array_of(recorded).attr("astype")("bool");
  return edges;
}

py::dict nodes_of(const graph::MotionGraph& graph) {
  std::vector<std::uint32_t> clip, frame;
  for (graph::Node node = 0; node < graph.nodes(); ++node) {
    clip.push_back(graph.clip_of(node));
    frame.push_back(graph.frame_of(node));
  }
  py::dict nodes;
  nodes["clip"] = array_of(clip);
  nodes["frame"] = array_of(frame);
  return nodes;
}

/// Ten seconds of walking, or so, with feet planted.
ClipPointer walk(const Graph& self, double seconds, std::uint64_t seed, const std::vector<std::string>& wanted,
                 const py::object& progress) {
  if (!(seconds > 0 && seconds <= 86400)) throw py::value_error("seconds must be above 0 and at most 86400");
  graph::WalkOptions options;
  options.seed = seed;
  options.wanted = wanted;
  return keep_clip(at_length(progress, nullptr, [&](const Progress& report) -> Result<Clip> {
    auto feed = graph::Walk::create(self.graph, *self.motion, options);
    if (!feed) return fail_from(feed);
    play::SegmentPlayer player(self.motion, std::move(*feed));
    auto recorded = motion::record(player, seconds, {}, report);
    if (!recorded) return fail_from(recorded);
    auto planted = polish::plant_feet(recorded->clip, recorded->contacts);
    if (!planted) return fail_from(planted);
    planted->name = "walk";
    return planted;
  }));
}

/// Motion as it is made, pose by pose.
struct Stream {
  std::shared_ptr<const take::TakeSet> motion;
  std::unique_ptr<motion::MotionStream> stream;
};

Stream stream_of(const Graph& self, std::uint64_t seed, const std::vector<std::string>& wanted) {
  graph::WalkOptions options;
  options.seed = seed;
  options.wanted = wanted;
  auto feed = value_of(graph::Walk::create(self.graph, *self.motion, options));
  return {self.motion, std::make_unique<play::SegmentPlayer>(self.motion, std::move(feed))};
}

py::tuple next_pose(Stream& self) {
  const auto joints = static_cast<py::ssize_t>(self.stream->skeleton()->size());
  py::array_t<float> root(3), rotations({joints, py::ssize_t{4}});
  std::vector<Quat> room(static_cast<std::size_t>(joints));
  motion::StreamPose pose;
  pose.rotations = room;
  if (!self.stream->next({}, pose)) throw py::stop_iteration();
  std::memcpy(root.mutable_data(), &pose.root, sizeof(pose.root));
  std::memcpy(rotations.mutable_data(), room.data(), room.size() * sizeof(Quat));
  return py::make_tuple(root, rotations);
}

using Pairs = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// A graph of pairs somebody found by a metric of their own.
Graph graph_of_pairs(const Motion& motion, const Pairs& pairs, const Doubles& distances,
                     std::optional<double> threshold, double connect) {
  if (pairs.ndim() != 2 || pairs.shape(1) != 2) throw py::value_error("pairs must have the shape (pairs, 2)");
  if (distances.ndim() != 1 || distances.shape(0) != pairs.shape(0)) {
    throw py::value_error("distances must have one number for each pair");
  }
  if (!(connect > 0 && connect <= 1)) throw py::value_error("connect is a share: above 0 and at most 1");
  const take::Gathered& gathered = *motion.gathered;
  std::vector<graph::GraphClip> clips = graph::clips_of(gathered.motion);
  const graph::FrameNumbers numbers(clips);
  auto frames = std::make_shared<const compare::FrameSet>(value_of(compare::make_frame_set(gathered.motion.clips)));
  const compare::PointCloud cloud = value_of(compare::PointCloud::create(frames, compare::cloud_window(frames->rate)));
  std::vector<graph::SimilarPair> similar;
  const auto p = pairs.unchecked<2>();
  const auto d = distances.unchecked<1>();
  for (py::ssize_t i = 0; i < pairs.shape(0); ++i) {
    std::uint32_t a = p(i, 0), b = p(i, 1);
    if (a > b) std::swap(a, b);
    if (b >= numbers.total() || a == b) throw py::value_error("a pair is two frames of the motion");
    if (!(d(i) >= 0 && std::isfinite(d(i)))) throw py::value_error("distances must be finite and not negative");
    if (!cloud.comparable(a) || !cloud.comparable(b)) continue;  // at the ends of clips there is nothing to blend
    graph::SimilarPair pair;
    pair.a = a;
    pair.b = b;
    pair.distance = static_cast<float>(d(i));
    similar.push_back(pair);
  }
  std::sort(similar.begin(), similar.end(), [](const graph::SimilarPair& x, const graph::SimilarPair& y) {
    return std::tie(x.a, x.b) < std::tie(y.a, y.b);
  });
  const double chosen = threshold ? *threshold : graph::threshold_for_share(numbers, similar, connect);
  auto made = graph::prune(std::move(clips), similar, chosen, std::max(chosen, 1e-12), frames->rate,
                           [&](std::uint32_t a, std::uint32_t b) { return cloud.alignment(a, b); });
  if (made.nodes() == 0)
    raise({"nothing is connected: give more pairs, or a larger threshold", {}, 0, ErrorKind::kBadInput});
  return {std::make_shared<const graph::MotionGraph>(std::move(made)),
          std::shared_ptr<const take::TakeSet>(motion.gathered, &gathered.motion)};
}

py::dict blend_of(const Library& library, const std::string& name, const std::vector<double>& values) {
  const blend::StoredFamily stored = value_of(blend::load_family(library, name));
  const auto maker = value_of(blend::MotionMaker::create(stored.family, stored.space, blend::Method::kCorrected));
  blend::MadeMotion made = value_of(maker.at(values, blend::Outside::kClamp));
  py::dict told;
  told["clip"] = keep_clip(std::move(made.blended.clip));
  told["weights"] = array_of(made.weights);
  told["reached"] = made.reached;
  told["error"] = made.error;
  return told;
}

py::dict family_of(const Library& library, const std::string& name) {
  const blend::StoredFamily stored = value_of(blend::load_family(library, name));
  py::list parameters;
  for (const auto& parameter : stored.family->space.parameters) {
    parameters.append(py::make_tuple(parameter.name, parameter.unit));
  }
  const std::size_t dims = stored.family->space.size();
  py::array_t<double> values({static_cast<py::ssize_t>(stored.family->members.size()), static_cast<py::ssize_t>(dims)});
  for (std::size_t i = 0; i < stored.family->members.size(); ++i) {
    const auto of = stored.family->values_of(i);
    std::copy(of.begin(), of.end(), values.mutable_data() + i * dims);
  }
  py::dict told;
  told["parameters"] = parameters;
  told["examples"] = values;
  return told;
}

}  // namespace

void add_library(py::module_& module) {
  py::class_<Motion>(module, "Motion", "Motion of a library ready to be used: what graphs are built of.")
      .def("__len__", [](const Motion& m) { return m.gathered->motion.clips.size(); })
      .def_property_readonly("clips",
                             [](const Motion& m) {
                               std::vector<ClipPointer> clips;
                               for (const Clip& clip : m.gathered->motion.clips) clips.push_back(keep_clip(clip));
                               return clips;
                             })
      .def_property_readonly("frames", [](const Motion& m) {
        std::size_t frames = 0;
        for (const Clip& clip : m.gathered->motion.clips) frames += clip.frames();
        return frames;
      });

  py::class_<Stream>(module, "Stream", R"(Motion as it is made: an iterator of (root, rotations), (3,) and (joints, 4).

>>> import loom, itertools, os, tempfile
>>> moves = loom.Library(os.path.join(tempfile.mkdtemp(), "moves.loom"), "create")
>>> moves.add(loom.samples(["walk", "idle"]))
>>> stream = moves.build_graph("main").stream(seed=2)
>>> len([root for root, rotations in itertools.islice(stream, 90)])
90)")
      .def_property_readonly("rate", [](const Stream& s) { return s.stream->rate(); })
      .def_property_readonly(
          "skeleton", [](const Stream& s) { return std::const_pointer_cast<motion::Skeleton>(s.stream->skeleton()); })
      .def("__iter__", [](const py::object& self) { return self; })
      .def("__next__", &next_pose);

  py::class_<Graph>(module, "Graph", "A motion graph: nodes are frames, edges go on or are transitions.")
      .def_property_readonly("node_count", [](const Graph& g) { return g.graph->nodes(); })
      .def_property_readonly("transition_count", [](const Graph& g) { return g.graph->transitions.size(); })
      .def_property_readonly("threshold", [](const Graph& g) { return g.graph->threshold; })
      .def_property_readonly("rate", [](const Graph& g) { return g.graph->rate; })
      .def_property_readonly("labels", [](const Graph& g) { return g.graph->labels(); })
      .def_property_readonly("titles", [](const Graph& g) { return g.motion->titles(); })
      .def(
          "nodes", [](const Graph& g) { return nodes_of(*g.graph); }, "Arrays by node: 'clip' and 'frame'.")
      .def(
          "edges", [](const Graph& g) { return edges_of(*g.graph); },
          "Arrays by edge: 'from', 'to', 'cost', 'distance', 'recorded' (True: going on in a clip).")
      .def("walk", &walk, py::arg("seconds"), py::arg("seed") = 1, py::arg("wanted") = std::vector<std::string>{},
           py::arg("progress") = py::none(), "A stroll through the graph as a clip, feet planted.")
      .def("stream", &stream_of, py::arg("seed") = 1, py::arg("wanted") = std::vector<std::string>{},
           "The same stroll pose by pose and without end, feet as they come.")
      .def("__repr__", [](const Graph& g) {
        return "<Graph of " + std::to_string(g.graph->nodes()) + " frames and " +
               std::to_string(g.graph->transitions.size()) + " transitions>";
      });
  module.def(
      "graph_of_pairs", &graph_of_pairs, py::arg("motion"), py::arg("pairs"), py::arg("distances"),
      py::arg("threshold") = std::nullopt, py::arg("connect") = 0.9,
      "A graph of similar frames found by a metric of your own. Frames are counted through all clips of `motion`.");

  py::class_<Library>(module, "Library", R"(A motion library: clips, labels and what is built of them in one .loom file.

>>> import loom, os, tempfile
>>> lib = loom.Library(os.path.join(tempfile.mkdtemp(), "moves.loom"), "create")
>>> lib.add(loom.samples(["idle"]))
>>> "idle-1" in lib
True)")
      .def(py::init([](const std::string& path, const std::string& mode) {
             if (mode == "create") return std::make_unique<Library>(value_of(Library::open_or_create(path)));
             if (mode != "r" && mode != "w") throw py::value_error("a mode is 'r', 'w' or 'create'");
             return std::make_unique<Library>(
                 value_of(Library::open(path, mode == "w" ? library::Access::kWrite : library::Access::kRead)));
           }),
           py::arg("path"), py::arg("mode") = "r")
      .def_property_readonly("path", &Library::path)
      .def_property_readonly("names",
                             [](const Library& l) {
                               std::vector<std::string> names;
                               for (const library::ClipInfo& info : value_of(l.clips())) names.push_back(info.name);
                               return names;
                             })
      .def("__len__", [](const Library& l) { return value_of(l.clips()).size(); })
      .def("__contains__", [](const Library& l, const std::string& name) { return value_of(l.has_clip(name)); })
      .def(
          "__getitem__",
          [](const Library& l, const std::string& name) { return keep_clip(value_of(l.read_clip(name))); },
          "The clip of that name, with its frames.")
      .def(
          "add", [](Library& l, const std::vector<ClipPointer>& clips) { value_of(l.add_clips(sound_clips(clips))); },
          py::arg("clips"), "Adds clips with their labels, all or none.")
      .def(
          "remove", [](Library& l, const std::string& name) { value_of(l.remove_clip(name)); }, py::arg("name"))
      .def(
          "label",
          [](Library& l, const std::string& clip, const std::string& name, std::size_t begin, std::size_t end) {
            value_of(l.add_label(clip, {name, begin, end}));
          },
          py::arg("clip"), py::arg("name"), py::arg("begin"), py::arg("end"))
      .def(
          "unlabel",
          [](Library& l, const std::string& clip, const std::string& name) {
            return value_of(l.remove_label(clip, name));
          },
          py::arg("clip"), py::arg("name"), "Removes all stretches of a label; returns how many there were.")
      .def(
          "labels",
          [](const Library& l) {
            py::dict totals;
            for (const library::LabelTotal& total : value_of(l.label_totals())) {
              totals[py::str(total.name)] = total.seconds;
            }
            return totals;
          },
          "Seconds of motion by label.")
      .def(
          "artefacts",
          [](const Library& l, const std::string& kind) {
            std::vector<std::pair<std::string, std::string>> list;
            for (const library::ArtefactInfo& info : value_of(l.artefacts(kind)))
              list.emplace_back(info.kind, info.name);
            return list;
          },
          py::arg("kind") = "", "What was built: (kind, name).")
      .def(
          "import_files",
          [](Library& l, const std::vector<std::string>& files, std::optional<double> rate,
             const py::object& progress) {
            library::ImportOptions options;
            options.rate = rate;
            const library::ImportReport report = at_length(
                progress, &l, [&](const Progress& told) { return library::import_motions(l, files, options, told); });
            py::dict result;
            py::list failed;
            for (const auto& note : report.failed) failed.append(py::make_tuple(note.file, note.text));
            result["clips"] = report.clips;
            result["failed"] = failed;
            return result;
          },
          py::arg("files"), py::arg("rate") = std::nullopt, py::arg("progress") = py::none())
      .def(
          "gather",
          [](const Library& l, const std::vector<std::string>& labels, double rate, bool mirror,
             const py::object& progress) {
            const take::GatherOptions options = gather_options(labels, rate, mirror);
            return Motion{std::make_shared<const take::Gathered>(
                at_length(progress, &l, [&](const Progress& told) { return take::gather(l, options, told); }))};
          },
          py::arg("labels") = std::vector<std::string>{}, py::arg("rate") = 30, py::arg("mirror") = false,
          py::arg("progress") = py::none(), "Motion of the library ready to be used: on the floor, at one rate.")
      .def(
          "build_graph",
          [](Library& l, const std::string& name, const std::vector<std::string>& labels, double rate, bool mirror,
             const std::string& metric, std::optional<double> threshold, double connect, const py::object& progress) {
            const auto source = gather_options(labels, rate, mirror);
            const auto options = build_options(metric, threshold, connect);
            at_length(progress, &l,
                      [&](const Progress& told) { return project::build_graph(l, name, source, options, told); });
            return load(l, name);
          },
          py::arg("name"), py::arg("labels") = std::vector<std::string>{}, py::arg("rate") = 30,
          py::arg("mirror") = false, py::arg("metric") = "pointcloud", py::arg("threshold") = std::nullopt,
          py::arg("connect") = 0.9, py::arg("progress") = py::none(), "Builds a graph and keeps it under `name`.")
      .def("graph", &load, py::arg("name"), "The graph kept under `name`.")
      .def(
          "build_family",
          [](Library& l, const std::string& name, const std::string& label, const py::object& progress) {
            blend::FamilyOptions options;
            options.label = label;
            at_length(progress, &l,
                      [&](const Progress& told) { return project::build_family(l, name, options, told); });
            return family_of(l, name);
          },
          py::arg("name"), py::arg("label"), py::arg("progress") = py::none())
      .def("family", &family_of, py::arg("name"), "Its parameters (name, unit) and where its examples lie in them.")
      .def("blend", &blend_of, py::arg("family"), py::arg("values"),
           "A motion of a family with these parameters: its clip, weights, what it reached and by how much it is off.")
      .def("__repr__", [](const Library& l) { return "<Library '" + l.path() + "'>"; });
}

}  // namespace loom::python
