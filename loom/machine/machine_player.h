// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/blend_parts.h>
#include <loom/machine/built_machine.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/stream.h>

namespace loom::machine {

/// What the player is about (Srinivasan 2009 fig. 6.1).
enum class Mode : std::uint8_t {
  kPlayback,     ///< plays its state
  kPreparation,  ///< plays its state until a transition begins
  kTransition,   ///< goes over
};
/// "playback", "preparation" or "transition".
const char* to_string(Mode mode);

/// A number for a parameter of a state, by its index in StateParameters::space.
struct WantedParameter {
  std::size_t parameter = 0;
  double value = 0;  ///< in the parameter's unit
};

/// A wish for a behavior.
struct Wish {
  static constexpr std::size_t kMostParameters = 4;
  std::size_t state = 0;
  std::array<WantedParameter, kMostParameters> parameters{};
  std::size_t parameter_count = 0;
  /// Seconds after which it is dropped if its first transition has not begun.
  double give_up_after = std::numeric_limits<double>::infinity();
};

/// What happens to wishes that wait already.
enum class Wishing : std::uint8_t {
  kReplace,  ///< they are dropped: this is what is wanted now
  kQueue,    ///< they come first
};

/// Something that waits to be done, in the order of being asked for.
struct Event {
  enum class Kind : std::uint8_t {
    kWish,      ///< somebody wants a behavior
    kInternal,  ///< a motion that ends is over soon: what follows it
  };
  Kind kind = Kind::kWish;
  Wish wish;
  double waited = 0;  ///< seconds since it was asked for
};

/// How the last wish that was answered was answered.
struct Answer {
  std::size_t state = 0;  ///< that was wished for
  double delay = 0;       ///< seconds until its first transition began; 0 where the character was there
  double reached = 0;     ///< seconds until its state was played alone
  double cost = 0;        ///< of its last transition, square metres
};

/// A transition that could be taken next, and what it is weighed by.
struct Considered {
  std::size_t transition = 0;  ///< of the machine
  double phase = 0;            ///< of the state that is left, at which it begins; those of a cycle may be beyond 1
  double waits = 0;            ///< seconds until then
  double distance = 0;         ///< of the two motions along it, square metres
  double price = 0;            ///< what is compared: the least is taken (see PlayerOptions::patience)
};

struct PlayerOptions {
  std::optional<double> rate;        ///< poses a second; the motion's own where none is given
  std::optional<std::size_t> start;  ///< the state to begin in; the machine's default
  double start_phase = 0;            ///< where in its motion, [0, 1); see `likest_phase`
  /// Whether transitions enter their target with the parameters that fit best (Heck & Gleicher 2007), or with the usual
  /// ones (Srinivasan 2009 eq. 5.7).
  bool parametric = true;
  /// With `parametric`: which of the transitions ahead is taken is a matter of what each costs with the parameters of
  /// this moment, and of waiting for it, a second of which is worth so many square metres.
  double patience = 0.03;
  bool single_point = false;       ///< only the cheapest transition of each pair: for comparison
  double parameter_seconds = 0.1;  ///< twice this is how far parameters lag behind those that are wanted
};

/// Plays a machine: the control machine of Srinivasan 2009 §6.1, as a stream.
///
/// A wish for a state is answered by the cheapest way of states, each entered where the motion it comes from has its
/// next transition. Parameters are changed at once, in any mode. A state that ends goes over to what follows it unless
/// something else is wished for. Of a Control it hears `behavior`: a number other than that of the pose before is a
/// wish that replaces all others. The root goes by the relative motion of what is played (§5.5). Feet are not held:
/// see `planted` in play/planting.h. Allocates nothing once made.
class MachinePlayer final : public motion::MotionStream {
 public:
  /// Fails on a start there is none of, and on a rate out of range.
  static Result<std::unique_ptr<MachinePlayer>> create(std::shared_ptr<const BuiltMachine> machine,
                                                       const PlayerOptions& options = {});
  ~MachinePlayer() override;

  // What is wanted. -------------------------------------------------------------------------------------------------
  /// False where there is no such state, no way to it, a parameter it has not, or no room: then nothing is changed.
  bool wish(const Wish& wish, Wishing wishing = Wishing::kReplace);
  /// Drops all wishes; a transition that has begun is finished.
  void drop_wishes();
  /// Parameters of a state from now on: at once where it plays, else when it does. False where there is no such state
  /// or parameter, or the number is not finite.
  bool set_parameter(std::size_t state, WantedParameter wanted);

  // Where it is put, for who plans with it. -----------------------------------------------------------------------
  /// Plays a state alone from a phase and a place on, with these parameters; wishes and transitions are dropped. The
  /// pose there counts as shown: the next is one step later. False where there is no such state, or it has other
  /// parameters.
  bool put(std::size_t state, double phase, std::span<const double> parameters, const motion::GroundFrame& place);
  /// Seconds until the state that is played alone comes to `phase`, as its parameters are now; of a cycle the next
  /// time, a whole round later where it is there.
  [[nodiscard]] double seconds_to(double phase) const;
  /// As `next`, but so many seconds later, whatever the rate, and without a control.
  void step(double seconds, motion::StreamPose& pose);

