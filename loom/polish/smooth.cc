// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include <loom/base/whole.h>
#include <loom/polish/smooth.h>

namespace loom::polish {
namespace {

constexpr double kWindowReach = 3.5;  ///< standard deviations; beyond, a Gaussian weighs less than 0.3 %
constexpr double kWaySeconds = 0.35;  ///< standard deviation of the smoothing of a way: sway has a period of two steps

/// The Gaussian as wide as fits around `frame` in a clip of `frames`: weights of the frames 0, ±1, ±2 ...
class Window {
 public:
  Window(double sigma, std::size_t frames) {
    const std::size_t reach = std::min(to_whole<std::size_t>(std::ceil(kWindowReach * sigma)), frames / 2);
    for (std::size_t k = 0; k <= reach; ++k) {
      const double away = static_cast<double>(k) / sigma;
      weights_.push_back(std::exp(-0.5 * away * away));
    }
  }
  [[nodiscard]] std::size_t reach(std::size_t frame, std::size_t frames) const {
    return std::min({weights_.size() - 1, frame, frames - 1 - frame});
  }
  [[nodiscard]] double weight(std::size_t away) const { return weights_[away]; }

 private:
  std::vector<double> weights_;
};

}  // namespace

std::vector<Vec3> smoothed(const std::vector<Vec3>& values, double sigma) {
  if (!(sigma > 0)) return values;
  const Window window(sigma, values.size());
  std::vector<Vec3> result(values.size());
  for (std::size_t f = 0; f < values.size(); ++f) {
    const std::size_t reach = window.reach(f, values.size());
    double total = window.weight(0), x = values[f].x, y = values[f].y, z = values[f].z;
    for (std::size_t k = 1; k <= reach; ++k) {
      const double w = window.weight(k);
      const Vec3 before = values[f - k], after = values[f + k];
      x += w * (static_cast<double>(before.x) + after.x);
      y += w * (static_cast<double>(before.y) + after.y);
      z += w * (static_cast<double>(before.z) + after.z);
      total += 2 * w;
    }
    result[f] = {static_cast<float>(x / total), static_cast<float>(y / total), static_cast<float>(z / total)};
  }
  return result;
}

Result<motion::Clip> smooth(const motion::Clip& clip, double cutoff_hz) {
  if (!(cutoff_hz > 0) || !std::isfinite(cutoff_hz)) {
    return fail_as(ErrorKind::kBadInput, "motion is smoothed by a frequency above 0 Hz");
  }
  // exp(-2 π² σ² f²) = 1/√2 at the cutoff.
  const double sigma = std::sqrt(std::numbers::ln2) / (2 * std::numbers::pi * cutoff_hz) * clip.rate;
  motion::Clip source = clip;
  motion::align_hemispheres(source);
  motion::Clip result = source;
  result.roots = smoothed(source.roots, sigma);
  // Neighbours are a few degrees apart, where the mean of quaternions is the mean of the turns.
  const Window window(sigma, clip.frames());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const std::size_t reach = window.reach(f, clip.frames());
    const auto mixed = result.pose(f);
    for (std::size_t k = 1; k <= reach; ++k) {
      const auto w = static_cast<float>(window.weight(k) / window.weight(0));
      const auto before = source.pose(f - k), after = source.pose(f + k);
      for (std::size_t j = 0; j < mixed.size(); ++j) {
        Quat& q = mixed[j];
        q = {q.w + w * (before[j].w + after[j].w), q.x + w * (before[j].x + after[j].x),
             q.y + w * (before[j].y + after[j].y), q.z + w * (before[j].z + after[j].z)};
      }
    }
    for (Quat& q : mixed) q = normalized(q);
  }
  return result;
}

motion::Clip in_place(const motion::Clip& clip) {
  motion::Clip result = clip;
  if (clip.frames() == 0) return result;
  const std::vector<Vec3> way = smoothed(clip.roots, kWaySeconds * clip.rate);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    result.roots[f].x = clip.roots[f].x - way[f].x;
    result.roots[f].z = clip.roots[f].z - way[f].z;
  }
  return result;
}

}  // namespace loom::polish
