// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/whole.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/family/triangulate.h>
#include <loom/compare/cost_matrix.h>
#include <loom/compare/point_cloud.h>
#include <loom/machine/detail/cycle.h>
#include <loom/machine/detail/fill_states.h>
#include <loom/machine/detail/find_transitions.h>
#include <loom/machine/detail/known_motion.h>
#include <loom/machine/state_nodes.h>
#include <loom/take/gather.h>

namespace loom::machine {
namespace {

using behavior::Holding;
using behavior::MachineState;
using behavior::MachineWarp;
using behavior::ReferenceMotion;
using behavior::TakenMotion;

constexpr double kFadeSeconds = 0.3;         ///< in which a cycle closes
constexpr std::size_t kMostFrames = 1200;    ///< of a recording that are looked at together for a cycle
constexpr std::size_t kMostCandidates = 12;  ///< stretches of a label that are tried

/// A stretch that a state could be made of.
struct Candidate {
  motion::Clip clip;
  motion::Contacts contacts;
  take::Stretch stretch;
};

tl::unexpected<Error> wrong(const behavior::Place& place, std::string message) {
  return fail(std::move(message), place.file, place.line);
}
tl::unexpected<Error> wrong(const behavior::Place& place, const Error& cause) {
  if (!cause.file.empty() || cause.line > 0 || cause.kind == ErrorKind::kStopped) return tl::unexpected<Error>(cause);
  return fail_because(cause, cause.message, place.file, place.line);
}

/// An alignment of one clip with itself.
blend::Alignment alone(double seconds) {
  blend::Alignment alignment;
  alignment.end = seconds;
  alignment.curves.push_back(*blend::RegistrationCurve::create({{0, 0}, {seconds, seconds}}));
  alignment.costs = {0};
  return alignment;
}

/// What was made by hand counts the seconds of the reference there was.
bool keeps_reference(const behavior::StateMachine& machine, std::size_t state) {
  const auto& reference = machine.states[state].reference;
  if (!reference) return false;
  return reference->pinned || std::any_of(machine.warps.begin(), machine.warps.end(), [&](const MachineWarp& warp) {
           return (warp.pinned || warp.out) && (warp.from == state || warp.to == state);
         });
}

/// The stretch of a recording that is a cycle, and of which.
struct FoundCycle {
  Cycle cycle;
  std::size_t candidate = 0;
  std::size_t first = 0;  ///< the frame of the recording from which the cycle's are counted
};

class Filler {
 public:
  Filler(const library::Library& library, behavior::StateMachine& machine, const BuildOptions& options)
      : library_(library), machine_(machine), options_(options) {}

  Result<FilledStates> fill(const Progress& progress);

 private:
  Result<void> require_room() const;
  Result<void> gather(std::size_t state);
  Result<std::vector<Candidate>> candidates_of(std::size_t state, const std::vector<TakenMotion>& takes);
  Result<Candidate> pinned_reference(const ReferenceMotion& reference) const;
  Result<void> fill_from_family(std::size_t state, const TakenMotion& family);
  Result<void> fill_cycle(std::size_t state);
  Result<void> fill_ending(std::size_t state);
  [[nodiscard]] Result<BuiltState> ending_of(std::size_t state, const Candidate& candidate) const;
  Result<double> cost_beside_neighbours(std::size_t state, const BuiltState& filled) const;
  [[nodiscard]] const MachineWarp* self_warp_of(std::size_t state) const;
  std::vector<behavior::WarpKnot> lay_out(std::size_t state, const FoundCycle& found, Candidate& reference);
  void remember(std::size_t state, const take::Stretch& stretch, std::size_t begin, std::size_t end);

