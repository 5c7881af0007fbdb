// SPDX-License-Identifier: MIT
//
// Time alignment, blends and footprints: prints the tables of docs/blending.md.
//
//     build/bin/bench_blending         needs ../shared/mocap for the real capture; without it only the samples are used
//
// Times are processor time of this machine and this run; all else is the same everywhere.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include <loom/blend/align/alignment.h>
#include <loom/blend/blend.h>
#include <loom/blend/family/family.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/steps/step_walk.h>
#include <loom/measure/measure.h>

#include "bench_support.h"

namespace {

using namespace loom;
using namespace loom::bench;
using namespace loom::blend;

constexpr double kRate = 30;

/// Clips of one body on the floor, and what is known of them.
struct Motion {
  std::vector<motion::Clip> clips;
  std::vector<motion::Contacts> contacts;
  std::vector<std::vector<double>> strokes;  ///< none, or one list a clip
};

Motion samples(const std::vector<std::string>& names) {
  Motion motion;
  for (sample::SampleClip& made : need(sample::make_samples({.rate = kRate}, names))) {
    if (made.stroke) motion.strokes.push_back({static_cast<double>(*made.stroke) / kRate});
    motion.clips.push_back(std::move(made.clip));
    motion.contacts.push_back(std::move(made.contacts));
  }
  return motion;
}

/// Whole clips of the capture by name, fitted to the body of the first.
Motion captured(const std::vector<std::string>& names) {
  TemporaryLibrary library;
  std::vector<std::string> files;
  for (const std::string& name : names) files.push_back((kMocap / "cmu30" / (name + ".bvh")).string());
  import_capture(*library, files);
  std::vector<FamilyMember> members;
  for (const std::string& name : names) {
    const motion::Clip clip = need(motion::resample(need(library->read_clip(name)), kRate));
    members.push_back({{name, false, 0, static_cast<std::uint32_t>(clip.frames())}, std::nullopt});
  }
  take::TakeSet motion = need(read_members(*library, kRate, members)).motion;
  return {std::move(motion.clips), std::move(motion.contacts), {}};
}

/// The takes of a performer that there are, "16_10" to "16_29" of 16, 10 and 29.
std::vector<std::string> takes(int performer, int first, int last) {
  std::vector<std::string> names;
  for (int take = first; take <= last; ++take) {
    const std::string name = fmt::format("{:02}_{:02}", performer, take);
    if (fs::exists(kMocap / "cmu30" / (name + ".bvh"))) names.push_back(name);
  }
  return names;
}

void print_alignment(const std::string& name, const Motion& motion, double free_seconds) {
  AlignOptions options;
  options.strokes = motion.strokes;
  options.free_seconds = free_seconds;
  const auto alignment = align(motion.clips, motion.contacts, options);
  if (!alignment) return fmt::print("| {} | {} | {} | |\n", name, motion.clips.size(), alignment.error().message);
  double sum = 0, worst = 0;
  for (const double cost : alignment->costs) {
    sum += cost;
    worst = std::max(worst, cost);
  }
  // The reference itself costs nothing and does not count.
  fmt::print("| {} | {} | {:.4f} | {:.4f} |\n", name, motion.clips.size(),
             sum / static_cast<double>(motion.clips.size() - 1), worst);
}

void print_alignments(bool real) {
  fmt::print("| set | clips | mean cost to the reference, m² | worst |\n|---|---|---|---|\n");
  print_alignment("sample reaches, with strokes", samples({"reach"}), 0);
  for (const char* group : {"punch-family", "kick-family", "jump-family"}) {
    print_alignment(fmt::format("sample {}, with strokes", group), samples({group}), 0);
  }
  print_alignment("sample locomotion", samples({"locomotion"}), 0);
  if (!real) return;
  print_alignment("CMU 07, walks at all speeds, ends free by 0.6 s", captured(takes(7, 1, 11)), 0.6);
  print_alignment("CMU 08, the same", captured(takes(8, 1, 11)), 0.6);
  print_alignment("CMU 118, jumps", captured(takes(118, 1, 10)), 0.6);
}

/// Why clips that do not belong together are refused.
void print_refusals() {
  fmt::print("\nRefused:\n\n");
  for (const auto& [a, b] :
       {std::pair{"run-fast", "look-around"}, {"run-fast", "pick-up-right-floor"}, {"walk-slow", "look-around"}}) {
    const Motion two = samples({a, b});
    const auto alignment = align(two.clips, two.contacts);
    fmt::print("- {}\n", alignment ? "(taken)" : alignment.error().message);
  }
}

/// Blends of captured walks, each clip weighing as much: how feet slide, and how the joints jerk.
void print_blends() {
  fmt::print(
      "\n| blended alike | foot slide | of the recordings | jerk, m/s³ | of the recordings |\n|---|---|---|---|---|\n");
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{"16_11", "16_13", "16_16"}, {"16_17", "16_12"}, {"07_01", "07_04", "07_11"}}) {
    const Motion motion = captured(names);
    AlignOptions options;
    options.free_seconds = 0.6;
    auto alignment = need(align(motion.clips, motion.contacts, options));
    const auto space = need(BlendSpace::create(motion.clips, motion.contacts, std::move(alignment)));
    const std::vector<float> weights(names.size(), 1.0f / static_cast<float>(names.size()));
    const Blended blended = need(blend::blend(space, weights));
    double slide = 0, jerk = 0;
    for (std::size_t c = 0; c < names.size(); ++c) {
      const measure::Measures m = measure::measure(motion.clips[c], motion.contacts[c]);
      slide += m.foot_slide_mean_mps / static_cast<double>(names.size());
      jerk = std::max(jerk, m.jerk_rms);
    }
    const measure::Measures made = measure::measure(blended.clip, blended.contacts);
    fmt::print("| {} | {:.2f} cm/s | {:.1f} cm/s | {:.0f} | at most {:.0f} |\n", fmt::join(names, ", "),
               100 * made.foot_slide_mean_mps, 100 * slide, made.jerk_rms, jerk);
  }
}

