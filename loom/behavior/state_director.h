// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/base/random.h>
#include <loom/behavior/state_actor.h>
#include <loom/take/take_set.h>

namespace loom::behavior {

/// A character directed by hand: told a state, it stays in it, goes to it by the quickest way the data allow, and comes
/// back (Chiu 2007 §5). `Control::behavior` is the index of the wanted state; -1 is the machine's default.
///
/// A state of whole actions is answered by one action each time it is newly asked for; then the character comes back to
/// the default state. Nothing is searched: ways are looked up, and among actions that can be had within a moment of
/// the quickest one is drawn.
class StateDirector final : public motion::MotionStream {
 public:
  /// Starts in the default state at the origin, facing +Z. Fails when the default state has no motion.
  static Result<std::unique_ptr<StateDirector>> create(std::shared_ptr<const behavior::StateGraph> states,
                                                       std::shared_ptr<const take::TakeSet> motion, std::uint64_t seed);

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override {
    return actor_.motion().skeleton;
  }
  [[nodiscard]] double rate() const override { return actor_.states().graph.rate; }
  [[nodiscard]] std::vector<std::string> source_names() const override;
  [[nodiscard]] motion::Inputs inputs() const override;
  [[nodiscard]] motion::GroundFrame place() const override { return actor_.stand(); }
  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override {
    return std::unique_ptr<StateDirector>(new StateDirector(*this));
  }

  /// The state of the pose shown last.
  [[nodiscard]] std::uint32_t state() const { return actor_.state(); }

 private:
  StateDirector(StateActor actor, std::uint64_t seed) : actor_(std::move(actor)), random_(seed) {}
  void listen(int behavior);
  [[nodiscard]] std::uint32_t choose_action(std::uint32_t state);
  [[nodiscard]] std::uint16_t choose_step();
  [[nodiscard]] std::uint16_t stay();

  StateActor actor_;
  Random random_;
  int heard_ = -1;            ///< what was asked for last
  std::uint32_t wanted_ = 0;  ///< state to be in
  std::uint32_t action_ = 0;  ///< node on the way or being played, where one is
  bool has_action_ = false;
  bool shown_ = false;  ///< whether the first pose has been shown
};

}  // namespace loom::behavior
