// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::motion {

/// The frames of a clip in a fraction of their room, any pose of them read in about a microsecond.
///
/// A clip is cut into segments of at most 16 frames. In each, every turning joint is three smooth curves, and a curve
/// is a few cosines (the transform of pictures and sound), so many bits each as are needed: joints that stand still
/// take none, and how fine a joint is kept is decided anew in every segment by how far off the ends of the bones would
/// be, in millimetres. The children of a joint take back what their parents are off, so that errors do not add up along
/// an arm. `pack_frames` makes it; here it is read.
///
/// Immutable; any number of threads read one.
class PackedClip {
 public:
  /// Takes what `pack_frames` made for a clip of so many joints, believing nothing. Keeps a copy of the bytes.
  /// ErrorKind::kNewer where a newer program packed it, kDamaged where the bytes make no sense. O(bytes).
  static Result<PackedClip> create(std::span<const std::byte> bytes, std::size_t joints);

  [[nodiscard]] std::size_t frames() const { return frames_; }
  [[nodiscard]] std::size_t joints() const { return joints_; }
  /// Metres: what no point is off by more than (`packing_error`).
  [[nodiscard]] double error() const { return error_; }

  /// The pose of a frame, which must be smaller than `frames`; room for `joints` rotations. Does not allocate. False
  /// where the bytes turn out to be damaged; what was written is then of no meaning.
  [[nodiscard]] bool read_pose(std::size_t frame, Vec3& root, std::span<Quat> rotations) const;

  /// All frames, frame after frame, as `Clip::roots` and `Clip::rotations`. Quicker than pose by pose.
  Result<void> unpack(std::span<Vec3> roots, std::span<Quat> rotations) const;

 private:
  /// Three curves: a joint's turns, or where the root is.
  struct Group {
    std::uint32_t joint = 0;
    bool own_reference = false;  ///< every segment says what its turns are relative to
    float step = 1;              ///< of the quantised curves at their coarsest
    std::uint8_t fineness = 0;   ///< that most segments have
    std::uint8_t counts[3] = {};
    std::uint8_t classes[3][16] = {};
  };

  PackedClip() = default;
  Result<void> read_header(std::span<const std::byte> bytes, std::uint8_t version);
  Result<void> read_segments(std::span<const std::byte> bytes, bool wide);
  template <typename Sum>
  bool read_segment(std::size_t segment, const Sum& sum, Quat* references) const;
  [[nodiscard]] std::size_t first_frame(std::size_t segment) const { return frames_ * segment / segments_; }
  void raw_pose(std::size_t frame, Vec3& root, std::span<Quat> rotations) const;

  std::size_t frames_ = 0, joints_ = 0, segments_ = 0;
  double error_ = 0;
  bool raw_ = false;           ///< frames as in memory
  bool root_moves_ = false;    ///< the first group is the root's place
  Vec3 centre_;                ///< of the root's places
  std::vector<Quat> still_;    ///< one a joint: of those that do not turn
  std::vector<Group> groups_;  ///< in the order of joints
  /// 13 rows of a number a group: the map of its curves to a turn, row by row, and what turns are relative to.
  std::vector<float> turning_;
  std::vector<std::uint32_t> offsets_;  ///< of segments in `bytes_`, and the end
  std::vector<std::byte> bytes_;
};

}  // namespace loom::motion
