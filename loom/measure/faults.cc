// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <loom/base/median.h>
#include <loom/base/whole.h>
#include <loom/measure/detail/body_faults.h>
#include <loom/measure/faults.h>
#include <loom/motion/body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/missing_way.h>
#include <loom/motion/t_pose.h>

namespace loom::measure {
namespace {

constexpr double kShort = 0.1;  // seconds: what is off no longer than this and comes back was never meant

// A body is pushed off or stopped with a few times its weight, which changes its speed by 1.5 m/s within 1/30 s.
constexpr double kTeleportSpeed = 6.0;      // metres a second that no body gains or loses within a frame
constexpr float kTeleportMetres = 0.08f;    // and at least this far
constexpr double kNeighbourSeconds = 0.15;  // the motion around a frame

constexpr float kFlipAngle = 80 * kDegree;  // in one frame
constexpr double kFlipSpeed = 20.0;         // radians a second; slower is no flip at whatever frame rate
constexpr float kSudden = 4.0f;             // times what the frames around turn
constexpr float kLongest = 1.004f;          // of the product of two quaternions that a clip may hold

// The back turns on the hips by up to 480 degrees a second in runs, kicks and leaps that were captured well (448 of
// 452 of CMU's takes); where markers of the hips were mistaken it turns by 730 and more, within two or three frames.
constexpr double kTrunkSpeed = 600 * kDegree;
constexpr float kTrunkAngle = 15 * kDegree;  // in one frame, at whatever frame rate
constexpr float kTrunkSudden = 2.0f;

constexpr float kRigid = 0.1f * kDegree;  // in one frame; a joint that turns less is a part of its parent
constexpr double kLevel = 0.01;           // metres a metre: half a degree

std::size_t frames_in(double seconds, double rate) {
  return to_whole<std::size_t>(std::max(1.0, std::round(seconds * rate)));
}

/// Calls `use(g)` for the steps g - 1 → g within `reach` of step f, without f itself.
template <typename Use>
void for_neighbours(std::size_t f, std::size_t reach, std::size_t frames, Use use) {
  for (std::size_t g = f - std::min(f - 1, reach); g <= std::min(f + reach, frames - 1); ++g) {
    if (g != f) use(g);
  }
}

/// How far the root's step into frame f is from the steps around it, metres.
float stray_step(const motion::Clip& clip, std::size_t f, std::size_t reach) {
  std::vector<float> x, y, z;
  for_neighbours(f, reach, clip.frames(), [&](std::size_t g) {
    const Vec3 step = clip.roots[g] - clip.roots[g - 1];
    x.push_back(step.x), y.push_back(step.y), z.push_back(step.z);
  });
  const Vec3 usual{median(std::move(x)), median(std::move(y)), median(std::move(z))};
  return length(clip.roots[f] - clip.roots[f - 1] - usual);
}

struct Stray {
  std::size_t frame = 0;  ///< the step goes from the frame before into this one
  float amount = 0;
};

/// Whether the step into frame f begins or ends in one of the stretches of an artificial pose.
bool touches(std::span<const motion::FrameRange> stretches, std::size_t f) {
  return std::any_of(stretches.begin(), stretches.end(),
                     [&](const motion::FrameRange& stretch) { return f >= stretch.begin && f <= stretch.end; });
}

std::vector<Stray> find_stray_steps(const motion::Clip& clip, std::span<const motion::FrameRange> t_poses) {
  std::vector<Stray> strays;
  const std::size_t reach = std::max<std::size_t>(3, frames_in(kNeighbourSeconds, clip.rate));
  for (std::size_t f = 1; f < clip.frames(); ++f) {
    // Cheap first: most steps are no longer than a person takes.
    if (distance(clip.roots[f], clip.roots[f - 1]) < 0.5f * kTeleportMetres || touches(t_poses, f)) continue;
    const float stray = stray_step(clip, f, reach);
    if (stray > kTeleportMetres && stray * clip.rate > kTeleportSpeed) strays.push_back({f, stray});
  }
  return strays;
}

/// Whether a stray step is undone within a moment, by the next one.
template <typename Apart>
bool returns(const std::vector<Stray>& strays, std::size_t i, std::size_t brief, Apart apart) {
  if (i + 1 >= strays.size() || strays[i + 1].frame - strays[i].frame > brief) return false;
  return apart(strays[i].frame - 1, strays[i + 1].frame) < 0.5f * strays[i].amount;
}

/// Stray steps at the ends of the clip, those that are undone at once, and all others.
std::vector<Fault> find_teleports(const motion::Clip& clip, std::span<const motion::FrameRange> t_poses) {
  std::vector<Fault> faults;
  const std::vector<Stray> strays = find_stray_steps(clip, t_poses);
  const std::size_t brief = frames_in(kShort, clip.rate);
  const auto apart = [&](std::size_t a, std::size_t b) { return distance(clip.roots[a], clip.roots[b]); };
  for (std::size_t i = 0; i < strays.size(); ++i) {
    const std::size_t f = strays[i].frame;
    const double metres = strays[i].amount;
    Fault fault{FaultKind::kTeleport, {{f, f + 1}}, -1, metres, 0.6f, true, {}};
    if (returns(strays, i, brief, apart)) {
      const std::size_t back = strays[++i].frame;
      fault.frames = {{f, back}};
      fault.description =
          fmt::format("The body is thrown {:.2f} m aside in frame {} and is back in {}.", metres, f, back);
    } else if (f <= brief) {
      fault.frames = {{0, f}};
      fault.description = fmt::format("The root jumps {:.2f} m into frame {}: what comes before is stray.", metres, f);
    } else if (clip.frames() - f <= brief) {
      fault.frames = {{f, clip.frames()}};
      fault.description = fmt::format("The root jumps {:.2f} m into frame {}: what follows is stray.", metres, f);
    } else {
      fault.severity = 1;
      fault.mendable = false;
      fault.description =
          fmt::format("The root jumps {:.2f} m from frame {} to {}: cut the clip there.", metres, f - 1, f);
    }
    faults.push_back(std::move(fault));
  }
  return faults;
}

/// How far the body reaches out from every joint, as a share of its size: what flips with it.
std::vector<float> reach_below(const motion::Skeleton& skeleton) {
  std::vector<float> reach(skeleton.size(), 0);
  for (const motion::EndSite& site : skeleton.end_sites()) {
    float& of_joint = reach[static_cast<std::size_t>(site.joint)];
    of_joint = std::max(of_joint, length(site.offset));
  }
  for (std::size_t j = skeleton.size(); j-- > 1;) {
    float& of_parent = reach[static_cast<std::size_t>(skeleton.joint(j).parent)];
    of_parent = std::max(of_parent, reach[j] + length(skeleton.joint(j).offset));
  }
  const float size = std::max(2 * reach[0], 1e-6f);
  for (float& of_joint : reach) of_joint /= size;
  return reach;
}

class FlipFinder {
 public:
  /// `told`: frames in which the whole body is stray, which has been told of already.
  FlipFinder(const motion::Clip& clip, std::span<const motion::FrameRange> told) : clip_(clip), told_(told) {
    least_ = static_cast<float>(std::max(static_cast<double>(kFlipAngle), kFlipSpeed / clip.rate));
    trunk_least_ = static_cast<float>(std::max(static_cast<double>(kTrunkAngle), kTrunkSpeed / clip.rate));
    reach_ = reach_below(*clip.skeleton);
    const motion::Body body = motion::find_body(*clip.skeleton);
    if (!body.spine.empty() && body.has_legs()) trunk_ = body.spine.front();
  }

