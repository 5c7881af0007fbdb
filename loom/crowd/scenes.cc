// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/random.h>
#include <loom/base/whole.h>
#include <loom/crowd/scenes.h>

namespace loom::crowd {
namespace {

constexpr float kApart = 1.0f;   ///< metres between two at the start
constexpr double kRoomEach = 6;  ///< square metres in a square

float some_speed(Random& random) { return static_cast<float>(random.uniform(1.1, 1.5)); }

Member member(Flat from, Flat to, float speed) { return {{from.x, from.z, heading_of(to - from)}, {to}, speed, 0}; }

}  // namespace

std::vector<Member> circle_scene(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Member> members;
  const auto n = static_cast<float>(count);
  const float radius = std::max(6.0f, 1.2f * kApart * n / (2 * kPi));
  for (std::size_t i = 0; i < count; ++i) {
    const Flat from = direction_of(2 * kPi * static_cast<float>(i) / n) * radius;
    members.push_back(member(from, -from, some_speed(random)));
  }
  return members;
}

std::vector<Member> streams_scene(std::size_t count, float width, std::uint64_t seed) {
  Random random(seed);
  std::vector<Member> members;
  const auto row = to_whole<std::size_t>(std::max(1.0, std::floor(static_cast<double>(width / (1.5f * kApart)))));
  // All go the same way, until the last of one group is clear of the last of the other.
  const float way = 12 + 3 * kApart * std::ceil(static_cast<float>(count) / 2 / static_cast<float>(row));
  for (std::size_t i = 0; i < count; ++i) {
    const bool ahead = i % 2 == 0;
    const std::size_t n = i / 2, rank = n / row;
    const auto jitter = [&] { return static_cast<float>(random.uniform(-0.2, 0.2)); };
    const float x = 1.5f * kApart * (static_cast<float>(n % row) + 0.5f) - width / 2 + jitter();
    const float z = 4 + 1.5f * kApart * static_cast<float>(rank) + jitter();
    members.push_back(ahead ? member({x, -z}, {x, way - z}, some_speed(random))
                            : member({-x, z}, {-x, z - way}, some_speed(random)));
  }
  return members;
}

std::vector<Member> square_scene(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const double edge = std::sqrt(kRoomEach * static_cast<double>(count)) / 2;
  const auto anywhere = [&] {
    return Flat{static_cast<float>(random.uniform(-edge, edge)), static_cast<float>(random.uniform(-edge, edge))};
  };
  // Starts, then goals, each apart from those before it: nobody can stand where another does.
  const auto spread = [&] {
    std::vector<Flat> places;
    while (places.size() < count) {
      const Flat place = anywhere();
      const bool free = std::all_of(places.begin(), places.end(), [&](Flat p) { return length(p - place) > kApart; });
      if (free) places.push_back(place);
    }
    return places;
  };
  const std::vector<Flat> starts = spread(), goals = spread();
  std::vector<Member> members;
  for (std::size_t i = 0; i < count; ++i) members.push_back(member(starts[i], goals[i], some_speed(random)));
  return members;
}

}  // namespace loom::crowd
