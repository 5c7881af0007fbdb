// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/motion/detail/foot_tracks.h>

namespace loom::motion {
namespace {

// A planted foot part rests within this of its usual height, metres: noise, shoes, a carpet's edge.
constexpr float kSpread = 0.02f;
// Beyond this above the floor a slow foot is held in the air or stands on something else; it has no say.
constexpr float kAbove = 0.06f;
// The tilt is believed as far as the feet cover ground: over this distance, metres, it is halved.
constexpr double kTiltDistance = 0.3;
constexpr double kSteepest = 0.05;  // capture volumes are levelled better than that
constexpr int kRounds = 15;

struct Sample {
  float x, z, height;
};

float quantile(std::vector<float> values, double share) {
  if (values.empty()) return 0;
  const auto at = to_whole<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

/// The frames in which a part is slow; where it never is, those in which it is lowest.
std::vector<Sample> resting_samples(const FootTrack& track, float slow) {
  std::vector<Sample> samples;
  for (std::size_t f = 0; f < track.position.size(); ++f) {
    const Vec3& p = track.position[f];
    if (track.speed[f] < slow) samples.push_back({p.x, p.z, p.y});
  }
  if (!samples.empty()) return samples;
  for (const Vec3& p : track.position) samples.push_back({p.x, p.z, p.y});
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.height < b.height; });
  samples.resize(samples.size() / 10 + 1);
  return samples;
}

std::vector<float> heights_above(const std::vector<Sample>& samples, const Floor& floor) {
  std::vector<float> above;
  above.reserve(samples.size());
  for (const Sample& s : samples) above.push_back(s.height - floor.at({s.x, 0, s.z}));
  return above;
}

/// The level of the lowest cluster of heights: the middle of what lies near the low tenth.
float resting_level(const std::vector<float>& above) {
  const float low = quantile(above, 0.1);
  std::vector<float> near;
  for (const float h : above) {
    if (std::abs(h - low) < kSpread) near.push_back(h);
  }
  return quantile(std::move(near), 0.5);
}

/// Weighted least squares for the tilt, given the level of each part; samples far above or below count little.
void improve_tilt(const std::array<std::vector<Sample>, kFootParts>& samples,
                  const std::array<float, kFootParts>& level, Floor& floor) {
  double n = 0, x = 0, z = 0, h = 0, xx = 0, xz = 0, zz = 0, xh = 0, zh = 0;
  for (std::size_t part = 0; part < kFootParts; ++part) {
    for (const Sample& s : samples[part]) {
      const float miss = s.height - floor.at({s.x, 0, s.z}) - level[part];
      if (miss > kAbove) continue;
      const double ratio = miss / kSpread;
      const double weight = 1 / ((1 + ratio * ratio) * (1 + ratio * ratio));
      const double dx = s.x - floor.centre_x, dz = s.z - floor.centre_z, dh = s.height - level[part];
      n += weight, x += weight * dx, z += weight * dz, h += weight * dh;
      xx += weight * dx * dx, xz += weight * dx * dz, zz += weight * dz * dz;
      xh += weight * dx * dh, zh += weight * dz * dh;
    }
  }
  if (n <= 0) return;
  // About the weighted mean, with a ridge that keeps the tilt at zero where the feet cover no ground.
  const double ridge = n * kTiltDistance * kTiltDistance;
  xx += ridge - x * x / n, zz += ridge - z * z / n, xz -= x * z / n, xh -= x * h / n, zh -= z * h / n;
  const double determinant = xx * zz - xz * xz;
  const double slope_x = std::clamp((xh * zz - zh * xz) / determinant, -kSteepest, kSteepest);
  const double slope_z = std::clamp((zh * xx - xh * xz) / determinant, -kSteepest, kSteepest);
  floor.slope_x = static_cast<float>(slope_x);
  floor.slope_z = static_cast<float>(slope_z);
}

}  // namespace

FloorFit fit_floor(const FootTracks& tracks, float slow, float rest_drop) {
  FloorFit fit;
  std::array<std::vector<Sample>, kFootParts> samples;
  std::vector<float> xs, zs;
  for (std::size_t part = 0; part < kFootParts; ++part) {
    samples[part] = resting_samples(tracks[part], slow);
    for (const Sample& s : samples[part]) xs.push_back(s.x), zs.push_back(s.z);
  }
  fit.floor.centre_x = quantile(std::move(xs), 0.5);
  fit.floor.centre_z = quantile(std::move(zs), 0.5);
  auto& level = fit.rest_height;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t part = 0; part < kFootParts; ++part)
      level[part] = resting_level(heights_above(samples[part], fit.floor));
    // A foot that is never put down has no level of its own: it takes the other's.
    for (std::size_t part = 0; part < kFootParts; ++part) {
      const std::size_t other = (part + 2) % kFootParts;
      if (level[part] > level[other] + kAbove) level[part] = level[other];
    }
    // A heel that is never put down (a run on the toes) rests where the skeleton says a flat foot has it.
    for (const std::size_t heel : {std::size_t{0}, std::size_t{2}}) {
      if (rest_drop >= 0) level[heel] = std::min(level[heel], level[heel + 1] + rest_drop + kSpread);
    }
    if (round + 1 < kRounds) improve_tilt(samples, level, fit.floor);
  }
  return fit;
}

}  // namespace loom::motion
