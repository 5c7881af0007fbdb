// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/blend_space.h>
#include <loom/motion/body_capsules.h>
#include <loom/motion/ground_frame.h>

namespace loom::plan {

/// The poses of a blended action by weights and time, ready to be tried by the thousand (Huang 2012 §6.4.1): a node of
/// the space that is searched is a pair (w, t), and stands for the pose q(w, t) of the motion M(w) at time t.
///
/// Time is cut into slices, about one a frame of the reference, at which the poses of all examples are kept; the
/// strokes are slices. A pose takes O(examples × joints), no allocation after the first.
class ActionSpace {
 public:
  /// Fails on a body that is no human figure, and on a family without strokes: there is no moment to plan for.
  static Result<ActionSpace> create(std::shared_ptr<const blend::BlendSpace> space);

  [[nodiscard]] std::size_t slices() const { return times_.size(); }
  [[nodiscard]] std::size_t examples() const { return space_->size(); }
  /// The normalised time of a slice: 0 the first, 1 the last.
  [[nodiscard]] double time_of(std::size_t slice) const { return times_[slice]; }
  /// The slice of a stroke.
  [[nodiscard]] std::size_t stroke_slice(std::size_t stroke) const { return strokes_[stroke]; }
  /// Seconds from a slice to the next in the motion with these weights.
  [[nodiscard]] double seconds_after(std::size_t slice, std::span<const float> weights) const;
  [[nodiscard]] const blend::BlendSpace& space() const { return *space_; }
  [[nodiscard]] const std::shared_ptr<const blend::BlendSpace>& shared() const { return space_; }
  [[nodiscard]] const motion::BodyCapsules& body() const { return body_; }
  [[nodiscard]] const blend::PoseSet& poses(std::size_t slice) const { return poses_[slice]; }

  /// Which parts of the feet stand at a slice: those that do in most of the examples, by weight. FootBits.
  [[nodiscard]] std::uint8_t planted(std::size_t slice, std::span<const float> weights) const;
  /// The frame of an example that a slice shows.
  [[nodiscard]] std::uint32_t frame_of(std::size_t slice, std::size_t example) const {
    return frames_[slice * space_->size() + example];
  }

  /// What a body in a pose takes, and where its joints are: scratch that is used again.
  struct Placed {
    Vec3 root;
    std::vector<Quat> rotations;
    std::vector<Vec3> positions;  ///< of all points
    std::vector<Quat> world;
    std::vector<motion::Capsule> capsules;
  };
  [[nodiscard]] Placed scratch() const;
  /// The body of q(weights, slice), of somebody who stood at `stand` when the action began.
  void place(std::size_t slice, std::span<const float> weights, const motion::GroundFrame& stand, Placed& into) const;

 private:
  ActionSpace(std::shared_ptr<const blend::BlendSpace> space, motion::BodyCapsules body);

  std::shared_ptr<const blend::BlendSpace> space_;
  motion::BodyCapsules body_;
  std::vector<double> times_;
  std::vector<std::size_t> strokes_;
  std::vector<blend::PoseSet> poses_;  ///< one a slice
  std::vector<float> seconds_;         ///< slices × examples: of each in its own motion
  std::vector<std::uint32_t> frames_;  ///< likewise, its frames
};

}  // namespace loom::plan
