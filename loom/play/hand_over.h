// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/stream.h>
#include <loom/play/inertialize.h>

namespace loom::play {

/// A character that goes from one stream to another, of whatever kinds: from one machine of behaviors to the next, from
/// a recording to motion matching and back.
///
/// The new motion is laid where the old one stands and faces, and what differs in pose and speed dies away (see
/// Inertializer), so there is neither a flash of the rest pose nor a stand in between, and nothing has to be played
/// twice. One stream may follow another while the join before still fades. A motion that is over hands over as it
/// would have gone on. A foot that the join still carries is not told to be planted. Allocates nothing while it plays;
/// feet are not held: see `planted` in play/planting.h.
class HandOverStream final : public motion::MotionStream {
 public:
  /// Begins with `first`; `ease_seconds`, positive, as in Inertializer.
  explicit HandOverStream(std::unique_ptr<motion::MotionStream> first, float ease_seconds = kEaseSeconds);

  /// From the next pose on plays `next`, and gives back the stream that was played. Both are asked for poses here: the
  /// old one for the pose it would have shown, the new one for its first two, the second of which is shown. A control
  /// is in the world as it is shown. Fails, changing nothing, on another body or rate, and where `next` is over at
  /// once.
  Result<std::unique_ptr<motion::MotionStream>> hand_over(std::unique_ptr<motion::MotionStream> next,
                                                          const motion::Control& control = {});
  [[nodiscard]] motion::MotionStream& current() { return *stream_; }
  /// The two poses shown last, without what joins add to them; the first pose twice after one, nothing before.
  [[nodiscard]] std::optional<PoseStep> last_step() const;

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override { return stream_->skeleton(); }
  [[nodiscard]] double rate() const override { return stream_->rate(); }
  /// Those of all streams that were played, so that sources told before still have their names.
  [[nodiscard]] std::vector<std::string> source_names() const override { return names_; }
  [[nodiscard]] motion::Inputs inputs() const override { return stream_->inputs(); }
  [[nodiscard]] motion::GroundFrame place() const override { return world_ * stream_->place(); }
  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override;

  static constexpr float kEaseSeconds = 0.1f;

 private:
  /// A pose as its stream has it, laid into the world, without what is left of joins.
  struct Kept {
    Vec3 root;
    std::vector<Quat> rotations;
    std::uint8_t planted = 0;
    motion::SourceFrame source;
  };

  HandOverStream(const HandOverStream& other);
  bool read(motion::MotionStream& stream, const motion::GroundFrame& world, const motion::Control& control, Kept& kept);
  void go_on();
  void take_down_names();
  /// Of the feet of a pose that is shown: those that what is left of joins no longer moves.
  std::uint8_t standing(const motion::StreamPose& pose);

  std::unique_ptr<motion::MotionStream> stream_;
  float ease_seconds_;
  motion::GroundFrame world_;  ///< carries what `stream_` shows into the world
  motion::GroundFrameFinder finder_;
  Inertializer offsets_;
  /// How far the join carries each part of the feet, metres: that of the pose before.
  std::array<Vec3, motion::kFootParts> carried_{};
  motion::FootPoints feet_{-1, -1, -1, -1};
  std::vector<Vec3> plain_, shown_points_;  ///< memory for kinematics
  std::vector<Quat> turns_;
  float fades_ = 0;                 ///< seconds for which a join still shows
  std::vector<std::string> names_;  ///< of the sources of all streams
  std::uint32_t first_name_ = 0;    ///< of these, the first of `stream_`
  Kept before_, last_;              ///< the two poses shown last
  std::size_t shown_ = 0;           ///< how many of these there are: 0, 1 or 2
  bool waits_ = false;              ///< `last_` is a pose of the new stream that was not shown yet
};

}  // namespace loom::play
