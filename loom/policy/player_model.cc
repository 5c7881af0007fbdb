// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/policy/player_model.h>

namespace loom::policy {
namespace {

/// Each trace is sampled from several starts within a step, so that no change of control falls between samples.
constexpr std::size_t kOffsets = 6;

struct Counts {
  std::vector<double> changes;  ///< bins × bins
  std::vector<double> visits;   ///< bins
};

void count_trace(const BinFinder& finder, const Trace& trace, double step, Counts& counts) {
  const std::size_t bins = counts.visits.size();
  for (std::size_t k = 0; k < kOffsets; ++k) {
    const double start = step * static_cast<double>(k) / static_cast<double>(kOffsets);
    std::size_t before = bins;
    for (const ControlSignal& signal : sample(trace, step, start)) {
      const std::size_t bin = finder.find(signal);
      counts.visits[bin] += 1.0 / kOffsets;
      if (before < bins) counts.changes[before * bins + bin] += 1.0 / kOffsets;
      before = bin;
    }
  }
}

/// Row `c` of T as it was counted; where nothing was, the control stays.
void plain_row(std::span<const double> seen, std::size_t c, std::span<double> row) {
  double total = 0;
  for (const double count : seen) total += count;
  for (std::size_t d = 0; d < row.size(); ++d) row[d] = total > 0 ? seen[d] / total : (d == c ? 1.0 : 0.0);
}

/// Row `c` of T: what was seen, and for what was not half staying and half `anywhere`.
void smooth_row(std::span<const double> seen, std::size_t c, std::span<const double> anywhere, std::span<double> row) {
  double total = 0, different = 0;
  for (const double count : seen) {
    total += count;
    different += count > 0 ? 1 : 0;
  }
  different = std::max(different, 1.0);
  for (std::size_t d = 0; d < row.size(); ++d) {
    const double unseen = 0.5 * anywhere[d] + (d == c ? 0.5 : 0.0);
    row[d] = (seen[d] + different * unseen) / (total + different);
  }
}

std::string describe_source(std::span<const Trace> traces, double seconds) {
  const auto simulated = std::count_if(traces.begin(), traces.end(), [](const Trace& t) { return t.simulated; });
  const char* kind =
      simulated == 0 ? "recorded" : (simulated == std::ssize(traces) ? "simulated" : "recorded and simulated");
  return fmt::format("{}: {} trace{}, {:.0f} s", kind, traces.size(), traces.size() == 1 ? "" : "s", seconds);
}

}  // namespace

Result<PlayerModel> count_player_model(const ControlSpace& space, std::span<const Trace> traces, double step,
                                       Smoothing smoothing) {
  if (const auto valid = validate(space); !valid) return fail_from(valid);
  if (!(step > 0)) return fail("the time between two decisions must be positive");
  if (traces.empty()) return fail("there are no traces to learn from");
  PlayerModel model;
  model.bins = space.bins.size();
  Counts counts{std::vector<double>(model.bins * model.bins), std::vector<double>(model.bins)};
  const BinFinder finder(space);
  for (const Trace& trace : traces) {
    count_trace(finder, trace, step, counts);
    model.seconds += trace.seconds();
  }
  if (model.seconds < step) return fail(fmt::format("the traces are shorter than the {} s of a fragment", step));
  double visits = 0;
  for (const double v : counts.visits) visits += v;
  std::vector<double> anywhere(model.bins);
  for (std::size_t c = 0; c < model.bins; ++c) anywhere[c] = counts.visits[c] / visits;
  model.unused = static_cast<std::size_t>(std::count(counts.visits.begin(), counts.visits.end(), 0.0));
  model.next.resize(model.bins * model.bins);
  for (std::size_t c = 0; c < model.bins; ++c) {
    const auto seen = std::span<const double>(counts.changes).subspan(c * model.bins, model.bins);
    const auto row = std::span(model.next).subspan(c * model.bins, model.bins);
    if (smoothing == Smoothing::kNone) {
      plain_row(seen, c, row);
    } else {
      smooth_row(seen, c, anywhere, row);
    }
  }
  model.source = describe_source(traces, model.seconds);
  return model;
}

}  // namespace loom::policy
