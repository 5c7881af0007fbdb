// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/mass_centre.h>
#include <loom/policy/evident_control.h>

namespace loom::policy {
namespace {

constexpr double kVelocitySeconds = 0.10;  ///< standard deviation of the smoothing of velocities
constexpr double kHeadingSeconds = 0.20;   ///< of headings: the hips swing with each stride
constexpr double kFallSeconds = 1.0 / 15;  ///< over which a vertical acceleration is read
constexpr float kFalling = -5.5f;          ///< metres a second squared: below this the feet carry little or nothing
constexpr double kFlightSeconds = 0.22;    ///< a shorter fall is the flight of a running stride

/// A line fitted to values around a moment: the value there, and its change a second.
struct Line {
  double value = 0, slope = 0;
};

/// At each frame the line that fits `values` best under a Gaussian weight. Unlike a weighted mean it is right at the
/// ends of a clip too, where all neighbours lie on one side.
std::vector<Line> fit_lines(const std::vector<double>& values, double sigma_seconds, double rate) {
  const double sigma = sigma_seconds * rate;
  const auto reach = to_whole<std::ptrdiff_t>(std::max(1.0, std::ceil(3 * sigma)));
  const auto count = static_cast<std::ptrdiff_t>(values.size());
  std::vector<double> weights;  // by distance in frames
  for (std::ptrdiff_t d = 0; d <= std::min(reach, count); ++d) {
    const auto x = static_cast<double>(d);
    weights.push_back(std::exp(-0.5 * x * x / (sigma * sigma)));
  }
  std::vector<Line> lines;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    double w0 = 0, w1 = 0, w2 = 0, y0 = 0, y1 = 0;
    for (std::ptrdiff_t j = std::max<std::ptrdiff_t>(0, i - reach); j <= std::min(count - 1, i + reach); ++j) {
      const auto x = static_cast<double>(j - i);
      const double w = weights[static_cast<std::size_t>(std::abs(j - i))], y = values[static_cast<std::size_t>(j)];
      w0 += w;
      w1 += w * x;
      w2 += w * x * x;
      y0 += w * y;
      y1 += w * x * y;
    }
    const double spread = w0 * w2 - w1 * w1;
    const double slope = spread > 0 ? (w0 * y1 - w1 * y0) / spread : 0;
    lines.push_back({(y0 - slope * w1) / w0, slope * rate});
  }
  return lines;
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
  const auto h = to_whole<std::size_t>(std::max(1.0, std::round(kFallSeconds * rate)));
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
  const std::vector<Line> along_x = fit_lines(x, kVelocitySeconds, clip.rate);
  const std::vector<Line> along_z = fit_lines(z, kVelocitySeconds, clip.rate);
  const std::vector<Line> heading = fit_lines(unwrapped_headings(clip), kHeadingSeconds, clip.rate);
  const std::vector<bool> flight = find_flights(centres, clip.rate);
  std::vector<ControlSignal> controls;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    // Facing +Z, left is +X.
    const double sine = std::sin(heading[i].value), cosine = std::cos(heading[i].value);
    const double vx = along_x[i].slope, vz = along_z[i].slope;
    controls.push_back({static_cast<float>(vx * cosine - vz * sine), static_cast<float>(vx * sine + vz * cosine),
                        static_cast<float>(heading[i].slope), flight[i] ? kAirborneBit : 0});
  }
  return controls;
}

}  // namespace loom::policy
