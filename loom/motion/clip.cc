// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/motion/clip.h>
#include <loom/motion/frame_rates.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/label_ranges.h>
#include <loom/motion/turn_between.h>

namespace loom::motion {
namespace {

constexpr std::size_t kMostFrames = 100'000'000;  ///< of a resampled clip: a day at the highest rate
constexpr float kUnitTolerance = 1e-3f;           ///< how far a quaternion's length may be from one

/// A frame number between two frames: the frame before and the share of the way to the next.
struct Between {
  std::size_t frame;
  float share;
};

Between locate(const Clip& clip, double position) {
  const double last = static_cast<double>(clip.frames() - 1);
  const double clamped = std::clamp(position, 0.0, last);
  const auto frame = std::min(to_whole<std::size_t>(clamped), clip.frames() - 1);
  return {frame, static_cast<float>(clamped - static_cast<double>(frame))};
}

/// How fast a joint turns at a frame, as it sees itself: the mean of the turns from the frame before and to the next, a
/// frame. At the ends of a clip the one turn there is.
Vec3 turning(const Clip& clip, std::size_t frame, std::size_t joint) {
  const Quat here = clip.pose(frame)[joint];
  const auto turn = [&](std::size_t from, std::size_t to) {
    return log_vector(conjugate(from == frame ? here : clip.pose(from)[joint]) *
                      (to == frame ? here : clip.pose(to)[joint]));
  };
  if (frame == 0) return turn(0, 1);
  if (frame + 1 == clip.frames()) return turn(frame - 1, frame);
  return 0.5f * (turn(frame - 1, frame) + turn(frame, frame + 1));
}

void cubic_rotations(const Clip& clip, Between at, std::span<Quat> out) {
  const auto from = clip.pose(at.frame);
  if (at.share == 0) {
    std::copy(from.begin(), from.end(), out.begin());
    return;
  }
  const auto to = clip.pose(at.frame + 1);
  for (std::size_t j = 0; j < out.size(); ++j) {
    out[j] = turn_between(from[j], to[j], turning(clip, at.frame, j), turning(clip, at.frame + 1, j), at.share);
  }
}

Vec3 cubic_root(const Clip& clip, Between at) {
  if (at.share == 0) return clip.roots[at.frame];
  const std::size_t last = clip.frames() - 1;
  const Vec3 b = clip.roots[at.frame], c = clip.roots[at.frame + 1];
  const Vec3 a = at.frame > 0 ? clip.roots[at.frame - 1] : b + b - c;
  const Vec3 d = at.frame + 2 <= last ? clip.roots[at.frame + 2] : c + c - b;
  const float t = at.share;
  return b + 0.5f * t * ((c - a) + t * ((2.0f * a - 5.0f * b + 4.0f * c - d) + t * (3.0f * (b - c) + d - a)));
}

std::string at_frame(std::size_t frame, const Clip& clip, std::size_t joint) {
  return fmt::format("frame {}, joint '{}'", frame, clip.skeleton->joint(joint).name);
}

}  // namespace

Result<void> validate(const Clip& clip) {
  if (!clip.skeleton) return fail(fmt::format("clip '{}' has no skeleton", clip.name));
  if (!is_usable_rate(clip.rate)) {
    return fail(fmt::format("clip '{}' has a frame rate of {} Hz; it may be {:g} to {:g}", clip.name, clip.rate,
                            kSlowestRate, kFastestRate));
  }
  if (clip.rotations.size() != clip.frames() * clip.joints()) {
    return fail(fmt::format("clip '{}' has {} rotations where {} frames of {} joints need {}", clip.name,
                            clip.rotations.size(), clip.frames(), clip.joints(), clip.frames() * clip.joints()));
  }
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    if (!is_finite(clip.roots[f]))
      return fail(fmt::format("clip '{}': the root is not finite, frame {}", clip.name, f));
    const auto pose = clip.pose(f);
    for (std::size_t j = 0; j < pose.size(); ++j) {
      if (!is_finite(pose[j]) || std::fabs(dot(pose[j], pose[j]) - 1) > 2 * kUnitTolerance) {
        return fail(fmt::format("clip '{}': not a rotation, {}", clip.name, at_frame(f, clip, j)));
      }
    }
  }
  for (const Label& label : clip.labels) {
    if (label.name.empty()) return fail(fmt::format("clip '{}' has a label without a name", clip.name));
    if (label.begin >= label.end || label.end > clip.frames()) {
      return fail(fmt::format("clip '{}': label '{}' covers frames {} to {} of {}", clip.name, label.name, label.begin,
                              label.end, clip.frames()));
    }
  }
  return {};
}

