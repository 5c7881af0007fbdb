// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <loom/crowd/crowd.h>

namespace loom::crowd {

/// Crowds to try steerings on, none of which starts in another. Speeds differ a little from one to the next, as people
/// do; the same seed gives the same members.

/// All on a circle, each on its way to the other side through the middle, where all meet.
std::vector<Member> circle_scene(std::size_t count, std::uint64_t seed = 1);
/// Two groups that walk through each other along Z, in rows `width` metres wide.
std::vector<Member> streams_scene(std::size_t count, float width = 10, std::uint64_t seed = 1);
/// Anywhere on a square, with goals anywhere on it: 6 square metres each.
std::vector<Member> square_scene(std::size_t count, std::uint64_t seed = 1);

}  // namespace loom::crowd
