// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/measure/faulty_stretches.h>

namespace loom::measure {
namespace {

constexpr double kMargin = 0.1;     // seconds: transitions blend over what is near, and filters have smeared it
constexpr float kVisible = 0.25f;   // severity (`Fault`)
constexpr float kBackAgain = 0.5f;  // share of a flip by which a joint may differ from before it when it is back

bool spoils(const Fault& fault) { return !concerns_whole_clip(fault.kind) && fault.severity >= kVisible; }

/// Joins the step of a flip with that of the flip back.
std::vector<motion::FrameRange> wrong_frames(const motion::Clip& clip, const Fault& fault) {
  if (fault.kind != FaultKind::kJointFlip || fault.mendable) return fault.frames;
  const auto joint = static_cast<std::size_t>(fault.joint);
  std::vector<motion::FrameRange> wrong;
  for (std::size_t i = 0; i < fault.frames.size(); ++i) {
    motion::FrameRange range = fault.frames[i];
    if (range.begin > 0 && i + 1 < fault.frames.size()) {
      const motion::FrameRange back = fault.frames[i + 1];
      const double apart = angle_between(clip.pose(range.begin - 1)[joint], clip.pose(back.begin)[joint]);
      if (apart < kBackAgain * fault.amount && 2 * (back.end - range.begin) < clip.frames()) range.end = back.end, ++i;
    }
    wrong.push_back(range);
  }
  return wrong;
}

}  // namespace

std::vector<FaultyStretch> faulty_stretches(const motion::Clip& clip, std::span<const Fault> faults) {
  struct Found {
    FaultyStretch stretch;
    float severity = 0;
  };
  std::vector<Found> found;
  const auto margin = to_whole<std::size_t>(std::ceil(kMargin * clip.rate));
  const auto add = [&](motion::FrameRange range, const std::string& why, float severity) {
    range = {range.begin - std::min(range.begin, margin), std::min(range.end + margin, clip.frames())};
    if (range.begin < range.end) found.push_back({{range, why}, severity});
  };
  for (const Fault& fault : faults) {
    if (!spoils(fault)) continue;
    for (const motion::FrameRange& range : wrong_frames(clip, fault)) add(range, fault.description, fault.severity);
  }
  for (const motion::Label& label : clip.labels) {
    if (label.name == kTPoseLabel) add({label.begin, label.end}, "The body stands in an artificial pose.", 1);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.stretch.frames.begin < b.stretch.frames.begin; });
  std::vector<Found> joined;
  for (Found& next : found) {
    if (joined.empty() || next.stretch.frames.begin > joined.back().stretch.frames.end) {
      joined.push_back(std::move(next));
      continue;
    }
    Found& last = joined.back();
    last.stretch.frames.end = std::max(last.stretch.frames.end, next.stretch.frames.end);
    if (next.severity > last.severity) last.stretch.why = std::move(next.stretch.why), last.severity = next.severity;
  }
  std::vector<FaultyStretch> stretches;
  for (Found& one : joined) stretches.push_back(std::move(one.stretch));
  return stretches;
}

std::vector<FaultyStretch> find_faulty_stretches(const motion::Clip& clip) {
  FaultOptions options;
  options.judge_rate = options.judge_floor = false;
  return faulty_stretches(clip, find_faults(clip, options));
}

std::vector<motion::FrameRange> without(motion::FrameRange range, std::span<const FaultyStretch> faulty) {
  std::vector<motion::FrameRange> left;
  for (const FaultyStretch& stretch : faulty) {
    if (stretch.frames.end <= range.begin || stretch.frames.begin >= range.end) continue;
    if (stretch.frames.begin > range.begin) left.push_back({range.begin, stretch.frames.begin});
    range.begin = std::min(stretch.frames.end, range.end);
  }
  if (range.begin < range.end) left.push_back(range);
  return left;
}

std::vector<FaultyStretch> at_rate(std::vector<FaultyStretch> stretches, double from, double to, std::size_t frames) {
  if (from == to) return stretches;
  for (FaultyStretch& stretch : stretches) {
    const auto scaled = [&](std::size_t frame) { return static_cast<double>(frame) * to / from; };
    stretch.frames.begin = std::min(frames, to_whole<std::size_t>(std::floor(scaled(stretch.frames.begin))));
    stretch.frames.end = std::min(frames, to_whole<std::size_t>(std::ceil(scaled(stretch.frames.end))));
  }
  return stretches;
}

}  // namespace loom::measure
