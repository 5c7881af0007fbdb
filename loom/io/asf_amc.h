// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/io/raw_motion.h>

namespace loom::io {

/// A degree of freedom of a bone: a translation, a rotation in degrees or radians, or a stretch along the bone.
enum class AsfDof : std::uint8_t { kTx, kTy, kTz, kRx, kRy, kRz, kLength };

/// A bone of an Acclaim skeleton. Its motion is a rotation in its own axes, which stand in the world as `axis` says
/// while the body is at rest: a bone is turned by axis · R · axis⁻¹ relative to its parent.
struct AsfBone {
  std::string name;
  int parent = motion::kNoParent;     ///< comes before the bone itself
  Vec3 tip;                           ///< from where the bone starts to where it ends, at rest, in file units
  Quat axis;                          ///< the bone's own axes at rest, in the world
  std::array<int, 3> order{0, 1, 2};  ///< axes (0, 1, 2 for X, Y, Z) in the order the turns about them are applied
  std::vector<AsfDof> dofs;           ///< in the order their values stand in the AMC file
};

/// An Acclaim skeleton (.asf). Bone 0 is the root, which has no length; parents come before children.
struct AsfSkeleton {
  std::vector<AsfBone> bones;
  Vec3 root_position;                     ///< added to the root's translation, file units
  bool radians = false;                   ///< for the AMC too, unless it says otherwise
  std::optional<double> metres_per_unit;  ///< from `:units length`, where it is not the 1.0 that says nothing
  std::vector<std::string> warnings;      ///< words of the file that say nothing here, in full sentences
};

/// Reads a skeleton from memory; `file` names it in messages. Limits, masses and documentation are passed over. A
/// keyword that is none is told; one that is nearly one, as 'lenght' is, fails: a bone would lose its length silently.
Result<AsfSkeleton> read_asf(std::string_view text, const std::string& file);

/// Reads the motion of `skeleton` from memory; `file` names it in messages. `rate` in Hz is used unless the file has
/// `:SAMPLES-PER-SECOND`. Bones that the file does not mention stay at rest. Numbers of frames that do not go on one by
/// one are told.
///
/// Every bone becomes a joint where the bone starts, as in the BVH conversions of the CMU database, and a bone without
/// children an end site at its tip.
Result<RawMotion> read_amc(std::string_view text, const std::string& file, const AsfSkeleton& skeleton, double rate);

/// The skeleton alone as a motion of one frame at rest; `file` names it.
Result<RawMotion> rest_motion(const AsfSkeleton& skeleton, const std::string& file);

/// The skeleton file for the AMC at `amc_path`: `asf_file` where given; else, in the same folder, the one of the same
/// name, of the performer's prefix (07.asf or 07-walk.asf for 07_05-walk.amc), or the only one there. Fails listing
/// what was looked for.
Result<std::string> find_asf(const std::string& amc_path, const std::string& asf_file);

}  // namespace loom::io
