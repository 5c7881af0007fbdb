// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <loom/picture/base64.h>
#include <loom/picture/detail/utf8.h>
#include <loom/picture/font.h>
#include <loom/picture/svg.h>

namespace loom::picture {
namespace {

std::size_t ink(const std::string& text) {
  std::size_t points = 0;
  for (const Polyline& stroke : text_strokes({{}, text, {}})) points += stroke.points.size();
  return points;
}

TEST(Font, DrawsEveryPrintableCharacterDifferently) {
  std::vector<std::vector<Point>> seen;
  for (char c = '!'; c <= '~'; ++c) {
    std::vector<Point> points;
    for (const Polyline& stroke : text_strokes({{}, std::string(1, c), {}})) {
      points.insert(points.end(), stroke.points.begin(), stroke.points.end());
    }
    EXPECT_GE(points.size(), 2u) << "nothing drawn for " << c;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), points), 0) << c << " looks like another";
    seen.push_back(points);
  }
  EXPECT_EQ(ink(" "), 0u);
}

TEST(Font, LettersStayWithinTheLine) {
  for (char c = '!'; c <= '~'; ++c) {
    const TextStyle style{20};
    for (const Polyline& stroke : text_strokes({{0, 0}, std::string(1, c), style})) {
      for (const Point& p : stroke.points) {
        EXPECT_GE(p.y, -16) << c;
        EXPECT_LE(p.y, 5) << c;
        EXPECT_GE(p.x, -1.5f) << c;
        EXPECT_LE(p.x, text_width(std::string(1, c), style) + 1.5f) << c;
      }
    }
  }
}

TEST(Font, AlignmentPutsTheGivenEndAtThePoint) {
  for (const Align align : {Align::kStart, Align::kMiddle, Align::kEnd}) {
    const TextStyle style{20, kInk, align};
    const float first = text_strokes({{100, 0}, "H", style}).front().points[0].x;
    const float width = text_width("H", style);
    const float expected = align == Align::kStart ? 100 : align == Align::kMiddle ? 100 - width / 2 : 100 - width;
    EXPECT_NEAR(first, expected, 3);
  }
}

TEST(Font, FitCutsWholeCharactersAndNeverOverflows) {
  const TextStyle style{12};
  const std::string text = "walk \xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9 turning left";
  for (float width = 0; width < 200; width += 3) {
    const std::string fitted = fit_text(text, width, style);
    EXPECT_LE(text_width(fitted, style), std::max(width, 0.0f) + 1e-3f);
    std::string_view rest = fitted;
    while (!rest.empty()) EXPECT_NE(next_character(rest), kNotACharacter);
  }
  EXPECT_EQ(fit_text(text, 1000, style), text);
}

TEST(Utf8, TakesWellFormedCharactersWhole) {
  std::string_view text = "a\xC3\xA9\xE6\x97\xA5\xF0\x9F\x98\x80z";
  const std::vector<char32_t> expected = {'a', 0xe9, 0x65e5, 0x1f600, 'z'};
  for (char32_t code : expected) EXPECT_EQ(next_character(text), code);
  EXPECT_TRUE(text.empty());
}

TEST(Utf8, BadBytesAreTakenOneByOne) {
  // a lone continuation, an over-long slash, a surrogate, beyond the last plane, cut short
  for (std::string_view text : {"\x80", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE6\x97", "\xFF"}) {
    std::size_t taken = 0;
    const std::size_t size = text.size();
    while (!text.empty()) {
      EXPECT_EQ(next_character(text), kNotACharacter);
      ++taken;
    }
    EXPECT_EQ(taken, size);
  }
}

TEST(Base64, AgreesWithTheExamplesOfRfc4648) {
  const std::vector<std::pair<std::string, std::string>> examples = {{"", ""},
                                                                     {"f", "Zg=="},
                                                                     {"fo", "Zm8="},
                                                                     {"foo", "Zm9v"},
                                                                     {"foob", "Zm9vYg=="},
                                                                     {"fooba", "Zm9vYmE="},
                                                                     {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : examples) {
    const std::vector<std::uint8_t> bytes(plain.begin(), plain.end());
    EXPECT_EQ(to_base64(bytes), encoded);
  }
}

TEST(Svg, HostileNamesStayText) {
  Drawing drawing(100, 100);
  drawing.text({10, 10}, "</text><script>alert('x') & \"y\"</script>\x01\xFF");
  const std::string svg = to_svg(drawing);
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("&lt;/text&gt;&lt;script&gt;alert(&#39;x&#39;) &amp; &quot;y&quot;"), std::string::npos);
  EXPECT_EQ(svg.find('\x01'), std::string::npos);
  EXPECT_EQ(svg.find('\xFF'), std::string::npos);
}

TEST(Svg, EveryShapeBecomesAnElement) {
  Drawing drawing(200, 100);
  drawing.line({0, 0}, {10, 10}, 2, kInk);
  drawing.rectangle({0, 0, 10, 10}, kInk);
  drawing.add(Circle{{5, 5}, 3, with_alpha(kWarm, 0.25f)});
  drawing.add(Capsule{{0, 0}, {20, 0}, 5, 3, kCool});
  drawing.text({1, 2}, "hello", {12, kInk, Align::kEnd, true});
  drawing.add(Cells{{0, 0, 10, 10}, 1, {kInk, kPaper}});
  const std::string svg = to_svg(drawing);
  for (const char* element : {"<svg xmlns", "<polyline", "<polygon", "<circle", "<path", "<text", "<image", "</svg>"}) {
    EXPECT_NE(svg.find(element), std::string::npos) << element;
  }
  EXPECT_NE(svg.find(R"(fill-opacity="0.25")"), std::string::npos);
  EXPECT_NE(svg.find(R"(text-anchor="end")"), std::string::npos);
}

}  // namespace
}  // namespace loom::picture
