// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include <loom/base/whole.h>
#include <loom/character/role_tree.h>
#include <loom/character/transfer.h>
#include <loom/motion/inverse_kinematics.h>
#include <loom/motion/kinematics.h>

namespace loom::character {
namespace {

// A heel that is this much higher than the ball, of the foot's length, has the foot roll over the ball; and so for the
// ball over the heel. Between, the two are the same to the millimetre.
constexpr float kRolls = 0.15f;

// Heights of a foot, of the leg's length, at which it carries a quarter of what it carries on the floor.
constexpr float kCarries = 0.2f;
// Hips that are wide for their legs keep at least this share of the source's tilt.
constexpr float kLeastTilt = 0.4f;
// The sine of a leg's slope from hip to ankle: at the one it lies and carries nothing, from the other on it stands.
constexpr float kLies = 0.25f, kStandsUpright = 0.7f;
// Of the leg's length: of a foot that the floor raises by so much the hips follow the half. What is far below the floor
// for a frame is a fault of the foot, for which the knee bends and not the whole body leaps.
constexpr float kFootsFault = 0.04f;
// How firmly hips stay where scaling has them, against legs that carry.
constexpr float kFirmHips = 0.02f;
constexpr int kHipRounds = 3;
// Shares of a leg's length: from the one on hips move to make it as straight as the source's, from the other wholly.
constexpr float kBent = 0.7f, kStraight = 0.95f;

// From this share of its length on a leg approaches straightness, and from the second at the latest where the source
// has it straighter: a knee that is all but straight turns by degrees for every millimetre of the ankle, and would pop.
constexpr float kSoftenFrom = 0.985f, kSoftenBy = 0.99f;

// How much the way a knee is built counts beside the sine of the angle it is bent by.
constexpr float kBuiltShare = 0.2f;
// Of the leg's length: soles that are less deep below the floor are put onto it.
constexpr float kFloorNoise = 0.4f;
// Height of a sole, of the leg's length, at which its foot is bound to its place by a quarter.
constexpr float kHeld = 0.3f;

// Of the arm's length: from this distance to what it touches on a hand is drawn to it, and at this it stays wholly.
constexpr float kTouchFrom = 0.5f, kTouches = 0.22f;
// How straight an arm becomes at most when it reaches for something.
constexpr float kArmSoftenFrom = 0.96f;

// Radians by which a foot is turned at most to keep its ball above the floor, and as a share of how far from straight
// below its ankle the ball is: there it could as well turn to any side.
constexpr float kMostSole = 60 * kDegree, kSoleShare = 0.6f;
// Of the leg's length: hands and elbows that touch the floor are so high at most, and hands that are lower than the
// second are drawn to the height of the source's.
constexpr float kThickArm = 0.05f, kHandFrom = 0.2f;
// Of the leg's length: a hand that is so much higher than the source's is drawn half of the way to the floor.
constexpr float kHandDrawn = 0.2f;
// Of the leg's length: so much of what is below the floor is left there, so that bodies come to lie smoothly.
constexpr float kEase = 0.006f;
constexpr int kLiftRounds = 4;
// Radians by which toes are bent at most to stay above the floor.
constexpr float kMostToes = 70 * kDegree;

// Twist joints that are no nearer to either end of their bone lie where they lie; others are spread evenly.
constexpr float kAtEnd = 0.05f;

Role role_on_side(Role left, std::size_t side) { return static_cast<Role>(static_cast<std::size_t>(left) + side); }

/// The joint that has the role, or the nearest inwards that is there.
int nearest(const HumanBody& body, Role role) {
  while (body.of(role) < 0 && role != Role::kHips) role = *parent_of(role);
  return body.of(role);
}

bool hangs_below(const motion::Skeleton& skeleton, int above, int joint) {
  while (joint > above) joint = skeleton.joint(index(joint)).parent;
  return joint == above;
}

/// Hips that are wider for their legs than the source's lift a leg further in the same tilt, which no knee can follow
/// smoothly. Tilts them so that the height of one hip joint over the other, `across` in the source, is scaled as the
/// legs are; what lies on its side stays as it lies. Spine and thighs keep their turns in the world.
void level_hips(const HumanBody& body, Vec3 across, float scale, std::span<Quat> to) {
  const motion::Skeleton& skeleton = *body.skeleton;
  const int hips = body.of(Role::kHips);
  const auto place = [&](Role role) { return motion::joint_frame(skeleton, body.of(role), {}, to).position; };
  const Vec3 ours = place(Role::kLeftThigh) - place(Role::kRightThigh);
  const float width = length(ours);
  if (width < 1e-6f) return;
  const float share = std::clamp(scale * length(across) / width, kLeastTilt, 1.0f), tilt = ours.y / width;
  const float wanted = tilt * std::lerp(share, 1.0f, tilt * tilt);
  const Vec3 level = normalized(Vec3{ours.x, 0, ours.z}) * std::sqrt(std::max(0.0f, 1 - wanted * wanted));
  const Quat turn = rotation_between(ours / width, level + Vec3{0, wanted, 0});
  const motion::JointFrame frame = motion::joint_frame(skeleton, hips, {}, to);
  const Quat local = conjugate(frame.rotation) * turn * frame.rotation;
  to[index(hips)] = normalized(to[index(hips)] * local);
  const auto keep = [&](int joint) {
    if (joint >= 0 && skeleton.joint(index(joint)).parent == hips)
      to[index(joint)] = normalized(conjugate(local) * to[index(joint)]);
  };
  keep(body.of(Role::kLeftThigh));
  keep(body.of(Role::kRightThigh));
  if (!body.trunk.empty()) keep(body.trunk.front());
}

/// By how much `way` slopes down, radians.
float slope_below(Vec3 way) { return std::asin(std::clamp(-way.y / std::max(length(way), 1e-6f), -1.0f, 1.0f)); }

/// By how much a foot turns at most for its ball, which is there from the ankle, to be on the floor, radians.
float most_turn(Vec3 ball) { return std::min(kSoleShare * (kPi / 2 - slope_below(ball)), kMostSole); }

/// A turn by `share` of `q`.
Quat part_of(Quat q, float share) { return slerp({}, q, share); }

}  // namespace

Transfer Transfer::between(const HumanBody& from, const HumanBody& to, const TransferOptions& options) {
  return Transfer(from, to, options);
}

Transfer::Transfer(HumanBody from, HumanBody to, const TransferOptions& options)
    : from_(std::move(from)), to_(std::move(to)), options_(options) {
  const float theirs = from_.leg[0] + from_.leg[1], ours = to_.leg[0] + to_.leg[1];
  if (theirs > 1e-6f && ours > 1e-6f) scale_ = ours / theirs;
  from_positions_.resize(from_.skeleton->point_count());
  from_world_.resize(from_.skeleton->size());
  to_positions_.resize(to_.skeleton->point_count());
  to_world_.resize(to_.skeleton->size());
  const std::vector<Vec3> rest = motion::rest_positions(*to_.skeleton);
  const Vec3 middle = (rest[index(to_.of(Role::kLeftThigh))] + rest[index(to_.of(Role::kRightThigh))]) * 0.5f;
  hips_to_middle_ = middle - rest[index(to_.of(Role::kHips))];
  add_drives();
  add_twists();
  add_legs();
  add_arms();
  add_rests();
}

void Transfer::add_drive(int joint, int a, int b, float share) {
  drives_.push_back(
      {joint, a, b, share, from_.frames[index(a)], from_.frames[index(b)], conjugate(to_.frames[index(joint)])});
}

/// The joints of a trunk or neck: as many as there are, between the two they hang between. Chains of the same length
/// have each joint's own turn; others share, the lowest and the highest keeping theirs.
void Transfer::add_chain(const std::vector<int>& chain, const std::vector<int>& source, int below, int above) {
  std::vector<int> stops{below};
  stops.insert(stops.end(), source.begin(), source.end());
  if (above >= 0) stops.push_back(above);
  const auto count = static_cast<float>(chain.size());
  for (std::size_t k = 0; k < chain.size(); ++k) {
    float where = 0;  // among stops
    if (chain.size() == source.size()) {
      where = static_cast<float>(k + 1);
    } else if (above < 0 && source.size() > 1 && chain.size() > 1) {
      where = 1 + static_cast<float>(k) * static_cast<float>(source.size() - 1) / (count - 1);
    } else if (above < 0) {
      where = static_cast<float>(source.size()) * static_cast<float>(k + 1) / count;
    } else {
      where = static_cast<float>(source.size() + 1) * static_cast<float>(k + 1) / (count + 1);
    }
    const auto first = std::min(static_cast<std::size_t>(where), stops.size() - 1);
    const std::size_t second = std::min(first + 1, stops.size() - 1);
    add_drive(chain[k], stops[first], stops[second], where - static_cast<float>(first));
  }
}

void Transfer::add_drives() {
  const int hips = from_.of(Role::kHips);
  add_drive(to_.of(Role::kHips), hips, hips, 0);
  // What is above the hips goes as what is above the source's, or with the hips: no root is left behind.
  const int above = from_.skeleton->joint(index(hips)).parent < 0 ? hips : 0;
  for (int j = to_.skeleton->joint(index(to_.of(Role::kHips))).parent; j >= 0;
       j = to_.skeleton->joint(index(j)).parent) {
    add_drive(j, above, above, 0);
  }
  add_chain(to_.trunk, from_.trunk, hips, -1);
  const int top = from_.trunk.empty() ? hips : from_.trunk.back(), head = nearest(from_, Role::kHead);
  add_chain(to_.neck, from_.neck, top, from_.of(Role::kHead) >= 0 ? head : -1);
  if (to_.of(Role::kHead) >= 0) add_drive(to_.of(Role::kHead), head, head, 0);
  for (std::size_t r = static_cast<std::size_t>(Role::kLeftShoulder); r < kRoles; ++r) {
    if (to_.joints[r] < 0) continue;
    const int source = nearest(from_, static_cast<Role>(r));
    add_drive(to_.joints[r], source, source, 0);
  }
  std::sort(drives_.begin(), drives_.end(), [](const Drive& a, const Drive& b) { return a.joint < b.joint; });
}

void Transfer::add_twists() {
  const motion::Skeleton& skeleton = *to_.skeleton;
  const std::vector<Vec3> rest = motion::rest_positions(skeleton);
  for (const TwistJoint& twist : to_.twists) {
    const bool lower = twist.of == Role::kLeftForearm || twist.of == Role::kRightForearm ||
                       twist.of == Role::kLeftShin || twist.of == Role::kRightShin;
    const int bone = to_.of(twist.of), end = to_.of(static_cast<Role>(static_cast<int>(twist.of) + 2));
    if (bone < 0 || end < 0) continue;
    bool on_the_way = false;
    for (int j = end; j >= 0; j = skeleton.joint(index(j)).parent) on_the_way = on_the_way || j == twist.joint;
    // A joint within an upper arm hands the arm's own turn on; one beside it takes back what the shoulder has not.
    if (!lower && (on_the_way || skeleton.joint(index(bone)).parent < 0)) continue;
    const Vec3 way = rest[index(end)] - rest[index(bone)];
    float share = dot(rest[index(twist.joint)] - rest[index(bone)], way) / std::max(dot(way, way), 1e-9f);
    if (!(share > kAtEnd && share < 1 - kAtEnd)) {
      float before = 1, all = 1;
      for (const TwistJoint& other : to_.twists) {
        all += other.of == twist.of ? 1.0f : 0.0f;
        before += other.of == twist.of && other.joint < twist.joint ? 1.0f : 0.0f;
      }
      share = before / all;
    }
    const int other = lower ? end : skeleton.joint(index(bone)).parent;
    twists_.push_back({twist.joint, bone, other, normalized(way), share});
  }
  std::vector<bool> changed(skeleton.size(), false);
  for (const Twist& twist : twists_) changed[index(twist.joint)] = true;
  for (std::size_t j = 1; j < skeleton.size(); ++j) {
    if (changed[j] || changed[index(skeleton.joint(j).parent)]) after_twists_.push_back(static_cast<int>(j));
  }
}

void Transfer::add_legs() {
  for (std::size_t side = 0; side < 2; ++side) {
    Leg& leg = legs_[side];
    const auto limb = [&](const HumanBody& body) {
      return motion::Limb{body.of(role_on_side(Role::kLeftThigh, side)), body.of(role_on_side(Role::kLeftShin, side)),
                          body.of(role_on_side(Role::kLeftFoot, side)), body.of(role_on_side(Role::kLeftToe, side))};
    };
    leg.from = limb(from_);
    leg.to = limb(to_);
    leg.bends = options_.feet && leg.from.end >= 0 && leg.from.middle >= 0 && to_.has_foot[side];
    leg.from_foot = from_.feet[side];
    leg.to_foot = to_.feet[side];
    leg.from_length = from_.leg[side];
    leg.to_length = to_.leg[side];
    leg.longer = (leg.to_foot.ball - leg.to_foot.heel) - scale_ * (leg.from_foot.ball - leg.from_foot.heel);
    leg.longer.y = 0;
    leg.bends = leg.bends && leg.from_length > 1e-6f && leg.to_length > 1e-6f;
  }
}

void Transfer::add_touched(int from_a, int from_b, int to_a, int to_b, float scale) {
  if (from_a < 0 || from_b < 0 || to_a < 0 || to_b < 0) return;
  touched_.push_back({from_a, from_b, to_a, to_b, scale});
}

/// What may come down to the floor besides feet and arms, and how thick it is: what lies has its joints so high at
/// most.
void Transfer::add_rests() {
  for (const auto& [role, thick] : {std::pair{Role::kHips, 0.16f},
                                    {Role::kLeftThigh, 0.13f},
                                    {Role::kRightThigh, 0.13f},
                                    {Role::kLeftShin, 0.07f},
                                    {Role::kRightShin, 0.07f},
                                    {Role::kChest, 0.15f},
                                    {Role::kLeftUpperArm, 0.1f},
                                    {Role::kRightUpperArm, 0.1f},
                                    {Role::kHead, 0.1f}}) {
    if (from_.of(role) >= 0 && to_.of(role) >= 0) rests_.push_back({from_.of(role), to_.of(role), thick * to_.leg[0]});
  }
}

/// What hands touch of their own body: head, trunk, upper arms and thighs. How thick these are nobody knows of a
/// skeleton alone; they are taken to be as wide as shoulders and hips are apart.
void Transfer::add_arms() {
  for (std::size_t side = 0; side < 2; ++side) {
    Arm& arm = arms_[side];
    const auto limb = [&](const HumanBody& body) {
      return motion::Limb{body.of(role_on_side(Role::kLeftUpperArm, side)),
                          body.of(role_on_side(Role::kLeftForearm, side)), body.of(role_on_side(Role::kLeftHand, side)),
                          -1};
    };
    arm.from = limb(from_);
    arm.to = limb(to_);
    if (arm.from.middle < 0 || arm.from.end < 0 || arm.to.middle < 0 || arm.to.end < 0) continue;
    const auto reach = [](const HumanBody& body, const motion::Limb& of) {
      const std::vector<Vec3> rest = motion::rest_positions(*body.skeleton);
      return distance(rest[index(of.upper)], rest[index(of.middle)]) +
             distance(rest[index(of.middle)], rest[index(of.end)]);
    };
    arm.from_length = reach(from_, arm.from);
    arm.to_length = reach(to_, arm.to);
    arm.bends = arm.from_length > 1e-6f && arm.to_length > 1e-6f &&
                hangs_below(*to_.skeleton, arm.to.upper, arm.to.middle) &&
                hangs_below(*to_.skeleton, arm.to.middle, arm.to.end);
  }
  const auto width = [](const HumanBody& body, Role left) {
    const std::vector<Vec3> rest = motion::rest_positions(*body.skeleton);
    return std::max(distance(rest[index(body.of(left))], rest[index(body.of(role_on_side(left, 1)))]), 1e-6f);
  };
  const float shoulders = width(to_, Role::kLeftUpperArm) / width(from_, Role::kLeftUpperArm),
              hips = width(to_, Role::kLeftThigh) / width(from_, Role::kLeftThigh);
  const int from_top = nearest(from_, Role::kChest), to_top = nearest(to_, Role::kChest);
  add_touched(from_.of(Role::kHips), from_top, to_.of(Role::kHips), to_top, (shoulders + hips) / 2);
  add_touched(nearest(from_, Role::kNeck), from_.of(Role::kHead), nearest(to_, Role::kNeck), to_.of(Role::kHead),
              shoulders);
  for (std::size_t side = 0; side < 2; ++side) {
    const auto bone = [&](Role left, float scale) {
      const Role role = role_on_side(left, side), next = static_cast<Role>(static_cast<int>(role) + 2);
      add_touched(from_.of(role), from_.of(next), to_.of(role), to_.of(next), scale);
    };
    bone(Role::kLeftThigh, hips);
    bone(Role::kLeftUpperArm, shoulders);
  }
}

/// Draws hands to what they are near to in the source: to the same place on the line of that part, as far from it as
/// its own thickness wants. All of it fades with the distance, so that hands come and go smoothly; an arm never touches
/// its own upper arm.
void Transfer::place_hands(Vec3 to_root, std::span<Quat> to) {
  motion::forward_kinematics(*to_.skeleton, to_root, to, to_positions_, to_world_);
  std::array<Vec3, 2> wanted;
  std::array<float, 2> drawn{};
  const auto nearness = [](float distance, float arm) {
    return smoothstep((kTouchFrom - distance / arm) / (kTouchFrom - kTouches));
  };
  for (std::size_t side = 0; side < 2; ++side) {
    const Arm& arm = arms_[side];
    if (!arm.bends) continue;
    const Vec3 hand = from_positions_[index(arm.from.end)], made = to_positions_[index(arm.to.end)];
    Vec3 sum;
    float weights = 0, most = 0;
    const auto draw = [&](Vec3 place, float distance) {
      const float near = nearness(distance, arm.from_length);
      if (near <= 0) return;
      const float weight = near / std::max(distance * distance, 1e-4f);
      sum += place * weight;
      weights += weight;
      most = std::max(most, near);
    };
    for (const Touched& part : touched_) {
      if (part.from_a == arm.from.upper) continue;
      const Vec3 a = from_positions_[index(part.from_a)], b = from_positions_[index(part.from_b)];
      const float along = std::clamp(dot(hand - a, b - a) / std::max(dot(b - a, b - a), 1e-9f), 0.0f, 1.0f);
      const Vec3 off = hand - lerp(a, b, along);
      draw(lerp(to_positions_[index(part.to_a)], to_positions_[index(part.to_b)], along) + off * part.scale,
           length(off));
    }
    // The other hand, which comes half of the way.
    const Arm& other = arms_[1 - side];
    if (other.bends) {
      const Vec3 off = hand - from_positions_[index(other.from.end)];
      const Vec3 middle = (made + to_positions_[index(other.to.end)]) * 0.5f;
      draw(middle + off * (0.5f * arm.to_length / arm.from_length), length(off));
    }
    drawn[side] = most;
    wanted[side] = weights > 0 ? sum / weights : made;
  }
  for (std::size_t side = 0; side < 2; ++side) {
    const Arm& arm = arms_[side];
    if (!arm.bends || drawn[side] <= 0) continue;
    const Vec3 target = lerp(to_positions_[index(arm.to.end)], wanted[side], drawn[side]);
    motion::solve_two_bone(*to_.skeleton, arm.to, to_root, to, target, {.pole = {}, .soften_from = kArmSoftenFrom});
  }
}

Vec3 Transfer::on_target(Vec3 place) const {
  return {scale_ * place.x, scale_ * (place.y - options_.floor), scale_ * place.z};
}

/// Turns of all joints: in the world for what is driven, along with the parent for the rest.
void Transfer::turn_parts(std::span<Quat> to) {
  const motion::Skeleton& skeleton = *to_.skeleton;
  std::size_t next = 0;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    const int parent = skeleton.joint(j).parent;
    const Quat above = parent < 0 ? Quat{} : to_world_[index(parent)];
    to_world_[j] = above;
    to[j] = {};
    // Of several drives on a joint, which a map put right by hand may have, the last holds.
    for (; next < drives_.size() && index(drives_[next].joint) == j; ++next) {
      const Drive& drive = drives_[next];
      Quat part = from_world_[index(drive.a)] * drive.from_a;
      if (drive.share > 0) part = slerp(part, from_world_[index(drive.b)] * drive.from_b, drive.share);
      to_world_[j] = normalized(part * drive.to);
      to[j] = normalized(conjugate(above) * to_world_[j]);
    }
  }
}

