// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/compare/point_cloud.h>

namespace loom::compare {
namespace {

std::vector<double> mean_heights(const FrameSet& frames, const std::vector<std::size_t>& joints) {
  std::vector<double> means(joints.size(), 0.0);
  for (std::size_t f = 0; f < frames.frames(); ++f) {
    for (std::size_t k = 0; k < joints.size(); ++k) means[k] += frames.position(f, joints[k]).y;
  }
  for (double& mean : means) mean /= static_cast<double>(frames.frames());
  return means;
}

/// Positions of the markers relative to `origin` on the floor and to their mean height, frames [begin, end).
void place_points(const FrameSet& frames, const WeightedJoints& markers, const std::vector<double>& heights,
                  double origin_x, double origin_z, std::size_t begin, std::size_t end, CloudTable& table) {
  for (std::size_t f = begin; f < end; ++f) {
    for (std::size_t k = 0; k < table.points; ++k) {
      const Vec3 p = frames.position(f, markers.joints[k]);
      const Vec3 q{static_cast<float>(p.x - origin_x), static_cast<float>(p.y - heights[k]),
                   static_cast<float>(p.z - origin_z)};
      table.by_frame[f * table.points + k] = q;
      table.by_coordinate[(3 * k + 0) * table.frames + f] = q.x;
      table.by_coordinate[(3 * k + 1) * table.frames + f] = q.y;
      table.by_coordinate[(3 * k + 2) * table.frames + f] = q.z;
    }
  }
}

/// Centroid and spread of one frame, from `by_frame`.
void measure_frame(CloudTable& table, std::size_t f) {
  const Vec3* points = table.by_frame.data() + f * table.points;
  double x = 0, z = 0, squares = 0;
  for (std::size_t k = 0; k < table.points; ++k) {
    x += table.weights[k] * points[k].x;
    z += table.weights[k] * points[k].z;
  }
  for (std::size_t k = 0; k < table.points; ++k) {
    const double dx = points[k].x - x, dz = points[k].z - z;
    squares += table.weights[k] * (dx * dx + dz * dz);
  }
  table.centroid_x[f] = static_cast<float>(x);
  table.centroid_z[f] = static_cast<float>(z);
  table.spread[f] = static_cast<float>(squares);
}

/// Mean and energy of the window around one comparable frame.
void measure_window(CloudTable& table, const std::vector<double>& cloud_weights, std::size_t f) {
  const Vec3* points = table.by_frame.data() + (f - table.half_window) * table.points;
  double x = 0, z = 0, energy = 0;
  for (std::size_t n = 0; n < cloud_weights.size(); ++n) {
    x += cloud_weights[n] * points[n].x;
    z += cloud_weights[n] * points[n].z;
  }
  for (std::size_t n = 0; n < cloud_weights.size(); ++n) {
    const double dx = points[n].x - x, y = points[n].y, dz = points[n].z - z;
    energy += cloud_weights[n] * (dx * dx + y * y + dz * dz);
  }
  table.mean_x[f] = x;
  table.mean_z[f] = z;
  table.energy[f] = energy;
}

void measure_clip(CloudTable& table, const std::vector<double>& cloud_weights, std::size_t begin, std::size_t end) {
  const std::size_t half = table.half_window;
  for (std::size_t f = begin; f < end; ++f) {
    measure_frame(table, f);
    // The frame after it must be there even for a window of one frame: a transition leads to it.
    if (f >= begin + half && f + std::max<std::size_t>(half, 1) < end) measure_window(table, cloud_weights, f);
  }
}

CloudTable sized_table(const FrameSet& frames, const WeightedJoints& markers, std::size_t half_window) {
  CloudTable table;
  table.frames = frames.frames();
  table.points = markers.joints.size();
  table.half_window = half_window;
  table.joints = markers.joints;
  table.weights.assign(markers.weights.begin(), markers.weights.end());
  const double sum = std::accumulate(table.weights.begin(), table.weights.end(), 0.0);
  for (double& weight : table.weights) weight /= sum;
  table.starts = frames.starts;
  table.by_frame.resize(table.frames * table.points);
  table.by_coordinate.resize(table.frames * table.points * 3);
  table.centroid_x.resize(table.frames);
  table.centroid_z.resize(table.frames);
  table.spread.resize(table.frames);
  table.mean_x.assign(table.frames, 0.0);
  table.mean_z.assign(table.frames, 0.0);
  table.energy.assign(table.frames, std::numeric_limits<double>::infinity());
  return table;
}

}  // namespace

std::vector<double> gaussian_taps(std::size_t half_window, double sigma) {
  std::vector<double> taps(2 * half_window + 1);
  for (std::size_t n = 0; n < taps.size(); ++n) {
    const double t = static_cast<double>(n) - static_cast<double>(half_window);
    taps[n] = half_window == 0 ? 1.0 : std::exp(-t * t / (2 * sigma * sigma));
  }
  const double sum = std::accumulate(taps.begin(), taps.end(), 0.0);
  for (double& tap : taps) tap /= sum;
  return taps;
}

Result<PointCloud> PointCloud::create(std::shared_ptr<const FrameSet> frames, const PointCloudOptions& options) {
  const auto& given = options.joint_weights;
  const auto markers = weighted_joints(*frames->skeleton, given.empty() ? marker_weights(*frames->skeleton) : given);
  if (!markers) return fail_from(markers);
  if (!std::isfinite(options.sigma) || options.sigma < 0) return fail("the window's sigma is not a positive number");
  const std::size_t window = std::max<std::size_t>(2 * options.half_window + 1, 2);
  std::size_t longest = 0;
  for (std::size_t c = 0; c < frames->clips(); ++c)
    longest = std::max(longest, frames->starts[c + 1] - frames->starts[c]);
  if (longest < window) {
    return fail(fmt::format("the longest clip has {} frames, too few for a window of {}", longest, window));
  }

  PointCloud cloud(frames);
  CloudTable& table = cloud.table_ = sized_table(*frames, *markers, options.half_window);
  const double sigma = options.sigma > 0 ? options.sigma : static_cast<double>(options.half_window) / 2;
  table.taps = gaussian_taps(options.half_window, sigma);
  for (const double tap : table.taps) {
    for (const double weight : table.weights) cloud.cloud_weights_.push_back(tap * weight);
  }
  const std::vector<double> heights = mean_heights(*frames, markers->joints);
  cloud.origin_x_.resize(frames->clips());
  cloud.origin_z_.resize(frames->clips());
  parallel_for(frames->clips(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      const std::size_t begin = frames->starts[c], end = frames->starts[c + 1];
      if (begin == end) continue;
      const Vec3 middle = frames->position((begin + end) / 2, markers->joints.front());
      cloud.origin_x_[c] = middle.x;
      cloud.origin_z_[c] = middle.z;
      place_points(*frames, *markers, heights, middle.x, middle.z, begin, end, table);
      measure_clip(table, cloud.cloud_weights_, begin, end);
    }
  });
  for (const double energy : table.energy) {
    if (std::isfinite(energy)) table.largest_energy = std::max(table.largest_energy, energy);
  }
  return cloud;
}