  std::vector<Fault> find() const {
    std::vector<Fault> faults;
    for (std::size_t j = 0; j < clip_.joints(); ++j) find_of(j, faults);
    return faults;
  }

 private:
  [[nodiscard]] float turn(std::size_t joint, std::size_t f) const {
    return angle_between(clip_.pose(f - 1)[joint], clip_.pose(f)[joint]);
  }

  [[nodiscard]] std::vector<Stray> flips_of(std::size_t joint) const {
    std::vector<Stray> flips;
    const bool trunk = static_cast<int>(joint) == trunk_;
    const float least = trunk ? trunk_least_ : least_, sudden = trunk ? kTrunkSudden : kSudden;
    // Nearly all turns are far smaller; those surely are that have a larger cosine, whose quaternions may be a little
    // longer than one.
    const float surely = kLongest * std::cos(0.5f * least);
    for (std::size_t f = 1; f < clip_.frames(); ++f) {
      if (std::fabs(dot(clip_.pose(f - 1)[joint], clip_.pose(f)[joint])) > surely) continue;
      const float angle = turn(joint, f);
      if (angle < least || touches(told_, f)) continue;
      std::vector<float> around;
      for_neighbours(f, 4, clip_.frames(), [&](std::size_t g) { around.push_back(turn(joint, g)); });
      if (angle > sudden * median(std::move(around))) flips.push_back({f, angle});
    }
    return flips;
  }

  void find_of(std::size_t joint, std::vector<Fault>& faults) const;

