// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include <loom/motion/skeleton.h>

namespace loom::motion {

Result<Skeleton> Skeleton::create(std::vector<Joint> joints, std::vector<EndSite> end_sites) {
  if (joints.empty()) return fail("a skeleton needs at least one joint");
  if (joints.size() > kMaxJoints) {
    return fail(fmt::format("{} joints are more than the {} a skeleton may have", joints.size(), kMaxJoints));
  }
  std::unordered_set<std::string_view> names;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const Joint& joint = joints[i];
    if (joint.name.empty()) return fail(fmt::format("joint {} has no name", i));
    if (!names.insert(joint.name).second) return fail(fmt::format("two joints are named '{}'", joint.name));
    if (i == 0 && joint.parent != kNoParent) return fail(fmt::format("the first joint '{}' has a parent", joint.name));
    if (i > 0 && joint.parent == kNoParent) {
      return fail(fmt::format("there are two roots, '{}' and '{}'", joints[0].name, joint.name));
    }
    if (i > 0 && (joint.parent < 0 || joint.parent >= static_cast<int>(i))) {
      return fail(fmt::format("the parent of joint '{}' does not come before it", joint.name));
    }
    if (!is_finite(joint.offset)) return fail(fmt::format("the offset of joint '{}' is not finite", joint.name));
  }
  for (const EndSite& site : end_sites) {
    if (site.joint < 0 || site.joint >= static_cast<int>(joints.size())) return fail("an end site hangs from no joint");
    if (!is_finite(site.offset)) {
      return fail(fmt::format("the end site of joint '{}' is not finite", joints[site.joint].name));
    }
  }
  return Skeleton(std::move(joints), std::move(end_sites));
}

std::optional<int> Skeleton::find(std::string_view name) const {
  const auto it = std::find_if(joints_.begin(), joints_.end(), [&](const Joint& j) { return j.name == name; });
  if (it == joints_.end()) return std::nullopt;
  return static_cast<int>(it - joints_.begin());
}

Skeleton Skeleton::scaled(float factor) const {
  Skeleton result = *this;
  for (Joint& joint : result.joints_) joint.offset *= factor;
  for (EndSite& site : result.end_sites_) site.offset *= factor;
  return result;
}

bool same_hierarchy(const Skeleton& a, const Skeleton& b) {
  return std::equal(a.joints().begin(), a.joints().end(), b.joints().begin(), b.joints().end(),
                    [](const Joint& x, const Joint& y) { return x.name == y.name && x.parent == y.parent; });
}

std::string describe_difference(const Skeleton& a, const Skeleton& b) {
  for (const Joint& joint : a.joints()) {
    if (!b.find(joint.name)) return fmt::format("joint '{}' is missing in the second", joint.name);
  }
  for (const Joint& joint : b.joints()) {
    if (!a.find(joint.name)) return fmt::format("joint '{}' is missing in the first", joint.name);
  }
  const auto parent_name = [](const Skeleton& s, const Joint& j) {
    return j.parent == kNoParent ? std::string("nothing")
                                 : "'" + s.joint(static_cast<std::size_t>(j.parent)).name + "'";
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Joint& first = a.joint(i);
    const Joint& second = b.joint(static_cast<std::size_t>(*b.find(first.name)));
    if (parent_name(a, first) != parent_name(b, second)) {
      return fmt::format("joint '{}' hangs from {} in the first and from {} in the second", first.name,
                         parent_name(a, first), parent_name(b, second));
    }
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a.joint(i).name != b.joint(i).name) {
      return fmt::format("the joints come in another order, first at '{}' and '{}'", a.joint(i).name, b.joint(i).name);
    }
  }
  return {};
}

}  // namespace loom::motion
