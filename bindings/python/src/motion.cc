// SPDX-License-Identifier: MIT
// Skeletons and clips, files, measures, distances.
#include <cstring>

#include <loom/compare/cost_matrix.h>
#include <loom/compare/frame_set.h>
#include <loom/compare/joint_angles.h>
#include <loom/compare/point_cloud.h>
#include <loom/compare/time_warp.h>
#include <loom/io/read.h>
#include <loom/io/write.h>
#include <loom/measure/measure.h>
#include <loom/motion/contacts.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/mirror.h>
#include <loom/picture/viewer_page.h>
#include <loom/sample/sample.h>

#include "binding.h"

namespace loom::python {
namespace {

using motion::Clip;
using motion::Skeleton;
using ClipPointer = std::shared_ptr<Clip>;
using SkeletonPointer = std::shared_ptr<Skeleton>;

ClipPointer keep(Clip clip) { return std::make_shared<Clip>(std::move(clip)); }

/// An array that is the memory of something of `owner`'s.
template <typename T>
py::array view(const T* data, std::vector<py::ssize_t> shape, const py::object& owner, bool writable) {
  py::array array(py::dtype::of<float>(), std::move(shape), reinterpret_cast<const float*>(data), owner);
  if (!writable) py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// A new array, copied from flat memory.
template <typename T>
py::array_t<float> copied(const std::vector<T>& from, std::vector<py::ssize_t> shape) {
  py::array_t<float> array(std::move(shape));
  std::memcpy(array.mutable_data(), from.data(), from.size() * sizeof(T));
  return array;
}

std::string shape_of(const py::array& array) { return py::cast<std::string>(py::str(array.attr("shape"))); }

SkeletonPointer make_skeleton(const std::vector<std::string>& names, const std::vector<int>& parents,
                              const Floats& offsets) {
  if (parents.size() != names.size()) throw py::value_error("there must be one parent for each name");
  if (offsets.ndim() != 2 || offsets.shape(1) != 3 || offsets.shape(0) != static_cast<py::ssize_t>(names.size())) {
    throw py::value_error("offsets must have the shape (joints, 3), not " + shape_of(offsets));
  }
  std::vector<motion::Joint> joints;
  const auto at = offsets.unchecked<2>();
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto row = static_cast<py::ssize_t>(j);
    joints.push_back({names[j], parents[j], {at(row, 0), at(row, 1), at(row, 2)}});
  }
  return std::make_shared<Skeleton>(value_of(Skeleton::create(std::move(joints), {})));
}

ClipPointer make_clip(const SkeletonPointer& skeleton, double rate, const Floats& roots, const Floats& rotations,
                      const std::string& name, const std::vector<motion::Label>& labels) {
  if (roots.ndim() != 2 || roots.shape(1) != 3) {
    throw py::value_error("roots must have the shape (frames, 3), not " + shape_of(roots));
  }
  const auto joints = static_cast<py::ssize_t>(skeleton->size());
  if (rotations.ndim() != 3 || rotations.shape(0) != roots.shape(0) || rotations.shape(1) != joints ||
      rotations.shape(2) != 4) {
    throw py::value_error("rotations must have the shape (frames, joints, 4) = (" + std::to_string(roots.shape(0)) +
                          ", " + std::to_string(joints) + ", 4), not " + shape_of(rotations));
  }
  auto clip = std::make_shared<Clip>();
  clip->name = name;
  clip->skeleton = skeleton;
  clip->rate = rate;
  clip->roots.resize(static_cast<std::size_t>(roots.shape(0)));
  clip->rotations.resize(clip->roots.size() * skeleton->size());
  std::memcpy(static_cast<void*>(clip->roots.data()), roots.data(), clip->roots.size() * sizeof(Vec3));
  std::memcpy(static_cast<void*>(clip->rotations.data()), rotations.data(), clip->rotations.size() * sizeof(Quat));
  clip->labels = labels;
  sound(*clip);
  return clip;
}

py::array_t<float> positions_of(const Clip& clip) {
  motion::WorldPoses poses;
  {
    const py::gil_scoped_release released;
    poses = motion::forward_kinematics(clip);
  }
  return copied(poses.positions, {static_cast<py::ssize_t>(poses.frames), static_cast<py::ssize_t>(poses.points), 3});
}

py::dict measures_of(const Clip& clip) {
  sound(clip);
  const measure::Measures m = measure::measure(clip);
  py::dict told;
  told["has_feet"] = m.has_feet;
  told["foot_slide_mean_mps"] = m.foot_slide_mean_mps;
  told["foot_slide_max_mps"] = m.foot_slide_max_mps;
  told["penetration_max_m"] = m.penetration_max_m;
  told["largest_jump_m"] = m.largest_jump_m;
  told["largest_jump_frame"] = m.largest_jump_frame;
  told["jerk_rms"] = m.jerk_rms;
  told["flight_s"] = m.flight_s;
  told["path_m"] = m.path_m;
  told["mean_speed_mps"] = m.mean_speed_mps;
  told["mean_turn_rate_rps"] = m.mean_turn_rate_rps;
  return told;
}

Result<compare::CostMatrix> distances_of(const Clip& a, const Clip& b, bool cloud) {
  const std::vector<Clip> both = {a, b};
  auto set = compare::make_frame_set(both);
  if (!set) return fail_from(set);
  const auto frames = std::make_shared<const compare::FrameSet>(std::move(*set));
  if (cloud) {
    const auto metric = compare::PointCloud::create(frames, compare::cloud_window(frames->rate));
    if (!metric) return fail_from(metric);
    return compare::cost_matrix(*metric, 0, 1);
  }
  const auto metric = compare::JointAngles::create(frames);
  if (!metric) return fail_from(metric);
  return compare::cost_matrix(*metric, 0, 1);
}

bool is_cloud(const std::string& metric) {
  if (metric != "pointcloud" && metric != "joints") {
    throw py::value_error("a metric is 'pointcloud' or 'joints', not '" + metric + "'");
  }
  return metric == "pointcloud";
}

py::array_t<float> distance_matrix(const Clip& a, const Clip& b, const std::string& metric) {
  const bool cloud = is_cloud(metric);
  sound(a);
  sound(b);
  auto matrix = [&] {
    const py::gil_scoped_release released;
    return distances_of(a, b, cloud);
  }();
  const compare::CostMatrix made = value_of(std::move(matrix));
  return copied(made.values, {static_cast<py::ssize_t>(made.rows), static_cast<py::ssize_t>(made.columns)});
}

py::tuple find_warp(const Floats& matrix, std::size_t max_slope) {
  if (matrix.ndim() != 2) throw py::value_error("a matrix has two dimensions, not the shape " + shape_of(matrix));
  compare::CostMatrix costs;
  costs.rows = static_cast<std::size_t>(matrix.shape(0));
  costs.columns = static_cast<std::size_t>(matrix.shape(1));
  costs.values.assign(matrix.data(), matrix.data() + matrix.size());
  for (const float cost : costs.values) {
    if (!(cost >= 0 && std::isfinite(cost))) throw py::value_error("distances must be finite and not negative");
  }
  compare::WarpOptions options;
  options.max_slope = max_slope;
  const compare::WarpPath path = value_of(compare::find_warp(costs, options));
  py::array_t<std::uint32_t> cells({static_cast<py::ssize_t>(path.cells.size()), py::ssize_t{2}});
  std::memcpy(cells.mutable_data(), path.cells.data(), path.cells.size() * sizeof(compare::WarpCell));
  return py::make_tuple(cells, path.cost);
}

std::string page_of(const std::vector<ClipPointer>& clips, const std::string& title) {
  const std::vector<Clip> all = sound_clips(clips);
  std::vector<picture::ViewerClip> shown;
  for (const Clip& clip : all) shown.push_back({&clip, nullptr, {}});
  picture::ViewerOptions options;
  options.title = title;
  return value_of(picture::viewer_page(shown, options));
}

std::vector<ClipPointer> read(const std::string& path, std::optional<double> metres_per_unit,
                              std::optional<std::string> up, std::optional<double> rate, bool keep_t_pose,
                              const std::string& skeleton) {
  io::ReadOptions options;
  options.metres_per_unit = metres_per_unit;
  if (up) {
    const std::size_t axis = std::string("xyz").find(*up);
    if (up->size() != 1 || axis == std::string::npos) throw py::value_error("up is 'x', 'y' or 'z'");
    options.up_axis = static_cast<int>(axis);
  }
  options.source_rate = rate;
  options.keep_t_pose = keep_t_pose;
  options.asf_file = options.sk_file = skeleton;
  auto read = [&] {
    const py::gil_scoped_release released;
    return io::read_motion(path, options);
  }();
  std::vector<ClipPointer> clips;
  for (io::ReadClip& one : value_of(std::move(read))) clips.push_back(keep(std::move(one.clip)));
  return clips;
}

}  // namespace

void add_motion(py::module_& module) {
  py::class_<motion::Label>(module, "Label", "A named stretch of a clip: frames begin up to, but not including, end.")
      .def(py::init([](std::string name, std::size_t begin, std::size_t end) {
             return motion::Label{std::move(name), begin, end};
           }),
           py::arg("name"), py::arg("begin"), py::arg("end"))
      .def_readwrite("name", &motion::Label::name)
      .def_readwrite("begin", &motion::Label::begin)
      .def_readwrite("end", &motion::Label::end)
      .def("__eq__", [](const motion::Label& a, const motion::Label& b) { return a == b; })
      .def("__repr__", [](const motion::Label& l) {
        return "Label('" + l.name + "', " + std::to_string(l.begin) + ", " + std::to_string(l.end) + ")";
      });

  py::class_<Skeleton, SkeletonPointer>(module, "Skeleton", R"(The bones of a body: joints with parents and offsets.

>>> import loom
>>> arm = loom.Skeleton(["shoulder", "elbow"], [-1, 0], [[0, 0, 0], [0.3, 0, 0]])
>>> len(arm), arm.names[1], arm.parents.tolist()
(2, 'elbow', [-1, 0]))")
      .def(py::init(&make_skeleton), py::arg("names"), py::arg("parents"), py::arg("offsets"))
      .def("__len__", &Skeleton::size)
      .def("__eq__", [](const Skeleton& a, const Skeleton& b) { return a == b; })
      .def_property_readonly("names",
                             [](const Skeleton& s) {
                               std::vector<std::string> names;
                               for (const motion::Joint& joint : s.joints()) names.push_back(joint.name);
                               return names;
                             })
      .def_property_readonly("parents",
                             [](const Skeleton& s) {
                               py::array_t<int> parents(static_cast<py::ssize_t>(s.size()));
                               for (std::size_t j = 0; j < s.size(); ++j) parents.mutable_data()[j] = s.joint(j).parent;
                               return parents;
                             })
      .def_property_readonly("offsets",
                             [](const Skeleton& s) {
                               std::vector<Vec3> offsets;
                               for (const motion::Joint& joint : s.joints()) offsets.push_back(joint.offset);
                               return copied(offsets, {static_cast<py::ssize_t>(s.size()), 3});
                             })
      .def(
          "find", [](const Skeleton& s, const std::string& name) { return s.find(name); }, py::arg("name"),
          "The number of the joint called so, or None.")
      .def("__repr__", [](const Skeleton& s) { return "<Skeleton of " + std::to_string(s.size()) + " joints>"; });

  py::class_<Clip, ClipPointer>(module, "Clip", R"(A motion: a skeleton, a rate, and frames in two arrays.

`roots` (frames, 3) and `rotations` (frames, joints, 4; w, x, y, z) are the clip's own memory: what is written to them
is in the clip. Metres, Y up, right-handed.

>>> import loom
>>> walk = loom.sample("walk-normal-1")
>>> walk.roots.shape[1], walk.rotations.shape[2]
(3, 4)
>>> walk.roots.base is not None  # no copy
True)")
      .def(py::init(&make_clip), py::arg("skeleton"), py::arg("rate"), py::arg("roots"), py::arg("rotations"),
           py::arg("name") = "", py::arg("labels") = std::vector<motion::Label>{})
      .def_readwrite("name", &Clip::name)
      .def_readonly("rate", &Clip::rate)
      .def_readwrite("labels", &Clip::labels)
      .def_property_readonly(
          "skeleton", [](const Clip& c) { return std::const_pointer_cast<Skeleton>(c.skeleton); })  // never changed
      .def_property_readonly("roots",
                             [](const py::object& self) {
                               const auto& c = self.cast<const Clip&>();
                               return view(c.roots.data(), {static_cast<py::ssize_t>(c.frames()), 3}, self, true);
                             })
      .def_property_readonly(
          "rotations",
          [](const py::object& self) {
            const auto& c = self.cast<const Clip&>();
            return view(c.rotations.data(),
                        {static_cast<py::ssize_t>(c.frames()), static_cast<py::ssize_t>(c.joints()), 4}, self, true);
          })
      .def_property_readonly("duration", &Clip::duration)
      .def("__len__", &Clip::frames)
      .def("positions", &positions_of,
           "Where every joint and end site is in the world: (frames, points, 3), a new array.")
      .def(
          "cut",
          [](const Clip& c, std::size_t a, std::size_t b) { return keep(value_of(motion::cut(sound(c), a, b))); },
          py::arg("begin"), py::arg("end"), "Frames begin up to end, with the labels that reach into them.")
      .def(
          "resample", [](const Clip& c, double rate) { return keep(value_of(motion::resample(sound(c), rate))); },
          py::arg("rate"), "The same motion at another rate.")
      .def(
          "mirrored", [](const Clip& c) { return keep(value_of(motion::mirror(sound(c)))); },
          "The motion as seen in a mirror.")
      .def("copy", [](const Clip& c) { return keep(c); })
      .def(
          "contacts",
          [](const Clip& c) {
            const motion::Contacts found = value_of(motion::find_contacts(sound(c)));
            return py::array_t<std::uint8_t>(static_cast<py::ssize_t>(found.planted.size()), found.planted.data());
          },
          "Which parts of the feet are planted, one number a frame: 1 left heel, 2 left toe, 4 right heel, 8 right "
          "toe.")
      .def("__repr__", [](const Clip& c) {
        return "<Clip '" + c.name + "': " + std::to_string(c.frames()) + " frames of " + std::to_string(c.joints()) +
               " joints at " + py::cast<std::string>(py::str(py::float_(c.rate))) + " Hz>";
      });

  module.def("read", &read, py::arg("path"), py::kw_only(), py::arg("metres_per_unit") = std::nullopt,
             py::arg("up") = std::nullopt, py::arg("rate") = std::nullopt, py::arg("keep_t_pose") = false,
             py::arg("skeleton") = "",
             R"(All motions in a file: BVH, AMC with its ASF, SKM with its SK, glTF, FBX, Collada.

>>> import loom, os, tempfile
>>> path = os.path.join(tempfile.mkdtemp(), "walk.bvh")
>>> loom.write(path, loom.sample("walk-normal-1"))
>>> loom.read(path)[0].name
'walk')");
  module.def(
      "write",
      [](const std::string& path, const std::vector<ClipPointer>& clips, const std::string& name) {
        value_of(io::write_motion(path, sound_clips(clips), name));
      },
      py::arg("path"), py::arg("clips"), py::arg("name") = "motion");
  module.def(
      "is_motion_file", [](const std::string& path) { return io::is_motion_file(path); }, py::arg("path"));
  module.def(
      "sample", [](const std::string& name) { return keep(value_of(sample::make_sample(name)).clip); }, py::arg("name"),
      "One of the sample motions that the project makes itself: 'walk-normal-1'.");
  module.def(
      "samples",
      [](const std::vector<std::string>& groups) {
        std::vector<ClipPointer> clips;
        for (sample::SampleClip& one : value_of(sample::make_samples({}, groups))) {
          clips.push_back(keep(std::move(one.clip)));
        }
        return clips;
      },
      py::arg("groups"), "The sample motions of some groups: 'walk', 'idle', 'reach', ...");
  module.def("measure", &measures_of, py::arg("clip"), R"(How good a motion is: foot slide, penetration, jumps, jerk.

>>> import loom
>>> loom.measure(loom.sample("walk-normal-1"))["has_feet"]
True)");
  module.def("distances", &distance_matrix, py::arg("a"), py::arg("b"), py::arg("metric") = "pointcloud",
             R"(The distances of all frames of one clip to all of another: (frames of a, frames of b).

'pointcloud' is Zhao 2009 eq. 3.2, square metres; 'joints' is Srinivasan 2009 eq. 3.1, radians.

>>> import loom
>>> walk = loom.sample("walk-normal-1")
>>> d = loom.distances(walk, walk)
>>> d.shape == (len(walk), len(walk)), float(d[20, 20]) < 1e-6
(True, True))");
  module.def("warp", &find_warp, py::arg("matrix"), py::arg("max_slope") = 3,
             "The time warp of least mean distance through a matrix: (frames of both that belong together, its cost).");
  module.def("viewer_page", &page_of, py::arg("clips"), py::arg("title") = "Motion Loom",
             "One HTML page that shows clips moving in 3D, as text.");
}

}  // namespace loom::python
