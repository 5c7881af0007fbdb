// SPDX-License-Identifier: MIT
// The Python module `loom._loom`: what the C++ library does, on NumPy arrays. `loom/__init__.py` puts it together.
#include "binding.h"

namespace loom::python {
namespace {

py::object& error_class() {
  static py::object kept;  // lives as long as the interpreter
  return kept;
}

}  // namespace

void raise(const Error& error) {
  if (error.kind == ErrorKind::kStopped && PyErr_Occurred() != nullptr) throw py::error_already_set();
  py::object made = error_class()(error.to_string());
  made.attr("kind") = std::string(kind_name(error.kind));
  made.attr("file") = error.file.empty() ? py::object(py::none()) : py::object(py::str(error.file));
  made.attr("line") = error.line == 0 ? py::object(py::none()) : py::object(py::int_(error.line));
  made.attr("settings") = error.settings;
  PyErr_SetObject(error_class().ptr(), made.ptr());
  throw py::error_already_set();
}

const motion::Clip& sound(const motion::Clip& clip) {
  if (const auto valid = motion::validate(clip); !valid) {
    raise(valid.error().or_kind(ErrorKind::kBadInput));
  }
  return clip;
}

std::set<const void*>& in_use() {
  static std::set<const void*> used;
  return used;
}

std::vector<motion::Clip> sound_clips(const std::vector<std::shared_ptr<motion::Clip>>& clips) {
  std::vector<motion::Clip> copied;
  for (const auto& clip : clips) copied.push_back(sound(*clip));
  return copied;
}

}  // namespace loom::python

PYBIND11_MODULE(_loom, module) {
  using namespace loom::python;
  module.doc() = "Motion Loom: recorded motion woven into motion that can be directed.";
  module.attr("__version__") = LOOM_VERSION;
  py::dict names;
  names["__doc__"] =
      "Why something failed: `kind` ('bad_input', 'not_found', 'damaged', 'stopped', ...), `file` and `line` where "
      "there are any, `settings` that would help.";
  names["__module__"] = "loom";
  error_class() = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(&PyType_Type))(
      "Error", py::make_tuple(py::reinterpret_borrow<py::object>(PyExc_Exception)), names);
  module.attr("Error") = error_class();
  add_motion(module);
  add_library(module);
  add_behaviors(module);
  add_plans(module);
  add_play(module);
}
