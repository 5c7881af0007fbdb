// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/polish/detail/plants.h>

namespace loom::polish {
namespace {

// Metres a second. A frame this fast counts half as much towards where a plant lies as one standing still.
constexpr float kHalfWeightSpeed = 0.1f;
// Sweeps over all pairs of plants of a foot. They form short chains, so a few dozen bring them within a micrometre.
constexpr int kLengthSweeps = 30;

using Path = std::span<const FootPlace>;
using Point = Vec3 FootPlace::*;

float floor_distance(Vec3 a, Vec3 b) { return std::hypot(a.x - b.x, a.z - b.z); }

/// Speed on the floor at `frame`, from frames of the plant alone.
float speed_within(Path path, Point point, const Plant& plant, std::size_t frame, double rate) {
  const std::size_t before = frame > plant.begin ? frame - 1 : frame, after = frame + 1 < plant.end ? frame + 1 : frame;
  if (before == after) return 0;
  return floor_distance(path[after].*point, path[before].*point) *
         static_cast<float>(rate / static_cast<double>(after - before));
}

/// Finds where a plant lies.
void settle(Plant& plant, Path path, Point point, double rate) {
  Vec3 sum;
  float weights = 0;
  for (std::size_t f = plant.begin; f < plant.end; ++f) {
    const float speed = speed_within(path, point, plant, f, rate) / kHalfWeightSpeed;
    const float weight = 1 / (1 + speed * speed);
    sum += weight * path[f].*point;
    weights += weight;
  }
  plant.position = sum / weights;
  plant.dwell = plant.position.y;
}

/// The plants of one point where `planted(frame)`.
template <typename Planted>
std::vector<Plant> planted_ranges(Path path, Point point, Planted planted, double rate) {
  std::vector<Plant> plants;
  for (std::size_t f = 0; f < path.size(); ++f) {
    if (!planted(f)) continue;
    Plant plant{.begin = f, .end = f};
    while (plant.end < path.size() && planted(plant.end)) ++plant.end;
    settle(plant, path, point, rate);
    plants.push_back(plant);
    f = plant.end;
  }
  return plants;
}

/// The plants of one point. What is left of a contact of which part was let go keeps the height of the whole.
std::vector<Plant> plants_of(Path path, Point point, std::span<const std::uint8_t> planted,
                             std::span<const std::uint8_t> let_go, double rate) {
  const auto whole = planted_ranges(
      path, point, [&](std::size_t f) { return planted[f] != 0; }, rate);
  auto plants = planted_ranges(
      path, point, [&](std::size_t f) { return planted[f] && !let_go[f]; }, rate);
  std::size_t w = 0;
  for (Plant& plant : plants) {
    while (whole[w].end <= plant.begin) ++w;
    plant.dwell = whole[w].dwell;
  }
  return plants;
}

/// Marks as planted the short gaps in which the point hardly moves.
void close_gaps_of(std::vector<std::uint8_t>& planted, Path path, Point point, const PlantOptions& options) {
  const auto longest = to_whole<std::size_t>(options.gap_seconds * options.rate);
  std::size_t last = planted.size();  // the last planted frame so far
  for (std::size_t f = 0; f < planted.size(); ++f) {
    if (!planted[f]) continue;
    const bool gap = last < f && f - last - 1 <= longest;
    if (gap && floor_distance(path[last].*point, path[f].*point) <= options.max_gap) {
      std::fill(planted.begin() + static_cast<std::ptrdiff_t>(last), planted.begin() + static_cast<std::ptrdiff_t>(f),
                std::uint8_t{1});
    }
    last = f;
  }
}

/// Adds the fastest frame of every plant that goes further than `max_wander` from where it lies.
void find_wandering(std::span<const Plant> plants, Path path, Point point, const PlantOptions& options,
                    std::vector<std::size_t>& frames) {
  for (const Plant& plant : plants) {
    float wander = 0, fastest = -1;
    std::size_t at = plant.begin;
    for (std::size_t f = plant.begin; f < plant.end; ++f) {
      wander = std::max(wander, floor_distance(path[f].*point, plant.position));
      const float speed = speed_within(path, point, plant, f, options.rate);
      if (speed > fastest) fastest = speed, at = f;
    }
    if (wander > options.max_wander) frames.push_back(at);
  }
}

void pause(std::vector<std::uint8_t>& let_go, std::size_t around, const PlantOptions& options) {
  const auto half = to_whole<std::size_t>(0.5 * options.pause_seconds * options.rate);
  const std::size_t begin = around - std::min(around, half), end = std::min(around + half + 1, let_go.size());
  for (std::size_t f = begin; f < end; ++f) let_go[f] = 1;
}

void drop_short(std::vector<Plant>& plants, const PlantOptions& options) {
  std::erase_if(plants, [&](const Plant& plant) {
    return static_cast<double>(plant.end - plant.begin) < options.min_seconds * options.rate;
  });
}

/// Moves two overlapping plants until their distance on the floor is right.
void agree(Plant& heel, Plant& toe, std::span<const float> length) {
  const std::size_t begin = std::max(heel.begin, toe.begin), end = std::min(heel.end, toe.end);
  if (begin >= end) return;
  float wanted = 0;
  for (std::size_t f = begin; f < end; ++f) wanted += length[f];
  wanted /= static_cast<float>(end - begin);
  Vec3 apart = toe.position - heel.position;
  apart.y = 0;
  const float now = loom::length(apart);
  if (now < 1e-6f) return;
  const Vec3 error = apart * ((wanted - now) / now);
  const auto heel_frames = static_cast<float>(heel.end - heel.begin);
  const auto toe_frames = static_cast<float>(toe.end - toe.begin);
  heel.position -= error * (toe_frames / (heel_frames + toe_frames));
  toe.position += error * (heel_frames / (heel_frames + toe_frames));
}

}  // namespace

void close_gaps(FootContacts& contacts, std::span<const FootPlace> path, const PlantOptions& options) {
  close_gaps_of(contacts.heel, path, &FootPlace::heel, options);
  close_gaps_of(contacts.toe, path, &FootPlace::toe, options);
}

FootPlants find_plants(std::span<const FootPlace> path, const FootContacts& contacts, std::vector<std::uint8_t> let_go,
                       const PlantOptions& options) {
  FootPlants plants;
  std::vector<std::size_t> wandering;
  do {
    plants.heel = plants_of(path, &FootPlace::heel, contacts.heel, let_go, options.rate);
    plants.toe = plants_of(path, &FootPlace::toe, contacts.toe, let_go, options.rate);
    wandering.clear();
    find_wandering(plants.heel, path, &FootPlace::heel, options, wandering);
    find_wandering(plants.toe, path, &FootPlace::toe, options, wandering);
    for (const std::size_t frame : wandering) pause(let_go, frame, options);
  } while (!wandering.empty());
  drop_short(plants.heel, options);
  drop_short(plants.toe, options);
  return plants;
}

void agree_on_length(std::span<Plant> heels, std::span<Plant> toes, std::span<const float> length) {
  for (int sweep = 0; sweep < kLengthSweeps; ++sweep) {
    std::size_t first = 0;
    for (Plant& heel : heels) {
      while (first < toes.size() && toes[first].end <= heel.begin) ++first;
      for (std::size_t t = first; t < toes.size() && toes[t].begin < heel.end; ++t) {
        agree(heel, toes[t], length);
      }
    }
  }
}

}  // namespace loom::polish
