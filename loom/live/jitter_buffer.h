// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <loom/live/part_frame.h>

namespace loom::live {

/// What happened to the frames of a source on their way.
struct JitterCounts {
  std::uint64_t taken = 0;
  std::uint64_t doubled = 0;    ///< came twice
  std::uint64_t late = 0;       ///< came after their moment had been shown
  std::uint64_t reordered = 0;  ///< came after a later one, in time
  std::uint64_t restarts = 0;   ///< the source's clock jumped
  std::uint64_t held = 0;       ///< poses shown of nothing new: the source had nothing
};

/// Puts frames into their order and shows the moment that lies `delay` behind the newest, between two of them.
///
/// The moment moves on evenly, a little faster or slower where the distance to the newest frame is not as wished, so
/// that packets that come in bursts are shown at their own pace. A frame that comes twice, or too late, is dropped; a
/// clock that jumps by more than two seconds begins anew once three frames say so. Where a source stops, its last pose
/// stays. Of fixed size.
class JitterBuffer {
 public:
  /// `delay` in seconds behind the newest frame.
  explicit JitterBuffer(double delay) : delay_(delay) {}

  void take(const PartFrame& frame);
  /// Moves on by `seconds` and fills in what is shown then; false as long as nothing came.
  bool show(double seconds, PartFrame& frame);

  [[nodiscard]] const JitterCounts& counts() const { return counts_; }
  /// The moment shown last, by the source's clock.
  [[nodiscard]] double moment() const { return moment_; }
  /// Whether the last pose was made of nothing new.
  [[nodiscard]] bool holds() const { return holds_; }
  [[nodiscard]] double delay() const { return delay_; }
  void set_delay(double seconds) { delay_ = seconds; }

 private:
  static constexpr std::size_t kFrames = 128;
  void restart(const PartFrame& frame);

  std::array<PartFrame, kFrames> frames_{};  ///< the first `count_`, in the order of time
  std::size_t count_ = 0;
  double delay_;
  double moment_ = 0;
  double lag_ = 0;  ///< behind the newest, averaged
  bool showing_ = false, holds_ = false;
  int strangers_ = 0;  ///< frames in a row whose time is far from all others
  JitterCounts counts_;
};

/// Between two frames: what either tells of alone is as it tells.
PartFrame between(const PartFrame& a, const PartFrame& b, float t);

}  // namespace loom::live
