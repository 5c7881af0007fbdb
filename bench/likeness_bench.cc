// SPDX-License-Identifier: MIT
//
// The sample performer beside real ones: ranges of motion, phases and symmetry of walks and runs, and how limbs are
// held in jumps, in walking backward and in reaches down.
//
//     build/bin/bench_likeness         needs ../shared/mocap; without it only the samples are shown
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <loom/io/read.h>

#include "bench_support.h"
#include "tests/gait_figures.h"
#include "tests/limb_figures.h"

namespace {

using namespace loom;
using namespace loom::bench;
using testing::GaitFigure;
using testing::GaitFigures;
using testing::limb_figures;
using testing::LimbFigures;

constexpr double kRate = 30;  ///< of the capture

/// All takes whose name begins with one of these words: a performer's with "16_".
std::vector<motion::Clip> takes_of(const std::vector<std::string>& words) {
  std::vector<motion::Clip> clips;
  const fs::path folder = kMocap / "cmu30";
  if (!fs::exists(folder)) return clips;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool wanted =
        std::any_of(words.begin(), words.end(), [&](const auto& word) { return name.starts_with(word); });
    if (wanted) clips.push_back(need(io::read_motion(entry.path().string())).front().clip);
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

/// One figure of a take.
using Figure = std::function<double(const motion::WorldPoses&, const motion::Body&)>;

/// The least and the most of a figure over takes.
std::string range_of(const std::vector<motion::Clip>& takes, const Figure& figure) {
  double least = 1e9, most = -1e9;
  for (const motion::Clip& take : takes) {
    const double value = figure(motion::forward_kinematics(take), motion::find_body(*take.skeleton));
    least = std::min(least, value);
    most = std::max(most, value);
  }
  return takes.empty() ? "-" : fmt::format("{:.0f} to {:.0f}", least, most);
}

double larger(const std::array<double, 2>& sides) { return std::max(sides[0], sides[1]); }

/// The largest of a figure of single frames.
Figure most_of(const std::function<double(const LimbFigures&)>& figure) {
  return [figure](const motion::WorldPoses& poses, const motion::Body& body) {
    double most = -1e9;
    for (std::size_t f = 0; f < poses.frames; ++f) most = std::max(most, figure(limb_figures(poses, f, body)));
    return most;
  };
}

void print_limbs() {
  const auto line = [](const std::string& what, const std::vector<motion::Clip>& made,
                       const std::vector<motion::Clip>& people, const Figure& figure) {
    fmt::print("{:<34}{:>14}{:>14}\n", what, range_of(made, figure), range_of(people, figure));
  };
  const auto thigh = [](const LimbFigures& limbs) { return larger(limbs.thigh); };
  const auto knee = [](const LimbFigures& limbs) { return larger(limbs.knee); };
  const auto highest = [](const auto& figure) {
    return [figure](const motion::WorldPoses& poses, const motion::Body& body) {
      return figure(limb_figures(poses, testing::highest_frame(poses, body), body));
    };
  };
  const auto lowest = [](const auto& figure) {
    return [figure](const motion::WorldPoses& poses, const motion::Body& body) {
      return figure(limb_figures(poses, testing::lowest_frame(poses, body), body));
    };
  };
  fmt::print("\n{:<34}{:>14}{:>14}\n", "degrees", "samples", "people");
  const std::vector<motion::Clip> jumps = samples(1, {"jump", "jump-family"}),
                                  jumpers = takes_of({"118_", "16_01", "16_02", "16_03", "16_04", "16_05", "16_06",
                                                      "16_07", "13_11", "13_13", "13_19", "13_32"});
  line("thigh at the top of a jump", jumps, jumpers, highest(thigh));
  line("knee at the top of a jump", jumps, jumpers, highest(knee));
  const std::vector<motion::Clip> backward = samples(1, {"walk-backward"}),
                                  people_backward = takes_of({"69_51", "69_52", "69_53", "69_54", "69_55"});
  line("largest thigh walking backward", backward, people_backward, most_of(thigh));
  line("largest knee walking backward", backward, people_backward, most_of(knee));
  const std::vector<motion::Clip> low = samples(
                                      1, {"reach-01", "reach-02", "reach-03", "reach-04", "reach-05", "reach-06"}),
                                  people_low = takes_of({"02_06", "69_68", "69_69", "69_72", "69_73", "69_74"});
  line("free arm behind a trunk bent low", low, people_low,
       lowest([](const LimbFigures& limbs) { return limbs.arm_behind(); }));
  const std::vector<motion::Clip> high =
      samples(1, {"reach-19", "reach-20", "reach-21", "reach-22", "reach-23", "reach-24"});
  line("largest knee of reaches overhead", high, {}, most_of(knee));
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
    add(performer, takes_of({std::string(performer) + "_"}));
  print_table("walking", walks);
  print_table("running", runs);
  print_limbs();
  return 0;
}
