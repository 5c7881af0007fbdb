// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/blend_space.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/motion/stream.h>

namespace loom::blend {

/// A motion made by blending.
struct Blended {
  motion::Clip clip;                 ///< starts at the origin facing +Z, on the floor y = 0; strokes are labelled
  motion::Contacts contacts;         ///< blended from those of the examples
  std::vector<std::size_t> strokes;  ///< frames
};

struct BlendOptions {
  bool plant_feet = true;  ///< hold planted feet (polish); moves the root by millimetres to centimetres
};

/// Blends the clips of `space` with `weights`, one a clip, into a clip.
///
/// Durations are the weighted means of the examples'; time is then stretched by less than a frame so that every stroke
/// falls on a frame, and that frame shows the blend of the examples' stroke poses exactly (before feet are planted).
/// Fails on unusable weights.
Result<Blended> blend(const std::shared_ptr<const BlendSpace>& space, std::span<const float> weights,
                      const BlendOptions& options = {});

/// Plays a blend once, pose by pose, for whoever drives motion as a stream. Feet are not held: see
/// polish::PolishedStream. Nothing is allocated while it plays.
class BlendStream final : public motion::MotionStream {
 public:
  explicit BlendStream(Blender blender) : blender_(std::move(blender)) {}

  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const override {
    return blender_.space().skeleton();
  }
  [[nodiscard]] double rate() const override { return blender_.space().rate(); }
  [[nodiscard]] std::vector<std::string> source_names() const override;
  bool next(const motion::Control& control, motion::StreamPose& pose) override;

 private:
  Blender blender_;
  std::size_t frame_ = 0;
};

}  // namespace loom::blend
