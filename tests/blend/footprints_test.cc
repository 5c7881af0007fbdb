// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <loom/blend/steps/footprints.h>

namespace loom::blend {
namespace {

TEST(Footprints, AreReadWithColumnsInAnyOrder) {
  const auto prints =
      parse_footprints("foot,heading,z,x\nleft,0,0,0.1\nR,90,0.6,-0.1\nl,-45,1.2,0.1\n", "a.csv").value();
  ASSERT_EQ(prints.size(), 3U);
  EXPECT_TRUE(prints[0].left);
  EXPECT_FALSE(prints[1].left);
  EXPECT_FLOAT_EQ(prints[1].place.x, -0.1f);
  EXPECT_FLOAT_EQ(prints[1].place.z, 0.6f);
  EXPECT_NEAR(prints[1].place.heading, kPi / 2, 1e-6);
  EXPECT_NEAR(prints[2].place.heading, -kPi / 4, 1e-6);
}

TEST(Footprints, HeadingsAndFeetAreFoundWhereNotGiven) {
  // A walk along +X: the left side is towards -Z.
  const auto prints = parse_footprints("x,z\n0,0.1\n0.6,-0.1\n1.2,0.1\n1.8,-0.1\n", "a.csv").value();
  for (const Footprint& print : prints) {
    EXPECT_NEAR(print.place.heading, kPi / 2, 1e-5);
    EXPECT_EQ(print.left, print.place.z < 0);
  }
}

TEST(Footprints, SayWhatIsWrongAndWhere) {
  const auto line_of = [](const std::string& text) {
    const auto prints = parse_footprints(text, "a.csv");
    EXPECT_FALSE(prints) << text;
    return prints ? 0 : prints.error().line;
  };
  EXPECT_EQ(line_of("x,y\n0,0\n"), 1U);
  EXPECT_EQ(line_of("x,z\n0,0\n1,abc\n2,0\n"), 3U);
  EXPECT_EQ(line_of("x,z\n0,0\n1,nan\n2,0\n"), 3U);
  EXPECT_EQ(line_of("x,z\n0,0\n1\n2,0\n"), 3U);
  EXPECT_EQ(line_of("x,z,foot\n0,0,left\n1,0,left\n2,0,right\n"), 3U);
  EXPECT_EQ(line_of("x,z,foot\n0,0,left\n1,0,nose\n2,0,left\n"), 3U);
  EXPECT_FALSE(parse_footprints("x,z\n0,0\n1,0\n", "a.csv"));
  EXPECT_FALSE(parse_footprints("", "a.csv"));
  EXPECT_FALSE(read_footprints("/no/such/file.csv"));
}

}  // namespace
}  // namespace loom::blend
