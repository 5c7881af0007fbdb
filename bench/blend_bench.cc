// SPDX-License-Identifier: MIT
// What blending costs on one core: changing the weights and taking a pose, as a page does sixty times a second while a
// target is dragged, and making a whole clip, feet planted. Sample reaches at 60 Hz.
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <loom/base/parallel.h>
#include <loom/blend/blend.h>
#include <loom/sample/sample.h>

namespace loom::blend {
namespace {

constexpr std::size_t kExamples = 20;

std::shared_ptr<const BlendSpace> reaches() {
  std::vector<motion::Clip> clips;
  std::vector<motion::Contacts> contacts;
  AlignOptions options;
  for (std::size_t n = 1; n <= kExamples; ++n) {
    const auto made = sample::make_sample((n < 10 ? "reach-0" : "reach-") + std::to_string(n)).value();
    clips.push_back(made.clip);
    contacts.push_back(made.contacts);
    options.strokes.push_back({static_cast<double>(made.stroke.value()) / made.clip.rate});
  }
  auto alignment = align(clips, contacts, options).value();
  return BlendSpace::create(std::move(clips), std::move(contacts), std::move(alignment)).value();
}

void SetWeights(benchmark::State& state) {
  Blender blender(reaches());
  const std::vector<float> weights(kExamples, 1.0f / kExamples);
  for (auto _ : state) blender.set_weights(weights);
}
BENCHMARK(SetWeights)->Unit(benchmark::kMicrosecond);

void PoseOfABlend(benchmark::State& state) {
  Blender blender(reaches());
  std::vector<Quat> room(blender.space().skeleton()->size());
  motion::StreamPose pose{{}, room, 0, {}};
  double seconds = 0;
  for (auto _ : state) {
    blender.pose(seconds, pose);
    seconds = seconds > blender.duration() ? 0 : seconds + 0.01;
  }
}
BENCHMARK(PoseOfABlend)->Unit(benchmark::kMicrosecond);

void WholeClip(benchmark::State& state) {
  const ThreadLimit one(1);
  const auto space = reaches();
  const std::vector<float> weights(kExamples, 1.0f / kExamples);
  for (auto _ : state) benchmark::DoNotOptimize(blend(space, weights, {.plant_feet = state.range(0) != 0}));
}
BENCHMARK(WholeClip)->ArgName("plant")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace loom::blend

BENCHMARK_MAIN();
