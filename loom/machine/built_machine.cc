// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/machine/built_machine.h>
#include <loom/machine/ways.h>
#include <loom/take/take_bytes.h>

namespace loom::machine {
namespace {

constexpr std::uint32_t kMagic = 0x4d424d4c;  ///< "LMBM"
constexpr std::uint32_t kVersion = 1;
constexpr double kMostRounds = 4;  ///< phases of a warp that begins in the first round of a cycle stay below
constexpr std::uint64_t kMostTransitions = 100000, kMostEntries = 10000;

tl::unexpected<Error> damaged(const std::string& how) {
  return fail_as(ErrorKind::kDamaged, "the built machine is damaged: " + how);
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}
bool all_finite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

/// The clips of all states, one after the other.
take::TakeSet all_clips(const BuiltMachine& machine) {
  take::TakeSet set;
  set.skeleton = machine.skeleton();
  for (const BuiltState& state : machine.states) {
    const blend::BlendSpace& space = *state.space;
    set.clips.insert(set.clips.end(), space.clips().begin(), space.clips().end());
    set.contacts.insert(set.contacts.end(), space.contacts().begin(), space.contacts().end());
  }
  return set;
}

void write_alignment(ByteWriter& out, const blend::Alignment& alignment) {
  out.value<std::uint64_t>(alignment.reference);
  out.value(alignment.begin);
  out.value(alignment.end);
  for (const blend::RegistrationCurve& curve : alignment.curves) out.array(std::span(curve.knots()));
  out.array(std::span(alignment.strokes));
}

/// BlendSpace checks what it needs; here it is seen to that the numbers are some.
Result<blend::Alignment> read_alignment(ByteReader& in, std::size_t clips) {
  blend::Alignment alignment;
  alignment.reference = static_cast<std::size_t>(in.value<std::uint64_t>());
  alignment.begin = in.value<double>();
  alignment.end = in.value<double>();
  for (std::size_t c = 0; c < clips && in.ok(); ++c) {
    auto curve = blend::RegistrationCurve::create(in.array<blend::Mark>());
    if (!curve) return damaged(curve.error().message);
    for (const blend::Mark& knot : curve->knots()) {
      if (!(std::isfinite(knot.from) && std::isfinite(knot.to))) return damaged("a curve leaves all time");
    }
    alignment.curves.push_back(std::move(*curve));
  }
  alignment.costs.assign(clips, 0);
  alignment.strokes = in.array<double>();
  const bool sound = in.ok() && std::isfinite(alignment.begin) && std::isfinite(alignment.end);
  if (!sound || !all_finite(alignment.strokes)) return damaged("an alignment is not in order");
  return alignment;
}

void write_parameters(ByteWriter& out, const StateParameters& parameters) {
  out.value(static_cast<std::uint8_t>(parameters.space.kind));
  out.value<std::uint64_t>(parameters.space.size());
  for (const blend::FamilyParameter& parameter : parameters.space.parameters) {
    out.string(parameter.name);
    out.string(parameter.unit);
  }
  out.array(std::span(parameters.space.scales));
  out.array(std::span(parameters.least));
  out.array(std::span(parameters.most));
  out.array(std::span(parameters.usual));
  out.array(std::span<const std::byte>(parameters.points->to_bytes()));
}

Result<StateParameters> read_parameters(ByteReader& in, std::size_t examples) {
  StateParameters parameters;
  const auto kind = in.value<std::uint8_t>();
  const auto size = in.value<std::uint64_t>();
  if (!in.ok() || kind >= blend::kFamilyKinds || size == 0 || size > blend::kMaxDimensions) {
    return damaged("its parameters are not in order");
  }
  parameters.space.kind = static_cast<blend::FamilyKind>(kind);
  for (std::uint64_t p = 0; p < size; ++p) {
    std::string name = in.string();
    parameters.space.parameters.push_back({std::move(name), in.string()});
  }
  parameters.space.scales = in.array<double>();
  parameters.least = in.array<double>();
  parameters.most = in.array<double>();
  parameters.usual = in.array<double>();
  auto points = blend::Triangulation::from_bytes(in.array<std::byte>());
  if (!in.ok()) return damaged("it ends too soon");
  if (!points) return damaged(points.error().message);
  for (const auto* numbers : {&parameters.space.scales, &parameters.least, &parameters.most, &parameters.usual}) {
    if (numbers->size() != size || !all_finite(*numbers)) return damaged("its parameters are not in order");
  }
  const bool scaled = std::all_of(parameters.space.scales.begin(), parameters.space.scales.end(),
                                  [](double scale) { return scale > 0; });
  if (!scaled || (parameters.space.kind != blend::FamilyKind::kTable &&
                  !(parameters.space == blend::space_of(parameters.space.kind)))) {
    return damaged("its parameters are not of their kind");
  }
  if (points->points().size() != examples || points->points().dimensions != size) {
    return damaged("its examples are not where its parameters are");
  }
  parameters.points = std::make_shared<const blend::Triangulation>(std::move(*points));
  parameters.weighting = blend::make_weighting(blend::Method::kBarycentric, parameters.points, nullptr);
  return parameters;
}

Result<BuiltState> read_state(ByteReader& in, const behavior::MachineState& drawn, take::TakeSet& set,
                              std::size_t& clip) {
  BuiltState state;
  state.name = drawn.name;
  state.cyclic = in.value<std::uint8_t>() != 0;
  state.begin = in.value<double>();
  state.end = in.value<double>();
  state.self_cost = in.value<double>();
  const auto after = in.value<std::uint64_t>();
  const auto count = static_cast<std::size_t>(in.value<std::uint64_t>());
  if (!in.ok() || count == 0 || count > set.clips.size() - clip) return damaged("a state has no motion");
  if (!(std::isfinite(state.begin) && std::isfinite(state.end) && state.begin < state.end)) {
    return damaged("a state takes no time");
  }
  if (!(state.self_cost >= 0 && std::isfinite(state.self_cost))) return damaged("a cost is out of range");
  if (after != kNoWay) state.after = static_cast<std::size_t>(after);
  auto alignment = read_alignment(in, count);
  if (!alignment) return fail_from(alignment);
  const auto from = static_cast<std::ptrdiff_t>(clip), to = static_cast<std::ptrdiff_t>(clip + count);
  std::vector<motion::Clip> clips(std::make_move_iterator(set.clips.begin() + from),
                                  std::make_move_iterator(set.clips.begin() + to));
  std::vector<motion::Contacts> contacts(std::make_move_iterator(set.contacts.begin() + from),
                                         std::make_move_iterator(set.contacts.begin() + to));
  clip += count;
  auto space = blend::BlendSpace::create(std::move(clips), std::move(contacts), std::move(*alignment));
  if (!space) return damaged(space.error().message);
  state.space = std::move(*space);
  if (in.value<std::uint8_t>() != 0) {
    auto parameters = read_parameters(in, count);
    if (!parameters) return fail_from(parameters);
    state.parameters = std::move(*parameters);
  }
  if (state.parameters.has_value() != (count > 1)) return damaged("only a state of several examples has parameters");
  return state;
}

void write_transition(ByteWriter& out, const BuiltTransition& transition) {
  out.value<std::uint64_t>(transition.from);
  out.value<std::uint64_t>(transition.to);
  out.array(std::span(transition.knots));
  out.value(transition.cost);
  out.value<std::uint8_t>(transition.pinned ? 1 : 0);
  out.value<std::uint64_t>(transition.entries.size());
  for (const ParametricEntry& entry : transition.entries) {
    for (const auto* numbers : {&entry.from, &entry.best, &entry.least, &entry.most}) out.array(std::span(*numbers));
    out.value(entry.cost);
  }
}

std::size_t dimensions(const BuiltState& state) { return state.parameters ? state.parameters->space.size() : 0; }

Result<ParametricEntry> read_entry(ByteReader& in, std::size_t source, std::size_t target) {
  ParametricEntry entry;
  entry.from = in.array<float>();
  for (auto* numbers : {&entry.best, &entry.least, &entry.most}) {
    *numbers = in.array<float>();
    if (numbers->size() != target || !all_finite(*numbers)) return damaged("an entry is not in order");
  }
  entry.cost = in.value<float>();
  for (std::size_t d = 0; d < target; ++d) {
    if (!(entry.least[d] <= entry.most[d])) return damaged("an entry is not in order");
  }
  const bool sound = in.ok() && entry.from.size() == source && all_finite(entry.from) && std::isfinite(entry.cost);
  if (!sound) return damaged("an entry is not in order");
  return entry;
}

/// Whether phases are those of a state: of a cycle any round, as long as it begins in the first.
bool within(const BuiltState& state, double begin, double end) {
  return begin >= 0 && (state.cyclic ? begin <= 1 && end <= kMostRounds : end <= 1 + 1e-9);
}

Result<BuiltTransition> read_transition(ByteReader& in, const std::vector<BuiltState>& states) {
  BuiltTransition transition;
  transition.from = static_cast<std::size_t>(in.value<std::uint64_t>());
  transition.to = static_cast<std::size_t>(in.value<std::uint64_t>());
  transition.knots = in.array<behavior::WarpKnot>();
  transition.cost = in.value<double>();
  transition.pinned = in.value<std::uint8_t>() != 0;
  const auto entries = in.value<std::uint64_t>();
  const auto& knots = transition.knots;
  if (!in.ok() || transition.from >= states.size() || transition.to >= states.size() || knots.size() < 2 ||
      transition.from == transition.to || entries > kMostEntries) {
    return damaged("a transition leads nowhere");
  }
  for (std::size_t k = 1; k < knots.size(); ++k) {
    if (!(knots[k].from > knots[k - 1].from && knots[k].to > knots[k - 1].to)) return damaged("time goes backwards");
  }
  if (!within(states[transition.from], knots.front().from, knots.back().from) ||
      !within(states[transition.to], knots.front().to, knots.back().to)) {
    return damaged("a transition lies outside its motions");
  }
  if (!(transition.cost >= 0 && std::isfinite(transition.cost))) return damaged("a cost is out of range");
  for (std::uint64_t e = 0; e < entries; ++e) {
    auto entry = read_entry(in, dimensions(states[transition.from]), dimensions(states[transition.to]));
    if (!entry) return fail_from(entry);
    transition.entries.push_back(std::move(*entry));
  }
  return transition;
}

bool comes_before(const BuiltTransition& a, const BuiltTransition& b) {
  return a.from != b.from ? a.from < b.from : a.to != b.to ? a.to < b.to : a.begin() < b.begin();
}

/// What players rely on, beyond each part being sound.
std::string find_fault(const BuiltMachine& built) {
  if (!std::is_sorted(built.transitions.begin(), built.transitions.end(), comes_before)) return "no order";
  for (const behavior::MachineTransition& drawn : built.machine.transitions) {
    if (drawn.from != drawn.to && built.between(drawn.from, drawn.to).empty()) return "a transition lacks its motion";
  }
  for (std::size_t s = 0; s < built.states.size(); ++s) {
    const BuiltState& state = built.states[s];
    if (state.cyclic) continue;
    if (state.after && (*state.after >= built.states.size() || built.between(s, *state.after).empty())) {
      return "what follows a state cannot be entered from it";
    }
  }
  return {};
}

}  // namespace

void weigh(const StateParameters& parameters, std::span<const double> coordinates, std::span<float> weights) {
  std::array<double, blend::kMaxExamples> nearest{};
  if (parameters.points->project(coordinates, std::span(nearest.data(), weights.size())) > 0) {
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(nearest[i]);
  } else {
    parameters.weighting->weigh(coordinates, blend::Outside::kClamp, weights);
  }
  float sum = 0;
  for (float& weight : weights) sum += weight = std::max(weight, 0.0f);
  for (float& weight : weights) weight /= sum;
}

std::span<const BuiltTransition> BuiltMachine::between(std::size_t from, std::size_t to) const {
  const auto key = [](const BuiltTransition& t) { return std::pair(t.from, t.to); };
  const std::pair wanted(from, to);
  const auto first = std::lower_bound(transitions.begin(), transitions.end(), wanted,
                                      [&](const BuiltTransition& t, const auto& pair) { return key(t) < pair; });
  const auto last = std::upper_bound(first, transitions.end(), wanted,
                                     [&](const auto& pair, const BuiltTransition& t) { return pair < key(t); });
  return {transitions.data() + (first - transitions.begin()), static_cast<std::size_t>(last - first)};
}

std::vector<std::byte> to_bytes(const BuiltMachine& machine) {
  ByteWriter out;
  out.value(kMagic);
  out.value(kVersion);
  out.string(behavior::format_machine(machine.machine));
  out.array(std::span<const std::byte>(take::to_bytes(all_clips(machine))));
  for (const BuiltState& state : machine.states) {
    out.value<std::uint8_t>(state.cyclic ? 1 : 0);
    out.value(state.begin);
    out.value(state.end);
    out.value(state.self_cost);
    out.value<std::uint64_t>(state.after.value_or(kNoWay));
    out.value<std::uint64_t>(state.space->size());
    write_alignment(out, state.space->alignment());
    out.value<std::uint8_t>(state.parameters ? 1 : 0);
    if (state.parameters) write_parameters(out, *state.parameters);
  }
  out.value<std::uint64_t>(machine.transitions.size());
  for (const BuiltTransition& transition : machine.transitions) write_transition(out, transition);
  out.value<std::uint64_t>(machine.clips.size());
  for (const std::string& clip : machine.clips) out.string(clip);
  return out.take();
}

Result<BuiltMachine> built_machine_from_bytes(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  if (in.value<std::uint32_t>() != kMagic) return damaged("this is none");
  if (const auto version = in.value<std::uint32_t>(); version != kVersion) {
    return fail_as(
        version > kVersion ? ErrorKind::kNewer : ErrorKind::kDamaged,
        fmt::format("this built machine is of version {}, and this program reads version {}", version, kVersion));
  }
  auto drawn = behavior::parse_machine(in.string(), "", {}, behavior::Connection::kAny);
  if (!drawn) return damaged(drawn.error().message);
  auto set = take::take_set_from_bytes(in.array<std::byte>());
  if (!set) return damaged(set.error().message);
  BuiltMachine built;
  built.machine = std::move(*drawn);
  std::size_t clip = 0;
  for (const behavior::MachineState& state : built.machine.states) {
    auto read = read_state(in, state, *set, clip);
    if (!read) return fail_from(read);
    built.states.push_back(std::move(*read));
  }
  if (clip != set->clips.size()) return damaged("it has motion that belongs to no state");
  const auto transitions = in.value<std::uint64_t>();
  if (!in.ok() || transitions > kMostTransitions) return damaged("it has too many transitions");
  for (std::uint64_t t = 0; t < transitions; ++t) {
    auto transition = read_transition(in, built.states);
    if (!transition) return fail_from(transition);
    built.transitions.push_back(std::move(*transition));
  }
  const auto clips = in.value<std::uint64_t>();
  for (std::uint64_t c = 0; c < clips && in.ok(); ++c) built.clips.push_back(in.string());
  if (!in.finished()) return damaged("it ends too soon or too late");
  if (const std::string fault = find_fault(built); !fault.empty()) return damaged(fault);
  return built;
}

std::vector<std::size_t> first_steps(const behavior::StateMachine& machine) {
  const std::size_t states = machine.states.size();
  const std::vector<Edge> edges = edges_of(machine);
  std::vector<std::size_t> steps(states * states, kNoWay);
  constexpr double kFar = std::numeric_limits<double>::infinity();
  // What it costs to come to `to`, from each state; of what costs the same, fewer steps.
  std::vector<std::pair<double, std::size_t>> costs(states);
  for (std::size_t to = 0; to < states; ++to) {
    costs.assign(states, {kFar, 0});
    costs[to] = {0, 0};
    steps[to * states + to] = to;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Edge& edge : edges) {
        if (edge.from == to || costs[edge.to].first == kFar) continue;
        const std::pair by{costs[edge.to].first + edge.cost, costs[edge.to].second + 1};
        if (!(by < costs[edge.from])) continue;
        costs[edge.from] = by;
        steps[edge.from * states + to] = edge.to;
        changed = true;
      }
    }
  }
  return steps;
}

}  // namespace loom::machine