bool PointCloud::comparable(std::size_t frame) const { return std::isfinite(table_.energy[frame]); }

PointCloud::Products PointCloud::products(std::size_t i, std::size_t j) const {
  const Vec3* a = table_.by_frame.data() + (i - table_.half_window) * table_.points;
  const Vec3* b = table_.by_frame.data() + (j - table_.half_window) * table_.points;
  Products sum;
  for (std::size_t n = 0; n < cloud_weights_.size(); ++n) {
    const double ax = a[n].x, ay = a[n].y, az = a[n].z, bx = b[n].x, by = b[n].y, bz = b[n].z;
    sum.height += cloud_weights_[n] * (ay * by);
    sum.cosine += cloud_weights_[n] * (ax * bx + az * bz);
    sum.sine += cloud_weights_[n] * (ax * bz - az * bx);
  }
  const double ax = table_.mean_x[i], az = table_.mean_z[i], bx = table_.mean_x[j], bz = table_.mean_z[j];
  sum.cosine -= ax * bx + az * bz;
  sum.sine -= ax * bz - az * bx;
  return sum;
}

double PointCloud::distance(std::size_t i, std::size_t j) const {
  const Products sum = products(i, j);
  const double fit = std::sqrt(sum.cosine * sum.cosine + sum.sine * sum.sine);
  return std::max(0.0, table_.energy[i] + table_.energy[j] - 2 * sum.height - 2 * fit);
}

motion::GroundFrame PointCloud::alignment(std::size_t i, std::size_t j) const {
  const Products sum = products(i, j);
  const double heading = std::atan2(sum.sine, sum.cosine);
  const std::size_t clip_i = frames().address(i).clip, clip_j = frames().address(j).clip;
  const double ax = table_.mean_x[i] + origin_x_[clip_i], az = table_.mean_z[i] + origin_z_[clip_i];
  const double bx = table_.mean_x[j] + origin_x_[clip_j], bz = table_.mean_z[j] + origin_z_[clip_j];
  const double c = std::cos(heading), s = std::sin(heading);
  return {static_cast<float>(ax - (c * bx + s * bz)), static_cast<float>(az - (-s * bx + c * bz)),
          static_cast<float>(heading)};
}

PointCloudOptions cloud_window(double rate, double window_seconds, double sigma_seconds) {
  PointCloudOptions options;
  options.half_window = to_whole<std::size_t>(std::max(0.0, std::round(0.5 * window_seconds * rate)));
  options.sigma = sigma_seconds * rate;
  return options;
}

}  // namespace loom::compare
