// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/measure/detail/body_faults.h>
#include <loom/measure/detail/body_measure_families.h>
#include <loom/motion/body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/hinges.h>

namespace loom::measure {
namespace {

// Markers slip, and captured joints go past straight by a few degrees; so far none does.
constexpr float kKneeBackward = 20 * kDegree;
constexpr float kElbowBackward = 30 * kDegree;
constexpr double kSame = 0.2;      // seconds between two moments of one fault
constexpr double kShortest = 0.3;  // seconds; less does not tell how a body bends
constexpr float kSeverity = 0.7f;

/// Looks through the frames that nothing is told of yet.
class BodyFaultFinder {
 public:
  BodyFaultFinder(const motion::Clip& clip, const motion::WorldPoses& poses, std::span<const motion::FrameRange> told)
      : clip_(clip), poses_(poses), told_(poses.frames) {
    for (const motion::FrameRange& range : told) {
      for (std::size_t f = range.begin; f < std::min(range.end, told_.size()); ++f) told_[f] = true;
    }
  }

  void find_wrong_bends(std::vector<Fault>& faults) const;
  void find_reversed_feet(std::vector<Fault>& faults) const;

 private:
  /// Frames in which something is wrong, as ranges; what is soon wrong again belongs together.
  template <typename Wrong>
  std::vector<motion::FrameRange> ranges_of(Wrong wrong) const;
  [[nodiscard]] const std::string& name_of(int joint) const {
    return clip_.skeleton->joint(static_cast<std::size_t>(joint)).name;
  }

  const motion::Clip& clip_;
  const motion::WorldPoses& poses_;
  std::vector<bool> told_;
};

template <typename Wrong>
std::vector<motion::FrameRange> BodyFaultFinder::ranges_of(Wrong wrong) const {
  const auto same = to_whole<std::size_t>(std::ceil(kSame * clip_.rate));
  std::vector<motion::FrameRange> ranges;
  for (std::size_t f = 0; f < poses_.frames; ++f) {
    if (told_[f] || !wrong(f)) continue;
    if (ranges.empty() || f > ranges.back().end + same) ranges.push_back({f, f});
    ranges.back().end = f + 1;
  }
  return ranges;
}

std::string when(const std::vector<motion::FrameRange>& ranges) {
  if (ranges.size() == 1) return fmt::format("from frame {} to {}", ranges[0].begin, ranges[0].end - 1);
  return fmt::format("{} times, first in frame {}", ranges.size(), ranges[0].begin);
}

void BodyFaultFinder::find_wrong_bends(std::vector<Fault>& faults) const {
  const motion::Hinges hinges = motion::find_hinges(*clip_.skeleton, poses_);
  for (std::size_t h = 0; h < motion::kHinges; ++h) {
    if (!hinges[h]) continue;
    const float most = h < motion::kKnees ? kKneeBackward : kElbowBackward;
    double worst = 0;
    auto frames = ranges_of([&](std::size_t f) {
      const float backward = -motion::signed_bend(poses_, f, *hinges[h]);
      worst = std::max(worst, static_cast<double>(backward));
      return backward > most;
    });
    if (frames.empty()) continue;
    const int joint = hinges[h]->limb.middle;
    std::string text =
        fmt::format("Joint '{}', {}, bends backward by up to {:.0f} degrees, {}.", name_of(joint),
                    h < motion::kKnees ? "a knee" : "an elbow", worst / static_cast<double>(kDegree), when(frames));
    faults.push_back({FaultKind::kBentBackward, std::move(frames), joint, worst, kSeverity, false, std::move(text)});
  }
}

void BodyFaultFinder::find_reversed_feet(std::vector<Fault>& faults) const {
  if (!motion::find_foot_points(*clip_.skeleton)) return;
  const motion::Body body = motion::find_body(*clip_.skeleton);
  const std::array<Vec3, 2> toes = toe_directions(*clip_.skeleton);
  for (std::size_t side = 0; side < 2; ++side) {
    const motion::Limb& leg = side == 0 ? body.left_leg : body.right_leg;
    if (!leg.complete()) continue;
    auto frames = ranges_of([&](std::size_t f) { return foot_is_reversed(poses_, f, leg, toes[side]); });
    if (frames.empty()) continue;
    std::string text =
        fmt::format("Joint '{}', a foot, points backward on its leg, {}.", name_of(leg.end), when(frames));
    faults.push_back({FaultKind::kFootReversed, std::move(frames), leg.end, 0, kSeverity, false, std::move(text)});
  }
}

}  // namespace

std::vector<Fault> find_body_faults(const motion::Clip& clip, const motion::WorldPoses& poses,
                                    std::span<const motion::FrameRange> told) {
  std::vector<Fault> faults;
  if (clip.duration() < kShortest) return faults;
  const BodyFaultFinder finder(clip, poses, told);
  finder.find_wrong_bends(faults);
  finder.find_reversed_feet(faults);
  return faults;
}

}  // namespace loom::measure
