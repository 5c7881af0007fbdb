// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <loom/motion/contacts.h>
#include <loom/polish/foot.h>
#include <loom/polish/plant_feet.h>
#include <loom/polish/plants.h>

namespace loom::polish {

/// Where a foot is to be in every frame so that it stands still while planted, given where it is in the recording,
/// one entry a frame. It is held where `held` says; `contacts` tell the floor and how high a foot stands on it.
std::vector<FootPlace> plan_foot_path(const Foot& foot, std::span<const FootPlace> recorded, const FootContacts& held,
                                      const motion::Contacts& contacts, double rate, const FootPlantOptions& options);

}  // namespace loom::polish
