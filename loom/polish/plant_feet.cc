// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include <loom/motion/kinematics.h>
#include <loom/motion/soles.h>
#include <loom/polish/detail/foot_path.h>
#include <loom/polish/detail/plants.h>
#include <loom/polish/detail/root_shift.h>
#include <loom/polish/detail/swing_lift.h>
#include <loom/polish/foot.h>
#include <loom/polish/knee.h>
#include <loom/polish/plant_feet.h>
#include <loom/polish/toes.h>

namespace loom::polish {
namespace {

// A leg may jump by this much more than it does anywhere in the recording. Where holding its foot takes more, the
// foot is let go for a few frames around, more of them each round.
constexpr float kCalm = 1.35f;
constexpr float kAnyJoint = 1.1f;  // of what any joint of the body jumps a knee may jump
constexpr std::size_t kMostRounds = 12;
constexpr float kKneeShare = 0.55f;  // of what the whole leg may jump a calm knee may jump

/// One leg of the clip: as it was recorded, and as it is to be.
struct Leg {
  Foot foot;
  std::vector<FootPlace> recorded, wanted;
  std::vector<Vec3> knee_axis;  ///< in the frame of the thigh
  FootContacts planted;
  std::vector<std::uint8_t> let_go;  ///< 1 in frames in which it is not held though planted
  std::span<const motion::SoleBall> sole;
  std::vector<float> toe_floor;  ///< how low its toes may come, metres in the world; empty where soles are not known
  float foot_limit = 0;          ///< how far heel and toe may jump, metres
  float knee_limit = 0;
};

FootContacts contacts_of(const Foot& foot, std::span<const std::uint8_t> planted) {
  FootContacts contacts;
  for (const std::uint8_t bits : planted) {
    contacts.heel.push_back(foot.heel_planted(bits) ? 1 : 0);
    contacts.toe.push_back(foot.toe_planted(bits) ? 1 : 0);
  }
  return contacts;
}

/// How far a point is in a frame from where its neighbours in time would have it.
float jump_at(const motion::WorldPoses& poses, std::size_t point, std::size_t f) {
  return length(poses.position(f + 1, point) - 2.0f * poses.position(f, point) + poses.position(f - 1, point));
}

float largest_jump(const motion::WorldPoses& poses, std::size_t point) {
  float largest = 0;
  for (std::size_t f = 1; f + 1 < poses.frames; ++f) largest = std::max(largest, jump_at(poses, point, f));
  return largest;
}

/// The largest jump of any joint.
float largest_jump(const motion::WorldPoses& poses) {
  float largest = 0;
  for (std::size_t joint = 0; joint < poses.joints; ++joint) largest = std::max(largest, largest_jump(poses, joint));
  return largest;
}

/// How far a knee may jump. Where a leg is nearly straight its knee jumps furthest of the whole body: hardly
/// further than anything did it goes.
float knee_limit_of(const motion::WorldPoses& poses, const Foot& foot, float foot_limit) {
  const float own = largest_jump(poses, static_cast<std::size_t>(foot.leg.middle));
  return std::max(std::min(kCalm * own, kAnyJoint * largest_jump(poses)), kKneeShare * foot_limit);
}

Leg make_leg(const Foot& foot, const motion::Clip& clip, const motion::WorldPoses& poses,
             const motion::Contacts& contacts, const FootPlantOptions& options) {
  const double rate = clip.rate;
  Leg leg;
  leg.foot = foot;
  for (std::size_t f = 0; f < poses.frames; ++f) {
    leg.recorded.push_back({poses.position(f, foot.heel), poses.position(f, foot.toe)});
  }
  leg.knee_axis = knee_axes(poses, foot, rate);
  leg.planted = contacts_of(foot, contacts.planted);
  leg.let_go.assign(poses.frames, 0);
  close_gaps(leg.planted, leg.recorded, {.rate = rate, .max_wander = options.max_wander});
  leg.foot_limit = kCalm * std::max(largest_jump(poses, foot.heel), largest_jump(poses, foot.toe));
  leg.knee_limit = knee_limit_of(poses, leg.foot, leg.foot_limit);
  return leg;
}

bool is_held(const Leg& leg, std::size_t frame) {
  return !leg.let_go[frame] && (leg.planted.heel[frame] || leg.planted.toe[frame]);
}

/// 1 in frames in which the foot is told to stand, held or not.
std::vector<std::uint8_t> planted_frames(const Leg& leg) {
  std::vector<std::uint8_t> planted(leg.recorded.size());
  for (std::size_t f = 0; f < planted.size(); ++f) planted[f] = leg.planted.heel[f] || leg.planted.toe[f] ? 1 : 0;
  return planted;
}

/// The sole of a foot through the clip: the middles of its balls, seen from the heel as it was recorded.
struct SoleTrack {
  std::span<const motion::SoleBall> balls;
  std::vector<Vec3> middles;  ///< frames × balls
};

SoleTrack track_sole(const Leg& leg, const motion::WorldPoses& poses, const motion::Soles& soles) {
  SoleTrack sole;
  sole.balls = soles.feet[leg.foot.heel_part / 2];
  sole.middles.reserve(poses.frames * sole.balls.size());
  for (std::size_t f = 0; f < poses.frames; ++f) {
    for (const motion::SoleBall& ball : sole.balls) {
      const auto joint = static_cast<std::size_t>(ball.joint);
      const Vec3 middle = poses.position(f, joint) + rotate(poses.rotation(f, joint), ball.offset);
      sole.middles.push_back(middle - leg.recorded[f].heel);
    }
  }
  return sole;
}

/// Heights above the floor of the lowest points of a foot's sole where the foot is to be along `path`, metres.
std::vector<float> soles_of(const Leg& leg, std::span<const FootPlace> path, const SoleTrack& sole,
                            const motion::Floor& ground) {
  std::vector<float> heights(path.size(), 1e9f);
  for (std::size_t f = 0; f < path.size(); ++f) {
    const Quat turn = foot_turn(leg.recorded[f], path[f]);
    for (std::size_t n = 0; n < sole.balls.size(); ++n) {
      const Vec3 there = path[f].heel + rotate(turn, sole.middles[f * sole.balls.size() + n]);
      heights[f] = std::min(heights[f], there.y - sole.balls[n].radius - ground.at(there));
    }
  }
  return heights;
}

/// The same as the foot was recorded, but no deeper than `deepest`.
std::vector<float> own_soles_of(const Leg& leg, const SoleTrack& sole, const motion::Floor& ground, float deepest) {
  std::vector<float> heights = soles_of(leg, leg.recorded, sole, ground);
  for (float& height : heights) height = std::max(height, -deepest);
  return heights;
}

/// How low toes may come: to the floor, or as low as the recording has the foot.
std::vector<float> toe_floor_of(const Leg& leg, const SoleTrack& sole, const motion::Floor& ground, float deepest) {
  std::vector<float> lowest = own_soles_of(leg, sole, ground, deepest);
  for (std::size_t f = 0; f < lowest.size(); ++f) {
    lowest[f] = std::min(lowest[f], 0.0f) + ground.at(leg.recorded[f].toe);
  }
  return lowest;
}

/// Feet near the floor turn no faster than feet do.
void keep_from_spinning(Leg& leg, std::span<const float> heights, double rate) {
  for (std::size_t f = 1; f < heights.size(); ++f) {
    if (heights[f] > kNearFloor) continue;
    const bool toe = is_held(leg, f) && leg.planted.toe[f], heel = is_held(leg, f) && leg.planted.heel[f];
    const float share = toe == heel ? 0.5f : (toe ? 1.0f : 0.0f);
    limit_turn(leg.wanted[f], leg.wanted[f - 1].toe - leg.wanted[f - 1].heel, kFastestTurn / static_cast<float>(rate),
               share);
  }
}

/// Keeps both feet from spinning on the floor, from being drawn over it and from going through it. The floor is where
/// their soles stand: a few millimetres from where the contacts have it, as joints are put at the heights they rest at
/// on average.
void keep_off_the_floor(std::array<Leg, 2>& legs, const std::array<SoleTrack, 2>& soles, const motion::Floor& ground,
                        double rate, float deepest) {
  std::vector<float> all;
  std::vector<std::uint8_t> standing;
  for (std::size_t side = 0; side < 2; ++side) {
    Leg& leg = legs[side];
    keep_from_spinning(leg, soles_of(leg, leg.wanted, soles[side], ground), rate);
    const std::vector<float> heights = soles_of(leg, leg.wanted, soles[side], ground);
    all.insert(all.end(), heights.begin(), heights.end());
    standing.insert(standing.end(), leg.planted.toe.begin(), leg.planted.toe.end());
  }
  const float stood_at = standing_height(all, standing);
  motion::Floor stood_on = ground;
  stood_on.height += stood_at;
  for (float& height : all) height -= stood_at;
  for (std::size_t side = 0; side < 2; ++side) {
    Leg& leg = legs[side];
    const std::size_t frames = leg.wanted.size();
    lift_drags(leg.wanted, std::span(all).subspan(side * frames, frames), planted_frames(leg), rate);
    lift_sunken_soles(leg.wanted, soles_of(leg, leg.wanted, soles[side], stood_on),
                      own_soles_of(leg, soles[side], stood_on, deepest));
  }
}

/// What the root has to know of a leg.
std::vector<LegReach> reaches(const Leg& leg, const motion::WorldPoses& poses) {
  std::vector<LegReach> reach(poses.frames);
  for (std::size_t f = 0; f < poses.frames; ++f) {
    const Vec3 hip = poses.position(f, static_cast<std::size_t>(leg.foot.leg.upper));
    const Vec3 ankle = poses.position(f, static_cast<std::size_t>(leg.foot.leg.end));
    const Vec3 target = ankle_target(ankle, leg.recorded[f], leg.wanted[f]);
    reach[f] = {leg.foot.thigh, leg.foot.shank, hip, ankle, target, is_held(leg, f)};
  }
  return reach;
}

/// The clip with its root shifted and its feet where they are wanted.
motion::Clip place_feet(const motion::Clip& clip, std::span<const Leg> legs, std::span<const Vec3> shift) {
  motion::Clip out = clip;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    out.roots[f] += shift[f];
    for (const Leg& leg : legs) {
      const FootPlace now{leg.recorded[f].heel + shift[f], leg.recorded[f].toe + shift[f]};
      place_foot(*clip.skeleton, leg.foot, out.roots[f], out.pose(f), leg.knee_axis[f], now, leg.wanted[f]);
      if (leg.toe_floor.empty()) continue;
      raise_toes(*clip.skeleton, leg.foot, leg.sole, leg.toe_floor[f], out.roots[f], out.pose(f));
    }
  }
  return out;
}

/// Lets the foot go around the frames in which its leg jumps too far; false when there is nothing to let go.
bool let_go_of_jumps(Leg& leg, const motion::WorldPoses& poses, std::size_t reach) {
  const auto knee = static_cast<std::size_t>(leg.foot.leg.middle);
  bool any = false;
  for (std::size_t f = 1; f + 1 < poses.frames; ++f) {
    const bool jumps = jump_at(poses, leg.foot.heel, f) > leg.foot_limit ||
                       jump_at(poses, leg.foot.toe, f) > leg.foot_limit || jump_at(poses, knee, f) > leg.knee_limit;
    if (!jumps) continue;
    for (std::size_t g = f - std::min(f, reach); g <= std::min(f + reach, poses.frames - 1); ++g) {
      any = any || is_held(leg, g);
      leg.let_go[g] = 1;
    }
  }
  return any;
}

}  // namespace

