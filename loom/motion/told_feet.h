// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <loom/motion/clip.h>

namespace loom::motion {

// People who know better than thresholds say which feet stand: by the labels "feet-left", "feet-right", "feet-both" and
// "feet-none". `find_contacts` goes by them; they are no behaviors.

/// Is this one of the four?
bool tells_feet(std::string_view label);

/// Puts into `planted` (bits of Contacts, one entry a frame) what labels tell, later ones over earlier ones. A foot
/// that is told to stand and was not found to stands on heel and toe.
void apply_told_feet(std::span<const Label> labels, std::span<std::uint8_t> planted);

/// Leaves only labels that say what a body does.
void drop_told_feet(std::vector<Label>& labels);

}  // namespace loom::motion
