// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/live/calibration.h>

namespace loom::live {
namespace {

using character::Role;

constexpr std::size_t kFewestFrames = 5;
constexpr float kStill = 10 * kDegree, kLeastPoseTurn = 20 * kDegree, kLeastTravel = 30 * kDegree;
constexpr float kAlike = 0.75f;  ///< of the larger travel: then nobody can tell

Quat about_up(float angle) { return axis_angle({0, 1, 0}, angle); }

/// The turn of a part from the T-pose, in the sensor's own world but for its drift.
Quat turn_of(const SensorMount& mount, Quat reading) {
  return about_up(-mount.drift) * reading * conjugate(mount.in_t_pose);
}

bool is_arm(Role role) { return role >= Role::kLeftUpperArm && role <= Role::kRightHand; }
bool is_trunk(Role role) { return role >= Role::kSpine && role <= Role::kHead; }
bool is_right(Role role) {
  return role >= Role::kLeftShoulder && (static_cast<int>(role) - static_cast<int>(Role::kLeftShoulder)) % 2 == 1;
}

/// Where a body looks that turned by `turn` and should have done so about `axis`, which is level; nothing where it
/// hardly turned, or about the vertical.
std::optional<float> facing_of(Quat turn, Vec3 axis) {
  Vec3 about = log_vector(turn);
  if (length(about) < kLeastPoseTurn) return std::nullopt;
  const float steep = std::fabs(about.y) / length(about);
  about.y = 0;
  if (steep > 0.8f) return std::nullopt;
  return wrap_angle(std::atan2(about.x, about.z) - std::atan2(axis.x, axis.z));
}

}  // namespace

const SensorMount* Calibration::find(std::string_view name) const {
  const auto found = std::find_if(mounts.begin(), mounts.end(), [&](const SensorMount& m) { return m.name == name; });
  return found == mounts.end() ? nullptr : &*found;
}

SensorMount* Calibration::find(std::string_view name) {
  return const_cast<SensorMount*>(std::as_const(*this).find(name));  // NOLINT: ours to change
}

RoleTurns Calibration::turns(const LiveFrame& frame) const {
  RoleTurns turns;
  for (const LivePart& part : frame.parts) {
    const SensorMount* mount = find(part.name);
    const std::optional<Role> role = mount != nullptr ? mount->role : frame.canonical ? part.role : std::nullopt;
    if (!role || turns[static_cast<std::size_t>(*role)]) continue;
    Quat turn = part.rotation;
    if (mount != nullptr) turn = about_up(-mount->facing) * turn_of(*mount, turn) * about_up(mount->facing);
    turns[static_cast<std::size_t>(*role)] = normalized(turn);
  }
  return turns;
}

void TPoseCalibrator::take(const LiveFrame& frame) {
  ++frames_;
  for (const LivePart& part : frame.parts) {
    auto seen = std::find_if(seen_.begin(), seen_.end(), [&](const Seen& s) { return s.first.name == part.name; });
    if (seen == seen_.end()) {
      if (seen_.size() >= kMostParts) continue;
      seen_.push_back({part});
      seen = seen_.end() - 1;
    }
    const float sign = dot(part.rotation, seen->first.rotation) < 0 ? -1.0f : 1.0f;
    const Quat q = part.rotation;
    seen->sum = {seen->sum.w + sign * q.w, seen->sum.x + sign * q.x, seen->sum.y + sign * q.y,
                 seen->sum.z + sign * q.z};
    seen->farthest = std::max(seen->farthest, angle_between(q, seen->first.rotation));
    ++seen->count;
    if (part.role == Role::kHips && part.place) {
      hips_ += static_cast<double>(part.place->y);
      ++hips_count_;
    }
  }
}

Result<Calibration> TPoseCalibrator::finish(const Calibration& before) const {
  if (frames_ < kFewestFrames) return fail("the source said too little to calibrate; does it still send?");
  Calibration calibration;
  for (const Seen& seen : seen_) {
    if (seen.farthest > kStill) {
      return fail(fmt::format("'{}' turned by {:.0f} degrees meanwhile; stand still in the T-pose and try again",
                              seen.first.name, static_cast<double>(seen.farthest / kDegree)));
    }
    const SensorMount* known = before.find(seen.first.name);
    SensorMount mount{seen.first.name, known != nullptr && known->role ? known->role : seen.first.role,
                      normalized(seen.sum)};
    if (known != nullptr) mount.facing = known->facing;
    calibration.mounts.push_back(std::move(mount));
  }
  if (hips_count_ > 0) calibration.hip_height = static_cast<float>(hips_ / static_cast<double>(hips_count_));
  return calibration;
}

void add_travel(const Calibration& mounts, const LiveFrame& before, const LiveFrame& now, LimbMotion& motion) {
  motion.travel.resize(mounts.mounts.size());
  const auto find = [](const LiveFrame& frame, const std::string& name) -> const LivePart* {
    for (const LivePart& part : frame.parts) {
      if (part.name == name) return &part;
    }
    return nullptr;
  };
  for (std::size_t i = 0; i < mounts.mounts.size(); ++i) {
    const LivePart *a = find(before, mounts.mounts[i].name), *b = find(now, mounts.mounts[i].name);
    if (a != nullptr && b != nullptr) motion.travel[i] += angle_between(a->rotation, b->rotation);
  }
}

Result<void> map_by_motion(Calibration& calibration, std::span<const LimbMotion> motions) {
  std::vector<std::optional<Role>> roles(calibration.mounts.size());
  for (const LimbMotion& motion : motions) {
    std::optional<std::size_t> most, next;
    for (std::size_t i = 0; i < roles.size() && i < motion.travel.size(); ++i) {
      if (roles[i]) continue;
      if (!most || motion.travel[i] > motion.travel[*most]) {
        next = most;
        most = i;
      } else if (!next || motion.travel[i] > motion.travel[*next]) {
        next = i;
      }
    }
    const std::string_view limb = character::role_name(motion.role);
    if (!most || motion.travel[*most] < kLeastTravel) {
      return fail(fmt::format("no sensor moved with {}; move that part alone, and more", limb));
    }
    if (next && motion.travel[*next] > kAlike * motion.travel[*most]) {
      return fail(fmt::format("sensors '{}' and '{}' moved alike with {}; move that part alone, the outer parts first",
                              calibration.mounts[*most].name, calibration.mounts[*next].name, limb));
    }
    roles[*most] = motion.role;
  }
  for (std::size_t i = 0; i < roles.size(); ++i) {
    if (roles[i]) calibration.mounts[i].role = roles[i];
  }
  return {};
}

std::vector<std::optional<float>> heading_drift(const Calibration& calibration, const LiveFrame& t_pose) {
  std::vector<std::optional<float>> drifts(calibration.mounts.size());
  for (std::size_t i = 0; i < drifts.size(); ++i) {
    for (const LivePart& part : t_pose.parts) {
      if (part.name != calibration.mounts[i].name) continue;
      drifts[i] = log_vector(twist_about(turn_of(calibration.mounts[i], part.rotation), {0, 1, 0})).y;
    }
  }
  return drifts;
}

Result<std::size_t> correct_headings(Calibration& calibration, const LiveFrame& frame, KnownPose pose) {
  std::size_t corrected = 0;
  if (pose == KnownPose::kTPose) {
    const auto drifts = heading_drift(calibration, frame);
    for (std::size_t i = 0; i < drifts.size(); ++i) {
      if (!drifts[i]) continue;
      calibration.mounts[i].drift = wrap_angle(calibration.mounts[i].drift + *drifts[i]);
      ++corrected;
    }
  }
  for (const LivePart& part : frame.parts) {
    SensorMount* mount = calibration.find(part.name);
    if (pose == KnownPose::kTPose || mount == nullptr || !mount->role) continue;
    // Who looks along +Z lowers his right arm about +Z, his left about -Z, and bows about +X.
    std::optional<Vec3> axis;
    if (pose == KnownPose::kArmsDown && is_arm(*mount->role)) axis = Vec3{0, 0, is_right(*mount->role) ? 1.0f : -1.0f};
    if (pose == KnownPose::kBow && is_trunk(*mount->role)) axis = Vec3{1, 0, 0};
    if (!axis) continue;
    if (const auto facing = facing_of(turn_of(*mount, part.rotation), *axis)) {
      mount->facing = *facing;
      ++corrected;
    }
  }
  if (corrected == 0) return fail("no sensor tells of this pose");
  return corrected;
}

}  // namespace loom::live
