// SPDX-License-Identifier: MIT
// How comparing grows with the motion there is: near pairs beside all pairs, on capture. And the room it takes.
//   bench_scale join      the set of Zhao 2009's size at several thresholds, both ways in one run
//   bench_scale card      real capture on a graphics card, beside both ways on the processor (by the clock)
//   bench_scale growth    from 10,000 frames to 700,000, the larger sets with mirrored copies and higher rates
//   bench_scale pack      all of cmu30 packed: room, error, and the time a pose takes
//   bench_scale opening   a library of 10,000 clips, opened and listed
//
// Times are of the processors, all threads together, where nothing else is said: what else the machine does counts
// little.
#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <loom/base/parallel.h>
#include <loom/compare/all_pairs.h>
#include <loom/compare/cuda/cuda_back_end.h>
#include <loom/compare/point_cloud.h>
#include <loom/io/read.h>
#include <loom/motion/clip.h>
#include <loom/motion/mirror.h>
#include <loom/motion/pack_frames.h>
#include <loom/motion/packed_clip.h>

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
  double seconds = 0;  ///< of the processors
  double wall = 0;
  compare::PairsFound found;
};

Timed search(const compare::PointCloud& cloud, double threshold, compare::PairSearch how,
             const compare::BackEnd& back_end = compare::cpu_back_end()) {
  compare::PairQuery query;
  query.threshold = threshold;
  query.search = how;
  query.min_gap = static_cast<std::size_t>(std::lround(cloud.frames().rate / 3)) + 1;
  query.max_pairs = std::size_t{1} << 28;
  const Stopwatch watch;
  Timed timed;
  timed.found = need(compare::find_local_minima(cloud, query, {}, back_end));
  timed.seconds = watch.processor();
  timed.wall = watch.wall();
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

void compare_on_card(const std::string& what, const std::vector<motion::Clip>& clips, double threshold) {
  const auto cloud = cloud_of(clips);
  const auto& back_end = *need(compare::cuda_back_end());
  Timed on_card = search(cloud, threshold, compare::PairSearch::kEveryPair, back_end);
  for (int n = 0; n < 4; ++n) {
    const Timed again = search(cloud, threshold, compare::PairSearch::kEveryPair, back_end);
    on_card.wall = std::min(on_card.wall, again.wall);
  }
  const Timed near = search(cloud, threshold, compare::PairSearch::kNearPairs);
  const bool all_too = cloud.frames().frames() < 150000;
  const Timed all = all_too ? search(cloud, threshold, compare::PairSearch::kEveryPair) : Timed{};
  fmt::print("| {} | {} | {} | {:.1f} | {:.3f} | {:.2f} | {} | {} | {} |\n", what, cloud.frames().frames(),
             2 * cloud.table().half_window + 1, 100 * std::sqrt(threshold), on_card.wall, near.wall,
             all_too ? fmt::format("{:.2f}", all.wall) : "", on_card.found.pairs.size(),
             on_card.found.pairs == near.found.pairs ? "yes" : "NO");
  std::fflush(stdout);
}

void on_a_card() {
  if (const auto opened = compare::cuda_back_end(); !opened) {
    fmt::print("no graphics card can be used, so nothing was measured on one: {}\n", opened.error().message);
    return;
  }
  fmt::print(
      "| set | frames | window | markers apart, cm | on the card, s | near pairs, s | all pairs, s | minima | the "
      "same |\n|---|---|---|---|---|---|---|---|---|\n");
  const auto zhao = set_87k(), all = all_capture();
  for (const double apart : {0.02, 0.037, 0.047}) compare_on_card("set-87k", zhao, apart * apart);
  compare_on_card("all, 30 Hz", all, 0.02 * 0.02);
  compare_on_card("and mirrored", at_rate(all, 30, true), 0.02 * 0.02);
  compare_on_card("all, 60 Hz, mirrored", at_rate(all, 60, true), 0.02 * 0.02);
}

/// Nanoseconds a pose of a clip takes, here and there in it and one after the other.
std::pair<double, double> time_poses(const motion::PackedClip& packed) {
  constexpr std::size_t kPoses = 2000;
  std::vector<Vec3> roots(packed.frames());
  std::vector<Quat> rotations(packed.frames() * packed.joints());
  Vec3 root;
  const Stopwatch here_and_there;
  for (std::size_t n = 0; n < kPoses; ++n) {
    if (!packed.read_pose(n * 7919 % packed.frames(), root, std::span(rotations).first(packed.joints()))) std::exit(1);
  }
  const double random = here_and_there.thread() / kPoses;
  const Stopwatch one_by_one;
  need(packed.unpack(roots, rotations));
  return {1e9 * random, 1e9 * one_by_one.thread() / static_cast<double>(packed.frames())};
}

void pack() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kMocap / "cmu30")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<motion::Clip> clips;
  for (const fs::path& file : files) clips.push_back(need(io::read_motion(file.string())).front().clip);
  fmt::print(
      "| error, mm | segment | frames | bytes a frame | ratio | largest, mm | at random, ns | in order, ns | packing, "
      "us |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  for (const auto& [error, segment] : {std::pair{0.5, 8}, {0.5, 4}, {0.5, 16}, {0.1, 8}, {1.0, 8}}) {
    motion::PackOptions options;
    options.error = error / 1000;
    options.segment = segment;
    std::vector<motion::PackedFrames> packed(clips.size());
    const Stopwatch watch;
    parallel_for(clips.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) packed[c] = need(motion::pack_frames(clips[c], options));
    });
    const double seconds = watch.processor();
    std::size_t frames = 0, bytes = 0, before = 0;
    double largest = 0;
    std::vector<double> random, order;
    for (std::size_t c = 0; c < clips.size(); ++c) {
      frames += clips[c].frames();
      before += clips[c].frames() * library::bytes_per_frame(clips[c].joints());
      bytes += packed[c].bytes.size();
      largest = std::max(largest, packed[c].largest_error);
      const auto times = time_poses(need(motion::PackedClip::create(packed[c].bytes, clips[c].joints())));
      random.push_back(times.first);
      order.push_back(times.second);
    }
    const auto middle = [](std::vector<double>& times) {
      std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
      return times[times.size() / 2];
    };
    fmt::print("| {:g} | {} | {} | {:.1f} | {:.2f} | {:.3f} | {:.0f} | {:.0f} | {:.0f} |\n", error, segment, frames,
               static_cast<double>(bytes) / static_cast<double>(frames),
               static_cast<double>(before) / static_cast<double>(bytes), 1000 * largest, middle(random), middle(order),
               1e6 * seconds / static_cast<double>(frames));
    std::fflush(stdout);
  }
}

