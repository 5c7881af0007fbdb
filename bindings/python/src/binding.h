// SPDX-License-Identifier: MIT
// What all parts of the Python module share: errors become exceptions, long work tells how far it is and can be
// stopped.
#pragma once

#include <exception>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>
#include <loom/library/library.h>
#include <loom/motion/clip.h>
#include <loom/take/gather.h>
#include <loom/take/take_set.h>

namespace loom::python {

namespace py = pybind11;

/// Raises `loom.Error` with kind, file, line and settings.
[[noreturn]] void raise(const Error& error);

template <typename T>
T value_of(Result<T> result) {
  if (!result) raise(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// What long work uses while Python's lock is let go. Looked at and changed with the lock held.
std::set<const void*>& in_use();

/// Arguments that nobody else may use meanwhile, another thread or a function that is told how far the work is: they
/// are refused with a RuntimeError.
template <typename T>
struct GuardedCaster : py::detail::type_caster_base<T> {
  bool load(py::handle from, bool convert) {
    if (!py::detail::type_caster_base<T>::load(from, convert)) return false;
    if (in_use().count(this->value) != 0) throw std::runtime_error("it is in use by work that is not done yet");
    return true;
  }
};

/// Runs long work without Python's lock. `used` is nobody else's until then. `report`, None or a function of (share,
/// what), is called now and then; what it raises, and Ctrl-C, stop the work and are raised once it has ended. Returning
/// False stops it too.
template <typename Work>
auto at_length(const py::object& report, const void* used, const Work& work) {
  std::exception_ptr raised;
  const Progress progress([&](double share, std::string_view what) {
    const py::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) {
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
  if (used != nullptr) in_use().insert(used);
  auto result = [&] {
    const py::gil_scoped_release released;
    return work(progress);
  }();
  in_use().erase(used);
  if (raised) std::rethrow_exception(raised);
  return value_of(std::move(result));
}

/// A graph with its motion.
struct Graph {
  std::shared_ptr<const graph::MotionGraph> graph;
  std::shared_ptr<const take::TakeSet> motion;
};

/// Clips of Python's as the library takes them; arrays may have been written to since they were checked.
std::vector<motion::Clip> sound_clips(const std::vector<std::shared_ptr<motion::Clip>>& clips);
const motion::Clip& sound(const motion::Clip& clip);

using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;

void add_motion(py::module_& module);
void add_library(py::module_& module);
void add_behaviors(py::module_& module);
void add_plans(py::module_& module);
void add_play(py::module_& module);

}  // namespace loom::python

template <>
struct pybind11::detail::type_caster<loom::library::Library> : loom::python::GuardedCaster<loom::library::Library> {};
