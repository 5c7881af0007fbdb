// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace loom {

/// No position, angle or length in a motion file is larger; beyond it, sums and squares would leave floats.
inline constexpr double kLargestNumber = 1e9;

namespace detail {

inline constexpr double kPowersOfTen[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
inline constexpr std::uint64_t kPowers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

/// Up to eight digits at the start of a text.
struct EightDigits {
  std::uint64_t value = 0;
  int count = 0;
};

/// The digits among the eight bytes at `p`, all at once in one register: what is no digit sets the high bit of its
/// byte, and pairs, then fours, then all eight are joined by three multiplications. For little-endian machines.
inline EightDigits read_eight(const char* p) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, p, sizeof bytes);
  bytes ^= 0x3030303030303030u;
  const std::uint64_t others = (bytes | (bytes + 0x7676767676767676u)) & 0x8080808080808080u;
  const int count = others == 0 ? 8 : std::countr_zero(others) / 8;
  if (count == 0) return {};
  bytes <<= 64 - 8 * count;  // leading zeros in place of what follows the digits
  bytes = bytes * 10 + (bytes >> 8);
  const std::uint64_t ones = (bytes & 0x000000ff000000ffu) * 0x000f424000000064u;
  const std::uint64_t tens = ((bytes >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u;
  return {(ones + tens) >> 32, count};
}

/// What std::from_chars does with decimals, where a standard library lacks it (libc++ 14, which pages are built with):
/// finds where the number ends and lets strtod make it of a copy. For the "C" locale.
inline std::from_chars_result read_decimal_by_strtod(const char* begin, const char* end, double& value) {
  const auto past_digits = [end](const char* p) {
    while (p != end && is_digit(*p)) ++p;
    return p;
  };
  const char* p = begin;
  if (p != end && *p == '-') ++p;
  const char* const whole = p;
  p = past_digits(p);
  std::ptrdiff_t digits = p - whole;
  if (p != end && *p == '.') {
    const char* const decimals = past_digits(p + 1);
    digits += decimals - (p + 1);
    p = decimals;
  }
  if (digits == 0) return {begin, std::errc::invalid_argument};
  const bool none =
      std::string_view(begin, static_cast<std::size_t>(p - begin)).find_first_of("123456789") == std::string_view::npos;
  if (p != end && (*p | 0x20) == 'e') {
    const char* power = p + 1;
    if (power != end && (*power == '-' || *power == '+')) ++power;
    if (power != end && is_digit(*power)) p = past_digits(power);
  }
  const double read = std::strtod(std::string(begin, p).c_str(), nullptr);
  if (std::isinf(read) || (read == 0 && !none)) return {p, std::errc::result_out_of_range};
  value = read;
  return {p, std::errc()};
}

inline std::from_chars_result read_decimal(const char* begin, const char* end, double& value) {
#ifdef __cpp_lib_to_chars
  return std::from_chars(begin, end, value);
#else
  return read_decimal_by_strtod(begin, end, value);
#endif
}

/// The rare cases: many digits, an exponent, the last bytes of a text. `p` is past the sign.
inline const char* read_any_number(const char* p, const char* end, bool negative, double& value) {
  const char* q = p;
  while (q != end && is_digit(*q)) ++q;
  const bool digits_first = q != p;
  if (q != end && *q == '.') ++q;
  if (!digits_first && (q == end || !is_digit(*q))) return nullptr;
  const auto [rest, error] = read_decimal(p, end, value);
  if (error == std::errc::invalid_argument) return nullptr;
  if (error == std::errc::result_out_of_range) {
    const bool tiny = std::string_view(p, static_cast<std::size_t>(rest - p)).find('-') != std::string_view::npos;
    value = tiny ? 0 : HUGE_VAL;
  }
  if (negative) value = -value;
  return rest;
}

}  // namespace detail

/// Reads the decimal number at `p` ("-12.5", "+.5", "1.", "3e-4") into `value`. Returns where it ends, or null when
/// there is none. `nan` and `inf` are no numbers.
///
/// Up to nine digits before the point and seven after it, the usual, make an integer that a double holds exactly, and
/// one division by an exact power of ten rounds it correctly (Clinger 1990); the rest goes to std::from_chars. Digits
/// before the point are few and change seldom from row to row, so a loop takes them; those after it are taken at once.
inline const char* read_number(const char* p, const char* end, double& value) {
  constexpr std::ptrdiff_t kWholeDigits = 9;
  constexpr std::ptrdiff_t kFast = kWholeDigits + 10;  // point, eight digits, what follows
  const bool negative = p != end && *p == '-';
  if (p != end && (*p == '-' || *p == '+')) ++p;
  if (end - p < kFast || std::endian::native != std::endian::little) {
    return detail::read_any_number(p, end, negative, value);
  }
  const char* rest = p;
  std::uint64_t whole = 0;
  while (detail::is_digit(*rest) && rest - p < kWholeDigits)
    whole = whole * 10 + static_cast<std::uint64_t>(*rest++ - '0');
  std::ptrdiff_t digits = rest - p;
  detail::EightDigits decimals;
  if (*rest == '.') {
    decimals = detail::read_eight(rest + 1);
    rest += 1 + decimals.count;
    digits += decimals.count;
  }
  const char next = *rest;
  if (digits == 0 || decimals.count == 8 || detail::is_digit(next) || (next | 0x20) == 'e') {
    return detail::read_any_number(p, end, negative, value);
  }
  const auto power = static_cast<std::size_t>(decimals.count);
  const auto joined = static_cast<std::int64_t>(whole * detail::kPowers[power] + decimals.value);
  const double magnitude = static_cast<double>(joined) / detail::kPowersOfTen[power];
  value = negative ? -magnitude : magnitude;
  return rest;
}

/// `text` as a finite number where it is one from beginning to end, such as a part of what somebody typed.
inline std::optional<double> to_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = detail::read_decimal(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace loom
