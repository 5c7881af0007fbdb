// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/take/track.h>

namespace loom::take {
namespace {

constexpr double kReach = 3;  ///< standard deviations the window reaches to both sides

/// A Gaussian's weights from its middle on.
std::vector<double> gaussian(double deviation) {
  std::vector<double> weights(to_whole<std::size_t>(std::ceil(kReach * deviation)) + 1);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto t = static_cast<double>(i);
    weights[i] = std::exp(-0.5 * t * t / (deviation * deviation));
  }
  return weights;
}

/// The value at `at` of the line that fits `values` best, by the weights of a Gaussian (local linear regression).
double smoothed(const std::vector<double>& values, std::size_t at, const std::vector<double>& weights) {
  const std::size_t reach = weights.size() - 1;
  const std::size_t begin = at - std::min(at, reach), end = std::min(values.size(), at + reach + 1);
  double w0 = 0, w1 = 0, w2 = 0, y0 = 0, y1 = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double t = static_cast<double>(i) - static_cast<double>(at);
    const double w = weights[i < at ? at - i : i - at];
    w0 += w;
    w1 += w * t;
    w2 += w * t * t;
    y0 += w * values[i];
    y1 += w * t * values[i];
  }
  const double determinant = w0 * w2 - w1 * w1;
  return determinant > 1e-9 ? (w2 * y0 - w1 * y1) / determinant : y0 / w0;
}

}  // namespace

Track smooth_track(const motion::Clip& clip, double seconds) {
  Track track = motion::GroundFrameFinder(*clip.skeleton).find(clip);
  const double deviation = seconds * clip.rate;
  if (deviation < 0.1) return track;
  const std::vector<double> weights = gaussian(deviation);
  std::vector<double> x(track.size()), z(track.size()), heading(track.size());
  for (std::size_t f = 0; f < track.size(); ++f) {
    x[f] = static_cast<double>(track[f].x);
    z[f] = static_cast<double>(track[f].z);
    heading[f] = f == 0 ? static_cast<double>(track[0].heading)
                        : heading[f - 1] + static_cast<double>(wrap_angle(track[f].heading - track[f - 1].heading));
  }
  for (std::size_t f = 0; f < track.size(); ++f) {
    track[f] = {
        static_cast<float>(smoothed(x, f, weights)), static_cast<float>(smoothed(z, f, weights)),
        wrap_angle(static_cast<float>(std::remainder(smoothed(heading, f, weights), 2 * static_cast<double>(kPi))))};
  }
  return track;
}

motion::GroundFrame track_at(const Track& track, double frame) {
  const double at = std::clamp(frame, 0.0, static_cast<double>(track.size() - 1));
  const auto whole = to_whole<std::size_t>(at);
  const motion::GroundFrame& a = track[whole];
  const motion::GroundFrame& b = track[std::min(whole + 1, track.size() - 1)];
  const auto share = static_cast<float>(at - static_cast<double>(whole));
  return {a.x + (b.x - a.x) * share, a.z + (b.z - a.z) * share,
          wrap_angle(a.heading + wrap_angle(b.heading - a.heading) * share)};
}

}  // namespace loom::take
