// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <loom/base/result.h>
#include <loom/compare/joint_weights.h>
#include <loom/compare/metric.h>

namespace loom::compare {

struct PointCloudOptions {
  std::size_t half_window = 5;  ///< L: a cloud is 2L + 1 frames around its own; 5 is a third of a second at 30 Hz
  /// Standard deviation, in frames, of the Gaussian that weighs the frames of a window; 0 takes half of L, so that
  /// the outermost frames still count 13 %. (The works say "a Gaussian" and no more.)
  double sigma = 0;
  JointWeights joint_weights;  ///< one a joint, used as they are; empty takes `marker_weights`
};

/// The window of the works' metric in seconds: a third of one, eleven frames at 30 Hz.
inline constexpr double kWindowSeconds = 1.0 / 3.0;

/// The options of a window of so many seconds at `rate` frames a second, so that another rate is the same metric. The
/// Gaussian's standard deviation in seconds; 0 takes half of half the window.
PointCloudOptions cloud_window(double rate, double window_seconds = kWindowSeconds, double sigma_seconds = 0);

/// The frames of a set as weighted points, in the form the all-pairs kernels read.
///
/// Heights are taken relative to each point's mean over the set, floor coordinates to a point near the clip: neither
/// changes any distance, both keep the numbers small, so that single precision loses little.
struct CloudTable {
  std::size_t frames = 0;
  std::size_t points = 0;              ///< joints of positive weight
  std::size_t half_window = 0;         ///< L
  std::vector<std::size_t> joints;     ///< which joint of the skeleton each point is
  std::vector<double> weights;         ///< one a point, summing to one
  std::vector<double> taps;            ///< 2L + 1 weights of the frames of a window, summing to one
  std::vector<std::size_t> starts;     ///< clips, as in FrameSet
  std::vector<Vec3> by_frame;          ///< frames × points
  std::vector<float> by_coordinate;    ///< 3 × points runs (x, y, z of point 0, then of point 1, ...) of `frames`
  std::vector<double> mean_x, mean_z;  ///< weighted mean over the window of a frame; 0 where not comparable
  std::vector<double> energy;          ///< weighted sum of squares over the window, floor part about that mean;
                                       ///< infinite where not comparable
  std::vector<float> centroid_x, centroid_z;  ///< weighted mean of a frame's own points
  std::vector<float> spread;                  ///< weighted mean squared distance from it, on the floor
  double largest_energy = 0;                  ///< of the comparable frames
};

/// The point-cloud distance (Kovar 2002 §3.1; Zhao 2009 eq. 3.2): the weighted mean squared distance, in square
/// metres, between the markers of two windows of motion, after the second was turned and shifted on the floor to lie
/// on the first as well as it can.
///
/// Weights are scaled to sum to one, so the square root of a distance is how far apart the markers are on average,
/// whatever the window, the weights and the number of joints. The best alignment has a closed form: with all points
/// taken about the windows' means, D = E_i + E_j - 2 H - 2 sqrt(C² + S²), where H, C and S are the inner products of
/// the heights, of the floor coordinates, and of those with one of them turned by a right angle.
class PointCloud final : public Metric {
 public:
  /// Fails on weights of the wrong number, negative, not finite or all zero, and on a window longer than every clip.
  static Result<PointCloud> create(std::shared_ptr<const FrameSet> frames, const PointCloudOptions& options = {});

  [[nodiscard]] bool comparable(std::size_t frame) const override;
  [[nodiscard]] double distance(std::size_t i, std::size_t j) const override;
  [[nodiscard]] motion::GroundFrame alignment(std::size_t i, std::size_t j) const override;

  [[nodiscard]] const CloudTable& table() const { return table_; }
  /// The weight of every point of a cloud, (2L + 1) × points, summing to one.
  [[nodiscard]] const std::vector<double>& cloud_weights() const { return cloud_weights_; }

 private:
  struct Products {
    double height = 0, cosine = 0, sine = 0;  ///< H, C and S
  };

  explicit PointCloud(std::shared_ptr<const FrameSet> frames) : Metric(std::move(frames)) {}
  [[nodiscard]] Products products(std::size_t i, std::size_t j) const;

  CloudTable table_;
  std::vector<double> cloud_weights_;
  std::vector<double> origin_x_, origin_z_;  ///< one a clip: what was taken from its floor coordinates
};

/// The window weights: exp(-t² / 2 sigma²) for t in [-L, L], scaled to sum to one.
std::vector<double> gaussian_taps(std::size_t half_window, double sigma);

}  // namespace loom::compare
