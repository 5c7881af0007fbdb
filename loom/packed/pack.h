// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/library/library.h>
#include <loom/packed/packed_character.h>
#include <loom/take/gather.h>

namespace loom::packed {

// What a library keeps, packed to be played without it. Each fails as loading does: where there is no such artefact,
// naming those there are, and where the library's clips have changed since it was built.

/// A motion graph; where it was trained to be steered, with its policy. Of recordings of which pruning has left only a
/// part, that part is packed with a second to both sides, which is as far as joining and tracks look.
Result<PackedCharacter> pack_graph(const library::Library& library, const std::string& name);

/// A policy over fragments, with the clips they were cut from.
Result<PackedCharacter> pack_policy(const library::Library& library, const std::string& name);

/// A machine of behaviors that was built.
Result<PackedCharacter> pack_machine(const library::Library& library, const std::string& name);

/// Motion matching over the motion that `source` asks for. `flags` are what can be asked for beside jumps: labels.
Result<PackedCharacter> pack_matching(const library::Library& library, const take::GatherOptions& source,
                                      const std::vector<std::string>& flags = {}, const Progress& progress = {});

/// Has the motion carried to a character whenever it is played. Fails where the motion is on no human body.
Result<void> put_onto(PackedCharacter& packed, const character::HumanBody& character);

/// What of a graph's recordings nodes need, and the graph that counts frames of that: `pack_graph` does it. Graphs with
/// motion between clips are left as they are.
void trim(graph::MotionGraph& graph, take::TakeSet& motion);

}  // namespace loom::packed
