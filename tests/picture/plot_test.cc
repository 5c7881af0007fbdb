// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/picture/plot.h>

namespace loom::picture {
namespace {

template <typename S>
std::vector<S> drawn_shapes(const Drawing& drawing) {
  std::vector<S> found;
  for (const Shape& shape : drawing.shapes()) {
    if (const S* s = std::get_if<S>(&shape)) found.push_back(*s);
  }
  return found;
}

bool has_text(const Drawing& drawing, const std::string& text) {
  const std::vector<Text> texts = drawn_shapes<Text>(drawing);
  return std::any_of(texts.begin(), texts.end(), [&](const Text& t) { return t.text == text; });
}

TEST(Ticks, AreRoundEvenlySpacedAndWithinTheRange) {
  Random random(11);
  for (int round = 0; round < 500; ++round) {
    const double low = random.uniform(-1, 1) * std::pow(10, random.uniform(-4, 5));
    const Range range{low, low + std::pow(10, random.uniform(-3, 5))};
    const std::vector<double> values = ticks(range, 5);
    ASSERT_GE(values.size(), 2u) << range.low << " to " << range.high;
    ASSERT_LE(values.size(), 12u);
    const double step = values[1] - values[0];
    const double digit = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
    EXPECT_LT(std::min({std::fabs(digit - 1), std::fabs(digit - 2), std::fabs(digit - 5)}), 1e-6 * digit + 1e-4);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(values[i], values[0] + step * static_cast<double>(i), step * 1e-6);
      EXPECT_GE(values[i], range.low - step * 1e-5);
      EXPECT_LE(values[i], range.high + step * 1e-5);
    }
  }
}

TEST(Ticks, ARangeWithoutWidthHasNone) {
  EXPECT_TRUE(ticks({1, 1}, 5).empty());
  EXPECT_TRUE(ticks({0, std::numeric_limits<double>::infinity()}, 5).empty());
  EXPECT_LE(ticks({1e15, 1e15 + 1e-3}, 5).size(), 25u);
}

TEST(Ticks, LabelsCarryNoMoreDecimalsThanTheStep) {
  EXPECT_EQ(tick_label(0.5, 0.5), "0.5");
  EXPECT_EQ(tick_label(2, 1), "2");
  EXPECT_EQ(tick_label(0.25, 0.05), "0.25");
  EXPECT_EQ(tick_label(-20, 10), "-20");
}

TEST(LinePlot, PutsValuesWhereTheAxesSay) {
  const std::vector<Series> series = {{"speed", {0, 1, 2}, {0, 10, 0}, kInk}};
  PlotOptions options;
  options.title = "how fast";
  options.y = Range{0, 10};
  const Drawing drawing = line_plot(series, options);
  const std::vector<Polyline> lines = drawn_shapes<Polyline>(drawing);
  const auto curve = std::find_if(lines.begin(), lines.end(), [](const Polyline& l) { return l.points.size() == 3; });
  ASSERT_NE(curve, lines.end());
  EXPECT_FLOAT_EQ(curve->points[1].x, (curve->points[0].x + curve->points[2].x) / 2);
  EXPECT_LT(curve->points[1].y, curve->points[0].y) << "up on paper is a smaller y";
  EXPECT_TRUE(has_text(drawing, "how fast"));
  EXPECT_TRUE(has_text(drawing, "speed"));
}

TEST(LinePlot, ValuesThatAreNotFiniteLeaveAGap) {
  const std::vector<Series> series = {{"", {0, 1, 2, 3, 4}, {0, 1, NAN, 1, 0}, kWarm}};
  const std::vector<Polyline> lines = drawn_shapes<Polyline>(line_plot(series, {}));
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(), [](const Polyline& l) { return l.color == kWarm; }), 2);
}

TEST(LinePlot, NothingToDrawStillGivesAPlot) {
  EXPECT_FALSE(line_plot({}, {}).shapes().empty());
  EXPECT_FALSE(histogram({}, 5, {}).shapes().empty());
  EXPECT_TRUE(heat_map({}, 0, {}).shapes().empty());
}

TEST(Histogram, BarsAreAsHighAsTheCounts) {
  const std::vector<double> values = {0.1, 0.2, 0.3, 1.5, 2.5, 2.6, 9.0, NAN};
  PlotOptions options;
  options.x = Range{0, 3};
  options.y = Range{0, 3};
  const std::vector<Polygon> bars = drawn_shapes<Polygon>(histogram(values, 3, options));
  ASSERT_EQ(bars.size(), 3u);
  const auto height = [](const Polygon& bar) { return bar.points[2].y - bar.points[0].y; };
  EXPECT_NEAR(height(bars[1]) * 3, height(bars[0]), 1e-3);
  EXPECT_NEAR(height(bars[1]) * 2, height(bars[2]), 1e-3);
}

TEST(HeatMap, ShrinkingKeepsTheMeanOfEveryBlock) {
  PlotOptions options;
  options.width = 100;
  options.height = 100;
  std::vector<float> values(400 * 400, 0.0f);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 0.0f : 1.0f;  // averages to a half
  const std::vector<Cells> cells = drawn_shapes<Cells>(heat_map(values, 400, options));
  ASSERT_EQ(cells.front().columns, 100u);
  ASSERT_EQ(cells.front().colors.size(), 100u * 100u);
  for (const Color& color : cells.front().colors) EXPECT_EQ(color, scale_color(0.5f));
}

TEST(HeatMap, MissingValuesAreGrey) {
  const std::vector<float> values = {0, NAN, 1, 0.5f};
  const std::vector<Cells> cells = drawn_shapes<Cells>(heat_map(values, 2, {}));
  EXPECT_EQ(cells.front().colors[1], scale_color(NAN));
  EXPECT_EQ(cells.front().colors[2], scale_color(1));
}

TEST(ScaleColor, GrowsLighterFromEndToEnd) {
  const auto lightness = [](Color c) { return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b; };
  for (int i = 0; i < 100; ++i) {
    EXPECT_LT(lightness(scale_color(static_cast<float>(i) / 100)) - 1,
              lightness(scale_color(static_cast<float>(i + 1) / 100)));
  }
}

}  // namespace
}  // namespace loom::picture
