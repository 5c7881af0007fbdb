// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/family/parameters.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>

namespace loom::blend {

/// A stretch of a recording, in frames.
struct Piece {
  std::size_t begin = 0, end = 0;     ///< [begin, end)
  std::optional<std::size_t> stroke;  ///< a frame within
};

/// The stretches of a clip that carry `label`, those that touch joined; the whole clip when the label is empty.
std::vector<Piece> labelled_stretches(const motion::Clip& clip, std::string_view label);

/// The hands (for reaches and punches) or feet (for kicks) of a body, left and right: wrists or ankles. Fails when the
/// body has none.
Result<std::array<int, 2>> effectors_of(const motion::Skeleton& skeleton, FamilyKind kind);

/// Cuts a stretch in which `effector` strikes once or several times into one piece for each stroke: where it is nearest
/// to home between two strokes, and, where there are several, from when it leaves home to when it is back. A stroke
/// marked in the clip counts before all proposals. Nothing where the effector does not strike.
std::vector<Piece> cut_strokes(const motion::Clip& clip, const Piece& stretch, int effector);

/// How far `effector` gets from where it was at the beginning, seen from the body, at most: metres.
float widest_travel(const motion::Clip& clip, const Piece& stretch, int effector);

/// Cuts a stretch of jumping down to one jump: from at most 1.2 s before the highest point of the root, the stroke, to
/// at most 1.2 s after. Nothing where the root never rises by more than 5 cm.
std::optional<Piece> cut_jump(const motion::Clip& clip, const Piece& stretch);

/// The stretches of a walk that are `cycles` whole cycles long, from one plant of the left foot to a later one, in
/// order and without overlap. The body is at the end as at the beginning, a little aside: cycles can go round.
std::vector<Piece> cut_cycles(const motion::Clip& clip, const motion::Contacts& contacts, const Piece& stretch,
                              std::size_t cycles);

}  // namespace loom::blend
