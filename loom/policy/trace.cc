// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/base/text.h>
#include <loom/policy/trace.h>

namespace loom::policy {

const ControlSignal& Trace::at(double time) const {
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  return signals[static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - times.begin() - 1))];
}

Result<Trace> fit_to(const Trace& trace, const std::vector<std::string>& flags) {
  std::vector<std::size_t> place_of;
  for (const std::string& flag : trace.flags) {
    const auto found = std::find(flags.begin(), flags.end(), flag);
    if (found == flags.end()) {
      return fail(fmt::format("flag {} is unknown; the control space has: {}", in_quotes(flag), fmt::join(flags, ", ")),
                  trace.name);
    }
    place_of.push_back(static_cast<std::size_t>(found - flags.begin()));
  }
  for (const std::string& flag : flags) {
    if (std::find(trace.flags.begin(), trace.flags.end(), flag) == trace.flags.end()) {
      return fail(fmt::format("this trace was recorded for another control space: it has no flag '{}'", flag),
                  trace.name);
    }
  }
  Trace fitted = trace;
  fitted.flags = flags;
  for (ControlSignal& s : fitted.signals) {
    std::uint32_t bits = 0;
    for (std::size_t f = 0; f < place_of.size(); ++f) bits |= (s.flags >> f & 1u) << place_of[f];
    s.flags = bits;
  }
  return fitted;
}

std::vector<ControlSignal> sample(const Trace& trace, double step, double start) {
  std::vector<ControlSignal> signals;
  // By count, so that rounding does not add up over a long trace.
  for (std::size_t i = 0; start + static_cast<double>(i) * step <= trace.seconds(); ++i) {
    signals.push_back(trace.at(start + static_cast<double>(i) * step));
  }
  return signals;
}

}  // namespace loom::policy
