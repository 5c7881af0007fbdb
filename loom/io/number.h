// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace loom::io {

/// No position, angle or length in a motion file is larger; beyond it, sums and squares would leave floats.
inline constexpr double kLargestNumber = 1e9;

namespace detail {

inline constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                          1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
inline constexpr int kMaxPower = 22;
inline constexpr int kMaxDigits = 18;  ///< what a 64-bit integer always holds

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

/// The rare cases: many digits, extreme exponents. `p` is past the sign.
inline const char* read_long_number(const char* p, const char* end, bool negative, double& value) {
  const auto [rest, error] = std::from_chars(p, end, value);
  if (error == std::errc::invalid_argument) return nullptr;
  if (error == std::errc::result_out_of_range) {
    const bool tiny = std::string_view(p, static_cast<std::size_t>(rest - p)).find('-') != std::string_view::npos;
    value = tiny ? 0 : HUGE_VAL;
  }
  if (negative) value = -value;
  return rest;
}

}  // namespace detail

/// Reads the decimal number at `p` (`-12.5`, `+.5`, `1.`, `3e-4`) into `value`. Returns where it ends, or null when
/// there is none. 'nan' and 'inf' are no numbers. The result is within one unit in the last place of a double.
///
/// Clinger 1990: up to 18 digits fit an integer, and one multiplication or division by an exact power of ten finishes;
/// anything else goes to std::from_chars.
inline const char* read_number(const char* p, const char* end, double& value) {
  bool negative = false;
  if (p != end && (*p == '-' || *p == '+')) negative = *p++ == '-';
  const char* const start = p;
  std::uint64_t digits = 0;
  while (p != end && detail::is_digit(*p)) digits = digits * 10 + static_cast<std::uint64_t>(*p++ - '0');
  std::ptrdiff_t count = p - start;
  int exponent = 0;
  if (p != end && *p == '.') {
    const char* const point = p++;
    while (p != end && detail::is_digit(*p)) digits = digits * 10 + static_cast<std::uint64_t>(*p++ - '0');
    const std::ptrdiff_t decimals = p - point - 1;
    count += decimals;
    exponent = static_cast<int>(-(decimals <= detail::kMaxDigits ? decimals : 0));
  }
  if (count == 0) return nullptr;
  if (count > detail::kMaxDigits || (p != end && (*p | 0x20) == 'e')) {
    return detail::read_long_number(start, end, negative, value);
  }
  const double magnitude = static_cast<double>(static_cast<std::int64_t>(digits)) / detail::kPowersOfTen[-exponent];
  value = negative ? -magnitude : magnitude;
  return p;
}

}  // namespace loom::io