  const library::Library& library_;
  behavior::StateMachine& machine_;
  const BuildOptions& options_;
  KnownMotion known_;
  FilledStates filled_;
  std::vector<std::vector<Candidate>> candidates_;  ///< one list a state
  std::vector<bool> done_;
};

Result<Candidate> Filler::pinned_reference(const ReferenceMotion& reference) const {
  const auto begin = to_whole<std::uint32_t>(std::round(reference.begin * options_.rate));
  const auto end = to_whole<std::uint32_t>(std::round(reference.end * options_.rate)) + 1;
  const take::Stretch stretch{reference.clip, reference.mirrored, begin, end - begin};
  auto gathered = take::gather_again(library_, std::span(&stretch, 1), options_.rate);
  if (!gathered) {
    return fail_because(gathered.error(),
                        fmt::format("the library has no clip '{}' with motion from {} to {} seconds", reference.clip,
                                    reference.begin, reference.end),
                        reference.place.file, reference.place.line);
  }
  take::TakeSet& motion = gathered->motion;
  return Candidate{std::move(motion.clips[0]), std::move(motion.contacts[0]), stretch};
}

Result<std::vector<Candidate>> Filler::candidates_of(std::size_t state, const std::vector<TakenMotion>& takes) {
  std::vector<Candidate> candidates;
  if (keeps_reference(machine_, state)) {
    auto pinned = pinned_reference(*machine_.states[state].reference);
    if (!pinned) return fail_from(pinned);
    candidates.push_back(std::move(*pinned));
    return candidates;
  }
  take::GatherOptions wanted;
  wanted.rate = options_.rate;
  wanted.body = options_.body;
  for (const TakenMotion& taken : takes) {
    if (taken.holding == Holding::kLabel) wanted.labels.push_back(taken.name);
    if (taken.holding == Holding::kClip) wanted.parts.push_back({taken.name});
  }
  auto gathered = take::gather(library_, wanted);
  if (!gathered) {
    const MachineState& drawn = machine_.states[state];
    if (gathered.error().kind != ErrorKind::kOther) return wrong(drawn.place, gathered.error());
    return wrong(drawn.place,
                 fmt::format("there is nothing to make state '{}' of: {}", drawn.name, gathered.error().message));
  }
  take::TakeSet& motion = gathered->motion;
  for (std::size_t c = 0; c < motion.clips.size(); ++c) {
    candidates.push_back({std::move(motion.clips[c]), std::move(motion.contacts[c]), motion.stretches[c]});
  }
  return candidates;
}

/// Asks for the motion of all states, which is held until the last of them is filled, and for the largest matrix in
/// which a cycle is looked for. Families ask for their own.
Result<void> Filler::require_room() const {
  const auto clips = library_.clips();
  if (!clips) return fail_from(clips);
  double frames = 0, bytes = 0, longest = 0, largest = 0;
  for (const MachineState& state : machine_.states) {
    const auto takes = motion_of(known_, state);
    if (!takes) return fail_from(takes);
    for (const library::ClipInfo& info : *clips) {
      const double scale = options_.rate / info.rate;
      const auto a_frame = static_cast<double>(library::bytes_per_frame(info.joints));
      double taken = 0;
      for (const TakenMotion& take : *takes) {
        if (take.holding == Holding::kClip && take.name == info.name) taken = static_cast<double>(info.frames);
        if (take.holding != Holding::kLabel) continue;
        for (const motion::Label& label : info.labels) {
          if (label.name == take.name) taken += static_cast<double>(label.end - label.begin);
        }
      }
      if (taken == 0) continue;
      frames += taken * scale;
      bytes += taken * scale * a_frame;
      longest = std::max(longest, static_cast<double>(info.frames) * (1 + 2 * scale) * a_frame);
      largest = std::max(largest, taken * scale);
    }
  }
  const auto side = to_whole<std::size_t>(std::min(largest, static_cast<double>(kMostFrames)));
  const double matrix = compare::cost_matrix_bytes(side, side);
  return require_memory(bytes + std::max(longest, matrix), fmt::format("filling states with {:.0f} frames", frames),
                        "label less motion, or take a lower rate", {"rate"});
}

Result<void> Filler::gather(std::size_t state) {
  const MachineState& drawn = machine_.states[state];
  const auto takes = motion_of(known_, drawn);
  if (!takes) return fail_from(takes);
  if (takes->empty()) {
    return wrong(drawn.place, fmt::format("the library has no motion for state '{}'; a machine that is to be played "
                                          "needs some for each",
                                          drawn.name));
  }
  const auto family = std::find_if(takes->begin(), takes->end(),
                                   [](const TakenMotion& taken) { return taken.holding == Holding::kFamily; });
  if (family != takes->end()) {
    if (takes->size() > 1) {
      return wrong(family->place, fmt::format("state '{}' is made of a family, and of nothing beside it", drawn.name));
    }
    return fill_from_family(state, *family);
  }
  auto candidates = candidates_of(state, *takes);
  if (!candidates) return fail_from(candidates);
  candidates_[state] = std::move(*candidates);
  return {};
}

Result<void> Filler::fill_from_family(std::size_t state, const TakenMotion& taken) {
  const auto stored = blend::load_family(library_, taken.name);
  if (!stored) return wrong(taken.place, stored.error());
  const blend::Family& family = *stored->family;
  if (family.rate != options_.rate) {
    return wrong(taken.place, fmt::format("family '{}' has {} frames a second, and the machine is built with {}",
                                          taken.name, family.rate, options_.rate));
  }
  BuiltState& built = filled_.states[state];
  const blend::Alignment& alignment = stored->space->alignment();
  built.begin = alignment.begin;
  built.end = alignment.end;
  built.space = stored->space;
  if (built.cyclic) {
    std::vector<motion::Clip> clips = stored->space->clips();
    built.self_cost = close_examples(clips, alignment);
    if (built.self_cost > options_.most_cycle_cost) {
      return wrong(taken.place,
                   fmt::format("state '{}' is cyclic, but in family '{}' the end is {:.0f} cm from the beginning: it "
                               "has no usable self-transition",
                               built.name, taken.name, 100 * std::sqrt(built.self_cost)));
    }
    auto closed = blend::BlendSpace::create(std::move(clips), stored->space->contacts(), alignment);
    if (!closed) return wrong(taken.place, closed.error());
    built.space = std::move(*closed);
  }
  auto points = blend::triangulate(family);
  if (!points) return wrong(taken.place, points.error());
  StateParameters parameters;
  parameters.space = family.space;
  const std::span<const double> usual = family.values_of(alignment.reference);
  parameters.usual.assign(usual.begin(), usual.end());
  parameters.least = parameters.most = parameters.usual;
  for (std::size_t m = 0; m < family.members.size(); ++m) {
    filled_.clips.insert(family.members[m].name);
    for (std::size_t p = 0; p < usual.size(); ++p) {
      parameters.least[p] = std::min(parameters.least[p], family.values_of(m)[p]);
      parameters.most[p] = std::max(parameters.most[p], family.values_of(m)[p]);
    }
  }
  parameters.weighting = blend::make_weighting(blend::Method::kBarycentric, *points, nullptr);
  parameters.points = std::move(*points);
  built.parameters = std::move(parameters);
  done_[state] = true;
  return {};
}

/// The stretch [begin, end) of a candidate, as the machine's file has it.
void Filler::remember(std::size_t state, const take::Stretch& stretch, std::size_t begin, std::size_t end) {
  filled_.clips.insert(stretch.name);
  const bool pinned = machine_.states[state].reference && machine_.states[state].reference->pinned;
  const behavior::Place place = machine_.states[state].reference.value_or(ReferenceMotion{}).place;
  const double first = static_cast<double>(stretch.begin + begin), last = static_cast<double>(stretch.begin + end - 1);
  machine_.states[state].reference =
      ReferenceMotion{stretch.name, stretch.mirrored, first / options_.rate, last / options_.rate, pinned, place};
}

/// A warp of a state to itself that is to be kept.
const MachineWarp* Filler::self_warp_of(std::size_t state) const {
  const auto found = std::find_if(machine_.warps.begin(), machine_.warps.end(), [&](const MachineWarp& warp) {
    return warp.from == state && warp.to == state && !warp.out;
  });
  return found == machine_.warps.end() ? nullptr : &*found;
}

Result<std::optional<FoundCycle>> best_cycle(const std::vector<Candidate>& candidates, const CycleLimits& limits,
                                             double rate) {
  std::vector<FoundCycle> found;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const std::size_t frames = candidates[c].clip.frames();
    for (std::size_t first = 0; first == 0 || first + limits.most < frames; first += kMostFrames - limits.most) {
      const std::size_t end = std::min(first + kMostFrames, frames);
      if (end - first < limits.least + limits.fade + 1) break;
      const auto piece = motion::cut(candidates[c].clip, first, end);
      if (!piece) return fail_from(piece);
      auto frame_set = compare::make_frame_set(std::span(&*piece, 1));
      if (!frame_set) return fail_from(frame_set);
      const auto metric = compare::PointCloud::create(std::make_shared<const compare::FrameSet>(std::move(*frame_set)),
                                                      compare::cloud_window(rate));
      if (!metric) continue;  // too short to be compared
      const auto costs = compare::cost_matrix(*metric, 0, 0);
      if (!costs) return fail_from(costs);
      if (const auto cycle = find_cycle(*costs, limits)) found.push_back({*cycle, c, first});
    }
  }
  double best = std::numeric_limits<double>::infinity();
  for (const FoundCycle& one : found) best = std::min(best, one.cycle.cost);
  std::optional<FoundCycle> longest;
  for (const FoundCycle& one : found) {
    if (one.cycle.cost > worse_but_longer(best)) continue;
    if (!longest || one.cycle.frames() > longest->cycle.frames()) longest = one;
  }
  return longest;
}

/// Makes the reference motion of a cycle: what is played of the recording it was found in, or all of a reference that
/// is to be kept. Returns the warp that closes it, in its seconds.
std::vector<behavior::WarpKnot> Filler::lay_out(std::size_t state, const FoundCycle& found, Candidate& reference) {
  const Candidate& from = candidates_[state][found.candidate];
  const bool all = keeps_reference(machine_, state);
  const std::size_t first = all ? 0 : found.first + found.cycle.begin - found.cycle.fade;
  const std::size_t end = all ? from.clip.frames() : found.first + found.cycle.end + 1;
  const auto at = [&](std::size_t frame) { return from.contacts.planted.begin() + static_cast<std::ptrdiff_t>(frame); };
  reference = {*motion::cut(from.clip, first, end), from.contacts, from.stretch};
  reference.contacts.planted.assign(at(first), at(end));
  remember(state, from.stretch, first, end);
  const auto seconds = [&](std::size_t frame) {
    return static_cast<double>(found.first + frame - first) / options_.rate;
  };
  const Cycle& cycle = found.cycle;
  return {{seconds(cycle.end - cycle.fade), seconds(cycle.begin - cycle.fade)},
          {seconds(cycle.end), seconds(cycle.begin)}};
}

Result<void> Filler::fill_cycle(std::size_t state) {
  BuiltState& built = filled_.states[state];
  const behavior::Place& place = machine_.states[state].place;
  const double rate = options_.rate;
  std::vector<behavior::WarpKnot> knots;
  Candidate reference;
  if (const MachineWarp* given = self_warp_of(state); given != nullptr && keeps_reference(machine_, state)) {
    reference = candidates_[state].front();
    knots = given->knots;
    const double end = reference.clip.duration() + 0.5 / rate;
    if (knots.back().from > end || knots.back().to >= knots.back().from) {
      return wrong(given->place, fmt::format("a self-transition leads from the end of a motion to its beginning, and "
                                             "the reference motion of '{}' has {:.2f} seconds",
                                             built.name, reference.clip.duration()));
    }
    remember(state, reference.stretch, 0, reference.clip.frames());
  } else {
    const CycleLimits limits{to_whole<std::size_t>(options_.shortest_cycle * rate),
                             to_whole<std::size_t>(options_.longest_cycle * rate),
                             to_whole<std::size_t>(std::round(kFadeSeconds * rate))};
    const auto found = best_cycle(candidates_[state], limits, rate);
    if (!found) return wrong(place, found.error());
    if (!*found || (**found).cycle.cost > options_.most_cycle_cost) {
      return wrong(place,
                   fmt::format("state '{}' is cyclic, but its motion has no usable self-transition: {}", built.name,
                               *found ? fmt::format("its end is {:.0f} cm from its beginning at the best",
                                                    100 * std::sqrt((**found).cycle.cost))
                                      : std::string("no stretch of it is long enough")));
    }
    built.self_cost = (**found).cycle.cost;
    knots = lay_out(state, **found, reference);
    machine_.warps.push_back({state, state, knots, false, false, {}});
  }
  ClosedMotion closed = close_cycle(reference.clip, reference.contacts, knots);
  built.begin = knots.back().to;
  built.end = knots.back().from;
  const double seconds = closed.clip.duration();
  closed.clip.name = reference.stretch.title();
  auto space = blend::BlendSpace::create({std::move(closed.clip)}, {std::move(closed.contacts)}, alone(seconds));
  if (!space) return wrong(place, space.error());
  built.space = std::move(*space);
  done_[state] = true;
  return {};
}

Result<BuiltState> Filler::ending_of(std::size_t state, const Candidate& candidate) const {
  BuiltState built = filled_.states[state];
  motion::Clip clip = candidate.clip;
  clip.name = candidate.stretch.title();
  clip.labels.clear();
  built.begin = 0;
  built.end = clip.duration();
  auto space = blend::BlendSpace::create({std::move(clip)}, {candidate.contacts}, alone(built.end));
  if (!space) return wrong(machine_.states[state].place, space.error());
  built.space = std::move(*space);
  return built;
}

/// What the cheapest transitions to and from the neighbours that have their motion cost.
Result<double> Filler::cost_beside_neighbours(std::size_t state, const BuiltState& filled) const {
  double sum = 0;
  for (const behavior::MachineTransition& t : machine_.transitions) {
    const std::size_t other = t.from == state ? t.to : t.from;
    if (t.from == t.to || (t.from != state && t.to != state) || !done_[other]) continue;
    const BuiltState& neighbour = filled_.states[other];
    const auto cost =
        t.from == state ? cheapest_between(filled, neighbour, options_) : cheapest_between(neighbour, filled, options_);
    if (!cost) return fail_from(cost);
    sum += *cost;
  }
  return sum;
}

Result<void> Filler::fill_ending(std::size_t state) {
  std::vector<Candidate>& all = candidates_[state];
  std::erase_if(all, [](const Candidate& candidate) { return candidate.clip.frames() < kShortestState; });
  const MachineState& drawn = machine_.states[state];
  if (all.empty()) {
    return wrong(drawn.place,
                 fmt::format("no motion of state '{}' is as long as {} frames", drawn.name, kShortestState));
  }
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  const std::size_t stride = (all.size() + kMostCandidates - 1) / kMostCandidates;
  for (std::size_t c = 0; c < all.size() && all.size() > 1; c += stride) {
    const auto tried = ending_of(state, all[c]);
    if (!tried) return fail_from(tried);
    const auto cost = cost_beside_neighbours(state, *tried);
    if (!cost) return fail_from(cost);
    if (*cost < least) least = *cost, best = c;
  }
  auto built = ending_of(state, all[best]);
  if (!built) return fail_from(built);
  filled_.states[state] = std::move(*built);
  remember(state, all[best].stretch, 0, all[best].clip.frames());
  done_[state] = true;
  return {};
}

Result<FilledStates> Filler::fill(const Progress& progress) {
  auto known = look_for_motion(library_);
  if (!known) return fail_from(known);
  known_ = std::move(*known);
  const std::size_t states = machine_.states.size();
  filled_.states.resize(states);
  candidates_.resize(states);
  if (const auto room = require_room(); !room) return fail_from(room);
  done_.assign(states, false);
  for (std::size_t s = 0; s < states; ++s) {
    if (!progress.report(static_cast<double>(s) / static_cast<double>(states), "filling states")) {
      return fail_as(ErrorKind::kStopped, "stopped while filling states");
    }
    filled_.states[s].name = machine_.states[s].name;
    filled_.states[s].cyclic = machine_.keeps_itself(s);
    if (const auto done = gather(s); !done) return fail_from(done);
    if (done_[s] || !filled_.states[s].cyclic) continue;
    if (const auto done = fill_cycle(s); !done) return fail_from(done);
  }
  for (std::size_t s = 0; s < states; ++s) {
    if (done_[s]) continue;
    if (const auto done = fill_ending(s); !done) return fail_from(done);
  }
  for (std::size_t s = 1; s < states; ++s) {
    if (*filled_.states[s].space->skeleton() == *filled_.states[0].space->skeleton()) continue;
    return wrong(machine_.states[s].place, fmt::format("state '{}' moves another body than state '{}'",
                                                       machine_.states[s].name, machine_.states[0].name));
  }
  return std::move(filled_);
}

}  // namespace

