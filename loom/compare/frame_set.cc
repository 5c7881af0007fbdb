// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/compare/frame_set.h>
#include <loom/motion/kinematics.h>

namespace loom::compare {
namespace {

/// Frames are called by 32-bit numbers in results.
constexpr std::size_t kMostFrames = std::numeric_limits<std::int32_t>::max();

Result<void> check_fit(const motion::Clip& first, const motion::Clip& clip) {
  if (auto valid = motion::validate(clip); !valid) {
    return fail_because(valid.error(), fmt::format("clip '{}': {}", clip.name, valid.error().message));
  }
  if (clip.rate != first.rate) {
    return fail(fmt::format("clip '{}' has {} Hz where clip '{}' has {} Hz; resample one of them", clip.name, clip.rate,
                            first.name, first.rate));
  }
  if (clip.skeleton != first.skeleton && !(*clip.skeleton == *first.skeleton)) {
    const std::string what = motion::describe_difference(*first.skeleton, *clip.skeleton);
    return fail(fmt::format("clips '{}' and '{}' are on different bodies: {}", first.name, clip.name,
                            what.empty() ? "their bones differ in length" : what));
  }
  return {};
}

void place_clip(const motion::Clip& clip, const motion::GroundFrameFinder& finder, std::size_t start, FrameSet& set) {
  const auto poses = motion::forward_kinematics(clip);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const Vec3* from = &poses.position(f, 0);
    std::copy(from, from + clip.joints(), set.positions.data() + (start + f) * clip.joints());
  }
  std::copy(clip.rotations.begin(), clip.rotations.end(), set.rotations.data() + start * clip.joints());
  const auto ground = finder.find(clip);
  std::copy(ground.begin(), ground.end(), set.ground.data() + start);
}

}  // namespace

FrameAddress FrameSet::address(std::size_t frame) const {
  const auto after = std::upper_bound(starts.begin(), starts.end(), frame);
  const auto clip = static_cast<std::size_t>(after - starts.begin()) - 1;
  return {clip, frame - starts[clip]};
}

Result<FrameSet> make_frame_set(std::span<const motion::Clip> clips) {
  if (clips.empty()) return fail("there are no clips to compare");
  FrameSet set;
  set.starts = {0};
  for (const motion::Clip& clip : clips) {
    if (auto fits = check_fit(clips.front(), clip); !fits) return fail_from(fits);
    set.starts.push_back(set.starts.back() + clip.frames());
  }
  const std::size_t frames = set.starts.back();
  if (frames > kMostFrames) return fail(fmt::format("{} frames are more than {} can be compared", frames, kMostFrames));
  set.skeleton = clips.front().skeleton;
  set.rate = clips.front().rate;
  set.positions.resize(frames * set.joints());
  set.rotations.resize(frames * set.joints());
  set.ground.resize(frames);
  const motion::GroundFrameFinder finder(*set.skeleton);
  parallel_for(clips.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) place_clip(clips[c], finder, set.starts[c], set);
  });
  return set;
}

}  // namespace loom::compare
