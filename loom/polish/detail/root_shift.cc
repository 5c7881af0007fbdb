// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <loom/polish/detail/root_shift.h>
#include <loom/polish/detail/smooth_curve.h>

namespace loom::polish {
namespace {

// Rounds of linearising the distances and weighing the wishes anew, at most; fewer where they change it no more.
constexpr int kRounds = 6;
constexpr float kSettled = 2e-6f;  // metres
// Radians of knee a metre of extension that weigh as much as moving the root.
constexpr double kFreeKnee = 3;
// The knee counts as straight from this share of the leg's length on.
constexpr double kStraight = 0.999;
// A foot in the air may rather be carried along than pull the root.
constexpr double kSwingWeight = 0.1;

/// How fast the knee turns with the distance between hip and ankle, radians a metre.
double knee_rate(double extension, double thigh, double shank) {
  const double d = std::clamp(extension, std::abs(thigh - shank) + 0.01, kStraight * (thigh + shank));
  const double cosine = (thigh * thigh + shank * shank - d * d) / (2 * thigh * shank);
  return d / (thigh * shank * std::sqrt(std::max(1 - cosine * cosine, 1e-9)));
}

/// What a leg wishes of the root, which is moved by `shift` so far.
AxisWish wish_of(const LegReach& leg, std::size_t frame, Vec3 shift) {
  const double recorded = distance(leg.hip, leg.ankle);
  const Vec3 reach = leg.target - leg.hip - shift;
  const double now = length(reach);
  const double rate = knee_rate(std::max(now, recorded), leg.thigh, leg.shank) / kFreeKnee;
  AxisWish wish;
  wish.frame = frame;
  wish.direction = normalized(reach);
  wish.amount = dot(wish.direction, shift) + now - recorded;
  wish.weight = rate * rate * (leg.planted ? 1 : kSwingWeight);
  return wish;
}

}  // namespace

std::vector<Vec3> plan_root_shift(std::span<const std::vector<LegReach>> legs, double ease_frames) {
  const std::size_t frames = legs.empty() ? 0 : legs.front().size();
  std::vector<AxisWish> wishes;
  wishes.reserve(legs.size() * frames);
  std::vector<Vec3> shift(frames);
  for (int round = 0; round < kRounds; ++round) {
    wishes.clear();
    for (const std::vector<LegReach>& leg : legs) {
      for (std::size_t f = 0; f < frames; ++f) wishes.push_back(wish_of(leg[f], f, shift[f]));
    }
    std::vector<Vec3> next = smoothest_compromise(frames, wishes, ease_frames);
    float change = 0;
    for (std::size_t f = 0; f < frames; ++f) change = std::max(change, distance(next[f], shift[f]));
    shift = std::move(next);
    if (change < kSettled) break;
  }
  return shift;
}

Vec3 root_shift_for(std::span<const LegReach> legs, Vec3 shift) {
  std::array<AxisWish, 4> wishes;
  const std::size_t count = std::min(legs.size(), wishes.size());
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t l = 0; l < count; ++l) wishes[l] = wish_of(legs[l], 0, shift);
    shift = compromise({wishes.data(), count});
  }
  return shift;
}

}  // namespace loom::polish