/// The middle between the hip joints is carried over: hips themselves lie where their makers put them.
void Transfer::place_root(Vec3& to_root, std::span<const Quat> to) {
  const Vec3 source =
      (from_positions_[index(from_.of(Role::kLeftThigh))] + from_positions_[index(from_.of(Role::kRightThigh))]) * 0.5f;
  Vec3 middle = on_target(source);
  // Standing, the hips are as high as legs and feet are; lying, as low as scaled.
  const float standing = scale_ * from_.hip_height;
  if (standing > 1e-6f) {
    middle.y += (to_.hip_height - standing) * std::clamp(middle.y / standing, 0.0f, 1.0f);
  }
  const int hips = to_.of(Role::kHips);
  const motion::JointFrame frame = motion::joint_frame(*to_.skeleton, hips, {}, to);
  to_root = middle - rotate(frame.rotation, hips_to_middle_) - frame.position;
}

/// How firmly a foot is bound to its place: wholly on the floor, ever less above it.
float Transfer::hold_of(const Leg& leg) const {
  const std::size_t foot = index(leg.from.end);
  const Quat part = from_world_[foot] * from_.frames[foot];
  const float sole = from_positions_[foot].y - options_.floor +
                     std::min(rotate(part, leg.from_foot.heel).y, rotate(part, leg.from_foot.ball).y);
  const float height = std::max(sole, 0.0f) / (kHeld * leg.from_length);
  return 1 / ((1 + height * height) * (1 + height * height));
}

