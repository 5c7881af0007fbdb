// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/stream.h>
#include <loom/play/guide.h>
#include <loom/play/recent_pieces.h>
#include <loom/play/root_follow.h>
#include <loom/play/splice.h>
#include <loom/policy/controllers.h>
#include <loom/policy/fragments.h>

namespace loom::policy {

struct FragmentStreamOptions {
  double rate = 60;            ///< poses a second
  float ease_seconds = 0.07f;  ///< of the joins, see play::Inertializer
  /// How much slower and faster than recorded a fragment may be played to come nearer to the wanted speed.
  double slowest = 0.8, fastest = 1.25;
  /// Brisker than usual: a policy looks no further than a fragment ahead, so that only the guide turns at once.
  play::GuideOptions guide{.velocity_seconds = 0.05f, .turn_seconds = 0.03f};
  /// Nor does a fragment that is played to its end answer a wish that changes a little: the body is drawn to the guide
  /// further than usual in its place.
  play::RootFollow root{.most = 0.28f, .turn_a_metre = 0.6f};
};

/// Plays what a controller chooses, fragment after fragment: McCann & Pollard 2007 fig. 2 at run time.
///
/// A fragment that follows the last in its recording simply goes on; any other is joined by inertialisation. A policy
/// knows only the fragment it comes from, and can go round in a circle of half a step; a piece that was left or
/// begun a moment ago is not played again as long as the recording goes on, whatever the control does meanwhile: a
/// stick on its way asks for something new several times in a quarter of a second. A control that changes is answered
/// before the fragment is over: fragments overlap, and one that ends already where the played one has come to is as
/// good a place to decide from (with the work's figures within 0.05 s). Where the character is comes from the motion,
/// from the control, or from both (play::RootFollow). `next` never allocates, and with a TableController decides in a
/// table look-up. Control::flags are those of the fragments (bit 0: airborne).
class FragmentStream final : public motion::MotionStream {
 public:
  /// Counts what was done since the start.
  struct Effort {
    std::size_t poses = 0, decisions = 0, jumps = 0;
  };

  /// Characters share the motion. Fails on options out of range.
  static Result<std::unique_ptr<FragmentStream>> create(const FragmentMotion& fragments,
                                                        std::unique_ptr<Controller> controller,
                                                        const FragmentStreamOptions& options = {});

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override;
  [[nodiscard]] double rate() const override { return options_.rate; }
  [[nodiscard]] std::vector<std::string> source_names() const override { return splice_.motion().titles(); }
  [[nodiscard]] motion::Inputs inputs() const override { return {true, true, {}, set_->flags}; }
  [[nodiscard]] motion::GroundFrame place() const override { return splice_.place(); }
  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override;

  [[nodiscard]] const Effort& effort() const { return effort_; }

 private:
  FragmentStream(const FragmentMotion& fragments, std::unique_ptr<Controller> controller,
                 const FragmentStreamOptions& options);
  FragmentStream(const FragmentStream& other);
  void start(const ControlSignal& wanted);
  void decide(const ControlSignal& wanted);
  [[nodiscard]] std::uint32_t next_in_recording() const;
  void end_early();
  [[nodiscard]] bool was_just_shown(const Fragment& chosen) const;
  [[nodiscard]] bool recording_ends() const;
  [[nodiscard]] double wanted_speed(const ControlSignal& wanted) const;

  std::shared_ptr<const FragmentSet> set_;
  std::unique_ptr<Controller> controller_;
  FragmentStreamOptions options_;
  play::Splice splice_;
  play::Guide guide_;
  play::RecentPieces pieces_;
  std::uint32_t fragment_ = 0;
  ControlSignal decided_with_;
  double played_ = 0;  ///< frames of the fragment
  double speed_ = 1;   ///< of playing
  bool started_ = false;
  Effort effort_;
};

}  // namespace loom::policy
