// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/compare/joint_angles.h>
#include <loom/compare/joint_weights.h>
#include <loom/compare/point_cloud.h>
#include <loom/graph/detail/build_parts.h>

namespace loom::graph {
namespace {

constexpr double kLongestWindow = 10;  ///< seconds

/// The weights of the joints; none where the metric's usual ones are meant.
Result<compare::JointWeights> weights_of(const motion::Skeleton& skeleton, const BuildOptions& options) {
  const MetricOptions& metric = options.metric;
  if (!metric.uniform_weights && metric.joint_weights.empty()) return compare::JointWeights{};
  compare::JointWeights weights = metric.uniform_weights ? compare::uniform_weights(skeleton)
                                  : options.comparison == compare::MetricKind::kJointAngles
                                      ? compare::wang_bodenheimer_weights(skeleton)
                                      : compare::marker_weights(skeleton);
  for (const auto& named : metric.joint_weights) {
    const auto joint = skeleton.find(named.first);
    if (!joint) return fail(fmt::format("the body has no joint {}", in_quotes(named.first)));
    weights[static_cast<std::size_t>(*joint)] = static_cast<float>(named.second);
  }
  return weights;
}

}  // namespace

Result<std::unique_ptr<compare::Metric>> make_metric(std::shared_ptr<const compare::FrameSet> frames,
                                                     const BuildOptions& options) {
  const MetricOptions& given = options.metric;
  if (!(given.window_seconds > 0 && given.window_seconds <= kLongestWindow)) {
    return fail(fmt::format("the window must be longer than 0 and at most {:g} seconds", kLongestWindow));
  }
  if (!(given.gaussian_seconds >= 0 && std::isfinite(given.gaussian_seconds))) {
    return fail("the Gaussian over the window must be 0 or a number of seconds");
  }
  auto weights = weights_of(*frames->skeleton, options);
  if (!weights) return fail_from(weights);
  if (options.comparison == compare::MetricKind::kJointAngles) {
    compare::JointAngleOptions angles;
    angles.velocity_weight = given.velocity_weight;
    angles.joint_velocity_weight = given.joint_velocity_weight;
    angles.joint_weights = std::move(*weights);
    auto metric = compare::JointAngles::create(std::move(frames), angles);
    if (!metric) return fail_from(metric);
    return std::make_unique<compare::JointAngles>(std::move(*metric));
  }
  compare::PointCloudOptions cloud = compare::cloud_window(frames->rate, given.window_seconds, given.gaussian_seconds);
  cloud.joint_weights = std::move(*weights);
  auto metric = compare::PointCloud::create(std::move(frames), cloud);
  if (!metric) return fail_from(metric);
  return std::make_unique<compare::PointCloud>(std::move(*metric));
}

Result<std::vector<std::uint8_t>> hands_of(const take::TakeSet& motion, const motion::HandContactOptions& options) {
  std::vector<std::uint8_t> all;
  if (!options.any()) return all;
  const auto touches = [&](const motion::Label& label) { return label.name == options.label; };
  const auto touching_somewhere = [&](const motion::Clip& clip) { return std::ranges::any_of(clip.labels, touches); };
  if (!options.label.empty() && std::ranges::none_of(motion.clips, touching_somewhere)) {
    return fail(fmt::format("no motion is labelled '{}'", options.label));
  }
  for (const motion::Clip& clip : motion.clips) {
    const auto touching = motion::find_hand_contacts(clip, options);
    if (!touching) return fail_from(touching);
    all.insert(all.end(), touching->begin(), touching->end());
  }
  return all;
}

}  // namespace loom::graph
