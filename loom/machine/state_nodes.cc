// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/blend/family/stored_family.h>
#include <loom/machine/detail/known_motion.h>
#include <loom/machine/mine.h>
#include <loom/machine/state_nodes.h>

namespace loom::machine {
namespace {

using behavior::Holding;
using behavior::TakenMotion;

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
  const auto known = look_for_motion(library);
  if (!known) return fail_from(known);
  std::vector<std::uint32_t> state_of(graph.nodes(), kNoState);
  for (std::uint32_t s = 0; s < machine.states.size(); ++s) {
    const auto takes = motion_of(*known, machine.states[s]);
    if (!takes) return fail_from(takes);
    std::vector<std::vector<Frames>> held(graph.clips.size());
    for (const TakenMotion& taken : *takes) {
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
