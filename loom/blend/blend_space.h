// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/align/alignment.h>
#include <loom/blend/pose_blend.h>
#include <loom/motion/clip.h>
#include <loom/motion/contacts.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/stream.h>

namespace loom::blend {

/// Aligned clips in the form blending reads: made once, then shared by everybody who blends them.
///
/// Time is the normalised u in [0, 1] of the alignment (Srinivasan 2009 §5.3), cut into cells at the frames of the
/// reference and at the strokes. For each clip and each boundary of a cell, the moment of the clip that belongs there
/// and where the clip stands then are stored; within a cell both are interpolated. Every clip stands on the floor
/// y = 0, and is seen from where it stands on the floor at u = 0, facing +Z.
///
/// Signs of quaternions are chosen once a clip and joint: continuous in time, and on the side of the reference over the
/// whole motion. So no joint ever flips from one frame to the next.
class BlendSpace {
 public:
  /// Takes over the clips. `alignment` is that of these clips. Fails where it is not, on clips of different bodies or
  /// rates, and on a stroke outside the alignment.
  static Result<std::shared_ptr<const BlendSpace>> create(std::vector<motion::Clip> clips,
                                                          std::vector<motion::Contacts> contacts, Alignment alignment);

  [[nodiscard]] std::size_t size() const { return clips_.size(); }
  [[nodiscard]] const std::shared_ptr<const motion::Skeleton>& skeleton() const { return clips_.front().skeleton; }
  [[nodiscard]] double rate() const { return clips_.front().rate; }
  [[nodiscard]] const Alignment& alignment() const { return alignment_; }
  /// The clips, with signs chosen and standing on the floor, but where and as they were in their own worlds.
  [[nodiscard]] const std::vector<motion::Clip>& clips() const { return clips_; }
  [[nodiscard]] const std::vector<motion::Contacts>& contacts() const { return contacts_; }
  /// How far below the floor the feet of the clips stand or swing at the deepest, metres: nothing but a few
  /// centimetres, unless they go down steps.
  [[nodiscard]] float deepest_foot() const { return deepest_foot_; }
  /// The strokes in normalised time.
  [[nodiscard]] const std::vector<double>& strokes() const { return strokes_; }

  /// The poses of all clips at normalised time `u`, each seen from its own start. At a stroke, and only there, their
  /// `blend_pose` is what the made motion shows, root included: floor positions are tied to it at strokes.
  [[nodiscard]] PoseSet poses_at(double u) const;

  /// The weights to use: finite, one a clip, scaled to sum to one. Fails otherwise, saying why.
  [[nodiscard]] Result<std::vector<float>> usable_weights(std::span<const float> weights) const;

 private:
  friend class Blender;
  /// Where a clip is at the boundary of a cell.
  struct Station {
    double seconds = 0;  ///< the clip's own time
    float x = 0, z = 0;  ///< metres, from its start
    float heading = 0;   ///< radians, whole turns counted
  };

  BlendSpace() = default;
  void choose_signs();
  void stand_on_floor();
  void find_deepest_foot();
  void turn_to_front();
  void make_cells();
  [[nodiscard]] const Station& station(std::size_t cell, std::size_t clip) const {
    return stations_[cell * clips_.size() + clip];
  }
  [[nodiscard]] std::size_t cell_at(double u) const;

  std::vector<motion::Clip> clips_;
  std::vector<motion::Contacts> contacts_;
  Alignment alignment_;
  std::vector<double> strokes_;
  float deepest_foot_ = 0;
  std::vector<std::vector<float>> headings_;  ///< one a clip and frame, in the clip's world, whole turns counted
  std::vector<Quat> fronts_;                  ///< root rotations of all frames of all clips, relative to the heading
  std::vector<std::size_t> first_frame_;      ///< of each clip in fronts_
  std::vector<double> cells_;                 ///< boundaries in u, ascending from 0 to 1
  std::vector<std::size_t> stroke_cells_;     ///< which boundary each stroke is
  std::vector<Station> stations_;             ///< boundaries × clips
};

/// A blend with fixed weights, ready to give its pose at any time: the run-time form. Allocates when made and never
/// after; changing the weights costs O(cells × clips), a pose O(clips × joints).
///
/// Rotations are blended as `pose_blend.h` says. The root's way over the floor is put together from the blended
/// relative motion of the examples (Srinivasan 2009 eq. 5.9 to 5.14, on the floor: height and lean are blended as they
/// are, so that they cannot drift); at each stroke it is brought, smoothly, to the blend of where the examples are
/// then. Time passes as the blended slopes of the registration curves say, dt/du = sum of w_i dA_i/du, so durations and
/// stroke times are the weighted means of the examples'. (Negative weights, of extrapolation, do not count for time and
/// contacts: these cannot run backwards.)
class Blender {
 public:
  explicit Blender(std::shared_ptr<const BlendSpace> space);

  /// One weight a clip, as `BlendSpace::usable_weights` gives them.
  void set_weights(std::span<const float> weights);
  [[nodiscard]] const std::vector<float>& weights() const { return weights_; }

  [[nodiscard]] double duration() const { return seconds_.back(); }
  /// Seconds into the blend of normalised time `u`, and back. Each undoes the other.
  [[nodiscard]] double seconds_at(double u) const;
  [[nodiscard]] double normalised_at(double seconds) const;
  /// Seconds at which the strokes are.
  [[nodiscard]] double stroke_seconds(std::size_t stroke) const;

  /// Where the blend stands at normalised time `u` and which way it faces, from its start on; whole turns are counted.
  [[nodiscard]] motion::GroundFrame floor_at(double u) const;
  /// Fills in the pose at `seconds`, clamped to the blend: it starts at the origin, facing +Z.
  void pose(double seconds, motion::StreamPose& pose);
  /// The same at normalised time.
  void pose_at(double u, motion::StreamPose& pose);

  [[nodiscard]] const BlendSpace& space() const { return *space_; }

 private:
  void time_cells();
  void integrate_floor();
  void meet_strokes();

  std::shared_ptr<const BlendSpace> space_;
  std::vector<float> weights_;
  std::vector<float> votes_;                ///< weights for time and contacts: none negative
  std::vector<double> seconds_;             ///< at the boundaries of the cells
  std::vector<BlendSpace::Station> floor_;  ///< of the blend at these
  std::vector<Quat> examples_;              ///< clips × joints: the poses being blended
};

}  // namespace loom::blend
