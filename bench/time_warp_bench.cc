// SPDX-License-Identifier: MIT
// How long time alignment of two clips of 300 frames takes on one core: the matrix of costs, the path through it, and
// both, which is what an alignment tool does while the mouse moves (about a millisecond is wanted).
#include <memory>
#include <vector>

#include <benchmark/benchmark.h>

#include <loom/base/random.h>
#include <loom/compare/joint_angles.h>
#include <loom/compare/point_cloud.h>
#include <loom/compare/time_warp.h>
#include <loom/motion/kinematics.h>
#include <loom/sample/sample.h>

namespace loom::compare {
namespace {

constexpr std::size_t kFrames = 300;

/// Two stretches of sample motion of 300 frames each.
std::shared_ptr<const FrameSet> two_clips() {
  std::vector<motion::Clip> clips;
  for (const std::uint64_t seed : {1, 2}) {
    const motion::Clip once = sample::make_sample("locomotion-01", {.seed = seed}).value().clip;
    const std::vector<motion::Clip> again(kFrames / once.frames() + 1, once);
    clips.push_back(motion::cut(motion::join(again).value(), 0, kFrames).value());
  }
  return std::make_shared<FrameSet>(make_frame_set(clips).value());
}

void PointCloudCosts(benchmark::State& state) {
  const PointCloud metric = PointCloud::create(two_clips()).value();
  for (auto _ : state) benchmark::DoNotOptimize(cost_matrix(metric, 0, 1));
}
BENCHMARK(PointCloudCosts)->Unit(benchmark::kMillisecond);

void JointAngleCosts(benchmark::State& state) {
  const JointAngles metric = JointAngles::create(two_clips()).value();
  for (auto _ : state) benchmark::DoNotOptimize(cost_matrix(metric, 0, 1));
}
BENCHMARK(JointAngleCosts)->Unit(benchmark::kMillisecond);

void Warp(benchmark::State& state) {
  const PointCloud metric = PointCloud::create(two_clips()).value();
  const CostMatrix matrix = cost_matrix(metric, 0, 1).value();
  WarpOptions options;
  options.max_slope = static_cast<std::size_t>(state.range(0));
  options.free_start = options.free_end = static_cast<std::size_t>(state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(find_warp(matrix, options));
}
BENCHMARK(Warp)->ArgNames({"slope", "free"})->Args({2, 0})->Args({3, 0})->Args({3, 30})->Unit(benchmark::kMillisecond);

void CostsAndWarp(benchmark::State& state) {
  const PointCloud metric = PointCloud::create(two_clips()).value();
  for (auto _ : state) benchmark::DoNotOptimize(find_warp(cost_matrix(metric, 0, 1).value()));
}
BENCHMARK(CostsAndWarp)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace loom::compare

BENCHMARK_MAIN();
