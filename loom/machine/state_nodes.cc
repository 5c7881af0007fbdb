// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/base/whole.h>
#include <loom/blend/family/stored_family.h>
#include <loom/machine/mine.h>
#include <loom/machine/state_nodes.h>

namespace loom::machine {
namespace {

using behavior::Holding;
using behavior::MachineState;
using behavior::TakenMotion;

/// What a library has that states can take.
struct Known {
  std::set<std::string> labels, clips, families;

  [[nodiscard]] const std::set<std::string>& of(Holding holding) const {
    return holding == Holding::kLabel ? labels : holding == Holding::kClip ? clips : families;
  }
  [[nodiscard]] bool has(const TakenMotion& taken) const { return of(taken.holding).contains(taken.name); }
};

Result<Known> look(const library::Library& library) {
  Known known;
  const auto labels = library.label_totals();
  if (!labels) return fail_from(labels);
  const auto clips = library.clips();
  if (!clips) return fail_from(clips);
  const auto families = library.artefacts(blend::kFamilyKind);
  if (!families) return fail_from(families);
  for (const auto& label : *labels) known.labels.insert(label.name);
  for (const auto& clip : *clips) known.clips.insert(clip.name);
  for (const auto& family : *families) known.families.insert(family.name);
  return known;
}

std::string lacks(const Known& known, const TakenMotion& taken) {
  if (taken.holding == Holding::kClip) return fmt::format("the library has no clip '{}'", taken.name);
  const auto& names = known.of(taken.holding);
  const std::string others = names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
  return taken.holding == Holding::kFamily
             ? fmt::format("the library has no family '{}'; its families are: {}", taken.name, others)
             : fmt::format("nothing in the library is labelled '{}'; its labels are: {}", taken.name, others);
}

/// Of the sets a state offers the first of which the library has anything.
const std::vector<TakenMotion>& chosen_set(const Known& known, const MachineState& state) {
  const auto found = std::find_if(state.takes.begin(), state.takes.end(), [&](const auto& set) {
    return std::any_of(set.begin(), set.end(), [&](const TakenMotion& taken) { return known.has(taken); });
  });
  return found == state.takes.end() ? state.takes.front() : *found;
}

/// Frames [begin, end) of a graph's clip, counted from its first.
using Frames = motion::FrameRange;

void add_labelled(const graph::GraphClip& clip, const std::string& label, std::vector<Frames>& held) {
  for (const motion::Label& given : clip.labels) {
    if (given.name == label) held.push_back({given.begin, given.end});
  }
}

/// The frames of a family's example that lie in a clip of the graph.
void add_member(const graph::GraphClip& clip, double rate, const blend::FamilyMember& member, double member_rate,
                std::vector<Frames>& held) {
  if (clip.mix || member.name != clip.name || member.mirrored != clip.mirrored) return;
  const auto at = [&](std::uint32_t frame) {
    return to_whole<std::int64_t>(std::round(frame * rate / member_rate)) - std::int64_t{clip.begin};
  };
  const std::int64_t begin = std::max<std::int64_t>(0, at(member.begin)), end = at(member.end());
  if (begin < end) held.push_back({static_cast<std::size_t>(begin), static_cast<std::size_t>(end)});
}

/// What one entry of a state takes of each clip of the graph.
Result<void> add_taken(const library::Library& library, const graph::MotionGraph& graph, const TakenMotion& taken,
                       std::vector<std::vector<Frames>>& held) {
  if (taken.holding == Holding::kFamily) {
    const auto stored = blend::load_family(library, taken.name);
    if (!stored) return fail_because(stored.error(), stored.error().message, taken.place.file, taken.place.line);
    for (std::size_t c = 0; c < graph.clips.size(); ++c) {
      for (const blend::FamilyMember& member : stored->family->members) {
        add_member(graph.clips[c], graph.rate, member, stored->family->rate, held[c]);
      }
    }
    return {};
  }
  for (std::size_t c = 0; c < graph.clips.size(); ++c) {
    const graph::GraphClip& clip = graph.clips[c];
    if (taken.holding == Holding::kLabel) {
      add_labelled(clip, taken.name, held[c]);
    } else if (!clip.mix && clip.name == taken.name) {
      held[c].push_back({0, clip.frames});
    }
  }
  return {};
}

}  // namespace

Result<std::vector<std::uint32_t>> states_of_nodes(const library::Library& library, const graph::MotionGraph& graph,
                                                   const behavior::StateMachine& machine) {
  const auto known = look(library);
  if (!known) return fail_from(known);
  std::vector<std::uint32_t> state_of(graph.nodes(), kNoState);
  for (std::uint32_t s = 0; s < machine.states.size(); ++s) {
    const MachineState& state = machine.states[s];
    std::vector<std::vector<Frames>> held(graph.clips.size());
    for (const TakenMotion& taken : chosen_set(*known, state)) {
      if (!known->has(taken)) {
        if (taken.optional || state.optional) continue;
        return fail(lacks(*known, taken), taken.place.file, taken.place.line);
      }
      if (const auto added = add_taken(library, graph, taken, held); !added) return fail_from(added);
    }
    for (const graph::Run& run : graph.runs) {
      for (const Frames& frames : held[run.clip]) {
        const auto begin = std::max<std::size_t>(run.begin, frames.begin);
        for (std::size_t f = begin; f < std::min<std::size_t>(run.end, frames.end); ++f) {
          std::uint32_t& owner = state_of[run.node_at(static_cast<std::uint32_t>(f))];
          if (owner == kNoState) owner = s;
        }
      }
    }
  }
  return state_of;
}

}  // namespace loom::machine
