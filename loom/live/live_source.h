// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/live/calibration.h>
#include <loom/live/decoder.h>
#include <loom/live/orientation_filter.h>
#include <loom/live/pose_feed.h>

namespace loom::live {

/// How a source does.
struct SourceStatistics {
  std::uint64_t packets = 0, bytes = 0;
  std::uint64_t malformed = 0;  ///< packets that could not be understood
  std::uint64_t frames = 0;
  std::uint64_t lost = 0;     ///< frames that the sender counted and that never came
  std::uint64_t jumps = 0;    ///< times the sender's clock went back or leapt
  std::uint64_t changes = 0;  ///< times the sender told of more or fewer parts
  double rate = 0;            ///< frames a second, lately
  double jitter = 0;          ///< seconds: standard deviation of when frames came against when they were made
  double silent = 0;          ///< seconds since the last frame; -1 where none came
  std::size_t parts = 0;      ///< of the newest frame
  std::size_t used = 0;       ///< of these, how many move the body
  std::string fault;          ///< what was wrong with the last packet that could not be understood

  /// Whether somebody performs: something came, and not long ago.
  [[nodiscard]] bool performs() const { return silent >= 0 && silent < kPerformanceEnds; }
  static constexpr double kPerformanceEnds = 1;  ///< seconds without a frame, after which nobody does any more
};

/// A source of live motion: packets in, turns of a body's parts out, into a feed that streams read.
///
/// Raw inertial sensors are fused here; each has a filter of its own, made once its rate is known. Packets come from
/// one thread; everything else may be asked from any.
class LiveSource {
 public:
  /// For packets of a protocol (`protocols()`). Fails where there is none of that name.
  static Result<std::unique_ptr<LiveSource>> create(std::string_view protocol);

  /// Takes a packet that came from `sender` at `now`, in seconds; returns what is to be answered, usually nothing.
  std::vector<std::byte> take(std::span<const std::byte> packet, int sender, double now);

  [[nodiscard]] std::shared_ptr<const PoseFeed> feed() const { return feed_; }
  [[nodiscard]] SourceStatistics statistics(double now) const;
  /// The newest frame, as it came.
  [[nodiscard]] std::optional<LiveFrame> newest() const;

  void set_calibration(Calibration calibration);
  [[nodiscard]] Calibration calibration() const;
  /// From now on frames are taken for a T-pose, until it is ended; the body goes on moving meanwhile.
  void begin_t_pose();
  /// Ends it. The new calibration holds from the next frame on; where it fails, the old one stays.
  Result<Calibration> end_t_pose();
  /// Puts headings right by the newest frame, in which somebody stands in `pose`.
  Result<std::size_t> correct_headings(KnownPose pose);
  /// From now on it is added up how much each sensor turns, until the motion is ended.
  void begin_limb(character::Role role);
  LimbMotion end_limb();
  /// See live::map_by_motion.
  Result<void> map_by_motion(std::span<const LimbMotion> motions);

 private:
  /// A raw sensor.
  struct Fused {
    std::vector<double> times;  ///< of its first samples, until its rate is known
    std::optional<OrientationFilter> filter;
    double last = 0;
  };

  explicit LiveSource(std::unique_ptr<Decoder> decoder) : decoder_(std::move(decoder)) {}
  void hear(LiveFrame frame, double now);
  bool fuse(LiveFrame& frame);
  void count(const LiveFrame& frame, double now);
  void feed(const LiveFrame& frame, double now);

  mutable std::mutex mutex_;
  std::unique_ptr<Decoder> decoder_;
  std::shared_ptr<PoseFeed> feed_ = std::make_shared<PoseFeed>();
  Calibration calibration_;
  std::map<std::string, Fused> fused_;
  std::optional<LiveFrame> newest_;
  std::optional<TPoseCalibrator> t_pose_;
  std::optional<LimbMotion> limb_;
  SourceStatistics statistics_;
  double heard_ = 0;  ///< when the newest frame came
  /// When the last frames came, and how long after they were made, by two clocks.
  std::array<double, 128> arrivals_{}, delays_{};
  std::uint64_t arrived_ = 0;
};

}  // namespace loom::live
