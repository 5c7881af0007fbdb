// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/polish/detail/foot_path.h>
#include <loom/polish/detail/plants.h>
#include <loom/polish/detail/smooth_curve.h>

namespace loom::polish {
namespace {

// How strongly the two ends of a foot move as one, against the wish of each to stay where it was recorded.
constexpr double kTie = 10;
// Metres. A plant further from the floor than this stands on something (a step, a box) and keeps its height.
constexpr float kHighestFloat = 0.06f;
// Rounds of lifting frames that the smooth curve would push below the floor.
constexpr int kFloorRounds = 4;
// Metres. Deeper than this below the lower of floor and recording counts as pushed.
constexpr float kFloorTolerance = 0.001f;

using Path = std::span<const FootPlace>;

/// One point of a foot through the clip.
struct PointTrack {
  Vec3 FootPlace::*point = nullptr;
  std::vector<Plant> plants;
  float rest = 0;     ///< height above the floor at which it stands, metres
  float deepest = 0;  ///< how far it may go below that
};

/// The height above the floor a point stands at: the median over its plants, each counted by its frames.
float median_height(std::span<const Plant> plants, const motion::Floor& floor) {
  std::vector<std::pair<float, std::size_t>> heights;
  std::size_t frames = 0;
  for (const Plant& plant : plants) {
    heights.emplace_back(plant.dwell - floor.at(plant.position), plant.end - plant.begin);
    frames += plant.end - plant.begin;
  }
  std::sort(heights.begin(), heights.end());
  std::size_t before = 0;
  for (const auto& [height, count] : heights) {
    before += count;
    if (2 * before >= frames) return height;
  }
  return 0;
}

PointTrack make_track(Vec3 FootPlace::*point, std::vector<Plant> plants, const motion::Contacts& contacts,
                      std::size_t part, float deepest) {
  // Contacts that were carried along with made motion do not say how high a foot stands; its plants do.
  const bool known = contacts.points[part] >= 0;
  const float rest = known ? contacts.rest_height[part] : median_height(plants, contacts.ground);
  for (Plant& plant : plants) {
    const float standing = contacts.ground.at(plant.position) + rest;
    const bool on_floor = std::abs(plant.dwell - standing) < kHighestFloat || plant.dwell < standing - deepest;
    plant.position.y = on_floor ? standing : plant.dwell;
  }
  return {point, std::move(plants), rest, deepest};
}

Pins pins_along(const PointTrack& track, Path recorded, float Vec3::*axis) {
  Pins pins{std::vector<std::uint8_t>(recorded.size()), std::vector<double>(recorded.size())};
  for (const Plant& plant : track.plants) {
    for (std::size_t f = plant.begin; f < plant.end; ++f) {
      pins.held[f] = 1;
      pins.value[f] = plant.position.*axis - (recorded[f].*track.point).*axis;
    }
  }
  return pins;
}

Pins height_pins(const PointTrack& track, Path recorded) {
  Pins pins{std::vector<std::uint8_t>(recorded.size()), std::vector<double>(recorded.size())};
  for (const Plant& plant : track.plants) {
    for (std::size_t f = plant.begin; f < plant.end; ++f) {
      const float y = (recorded[f].*track.point).y;
      pins.held[f] = 1;
      pins.value[f] = plant.position.y + settled_height(y - plant.dwell) - y;
    }
  }
  return pins;
}

/// Pins at the floor the frames that a correction pushes below it, and those deeper than may be; false when there are
/// none.
bool lift_sunken(const PointTrack& track, Path recorded, const motion::Floor& floor, std::span<const double> offsets,
                 Pins& pins) {
  bool any = false;
  for (std::size_t f = 0; f < offsets.size(); ++f) {
    const Vec3 p = recorded[f].*track.point;
    const float standing = floor.at(p) + track.rest;
    const float lowest = p.y < standing - track.deepest ? standing : std::min(p.y, standing);
    if (pins.held[f] || p.y + offsets[f] >= lowest - kFloorTolerance) continue;
    pins.held[f] = 1;
    pins.value[f] = lowest - p.y;
    any = true;
  }
  return any;
}

CurvePair height_offsets(const PointTrack& heel, const PointTrack& toe, Path recorded, const motion::Floor& floor,
                         double ease_frames) {
  Pins heel_pins = height_pins(heel, recorded), toe_pins = height_pins(toe, recorded);
  CurvePair offsets = smoothest_curves(heel_pins, toe_pins, ease_frames, kTie);
  for (int round = 0; round < kFloorRounds; ++round) {
    const bool heel_sunk = lift_sunken(heel, recorded, floor, offsets.first, heel_pins);
    const bool toe_sunk = lift_sunken(toe, recorded, floor, offsets.second, toe_pins);
    if (!heel_sunk && !toe_sunk) break;
    offsets = smoothest_curves(heel_pins, toe_pins, ease_frames, kTie);
  }
  return offsets;
}

/// In each frame, which end gives way when the two are not as far apart as the foot is long: 1 the heel, 0 the toe.
/// What is planted does not give way; between, it changes over gradually.
std::vector<float> heel_gives_way(std::span<const std::uint8_t> heel_held, std::span<const std::uint8_t> toe_held) {
  std::vector<float> share(heel_held.size(), 0.5f);
  std::size_t last = share.size();
  for (std::size_t f = 0; f < share.size(); ++f) {
    if (heel_held[f] == toe_held[f]) continue;
    share[f] = toe_held[f] ? 1.0f : 0.0f;
    const std::size_t from = last < share.size() ? last : 0;
    const float before = last < share.size() ? share[last] : share[f];
    for (std::size_t g = from; g < f; ++g) {
      share[g] = before + (share[f] - before) * static_cast<float>(g - from) / static_cast<float>(f - from);
    }
    last = f;
  }
  if (last < share.size()) std::fill(share.begin() + static_cast<std::ptrdiff_t>(last), share.end(), share[last]);
  return share;
}

std::vector<float> floor_lengths(const PointTrack& heel, const PointTrack& toe, Path recorded) {
  const float drop = heel.rest - toe.rest;
  std::vector<float> lengths(recorded.size());
  for (std::size_t f = 0; f < recorded.size(); ++f) {
    const float length = distance(recorded[f].heel, recorded[f].toe);
    lengths[f] = std::sqrt(std::max(length * length - drop * drop, 0.0f));
  }
  return lengths;
}

std::vector<FootPlace> solve_path(const PointTrack& heel, const PointTrack& toe, Path recorded,
                                  const motion::Floor& floor, double ease_frames) {
  const Pins heel_x = pins_along(heel, recorded, &Vec3::x), toe_x = pins_along(toe, recorded, &Vec3::x);
  const Pins heel_z = pins_along(heel, recorded, &Vec3::z), toe_z = pins_along(toe, recorded, &Vec3::z);
  const CurvePair x = smoothest_curves(heel_x, toe_x, ease_frames, kTie);
  const CurvePair y = height_offsets(heel, toe, recorded, floor, ease_frames);
  const CurvePair z = smoothest_curves(heel_z, toe_z, ease_frames, kTie);
  const std::vector<float> heel_share = heel_gives_way(heel_x.held, toe_x.held);
  const auto vector = [](double a, double b, double c) {
    return Vec3{static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)};
  };
  std::vector<FootPlace> path(recorded.begin(), recorded.end());
  for (std::size_t f = 0; f < path.size(); ++f) {
    const Vec3 own = path[f].toe - path[f].heel;
    path[f].heel += vector(x.first[f], y.first[f], z.first[f]);
    path[f].toe += vector(x.second[f], y.second[f], z.second[f]);
    keep_direction(path[f], own, heel_share[f]);
    keep_length(path[f], length(own), heel_share[f]);
  }
  return path;
}

}  // namespace

std::vector<FootPlace> plan_foot_path(const Foot& foot, std::span<const FootPlace> recorded,
                                      const FootContacts& planted, const std::vector<std::uint8_t>& let_go,
                                      const motion::Contacts& contacts, double rate, const FootPlantOptions& options) {
  FootPlants plants = find_plants(recorded, planted, let_go,
                                  {.rate = rate, .min_seconds = options.min_seconds, .max_wander = options.max_wander});
  PointTrack heel = make_track(&FootPlace::heel, std::move(plants.heel), contacts, foot.heel_part, options.deepest);
  PointTrack toe = make_track(&FootPlace::toe, std::move(plants.toe), contacts, foot.toe_part, options.deepest);
  agree_on_length(heel.plants, toe.plants, floor_lengths(heel, toe, recorded));
  return solve_path(heel, toe, recorded, contacts.ground, options.ease_seconds * rate);
}

}  // namespace loom::polish
