// SPDX-License-Identifier: MIT
// Real characters of many conventions against a table made by hand.
#include <gtest/gtest.h>

#include <loom/character/map_joints.h>
#include <loom/io/read_rig.h>

#include "tests/character_table.h"

namespace loom::character {
namespace {

using namespace loom::testing;

#define LOOM_REQUIRE_CHARACTERS()                    \
  if (!std::filesystem::exists(characters_folder())) \
  GTEST_SKIP() << "SKIPPED: characters are needed in " << characters_folder() << ", and they are not there"

struct Score {
  std::size_t right = 0, roles = 0, humans_refused = 0, others_taken = 0;
};

/// Maps each file's first character, changed by `change`, and counts.
template <typename Change>
Score score_all(const Change& change) {
  Score score;
  for (const auto& [file, right] : read_character_table()) {
    const auto rigs = io::read_rigs((characters_folder() / file).string());
    if (!rigs) {
      ADD_FAILURE() << rigs.error().to_string();
      continue;
    }
    const motion::Rig& rig = rigs->front();
    const auto map = map_joints(change(rig));
    if (!map) {
      ADD_FAILURE() << file << ": " << map.error().to_string();
      continue;
    }
    const bool human = !right.empty();
    score.humans_refused += human && !map->human ? 1 : 0;
    score.others_taken += !human && map->human ? 1 : 0;
    EXPECT_EQ(map->missing.empty(), map->human) << file << " is refused without a reason";
    score.right += human ? count_right(right, *map, rig) : 0;
    score.roles += right.size();
  }
  return score;
}

TEST(CharactersRealCapture, RolesAreThoseOfTheTable) {
  LOOM_REQUIRE_CHARACTERS();
  const Score score = score_all([](const motion::Rig& rig) { return rig; });
  EXPECT_EQ(score.humans_refused, 0U);
  EXPECT_EQ(score.others_taken, 0U);
  EXPECT_GE(score.roles, 500U);
  EXPECT_GE(score.right * 100, score.roles * 99) << score.right << " of " << score.roles;
}

TEST(CharactersRealCapture, ShapeAloneTellsNearlyAllOfThem) {
  LOOM_REQUIRE_CHARACTERS();
  const Score score = score_all([](const motion::Rig& rig) { return without_names(rig); });
  EXPECT_LE(score.humans_refused, 1U);  // the figure of eight rigid parts has nothing but names
  EXPECT_EQ(score.others_taken, 0U);
  EXPECT_GE(score.right * 100, score.roles * 96) << score.right << " of " << score.roles;
}

TEST(CharactersRealCapture, TurnedScaledAndReversedTheyAreTheSame) {
  LOOM_REQUIRE_CHARACTERS();
  const Quat z_up = axis_angle({1, 0, 0}, kPi / 2);
  const Score score = score_all([&](motion::Rig rig) {
    for (auto& pose : rig.poses) {
      for (Vec3& p : pose) p = rotate(z_up, p) * 37.0f + Vec3{5, -3, 400};
    }
    return rig;
  });
  EXPECT_EQ(score.humans_refused, 0U);
  EXPECT_EQ(score.others_taken, 0U);
  EXPECT_GE(score.right * 100, score.roles * 99) << score.right << " of " << score.roles;
}

TEST(CharactersRealCapture, MirroredTheyKeepTheSidesOfTheirNames) {
  LOOM_REQUIRE_CHARACTERS();
  const Score score = score_all([](motion::Rig rig) {
    for (auto& pose : rig.poses) {
      for (Vec3& p : pose) p.x = -p.x;
    }
    return rig;
  });
  EXPECT_EQ(score.others_taken, 0U);
  EXPECT_GE(score.right * 100, score.roles * 99) << score.right << " of " << score.roles;
}

}  // namespace
}  // namespace loom::character
