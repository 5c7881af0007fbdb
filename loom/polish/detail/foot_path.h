// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <loom/motion/contacts.h>
#include <loom/polish/detail/plants.h>
#include <loom/polish/foot.h>
#include <loom/polish/plant_feet.h>

namespace loom::polish {

/// Where a foot is to be in every frame so that it stands still while planted, given where it is in the recording,
/// one entry a frame. `planted` are the contacts of this foot without flicker; in the frames of `let_go` it is not held
/// though planted. `contacts` tell the floor and how high a foot stands on it.
std::vector<FootPlace> plan_foot_path(const Foot& foot, std::span<const FootPlace> recorded,
                                      const FootContacts& planted, const std::vector<std::uint8_t>& let_go,
                                      const motion::Contacts& contacts, double rate, const FootPlantOptions& options);

}  // namespace loom::polish