void opening() {
  const fs::path path = fs::temp_directory_path() / fmt::format("bench-opening-{}.loom", ::getpid());
  {
    auto library = need(library::Library::open_or_create(path.string()));
    motion::Clip clip = need(motion::cut(need(sample::make_sample("walk-slow", {})).clip, 0, 20));
    need(library.transact([&]() -> Result<void> {
      for (int n = 0; n < 10000; ++n) {
        clip.name = fmt::format("clip-{:05}", n);
        clip.labels = {{n % 2 == 0 ? "walk" : "run", 0, 20}};
        if (auto added = library.add_clip(clip); !added) return added;
      }
      return {};
    }));
  }
  double open = 1e9, list = 1e9;
  for (int round = 0; round < 10; ++round) {
    const Stopwatch watch;
    const auto library = need(library::Library::open(path.string()));
    open = std::min(open, watch.wall());
    if (need(library.clips()).size() != 10000) std::exit(1);
    list = std::min(list, watch.wall());
  }
  fmt::print("opened in {:.2f} ms, opened and 10,000 clips listed in {:.1f} ms (the best of 10)\n", 1e3 * open,
             1e3 * list);
  fs::remove(path);
}

}  // namespace

int main(int argc, char** argv) {
  if (!fs::exists(kMocap / "set-87k.txt")) {
    fmt::print("the capture is not beside the checkout: nothing measured\n");
    return 0;
  }
  const std::string what = argc > 1 ? argv[1] : "";
  if (what.empty() || what == "join") join();
  if (what.empty() || what == "card") on_a_card();
  if (what.empty() || what == "growth") growth();
  if (what.empty() || what == "pack") pack();
  if (what.empty() || what == "opening") opening();
  return 0;
}
