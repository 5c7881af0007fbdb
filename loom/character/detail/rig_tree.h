// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/motion/joint_names.h>
#include <loom/motion/rig.h>

namespace loom::character {

/// A rig with what the search asks of it again and again. Joints by number; -1 is no joint.
struct RigTree {
  explicit RigTree(const motion::Rig& rig);

  const motion::Rig& rig;
  std::vector<int> order;                  ///< parents first
  std::vector<std::vector<int>> children;  ///< in the order of the file
  std::vector<motion::JointName> names;    ///< taken apart
  std::vector<bool> end;                   ///< no joint but where a bone ends, by the file or by its name
  std::vector<bool> aside;                 ///< a control or a twist joint by its name: seldom the joint itself
  std::vector<float> bone;                 ///< length from the parent; 0 for roots
  std::vector<float> reach;                ///< length of the longest way outwards
  std::vector<int> count;                  ///< joints at and below
  std::vector<int> depth;
  /// The counterpart on the other side of the body; -1 in the middle. Found from the roots outwards: by names that
  /// differ in their side alone, else by like bones.
  std::vector<int> mirror;
  float size = 0;  ///< the longest way from a root outwards

  [[nodiscard]] int parent(int joint) const { return rig.joints[static_cast<std::size_t>(joint)].parent; }
  [[nodiscard]] bool is_above(int ancestor, int joint) const;  ///< or the same; -1 is above all
  [[nodiscard]] int common(int a, int b) const;                ///< the nearest joint above both, or -1
  [[nodiscard]] int depth_of(int joint) const { return joint < 0 ? -1 : depth[static_cast<std::size_t>(joint)]; }

 private:
  void measure();
  void find_mirrors();
  void pair_children(const std::vector<int>& here, const std::vector<int>& there, bool across);
  [[nodiscard]] bool alike(int a, int b) const;
};

}  // namespace loom::character