/// How high above its own sole the ankle has to be where the foot is turned by `part`: the heel is on the floor, also
/// where the foot turns for its ball to be (`level_sole`), since an ankle that is raised takes the knee along, and
/// capture has feet that dip for a frame or two. What that turn does not reach raises the ankle.
float Transfer::ankle_height(const Leg& leg, Quat part) {
  const Vec3 sole = leg.to_foot.ball - leg.to_foot.heel, ball = rotate(part, leg.to_foot.ball);
  const float flat = dot(cross(sole, leg.to_foot.heel), {1, 0, 0}) / std::max(std::hypot(sole.y, sole.z), 1e-6f);
  const float turned = length(ball) * std::sin(slope_below(ball) - most_turn(ball));
  return std::max({-rotate(part, leg.to_foot.heel).y, std::min(flat, -ball.y), std::min(turned, -ball.y)});
}

/// The height that something of the source has on the target. What sinks by centimetres is noise of the capture, or a
/// floor that is not level, and stays on the floor; what is deeper goes down steps.
float Transfer::on_floor(float height) const {
  if (height >= 0) return height;
  const float share = height / (kFloorNoise * (to_.leg[0] + to_.leg[1]) / 2), fourth = share * share * share * share;
  return height * fourth / (1 + fourth);
}