  const motion::Clip& clip_;
  std::span<const motion::FrameRange> told_;
  float least_ = 0, trunk_least_ = 0;
  int trunk_ = -1;  ///< the joint in which the back turns on the hips
  std::vector<float> reach_;
};

/// One fault for all moments in which the joint is off, and one for all flips that stay.
void FlipFinder::find_of(std::size_t joint, std::vector<Fault>& faults) const {
  const std::vector<Stray> flips = flips_of(joint);
  const std::size_t brief = frames_in(kShort, clip_.rate);
  const auto apart = [&](std::size_t a, std::size_t b) {
    return angle_between(clip_.pose(a)[joint], clip_.pose(b)[joint]);
  };
  const float severity = std::min(1.0f, 0.1f + 3 * reach_[joint]);
  Fault moments{FaultKind::kJointFlip, {}, static_cast<int>(joint), 0, severity, true, {}};
  Fault lasting{FaultKind::kJointFlip, {}, static_cast<int>(joint), 0, severity, false, {}};
  for (std::size_t i = 0; i < flips.size(); ++i) {
    const bool moment = returns(flips, i, brief, apart);
    Fault& fault = moment ? moments : lasting;
    const std::size_t f = flips[i].frame;
    fault.amount = std::max(fault.amount, static_cast<double>(flips[i].amount));
    fault.frames.push_back({f, moment ? flips[++i].frame : f + 1});
  }
  for (Fault* fault : {&moments, &lasting}) {
    if (fault->frames.empty()) continue;
    const std::size_t count = fault->frames.size();
    fault->description = fmt::format(
        "Joint '{}' flips by {}{:.0f} degrees {}, {}in frame {}{}.", clip_.skeleton->joint(joint).name,
        count == 1 ? "" : "up to ", fault->amount / static_cast<double>(kDegree),
        fault->mendable ? "for a moment" : "and stays so", count == 1 ? "" : fmt::format("{} times, first ", count),
        fault->frames[0].begin, fault->mendable ? fmt::format(" (back in {})", fault->frames[0].end) : "");
    faults.push_back(std::move(*fault));
  }
}

/// The stretches of an artificial pose, without stray frames at the ends of the clip whose root is elsewhere: those are
/// teleports.
std::vector<motion::FrameRange> find_told_t_poses(const motion::Clip& clip, std::span<const Quat> known) {
  std::vector<motion::FrameRange> stretches = motion::find_t_poses(clip, known);
  if (stretches.empty()) return stretches;
  const std::vector<Stray> strays = find_stray_steps(clip, {});
  const std::size_t brief = frames_in(kShort, clip.rate);
  const auto jumps_at = [&](std::size_t f) {
    return std::any_of(strays.begin(), strays.end(), [&](const Stray& stray) { return stray.frame == f; });
  };
  std::erase_if(stretches, [&](const motion::FrameRange& stretch) {
    const bool first = stretch.begin == 0, last = stretch.end == clip.frames();
    if (stretch.end - stretch.begin > brief || first == last) return false;
    return jumps_at(first ? stretch.end : stretch.begin);
  });
  return stretches;
}

/// One fault for the stretches that can be mended, short or at an end of the clip, and one for all others.
std::vector<Fault> t_pose_faults(const motion::Clip& clip, std::span<const motion::FrameRange> stretches) {
  const std::size_t brief = frames_in(kShort, clip.rate);
  Fault mendable{FaultKind::kTPose, {}, -1, 0, 0.6f, true, {}};
  Fault lasting{FaultKind::kTPose, {}, -1, 0, 1, false, {}};
  for (const motion::FrameRange& stretch : stretches) {
    const std::size_t length = stretch.end - stretch.begin;
    const bool at_end = stretch.begin == 0 || stretch.end == clip.frames();
    Fault& fault = at_end || length <= brief ? mendable : lasting;
    fault.frames.push_back(stretch);
    fault.amount = std::max(fault.amount, static_cast<double>(length) / clip.rate);
  }
  std::vector<Fault> faults;
  for (Fault* fault : {&mendable, &lasting}) {
    if (fault->frames.empty()) continue;
    const std::size_t others = fault->frames.size() - 1;
    fault->description =
        fmt::format("The body stands in an artificial pose from frame {} to {}{}.", fault->frames[0].begin,
                    fault->frames[0].end - 1, others == 0 ? "" : fmt::format(" and {} times more", others));
    faults.push_back(std::move(*fault));
  }
  return faults;
}

void check_floor(const motion::Clip& clip, const motion::Contacts& contacts, std::vector<Fault>& faults) {
  const double slope = std::hypot(contacts.ground.slope_x, contacts.ground.slope_z);
  if (slope < kLevel) return;
  faults.push_back({FaultKind::kTiltedFloor,
                    {{0, clip.frames()}},
                    -1,
                    slope,
                    0.2f,
                    true,
                    fmt::format("The floor is tilted by {:.1f} degrees ({:.1f} cm over a metre).",
                                std::atan(slope) / static_cast<double>(kDegree), 100 * slope)});
}

Fault in_place_fault(const motion::Clip& clip, float speed) {
  return {FaultKind::kInPlace,
          {{0, clip.frames()}},
          -1,
          speed,
          0.6f,
          true,
          fmt::format("The body goes in its place: its feet slide back under it at {:.2f} m/s.", speed)};
}

/// Fills a range from the frames on both sides of it: one joint, or with -1 the whole pose.
void interpolate(motion::Clip& clip, motion::FrameRange range, int joint) {
  const std::size_t before = range.begin - 1;
  const auto fill = [&](std::size_t f, std::size_t j, float t) {
    clip.pose(f)[j] = slerp(clip.pose(before)[j], clip.pose(range.end)[j], t);
  };
  for (std::size_t f = range.begin; f < range.end; ++f) {
    const float t = static_cast<float>(f - before) / static_cast<float>(range.end - before);
    if (joint >= 0) {
      fill(f, static_cast<std::size_t>(joint), t);
      continue;
    }
    clip.roots[f] = lerp(clip.roots[before], clip.roots[range.end], t);
    for (std::size_t j = 0; j < clip.joints(); ++j) fill(f, j, t);
  }
}

/// Whether the parent of a joint that is off in `range` is thrown round under it: in the world the joint goes on as
/// before, for what hangs from it was captured well, and the turn of the joint only makes up for that of its parent.
bool makes_up_for_parent(const motion::Clip& clip, motion::FrameRange range, int joint) {
  if (clip.skeleton->joint(static_cast<std::size_t>(joint)).parent < 0) return false;
  const auto world = [&](std::size_t f) {
    return motion::joint_frame(*clip.skeleton, joint, clip.roots[f], clip.pose(f)).rotation;
  };
  const std::size_t before = range.begin - 1, f = range.begin, after = range.end;
  const float t = 1 / static_cast<float>(after - before);
  const auto local = [&](std::size_t g) { return clip.pose(g)[static_cast<std::size_t>(joint)]; };
  const float off = angle_between(local(f), slerp(local(before), local(after), t));
  return angle_between(world(f), slerp(world(before), world(after), t)) < 0.5f * off;
}

/// Fills what hangs from a joint and turns on it. What does not turn is a part of it, and what hangs from that is
/// filled: hips have a joint to each side in some skeletons that only tells where the leg begins.
void interpolate_below(motion::Clip& clip, motion::FrameRange range, std::size_t joint) {
  for (std::size_t j = joint + 1; j < clip.joints(); ++j) {
    if (clip.skeleton->joint(j).parent != static_cast<int>(joint)) continue;
    if (angle_between(clip.pose(range.begin - 1)[j], clip.pose(range.begin)[j]) < kRigid) {
      interpolate_below(clip, range, j);
    } else {
      interpolate(clip, range, static_cast<int>(j));
    }
  }
}

/// Fills a range of a joint that is off for a moment; where its parent is, that and all that makes up for it.
void mend_joint(motion::Clip& clip, motion::FrameRange range, int joint) {
  if (!makes_up_for_parent(clip, range, joint)) {
    interpolate(clip, range, joint);
    return;
  }
  const int parent = clip.skeleton->joint(static_cast<std::size_t>(joint)).parent;
  interpolate(clip, range, parent);
  interpolate_below(clip, range, static_cast<std::size_t>(parent));
}

void level_floor(motion::Clip& clip) {
  const Result<motion::Contacts> contacts = motion::find_contacts(clip);
  if (!contacts) return;
  const motion::Floor& floor = contacts->ground;
  const Quat by = rotation_between({-floor.slope_x, 1, -floor.slope_z}, {0, 1, 0});
  const Vec3 middle{floor.centre_x, floor.height, floor.centre_z};
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    clip.roots[f] = middle + rotate(by, clip.roots[f] - middle);
    clip.pose(f)[0] = normalized(by * clip.pose(f)[0]);
  }
}

}  // namespace

