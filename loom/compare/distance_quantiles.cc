// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/random.h>
#include <loom/base/whole.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/detail/sweep.h>

namespace loom::compare {
namespace {

Result<std::vector<double>> estimate(const Metric& metric, std::span<const double> shares, std::size_t samples,
                                     std::uint64_t seed) {
  for (const double share : shares) {
    if (!(share >= 0 && share <= 1)) return fail(fmt::format("{} is not a share between 0 and 1", share));
  }
  const std::vector<std::uint32_t> frames = comparable_frames(metric);
  if (frames.size() < 2 || samples == 0) return fail("there are no pairs of frames to compare");
  Random random(seed);
  std::vector<Candidate> drawn(samples);
  for (Candidate& pair : drawn) {
    do {
      pair = {frames[random.index(frames.size())], frames[random.index(frames.size())]};
    } while (pair.i == pair.j);
  }
  std::vector<double> distances(samples);
  parallel_for(samples, 4096, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) distances[n] = metric.distance(drawn[n].i, drawn[n].j);
  });
  std::sort(distances.begin(), distances.end());
  std::vector<double> quantiles;
  for (const double share : shares) {
    quantiles.push_back(distances[to_whole<std::size_t>(share * static_cast<double>(samples - 1))]);
  }
  return quantiles;
}

}  // namespace

Result<std::vector<double>> distance_quantiles(const Metric& metric, std::span<const double> shares,
                                               std::size_t samples, std::uint64_t seed) {
  return within_memory("comparing so many frames", [&] { return estimate(metric, shares, samples, seed); });
}

}  // namespace loom::compare