Result<double> usual_rate(const library::Library& library, const behavior::StateMachine& machine) {
  constexpr double kUsual = 30;
  const auto known = look_for_motion(library);
  if (!known) return fail_from(known);
  for (const MachineState& state : machine.states) {
    const auto takes = motion_of(*known, state);
    if (!takes) return fail_from(takes);
    for (const TakenMotion& taken : *takes) {
      if (taken.holding != Holding::kFamily) continue;
      const auto artefact = library.get_artefact(blend::kFamilyKind, taken.name);
      if (!artefact) return wrong(taken.place, artefact.error());
      const auto family = blend::family_from_bytes(artefact->data);
      if (!family) return wrong(taken.place, family.error());
      return family->rate;
    }
  }
  return kUsual;
}

Result<FilledStates> fill_states(const library::Library& library, behavior::StateMachine& machine,
                                 const BuildOptions& options, const Progress& progress) {
  // Warps that nobody holds are found anew, but for those that close a cycle others are held to.
  std::vector<bool> kept(machine.states.size());
  for (std::size_t s = 0; s < kept.size(); ++s) kept[s] = keeps_reference(machine, s);
  std::erase_if(machine.warps, [&](const MachineWarp& warp) {
    return !warp.pinned && !warp.out && !(warp.from == warp.to && kept[warp.from]);
  });
  return Filler(library, machine, options).fill(progress);
}

}  // namespace loom::machine
