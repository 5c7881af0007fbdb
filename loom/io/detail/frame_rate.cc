// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include <loom/io/detail/frame_rate.h>

namespace loom::io {
namespace {

constexpr double kShortest = 1e-5, kLongest = 1000;  ///< seconds
constexpr double kLeastRounding = 1e-4;              ///< relative; a tenth of what sets 29.97 Hz apart from 30 Hz

/// Rates of films, cameras, game engines and capture systems, in Hz.
constexpr double kUsualRates[] = {24,  25,  30,  48,  50,  60,  72,  75,  90,  100, 120, 144,
                                  150, 180, 200, 240, 250, 300, 360, 400, 480, 500, 1000};
/// The odd rates of colour television.
constexpr double kNtscRates[] = {24000.0 / 1001, 30000.0 / 1001, 60000.0 / 1001, 120000.0 / 1001};

/// Half a unit of the last digit of a decimal number without exponent, 0 where there is an exponent.
double half_last_digit(std::string_view text) {
  if (text.find_first_of("eE") != std::string_view::npos) return 0;
  const std::size_t point = text.find('.');
  const std::size_t decimals = point == std::string_view::npos ? 0 : text.size() - point - 1;
  return 0.5 * std::pow(10.0, -static_cast<double>(std::min<std::size_t>(decimals, 30)));
}

}  // namespace

Result<double> rate_from_frame_time(double frame_time, std::string_view text) {
  if (!(frame_time >= kShortest && frame_time <= kLongest)) {
    return fail(fmt::format("expected a frame time between {:g} and {:g} seconds, found {:g}", kShortest, kLongest,
                            frame_time));
  }
  const double rate = 1 / frame_time;
  // At most a tenth, so that "1" does not stand for everything from 0.5 to 1.5 seconds.
  const double rounding = std::clamp(half_last_digit(text) / frame_time, kLeastRounding, 0.1);
  const auto rounds_to_it = [&](double candidate) { return std::fabs(rate / candidate - 1) <= rounding; };
  const auto nearest_of = [&](std::span<const double> rates) {
    return *std::min_element(rates.begin(), rates.end(),
                             [&](double a, double b) { return std::fabs(a - rate) < std::fabs(b - rate); });
  };
  for (const double usual : {nearest_of(kUsualRates), nearest_of(kNtscRates)}) {
    if (rounds_to_it(usual)) return usual;
  }
  const double whole = std::round(rate);
  return whole >= 1 && rounds_to_it(whole) ? whole : rate;
}

}  // namespace loom::io
