// SPDX-License-Identifier: MIT
// Packed characters and their performers: policies, matching, machines and graphs as streams of poses.
#include <cstring>

#include <loom/base/file.h>
#include <loom/library/library.h>
#include <loom/packed/pack.h>
#include <loom/packed/performer.h>

#include "binding.h"

namespace loom::python {
namespace {

using packed::PackedCharacter;
using packed::Performer;
using PackedPointer = std::shared_ptr<PackedCharacter>;

PackedPointer keep(PackedCharacter packed) { return std::make_shared<PackedCharacter>(std::move(packed)); }

}  // namespace

/// A performer and what it can be asked for, as Python has it.
struct Character {
  std::unique_ptr<Performer> performer;
};

}  // namespace loom::python

template <>
struct pybind11::detail::type_caster<loom::python::Character> : loom::python::GuardedCaster<loom::python::Character> {};

namespace loom::python {
namespace {

Character make(const PackedPointer& packed, double rate, std::uint64_t seed, bool hold_feet) {
  packed::PerformerOptions options;
  options.play.rate = rate;
  options.play.seed = seed;
  options.hold_feet = hold_feet;
  return {value_of(Performer::create(packed, options))};
}

void control(Character& self, std::pair<float, float> velocity, float turn_rate, const py::object& behavior,
             const std::vector<std::string>& flags) {
  motion::Control wanted;
  wanted.velocity = {velocity.first, 0, velocity.second};
  wanted.turn_rate = turn_rate;
  const motion::Inputs& inputs = self.performer->inputs();
  const auto number = [](const std::vector<std::string>& all, const std::string& name, const char* what) {
    const auto at = std::find(all.begin(), all.end(), name);
    if (at == all.end()) throw py::value_error("there is no " + std::string(what) + " '" + name + "'");
    return static_cast<int>(at - all.begin());
  };
  if (!behavior.is_none()) wanted.behavior = number(inputs.behaviors, py::cast<std::string>(behavior), "behavior");
  for (const std::string& flag : flags) wanted.flags |= 1U << number(inputs.flags, flag, "flag");
  self.performer->control(wanted);
}

py::tuple pose_of(const Character& self) {
  const Performer& p = *self.performer;
  py::array_t<float> rotations({static_cast<py::ssize_t>(p.rotations().size()), py::ssize_t{4}});
  std::memcpy(rotations.mutable_data(), p.rotations().data(), p.rotations().size_bytes());
  const Quat turn = p.root_rotation();
  std::memcpy(rotations.mutable_data(), &turn, sizeof(turn));
  py::array_t<float> root(3);
  const Vec3 at = p.root();
  std::memcpy(root.mutable_data(), &at, sizeof(at));
  return py::make_tuple(root, rotations);
}

std::shared_ptr<motion::Clip> record(Character& self, double seconds, const py::object& progress) {
  if (!(seconds > 0 && seconds <= 86400)) throw py::value_error("seconds must be above 0 and at most 86400");
  Performer& p = *self.performer;
  auto clip = at_length(progress, &self, [&](const Progress& told) -> Result<motion::Clip> {
    motion::Clip made;
    made.name = p.packed().name;
    made.skeleton = p.skeleton();
    made.rate = p.rate();
    const auto frames = static_cast<std::size_t>(seconds * p.rate());
    for (std::size_t f = 0; f < frames; ++f) {
      if (f % 256 == 0 && !told.report(static_cast<double>(f) / static_cast<double>(frames), "playing")) {
        return fail_as(ErrorKind::kStopped, "stopped while playing");
      }
      p.advance(1 / p.rate());
      made.roots.push_back(p.root());
      made.rotations.push_back(p.root_rotation());
      made.rotations.insert(made.rotations.end(), p.rotations().begin() + 1, p.rotations().end());
    }
    motion::align_hemispheres(made);
    return made;
  });
  return std::make_shared<motion::Clip>(std::move(clip));
}

py::list events_of(Character& self) {
  constexpr std::array<const char*, 6> kinds = {"foot_down", "foot_up",     "behavior",
                                                "source",    "label_begin", "label_end"};
  std::array<packed::Event, Performer::kMostEvents> events;
  const std::size_t count = self.performer->take_events(events);
  const std::vector<std::string> labels = packed::labels_of(self.performer->packed());
  py::list told;
  for (std::size_t e = 0; e < count; ++e) {
    const packed::Event& event = events[e];
    py::object what = py::int_(event.what);
    const bool is_label =
        event.kind == packed::Event::Kind::kLabelBegin || event.kind == packed::Event::Kind::kLabelEnd;
    if (is_label) what = py::str(labels[event.what]);
    if (event.kind == packed::Event::Kind::kBehavior) what = py::str(self.performer->inputs().behaviors[event.what]);
    told.append(py::make_tuple(kinds[static_cast<std::size_t>(event.kind)], what, event.seconds));
  }
  return told;
}

}  // namespace

void add_play(py::module_& module) {
  py::class_<Character>(module, "Character",
                        R"(A packed character on a stage. Iterating gives poses at its own rate, for ever.

>>> import loom, itertools
>>> hero = loom.pack_samples().character()
>>> hero.control(velocity=(0, 1.2))
>>> root, rotations = next(iter(hero))
>>> rotations.shape[1]
4)")
      .def("control", &control, py::arg("velocity") = std::pair<float, float>{0, 0}, py::arg("turn_rate") = 0,
           py::arg("behavior") = py::none(), py::arg("flags") = std::vector<std::string>{},
           "What is wanted from now on: velocity (x, z) in metres a second, radians a second to the left, names.")
      .def(
          "advance",
          [](Character& c, double seconds) {
            if (!c.performer->advance(seconds)) throw py::value_error("seconds must be 0 to 10");
          },
          py::arg("seconds"))
      .def(
          "put",
          [](Character& c, float x, float z, float heading) {
            c.performer->put({x, z, heading});
          },
          py::arg("x"), py::arg("z"), py::arg("heading") = 0)
      .def_property_readonly("place",
                             [](const Character& c) {
                               const motion::GroundFrame at = c.performer->place();
                               return py::make_tuple(at.x, at.z, at.heading);
                             })
      .def_property_readonly("pose", &pose_of, "(root, rotations): (3,) and (joints, 4), in the world.")
      .def_property_readonly("planted", [](const Character& c) { return c.performer->planted(); })
      .def_property_readonly("rate", [](const Character& c) { return c.performer->rate(); })
      .def_property_readonly("behaviors", [](const Character& c) { return c.performer->inputs().behaviors; })
      .def_property_readonly("flags", [](const Character& c) { return c.performer->inputs().flags; })
      .def_property_readonly(
          "skeleton",
          [](const Character& c) { return std::const_pointer_cast<motion::Skeleton>(c.performer->skeleton()); })
      .def(
          "set_parameter",
          [](Character& c, const std::string& behavior, std::size_t parameter, double value) {
            const auto& all = c.performer->inputs().behaviors;
            const auto at = static_cast<std::size_t>(std::find(all.begin(), all.end(), behavior) - all.begin());
            if (!c.performer->set_parameter(at, parameter, value)) throw py::value_error("there is no such parameter");
          },
          py::arg("behavior"), py::arg("parameter"), py::arg("value"))
      .def(
          "reload", [](Character& c, const PackedPointer& packed) { value_of(c.performer->reload(packed)); },
          py::arg("packed"))
      .def("events", &events_of, "What happened since this was asked last: (kind, what, seconds).")
      .def("record", &record, py::arg("seconds"), py::arg("progress") = py::none(), "Plays on, into a clip.")
      .def("__iter__", [](const py::object& self) { return self; })
      .def("__next__", [](Character& c) {
        c.performer->advance(1 / c.performer->rate());
        return pose_of(c);
      });

  py::class_<PackedCharacter, PackedPointer>(module, "Packed",
                                             "An artefact and its motion, ready to be played anywhere.")
      .def_readonly("name", &PackedCharacter::name)
      .def_property_readonly("kind", [](const PackedCharacter& p) { return packed::to_string(p.kind); })
      .def_property_readonly("seconds", [](const PackedCharacter& p) { return packed::content_of(p).seconds; })
      .def("to_bytes",
           [](const PackedCharacter& p) {
             const std::vector<std::byte> bytes = packed::to_bytes(p);
             return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
           })
      .def(
          "save",
          [](const PackedCharacter& p, const std::string& path) {
            const std::vector<std::byte> bytes = packed::to_bytes(p);
            value_of(save_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
          },
          py::arg("path"))
      .def("character", &make, py::arg("rate") = 0, py::arg("seed") = 1, py::arg("hold_feet") = true,
           "A new character that plays it.");

  module.def(
      "load",
      [](const py::bytes& bytes) {
        const std::string_view text = bytes;
        return keep(value_of(packed::packed_character_from_bytes(std::as_bytes(std::span(text)))));
      },
      py::arg("bytes"), "A packed character from memory.");
  module.def(
      "open",
      [](const std::string& path) {
        const FileBytes file = value_of(load_file(path));
        return keep(value_of(packed::packed_character_from_bytes(std::as_bytes(std::span(file.text())))));
      },
      py::arg("path"), "A packed character from a .loomrt file.");
  module.def(
      "pack_graph",
      [](const library::Library& l, const std::string& name) { return keep(value_of(packed::pack_graph(l, name))); },
      py::arg("library"), py::arg("name"));
  module.def(
      "pack_policy",
      [](const library::Library& l, const std::string& name) { return keep(value_of(packed::pack_policy(l, name))); },
      py::arg("library"), py::arg("name"));
  module.def(
      "pack_machine",
      [](const library::Library& l, const std::string& name) { return keep(value_of(packed::pack_machine(l, name))); },
      py::arg("library"), py::arg("name"));
  module.def(
      "pack_matching",
      [](const library::Library& l, const std::vector<std::string>& labels, const std::vector<std::string>& flags,
         bool mirror, const py::object& progress) {
        take::GatherOptions options;
        options.labels = labels;
        options.mirror = mirror;
        return keep(at_length(progress, &l,
                              [&](const Progress& told) { return packed::pack_matching(l, options, flags, told); }));
      },
      py::arg("library"), py::arg("labels") = std::vector<std::string>{}, py::arg("flags") = std::vector<std::string>{},
      py::arg("mirror") = false, py::arg("progress") = py::none());
}

}  // namespace loom::python
