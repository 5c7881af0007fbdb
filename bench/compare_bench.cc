// SPDX-License-Identifier: MIT
// All pairs of frames of the set of Zhao 2009's size: how long, how much memory, and against what.
//
// Peers: one OpenBLAS sgemm over the same pairs, and the plain function called pair by pair on one thread. Where the
// real capture is not beside the checkout, random motion of a tenth of the size stands in. Wall-clock figures need a
// machine with nothing else to do; the processor time beside them does not.
#include <cmath>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <cblas.h>

#include <loom/base/parallel.h>
#include <loom/base/random.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/clusters.h>
#include <loom/compare/frame_stances.h>
#include <loom/compare/joint_angles.h>
#include <loom/compare/point_cloud.h>
#include <loom/io/read.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::bench;

extern "C" void openblas_set_num_threads(int threads);

/// The clips of set-87k.txt, all on the body of the first performer: proportions do not matter to the cost.
std::vector<motion::Clip> real_clips() {
  std::vector<std::string> files;
  std::ifstream list(kMocap / "set-87k.txt");
  for (std::string line; std::getline(list, line);) files.push_back(line);
  std::vector<motion::Clip> clips(files.size());
  parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      auto read = io::read_motion((kMocap / files[n]).string());
      if (read) clips[n] = std::move(read->front().clip);
    }
  });
  for (motion::Clip& clip : clips) {
    clip.skeleton = clips.front().skeleton;
    clip.rate = clips.front().rate;
  }
  return clips;
}

/// Motion of as many joints that wanders about.
std::vector<motion::Clip> made_clips() {
  std::vector<motion::Joint> joints;
  joints.reserve(31);
  Random random(1);
  const auto coordinate = [&] { return static_cast<float>(random.uniform(-0.3, 0.3)); };
  for (int j = 0; j < 31; ++j) {
    joints.push_back({fmt::format("joint{}", j), j - 1, j == 0 ? Vec3{} : Vec3{coordinate(), coordinate(), 0}});
  }
  const auto skeleton = std::make_shared<motion::Skeleton>(motion::Skeleton::create(joints, {}).value());
  std::vector<motion::Clip> clips;
  for (int c = 0; c < 28; ++c) {
    motion::Clip clip{fmt::format("made{}", c), skeleton, 30, std::vector<Vec3>(314), {}, {}};
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      clip.roots[f] = {static_cast<float>(f) * 0.03f, 1, 0};
      for (int j = 0; j < 31; ++j) {
        clip.rotations.push_back(
            exp_vector({std::sin(0.1f * static_cast<float>(f) + static_cast<float>(j + c)), 0, 0.3f}));
      }
    }
    clips.push_back(std::move(clip));
  }
  return clips;
}

void print_line(const std::string& what, double pairs, double wall, double processor) {
  fmt::print("{:<58} {:8.2f} s {:8.2f} s cpu {:9.1f} M pairs/s\n", what, wall, processor, 1e-6 * pairs / wall);
}

/// Processor seconds of a pass over all pairs.
double time_minima(const std::string& name, const compare::Metric& metric, double share) {
  compare::PairQuery query;
  query.threshold = compare::distance_quantiles(metric, std::vector{share}, 1000000).value()[0];
  query.search = compare::PairSearch::kEveryPair;  // `bench_scale` has what is skipped
  const Stopwatch watch;
  const auto found = compare::find_local_minima(metric, query);
  const double wall = watch.wall(), processor = watch.processor();
  if (!found) {
    fmt::print("{}: {}\n", name, found.error().message);
    return processor;
  }
  const double pairs = static_cast<double>(found->stats.compared);
  print_line(fmt::format("{}, minima in the nearest {:g} %", name, 100 * share), pairs, wall, processor);
  fmt::print("    threshold {:.5f}, {} minima found, peak memory {:.0f} MB, {} threads, {}\n", query.threshold,
             found->pairs.size(), 1e-6 * static_cast<double>(found->stats.peak_memory_bytes), found->stats.threads,
             compare::cpu_back_end().name());
  return processor;
}

double time_under(const compare::Metric& metric, double share) {
  compare::PairQuery query;
  query.threshold = compare::distance_quantiles(metric, std::vector{share}, 1000000).value()[0];
  query.search = compare::PairSearch::kEveryPair;  // `bench_scale` has what is skipped
  const Stopwatch watch;
  const auto found = compare::find_pairs_under(metric, query);
  const double wall = watch.wall(), processor = watch.processor();
  if (found) {
    print_line(fmt::format("point clouds, all in the nearest {:g} % ({})", 100 * share, found->pairs.size()),
               static_cast<double>(found->stats.compared), wall, processor);
  }
  return processor;
}

