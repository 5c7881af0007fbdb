// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/character/human_body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/rig.h>
#include <loom/motion/soles.h>

namespace loom::character {
namespace {

using motion::Skeleton;

// A body stands where trunk and thighs are this near to the vertical, as a cosine.
constexpr float kStands = 0.75f;
constexpr std::size_t kMostLooks = 200;  // frames looked at for one in which a body stands

// Of the leg's length: soles that stand so much lower than usual stand on another floor, where they do for so long.
constexpr float kStep = 0.06f;
constexpr double kStoodSeconds = 0.2;

// Of the way from ankle to ball: so far behind the ankle the heel ends.
constexpr float kHeelShare = 0.35f;
// Of a leg's length, for a foot that nothing tells of.
constexpr float kUsualFoot = 0.16f;

Role on_side(Role left, std::size_t side) { return static_cast<Role>(static_cast<std::size_t>(left) + side); }

/// A pose of a skeleton in the world.
struct Places {
  std::vector<Vec3> positions;
  std::vector<Quat> world;

  Places(const Skeleton& skeleton, std::span<const Quat> pose)
      : positions(skeleton.point_count()), world(skeleton.size()) {
    const std::vector<Quat> rest(pose.empty() ? skeleton.size() : 0);
    motion::forward_kinematics(skeleton, {}, pose.empty() ? std::span<const Quat>(rest) : pose, positions, world);
  }
};

int joint_of(const JointMap& map, Role role) { return map.of(role).joint; }

Vec3 middle(const Places& places, const JointMap& map, Role left) {
  return (places.positions[index(joint_of(map, left))] + places.positions[index(joint_of(map, on_side(left, 1)))]) *
         0.5f;
}

/// How upright a body stands, as the least cosine of trunk and thighs with the vertical.
float uprightness(const Places& places, const JointMap& map) {
  float least = normalized(middle(places, map, Role::kLeftUpperArm) - middle(places, map, Role::kLeftThigh)).y;
  for (std::size_t side = 0; side < 2; ++side) {
    const int thigh = joint_of(map, on_side(Role::kLeftThigh, side)),
              shin = joint_of(map, on_side(Role::kLeftShin, side));
    if (shin < 0) continue;
    least = std::min(least, normalized(places.positions[index(thigh)] - places.positions[index(shin)]).y);
  }
  return least;
}

/// The joints from below `above` down to `joint`, outwards; empty where `joint` does not hang from it.
std::vector<int> way(const Skeleton& skeleton, int above, int joint) {
  std::vector<int> found;
  for (int j = joint; j != above; j = skeleton.joint(index(j)).parent) {
    if (j < 0) return {};
    found.push_back(j);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

/// Looks at one body in one pose.
class Looker {
 public:
  Looker(std::shared_ptr<const Skeleton> skeleton, const JointMap& map, std::span<const Quat> reference)
      : skeleton_(*skeleton), places_(skeleton_, reference), soles_(motion::find_soles(skeleton_)) {
    body_.skeleton = std::move(skeleton);
    for (std::size_t r = 0; r < kRoles; ++r) body_.joints[r] = map.joints[r].joint;
    body_.twists = map.twists;
    parts_.assign(skeleton_.size(), {});
    has_part_.assign(skeleton_.size(), false);
  }

  HumanBody look() {
    look_at_trunk();
    for (std::size_t side = 0; side < 2; ++side) {
      look_at_arm(side);
      look_at_leg(side);
    }
    body_.frames.assign(skeleton_.size(), {});
    for (std::size_t j = 0; j < skeleton_.size(); ++j) {
      if (has_part_[j]) body_.frames[j] = normalized(conjugate(places_.world[j]) * parts_[j]);
    }
    set_height();
    return std::move(body_);
  }

 private:
  [[nodiscard]] Vec3 place(int joint) const { return places_.positions[index(joint)]; }
  [[nodiscard]] Vec3 middle(Role left) const {
    return (place(body_.of(left)) + place(body_.of(on_side(left, 1)))) * 0.5f;
  }

  void set(int joint, Quat part) {
    if (joint < 0) return;
    parts_[index(joint)] = part;
    has_part_[index(joint)] = true;
  }

  /// A part that looks where `left` is to its left, upright but for a lean of the body as a whole.
  static Quat facing(Vec3 left, Vec3 up) {
    const Vec3 x = normalized(left - up * dot(left, up), {1, 0, 0});
    return from_axes(x, up, cross(x, up));
  }

  /// Trunks are built in many ways, and the way from joint to joint says little of how upright they are meant to be:
  /// what stands, stands upright. Only hips turned against shoulders are taken as they are.
  void look_at_trunk() {
    const int hips = body_.of(Role::kHips);
    const Vec3 hip_line = place(body_.of(Role::kLeftThigh)) - place(body_.of(Role::kRightThigh));
    const Vec3 arm_line = place(body_.of(Role::kLeftUpperArm)) - place(body_.of(Role::kRightUpperArm));
    const Quat pelvis = facing(hip_line, {0, 1, 0}), chest = facing(arm_line, {0, 1, 0});
    for (int j = hips; j >= 0; j = skeleton_.joint(index(j)).parent) set(j, pelvis);
    const int top = body_.of(Role::kChest) >= 0 ? body_.of(Role::kChest) : body_.of(Role::kSpine);
    if (top >= 0) {
      std::vector<int> trunk = way(skeleton_, hips, top);
      if (trunk.empty() && top != hips) trunk = {top};
      const auto lowest = std::find(trunk.begin(), trunk.end(), body_.of(Role::kSpine));
      if (lowest != trunk.end()) trunk.erase(trunk.begin(), lowest);
      body_.trunk = std::move(trunk);
    }
    const auto count = static_cast<float>(body_.trunk.size());
    for (std::size_t k = 0; k < body_.trunk.size(); ++k) {
      set(body_.trunk[k], slerp(pelvis, chest, static_cast<float>(k + 1) / count));
    }
    top_ = body_.trunk.empty() ? pelvis : chest;
    const int last = body_.of(Role::kHead) >= 0 ? body_.of(Role::kHead) : body_.of(Role::kNeck);
    if (last < 0) return;
    body_.neck = way(skeleton_, top >= 0 ? top : hips, last);
    const auto first = std::find(body_.neck.begin(), body_.neck.end(), body_.of(Role::kNeck));
    if (first != body_.neck.end()) body_.neck.erase(body_.neck.begin(), first);
    if (last == body_.of(Role::kHead) && !body_.neck.empty()) body_.neck.pop_back();
    for (const int j : body_.neck) set(j, top_);
    set(body_.of(Role::kHead), top_);
  }

  /// `above` turned the shortest way so that what points along `canonical` in the canonical body points along `bone`.
  static Quat along(Quat above, Vec3 canonical, Vec3 bone) {
    if (length(bone) < 1e-6f) return above;
    return normalized(rotation_between(rotate(above, canonical), normalized(bone)) * above);
  }

  void look_at_arm(std::size_t side) {
    const Vec3 outwards{side == 0 ? 1.0f : -1.0f, 0, 0};
    const int upper = body_.of(on_side(Role::kLeftUpperArm, side)), fore = body_.of(on_side(Role::kLeftForearm, side)),
              hand = body_.of(on_side(Role::kLeftHand, side));
    // Collarbones slope as their makers like it; with the chest they are at rest.
    set(body_.of(on_side(Role::kLeftShoulder, side)), top_);
    Quat part = top_;
    if (fore >= 0) part = along(part, outwards, place(fore) - place(upper));
    set(upper, part);
    if (fore < 0) return;
    if (hand >= 0) part = along(part, outwards, place(hand) - place(fore));
    set(fore, part);
    set(hand, part);
  }

  void look_at_leg(std::size_t side) {
    const int thigh = body_.of(on_side(Role::kLeftThigh, side)), shin = body_.of(on_side(Role::kLeftShin, side)),
              foot = body_.of(on_side(Role::kLeftFoot, side)), toe = body_.of(on_side(Role::kLeftToe, side));
    Quat part = parts_[index(body_.of(Role::kHips))];
    if (shin >= 0) part = along(part, {0, -1, 0}, place(shin) - place(thigh));
    set(thigh, part);
    if (shin < 0 || foot < 0) {
      // A leg in one part is as long as the body is high above whatever of it is lowest.
      float low = place(thigh).y;
      for (const Vec3 p : places_.positions) low = std::min(low, p.y);
      body_.leg[side] = place(thigh).y - low;
    }
    if (shin < 0) return;
    if (foot >= 0) part = along(part, {0, -1, 0}, place(foot) - place(shin));
    set(shin, part);
    if (foot < 0) return;
    body_.leg[side] = distance(place(thigh), place(shin)) + distance(place(shin), place(foot));
    // Soles are flat on the floor in whatever way the foot's bone slopes; only where it points counts.
    const Vec3 front = tip_of(foot, toe) - place(foot);
    const Quat flat =
        length(Vec3{front.x, 0, front.z}) > 1e-3f * body_.leg[side]
            ? from_axes(normalized(cross({0, 1, 0}, front)), {0, 1, 0}, normalized(Vec3{front.x, 0, front.z}))
            : facing(rotate(parts_[index(body_.of(Role::kHips))], {1, 0, 0}), {0, 1, 0});
    set(foot, flat);
    set(toe, flat);
    set_foot(side, flat);
    body_.has_foot[side] = !way(skeleton_, thigh, shin).empty() && !way(skeleton_, shin, foot).empty();
  }

  /// Where a foot ends: its toe joint, else whatever of it lies furthest from the ankle over the floor.
  [[nodiscard]] Vec3 tip_of(int foot, int toe) const {
    if (toe >= 0) return place(toe);
    Vec3 tip = place(foot);
    const auto flat = [&](Vec3 p) { return std::hypot(p.x - place(foot).x, p.z - place(foot).z); };
    for (const Vec3 p : points_of(foot)) {
      if (flat(p) > flat(tip)) tip = p;
    }
    return tip;
  }

  /// All joints and ends at and below `joint`.
  [[nodiscard]] std::vector<Vec3> points_of(int joint) const {
    std::vector<bool> below(skeleton_.size(), false);
    std::vector<Vec3> points;
    for (std::size_t j = index(joint); j < skeleton_.size(); ++j) {
      const int parent = skeleton_.joint(j).parent;
      below[j] = static_cast<int>(j) == joint || (parent >= 0 && below[index(parent)]);
      if (below[j]) points.push_back(places_.positions[j]);
    }
    for (std::size_t e = 0; e < skeleton_.end_sites().size(); ++e) {
      if (below[index(skeleton_.end_sites()[e].joint)]) points.push_back(places_.positions[skeleton_.size() + e]);
    }
    return points;
  }

  /// How low the flesh of a foot is that is drawn around the joints. Captured skeletons have ankle and toes in one
  /// height and the sole centimetres below: a foot that rolls does so over that.
  [[nodiscard]] float lowest_flesh(std::size_t side) const {
    float low = std::numeric_limits<float>::max();
    for (const motion::SoleBall& ball : soles_.feet[side]) {
      low = std::min(low, (place(ball.joint) + rotate(places_.world[index(ball.joint)], ball.offset)).y - ball.radius);
    }
    return low;
  }

  void set_foot(std::size_t side, Quat flat) {
    const int foot = body_.of(on_side(Role::kLeftFoot, side)), toe = body_.of(on_side(Role::kLeftToe, side));
    float low = place(foot).y, front = 0;
    for (const Vec3 p : points_of(foot)) {
      low = std::min(low, p.y);
      front = std::max(front, rotate(conjugate(flat), p - place(foot)).z);
    }
    low = std::min(low, lowest_flesh(side));
    Vec3 ball = rotate(conjugate(flat), tip_of(foot, toe) - place(foot));
    if (ball.z < 0.02f * body_.leg[side]) ball = {0, 0, kUsualFoot * body_.leg[side]};
    const float down = low - place(foot).y;
    const Vec3 sole{ball.x, down, ball.z};
    body_.feet[side] = {{0, down, -kHeelShare * ball.z},
                        sole,
                        toe >= 0 ? rotate(conjugate(flat), place(toe) - place(foot)) : sole,
                        {ball.x, down, std::max(front, ball.z)}};
  }

  void set_height() {
    float height = 0;
    for (std::size_t side = 0; side < 2; ++side) height += body_.leg[side] - body_.feet[side].heel.y;
    body_.hip_height = height / 2;
  }

  const Skeleton& skeleton_;
  Places places_;
  HumanBody body_;
  std::vector<Quat> parts_;  ///< how each part is turned from the canonical body, in the world
  std::vector<bool> has_part_;
  Quat top_;  ///< that of the chest
  motion::Soles soles_;
};

}  // namespace

Result<HumanBody> look_at_body(std::shared_ptr<const Skeleton> skeleton, const JointMap& map,
                               std::span<const Quat> reference) {
  for (const Role role :
       {Role::kHips, Role::kLeftThigh, Role::kRightThigh, Role::kLeftUpperArm, Role::kRightUpperArm}) {
    if (map.of(role).joint < 0) {
      return fail_as(ErrorKind::kBadInput, fmt::format("the body has no {}", role_name(role)));
    }
  }
  return Looker(std::move(skeleton), map, reference).look();
}

Result<HumanBody> look_at_body(const motion::Clip& clip, const std::optional<MapFile>& by_hand) {
  const Skeleton& skeleton = *clip.skeleton;
  const std::span<const Quat> first = clip.frames() > 0 ? clip.pose(0) : std::span<const Quat>();
  const motion::Rig rig = motion::rig_of(skeleton, first);
  Result<JointMap> map = map_joints(rig);
  if (map && by_hand) map = put_right(std::move(*map), rig, *by_hand);
  if (!map) return fail_from(map);
  if (!map->human) {
    return fail_as(ErrorKind::kBadInput,
                   fmt::format("'{}' moves no human; it lacks {}", clip.name, fmt::join(map->missing, ", ")));
  }
  const float at_rest = uprightness(Places(skeleton, {}), *map);
  if (at_rest >= kStands || clip.frames() == 0) {
    Result<HumanBody> body = look_at_body(clip.skeleton, *map);
    if (body) body->stands = at_rest >= kStands;
    return body;
  }
  const std::size_t step = clip.frames() / kMostLooks + 1;
  std::size_t best = 0;
  float most = -2;
  for (std::size_t f = 0; f < clip.frames(); f += step) {
    const float upright = uprightness(Places(skeleton, clip.pose(f)), *map);
    if (upright > most) most = upright, best = f;
  }
  if (most <= at_rest) return look_at_body(clip.skeleton, *map);
  Result<HumanBody> body = look_at_body(clip.skeleton, *map, clip.pose(best));
  if (body) body->unclear.push_back(fmt::format("'{}' has no rest pose: frame {} is taken for it.", clip.name, best));
  return body;
}

float sole_floor(const HumanBody& body, const motion::Clip& clip) {
  const auto contacts = motion::find_contacts(clip);
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  std::vector<float> planted, all;
  for (std::size_t side = 0; side < 2; ++side) {
    const int foot = body.of(on_side(Role::kLeftFoot, side));
    if (foot < 0) continue;
    const std::uint8_t bits = side == 0 ? motion::kLeftFoot : motion::kRightFoot;
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      const Quat part = poses.rotation(f, index(foot)) * body.frames[index(foot)];
      const float sole = poses.position(f, index(foot)).y +
                         std::min(rotate(part, body.feet[side].heel).y, rotate(part, body.feet[side].ball).y);
      all.push_back(sole);
      if (contacts && (contacts->planted[f] & bits) != 0) planted.push_back(sole);
    }
  }
  if (all.empty()) return 0;
  if (planted.empty()) return *std::min_element(all.begin(), all.end());
  std::sort(planted.begin(), planted.end());
  const float usual = planted[planted.size() / 2];
  // Somebody on a step or a box, who comes down from it: the floor is below.
  const auto below = static_cast<std::size_t>(
      std::lower_bound(planted.begin(), planted.end(), usual - kStep * (body.leg[0] + body.leg[1]) / 2) -
      planted.begin());
  const bool stood = static_cast<double>(below) >= kStoodSeconds * clip.rate;
  return stood ? planted[below / 2] : usual;
}

}  // namespace loom::character
