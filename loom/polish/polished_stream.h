// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/motion/ensemble.h>
#include <loom/motion/wrapped_stream.h>
#include <loom/polish/foot_planter.h>

namespace loom::polish {

/// Another stream with its feet held where they are planted, pose by pose (see FootPlanter). The contacts it tells are
/// those of the feet that are held.
class PolishedStream final : public motion::WrappedStream {
 public:
  /// Wraps `stream`. Fails when its skeleton has no recognisable feet.
  static Result<std::unique_ptr<PolishedStream>> create(std::unique_ptr<motion::MotionStream> stream,
                                                        const FootPlanterOptions& options = {});

  bool next(const motion::Control& control, motion::StreamPose& pose) override;
  [[nodiscard]] std::unique_ptr<motion::MotionStream> clone() const override;

 private:
  PolishedStream(std::unique_ptr<motion::MotionStream> stream, FootPlanter planter)
      : WrappedStream(std::move(stream)), planter_(std::move(planter)) {}

  FootPlanter planter_;
};

/// The same for all characters of an ensemble. It alone steps the one it wraps; others may look at that.
class PolishedEnsemble final : public motion::Ensemble {
 public:
  /// Wraps `ensemble`. Fails when a skeleton has no recognisable feet.
  static Result<std::unique_ptr<PolishedEnsemble>> create(std::shared_ptr<motion::Ensemble> ensemble,
                                                          const FootPlanterOptions& options = {});

  [[nodiscard]] std::size_t size() const override { return ensemble_->size(); }
  [[nodiscard]] double rate() const override { return ensemble_->rate(); }
  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton(std::size_t character) const override {
    return ensemble_->skeleton(character);
  }
  [[nodiscard]] std::vector<std::string> source_names(std::size_t character) const override {
    return ensemble_->source_names(character);
  }
  [[nodiscard]] motion::Inputs inputs(std::size_t character) const override { return ensemble_->inputs(character); }
  [[nodiscard]] motion::GroundFrame place(std::size_t character) const override { return ensemble_->place(character); }
  bool step(std::span<const motion::Control> controls) override;
  void show(std::size_t character, motion::StreamPose& pose) const override;
  [[nodiscard]] std::unique_ptr<motion::Ensemble> clone() const override;

 private:
  /// A character with its feet held.
  struct Body {
    FootPlanter planter;
    Vec3 root;
    std::vector<Quat> rotations;
    std::uint8_t planted = 0;
    motion::SourceFrame source;
  };

  explicit PolishedEnsemble(std::shared_ptr<motion::Ensemble> ensemble) : ensemble_(std::move(ensemble)) {}
  void plant();

  std::shared_ptr<motion::Ensemble> ensemble_;
  std::vector<Body> bodies_;
};

}  // namespace loom::polish