/// sgemm over `frames` × `frames` / 2 pairs, in panels of a size it likes, with `inner` numbers a frame. Every
/// eighth panel is run and the time scaled.
double time_sgemm(std::size_t frames, std::size_t inner, const std::string& what) {
  constexpr std::size_t kPanel = 2048, kEvery = 8;
  const auto all = (frames + kPanel - 1) / kPanel;
  std::vector<float> left(kPanel * inner, 0.5f), right(kPanel * inner, 0.25f), out(kPanel * kPanel);
  const std::size_t blocks = std::max<std::size_t>(1, all * all / 2 / kEvery);
  const auto run = [&](std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, kPanel, kPanel, static_cast<int>(inner), 1.0f, left.data(),
                  static_cast<int>(inner), right.data(), static_cast<int>(inner), 0.0f, out.data(), kPanel);
    }
  };
  run(1);
  const Stopwatch watch;
  run(blocks);
  const double pairs = 0.5 * static_cast<double>(frames) * static_cast<double>(frames);
  const double scale = pairs / (static_cast<double>(blocks) * kPanel * kPanel);
  print_line(fmt::format("OpenBLAS sgemm, inner dimension {} = {}", inner, what), pairs, watch.wall() * scale,
             watch.processor() * scale);
  return watch.processor() * scale;
}

/// Zhao's clusters: what they cost, save and miss, with the threshold of the nearest `share` of pairs.
void time_clusters(const compare::PointCloud& metric, std::span<const motion::Stance> stances, double share) {
  compare::PairQuery query;
  query.threshold = compare::distance_quantiles(metric, std::vector{share}, 1000000).value()[0];
  query.search = compare::PairSearch::kEveryPair;  // `bench_scale` has what is skipped
  const auto all = compare::find_local_minima(metric, query).value();
  for (const std::size_t clusters : {1, 4, 16, 64}) {
    const Stopwatch grouping;
    const auto groups = compare::cluster_frames(metric, stances, {clusters, 30, 1}).value();
    const double grouped = grouping.processor();
    const Stopwatch watch;
    const auto found = compare::find_pairs_in_clusters(metric, groups, query, true).value();
    const auto measure = compare::measure_clusters(groups, all.pairs);
    fmt::print(
        "  {:3} clusters: {:5.1f} % of the pairs compared, recall {:.3f}, {:6.2f} s cpu and {:5.2f} s to group\n",
        groups.count, 100.0 * static_cast<double>(measure.compared_pairs) / static_cast<double>(measure.all_pairs),
        measure.recall(), watch.processor(), grouped);
  }
}

double time_naive(const compare::Metric& metric) {
  constexpr std::size_t kCalls = 1000000;
  const std::size_t frames = metric.frames().frames();
  std::vector<std::size_t> good;
  for (std::size_t f = 0; f < frames; ++f) {
    if (metric.comparable(f)) good.push_back(f);
  }
  const Stopwatch watch;
  double sum = 0;
  for (std::size_t n = 0; n < kCalls; ++n) {
    sum += metric.distance(good[n / 1000 % good.size()], good[n * 7 % good.size()]);
  }
  const double pairs = 0.5 * static_cast<double>(frames) * static_cast<double>(frames), scale = pairs / kCalls;
  print_line(sum >= 0 ? "pair by pair in double precision, one thread" : "", pairs, watch.wall() * scale,
             watch.processor() * scale);
  return watch.processor() * scale;
}

}  // namespace

int main() {
  const bool real = fs::exists(kMocap / "set-87k.txt");
  const auto clips = real ? real_clips() : made_clips();
  const auto set = std::make_shared<compare::FrameSet>(need(compare::make_frame_set(clips)));
  fmt::print("{} clips, {} frames, {} joints{}\n", set->clips(), set->frames(), set->joints(),
             real ? "" : " (made; the real set is not there)");
  const auto cloud = compare::PointCloud::create(set).value();
  const auto angles = compare::JointAngles::create(set).value();
  openblas_set_num_threads(static_cast<int>(thread_count()));

  const double ours = time_minima("point clouds", cloud, 0.001);
  time_minima("point clouds", cloud, 0.01);
  time_under(cloud, 0.001);
  time_minima("joint angles", angles, 0.001);
  if (const auto stances = compare::frame_stances(clips)) {
    fmt::print("contact categories and clusters (Zhao 2009), minima in the nearest 0.1 %\n");
    time_clusters(cloud, *stances, 0.001);
  }
  const std::size_t points = cloud.table().points, window = cloud.table().taps.size();
  const std::string cloud_size = fmt::format("{} joints x {} frames", points, window);
  const double one = time_sgemm(set->frames(), points * window, cloud_size);
  const double three = time_sgemm(set->frames(), 3 * points * window, cloud_size + " x 3");
  const double every =
      time_sgemm(set->frames(), set->joints() * window, fmt::format("{} joints x {} frames", set->joints(), window));
  const double naive = time_naive(cloud);
  fmt::print("\nprocessor time of sgemm over ours, by inner dimension: {:.2f} ({}), {:.2f} ({}), {:.2f} ({})\n",
             one / ours, points * window, three / ours, 3 * points * window, every / ours, set->joints() * window);
  fmt::print("processor time pair by pair over ours: {:.1f}\n", naive / ours);
  return 0;
}