  // What goes on. ---------------------------------------------------------------------------------------------------
  [[nodiscard]] const BuiltMachine& machine() const { return *machine_; }
  [[nodiscard]] Mode mode() const { return mode_; }
  /// The state that is played, or left.
  [[nodiscard]] std::size_t state() const { return state_; }
  /// The state that is entered, in preparation and transition; else the one that is played.
  [[nodiscard]] std::size_t next_state() const { return mode_ == Mode::kPlayback ? state_ : next_state_; }
  /// Which of the machine's transitions is under way; only in that mode.
  [[nodiscard]] std::size_t transition() const { return transition_; }
  /// How much of it is done, 0 to 1.
  [[nodiscard]] double transition_share() const { return share_; }
  /// Where in the motion of the state it is, 0 to 1.
  [[nodiscard]] double phase() const;
  /// The parameters a state is played with, in their units; none where it has none.
  [[nodiscard]] std::span<const double> parameters(std::size_t state) const;
  /// What waits, the first in front.
  [[nodiscard]] std::span<const Event> queue() const { return {queue_.data(), queued_}; }
  /// The states still to come on the way of the first wish that waits, into `way`; returns how many were written.
  std::size_t way(std::span<std::size_t> way) const;
  /// What the pose shown last is mixed of, the heaviest first, clips counted as `source_names` has them: the examples
  /// of the state, and in a transition those of both states. Allocates.
  [[nodiscard]] std::vector<blend::BlendPart> parts() const;
  /// The transitions from the state that is played, or left, to the next one, as they would be weighed now, cheapest
  /// first. Allocates.
  [[nodiscard]] std::vector<Considered> considered(std::size_t to) const;
  /// How many wishes were answered, and how the last one was; how many were dropped since time ran out.
  [[nodiscard]] std::size_t answers() const { return answers_; }
  [[nodiscard]] const Answer& last_answer() const { return last_; }
  [[nodiscard]] std::size_t given_up() const { return given_up_; }

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override {
    return machine_->skeleton();
  }
  [[nodiscard]] double rate() const override { return rate_; }
  [[nodiscard]] std::vector<std::string> source_names() const override;
  [[nodiscard]] motion::Inputs inputs() const override;
  [[nodiscard]] motion::GroundFrame place() const override { return place_; }
  /// Never over.
  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override;

  static constexpr std::size_t kMostEvents = 16;

 private:
  class Voice;
  MachinePlayer(std::shared_ptr<const BuiltMachine> machine, const PlayerOptions& options);
  MachinePlayer(const MachinePlayer& other);
  void hear(const motion::Control& control);
  void wait(double seconds);
  void answer_first();
  void pop_first();
  /// The transition to be taken from the state that is played, and at which phase, unwrapped, it begins: none where
  /// nothing is to be done.
  struct Exit {
    std::size_t transition = 0;
    double at = 0;
  };
  [[nodiscard]] std::optional<Exit> next_exit(std::size_t to) const;
  [[nodiscard]] double cost_of(const BuiltTransition& way, double at) const;
  std::optional<Exit> exit_of_a_motion_that_ends();
  void begin(std::size_t transition);
  void enter(const BuiltTransition& transition);
  void finish();
  motion::GroundFrame play_on(double seconds);
  motion::GroundFrame go_over(double seconds);
  void show(motion::StreamPose& pose, double seconds);
  std::uint8_t planted_between(const motion::StreamPose& from, const motion::StreamPose& to, float weight);
  void let_go_of_what_goes(motion::StreamPose& pose, double seconds);

  std::shared_ptr<const BuiltMachine> machine_;
  PlayerOptions options_;
  double rate_;
  std::vector<std::size_t> steps_;  ///< as `first_steps`
  std::vector<Voice> voices_;       ///< one a state
  std::vector<std::uint32_t> first_source_;
  Mode mode_ = Mode::kPlayback;
  std::size_t state_ = 0, next_state_ = 0, transition_ = 0;
  double share_ = 0;  ///< of the transition
  std::array<Event, kMostEvents> queue_{};
  std::size_t queued_ = 0;
  bool going_ = false;  ///< the first event's first transition has begun
  double delay_ = 0;    ///< after so many seconds
  std::size_t answers_ = 0, given_up_ = 0;
  Answer last_;
  int heard_ = -1;
  bool started_ = false;
  motion::GroundFrame place_;
  motion::FootPoints feet_{-1, -1, -1, -1};
  std::array<Vec3, motion::kFootParts> last_feet_{};  ///< where they were shown last,
  bool feet_known_ = false;                           ///< if that is known
  std::vector<Vec3> points_[2];                       ///< of both sides of a transition
  std::vector<Quat> turns_;                           ///< memory for kinematics
  std::vector<Quat> room_;                            ///< for the pose of the other side
  /// Both sides of a transition as they were mixed last: a quaternion and its negative are one rotation, and which of
  /// the two is taken must not change on the way.
  std::vector<Quat> mixed_from_, mixed_to_;
  bool mixed_ = false;  ///< since the transition began
};

}  // namespace loom::machine
