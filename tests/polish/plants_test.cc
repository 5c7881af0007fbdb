// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <loom/polish/detail/plants.h>

namespace loom::polish {
namespace {

/// A foot 0.2 m long pointing to +Z whose heel is at `x(frame)`.
template <typename Track>
std::vector<FootPlace> foot_along(std::size_t frames, Track x) {
  std::vector<FootPlace> path;
  for (std::size_t f = 0; f < frames; ++f) {
    const auto at = static_cast<float>(x(static_cast<double>(f)));
    path.push_back({{at, 0.08f, 0}, {at, 0.02f, 0.2f}});
  }
  return path;
}

FootPlants find_plants(const std::vector<FootPlace>& path, const FootContacts& contacts) {
  return polish::find_plants(path, contacts, std::vector<std::uint8_t>(path.size()), {});
}

FootContacts always(std::size_t frames) {
  return {std::vector<std::uint8_t>(frames, 1), std::vector<std::uint8_t>(frames, 1)};
}

TEST(FindPlants, AStandingFootIsOnePlantWhereItStands) {
  const auto path = foot_along(30, [](double) { return 0.4; });
  const FootPlants plants = find_plants(path, always(30));
  ASSERT_EQ(plants.heel.size(), 1u);
  ASSERT_EQ(plants.toe.size(), 1u);
  EXPECT_EQ(plants.heel[0].begin, 0u);
  EXPECT_EQ(plants.heel[0].end, 30u);
  EXPECT_NEAR(plants.toe[0].position.x, 0.4, 1e-6);
  EXPECT_NEAR(plants.toe[0].position.z, 0.2, 1e-6);
  EXPECT_NEAR(plants.toe[0].dwell, 0.02, 1e-6);
}

TEST(FindPlants, AFootThatRollsOnSettlesWhereItDwells) {
  // Comes in from 5 cm away over 5 frames and then stands: the stand decides, not the mean.
  const auto path = foot_along(20, [](double f) { return f < 5 ? 0.01 * (5 - f) : 0.0; });
  EXPECT_LT(find_plants(path, always(20)).heel[0].position.x, 0.003);
}

TEST(FindPlants, AFlickerDoesNotTearAPlantApart) {
  const auto path = foot_along(30, [](double) { return 0.0; });
  FootContacts contacts = always(30);
  contacts.heel[14] = contacts.heel[15] = 0;
  EXPECT_EQ(find_plants(path, contacts).heel.size(), 2u);
  close_gaps(contacts, path, {});
  EXPECT_EQ(find_plants(path, contacts).heel.size(), 1u);
}

TEST(FindPlants, AStepIsNoFlicker) {
  const auto path = foot_along(30, [](double f) { return f < 15 ? 0.0 : 0.1; });
  FootContacts contacts = always(30);
  contacts.toe[14] = contacts.toe[15] = 0;
  close_gaps(contacts, path, {});
  EXPECT_EQ(find_plants(path, contacts).toe.size(), 2u);
}

TEST(FindPlants, AShufflingFootIsLetGoAsAWholeWhereItIsFastest) {
  const auto path = foot_along(90, [](double f) { return 0.6 / (1 + std::exp(-0.3 * (f - 45))); });
  const FootPlants plants = find_plants(path, always(90));
  ASSERT_EQ(plants.heel.size(), 2u);
  ASSERT_EQ(plants.toe.size(), 2u);
  EXPECT_LT(plants.heel[0].end, 45u);
  EXPECT_GT(plants.heel[1].begin, 45u);
  EXPECT_EQ(plants.heel[0].end, plants.toe[0].end);
  for (const Plant& plant : plants.heel) {
    for (std::size_t f = plant.begin; f < plant.end; ++f) {
      EXPECT_LE(std::abs(path[f].heel.x - plant.position.x), PlantOptions{}.max_wander);
    }
  }
}

TEST(FindPlants, TooShortAPlantIsNone) {
  const auto path = foot_along(10, [](double) { return 0.0; });
  FootContacts contacts{std::vector<std::uint8_t>(10), std::vector<std::uint8_t>(10)};
  contacts.heel[4] = 1;
  EXPECT_TRUE(find_plants(path, contacts).heel.empty());
  contacts.heel[5] = 1;
  EXPECT_EQ(find_plants(path, contacts).heel.size(), 1u);
}

TEST(FindPlants, WhatIsLeftOfAContactKeepsTheHeightOfTheWhole) {
  // Stands at 8 cm for a second, then lifts by 3 cm; let go just where the lift begins.
  auto path = foot_along(40, [](double) { return 0.0; });
  for (std::size_t f = 30; f < 40; ++f) path[f].heel.y += 0.03f;
  std::vector<std::uint8_t> let_go(40);
  let_go[29] = let_go[30] = 1;
  const FootPlants plants = polish::find_plants(path, always(40), let_go, {});
  ASSERT_EQ(plants.heel.size(), 2u);
  EXPECT_EQ(plants.heel[1].begin, 31u);
  EXPECT_NEAR(plants.heel[1].dwell, 0.0875, 0.001);
  EXPECT_EQ(plants.heel[1].dwell, plants.heel[0].dwell);
}

TEST(AgreeOnLength, AChainOfPlantsBecomesAsLongAsTheFoot) {
  std::vector<Plant> heels = {{.begin = 0, .end = 10, .position = {0, 0.1f, 0}},
                              {.begin = 20, .end = 60, .position = {0.05f, 0.1f, 0.1f}}};
  std::vector<Plant> toes = {{.begin = 5, .end = 30, .position = {0.02f, 0, 0.3f}},
                             {.begin = 50, .end = 70, .position = {0.2f, 0, 0.2f}}};
  const std::vector<float> length(80, 0.2f);
  agree_on_length(heels, toes, length);
  const auto apart = [](const Plant& a, const Plant& b) {
    return std::hypot(a.position.x - b.position.x, a.position.z - b.position.z);
  };
  EXPECT_NEAR(apart(heels[0], toes[0]), 0.2, 1e-4);
  EXPECT_NEAR(apart(heels[1], toes[0]), 0.2, 1e-4);
  EXPECT_NEAR(apart(heels[1], toes[1]), 0.2, 1e-4);
  EXPECT_EQ(heels[0].position.y, 0.1f);
}

TEST(AgreeOnLength, TheShorterPlantMovesMore) {
  std::vector<Plant> heels = {{.begin = 0, .end = 90, .position = {0, 0, 0}}};
  std::vector<Plant> toes = {{.begin = 0, .end = 10, .position = {0, 0, 0.3f}}};
  agree_on_length(heels, toes, std::vector<float>(90, 0.2f));
  EXPECT_NEAR(heels[0].position.z, 0.01, 1e-4);
  EXPECT_NEAR(toes[0].position.z, 0.21, 1e-4);
}

}  // namespace
}  // namespace loom::polish
