// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::io {

/// Whether a motion of `memory` bytes is out of all proportion to the `file_size` bytes it comes from.
///
/// Real files need about as much memory as text: three channels of a joint become 16 bytes. Only a file made to exhaust
/// memory, with thousands of joints that have no channels, comes near 64 times its size.
constexpr bool is_out_of_proportion(std::uint64_t memory, std::uint64_t file_size) {
  return memory > (std::uint64_t{64} << 20) + 64 * file_size;
}

/// One joint as a file tells it: like motion::Joint, but with a rest rotation and in the file's own units.
struct RawJoint {
  std::string name;
  int parent = motion::kNoParent;  ///< comes before the joint itself
  Vec3 offset;                     ///< at rest, in the parent's frame, in file units
  Quat rest;                       ///< at rest, relative to the parent
};

/// Motion as a file tells it, before it becomes a clip. Every reader makes one of these; `normalise` makes the clip,
/// so that units, axes, rest poses, travelling inner joints and faults are treated once and alike for all formats.
struct RawMotion {
  std::string name;
  std::vector<RawJoint> joints;
  std::vector<motion::EndSite> end_sites;  ///< in file units, in the frame of their joint
  double rate = 0;                         ///< frames a second as stamped in the file
  std::size_t frames = 0;

  std::vector<Quat> rotations;     ///< frames × joints, relative to the parent, rest included, unit length
  std::vector<int> moving;         ///< joints that carry a translation of their own, ascending
  std::vector<Vec3> translations;  ///< frames × moving, in the parent's frame, offset included, in file units

  /// Joints that have a translation of their own in other motions of the file: what travels in one is the root of all,
  /// so that all are of one body.
  std::vector<int> travelling;
  bool timed = false;  ///< whether the file gives each key its time, so that no rate is stamped that could be false

  std::vector<motion::Label> labels;  ///< where the format keeps them; in frames of this motion

  std::optional<double> metres_per_unit;  ///< where the format or file says it
  std::optional<int> up_axis;             ///< 0, 1 or 2 for X, Y or Z, where the format or file says it

  std::vector<std::string> notes;     ///< what the reader decided as a matter of course
  std::vector<std::string> warnings;  ///< what the reader noticed and mended
};

/// How the positions of a BVH file's root go together with its OFFSET.
enum class RootOffset : std::uint8_t {
  kAuto,     ///< whichever has the body on the floor, axis by axis; told in a note
  kAdd,      ///< positions are added to the OFFSET
  kReplace,  ///< positions stand for themselves
};

/// What a user may ask of any reader.
struct ReadOptions {
  std::optional<double> metres_per_unit;       ///< overrides the file and the guess
  std::optional<int> up_axis;                  ///< 0, 1, 2; overrides the file and the guess
  std::optional<double> source_rate;           ///< frames a second it was recorded at; overrides what the file says
  bool keep_t_pose = false;                    ///< keep an artificial T-pose in the first frame
  RootOffset root_offset = RootOffset::kAuto;  ///< for BVH
  std::string asf_file;                        ///< for AMC: the skeleton to use; empty to look for it
  std::string sk_file;                         ///< for SKM: the same
  double amc_rate = 120;                       ///< Hz; AMC files do not say it, and the CMU database has 120
};

/// A clip and what was found out on the way to it.
struct ReadClip {
  motion::Clip clip;
  double metres_per_unit = 1;  ///< the scale applied
  bool scale_guessed = false;  ///< from the body's size, since the file does not say
  int up_axis = 1;             ///< the file's vertical axis: 0, 1, 2
  bool up_guessed = false;
  bool timed = false;                 ///< as RawMotion::timed
  std::optional<int> drawn_up;        ///< the axis along which the file's offsets draw the body, where they do
  std::size_t frames_dropped = 0;     ///< first frames that were an artificial T-pose
  std::vector<std::string> notes;     ///< what was guessed and dropped as a matter of course, in full sentences
  std::vector<std::string> warnings;  ///< what a user should look at, in full sentences
};

/// Turns what a file told into a clip: metres, Y up, identity rest pose, translation on the root alone.
///
/// - Units: the option, else what the file says, else guessed from the size of the body (and told). A human that the
///   file makes a dwarf or a giant is taken ten, a hundred or a thousand times as large or small (and warned of).
/// - Up axis: the option, else what the file says, else guessed from which way the body stands (and told).
/// - Rest rotations are multiplied into the offsets, so that the rest pose becomes the identity.
/// - A joint below the root that travels (a hips joint under a fixed "Reference") becomes the root when all above it
///   is a bare chain; small translations elsewhere are dropped and told.
/// - Repeated or empty names are made unique and told.
/// - An artificial T-pose in the first frames is dropped unless asked to keep.
Result<ReadClip> normalise(RawMotion raw, const ReadOptions& options);

/// Drops the first `frames`, an artificial T-pose, with a note; labels move along. Leaves at least one frame.
void drop_t_pose(ReadClip& read, std::size_t frames);

}  // namespace loom::io
