// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/character/bone_body.h>
#include <loom/character/human_body.h>
#include <loom/motion/stream.h>
#include <loom/packed/packed_character.h>
#include <loom/play/hand_over.h>

namespace loom::packed {

/// Something that happened to a character while it went on.
struct Event {
  enum class Kind : std::uint8_t {
    kFootDown,    ///< `what` is the FootBit that was planted
    kFootUp,      ///< `what` is the FootBit that was lifted
    kBehavior,    ///< `what` is the state of a machine that is entered
    kSource,      ///< `what` is the clip that motion is taken from now
    kLabelBegin,  ///< `what` counts `labels_of`: motion that carries the label begins
    kLabelEnd,    ///< and is over
  };
  Kind kind = Kind::kFootDown;
  std::uint32_t what = 0;
  double seconds = 0;  ///< of the character's own time
};

/// The labels of a packed character's motion that events tell of, each once, in order; 64 at most. None of machines.
std::vector<std::string> labels_of(const PackedCharacter& packed);

struct PerformerOptions {
  PlayOptions play;
  bool hold_feet = true;  ///< feet are planted, pose by pose
  /// The body to carry motion to; none: that which was packed with it, and where there is none its own.
  std::optional<character::HumanBody> onto{};
};

/// A packed character on a stage: what an engine, a page and a notebook have in their hands.
///
/// A stream gives poses at a rate of its own; here time goes by in whatever steps a program takes, and what is shown
/// lies between two poses of the stream. It can be put anywhere, and go over to another package while it plays (hot
/// reload). `advance` allocates nothing and takes no lock. Not for two threads at once; different ones may be used by
/// different threads.
class Performer {
 public:
  /// Fails on a rate out of range, and on a body to carry motion to where the packed one is no human's.
  static Result<std::unique_ptr<Performer>> create(std::shared_ptr<const PackedCharacter> packed,
                                                   const PerformerOptions& options = {});

  /// What is wanted from now on, in the world. What is not finite counts as nothing.
  void control(const motion::Control& control);
  /// Time goes by, at most kLongestStep seconds; false, and nothing is done, where it is none or more than that.
  bool advance(double seconds);
  static constexpr double kLongestStep = 10;

  /// Puts the character somewhere on the floor.
  void put(const motion::GroundFrame& place);
  /// Where it stands and which way it faces, in the world.
  [[nodiscard]] motion::GroundFrame place() const { return placed_ * shown_place_; }

  /// The pose that is shown, in the world, on `skeleton`.
  [[nodiscard]] Vec3 root() const { return transform(placed_, shown_root_); }
  [[nodiscard]] Quat root_rotation() const { return placed_.rotation() * shown_rotations_[0]; }
  /// The same seen from `place`: in the character's own space.
  [[nodiscard]] Vec3 model_root() const;
  [[nodiscard]] Quat model_root_rotation() const;
  /// How every joint is turned, seen from its parent; the first as its stream has it.
  [[nodiscard]] std::span<const Quat> rotations() const { return shown_rotations_; }
  [[nodiscard]] std::uint8_t planted() const { return planted_; }
  [[nodiscard]] motion::SourceFrame source() const { return source_; }
  [[nodiscard]] double seconds() const { return seconds_; }

  /// What happened since this was asked last, the oldest first: at most as many as `events` has room for; those that
  /// were not asked for are forgotten beyond kMostEvents. Returns how many were written.
  std::size_t take_events(std::span<Event> events);
  static constexpr std::size_t kMostEvents = 64;

  /// Goes over to another package from where it stands: with the same body and rate what differs dies away (see
  /// play::HandOverStream), else the new motion begins there. A behavior that was wanted is wanted still, by its name.
  /// Fails, changing nothing, where the new one cannot be played.
  Result<void> reload(std::shared_ptr<const PackedCharacter> packed);

  /// A parameter of a state of a machine from now on. False where it is no machine or has no such state or parameter,
  /// and where the number is not finite.
  bool set_parameter(std::size_t state, std::size_t parameter, double value);

  [[nodiscard]] const PackedCharacter& packed() const { return *packed_; }
  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const { return stream_->skeleton(); }
  [[nodiscard]] const motion::Inputs& inputs() const { return inputs_; }
  [[nodiscard]] double rate() const { return stream_->rate(); }
  /// The state of a machine that is played or entered; none of others.
  [[nodiscard]] std::optional<std::size_t> behavior() const;

 private:
  /// A pose of the stream.
  struct Made {
    Vec3 root;
    std::vector<Quat> rotations;
    std::uint8_t planted = 0;
    motion::SourceFrame source;
    motion::GroundFrame place;
  };
  struct Stack {
    std::unique_ptr<motion::MotionStream> stream;
    play::HandOverStream* hand_over = nullptr;
    machine::MachinePlayer* machine = nullptr;
  };

  Performer() = default;
  static Result<Stack> stack_of(const PackedCharacter& packed, const PerformerOptions& options);
  void begin(Stack stack);
  bool make_next();
  void show();
  void tell(Event::Kind kind, std::uint32_t what);
  void tell_changes(const Made& before, const Made& now);
  [[nodiscard]] std::uint64_t labels_at(motion::SourceFrame source) const;

  std::shared_ptr<const PackedCharacter> packed_;
  PerformerOptions options_;
  std::unique_ptr<motion::MotionStream> stream_;
  play::HandOverStream* hand_over_ = nullptr;
  machine::MachinePlayer* machine_ = nullptr;
  motion::Inputs inputs_;
  std::vector<std::vector<std::uint64_t>> labels_;  ///< by clip and frame of the motion, a bit each of `labels_of`
  std::uint32_t first_source_ = 0;                  ///< of the package that is played, among all the stream knows
  motion::Control control_;                         ///< in the world
  motion::GroundFrame placed_;                      ///< carries what the stream shows into the world
  Made before_, now_;                               ///< the two poses of the stream around what is shown
  double share_ = 1;                                ///< how far from the one to the other
  double seconds_ = 0;
  Vec3 shown_root_;
  std::vector<Quat> shown_rotations_;
  motion::GroundFrame shown_place_;
  std::uint8_t planted_ = 0;
  motion::SourceFrame source_;
  std::optional<std::size_t> behavior_told_;
  std::uint64_t labels_told_ = 0;
  std::array<Event, kMostEvents> events_{};
  std::size_t first_event_ = 0, event_count_ = 0;
};

}  // namespace loom::packed
