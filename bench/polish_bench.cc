// SPDX-License-Identifier: MIT
// How fast feet are planted on one core, in frames a second; a recording plays at 30 or 120.
#include <algorithm>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <loom/base/parallel.h>
#include <loom/io/read.h>
#include <loom/motion/contacts.h>
#include <loom/polish/foot_planter.h>
#include <loom/polish/plant_feet.h>

namespace loom::polish {
namespace {

/// The clip `seconds` long that is made of a captured walk again and again; empty where there is no capture.
motion::Clip long_walk(double seconds) {
  const auto read = io::read_motion(std::string(LOOM_SOURCE_DIR) + "/../shared/mocap/cmu30/16_11.bvh");
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

}  // namespace
}  // namespace loom::polish

BENCHMARK_MAIN();