Result<motion::Clip> plant_feet(const motion::Clip& clip, const motion::Contacts& contacts,
                                const FootPlantOptions& options) {
  const auto feet = find_feet(*clip.skeleton);
  if (!feet) return fail_from(feet);
  if (contacts.planted.size() != clip.frames()) {
    return fail("the contacts have " + std::to_string(contacts.planted.size()) + " frames, the clip '" + clip.name +
                "' has " + std::to_string(clip.frames()));
  }
  if (clip.frames() == 0) return clip;

  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  const motion::Soles soles = motion::find_soles(*clip.skeleton);
  std::array<Leg, 2> legs;
  for (std::size_t side = 0; side < 2; ++side) legs[side] = make_leg((*feet)[side], clip, poses, contacts, options);
  std::array<SoleTrack, 2> tracks;
  for (std::size_t side = 0; side < 2 && soles.known(); ++side) {
    tracks[side] = track_sole(legs[side], poses, soles);
    legs[side].sole = soles.feet[side];
    legs[side].toe_floor = toe_floor_of(legs[side], tracks[side], contacts.ground, options.deepest);
  }
  motion::Clip out;
  for (std::size_t round = 0; round < kMostRounds; ++round) {
    std::array<std::vector<LegReach>, 2> reach;
    for (std::size_t side = 0; side < 2; ++side) {
      Leg& leg = legs[side];
      leg.wanted = plan_foot_path(leg.foot, leg.recorded, leg.planted, leg.let_go, contacts, clip.rate, options);
    }
    if (soles.known()) keep_off_the_floor(legs, tracks, contacts.ground, clip.rate, options.deepest);
    for (std::size_t side = 0; side < 2; ++side) reach[side] = reaches(legs[side], poses);
    out = place_feet(clip, legs, plan_root_shift(reach, options.root_seconds * clip.rate));
    const motion::WorldPoses placed = motion::forward_kinematics(out);
    const std::size_t around = 1 + round / 3;
    const bool left = let_go_of_jumps(legs[0], placed, around), right = let_go_of_jumps(legs[1], placed, around);
    if (!left && !right) break;
  }
  return out;
}

Result<void> plant_feet(motion::Recording& recording, const FootPlantOptions& options) {
  auto planted = plant_feet(recording.clip, recording.contacts, options);
  if (!planted) return fail_from(planted);
  recording.clip = std::move(*planted);
  return {};
}

}  // namespace loom::polish