const char* to_string(FaultKind kind) {
  switch (kind) {
    case FaultKind::kJointFlip:
      return "joint-flip";
    case FaultKind::kFrameRate:
      return "frame-rate";
    case FaultKind::kTiltedFloor:
      return "tilted-floor";
    case FaultKind::kInPlace:
      return "in-place";
    case FaultKind::kTPose:
      return "t-pose";
    case FaultKind::kBentBackward:
      return "bent-backward";
    case FaultKind::kFootReversed:
      return "foot-reversed";
    case FaultKind::kTeleport:
      break;
  }
  return "teleport";
}

bool concerns_whole_clip(FaultKind kind) {
  return kind == FaultKind::kFrameRate || kind == FaultKind::kTiltedFloor || kind == FaultKind::kInPlace;
}

std::vector<Fault> find_faults(const motion::Clip& clip, const FaultOptions& options) {
  std::vector<motion::FrameRange> told = find_told_t_poses(clip, options.t_pose);
  std::vector<Fault> faults = t_pose_faults(clip, told);
  const std::vector<Fault> teleports = find_teleports(clip, told);
  for (const Fault& teleport : teleports) told.push_back(teleport.frames[0]);
  const std::vector<Fault> flips = FlipFinder(clip, told).find();
  // A clip that falls apart in the middle says nothing about floor and time.
  const bool whole = told.empty();
  faults.insert(faults.end(), teleports.begin(), teleports.end());
  faults.insert(faults.end(), flips.begin(), flips.end());
  for (const Fault& flip : flips) {
    if (flip.mendable) told.insert(told.end(), flip.frames.begin(), flip.frames.end());
  }
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  const std::vector<Fault> of_body = find_body_faults(clip, poses, told);
  faults.insert(faults.end(), of_body.begin(), of_body.end());
  const std::optional<motion::MissingWay> missing = whole ? motion::find_missing_way(clip) : std::nullopt;
  if (missing) faults.push_back(in_place_fault(clip, missing->speed));
  // Feet that never stand tell neither time nor floor.
  const bool stands = whole && !missing;
  if (stands && options.judge_rate) {
    const RateEvidence evidence = gather_rate_evidence(clip, poses);
    if (const auto claim = judge_rate({&evidence, 1})) faults.push_back(rate_fault(clip, *claim));
  }
  if (stands && options.judge_floor && clip.frames() > 0) {
    if (const Result<motion::Contacts> contacts = motion::find_contacts(clip)) check_floor(clip, *contacts, faults);
  }
  std::stable_sort(faults.begin(), faults.end(),
                   [](const Fault& a, const Fault& b) { return a.severity > b.severity; });
  return faults;
}

