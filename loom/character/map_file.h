// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/character/map_joints.h>
#include <loom/character/role.h>
#include <loom/motion/rig.h>

namespace loom::character {

/// One line of a map: which joint has a role.
struct MapLine {
  Role role = Role::kHips;
  std::string joint;     ///< its name, or "@" and its number; empty for none
  std::size_t line = 0;  ///< in the text, from 1
};

/// A map as people write it, a line a role: `left_shin = mixamorig:LeftLeg`. Nothing behind the sign says that the body
/// has no such joint. Lines that begin with # and empty ones are passed over. A name may hold anything but a line's
/// end; blanks around it do not count. "@12" is joint 12 of the rig, counted from 0, for names that repeat or are
/// empty.
struct MapFile {
  std::string file;  ///< in messages
  std::vector<MapLine> lines;
};

/// Reads a map from memory. Fails, naming the line, on a line without "=", a role there is not, a role twice.
Result<MapFile> read_map(std::string_view text, const std::string& file);

/// `map` put right by hand: roles of `by_hand` have the joint it says, for certain, the others stay. Who has hips,
/// thighs and upper arms by hand and otherwise is a human. Fails, naming the line, on a joint that the rig has not or
/// has several of, and on a joint with two roles.
Result<JointMap> put_right(JointMap map, const motion::Rig& rig, const MapFile& by_hand);

/// The map as text that `read_map` reads: every role a line, with what is not certain in comments.
std::string map_text(const JointMap& map, const motion::Rig& rig);

}  // namespace loom::character