/// Prints of steps 0.6 m long that turn by as much each, feet 0.2 m apart.
std::vector<Footprint> turning_prints(std::size_t count, double turn) {
  std::vector<Footprint> prints;
  double x = 0, z = 0, heading = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const double side = n % 2 == 0 ? 0.1 : -0.1;
    prints.push_back({{static_cast<float>(x + side * std::cos(heading)),
                       static_cast<float>(z - side * std::sin(heading)), static_cast<float>(heading)},
                      n % 2 == 0});
    heading += turn;
    x += 0.6 * std::sin(heading);
    z += 0.6 * std::cos(heading);
  }
  return prints;
}

void print_steps(const std::string& name, const Motion& motion) {
  const StepLibrary steps = need(find_steps(motion.clips, motion.contacts));
  for (const std::size_t count : {7U, 14U}) {
    for (const Objective objective : {Objective::kSquares, Objective::kSum}) {
      StepWalkOptions options;
      options.objective = objective;
      const Stopwatch watch;
      const StepWalk walk = need(walk_on_footprints(steps, turning_prints(count, 0.1), options));
      const double seconds = watch.processor();
      double blending = 0, mean = 0, turned = 0;
      for (const StepReport& step : walk.steps) {
        blending = std::max(blending, step.blend_error);
        mean += step.blend_error / static_cast<double>(walk.steps.size());
        turned = std::max(turned, step.turn_error / static_cast<double>(kDegree));
      }
      const measure::Measures m = measure::measure(walk.clip, walk.contacts);
      fmt::print("| {} | {} | {} | {:.0f} mm | {:.0f} mm | {:.1f}° | {:.1f} mm | {:.1f} cm/s | {:.2f} s |\n", count,
                 name, to_string(objective), 1000 * mean, 1000 * blending, turned, 1000 * walk.largest_error,
                 100 * m.foot_slide_max_mps, seconds);
    }
  }
}

}  // namespace

int main() {
  const bool real = fs::exists(kMocap);
  if (!real) fmt::print("Real capture is not there ({}): only the sample motions were measured.\n", kMocap.string());
  print_alignments(real);
  print_refusals();
  if (real) print_blends();
  fmt::print(
      "\n| prints | steps from | least | blending alone, mean | at worst | turned, at worst | met within | foot slide "
      "at "
      "worst | processor time |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  print_steps("sample walks, 30 Hz", samples({"walk"}));
  if (real) print_steps("CMU 16_10 to 16_29, 30 Hz", captured(takes(16, 10, 29)));
}
