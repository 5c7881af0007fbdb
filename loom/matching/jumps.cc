// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/base/whole.h>
#include <loom/matching/jumps.h>
#include <loom/policy/evident_control.h>

namespace loom::matching {
namespace {

constexpr double kLeastFlight = 0.22;     ///< seconds in the air that make a jump; the flights of a run are shorter
constexpr double kTakeOffSeconds = 0.3;   ///< before a flight that belong to it, however high the body is
constexpr double kSinkSeconds = 0.4;      ///< after a landing until the body is low at the latest
constexpr double kApproachSeconds = 0.4;  ///< before gathering for it
constexpr double kMostSeconds = 1.5;      ///< before and after a flight in which a low body gathers itself or recovers
constexpr float kLow = 0.05f;             ///< metres under the usual height

}  // namespace

float usual_height(std::span<const motion::Clip> clips) {
  std::vector<float> heights;
  for (const motion::Clip& clip : clips) {
    for (const Vec3& root : clip.roots) heights.push_back(root.y);
  }
  if (heights.empty()) return 0;
  const auto middle = heights.begin() + static_cast<std::ptrdiff_t>(heights.size() / 2);
  std::nth_element(heights.begin(), middle, heights.end());
  return *middle;
}

std::vector<JumpPart> find_jumps(const motion::Clip& clip, float usual_height) {
  const std::vector<policy::ControlSignal> evident = policy::evident_controls(clip);
  const std::size_t frames = evident.size();
  const auto in_air = [&](std::size_t f) { return f < frames && (evident[f].flags & policy::kAirborneBit) != 0; };
  const auto is_low = [&](std::size_t f) { return clip.roots[f].y < usual_height - kLow; };
  const auto count = [&](double seconds) { return to_whole<std::size_t>(seconds * clip.rate); };
  std::vector<JumpPart> parts(frames, JumpPart::kNone);
  for (std::size_t off = 0; off < frames; ++off) {
    if (!in_air(off)) continue;
    std::size_t landed = off;
    while (in_air(landed)) ++landed;
    if (static_cast<double>(landed - off) >= kLeastFlight * clip.rate) {
      std::size_t begin = off - std::min(off, count(kTakeOffSeconds));
      const std::size_t earliest = off - std::min(off, count(kMostSeconds));
      while (begin > earliest && is_low(begin - 1)) --begin;
      for (std::size_t f = begin - std::min(begin, count(kApproachSeconds)); f < landed; ++f) {
        parts[f] = f < begin ? JumpPart::kApproach : JumpPart::kJump;
      }
      const std::size_t latest = std::min(frames, landed + count(kMostSeconds));
      std::size_t low = landed;  // the body sinks only after the feet have come down
      while (low < std::min(latest, landed + count(kSinkSeconds)) && !is_low(low)) ++low;
      while (low < latest && is_low(low)) ++low;
      std::fill(parts.begin() + static_cast<std::ptrdiff_t>(landed), parts.begin() + static_cast<std::ptrdiff_t>(low),
                JumpPart::kRecovery);
    }
    off = landed;
  }
  return parts;
}

}  // namespace loom::matching
