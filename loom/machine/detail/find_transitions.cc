// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/compare/point_cloud.h>
#include <loom/machine/detail/find_transitions.h>
#include <loom/machine/detail/unrolled.h>
#include <loom/machine/detail/warps.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>

namespace loom::machine {
namespace {

using behavior::MachineWarp;
using behavior::WarpKnot;

/// Of a motion that ends: as much of it may be left out when it is entered, and it is played as far before it is left.
/// With Srinivasan 2009 fig. 5.4 (b) the beginning of a stop is discarded, and what a jump is about lies in between.
constexpr double kEnterWithin = 1.0 / 3, kLeaveFrom = 0.6;
/// The same of motions that are played whole.
constexpr double kEnterWholeWithin = 0.1, kLeaveWholeFrom = 0.85;
constexpr double kLeastGapSeconds = 0.1;  ///< between two transitions of a pair

/// All states laid out for being compared.
struct Compared {
  std::vector<Unrolled> states;
  std::shared_ptr<const compare::PointCloud> metric;
};

std::size_t transition_rows(const BuildOptions& options) {
  return to_whole<std::size_t>(std::max(2.0, std::round(options.transition_seconds * options.rate)));
}

Result<Compared> lay_out(std::span<const BuiltState> states, const BuildOptions& options) {
  Compared compared;
  const compare::PointCloudOptions window = compare::cloud_window(options.rate);
  const std::size_t lead = window.half_window + 1, tail = lead + 1 + 2 * transition_rows(options);
  std::vector<motion::Clip> clips;
  for (const BuiltState& state : states) {
    compared.states.push_back(unroll(state, lead, tail));
    clips.push_back(compared.states.back().clip);
  }
  auto frames = compare::make_frame_set(clips);
  if (!frames) return fail_from(frames);
  auto metric = compare::PointCloud::create(std::make_shared<const compare::FrameSet>(std::move(*frames)), window);
  if (!metric) return fail_from(metric);
  compared.metric = std::make_shared<const compare::PointCloud>(std::move(*metric));
  return compared;
}

/// How long a transition of two motions is, in frames: of one that ends, a third of it at the most.
std::size_t rows_between(const Unrolled& from, const Unrolled& to, const BuildOptions& options) {
  std::size_t rows = transition_rows(options);
  if (!from.cyclic) rows = std::min(rows, from.steps / 3);
  if (!to.cyclic) rows = std::min(rows, to.steps / 3);
  return std::max<std::size_t>(rows, 1);
}

/// Where §5.4.4 has transitions of such a pairing.
WarpRegion region_of(const Unrolled& from, bool whole_from, const Unrolled& to, bool whole_to, std::size_t rows) {
  WarpRegion region;
  const auto frame = [](const Unrolled& state, double phase) {
    return to_whole<std::size_t>(std::round(phase * static_cast<double>(state.steps)));
  };
  if (from.cyclic) {
    region.first_row = from.lead;
    region.last_row = from.lead + from.steps - 1;
    region.end_row = from.clip.frames() - 1;
  } else {
    region.end_row = from.steps;
    region.last_row = from.steps - rows;
    region.first_row = std::min(frame(from, whole_from ? kLeaveWholeFrom : kLeaveFrom), region.last_row);
  }
  if (to.cyclic) {
    region.first_column = to.lead;
    region.last_column = to.lead + to.steps - 1;
    region.end_column = to.clip.frames() - 1;
  } else {
    region.last_column = frame(to, whole_to ? kEnterWholeWithin : kEnterWithin);
    region.end_column = std::max(frame(to, kLeaveFrom), rows);
  }
  return region;
}

/// Two states that are to be connected, laid out.
struct Neighbours {
  std::size_t from = 0, to = 0;  ///< numbers of the states
  const Unrolled &source, &target;
  const compare::CostMatrix& matrix;
};

BuiltTransition transition_of(const StraightWarp& warp, const Neighbours& states) {
  BuiltTransition transition{states.from, states.to, {}, warp.cost, false, {}};
  const auto row = static_cast<double>(warp.row), column = static_cast<double>(warp.column);
  transition.knots = {
      {states.source.phase(row), states.target.phase(column)},
      {states.source.phase(row + static_cast<double>(warp.rows)), states.target.phase(column + warp.columns)}};
  return transition;
}

double to_phase(const BuiltState& state, double seconds) { return (seconds - state.begin) / (state.end - state.begin); }
double to_seconds(const BuiltState& state, double phase) { return state.begin + phase * (state.end - state.begin); }

/// A warp of the file in phases. Fails where it lies outside the motions.
Result<BuiltTransition> transition_of(const MachineWarp& warp, std::span<const BuiltState> states) {
  const BuiltState &from = states[warp.from], &to = states[warp.to];
  BuiltTransition transition{warp.from, warp.to, {}, 0, warp.pinned, {}};
  for (const WarpKnot& knot : warp.knots) {
    transition.knots.push_back({to_phase(from, knot.from), to_phase(to, knot.to)});
  }
  constexpr double kSlack = 1e-6, kRounds = 2;
  const auto outside = [&](const BuiltState& state, double begin, double end) {
    return begin < -kSlack || (state.cyclic ? begin > 1 || end > kRounds : end > 1 + kSlack);
  };
  const auto &first = transition.knots.front(), &last = transition.knots.back();
  const bool out_of_source = outside(from, first.from, last.from);
  if (out_of_source || outside(to, first.to, last.to)) {
    const BuiltState& state = out_of_source ? from : to;
    return fail(fmt::format("a warp lies outside the motion of '{}', which goes from {:.2f} to {:.2f} seconds",
                            state.name, state.begin, state.end),
                warp.place.file, warp.place.line);
  }
  for (WarpKnot& knot : transition.knots) {
    knot.from = std::max(knot.from, 0.0);
    knot.to = std::max(knot.to, 0.0);
    if (!from.cyclic) knot.from = std::min(knot.from, 1.0);
    if (!to.cyclic) knot.to = std::min(knot.to, 1.0);
  }
  return transition;
}

/// What a warp made by hand costs: the mean of the matrix along it.
double cost_along(const compare::CostMatrix& matrix, const BuiltTransition& transition, const Unrolled& from,
                  const Unrolled& to) {
  double sum = 0;
  std::size_t count = 0;
  const auto at = [](double frame, std::size_t size) {
    return std::min(to_whole<std::size_t>(std::max(0.0, std::round(frame))), size - 1);
  };
  for (std::size_t k = 1; k < transition.knots.size(); ++k) {
    const WarpKnot &a = transition.knots[k - 1], &b = transition.knots[k];
    constexpr int kParts = 10;
    for (int p = 0; p <= kParts; ++p, ++count) {
      const double share = static_cast<double>(p) / kParts;
      sum += static_cast<double>(matrix.at(at(from.frame(a.from + share * (b.from - a.from)), matrix.rows),
                                           at(to.frame(a.to + share * (b.to - a.to)), matrix.columns)));
    }
  }
  return sum / static_cast<double>(count);
}

/// The rows at which a pair is left: as many as are worth it of a cycle, the cheapest of a motion that ends.
std::vector<std::size_t> choose_rows(const std::vector<StraightWarp>& warps, bool cyclic, const BuildOptions& options) {
  std::vector<double> costs;
  for (const StraightWarp& warp : warps) costs.push_back(warp.cost);
  const auto cheapest = static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
  if (costs[cheapest] == std::numeric_limits<double>::infinity()) return {};
  if (!cyclic) return {cheapest};
  PointLimits limits;
  limits.least_gap = to_whole<std::size_t>(std::max(1.0, std::round(kLeastGapSeconds * options.rate)));
  limits.most_gap = to_whole<std::size_t>(std::max(1.0, std::round(options.longest_wait * options.rate)));
  limits.waiting = options.patience / options.rate;
  auto chosen = choose_points(costs, limits);
  if (chosen.empty()) {
    limits.most_gap = costs.size();
    limits.least_gap = 1;
    chosen = choose_points(costs, limits);
  }
  return chosen;
}

/// Everything between two states: what is held, and what is found beside it.
Result<void> connect(const Neighbours& neighbours, std::span<const BuiltState> states, behavior::StateMachine& machine,
                     const BuildOptions& options, std::vector<BuiltTransition>& transitions) {
  const std::size_t from = neighbours.from, to = neighbours.to;
  const Unrolled &source = neighbours.source, &target = neighbours.target;
  const compare::CostMatrix& matrix = neighbours.matrix;
  std::vector<BuiltTransition> held;
  std::vector<ThrownOut> out;
  for (const MachineWarp& warp : machine.warps) {
    if (warp.from != from || warp.to != to) continue;
    auto transition = transition_of(warp, states);
    if (!transition) return fail_from(transition);
    const WarpKnot& first = transition->knots.front();
    if (warp.out) {
      out.push_back({source.frame(first.from), target.frame(first.to)});
    } else {
      transition->cost = cost_along(matrix, *transition, source, target);
      held.push_back(std::move(*transition));
    }
  }
  const std::size_t rows = rows_between(source, target, options);
  const auto warps =
      find_straight_warps(matrix, region_of(source, machine.states[from].whole, target, machine.states[to].whole, rows),
                          rows, out, static_cast<double>(rows) / 2);
  const double gap = kLeastGapSeconds * options.rate;
  for (const std::size_t row : choose_rows(warps, source.cyclic, options)) {
    const StraightWarp& warp = warps[row];
    const bool beside = std::any_of(held.begin(), held.end(), [&](const BuiltTransition& other) {
      return std::abs(source.frame(other.begin()) - static_cast<double>(warp.row)) < gap;
    });
    if (beside || (!source.cyclic && !held.empty())) continue;
    BuiltTransition found = transition_of(warp, neighbours);
    MachineWarp written{from, to, {}, false, false, {}};
    for (const WarpKnot& knot : found.knots) {
      written.knots.push_back({to_seconds(states[from], knot.from), to_seconds(states[to], knot.to)});
    }
    machine.warps.push_back(std::move(written));
    transitions.push_back(std::move(found));
  }
  transitions.insert(transitions.end(), held.begin(), held.end());
  const bool any = std::any_of(transitions.begin(), transitions.end(),
                               [&](const BuiltTransition& t) { return t.from == from && t.to == to; });
  if (any) return {};
  const behavior::Place& place = machine.find_transition(from, to)->place;
  return fail(fmt::format("no transition {} -> {} is left: all were thrown out", states[from].name, states[to].name),
              place.file, place.line);
}

/// Places in the parameter space of a state: its examples, as many as are worth it.
struct Samples {
  std::vector<std::vector<float>> coordinates;
  std::vector<std::vector<float>> weights;
};

constexpr std::size_t kMostSamples = 32;

Samples samples_of(const BuiltState& state) {
  Samples samples;
  const std::size_t size = state.space->size();
  if (!state.parameters) {
    samples.coordinates.emplace_back();
    samples.weights.push_back({1.0f});
    return samples;
  }
  const blend::ExamplePoints& points = state.parameters->points->points();
  const auto add = [&](std::span<const double> at) {
    std::vector<float> weights(size);
    weigh(*state.parameters, at, weights);
    samples.coordinates.emplace_back(at.begin(), at.end());
    samples.weights.push_back(std::move(weights));
  };
  const std::size_t stride = (size + kMostSamples - 1) / kMostSamples;
  for (std::size_t i = 0; i < size; i += stride) add(points[i]);
  // Between the examples too, while there is room: the middles of the simplices.
  const blend::Triangulation& simplices = *state.parameters->points;
  for (std::size_t s = 0; s < simplices.simplices() && samples.coordinates.size() < kMostSamples; ++s) {
    std::vector<double> middle(points.dimensions, 0.0);
    const auto corners = simplices.corners(s);
    for (const std::uint32_t corner : corners) {
      for (std::size_t d = 0; d < middle.size(); ++d)
        middle[d] += points[corner][d] / static_cast<double>(corners.size());
    }
    add(middle);
  }
  return samples;
}

/// How much worse than the best parameters may fit and yet be entered.
float fits(float best) { return 1.5f * best + 0.001f; }

/// What squared metres between two places of a standing foot count against those between all points of two bodies,
/// among which a foot is few.
constexpr double kFeet = 0.25;

/// Both along the warp, in as many frames as a window of the distance has.
constexpr std::size_t kEntryFrames = 12, kEntryMiddle = 5;

/// Where feet stand along a warp, seen from where the body stands and faces.
struct Stance {
  std::vector<std::uint8_t> planted;                       ///< one entry a frame
  std::vector<std::array<Vec3, motion::kFootParts>> feet;  ///< of each frame
};

/// A motion along a warp: as it is compared, and its feet.
struct AlongWarp {
  motion::Clip clip;
  Stance stance;
};

AlongWarp along_warp(const BuiltState& state, std::span<const float> weights, double begin, double end) {
  AlongWarp along;
  along.clip = sample_state(state, weights, begin, end, kEntryFrames, &along.stance.planted);
  const motion::Clip& clip = along.clip;
  const auto parts = motion::find_foot_points(*clip.skeleton);
  if (!parts) return along;
  const std::vector<Vec3> points = motion::point_positions(clip, 0, clip.frames());
  const auto frames = motion::GroundFrameFinder(*clip.skeleton).find(clip);
  const std::size_t size = points.size() / clip.frames();
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    std::array<Vec3, motion::kFootParts>& feet = along.stance.feet.emplace_back();
    for (std::size_t part = 0; part < feet.size(); ++part) {
      if ((*parts)[part] < 0) continue;
      feet[part] = transform(inverse(frames[f]), points[f * size + static_cast<std::size_t>((*parts)[part])]);
    }
  }
  return along;
}

/// By how much feet would be moved over the floor that stand on both sides: mean of squared metres over the warp. The
/// distance of all points hardly knows, since feet are few among them.
double feet_apart(const Stance& from, const Stance& to) {
  double sum = 0;
  for (std::size_t f = 0; f < from.feet.size(); ++f) {
    const std::uint8_t both = from.planted[f] & to.planted[f];
    double most = 0;
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      if ((both >> part & 1) == 0) continue;
      const Vec3 apart = from.feet[f][part] - to.feet[f][part];
      most = std::max(most, static_cast<double>(apart.x * apart.x + apart.z * apart.z));
    }
    sum += most;
  }
  return from.feet.empty() ? 0 : sum / static_cast<double>(from.feet.size());
}

}  // namespace