/// How high the floor is under a foot.
float Transfer::floor_under(const Leg& leg) const {
  const std::size_t foot = index(leg.from.end);
  const Quat part = from_world_[foot] * from_.frames[foot];
  const float sole = from_positions_[foot].y - options_.floor +
                     std::min(rotate(part, leg.from_foot.heel).y, rotate(part, leg.from_foot.ball).y);
  return std::min(on_floor(scale_ * sole), 0.0f);
}

/// Where the ankle of the target belongs, whatever the floor. A foot stands on its heel until it rolls over its ball;
/// in the air it is on the way from the one to the other.
Vec3 Transfer::ankle_of(const Leg& leg, float hold) const {
  const std::size_t foot = index(leg.from.end);
  const Quat part = from_world_[foot] * from_.frames[foot];
  const Vec3 ankle = from_positions_[foot];
  const Vec3 heel = ankle + rotate(part, leg.from_foot.heel), ball = ankle + rotate(part, leg.from_foot.ball);
  const Vec3 over_heel = on_target(heel) - rotate(part, leg.to_foot.heel);
  // The ball stands where it came to stand on the floor, which on a longer foot is further ahead.
  // Where the foot points, also where it stands upright on its tip.
  const Vec3 along = rotate(part, {0, 0, 1}), ahead = along - rotate(part, {0, 1, 0}) * along.y;
  const Vec3 flat = normalized(Vec3{ahead.x, 0, ahead.z}, {0, 0, 1});
  const Vec3 longer = flat * leg.longer.z + cross({0, 1, 0}, flat) * leg.longer.x;
  const Vec3 over_ball = on_target(ball) + longer - rotate(part, leg.to_foot.ball);
  const float raised = (heel.y - ball.y) / std::max(distance(leg.from_foot.heel, leg.from_foot.ball), 1e-6f);
  return lerp(over_heel, over_ball, 0.5f + hold * (smoothstep(0.5f + raised / (2 * kRolls)) - 0.5f));
}

