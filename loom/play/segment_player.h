// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/stream.h>
#include <loom/play/standing_feet.h>
#include <loom/take/take_set.h>

namespace loom::play {

/// A stretch of one clip to be played, frames [begin, end), and where it lies in the world.
struct Segment {
  std::uint32_t clip = 0;
  std::uint32_t begin = 0, end = 0;
  motion::GroundFrame world;  ///< carries the clip's own coordinates into the world's
};

/// Where the player gets its segments from, one after the other: a path found beforehand, or a walk that makes its
/// mind up as it goes. Consecutive segments are joined by a transition of the graph.
class SegmentFeed {
 public:
  virtual ~SegmentFeed() = default;
  /// The next segment; false when there is none. Must not allocate.
  virtual bool next(const motion::Control& control, Segment& segment) = 0;
  /// A second one that goes on exactly as this one would.
  [[nodiscard]] virtual std::unique_ptr<SegmentFeed> clone() const = 0;
};

/// A path found beforehand.
class SegmentList final : public SegmentFeed {
 public:
  explicit SegmentList(std::vector<Segment> segments) : segments_(std::move(segments)) {}
  bool next(const motion::Control& control, Segment& segment) override;
  [[nodiscard]] std::unique_ptr<SegmentFeed> clone() const override { return std::make_unique<SegmentList>(*this); }

 private:
  std::vector<Segment> segments_;
  std::size_t at_ = 0;
};

/// How long a transition's blend takes: Kovar 2002 and most since use a third of a second.
inline constexpr double kBlendSeconds = 1.0 / 3.0;

/// Plays segments as one motion.
///
/// Around a transition from frame i to frame j + 1, the frames i + d and j + d are blended for d from minus half a
/// window to plus half a window, both sides aligned on the floor, with a weight that eases in and out; the similar
/// frames were compared over just such a window. Where segments are shorter than the window their blends overlap, and
/// several are blended at once: at a frame a segment weighs as much as the transition to it has let in and the one
/// after it has not yet taken away, so the weights are never negative and add up to one, and a piece of a single frame
/// makes no jolt. Contacts and sources are those of the segment that is played. In a set with motion between clips
/// (take/mix.h), whose feet stand where they stand, blends do not draw them from place to place (StandingFeet).
class SegmentPlayer final : public motion::MotionStream {
 public:
  SegmentPlayer(std::shared_ptr<const take::TakeSet> motion, std::unique_ptr<SegmentFeed> feed,
                double blend_seconds = kBlendSeconds);

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override { return motion_->skeleton; }
  [[nodiscard]] double rate() const override { return motion_->rate(); }
  [[nodiscard]] std::vector<std::string> source_names() const override;
  /// Of the pose shown last; the origin before the first.
  [[nodiscard]] motion::GroundFrame place() const override { return place_; }
  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override;

 private:
  SegmentPlayer(const SegmentPlayer& other);
  /// A segment that is played, was lately or will be soon, and the frame of the stream its first frame is.
  struct Placed {
    Segment segment;
    std::int64_t begin = 0;

    [[nodiscard]] std::int64_t end() const { return begin + (segment.end - segment.begin); }
  };

  bool pull(const motion::Control& control);
  /// How much of whatever begins at `join` is let in at the frame to be played: 0 to 1.
  [[nodiscard]] float let_in(std::int64_t join) const;
  void blend_in(const Segment& other, std::int64_t frame, float share, motion::StreamPose& pose);
  void tell_feet(const Segment& segment, std::int64_t frame, float weight);

  std::shared_ptr<const take::TakeSet> motion_;
  std::unique_ptr<SegmentFeed> feed_;
  std::int64_t half_ = 0;       ///< frames of half a blend
  std::vector<Placed> placed_;  ///< in order; room for as many as a window can hold
  bool ended_ = false;          ///< the feed has no more
  std::int64_t frame_ = 0;      ///< to be played next
  motion::GroundFrameFinder finder_;
  motion::GroundFrame place_;
  std::vector<Quat> room_, before_;  ///< for a pose that is blended in, and the one before it
  std::optional<StandingFeet> feet_;
};

}  // namespace loom::play