Result<double> cheapest_between(const BuiltState& from, const BuiltState& to, const BuildOptions& options) {
  const std::vector<BuiltState> both = {from, to};
  const auto compared = lay_out(both, options);
  if (!compared) return fail_from(compared);
  const auto matrix = compare::cost_matrix(*compared->metric, 0, 1);
  if (!matrix) return fail_from(matrix);
  const Unrolled &source = compared->states[0], &target = compared->states[1];
  const std::size_t rows = rows_between(source, target, options);
  double best = std::numeric_limits<double>::infinity();
  for (const StraightWarp& warp : find_straight_warps(*matrix, region_of(source, false, target, false, rows), rows)) {
    best = std::min(best, warp.cost);
  }
  return best;
}

Result<std::vector<ParametricEntry>> find_entries(const BuiltState& from, const BuiltState& to,
                                                  std::span<const WarpKnot> knots) {
  std::vector<ParametricEntry> entries;
  if (!to.parameters && !from.parameters) return entries;
  const Samples sources = samples_of(from), targets = samples_of(to);
  std::vector<motion::Clip> clips;
  std::vector<Stance> stances;
  const auto add = [&](AlongWarp along) {
    clips.push_back(std::move(along.clip));
    stances.push_back(std::move(along.stance));
  };
  for (const auto& weights : sources.weights) add(along_warp(from, weights, knots.front().from, knots.back().from));
  for (const auto& weights : targets.weights) add(along_warp(to, weights, knots.front().to, knots.back().to));
  auto frames = compare::make_frame_set(clips);
  if (!frames) return fail_from(frames);
  compare::PointCloudOptions window;
  window.half_window = kEntryMiddle;
  const auto metric =
      compare::PointCloud::create(std::make_shared<const compare::FrameSet>(std::move(*frames)), window);
  if (!metric) return fail_from(metric);
  const std::size_t dimensions = to.parameters ? to.parameters->space.size() : 0;
  for (std::size_t s = 0; s < sources.weights.size(); ++s) {
    std::vector<float> costs;
    for (std::size_t t = 0; t < targets.weights.size(); ++t) {
      const std::size_t other = sources.weights.size() + t;
      const auto distance =
          static_cast<double>(metric->distance(s * kEntryFrames + kEntryMiddle, other * kEntryFrames + kEntryMiddle));
      costs.push_back(static_cast<float>(distance + kFeet * feet_apart(stances[s], stances[other])));
    }
    const auto best = static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
    ParametricEntry entry{sources.coordinates[s], targets.coordinates[best], targets.coordinates[best],
                          targets.coordinates[best], costs[best]};
    for (std::size_t t = 0; t < costs.size(); ++t) {
      if (costs[t] > fits(costs[best])) continue;
      for (std::size_t d = 0; d < dimensions; ++d) {
        entry.least[d] = std::min(entry.least[d], targets.coordinates[t][d]);
        entry.most[d] = std::max(entry.most[d], targets.coordinates[t][d]);
      }
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

namespace {

Result<void> add_entries(std::span<const BuiltState> states, std::vector<BuiltTransition>& transitions) {
  for (BuiltTransition& transition : transitions) {
    auto entries = find_entries(states[transition.from], states[transition.to], transition.knots);
    if (!entries) return fail_from(entries);
    transition.entries = std::move(*entries);
  }
  return {};
}

void put_in_order(std::vector<BuiltTransition>& transitions) {
  std::stable_sort(transitions.begin(), transitions.end(), [](const BuiltTransition& a, const BuiltTransition& b) {
    return a.from != b.from ? a.from < b.from : a.to != b.to ? a.to < b.to : a.begin() < b.begin();
  });
}

}  // namespace

Result<std::vector<BuiltTransition>> find_transitions(std::span<const BuiltState> states,
                                                      behavior::StateMachine& machine, const BuildOptions& options,
                                                      const Progress& progress) {
  const auto compared = lay_out(states, options);
  if (!compared) return fail_from(compared);
  std::vector<BuiltTransition> transitions;
  std::size_t done = 0;
  const std::vector<behavior::MachineTransition> drawn = machine.transitions;
  for (const behavior::MachineTransition& t : drawn) {
    if (!progress.report(static_cast<double>(done++) / static_cast<double>(drawn.size()), "finding transitions")) {
      return fail_as(ErrorKind::kStopped, "stopped while finding transitions");
    }
    if (t.from == t.to) continue;
    const auto matrix = compare::cost_matrix(*compared->metric, t.from, t.to);
    if (!matrix) return fail_from(matrix);
    const Neighbours both{t.from, t.to, compared->states[t.from], compared->states[t.to], *matrix};
    const auto connected = connect(both, states, machine, options, transitions);
    if (!connected) return fail_from(connected);
  }
  if (options.parametric) {
    if (const auto added = add_entries(states, transitions); !added) return fail_from(added);
  }
  put_in_order(transitions);
  return transitions;
}

Result<std::vector<BuiltTransition>> find_transitions_between(std::size_t from, std::size_t to,
                                                              std::span<const BuiltState> states,
                                                              behavior::StateMachine& machine,
                                                              const BuildOptions& options) {
  const std::vector<BuiltState> pair = {states[from], states[to]};
  const auto compared = lay_out(pair, options);
  if (!compared) return fail_from(compared);
  const auto matrix = compare::cost_matrix(*compared->metric, 0, 1);
  if (!matrix) return fail_from(matrix);
  std::vector<BuiltTransition> transitions;
  const Neighbours both{from, to, compared->states[0], compared->states[1], *matrix};
  if (const auto connected = connect(both, states, machine, options, transitions); !connected) {
    return fail_from(connected);
  }
  if (options.parametric) {
    if (const auto added = add_entries(states, transitions); !added) return fail_from(added);
  }
  put_in_order(transitions);
  return transitions;
}

}  // namespace loom::machine
