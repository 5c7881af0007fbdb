// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>

namespace loom::motion {

/// What one wants of a character at this instant: a stick, a few buttons, a chosen behavior. A producer of motion uses
/// what it understands and ignores the rest.
struct Control {
  Vec3 velocity;            ///< wanted on the floor, metres a second, in the world; y is ignored
  float turn_rate = 0;      ///< wanted change of heading, radians a second, positive to the left
  int behavior = -1;        ///< index into the producer's own list of behaviors; -1: no wish
  std::uint32_t flags = 0;  ///< further buttons, as the producer defines them
};

/// What a producer of motion understands of a Control; the rest it ignores.
struct Inputs {
  bool velocity = false;               ///< hears Control::velocity
  bool turn = false;                   ///< hears Control::turn_rate
  std::vector<std::string> behaviors;  ///< what Control::behavior counts
  std::vector<std::string> flags;      ///< what the bits of Control::flags mean, from the lowest on
};

/// Where a moment of made motion was taken from.
struct SourceFrame {
  std::uint32_t clip = 0;   ///< index into the producer's list of sources
  std::uint32_t frame = 0;  ///< in that clip, at the producer's rate
};

/// One pose as it leaves a producer, in memory of the caller's.
struct StreamPose {
  Vec3 root;                  ///< metres, world
  std::span<Quat> rotations;  ///< one a joint; the caller provides the room
  std::uint8_t planted = 0;   ///< FootBits
  SourceFrame source;         ///< of the side that weighs most, where motions are being blended
};

/// Whatever produces motion: a walk on a graph, a blend, a policy, a behavior machine, a plan, a recording.
///
/// It is given the control of this instant and fills in the next pose. It never allocates, locks or searches deeply in
/// `next`; what needs that was done when it was made. The command, the studio, the exporters and the benchmarks know
/// motion only through this. Several characters on one clock are an Ensemble (motion/ensemble.h).
class MotionStream {
 public:
  virtual ~MotionStream() = default;

  [[nodiscard]] virtual const std::shared_ptr<const Skeleton>& skeleton() const = 0;
  /// Poses a second.
  [[nodiscard]] virtual double rate() const = 0;
  /// The names of the clips that SourceFrame::clip counts.
  [[nodiscard]] virtual std::vector<std::string> source_names() const = 0;
  /// What it can be asked for. Allocates.
  [[nodiscard]] virtual Inputs inputs() const { return {}; }
  /// Where the character stands between two poses, and which way it faces: sticks are seen from here. That of the pose
  /// shown last, or where the one to come has it, as far as the producer knows; before the first pose it may be the
  /// origin. Where a body sways, the producer may tell the line it keeps to instead.
  [[nodiscard]] virtual GroundFrame place() const = 0;
  /// Fills in the next pose; false when the motion is over and `pose` was left alone.
  virtual bool next(const Control& control, StreamPose& pose) = 0;
  /// A second one that goes on exactly as this one would. Allocates.
  [[nodiscard]] virtual std::unique_ptr<MotionStream> clone() const = 0;
};

/// A recorded stream: a clip with its contacts, and where each frame came from.
struct Recording {
  Clip clip;
  Contacts contacts;
  std::vector<SourceFrame> sources;       ///< one a frame
  std::vector<std::string> source_names;  ///< what SourceFrame::clip counts; none where no frame is taken from one clip
};

/// A run of frames of a recording that were taken from one clip in order.
struct SourceRun {
  std::uint32_t clip = 0;            ///< what SourceFrame::clip counts
  std::size_t begin = 0, end = 0;    ///< in the recording
  std::uint32_t from = 0, last = 0;  ///< first and last frame in the source clip
};

/// The pieces a recording was put together from, in order. A motion made at another rate than its sources repeats or
/// skips a frame now and then, which begins no new piece.
std::vector<SourceRun> source_runs(const Recording& recording);

/// Adds a pose to a recording whose clip has its skeleton and rate.
void add_pose(Recording& recording, const StreamPose& pose);

/// Finishes a recording made pose by pose: rotations are made continuous, and the floor under the contacts is found.
void finish(Recording& recording);

/// Plays a stream into memory until it ends or `seconds` have been made, under the control `control(time)` gives.
/// The contacts are those the stream tells; the floor under them is found in the motion. Fails when the stream gives
/// nothing at all, or when `progress` asks to stop.
Result<Recording> record(MotionStream& stream, double seconds, const std::function<Control(double time)>& control = {},
                         const Progress& progress = {});

/// Plays a recording: what was made beforehand, or captured, as a stream like any other.
class RecordedStream final : public MotionStream {
 public:
  explicit RecordedStream(std::shared_ptr<const Recording> recording);
  /// A clip and its contacts, one entry a frame; without any, no foot is told to be planted.
  RecordedStream(Clip clip, Contacts contacts);

  [[nodiscard]] const std::shared_ptr<const Skeleton>& skeleton() const override { return recording_->clip.skeleton; }
  [[nodiscard]] double rate() const override { return recording_->clip.rate; }
  [[nodiscard]] std::vector<std::string> source_names() const override { return recording_->source_names; }
  [[nodiscard]] GroundFrame place() const override;
  bool next(const Control& control, StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<MotionStream> clone() const override { return std::make_unique<RecordedStream>(*this); }

 private:
  std::shared_ptr<const Recording> recording_;
  GroundFrameFinder finder_;
  std::size_t frame_ = 0;  ///< to be shown next
};

}  // namespace loom::motion
