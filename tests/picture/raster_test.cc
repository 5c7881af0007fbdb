// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <png.h>

#include <loom/base/random.h>
#include <loom/picture/png.h>
#include <loom/picture/raster.h>

namespace loom::picture {
namespace {

constexpr Color kBlack = rgb(0x000000);

float random_float(Random& random, double low, double high) { return static_cast<float>(random.uniform(low, high)); }

/// Winding number of a closed contour about `p`, by summing crossings of a ray to the right.
int winding_number(const std::vector<Point>& contour, Point p) {
  int winding = 0;
  for (std::size_t i = 0; i < contour.size(); ++i) {
    const Point a = contour[i], b = contour[(i + 1) % contour.size()];
    const float side = (b.x - a.x) * (p.y - a.y) - (p.x - a.x) * (b.y - a.y);
    if (a.y <= p.y && b.y > p.y && side > 0) ++winding;
    if (a.y > p.y && b.y <= p.y && side < 0) --winding;
  }
  return winding;
}

TEST(Raster, HalfCoveredPixelIsHalfDark) {
  Drawing drawing(4, 4);
  drawing.rectangle({1.5f, 1, 2, 2}, kBlack);
  const Raster raster = rasterise(drawing);
  EXPECT_EQ(raster.at(0, 1), kPaper);
  EXPECT_NEAR(raster.at(1, 1).r, 128, 1);
  EXPECT_EQ(raster.at(2, 1), kBlack);
  EXPECT_NEAR(raster.at(3, 2).r, 128, 1);
  EXPECT_EQ(raster.at(2, 3), kPaper);
}

TEST(Raster, PolygonsAgreeWithSamplingEachPixelAThousandTimes) {
  Random random(7);
  constexpr int kSize = 16, kGrid = 32;
  for (int round = 0; round < 20; ++round) {
    Polygon shape{{}, kBlack};
    for (int i = 0; i < 3 + round % 5; ++i) {  // may cross itself and reach outside
      shape.points.push_back({random_float(random, -4, kSize + 4), random_float(random, -4, kSize + 4)});
    }
    Drawing drawing(kSize, kSize);
    drawing.add(shape);
    const Raster raster = rasterise(drawing);
    for (std::size_t y = 0; y < kSize; ++y) {
      for (std::size_t x = 0; x < kSize; ++x) {
        int inside = 0;
        for (int s = 0; s < kGrid * kGrid; ++s) {
          const Point p{static_cast<float>(x) + (static_cast<float>(s % kGrid) + 0.5f) / kGrid,
                        static_cast<float>(y) + (static_cast<float>(s / kGrid) + 0.5f) / kGrid};
          inside += winding_number(shape.points, p) != 0 ? 1 : 0;
        }
        const double expected = 255.0 * (1 - static_cast<double>(inside) / (kGrid * kGrid));
        ASSERT_NEAR(raster.at(x, y).r, expected, 18) << "pixel " << x << ", " << y << " of round " << round;
      }
    }
  }
}

TEST(Raster, PiecesOfOneStrokeThatOverlapArePaintedOnce) {
  Drawing drawing(40, 40);
  drawing.add(Polyline{{{5, 20}, {35, 20}, {20, 5}, {20, 35}}, 6, with_alpha(kBlack, 0.5f)});
  const Raster raster = rasterise(drawing);
  EXPECT_NEAR(raster.at(20, 20).r, 127, 2) << "the line crosses itself here";
  EXPECT_NEAR(raster.at(10, 20).r, 127, 2);
}

TEST(Raster, ShapesOutsideOrNotFiniteLeaveThePaperAsItWas) {
  Drawing drawing(10, 10);
  drawing.add(Circle{{-50, 5}, 10, kBlack});
  drawing.add(Circle{{5, 1e9f}, 10, kBlack});
  drawing.line({NAN, 0}, {5, 5}, 3, kBlack);
  const Raster raster = rasterise(drawing);
  for (std::size_t i = 0; i < 100; ++i) ASSERT_EQ(raster.at(i % 10, i / 10), kPaper);
}

TEST(Raster, TransparentPaperKeepsTheColourOfWhatIsPainted) {
  Drawing drawing(4, 4, rgb(0, 0));
  drawing.rectangle({0, 0, 2, 4}, with_alpha(kWarm, 0.5f));
  const Raster raster = rasterise(drawing);
  EXPECT_EQ(raster.at(0, 0), with_alpha(kWarm, 0.5f));
  EXPECT_EQ(raster.at(3, 0).a, 0);
}

TEST(Raster, CellsFillTheirFrame) {
  Drawing drawing(8, 8);
  drawing.add(Cells{{2, 2, 4, 4}, 2, {kWarm, kCool, kInk, kGrey}});
  const Raster raster = rasterise(drawing);
  EXPECT_EQ(raster.at(2, 2), kWarm);
  EXPECT_EQ(raster.at(5, 3), kCool);
  EXPECT_EQ(raster.at(3, 5), kInk);
  EXPECT_EQ(raster.at(4, 4), kGrey);
  EXPECT_EQ(raster.at(1, 2), kPaper);
}

TEST(Capsule, OutlineEnclosesExactlyTheHullOfTwoCircles) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    const Capsule capsule{{random_float(random, 0, 60), random_float(random, 0, 60)},
                          {random_float(random, 0, 60), random_float(random, 0, 60)},
                          random_float(random, 1, 20),
                          random_float(random, 1, 20),
                          {}};
    const std::vector<Point> contour = outline(capsule);
    for (int i = 0; i < 200; ++i) {
      const Point p{random_float(random, -30, 90), random_float(random, -30, 90)};
      // The hull is the union of all circles between the two.
      float outside = 1e9f;
      for (int k = 0; k <= 400; ++k) {
        const float t = static_cast<float>(k) / 400;
        const float x = capsule.a.x + (capsule.b.x - capsule.a.x) * t,
                    y = capsule.a.y + (capsule.b.y - capsule.a.y) * t;
        const float radius = capsule.radius_a + (capsule.radius_b - capsule.radius_a) * t;
        outside = std::min(outside, std::hypot(p.x - x, p.y - y) - radius);
      }
      if (std::fabs(outside) < 0.3f) continue;  // on the line itself, where flattening decides
      ASSERT_EQ(winding_number(contour, p) != 0, outside < 0) << "round " << round << " at " << p.x << ", " << p.y;
    }
  }
}

TEST(Png, ReadsBackPixelForPixel) {
  Drawing drawing(33, 17);
  drawing.add(Circle{{16, 8}, 7, kCool});
  for (const Color paper : {kPaper, rgb(0xffffff, 40)}) {
    Drawing on_paper(33, 17, paper);
    on_paper.place(drawing, {0, 0});
    const Raster raster = rasterise(on_paper);
    const auto bytes = to_png(raster);
    ASSERT_TRUE(bytes) << bytes.error().to_string();
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    ASSERT_NE(png_image_begin_read_from_memory(&image, bytes->data(), bytes->size()), 0);
    EXPECT_EQ(image.format & PNG_FORMAT_FLAG_ALPHA, paper.a == 255 ? 0u : PNG_FORMAT_FLAG_ALPHA);
    image.format = PNG_FORMAT_RGBA;
    ASSERT_EQ(image.width, 33u);
    ASSERT_EQ(image.height, 17u);
    std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image));
    ASSERT_NE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr), 0);
    EXPECT_EQ(pixels, raster.rgba);
  }
}

}  // namespace
}  // namespace loom::picture
