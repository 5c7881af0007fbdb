// SPDX-License-Identifier: MIT
// How fast feet are planted on one core, in frames a second (a recording plays at 30 or 120), and how well on all of
// the capture beside the checkout.
#include <algorithm>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <loom/base/parallel.h>
#include <loom/io/read.h>
#include <loom/measure/measure.h>
#include <loom/motion/contacts.h>
#include <loom/polish/foot_planter.h>
#include <loom/polish/plant_feet.h>

#include "bench_support.h"

namespace loom::polish {
namespace {

/// The clip `seconds` long that is made of a captured walk again and again; empty where there is no capture.
motion::Clip long_walk(double seconds) {
  const auto read = io::read_motion((bench::kMocap / "cmu30" / "16_11.bvh").string());
  if (!read) return {};
  const std::vector<motion::Clip> again(static_cast<std::size_t>(seconds / read->front().clip.duration()) + 1,
                                        read->front().clip);
  return motion::join(again).value();
}

void count_frames(benchmark::State& state, const motion::Clip& clip) {
  state.counters["frames_per_second"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(clip.frames()), benchmark::Counter::kIsRate);
}

void PlantFeet(benchmark::State& state) {
  const ThreadLimit one(1);
  const motion::Clip clip = long_walk(static_cast<double>(state.range(0)));
  if (clip.frames() == 0) return state.SkipWithError("real capture is needed in ../shared/mocap");
  const motion::Contacts contacts = motion::find_contacts(clip).value();
  for (auto _ : state) benchmark::DoNotOptimize(plant_feet(clip, contacts));
  count_frames(state, clip);
}
BENCHMARK(PlantFeet)->Arg(10)->Arg(60)->Arg(600)->Unit(benchmark::kMillisecond);

void PlantFeetOfAStream(benchmark::State& state) {
  const motion::Clip clip = long_walk(60);
  if (clip.frames() == 0) return state.SkipWithError("real capture is needed in ../shared/mocap");
  const motion::Contacts contacts = motion::find_contacts(clip).value();
  FootPlanter planter = FootPlanter::create(clip.skeleton, clip.rate).value();
  motion::Clip out = clip;
  for (auto _ : state) {
    planter.reset();
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      out.roots[f] = clip.roots[f];
      std::copy(clip.pose(f).begin(), clip.pose(f).end(), out.pose(f).begin());
      planter.plant(contacts.planted[f], out.roots[f], out.pose(f));
    }
  }
  count_frames(state, clip);
}
BENCHMARK(PlantFeetOfAStream)->Unit(benchmark::kMillisecond);

std::vector<motion::Clip> all_capture() {
  std::vector<motion::Clip> clips;
  for (const std::string& file : bench::capture_files()) {
    if (auto read = io::read_motion(file)) clips.push_back(std::move(read->front().clip));
  }
  return clips;
}

/// Measures every clip before and after `plant`, as means over the clips; the jump is the worst of all.
template <typename Plant>
void judge(benchmark::State& state, Plant plant) {
  const std::vector<motion::Clip> clips = all_capture();
  if (clips.empty()) return state.SkipWithError("real capture is needed in ../shared/mocap");
  double before = 0, after = 0, jump = 0;
  for (auto _ : state) {
    before = after = jump = 0;
    for (const motion::Clip& clip : clips) {
      const motion::Contacts contacts = motion::find_contacts(clip).value();
      const measure::Measures was = measure::measure(clip, contacts),
                              is = measure::measure(plant(clip, contacts), contacts);
      before += was.foot_slide_mean_mps;
      after += is.foot_slide_mean_mps;
      jump = std::max(jump, is.largest_jump_m / was.largest_jump_m);
    }
  }
  const auto count = static_cast<double>(clips.size());
  state.counters["clips"] = count;
  state.counters["slide_before_cm_s"] = 100 * before / count;
  state.counters["slide_after_cm_s"] = 100 * after / count;
  state.counters["worst_jump_ratio"] = jump;
}

void QualityOfPlantFeet(benchmark::State& state) {
  judge(state,
        [](const motion::Clip& clip, const motion::Contacts& contacts) { return plant_feet(clip, contacts).value(); });
}
BENCHMARK(QualityOfPlantFeet)->Unit(benchmark::kMillisecond)->Iterations(1);

void QualityOfPlantFeetOfAStream(benchmark::State& state) {
  judge(state, [](motion::Clip clip, const motion::Contacts& contacts) {
    FootPlanter planter = FootPlanter::create(clip.skeleton, clip.rate).value();
    for (std::size_t f = 0; f < clip.frames(); ++f) planter.plant(contacts.planted[f], clip.roots[f], clip.pose(f));
    return clip;
  });
}
BENCHMARK(QualityOfPlantFeetOfAStream)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace loom::polish

BENCHMARK_MAIN();
