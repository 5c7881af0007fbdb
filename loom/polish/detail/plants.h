// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/polish/foot.h>

namespace loom::polish {

/// A stretch of frames [begin, end) in which one point of a foot stays where it is.
struct Plant {
  std::size_t begin = 0, end = 0;
  Vec3 position{};  ///< where it dwells, and is held
  float dwell = 0;  ///< height, metres, at which the point dwells through the whole contact this plant is part of
};

/// When the two points of a foot are planted, one entry a frame, 0 or 1.
struct FootContacts {
  std::vector<std::uint8_t> heel, toe;
};

/// The plants of the two points of a foot, each in the order of time.
struct FootPlants {
  std::vector<Plant> heel, toe;
};

struct PlantOptions {
  double rate = 30;            ///< frames a second
  float min_seconds = 0.05f;   ///< shorter plants are not worth a pin
  float gap_seconds = 0.1f;    ///< a longer gap between two plants is no flicker of the contacts
  float max_gap = 0.02f;       ///< metres; nor is one across which the point moves further
  float max_wander = 0.15f;    ///< metres; a point that goes further while planted is not standing but shuffling
  float pause_seconds = 0.3f;  ///< between the two parts a shuffling plant is split into
};

/// Puts together what a flicker of the contacts tore apart: closes the short gaps in which a point hardly moves.
void close_gaps(FootContacts& contacts, std::span<const FootPlace> path, const PlantOptions& options);

/// The plants of a foot that is at `path`, without the frames in which it was `let_go` (one entry a frame).
///
/// A plant lies where the point dwells: the mean of its positions, slow frames counting more. Where a point wanders off
/// while planted, the whole foot is let go around its fastest moment. O(frames) for feet that stand.
FootPlants find_plants(std::span<const FootPlace> path, const FootContacts& contacts, std::vector<std::uint8_t> let_go,
                       const PlantOptions& options);

/// Makes the plants of the two ends of a foot agree: where a heel and a toe are planted at once they are moved on the
/// floor, the shorter plant more, until they are as far apart as they are on the foot. `length` is how long the foot is
/// on the floor, one entry a frame.
void agree_on_length(std::span<Plant> heels, std::span<Plant> toes, std::span<const float> length);

}  // namespace loom::polish
