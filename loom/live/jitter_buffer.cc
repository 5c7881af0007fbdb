// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/live/jitter_buffer.h>

namespace loom::live {
namespace {

constexpr double kJump = 2;           ///< seconds: farther from all others is another clock
constexpr int kStrangers = 3;         ///< frames of another clock in a row
constexpr double kTooFar = 0.5;       ///< seconds off the wished delay: then it goes there at once
constexpr double kAverage = 0.5;      ///< seconds over which the lag is averaged
constexpr double kMostHurry = 0.1;    ///< share by which time may go faster or slower
constexpr double kReturnSeconds = 1;  ///< in which it would be back at the wished delay

}  // namespace

PartFrame between(const PartFrame& a, const PartFrame& b, float t) {
  PartFrame mixed = t < 0.5f ? a : b;
  mixed.seconds = a.seconds + (b.seconds - a.seconds) * static_cast<double>(t);
  mixed.sensed = a.sensed | b.sensed;
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    const bool in_a = (a.sensed >> r & 1) != 0, in_b = (b.sensed >> r & 1) != 0;
    mixed.turns[r] = in_a && in_b ? slerp(a.turns[r], b.turns[r], t) : in_a ? a.turns[r] : b.turns[r];
  }
  if (a.has_hips != 0 && b.has_hips != 0) mixed.hips = lerp(a.hips, b.hips, t);
  return mixed;
}

void JitterBuffer::restart(const PartFrame& frame) {
  frames_[0] = frame;
  count_ = 1;
  strangers_ = 0;
  showing_ = false;
}

void JitterBuffer::take(const PartFrame& frame) {
  if (!std::isfinite(frame.seconds)) return;
  ++counts_.taken;
  if (count_ == 0) return restart(frame);
  const double newest = frames_[count_ - 1].seconds;
  if (std::fabs(frame.seconds - newest) > kJump) {
    if (++strangers_ < kStrangers) return;
    ++counts_.restarts;
    return restart(frame);
  }
  strangers_ = 0;
  const auto place = std::lower_bound(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(count_), frame,
                                      [](const PartFrame& a, const PartFrame& b) { return a.seconds < b.seconds; });
  const auto index = static_cast<std::size_t>(place - frames_.begin());
  if (index < count_ && place->seconds == frame.seconds) {
    ++counts_.doubled;
    return;
  }
  if (index < count_) {
    if (showing_ && frame.seconds <= moment_) {
      ++counts_.late;
      return;
    }
    ++counts_.reordered;
  }
  if (count_ == kFrames) {
    if (index == 0) return;
    std::move(frames_.begin() + 1, place, frames_.begin());
    frames_[index - 1] = frame;
    return;
  }
  std::move_backward(place, frames_.begin() + static_cast<std::ptrdiff_t>(count_),
                     frames_.begin() + static_cast<std::ptrdiff_t>(count_) + 1);
  *place = frame;
  ++count_;
}

bool JitterBuffer::show(double seconds, PartFrame& frame) {
  if (count_ == 0) return false;
  const double newest = frames_[count_ - 1].seconds, oldest = frames_[0].seconds;
  if (!showing_) {
    moment_ = newest - delay_;
    lag_ = delay_;
    showing_ = true;
  } else {
    // The lag saws up and down as frames come; its average is held at the wish.
    const double lag = newest - moment_;
    lag_ += (lag - lag_) * std::min(1.0, seconds / kAverage);
    if (lag - delay_ > kTooFar) {
      moment_ = newest - delay_;
      lag_ = delay_;
    } else {
      moment_ += seconds * (1 + std::clamp((lag_ - delay_) / kReturnSeconds, -kMostHurry, kMostHurry));
    }
  }
  holds_ = moment_ > newest;
  if (holds_) {
    ++counts_.held;
    moment_ = newest;
  }
  if (moment_ <= oldest || count_ == 1) {
    frame = frames_[0];
    return true;
  }
  std::size_t after = 1;
  while (after + 1 < count_ && frames_[after].seconds < moment_) ++after;
  const PartFrame &a = frames_[after - 1], &b = frames_[after];
  frame = between(a, b, static_cast<float>(std::clamp((moment_ - a.seconds) / (b.seconds - a.seconds), 0.0, 1.0)));
  return true;
}

}  // namespace loom::live