Fault rate_fault(const motion::Clip& clip, const RateClaim& claim) {
  return {FaultKind::kFrameRate, {{0, clip.frames()}}, -1, claim.rate, 0.8f, false, describe(claim, clip.rate)};
}

RateEvidence rate_evidence_of(const motion::Clip& clip) {
  const std::vector<motion::FrameRange> t_poses = motion::find_t_poses(clip);
  if (!t_poses.empty() || !find_stray_steps(clip, t_poses).empty()) return {};
  if (motion::find_missing_way(clip)) return {};
  return gather_rate_evidence(clip, motion::forward_kinematics(clip));
}

std::size_t cut_off_by_mending(std::span<const Fault> faults) {
  std::size_t frames = 0;
  for (const Fault& fault : faults) {
    if (!fault.mendable || concerns_whole_clip(fault.kind)) continue;
    for (const motion::FrameRange& range : fault.frames) {
      if (range.begin == 0) frames = std::max(frames, range.end);
    }
  }
  return frames;
}

motion::Clip mend(const motion::Clip& clip, std::span<const Fault> faults) {
  motion::Clip mended = clip;
  const std::size_t begin = cut_off_by_mending(faults);
  std::size_t end = clip.frames();
  bool tilted = false;
  for (const Fault& fault : faults) {
    if (!fault.mendable) continue;
    tilted = tilted || fault.kind == FaultKind::kTiltedFloor;
    if (fault.kind == FaultKind::kInPlace) {
      if (const auto missing = motion::find_missing_way(mended)) mended = motion::add_way(mended, *missing);
    }
    if (concerns_whole_clip(fault.kind)) continue;
    for (const motion::FrameRange& range : fault.frames) {
      if (range.end >= clip.frames()) {
        end = std::min(end, range.begin);
      } else if (range.begin > 0) {
        fault.joint < 0 ? interpolate(mended, range, -1) : mend_joint(mended, range, fault.joint);
      }
    }
  }
  if (tilted) level_floor(mended);
  if ((begin == 0 && end == clip.frames()) || begin >= end) return mended;
  Result<motion::Clip> rest = motion::cut(mended, begin, end);
  return rest ? std::move(*rest) : mended;
}

}  // namespace loom::measure
