// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <span>

#include <loom/io/raw_motion.h>

namespace loom::io {

/// Settles how the position channels of what carries the body (the root, and joints below it that have no sisters) go
/// together with its OFFSET, axis by axis, and notes what was decided. Programs disagree: in most files positions
/// replace the OFFSET, in some they are added to it, and in some the OFFSET is the place where the body first stood.
///
/// Where the OFFSET has a height that may be that of the hips, both readings are tried along the vertical axis, and the
/// one is kept that has the body's lowest point nearest to the floor at zero; where it has none, positions are added if
/// they are no heights either. Positions that replace do so along all axes; where they are added upwards, each other
/// axis is read such that the body starts nearest to its OFFSET. An axis whose OFFSET is too short to matter is left
/// alone.
///
/// The translations come as if positions replaced the OFFSET. `channels` has one entry for each of `motion.moving`:
/// which of its axes have a channel. `up_axis` is the vertical one where that is known. O(joints) for a hundred frames.
/// Returns how many joints, from the first, carry the body and are settled.
std::size_t settle_root_offset(RawMotion& motion, std::span<const std::array<bool, 3>> channels, RootOffset reading,
                               std::optional<int> up_axis);

}  // namespace loom::io
