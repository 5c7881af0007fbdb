// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/io/raw_motion.h>

namespace loom::io {

/// A joint of a SmartBody skeleton. Its frame in its parent's is: offset and position channels, then `prerot`, then the
/// rotation of its motion.
struct SkJoint {
  std::string name;
  int parent = motion::kNoParent;  ///< comes before the joint itself
  Vec3 offset;                     ///< file units
  Quat prerot;
  Vec3 position;  ///< what its position channels have where a motion does not move them, added to the offset
};

/// A SmartBody skeleton (.sk). Joint 0 is the root; parents come before children.
struct SkSkeleton {
  std::vector<SkJoint> joints;
  std::optional<double> metres_per_unit;  ///< from "Units:" in the comments at the top, where it stands there
  std::vector<std::string> warnings;      ///< words of the file that say nothing here, in full sentences
};

/// Reads a skeleton from memory; `file` names it in messages. Limits of channels are passed over; a keyword that is
/// none is told. Fails on a brace missing or too many, a joint of a name that is there already, numbers that are none.
Result<SkSkeleton> read_sk(std::string_view text, const std::string& file);

/// Reads a SmartBody motion (.skm) of `skeleton` from memory; `file` names it in messages.
///
/// Channels of joints that the skeleton lacks are skipped and counted in a note; it fails where none is left. Joints
/// without a channel stay at rest. The rate comes from the times of the frames; frames that are not evenly spaced are
/// told and taken as if they were.
///
/// The moments at the end of the file become labels of one frame: `ready`, `stroke-start`, `stroke`, `stroke-end`,
/// `relax`, others by their own names. What SmartBody calls the emphasis, the touch or hit that a motion is about, is
/// our `stroke`; what it calls `stroke` is the end of the phase around it. Times that an exporter put there because
/// nobody had set them, one frame after the other from the start, are left out and told, as is what lies outside.
Result<RawMotion> read_skm(std::string_view text, const std::string& file, const SkSkeleton& skeleton);

/// The skeleton alone as a motion of one frame at rest; `file` names it.
RawMotion rest_motion(const SkSkeleton& skeleton, const std::string& file);

/// The unit told in the comments at the top of a SmartBody file ("Units: cm"), in metres; nothing where none is, or
/// none that is known.
std::optional<double> unit_in_comments(std::string_view text);

}  // namespace loom::io
