// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/measure/measure.h>
#include <loom/plan/approach.h>
#include <loom/plan/detail/plan_footprints.h>
#include <loom/plan/walk_plan.h>

#include "tests/plan/sample_steps.h"

namespace loom::plan {
namespace {

using motion::GroundFrame;
using ::testing::HasSubstr;
using testing::sample_steps;

const Stance kStance{{0.1f, 0.03f, 0.15f}, {-0.1f, 0.03f, -0.15f}};

world::World room(const std::string& things) {
  return world::parse_world("world room\nground -5 -5 5 5\n" + things, "room.world").value();
}

float off(const GroundFrame& a, const GroundFrame& b) { return std::hypot(a.x - b.x, a.z - b.z); }

TEST(PlanFootprints, BeginAndEndWhereOneStands) {
  Random random(3);
  for (int n = 0; n < 300; ++n) {
    const auto place = [&] {
      return GroundFrame{static_cast<float>(random.uniform(-3, 3)), static_cast<float>(random.uniform(-3, 3)),
                         static_cast<float>(random.uniform(-3.1, 3.1))};
    };
    const GroundFrame start = place(), goal = n % 5 == 0 ? start * GroundFrame{0.1f, 0.2f, 0.4f} : place();
    const std::vector<world::Point> way = {{static_cast<double>(goal.x), static_cast<double>(goal.z)}};
    const auto prints = plan_footprints(way, start, goal, kStance, kStance);
    ASSERT_TRUE(prints) << n << ": " << prints.error().to_string();
    ASSERT_GE(prints->size(), 4u);
    for (std::size_t k = 0; k < prints->size(); ++k) {
      const blend::Footprint& print = (*prints)[k];
      const GroundFrame& stand = k < 2 ? start : goal;
      if (k < 2 || k + 2 >= prints->size()) {
        EXPECT_LT(off(print.place, stand * (print.left ? kStance.left : kStance.right)), 1e-4f);
      }
      if (k == 0) continue;
      const blend::Footprint& before = (*prints)[k - 1];
      EXPECT_NE(print.left, before.left);
      EXPECT_LT(off(print.place, before.place), 0.9f) << "no step is longer than a leg allows";
      // A left foot comes down to the left of the right one, unless it is well before or behind it.
      const GroundFrame seen = inverse(before.place) * print.place;
      EXPECT_TRUE(std::fabs(seen.z) > 0.2f || (print.left ? seen.x : -seen.x) > 0.05f) << n << ", print " << k;
    }
  }
}

TEST(Approach, ComesToStandWhereItWasTold) {
  const world::World world = room("");
  auto approacher = Approacher::create(sample_steps(), world).value();
  Random random(7);
  for (int n = 0; n < 24; ++n) {
    const GroundFrame start{0, 0, static_cast<float>(random.uniform(-3, 3))};
    const auto angle = static_cast<float>(random.uniform(-3.1, 3.1)), away = static_cast<float>(random.uniform(0.2, 4));
    const GroundFrame goal{away * std::sin(angle), away * std::cos(angle), static_cast<float>(random.uniform(-3, 3))};
    const auto approach = approacher.walk(start, goal, kStance, kStance);
    ASSERT_TRUE(approach) << n << ": " << approach.error().to_string();
    EXPECT_LT(approach->stop_error_m, 0.01) << n;
    EXPECT_LT(approach->stop_error_rad, 0.05) << n;
    const measure::Measures measures = measure::measure(approach->walk.clip, approach->walk.contacts);
    EXPECT_LT(measures.foot_slide_max_mps, 0.25) << n;
    EXPECT_LT(measures.largest_jump_m, 0.2) << n << " at " << measures.largest_jump_frame;
    EXPECT_LT(approach->landed, approach->walk.clip.frames());
    // It begins and ends standing still.
    const auto& roots = approach->walk.clip.roots;
    const auto rate = static_cast<float>(approach->walk.clip.rate);
    EXPECT_LT(distance(roots[0], roots[1]) * rate, 0.25f) << n;
    EXPECT_LT(distance(roots[roots.size() - 1], roots[roots.size() - 2]) * rate, 0.25f) << n;
  }
}

TEST(Approach, GoesRoundWhatIsInTheWay) {
  const world::World world = room("box table at 0 1.5 size 2 0.8 to 0.75\n");
  auto approacher = Approacher::create(sample_steps(), world).value();
  const auto approach = approacher.walk({0, 0, 0}, {0, 3, 3.1f}, kStance, kStance);
  ASSERT_TRUE(approach) << approach.error().to_string();
  EXPECT_GT(approach->way.size(), 1u);
  EXPECT_TRUE(find_collisions(approach->walk.clip, world).value().empty());
}

TEST(Approach, NamesWhatClosesTheWay) {
  const world::World world = room("box wall at 0 2 size 10 0.2 to 2.5\n");
  auto approacher = Approacher::create(sample_steps(), world).value();
  const auto approach = approacher.walk({0, 0, 0}, {0, 4, 0}, kStance, kStance);
  ASSERT_FALSE(approach);
  EXPECT_THAT(approach.error().message, HasSubstr("wall"));
}

}  // namespace
}  // namespace loom::plan