/// A foot in the air need not be where the source's is: there the leg is rather as straight as the source's, so that a
/// knee that is nearly stretched does not pop. Its sole stays above the floor.
Vec3 Transfer::eased(const Leg& leg, Vec3 ankle, Vec3 hip, float wanted, float hold) const {
  const Vec3 along = ankle - hip;
  const float now = length(along);
  if (now < 1e-6f) return ankle;
  Vec3 target = hip + along * (std::lerp(wanted, now, hold) / now);
  const std::size_t foot = index(leg.from.end);
  const Quat part = from_world_[foot] * from_.frames[foot];
  target.y = std::max(target.y, std::min(ankle.y, ankle_height(leg, part)));
  return target;
}

/// What a knee bends about, in the frame of the thigh: its own axis where it is well bent, across the thigh as knees
/// are built where it is straight, so that it never turns to the side.
Vec3 Transfer::knee_axis(const Leg& leg, Vec3 to_root, std::span<const Quat> to) const {
  const motion::JointFrame hip = motion::joint_frame(*to_.skeleton, leg.to.upper, to_root, to),
                           knee = motion::joint_frame(*to_.skeleton, leg.to.middle, to_root, to),
                           ankle = motion::joint_frame(*to_.skeleton, leg.to.end, to_root, to);
  const Vec3 built = rotate(to_.frames[index(leg.to.upper)], {1, 0, 0});
  const Vec3 bent = rotate(conjugate(hip.rotation),
                           cross(normalized(knee.position - hip.position), normalized(ankle.position - knee.position)));
  const float forward = dot(bent, built);
  return normalized((forward < 0 ? bent - built * forward : bent) + built * kBuiltShare, built);
}