void sample_pose(const Clip& clip, double seconds, Pose& pose) {
  const Between at = locate(clip, seconds * clip.rate);
  pose.rotations.resize(clip.joints());
  cubic_rotations(clip, at, pose.rotations);
  pose.root = cubic_root(clip, at);
}

Result<Clip> resample(const Clip& clip, double rate) {
  if (!(rate >= kLowestAskedRate && rate <= kHighestAskedRate)) {
    return fail(
        fmt::format("cannot resample to {} Hz; rates go from {} to {} Hz", rate, kLowestAskedRate, kHighestAskedRate));
  }
  if (rate == clip.rate || clip.frames() == 0) {
    Clip same = clip;
    same.rate = rate;
    return same;
  }
  const double ratio = clip.rate / rate;  // source frames per new frame
  const std::size_t frames = resampled_frames(clip.frames(), clip.rate, rate);
  if (frames > kMostFrames) return fail(fmt::format("resampled to {} Hz it would have {} frames", rate, frames));
  Clip result{clip.name, clip.skeleton, rate, {}, {}, {}};
  result.roots.resize(frames);
  result.rotations.resize(frames * clip.joints());
  for (std::size_t f = 0; f < frames; ++f) {
    Between at = locate(clip, static_cast<double>(f) * ratio);
    // Rounding must not turn "exactly on a frame" into an interpolation: 120 Hz to 30 Hz picks every fourth.
    if (at.share > 0.9999f) at = {at.frame + 1, 0};
    if (at.share < 0.0001f) at.share = 0;
    cubic_rotations(clip, at, result.pose(f));
    result.roots[f] = cubic_root(clip, at);
  }
  result.labels = resample_labels(clip.labels, clip.frames(), clip.rate, rate);
  return result;
}

Result<Clip> cut(const Clip& clip, std::size_t begin, std::size_t end) {
  if (begin >= end || end > clip.frames()) {
    return fail(
        fmt::format("cannot cut frames {} to {} out of '{}', which has {}", begin, end, clip.name, clip.frames()));
  }
  Clip result{clip.name, clip.skeleton, clip.rate, {}, {}, {}};
  result.roots.assign(clip.roots.begin() + static_cast<std::ptrdiff_t>(begin),
                      clip.roots.begin() + static_cast<std::ptrdiff_t>(end));
  result.rotations.assign(clip.rotations.begin() + static_cast<std::ptrdiff_t>(begin * clip.joints()),
                          clip.rotations.begin() + static_cast<std::ptrdiff_t>(end * clip.joints()));
  result.labels = cut_labels(clip.labels, begin, end);
  return result;
}

Result<Clip> join(std::span<const Clip> clips) {
  if (clips.empty()) return fail("there is nothing to join");
  Clip result = clips[0];
  const GroundFrameFinder finder(*result.skeleton);
  for (const Clip& next : clips.subspan(1)) {
    if (next.skeleton != result.skeleton && !(*next.skeleton == *result.skeleton)) {
      const std::string difference = describe_difference(*result.skeleton, *next.skeleton);
      return fail(fmt::format("cannot join '{}' and '{}': {}", result.name, next.name,
                              difference.empty() ? "their bones differ in length" : difference));
    }
    if (next.rate != result.rate) {
      return fail(fmt::format("cannot join '{}' at {} Hz and '{}' at {} Hz; resample one first", result.name,
                              result.rate, next.name, next.rate));
    }
    if (next.frames() == 0) continue;
    Clip moved = next;
    const std::size_t offset = result.frames();
    if (offset > 0) {
      const GroundFrame here = finder.find(result.roots.back(), result.pose(offset - 1)[0]);
      const GroundFrame there = finder.find(next.roots[0], next.pose(0)[0]);
      move(moved, here * inverse(there));
    }
    result.roots.insert(result.roots.end(), moved.roots.begin(), moved.roots.end());
    result.rotations.insert(result.rotations.end(), moved.rotations.begin(), moved.rotations.end());
    for (const Label& label : next.labels) {
      result.labels.push_back({label.name, label.begin + offset, label.end + offset});
    }
  }
  return result;
}

void align_hemispheres(Clip& clip) {
  for (std::size_t f = 1; f < clip.frames(); ++f) {
    const auto before = clip.pose(f - 1);
    const auto now = clip.pose(f);
    for (std::size_t j = 0; j < now.size(); ++j) {
      if (dot(before[j], now[j]) < 0) now[j] = -now[j];
    }
  }
}

}  // namespace loom::motion
