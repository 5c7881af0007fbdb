// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <loom/base/number.h>
#include <loom/base/random.h>
#include <loom/base/whole.h>

namespace loom {
namespace {

/// Reads `text` twice: with nothing after it, and with more text after it, which takes another way through the code.
void expect_number(const std::string& text, double expected, std::size_t used) {
  for (const std::string& tail : {std::string(), std::string(" 12345678901234567890")}) {
    const std::string whole = text + tail;
    double value = std::nan("");
    const char* end = read_number(whole.data(), whole.data() + whole.size(), value);
    ASSERT_NE(end, nullptr) << whole;
    EXPECT_EQ(static_cast<std::size_t>(end - whole.data()), used) << whole;
    EXPECT_EQ(value, expected) << whole;
  }
}

TEST(ReadNumber, AgreesWithStrtodToTheLastBit) {
  Random random(5);
  for (int i = 0; i < 200000; ++i) {
    const double value = random.uniform(-1, 1) * std::pow(10.0, random.uniform(-4, 8));
    const int decimals = static_cast<int>(random.index(12));
    const std::string text = random.index(4) == 0   ? fmt::format("{:.{}e}", value, decimals)
                             : random.index(8) == 0 ? fmt::format("{}", value)
                                                    : fmt::format("{:.{}f}", value, decimals);
    expect_number(text, std::strtod(text.c_str(), nullptr), text.size());
    if (HasFailure()) return;
  }
}

TEST(ReadNumber, TakesEveryDecimalForm) {
  expect_number("0", 0, 1);
  expect_number("-0", 0, 2);
  expect_number("+1", 1, 2);
  expect_number(".5", 0.5, 2);
  expect_number("-.5", -0.5, 3);
  expect_number("7.", 7, 2);
  expect_number("00012.500000000000000000000000000000", 12.5, 36);
  expect_number("1e3", 1000, 3);
  expect_number("1E+03", 1000, 5);
  expect_number("12.5e-1", 1.25, 7);
  expect_number("123456789", 123456789, 9);
  expect_number("1234567890", 1234567890, 10);
  expect_number("0.12345678", 0.12345678, 10);
  expect_number("1e-999", 0, 6);
  expect_number("-1e999", -HUGE_VAL, 6);
}

TEST(ReadNumber, StopsWhereTheNumberEnds) {
  expect_number("1,5", 1, 1);
  expect_number("1.5.2", 1.5, 3);
  expect_number("1-2", 1, 1);
  expect_number("3e", 3, 1);
  expect_number("3ex", 3, 1);
  expect_number("12abc", 12, 2);
}

TEST(ReadNumber, RefusesWhatIsNoNumber) {
  for (const char* text : {"-", "+", ".", "-.", "e5", "nan", "inf", "-inf", "infinity", "abc", "--1", "+-1", ",5"}) {
    for (const std::string& tail : {std::string(), std::string(" 12345678901234567890")}) {
      const std::string whole = text + tail;
      double value = 0;
      EXPECT_EQ(read_number(whole.data(), whole.data() + whole.size(), value), nullptr) << whole;
    }
  }
}

TEST(ReadDecimal, WithoutTheStandardLibraryIsWhatTheStandardLibraryReads) {
  std::vector<std::string> texts = {"",       "-",      ".",      "-.",     "1.",    ".5",
                                    "-.5e2",  "1e",     "1e+",    "1e-x",   "2e+3",  "1e400",
                                    "-1e400", "1e-400", "0e-999", "0.0e99", "12abc", "1.2.3",
                                    "+1",     " 1",     "1E5",    "e5",     "--1",   "123456789012345678901234567890"};
  Random random(8);
  constexpr std::string_view kCharacters = "0123456789.-+eE x";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t n = random.index(12); n > 0; --n) text += kCharacters[random.index(kCharacters.size())];
    texts.push_back(text);
    texts.push_back(fmt::format("{:.{}e}", random.uniform(-1, 1), random.index(20)));
  }
  for (const std::string& text : texts) {
    double expected = 7, read = 7;
    const char *begin = text.data(), *end = begin + text.size();
    const std::from_chars_result a = std::from_chars(begin, end, expected);
    const std::from_chars_result b = detail::read_decimal_by_strtod(begin, end, read);
    EXPECT_EQ(a.ec, b.ec) << text;
    EXPECT_EQ(a.ptr, b.ptr) << text;
    EXPECT_EQ(expected, read) << text;
  }
}

TEST(ToWhole, HoldsWhatNoIntegerHolds) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_whole<int>(2.9), 2);
  EXPECT_EQ(to_whole<int>(-2.9), -2);
  EXPECT_EQ(to_whole<int>(std::nan("")), 0);
  for (const double huge : {1e10, 1e300, kInfinity}) {
    EXPECT_EQ(to_whole<int>(huge), std::numeric_limits<int>::max());
    EXPECT_EQ(to_whole<int>(-huge), std::numeric_limits<int>::min());
    EXPECT_EQ(to_whole<std::uint32_t>(huge), std::numeric_limits<std::uint32_t>::max());
    EXPECT_EQ(to_whole<std::size_t>(-huge), 0u);
  }
  EXPECT_EQ(to_whole<std::uint8_t>(255.5), 255);
  EXPECT_EQ(to_whole<std::uint8_t>(-0.5), 0);
  // The largest of 64 bits are no doubles: the nearest above would not fit.
  EXPECT_EQ(to_whole<std::int64_t>(0x1p63), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(to_whole<std::int64_t>(-0x1p63), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(to_whole<std::uint64_t>(0x1p64), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(to_whole<std::uint64_t>(0x1p53), std::uint64_t{1} << 53);
}

}  // namespace
}  // namespace loom