/// Where the feet of the pose belong, and how much they carry.
void Transfer::find_feet(Vec3 to_root, std::span<const Quat> to) {
  for (std::size_t side = 0; side < 2; ++side) {
    const Leg& leg = legs_[side];
    if (!leg.bends) continue;
    Foot& foot = placed_[side];
    const std::size_t end = index(leg.from.end);
    foot.hold = hold_of(leg);
    foot.scaled = on_target(from_positions_[end]);
    foot.ankle = ankle_of(leg, foot.hold);
    foot.least = floor_under(leg) + ankle_height(leg, from_world_[end] * from_.frames[end]);
    foot.sunk = std::max(foot.least - foot.ankle.y, 0.0f);
    const float share = foot.sunk / (kFootsFault * leg.to_length);
    foot.followed = 1 / (1 + share * share);
    foot.ankle.y += foot.sunk;
    foot.hip = motion::joint_frame(*to_.skeleton, leg.to.upper, to_root, to).position;
    const Vec3 standing = from_positions_[index(leg.from.upper)] - from_positions_[end];
    foot.standing = standing.y * leg.to_length / leg.from_length;
    wanted_[side] = std::min(length(standing) / leg.from_length, 1.0f) * leg.to_length;
    const float height = std::max(foot.ankle.y + leg.to_foot.heel.y, 0.0f) / (kCarries * leg.to_length);
    // A leg that lies carries nobody: to make it longer hips would have to go up and down by leaps.
    const float upright = standing.y / std::max(length(standing), 1e-6f);
    foot.carries =
        smoothstep((upright - kLies) / (kStandsUpright - kLies)) / ((1 + height * height) * (1 + height * height));
  }
}

/// An ankle that is corrected so; never so low that the sole is below the floor.
Vec3 Transfer::ankle_at(const Foot& foot, Vec3 correction) {
  Vec3 ankle = foot.scaled + correction;
  ankle.y = std::max(ankle.y, foot.least);
  return ankle;
}

float Transfer::lift_for(const std::array<Vec3, 2>& ankles) const {
  // Hips are first as high above the ankles as the source's: that is as smooth as the source, also where somebody
  // squats. Then legs that are all but straight, and spread by wider hips or longer feet, become as straight as the
  // source's.
  float lift = 0;
  for (int round = 0; round < kHipRounds; ++round) {
    float pull = 0, firm = kFirmHips;
    for (std::size_t side = 0; side < 2; ++side) {
      if (!legs_[side].bends) continue;
      const Foot& foot = placed_[side];
      const Vec3 ankle = ankle_at(foot, ankles[side]), along = foot.hip + Vec3{0, lift, 0} - ankle;
      const float now = std::max(length(along), 1e-6f), up = round == 0 ? 1 : along.y / now;
      const float near = smoothstep((wanted_[side] / legs_[side].to_length - kBent) / (kStraight - kBent));
      const float rise = ankle.y - (1 - foot.followed) * foot.sunk + foot.standing - foot.hip.y;
      pull += foot.carries * up * (round == 0 ? rise : foot.followed * near * (wanted_[side] - now));
      firm += foot.carries * up * up;
    }
    lift += pull / firm;
  }
  return lift;
}

void Transfer::place_feet(Vec3 to_root, std::span<Quat> to) {
  for (std::size_t side = 0; side < 2; ++side) {
    const Leg& leg = legs_[side];
    if (!leg.bends) continue;
    const Vec3 hip = motion::joint_frame(*to_.skeleton, leg.to.upper, to_root, to).position;
    ankles_[side] = eased(leg, ankles_[side], hip, wanted_[side], placed_[side].hold);
    bend_leg(side, to_root, to);
  }
}

/// Bends a leg to its ankle.
void Transfer::bend_leg(std::size_t side, Vec3 to_root, std::span<Quat> to) const {
  const Leg& leg = legs_[side];
  const Vec3 axis = knee_axis(leg, to_root, to);
  const motion::JointFrame hip = motion::joint_frame(*to_.skeleton, leg.to.upper, to_root, to);
  const motion::TwoBoneOptions options{
      .pole = cross(ankles_[side] - hip.position, rotate(hip.rotation, axis)),
      .soften_from = std::max(kSoftenFrom, std::min(wanted_[side] / leg.to_length, kSoftenBy)),
      .hinge = axis};
  motion::solve_two_bone(*to_.skeleton, leg.to, to_root, to, ankles_[side], options);
  level_sole(leg, to_root, to);
  raise_toes(leg, to_root, to);
}

