// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/take/take_set.h>

namespace loom::graph {

/// Holds the feet of every clip of a set where they stand (polish/plant_feet.h). A foot that moves on all the same
/// makes a low step that was taken for a plant: its contacts go, where the other foot stands. In recordings a foot that
/// stands still wanders by centimetres a second, and what is mixed of them wanders as much: of held feet it stands
/// still (Zhao 2009 §4.1.1). O(frames), on all cores. Fails on a body without feet, and when `progress` asks to stop.
Result<void> hold_feet(take::TakeSet& motion, const Progress& progress = {});

/// The parameter of a graph that tells of it, and whether a graph of these parameters was built of held feet: then its
/// clips are held when they are read again.
inline constexpr const char* kHeldFeetKey = "held_feet";
bool has_held_feet(const std::string& parameters);

}  // namespace loom::graph
