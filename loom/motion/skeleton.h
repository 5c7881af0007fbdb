// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>

namespace loom::motion {

inline constexpr int kNoParent = -1;

/// The most joints a skeleton may have. Real bodies have 20 to 80, with fingers and face a few hundred.
inline constexpr std::size_t kMaxJoints = 4096;

/// One joint of a skeleton.
struct Joint {
  std::string name;        ///< unique within the skeleton, never empty
  int parent = kNoParent;  ///< index of the parent, smaller than the joint's own; kNoParent for the root alone
  Vec3 offset;             ///< from the parent's origin, in the parent's frame, in metres; zero for the root

  friend bool operator==(const Joint&, const Joint&) = default;
};

/// Where a bone ends that has no further joint: a fingertip, a toe tip, the top of the head.
struct EndSite {
  int joint = 0;  ///< the joint it hangs from
  Vec3 offset;    ///< from that joint's origin, in that joint's frame, in metres

  friend bool operator==(const EndSite&, const EndSite&) = default;
};

/// The bones of a body: a hierarchy of joints, each at a fixed offset from its parent (Srinivasan 2009 §3.1, A.1).
///
/// In the rest pose every rotation is the identity, so the offsets alone draw the body as it stands at rest; readers
/// of formats with rest rotations (ASF, glTF, FBX) bring them into this form. Joint 0 is the root and parents come
/// before children, so that one pass over the joints in order does forward kinematics. A skeleton never changes once
/// made; clips share it by pointer.
class Skeleton {
 public:
  /// Checks and takes the joints. Fails on no joints, more than kMaxJoints, a joint whose parent does not come before
  /// it, a second root, an empty or repeated name, an offset that is not finite, an end site on a missing joint.
  static Result<Skeleton> create(std::vector<Joint> joints, std::vector<EndSite> end_sites);

  [[nodiscard]] std::size_t size() const { return joints_.size(); }
  [[nodiscard]] const Joint& joint(std::size_t i) const { return joints_[i]; }
  [[nodiscard]] const std::vector<Joint>& joints() const { return joints_; }
  [[nodiscard]] const std::vector<EndSite>& end_sites() const { return end_sites_; }
  /// Joints and end sites together: what `forward_kinematics` gives positions of.
  [[nodiscard]] std::size_t point_count() const { return joints_.size() + end_sites_.size(); }

  /// The index of the joint called `name`, or nothing. O(joints).
  [[nodiscard]] std::optional<int> find(std::string_view name) const;

  /// The same body with every offset multiplied by `factor`.
  [[nodiscard]] Skeleton scaled(float factor) const;

  friend bool operator==(const Skeleton&, const Skeleton&) = default;

 private:
  Skeleton(std::vector<Joint> joints, std::vector<EndSite> end_sites)
      : joints_(std::move(joints)), end_sites_(std::move(end_sites)) {}

  std::vector<Joint> joints_;
  std::vector<EndSite> end_sites_;
};

/// Whether two skeletons have the same joints by name and parent, in the same order, whatever their proportions.
/// Clips on such skeletons can be fitted to one body.
bool same_hierarchy(const Skeleton& a, const Skeleton& b);

/// What keeps `a` and `b` from sharing a hierarchy, in words for a user ("joint 'Spine2' is missing in the second");
/// empty when `same_hierarchy` holds.
std::string describe_difference(const Skeleton& a, const Skeleton& b);

}  // namespace loom::motion