/// A ball that is below the floor while the heel is not turns the foot.
void Transfer::level_sole(const Leg& leg, Vec3 to_root, std::span<Quat> to) const {
  const motion::JointFrame foot = motion::joint_frame(*to_.skeleton, leg.to.end, to_root, to);
  const Vec3 ball = rotate(foot.rotation * to_.frames[index(leg.to.end)], leg.to_foot.ball);
  const float floor = floor_under(leg), reach = length(ball);
  if (reach < 1e-4f || foot.position.y + ball.y >= floor) return;
  const float wanted = std::asin(std::clamp((floor - foot.position.y) / reach, -1.0f, 1.0f));
  const float turn = std::min(wanted + slope_below(ball), most_turn(ball));
  const Quat raise = axis_angle(normalized(cross(ball, {0, 1, 0}), {1, 0, 0}), turn);
  Quat& local = to[index(leg.to.end)];
  local = normalized(local * conjugate(foot.rotation) * raise * foot.rotation);
}

/// Toes that are longer than the source's bend on the floor instead of going through it.
void Transfer::raise_toes(const Leg& leg, Vec3 to_root, std::span<Quat> to) const {
  if (leg.to.tip < 0) return;
  const motion::JointFrame toe = motion::joint_frame(*to_.skeleton, leg.to.tip, to_root, to);
  const Vec3 tip = rotate(toe.rotation * to_.frames[index(leg.to.tip)], leg.to_foot.tip - leg.to_foot.toe);
  const float reach = length(tip);
  if (reach < 1e-4f || toe.position.y + tip.y >= 0) return;
  const float wanted = std::asin(std::clamp(-toe.position.y / reach, -1.0f, 1.0f));
  const float turn = std::min(wanted - std::asin(std::clamp(tip.y / reach, -1.0f, 1.0f)), kMostToes);
  const Quat raise = axis_angle(normalized(cross(tip, {0, 1, 0}), {1, 0, 0}), turn);
  Quat& local = to[index(leg.to.tip)];
  local = normalized(local * conjugate(toe.rotation) * raise * toe.rotation);
}

/// How far trunk, head and knees are below where they lie on the floor, metres, whichever is furthest: as high as the
/// source's, or as they are thick. Negative where all are above.
float Transfer::sunk() const {
  float most = -1;
  for (const Rest& rest : rests_) {
    const float theirs = on_floor(scale_ * (from_positions_[index(rest.from)].y - options_.floor));
    most = std::max(most, std::min(theirs, rest.thick) - to_positions_[index(rest.to)].y);
  }
  return most;
}

/// Lifts a body that kneels, sits, rolls or lies until nothing of it is below the floor. Feet on the floor stay there,
/// feet in the air go along. How far knees rise with the hips depends on the pose: the lift is looked for between two
/// that are too small and too large (regula falsi). It begins smoothly, so that a few millimetres are left. Returns the
/// lift, metres.
float Transfer::keep_above(Vec3& to_root, std::span<Quat> to) {
  const float stands = to_root.y;
  // Every lift begins with the legs as they were: bent again and again, knees would turn ever further aside.
  std::array<std::array<Quat, 4>, 2> were;
  const auto joints_of = [&](std::size_t side) {
    const motion::Limb& leg = legs_[side].to;
    return std::array<int, 4>{leg.upper, leg.middle, leg.end, leg.tip < 0 ? leg.end : leg.tip};
  };
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::size_t k = 0; k < 4 && legs_[side].bends; ++k) were[side][k] = to[index(joints_of(side)[k])];
  }
  const std::array<Vec3, 2> ankles = ankles_;
  const auto lifted = [&](float lift) {
    to_root.y = stands + lift;
    for (std::size_t side = 0; side < 2; ++side) {
      if (!legs_[side].bends) continue;
      ankles_[side].y = ankles[side].y + (1 - placed_[side].hold) * lift;
      for (std::size_t k = 0; k < 4; ++k) to[index(joints_of(side)[k])] = were[side][k];
      bend_leg(side, to_root, to);
    }
    motion::forward_kinematics(*to_.skeleton, to_root, to, to_positions_, to_world_);
    return sunk();
  };
  motion::forward_kinematics(*to_.skeleton, to_root, to, to_positions_, to_world_);
  float low = 0, high = 0, deep = sunk(), above = deep;
  const float at_first = deep;
  if (deep > 0) {
    for (int round = 0; round < kLiftRounds && above > 0; ++round) above = lifted(high += deep);
    for (int round = 0; round < kLiftRounds && above < 0; ++round) {
      const float middle = low + (high - low) * deep / (deep - above), now = lifted(middle);
      (now > 0 ? low : high) = middle;
      // The end that stays counts half (the Illinois way), so that both come near.
      if (now > 0)
        deep = now, above /= 2;
      else
        above = now, deep /= 2;
    }
    const float lift = above < 0 ? low + (high - low) * deep / (deep - above) : at_first, ease = kEase * to_.leg[0];
    lifted(lift < 2 * ease ? lift * lift / (4 * ease) : lift - ease);
  }
  for (std::size_t side = 0; side < 2; ++side) rest_arm(side, to_root, to);
  return to_root.y - stands;
}

