// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <loom/base/median.h>
#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/io/detail/guess.h>
#include <loom/io/detail/root_offset.h>
#include <loom/motion/body.h>

namespace loom::io {
namespace {

constexpr std::size_t kFrames = 100;      ///< frames looked at
constexpr double kNoticeable = 0.02;      ///< share of the body's longest path from which an OFFSET matters
constexpr float kVertical = 0.7f;         ///< cosine to the vertical from which an axis is it
constexpr float kHeightOfHips = 0.5f;     ///< share of the hips' height from which an OFFSET may be it
constexpr float kStaysNearZero = 0.25f;   ///< share of the hips' height below which positions are no heights
constexpr std::size_t kMostCarriers = 8;  ///< joints above the hips that are looked at
constexpr std::array<Vec3, 3> kDirections = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};

/// Where the body is in one frame, in file units.
struct RootStance {
  std::vector<Vec3> points;  ///< joints, then end sites
  std::vector<Quat> world;
};

class OffsetReader {
 public:
  OffsetReader(RawMotion& motion, std::span<const std::array<bool, 3>> channels, std::optional<int> up_axis)
      : motion_(motion), channels_(channels), slot_(motion.joints.size(), -1) {
    for (std::size_t s = 0; s < motion.moving.size(); ++s) slot_[index(motion.moving[s])] = static_cast<int>(s);
    std::vector<motion::Joint> joints;
    for (std::size_t j = 0; j < motion.joints.size(); ++j) {
      joints.push_back({motion.joints[j].name, motion.joints[j].parent, motion.joints[j].offset});
    }
    joints[0].offset = {};
    auto skeleton = motion::Skeleton::create(joints, motion.end_sites);
    if (!skeleton) {  // names that come twice are mended later; the shape tells enough here
      for (std::size_t j = 0; j < joints.size(); ++j) joints[j].name = fmt::format("joint{}", j);
      skeleton = motion::Skeleton::create(std::move(joints), motion.end_sites);
    }
    if (!skeleton) return;  // whoever makes the clip reports it
    least_ = static_cast<float>(kNoticeable * longest_path(*skeleton));
    up_ = kDirections[index(up_axis.value_or(1))];
    if (!up_axis) stand_up(motion::find_body(*skeleton));
  }

  std::size_t settle(RootOffset reading) {
    const std::size_t carriers = count_carriers();
    for (std::size_t j = 0; j < carriers && motion_.frames > 0; ++j) {
      if (slot_[j] >= 0) settle_joint(static_cast<int>(j), reading);
    }
    return carriers;
  }

 private:
  /// The root and what follows while there is one joint and no end site below.
  [[nodiscard]] std::size_t count_carriers() const {
    std::vector<int> below(motion_.joints.size(), 0);
    for (std::size_t j = 1; j < motion_.joints.size(); ++j) ++below[index(motion_.joints[j].parent)];
    for (const motion::EndSite& site : motion_.end_sites) below[index(site.joint)] += 2;
    // A joint's only child comes right after it.
    std::size_t last = 0;
    while (below[last] == 1 && last + 1 < kMostCarriers) ++last;
    return last + 1;
  }

  [[nodiscard]] std::size_t step() const { return std::max<std::size_t>(1, motion_.frames / kFrames); }

  [[nodiscard]] const Vec3& place(std::size_t frame, int joint) const {
    if (slot_[index(joint)] < 0) return motion_.joints[index(joint)].offset;
    return motion_.translations[frame * motion_.moving.size() + index(slot_[index(joint)])];
  }

  [[nodiscard]] RootStance stance(std::size_t frame) const {
    const std::size_t joints = motion_.joints.size();
    RootStance at{std::vector<Vec3>(joints), std::vector<Quat>(joints)};
    for (std::size_t j = 0; j < joints; ++j) {
      const int parent = motion_.joints[j].parent;
      const Quat before = j == 0 ? Quat{} : at.world[index(parent)];
      at.points[j] = (j == 0 ? Vec3{} : at.points[index(parent)]) + rotate(before, place(frame, static_cast<int>(j)));
      at.world[j] = normalized(before * motion_.rotations[frame * joints + j]);
    }
    for (const motion::EndSite& site : motion_.end_sites) {
      at.points.push_back(at.points[index(site.joint)] + rotate(at.world[index(site.joint)], site.offset));
    }
    return at;
  }

  /// The vertical axis from how the head stands over the feet in the motion; Y where they are not found.
  void stand_up(const motion::Body& body) {
    const int head = body.head >= 0 ? body.head : body.neck;
    if (head < 0 || !body.has_legs()) return;
    Vec3 sum;
    for (std::size_t f = 0; f < motion_.frames; f += step()) {
      const RootStance at = stance(f);
      const Vec3 feet = 0.5f * (at.points[index(body.left_leg.end)] + at.points[index(body.right_leg.end)]);
      sum += normalized(at.points[index(head)] - feet, {});
    }
    for (const Vec3 axis : kDirections) {
      if (std::fabs(dot(sum, axis)) > std::fabs(dot(sum, up_))) up_ = axis;
    }
  }

