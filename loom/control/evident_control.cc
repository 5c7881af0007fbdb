// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/control/evident_control.h>
#include <loom/motion/body.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/mass_centre.h>

namespace loom::control {
namespace {

constexpr double kVelocitySeconds = 0.10;  ///< standard deviation of the smoothing of velocities
constexpr double kHeadingSeconds = 0.20;   ///< of headings: the hips swing with each stride
constexpr double kFallSeconds = 1.0 / 15;  ///< over which a vertical acceleration is read
constexpr float kFalling = -5.5f;          ///< metres a second squared: below this the feet carry little or nothing
constexpr double kFlightSeconds = 0.22;    ///< a shorter fall is the flight of a running stride

/// `values` smoothed by a Gaussian, renormalised at the ends.
std::vector<double> smooth(const std::vector<double>& values, double sigma_frames) {
  const auto reach = static_cast<std::ptrdiff_t>(std::ceil(3 * sigma_frames));
  std::vector<double> weights;
  for (std::ptrdiff_t k = 0; k <= reach; ++k) {
    const double x = static_cast<double>(k) / sigma_frames;
    weights.push_back(std::exp(-0.5 * x * x));
  }
  const auto count = static_cast<std::ptrdiff_t>(values.size());
  std::vector<double> result(values.size());
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    double sum = 0, total = 0;
    for (std::ptrdiff_t j = std::max<std::ptrdiff_t>(0, i - reach); j <= std::min(count - 1, i + reach); ++j) {
      const double w = weights[static_cast<std::size_t>(std::abs(i - j))];
      sum += w * values[static_cast<std::size_t>(j)];
      total += w;
    }
    result[static_cast<std::size_t>(i)] = sum / total;
  }
  return result;
}

/// Change a second, by central differences, one-sided at the ends.
std::vector<double> slope(const std::vector<double>& values, double rate) {
  std::vector<double> result(values.size());
  if (values.size() < 2) return result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t before = i == 0 ? 0 : i - 1, after = std::min(i + 1, values.size() - 1);
    result[i] = (values[after] - values[before]) * rate / static_cast<double>(after - before);
  }
  return result;
}

std::vector<Vec3> centres_of(const motion::Clip& clip) {
  std::vector<Vec3> centres = motion::mass_centre(motion::forward_kinematics(clip), motion::find_body(*clip.skeleton));
  return centres.empty() ? clip.roots : centres;
}

/// Headings without jumps from pi to -pi.
std::vector<double> unwrapped_headings(const motion::Clip& clip) {
  const std::vector<motion::GroundFrame> frames = motion::GroundFrameFinder(*clip.skeleton).find(clip);
  std::vector<double> headings;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const double turn = i == 0 ? 0 : static_cast<double>(wrap_angle(frames[i].heading - frames[i - 1].heading));
    headings.push_back(i == 0 ? static_cast<double>(frames[0].heading) : headings.back() + turn);
  }
  return headings;
}

/// Where the body falls freely for longer than a stride's flight.
std::vector<bool> find_flights(const std::vector<Vec3>& centres, double rate) {
  const auto h = static_cast<std::size_t>(std::max(1.0, std::round(kFallSeconds * rate)));
  const double seconds = static_cast<double>(h) / rate;
  std::vector<bool> falling(centres.size());
  for (std::size_t i = h; i + h < centres.size(); ++i) {
    const float bend = centres[i - h].y + centres[i + h].y - 2 * centres[i].y;
    falling[i] = static_cast<double>(bend) / (seconds * seconds) < static_cast<double>(kFalling);
  }
  for (std::size_t i = 0; i < falling.size();) {
    std::size_t end = i;
    while (end < falling.size() && falling[end]) ++end;
    if (static_cast<double>(end - i) < kFlightSeconds * rate) {
      std::fill(falling.begin() + static_cast<std::ptrdiff_t>(i), falling.begin() + static_cast<std::ptrdiff_t>(end),
                false);
    }
    i = std::max(end, i + 1);
  }
  return falling;
}

}  // namespace

std::vector<ControlSignal> evident_controls(const motion::Clip& clip) {
  const std::vector<Vec3> centres = centres_of(clip);
  std::vector<double> x, z;
  for (const Vec3& c : centres) {
    x.push_back(static_cast<double>(c.x));
    z.push_back(static_cast<double>(c.z));
  }
  const std::vector<double> vx = smooth(slope(x, clip.rate), kVelocitySeconds * clip.rate);
  const std::vector<double> vz = smooth(slope(z, clip.rate), kVelocitySeconds * clip.rate);
  const std::vector<double> heading = smooth(unwrapped_headings(clip), kHeadingSeconds * clip.rate);
  const std::vector<double> turn = slope(heading, clip.rate);
  const std::vector<bool> flight = find_flights(centres, clip.rate);
  std::vector<ControlSignal> controls;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    // Facing +Z, left is +X.
    const double s = std::sin(heading[i]), c = std::cos(heading[i]);
    controls.push_back({static_cast<float>(vx[i] * c - vz[i] * s), static_cast<float>(vx[i] * s + vz[i] * c),
                        static_cast<float>(turn[i]), flight[i] ? kAirborneBit : 0});
  }
  return controls;
}

}  // namespace loom::control
