// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <loom/character/map_joints.h>

namespace loom::testing {

/// The folder of characters beside the checkout; it is no part of the repository and may be absent.
inline std::filesystem::path characters_folder() {
  return std::filesystem::path(LOOM_SOURCE_DIR) / ".." / "shared" / "characters";
}

/// What joints are right for each role; an empty name: the body has none.
using RightJoints = std::map<character::Role, std::set<std::string>>;

/// mapping.tsv, made by hand: the right joints of each file, in order of their names; no roles for what is no human.
inline std::map<std::string, RightJoints> read_character_table() {
  std::map<std::string, RightJoints> table;
  std::ifstream file(characters_folder() / "mapping.tsv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string name, role, joint, others;
    std::getline(fields, name, '\t');
    std::getline(fields, role, '\t');
    std::getline(fields, joint, '\t');
    std::getline(fields, others, '\t');
    RightJoints& right = table[name];
    const auto found = character::find_role(role);
    if (!found) continue;
    right[*found].insert(joint);
    std::istringstream more(others);
    while (std::getline(more, joint, ';')) right[*found].insert(joint);
  }
  return table;
}

/// How many roles of `map` have a joint that is right, by the names of `rig`.
inline std::size_t count_right(const RightJoints& right, const character::JointMap& map, const motion::Rig& rig) {
  std::size_t count = 0;
  for (const auto& [role, names] : right) {
    const int joint = map.of(role).joint;
    count += names.count(joint < 0 ? std::string() : rig.joints[static_cast<std::size_t>(joint)].name);
  }
  return count;
}

/// The same rig with names that say nothing, all different, in an order that says nothing either.
inline motion::Rig without_names(motion::Rig rig) {
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    rig.joints[j].name = "x" + std::to_string(j * 7919 % 10007);
    rig.joints[j].human.clear();
  }
  return rig;
}

}  // namespace loom::testing
