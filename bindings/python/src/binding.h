// SPDX-License-Identifier: MIT
// What all parts of the Python module share: errors become exceptions, long work tells how far it is and can be
// stopped.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/take/gather.h>

namespace loom::python {

namespace py = pybind11;

/// Raises `loom.Error` with kind, file, line and settings.
[[noreturn]] void raise(const Error& error);

template <typename T>
T value_of(Result<T> result) {
  if (!result) raise(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Runs long work without Python's lock. `report`, None or a function of (share, what), is called now and then; what it
/// raises, and Ctrl-C, stop the work and are raised once it has ended. Returning False stops it too.
template <typename Work>
auto at_length(const py::object& report, const Work& work) {
  std::exception_ptr raised;
  bool interrupted = false;
  const Progress progress([&](double share, std::string_view what) {
    const py::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) {
      interrupted = true;
      raised = std::make_exception_ptr(py::error_already_set());
      return false;
    }
    if (report.is_none()) return true;
    try {
      const py::object answer = report(share, std::string(what));
      return answer.is_none() || py::cast<bool>(answer.attr("__bool__")());
    } catch (...) {
      raised = std::current_exception();
      return false;
    }
  });
  auto result = [&] {
    const py::gil_scoped_release released;
    return work(progress);
  }();
  if (raised) std::rethrow_exception(raised);
  static_cast<void>(interrupted);
  return value_of(std::move(result));
}

/// Clips of Python's as the library takes them; arrays may have been written to since they were checked.
std::vector<motion::Clip> sound_clips(const std::vector<std::shared_ptr<motion::Clip>>& clips);
const motion::Clip& sound(const motion::Clip& clip);

using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;

void add_motion(py::module_& module);
void add_library(py::module_& module);
void add_behaviors(py::module_& module);
void add_play(py::module_& module);

}  // namespace loom::python
