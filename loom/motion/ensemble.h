// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/motion/stream.h>

namespace loom::motion {

/// Several characters on one clock: a bout, a scene, a crowd.
///
/// It shows one instant, that at which it begins at first, and a step takes all of them on by one pose together. How
/// much they see of each other is its own affair. Showing changes nothing, so that everybody may look as often as he
/// likes. Like a stream it neither allocates, locks nor searches deeply in `step` and `show`.
class Ensemble {
 public:
  virtual ~Ensemble() = default;

  /// How many characters it has: one at least.
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Poses a second, of all of them.
  [[nodiscard]] virtual double rate() const = 0;
  [[nodiscard]] virtual const std::shared_ptr<const Skeleton>& skeleton(std::size_t character) const = 0;
  /// The names of the clips that SourceFrame::clip counts in poses of this character.
  [[nodiscard]] virtual std::vector<std::string> source_names(std::size_t character) const = 0;
  /// What a character can be asked for. Allocates.
  [[nodiscard]] virtual Inputs inputs(std::size_t character) const = 0;
  /// Where a character stands, and which way it faces (see MotionStream::place).
  [[nodiscard]] virtual GroundFrame place(std::size_t character) const = 0;
  /// All go on by one pose, each under its own control: one a character, in order, or none at all, which asks for
  /// nothing new. False when it is over: what it shows is then not told.
  virtual bool step(std::span<const Control> controls) = 0;
  /// The pose of a character at this instant, into the room `pose` has.
  virtual void show(std::size_t character, StreamPose& pose) const = 0;
  /// A second one that goes on exactly as this one would. Allocates.
  [[nodiscard]] virtual std::unique_ptr<Ensemble> clone() const = 0;
};

/// Streams side by side on one clock. They do not see each other. It is over as soon as one of them is.
class StreamEnsemble final : public Ensemble {
 public:
  /// Takes the first pose of each under `controls`, one a stream or none. Fails on no streams, on different rates, and
  /// on a stream that has no pose.
  static Result<std::unique_ptr<StreamEnsemble>> create(std::vector<std::unique_ptr<MotionStream>> streams,
                                                        std::span<const Control> controls = {});

  [[nodiscard]] std::size_t size() const override { return members_.size(); }
  [[nodiscard]] double rate() const override { return members_.front().stream->rate(); }
  [[nodiscard]] const std::shared_ptr<const Skeleton>& skeleton(std::size_t character) const override;
  [[nodiscard]] std::vector<std::string> source_names(std::size_t character) const override;
  [[nodiscard]] Inputs inputs(std::size_t character) const override;
  [[nodiscard]] GroundFrame place(std::size_t character) const override;
  bool step(std::span<const Control> controls) override;
  void show(std::size_t character, StreamPose& pose) const override;
  [[nodiscard]] std::unique_ptr<Ensemble> clone() const override;
  /// A copy of one character, at this instant, as an ensemble of its own.
  [[nodiscard]] std::unique_ptr<StreamEnsemble> alone(std::size_t character) const;

 private:
  /// A stream and its pose of this instant.
  struct Member {
    std::unique_ptr<MotionStream> stream;
    Control control;  ///< heard last
    Vec3 root;
    std::vector<Quat> rotations;
    std::uint8_t planted = 0;
    SourceFrame source;

    [[nodiscard]] Member clone() const;
  };

  StreamEnsemble() = default;

  std::vector<Member> members_;
};

/// The characters of an ensemble, each as a stream, for whoever takes streams. The ensemble goes on when one of them
/// asks for a pose that is not made yet; poses the others have not asked for meanwhile are kept for them, so each shows
/// every pose, in whatever order they are asked, and one that is gone is not kept for. A step hears what each was
/// handed last. As long as they are asked in turn nothing is allocated. Others may look at the ensemble, but not step
/// it.
std::vector<std::unique_ptr<MotionStream>> split(std::shared_ptr<Ensemble> ensemble);

/// Plays an ensemble into memory for `seconds`, or until it is over: one recording a character, all of the same length.
/// `controls(frame, controls)`, if there is one, is asked before each step what is wanted; frame 1 is the first that a
/// step makes. It may fail, and then this does. Fails when `progress` asks to stop, which is told `doing`.
Result<std::vector<Recording>> record(
    Ensemble& ensemble, double seconds,
    const std::function<Result<void>(std::size_t frame, std::span<Control> controls)>& controls = {},
    const Progress& progress = {}, const char* doing = "playing");

}  // namespace loom::motion
