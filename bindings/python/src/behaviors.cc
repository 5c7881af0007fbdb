// SPDX-License-Identifier: MIT
// What decides what a character does: policies over fragments and graphs, and machines of behaviors, built in a
// library.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <variant>

#include <loom/behavior/state_machine.h>
#include <loom/library/library.h>
#include <loom/machine/build.h>
#include <loom/machine/stored_machine.h>
#include <loom/policy/controllers.h>
#include <loom/policy/simulated_player.h>
#include <loom/policy/stored_fragments.h>
#include <loom/policy/stored_policy.h>
#include <loom/policy/stored_traces.h>
#include <loom/policy/trace_file.h>
#include <loom/project/build.h>
#include <loom/project/machines.h>

#include "binding.h"

namespace loom::python {
namespace {

using library::Library;
using policy::ControlSignal;
using policy::Trace;
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Bits = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;
using Names = std::vector<std::string>;

py::ssize_t length(std::size_t count) { return static_cast<py::ssize_t>(count); }

/// Rows of left, forward, turn.
template <typename Signals, typename Of>
py::array_t<float> rows_of(const Signals& signals, const Of& of) {
  py::array_t<float> rows({length(signals.size()), py::ssize_t{3}});
  float* out = rows.mutable_data();
  for (const auto& one : signals) {
    const ControlSignal& signal = of(one);
    *out++ = signal.left;
    *out++ = signal.forward;
    *out++ = signal.turn;
  }
  return rows;
}

template <typename Signals, typename Of>
py::array_t<std::uint32_t> bits_of(const Signals& signals, const Of& of) {
  py::array_t<std::uint32_t> bits(length(signals.size()));
  std::uint32_t* out = bits.mutable_data();
  for (const auto& one : signals) *out++ = of(one).flags;
  return bits;
}

const ControlSignal& itself(const ControlSignal& signal) { return signal; }

Trace trace_of(const Doubles& times, const Floats& signals, const std::optional<Bits>& flags, const Names& flag_names,
               const std::string& name) {
  if (times.ndim() != 1) throw py::value_error("times must have the shape (samples,)");
  const py::ssize_t samples = times.shape(0);
  if (signals.ndim() != 2 || signals.shape(0) != samples || signals.shape(1) != 3) {
    throw py::value_error("signals must have the shape (samples, 3): left, forward, turn");
  }
  if (flags && (flags->ndim() != 1 || flags->shape(0) != samples)) {
    throw py::value_error("flags must have one number a sample");
  }
  Trace trace;
  trace.name = name;
  trace.flags = flag_names;
  for (py::ssize_t i = 0; i < samples; ++i) {
    const double at = times.at(i);
    ControlSignal signal{signals.at(i, 0), signals.at(i, 1), signals.at(i, 2), flags ? flags->at(i) : 0};
    const bool ascends = trace.times.empty() ? at == 0 : at > trace.times.back();
    if (!ascends || !(at <= policy::kLongestTrace)) {
      throw py::value_error("times must ascend from 0, to a day at the most");
    }
    for (const float value : {signal.left, signal.forward, signal.turn}) {
      if (!(std::abs(value) <= policy::kFastest)) throw py::value_error("signals must be finite and at most 100");
    }
    if (flag_names.size() < 32 && (signal.flags >> flag_names.size()) != 0) {
      throw py::value_error("flags has bits that flag_names does not name");
    }
    trace.times.push_back(at);
    trace.signals.push_back(signal);
  }
  if (trace.times.empty()) throw py::value_error("a trace needs samples");
  return trace;
}

py::dict told_fragments(const policy::FragmentSet& set) {
  std::vector<std::uint32_t> clip, frame;
  for (const policy::Fragment& f : set.fragments) {
    clip.push_back(f.clip);
    frame.push_back(f.frame);
  }
  Names clips;
  for (const policy::FragmentClip& c : set.clips) clips.push_back(c.title());
  const auto evident = [](const policy::Fragment& f) -> const ControlSignal& { return f.evident; };
  py::dict told;
  told["clips"] = clips;
  told["clip"] = py::array_t<std::uint32_t>(length(clip.size()), clip.data());
  told["frame"] = py::array_t<std::uint32_t>(length(frame.size()), frame.data());
  told["evident"] = rows_of(set.fragments, evident);
  told["flags"] = bits_of(set.fragments, evident);
  told["flag_names"] = set.flags;
  told["rate"] = set.rate;
  told["seconds"] = set.seconds();
  return told;
}

policy::FragmentSet fragments_in(const Library& library, const std::string& name) {
  const auto artefact = value_of(library.get_artefact(policy::kFragmentsKind, name));
  return value_of(policy::fragments_from_bytes(artefact.data));
}

py::dict cut(Library& library, const std::string& name, const Names& labels, bool mirror, const Names& flags,
             double seconds, double step, std::optional<double> rate, const py::object& progress) {
  policy::CutOptions options;
  options.labels = labels;
  options.mirror = mirror;
  options.flag_names = flags;
  options.length_seconds = seconds;
  options.step_seconds = step;
  options.rate = rate;
  const policy::CutMotion made = at_length(
      progress, &library, [&](const Progress& told) { return project::cut_fragments(library, name, options, told); });
  return told_fragments(*made.set);
}

/// Traces as they are given: objects, or names of files and of traces in the library; simulated players where none is.
Result<std::vector<Trace>> traces_for(const Library& library,
                                      const std::vector<std::variant<Trace, std::string>>& given, const Names& flags) {
  if (given.empty()) {
    policy::SimulationOptions options;
    options.flags = flags;
    return policy::simulate_players(options);
  }
  std::vector<Trace> traces;
  for (const auto& one : given) {
    const auto trace = std::holds_alternative<Trace>(one) ? Result<Trace>(std::get<Trace>(one))
                                                          : policy::find_trace(library, std::get<std::string>(one));
    if (!trace) return fail_from(trace);
    auto fitted = policy::fit_to(*trace, flags);
    if (!fitted) return fail_because(fitted.error(), fitted.error().message, trace->name);
    traces.push_back(std::move(*fitted));
  }
  return traces;
}

py::dict told_policy(const policy::Policy& policy) {
  const policy::Solution& solution = policy.solution;
  py::dict told;
  told["fragments"] = policy.fragments;
  told["controller"] = policy::name_of(policy.kind);
  told["bins"] = rows_of(policy.space.bins, itself);
  told["bin_flags"] = bits_of(policy.space.bins, itself);
  told["flag_names"] = policy.space.flags;
  // Which fragment follows each, by bin of the control.
  told["next"] = py::array_t<std::uint32_t>({length(solution.controls), length(solution.states)}, solution.next.data());
  told["converged"] = solution.converged;
  told["sweeps"] = solution.sweeps;
  told["residual"] = solution.residual;
  return told;
}

py::dict train(Library& library, const std::string& name, const std::string& fragments,
               const std::vector<std::variant<Trace, std::string>>& traces, const std::string& controller,
               std::size_t bins, double threshold, double discount, bool restart, const py::object& progress) {
  project::PolicyOptions options;
  options.fragments = fragments;
  options.bins = bins;
  const auto kind = policy::policy_kind(controller);
  if (!kind) throw py::value_error("a controller is 'model', 'steady', 'spread' or 'greedy', not '" + controller + "'");
  if (bins > policy::kMaxBins) throw py::value_error("there are at most " + std::to_string(policy::kMaxBins) + " bins");
  if (!(threshold > 0 && threshold <= 1)) throw py::value_error("threshold is a share: above 0 and at most 1");
  if (!(discount >= 0 && discount < 1)) throw py::value_error("discount is at least 0 and below 1");
  options.train.kind = *kind;
  options.train.threshold_share = threshold;
  options.discount = discount;
  options.restart = restart;
  const project::TrainedPolicy trained =
      at_length(progress, &library, [&](const Progress& told) -> Result<project::TrainedPolicy> {
        const auto flags = policy::flags_of_fragments(library, fragments);
        if (!flags) return fail_from(flags);
        const auto played = traces_for(library, traces, *flags);
        if (!played) return fail_from(played);
        return project::train_policy(library, name, options, *played, told);
      });
  py::dict told = told_policy(trained.policy);
  told["started_from_earlier"] = trained.started_from_earlier;
  return told;
}

py::dict train_graph(Library& library, const std::string& graph, const Names& behaviors, std::size_t headings,
                     double discount, const py::object& progress) {
  policy::GraphPolicyOptions options;
  options.behaviors = behaviors;
  options.headings = headings;
  options.discount = discount;
  const policy::GraphPolicy trained = at_length(progress, &library, [&](const Progress& told) {
    return project::train_graph_policy(library, graph, options, told);
  });
  py::dict told;
  told["behaviors"] = trained.behaviors;
  told["headings"] = trained.headings;
  // By wish (none, then each behavior), heading and node: 0 goes on, k takes the node's k-th transition.
  told["choice"] = py::array_t<std::uint16_t>(
      {length(trained.behaviors.size() + 1), length(trained.headings), length(trained.nodes)}, trained.choice.data());
  return told;
}

/// The machine of a text; names of errors are those of a file called `name`.
behavior::StateMachine parsed(const std::string& text, const std::string& name) {
  return value_of(behavior::parse_machine(text, name, {}, behavior::Connection::kAny));
}

py::array_t<double> weights_of(const behavior::StateMachine& machine) {
  const std::size_t states = machine.states.size();
  py::array_t<double> weights({length(states), length(states)});
  std::fill_n(weights.mutable_data(), states * states, 0.0);
  for (const behavior::MachineTransition& t : machine.transitions) {
    weights.mutable_at(length(t.from), length(t.to)) = static_cast<double>(t.weight);
  }
  return weights;
}

py::dict told_machine(const behavior::StateMachine& machine) {
  Names states;
  for (const behavior::MachineState& state : machine.states) states.push_back(state.name);
  py::dict told;
  told["text"] = behavior::format_machine(machine);
  told["states"] = states;
  told["default"] = states[machine.default_state];
  told["weights"] = weights_of(machine);
  return told;
}

py::dict mine(Library& library, const std::string& name, const std::string& graph,
              const std::optional<std::string>& hand, double discount, double delta, double least_probability,
              const py::object& progress) {
  machine::MineOptions options;
  options.discount = discount;
  options.delta = delta;
  options.least_probability = least_probability;
  std::optional<behavior::StateMachine> drawn;
  if (hand) drawn = parsed(*hand, "machine");
  const project::MinedMachine mined = at_length(progress, &library, [&](const Progress& told) {
    return project::mine_machine(library, name, graph, options, drawn ? &*drawn : nullptr, false, told);
  });
  const std::size_t states = mined.mined.states;
  py::array_t<double> probabilities({length(states), length(states)});
  for (std::size_t i = 0; i < states * states; ++i) probabilities.mutable_data()[i] = mined.mined.pairs[i].probability;
  py::dict told = told_machine(mined.machine);
  told["probabilities"] = probabilities;
  told["frames"] = mined.mined.frames;
  told["cyclic_share"] = py::array_t<double>(length(states), mined.mined.cyclic_share.data());
  return told;
}

py::dict told_built(const machine::BuiltMachine& built) {
  py::list states, transitions;
  for (const machine::BuiltState& state : built.states) {
    py::list parameters;
    for (std::size_t p = 0; state.parameters && p < state.parameters->space.size(); ++p) {
      const machine::StateParameters& known = *state.parameters;
      py::dict one;
      one["name"] = known.space.parameters[p].name;
      one["unit"] = known.space.parameters[p].unit;
      one["least"] = known.least[p];
      one["most"] = known.most[p];
      one["usual"] = known.usual[p];
      parameters.append(one);
    }
    py::dict told;
    told["name"] = state.name;
    told["cyclic"] = state.cyclic;
    told["examples"] = state.space->size();
    told["seconds"] = state.end - state.begin;
    told["parameters"] = parameters;
    states.append(told);
  }
  for (const machine::BuiltTransition& t : built.transitions) {
    py::array_t<double> knots({length(t.knots.size()), py::ssize_t{2}});
    double* out = knots.mutable_data();
    for (const behavior::WarpKnot& knot : t.knots) {
      *out++ = knot.from;
      *out++ = knot.to;
    }
    transitions.append(
        py::make_tuple(built.states[t.from].name, built.states[t.to].name, knots, std::sqrt(std::max(0.0, t.cost))));
  }
  py::dict told = told_machine(built.machine);
  told["built"] = states;
  told["transitions"] = transitions;
  return told;
}

py::dict build(Library& library, const std::string& name, double rate, double transition_seconds, bool parametric,
               const py::object& progress) {
  machine::BuildOptions options;
  options.rate = rate;
  options.transition_seconds = transition_seconds;
  options.parametric = parametric;
  return told_built(at_length(
      progress, &library, [&](const Progress& told) { return project::build_machine(library, name, options, told); }));
}

}  // namespace

void add_behaviors(py::module_& module) {
  py::class_<Trace>(module, "Trace", R"(What a player did over time: what policies are trained for.

Signals are seen from the body: metres a second to the left and ahead, radians a second to the left.

>>> import loom
>>> one = loom.Trace([0, 1, 2], [[0, 1.2, 0], [0, 1.2, 0.5], [0, 0, 0]])
>>> one.seconds
2.0)")
      .def(py::init(&trace_of), py::arg("times"), py::arg("signals"), py::arg("flags") = std::nullopt,
           py::arg("flag_names") = Names{policy::kAirborne}, py::arg("name") = "trace")
      .def_readonly("name", &Trace::name)
      .def_readonly("flag_names", &Trace::flags)
      .def_readonly("simulated", &Trace::simulated)
      .def_property_readonly("seconds", &Trace::seconds)
      .def_property_readonly("times",
                             [](const Trace& t) { return py::array_t<double>(length(t.times.size()), t.times.data()); })
      .def_property_readonly("signals", [](const Trace& t) { return rows_of(t.signals, itself); })
      .def_property_readonly("flags", [](const Trace& t) { return bits_of(t.signals, itself); });
  module.def(
      "simulate_players",
      [](std::size_t count, double seconds, std::uint64_t seed, const Names& flag_names) {
        if (count > 10000 || !(seconds > 0 && seconds <= 36000)) throw py::value_error("too many, or too long");
        policy::SimulationOptions options;
        options.traces = count;
        options.seconds = seconds;
        options.seed = seed;
        options.flags = flag_names;
        return policy::simulate_players(options);
      },
      py::arg("count") = 7, py::arg("seconds") = 60, py::arg("seed") = 1,
      py::arg("flag_names") = Names{policy::kAirborne}, "Traces of players who stand in where none were recorded.");

  auto library = py::reinterpret_borrow<py::class_<Library>>(module.attr("Library"));
  library
      .def("cut_fragments", &cut, py::arg("name"), py::arg("labels") = Names{}, py::arg("mirror") = false,
           py::arg("flags") = Names{}, py::arg("seconds") = project::kPlayedFragmentSeconds, py::arg("step") = 0.05,
           py::arg("rate") = std::nullopt, py::arg("progress") = py::none(),
           "Cuts clips into short pieces, kept under `name`: told as `fragments`.")
      .def(
          "fragments", [](const Library& l, const std::string& name) { return told_fragments(fragments_in(l, name)); },
          py::arg("name"),
          "Arrays by fragment: 'clip' (of 'clips'), 'frame', 'evident' (what it does: left, forward, turn), 'flags'.")
      .def("train_policy", &train, py::arg("name"), py::arg("fragments"),
           py::arg("traces") = std::vector<std::variant<Trace, std::string>>{}, py::arg("controller") = "model",
           py::arg("bins") = 0, py::arg("threshold") = 1, py::arg("discount") = 0.999, py::arg("restart") = false,
           py::arg("progress") = py::none(),
           R"(Trains a policy over fragments for players who left `traces`, kept under `name`: told as `policy`.

Traces are `loom.Trace`s, names of files (CSV, JSON) or of traces in the library; simulated players where there are none. One
that `progress` stopped by returning False is kept as far as it is, not 'converged', and the next training goes on from it.
Play it by `loom.pack_policy(library, name).character()`.

>>> import loom, os, tempfile
>>> moves = loom.Library(os.path.join(tempfile.mkdtemp(), "moves.loom"), "create")
>>> moves.add([loom.sample("walk-normal-1"), loom.sample("idle-1")])
>>> cut = moves.cut_fragments("moves")
>>> trained = moves.train_policy("moves", "moves", traces=loom.simulate_players(1, 20), bins=8)
>>> trained["converged"], trained["next"].shape == (len(trained["bins"]), len(cut["clip"]))
(True, True))")
      .def(
          "policy",
          [](const Library& l, const std::string& name) {
            return told_policy(*value_of(policy::load_policy(l, name)).policy);
          },
          py::arg("name"), "A policy as arrays: 'bins' of controls, and 'next' (bins, fragments), what follows each.")
      .def("train_graph_policy", &train_graph, py::arg("graph"), py::arg("behaviors") = Names{},
           py::arg("headings") = 36, py::arg("discount") = 0.99, py::arg("progress") = py::none(),
           "Trains a policy that steers the graph of that name; `loom.pack_graph` packs it with the graph.")
      .def(
          "put_trace",
          [](Library& l, const std::string& name, const Trace& t) { value_of(policy::store_trace(l, name, t)); },
          py::arg("name"), py::arg("trace"), "Keeps a trace under a name.")
      .def(
          "trace", [](const Library& l, const std::string& name) { return value_of(policy::find_trace(l, name)); },
          py::arg("name"), "The trace of that file, or kept under that name.")
      .def("mine_machine", &mine, py::arg("name"), py::arg("graph"), py::arg("hand") = std::nullopt,
           py::arg("discount") = 0.99, py::arg("delta") = 0.7, py::arg("least_probability") = 0.01,
           py::arg("progress") = py::none(),
           "Mines the machine of behaviors that a graph holds (Srinivasan 2009 chapter 3), kept under `name`: as "
           "`machine`, with 'probabilities' (states, states), 'frames' and 'cyclic_share'. `hand` is the text of a "
           "machine whose states to take; else each label is one.")
      .def(
          "put_machine",
          [](Library& l, const std::string& name, const std::string& text) {
            value_of(project::put_machine(l, name, parsed(text, name), "{\"from\": \"python\"}"));
          },
          py::arg("name"), py::arg("text"), "Keeps a machine drawn by hand, as the text of docs/machines.md.")
      .def(
          "machine",
          [](const Library& l, const std::string& name) {
            return told_machine(value_of(machine::load_machine(l, name)).machine.machine);
          },
          py::arg("name"), "Its 'text', 'states', 'default' and the 'weights' of transitions (states, states).")
      .def(
          "build_machine", &build, py::arg("name"), py::arg("rate") = 0, py::arg("transition_seconds") = 0.3,
          py::arg("parametric") = true, py::arg("progress") = py::none(),
          R"(Fills the machine's states with motion and finds the transitions between them: as `machine`, with 'built' and
'transitions' (from, to, knots of the warp as phases, distance in metres).

Play it by `loom.pack_machine(library, name).character()`.)");
}

}  // namespace loom::python
