// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/behavior/state_edges.h>
#include <loom/behavior/state_machine.h>
#include <loom/motion/clip.h>
#include <loom/motion/t_pose.h>

namespace loom::behavior {

/// The blows in frames [begin, end) of a clip, ascending and apart: where a hand or a foot, seen from where the body
/// stands, moves as fast as one that strikes, each from the rest before it to the rest after it, what swings up for it
/// and what comes back with it. What strikes again at once is the same blow; between two is a guard, however short.
/// None on a body without two arms and two legs. O(frames × joints).
std::vector<motion::FrameRange> find_blows(const motion::Clip& clip, std::size_t begin, std::size_t end);

/// Cuts what is longer than `longest_seconds` without a gate, in whole states that attack, at its blows: what lies
/// between them becomes of the default state in `state_of`, the vector that `frames` looks at, since whoever stands
/// there on guard waits for what comes next. Returns the blows, ascending. Only where one may go from the default state
/// to the attack and back. `actions` are those found without it. O(frames).
std::vector<FrameSpan> cut_at_blows(const StateMachine& machine, const StateFrames& frames,
                                    std::span<const Action> actions, std::span<const motion::Clip> clips,
                                    double longest_seconds, std::vector<std::uint32_t>& state_of);

}  // namespace loom::behavior
