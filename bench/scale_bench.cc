// SPDX-License-Identifier: MIT
// How comparing grows with the motion there is: near pairs beside all pairs, on capture.
//   bench_scale join      the set of Zhao 2009's size at several thresholds, both ways in one run
//   bench_scale growth    from 10,000 frames to 700,000, the larger sets with mirrored copies and higher rates
//
// Times are of the processors, all threads together: what else the machine does counts little.
#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <loom/base/parallel.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/point_cloud.h>
#include <loom/io/read.h>
#include <loom/motion/clip.h>
#include <loom/motion/mirror.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::bench;

std::vector<motion::Clip> read_clips(const std::vector<fs::path>& files) {
  std::vector<motion::Clip> clips(files.size());
  parallel_for(files.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      if (auto read = io::read_motion(files[n].string())) clips[n] = std::move(read->front().clip);
    }
  });
  // All on the body of the first performer: proportions do not matter to the cost.
  for (motion::Clip& clip : clips) {
    clip.skeleton = clips.front().skeleton;
    clip.rate = clips.front().rate;
  }
  return clips;
}

std::vector<motion::Clip> set_87k() {
  std::vector<fs::path> files;
  std::ifstream list(kMocap / "set-87k.txt");
  for (std::string line; std::getline(list, line);) files.push_back(kMocap / line);
  return read_clips(files);
}

std::vector<motion::Clip> all_capture() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kMocap / "cmu30")) {
    if (entry.path().extension() == ".bvh") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return read_clips(files);
}

compare::PointCloud cloud_of(const std::vector<motion::Clip>& clips) {
  const auto set = std::make_shared<compare::FrameSet>(need(compare::make_frame_set(clips)));
  return need(compare::PointCloud::create(set, compare::cloud_window(set->rate)));
}

struct Timed {
  double seconds = 0;
  compare::PairsFound found;
};

Timed search(const compare::PointCloud& cloud, double threshold, compare::PairSearch how) {
  compare::PairQuery query;
  query.threshold = threshold;
  query.search = how;
  query.min_gap = static_cast<std::size_t>(std::lround(cloud.frames().rate / 3)) + 1;
  query.max_pairs = std::size_t{1} << 28;
  const Stopwatch watch;
  Timed timed;
  timed.found = need(compare::find_local_minima(cloud, query));
  timed.seconds = watch.processor();
  return timed;
}

void join() {
  const auto cloud = cloud_of(set_87k());
  fmt::print("| markers apart, cm | nearest | near pairs, s | compared | all pairs, s | ratio | minima | the same |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  for (const double share : {0.0001, 0.001, 0.0046, 0.01, 0.02}) {
    const double threshold = need(compare::distance_quantiles(cloud, std::vector{share}, 1000000))[0];
    const Timed near = search(cloud, threshold, compare::PairSearch::kNearPairs);
    const Timed all = search(cloud, threshold, compare::PairSearch::kEveryPair);
    const auto pairs = static_cast<double>(all.found.stats.compared);
    fmt::print("| {:.1f} | {:g} % | {:.2f} | {:.3f} % | {:.2f} | {:.1f} | {} | {} |\n", 100 * std::sqrt(threshold),
               100 * share, near.seconds, 100 * static_cast<double>(near.found.stats.compared) / pairs, all.seconds,
               all.seconds / near.seconds, near.found.pairs.size(), near.found.pairs == all.found.pairs ? "yes" : "NO");
    std::fflush(stdout);
  }
}

/// The first clips that have `frames` frames together.
std::vector<motion::Clip> some_of(const std::vector<motion::Clip>& clips, std::size_t frames) {
  std::vector<motion::Clip> some;
  for (std::size_t n = 0, have = 0; n < clips.size() && have < frames; have += clips[n++].frames()) {
    some.push_back(clips[n]);
  }
  return some;
}

std::vector<motion::Clip> at_rate(const std::vector<motion::Clip>& clips, double rate, bool mirrored) {
  std::vector<motion::Clip> made;
  for (const motion::Clip& clip : clips) {
    auto resampled = motion::resample(clip, rate);
    if (!resampled) continue;
    if (mirrored) {
      if (auto other = motion::mirror(*resampled)) made.push_back(std::move(*other));
    }
    made.push_back(std::move(*resampled));
  }
  return made;
}

void grow(const std::string& what, const std::vector<motion::Clip>& clips, double threshold) {
  const auto cloud = cloud_of(clips);
  const Timed near = search(cloud, threshold, compare::PairSearch::kNearPairs);
  const auto& stats = near.found.stats;
  fmt::print("| {} | {} | {:.2f} | {:.4f} % | {} | {:.0f} |\n", what, cloud.frames().frames(), near.seconds,
             100 * static_cast<double>(stats.compared) / static_cast<double>(stats.compared + stats.skipped),
             near.found.pairs.size(), peak_megabytes());
  std::fflush(stdout);
}

void growth() {
  const auto all = all_capture();
  constexpr double kThreshold = 0.02 * 0.02;
  fmt::print("| set | frames | s | compared | minima | peak MB |\n|---|---|---|---|---|---|\n");
  for (const std::size_t frames : {10000, 20000, 40000, 80000}) grow("30 Hz", some_of(all, frames), kThreshold);
  grow("all, 30 Hz", all, kThreshold);
  grow("and mirrored", at_rate(all, 30, true), kThreshold);
  grow("all, 60 Hz, mirrored", at_rate(all, 60, true), kThreshold);
  grow("all, 90 Hz, mirrored", at_rate(all, 90, true), kThreshold);
}

}  // namespace

int main(int argc, char** argv) {
  if (!fs::exists(kMocap / "set-87k.txt")) {
    fmt::print("the capture is not beside the checkout: nothing measured\n");
    return 0;
  }
  const std::string what = argc > 1 ? argv[1] : "";
  if (what.empty() || what == "join") join();
  if (what.empty() || what == "growth") growth();
  return 0;
}
