// SPDX-License-Identifier: MIT
//
// The sample performer beside real ones: ranges of motion, phases and symmetry of walks and runs.
//
//     build/bin/bench_likeness         needs ../shared/mocap; without it only the samples are shown
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <loom/io/read.h>

#include "bench_support.h"
#include "tests/gait_figures.h"

namespace {

using namespace loom;
using namespace loom::bench;
using testing::GaitFigure;
using testing::GaitFigures;

constexpr double kRate = 30;  ///< of the capture

/// All takes of one performer.
std::vector<motion::Clip> takes_of(const std::string& performer) {
  std::vector<motion::Clip> clips;
  const fs::path folder = kMocap / "cmu30";
  if (!fs::exists(folder)) return clips;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind(performer + "_", 0) == 0) clips.push_back(need(io::read_motion(entry.path().string())).front().clip);
  }
  return clips;
}

std::vector<motion::Clip> samples(std::uint64_t seed, const std::vector<std::string>& names) {
  std::vector<motion::Clip> clips;
  for (sample::SampleClip& made : need(sample::make_samples({.seed = seed, .rate = kRate}, names))) {
    clips.push_back(std::move(made.clip));
  }
  return clips;
}

struct Column {
  std::string name;
  GaitFigures figures;
};

void print_table(const std::string& title, std::vector<Column> columns) {
  std::erase_if(columns, [](const Column& column) { return column.figures.strides == 0; });
  fmt::print("\n{:<22}", title);
  for (const Column& column : columns) fmt::print("{:>9}", column.name);
  fmt::print("\n{:<22}", "strides");
  for (const Column& column : columns) fmt::print("{:>9}", column.figures.strides);
  for (std::size_t i = 0; i < testing::kGaitFigures; ++i) {
    const auto figure = static_cast<GaitFigure>(i);
    fmt::print("\n{:<22}", testing::name_of(figure).name);
    for (const Column& column : columns) {
      const double value = column.figures[figure];
      fmt::print("{:>9.{}f}", value, std::abs(value) < 5 ? 3 : 1);
    }
  }
  fmt::print("\n");
}

}  // namespace

int main() {
  std::vector<Column> walks, runs;
  const auto add = [&](const std::string& name, const std::vector<motion::Clip>& clips) {
    walks.push_back({name, testing::gait_figures(clips, testing::kWalking)});
    runs.push_back({name, testing::gait_figures(clips, testing::kRunning)});
  };
  for (const std::uint64_t seed : {1, 2}) {
    add(fmt::format("walk/{}", seed), samples(seed, {"walk-normal-1", "walk-normal-2"}));
    for (const char* name : {"walk-slow", "walk-fast", "jog", "run-1", "run-fast"}) {
      add(fmt::format("{}/{}", std::string(name).substr(0, 6), seed), samples(seed, {name}));
    }
  }
  for (const char* performer : {"02", "07", "08", "09", "16", "35", "69", "91", "127"})
    add(performer, takes_of(performer));
  print_table("walking", walks);
  print_table("running", runs);
  return 0;
}