/// An elbow that is below the floor is turned up about the shoulder; a hand near to the floor is as high above it as
/// the source's.
void Transfer::rest_arm(std::size_t side, Vec3 to_root, std::span<Quat> to) {
  const Arm& arm = arms_[side];
  if (!arm.bends) return;
  const auto theirs = [&](int joint) { return on_floor(scale_ * (from_positions_[index(joint)].y - options_.floor)); };
  const Vec3 shoulder = to_positions_[index(arm.to.upper)], bone = to_positions_[index(arm.to.middle)] - shoulder;
  Vec3 hand = to_positions_[index(arm.to.end)];
  const float elbow = std::min(theirs(arm.from.middle), kThickArm * to_.leg[0]), reach = length(bone);
  if (shoulder.y + bone.y < elbow && reach > 1e-4f) {
    const float wanted = std::asin(std::clamp((elbow - shoulder.y) / reach, -1.0f, 1.0f));
    const float turn = wanted - std::asin(std::clamp(bone.y / reach, -1.0f, 1.0f));
    const Quat raise = axis_angle(normalized(cross(bone, {0, 1, 0}), {1, 0, 0}), turn);
    const motion::JointFrame upper = motion::joint_frame(*to_.skeleton, arm.to.upper, to_root, to),
                             fore = motion::joint_frame(*to_.skeleton, arm.to.middle, to_root, to);
    Quat& local = to[index(arm.to.upper)];
    local = normalized(local * conjugate(upper.rotation) * raise * upper.rotation);
    // The forearm keeps its turn in the world.
    Quat& below = to[index(arm.to.middle)];
    below = normalized(below * conjugate(fore.rotation) * conjugate(raise) * fore.rotation);
    hand = motion::joint_frame(*to_.skeleton, arm.to.end, to_root, to).position;
  }
  const float height = theirs(arm.from.end);
  // A hand far above the source's, on shorter arms or a body that was lifted, is not drawn to the floor: it would be
  // let go again within a frame.
  const float drawn = std::max(hand.y - height, 0.0f) / (kHandDrawn * to_.leg[0]), squared = drawn * drawn;
  const float near =
      smoothstep((kHandFrom * to_.leg[0] - height) / ((kHandFrom - kThickArm) * to_.leg[0])) / (1 + squared * squared);
  const float above = std::max(std::lerp(hand.y, height, near), std::min(height, kThickArm * to_.leg[0]));
  if (std::abs(above - hand.y) < 1e-4f * to_.leg[0]) return;
  motion::solve_two_bone(*to_.skeleton, arm.to, to_root, to, {hand.x, above, hand.z},
                         {.pole = {}, .soften_from = kArmSoftenFrom});
}

void Transfer::share_twists(std::span<Quat> to) {
  if (twists_.empty()) return;
  const motion::Skeleton& skeleton = *to_.skeleton;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    const int parent = skeleton.joint(j).parent;
    to_world_[j] = parent < 0 ? to[j] : to_world_[index(parent)] * to[j];
  }
  for (const Twist& twist : twists_) {
    const Quat bone = to_world_[index(twist.bone)], other = to_world_[index(twist.other)];
    const bool outwards = twist.other > twist.bone;
    const Quat turn = outwards ? twist_about(normalized(conjugate(bone) * other), twist.axis)
                               : conjugate(twist_about(normalized(conjugate(other) * bone), twist.axis));
    to_world_[index(twist.joint)] = normalized(bone * part_of(turn, outwards ? twist.share : 1 - twist.share));
  }
  for (const int j : after_twists_) {
    to[index(j)] = normalized(conjugate(to_world_[index(skeleton.joint(index(j)).parent)]) * to_world_[index(j)]);
  }
}

Transfer::Corrections Transfer::begin(Vec3 root, std::span<const Quat> rotations, Vec3& to_root, std::span<Quat> to) {
  motion::forward_kinematics(*from_.skeleton, root, rotations, from_positions_, from_world_);
  turn_parts(to);
  if (legs_[0].bends && legs_[1].bends) {
    level_hips(to_, from_positions_[index(legs_[0].from.upper)] - from_positions_[index(legs_[1].from.upper)], scale_,
               to);
  }
  place_root(to_root, to);
  Corrections wanted;
  if (!options_.feet) return wanted;
  find_feet(to_root, to);
  // What is a fault of the foot is left to the floor (`ankle_at`), and no other pose has to make ready for it.
  for (std::size_t side = 0; side < 2; ++side) {
    const Foot& foot = placed_[side];
    wanted.ankles[side] = foot.ankle - foot.scaled - Vec3{0, (1 - foot.followed) * foot.sunk, 0};
  }
  wanted.lift = lift_for(wanted.ankles);
  return wanted;
}

float Transfer::finish(const Corrections& corrections, Vec3& to_root, std::span<Quat> to) {
  float by_floor = 0;
  if (options_.feet) {
    to_root.y += corrections.lift + corrections.floor;
    for (std::size_t side = 0; side < 2; ++side) {
      ankles_[side] = ankle_at(placed_[side], corrections.ankles[side]);
      ankles_[side].y += (1 - placed_[side].hold) * corrections.floor;
    }
    place_feet(to_root, to);
    by_floor = keep_above(to_root, to);
  }
  if (options_.hands) place_hands(to_root, to);
  share_twists(to);
  return by_floor;
}

void Transfer::apply(Vec3 root, std::span<const Quat> rotations, Vec3& to_root, std::span<Quat> to) {
  finish(begin(root, rotations, to_root, to), to_root, to);
}

}  // namespace loom::character