  struct Height {
    float lowest = 0;  ///< of the body, above zero along the vertical: the median over the frames
    float own = 0;     ///< of the joint above the body's lowest point
  };

  [[nodiscard]] Height height_of(int joint) const {
    std::vector<float> lowest, own;
    for (std::size_t f = 0; f < motion_.frames; f += step()) {
      const RootStance at = stance(f);
      float least = dot(at.points[0], up_);
      for (const Vec3& point : at.points) least = std::min(least, dot(point, up_));
      lowest.push_back(least);
      own.push_back(dot(at.points[index(joint)], up_) - least);
    }
    return {median(std::move(lowest)), median(std::move(own))};
  }

  void settle_joint(int joint, RootOffset reading) {
    const Vec3 offset = motion_.joints[index(joint)].offset;
    const Vec3 by_axis[3] = {{offset.x, 0, 0}, {0, offset.y, 0}, {0, 0, offset.z}};
    std::array<bool, 3> matters{}, added{};
    for (std::size_t a = 0; a < 3; ++a) {
      const float least = reading == RootOffset::kAuto ? least_ : 0;
      matters[a] = channels_[index(slot_[index(joint)])][a] && length(by_axis[a]) > least;
    }
    if (std::none_of(matters.begin(), matters.end(), [](bool m) { return m; })) return;
    if (reading == RootOffset::kAdd) added = matters;
    if (reading == RootOffset::kAuto) added = find_added(joint, by_axis, matters);
    Vec3 addition;
    for (std::size_t a = 0; a < 3; ++a) addition += added[a] ? by_axis[a] : Vec3{};
    const std::size_t slots = motion_.moving.size(), slot = index(slot_[index(joint)]);
    for (std::size_t f = 0; f < motion_.frames; ++f) motion_.translations[f * slots + slot] += addition;
    if (reading == RootOffset::kAuto) tell(joint, matters, added);
  }

  [[nodiscard]] std::array<bool, 3> find_added(int joint, const Vec3 (&by_axis)[3],
                                               const std::array<bool, 3>& matters) const {
    const int parent = motion_.joints[index(joint)].parent;
    const Quat before = parent < 0 ? Quat{} : stance(0).world[index(parent)];
    const Height height = height_of(joint);
    const auto upwards = [&](Vec3 v) { return dot(rotate(before, v), up_); };
    // Without a height in OFFSET there is nothing to try; positions that are no heights are additions then.
    bool any_added = std::fabs(upwards(place(0, joint))) < kStaysNearZero * height.own;
    std::array<bool, 3> added{}, tried{};
    for (std::size_t a = 0; a < 3; ++a) {
      const float higher = upwards(by_axis[a]);
      tried[a] = matters[a] && std::fabs(upwards(kDirections[a])) > kVertical && higher > kHeightOfHips * height.own;
      if (tried[a]) any_added = added[a] = std::fabs(height.lowest + higher) < std::fabs(height.lowest);
    }
    for (std::size_t a = 0; a < 3; ++a) {
      if (!matters[a] || tried[a]) continue;
      const float first = dot(place(0, joint), kDirections[a]), offset = dot(by_axis[a], kDirections[a]);
      added[a] = any_added && std::fabs(first) < std::fabs(first - offset);
    }
    return added;
  }

  void tell(int joint, const std::array<bool, 3>& matters, const std::array<bool, 3>& added) {
    std::string sums, places;
    for (std::size_t a = 0; a < 3; ++a) {
      std::string& axes = added[a] ? sums : places;
      if (matters[a]) axes += (axes.empty() ? "" : " and ") + std::string(1, "XYZ"[a]);
    }
    const std::string decided =
        sums.empty()
            ? fmt::format("replace its OFFSET in {}", places)
            : (places.empty() ? fmt::format("are added to its OFFSET in {}", sums)
                              : fmt::format("are added to its OFFSET in {} and replace it in {}", sums, places));
    motion_.notes.push_back(fmt::format("The positions of {} {}; the option root-offset says it otherwise.",
                                        in_quotes(motion_.joints[index(joint)].name), decided));
  }

  RawMotion& motion_;
  std::span<const std::array<bool, 3>> channels_;
  std::vector<int> slot_;  ///< of each joint among the moving ones, or -1
  float least_ = 0;        ///< file units; a shorter OFFSET does not matter
  Vec3 up_{0, 1, 0};
};

}  // namespace

std::size_t settle_root_offset(RawMotion& motion, std::span<const std::array<bool, 3>> channels, RootOffset reading,
                               std::optional<int> up_axis) {
  return OffsetReader(motion, channels, up_axis).settle(reading);
}

}  // namespace loom::io
