// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_set>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/character/rigged_character.h>
#include <loom/character/role_tree.h>
#include <loom/motion/kinematics.h>

namespace loom::character {
namespace {

// Legs of characters in metres are this long, thigh and shin; others are taken to have legs of the usual length.
constexpr float kShortestLeg = 0.12f, kLongestLeg = 2.0f, kUsualLeg = 0.82f;
// Another pose than that of the nodes must show the body better by this much.
constexpr float kClearlyBetter = 0.1f;
// Of the way to its tip: there a foot without toes rolls over.
constexpr float kRollsAt = 0.8f;
// Of the leg's length: shorter bones have none.
constexpr float kNoBone = 1e-4f;
// Vertices count for a foot when it carries them by more than this.
constexpr float kCarried = 0.5f;

Role on_side(Role left, std::size_t side) { return static_cast<Role>(static_cast<std::size_t>(left) + side); }

/// A pose of the rig: places and orientations in the world.
struct RigPose {
  std::vector<Vec3> places;
  std::vector<Quat> turns;
};

/// How well a pose shows how a body is built: upright, legs straight, alike on both sides.
class PoseJudge {
 public:
  PoseJudge(const JointMap& map, const RigPose& pose) : map_(map), pose_(pose) {}

  [[nodiscard]] float score() const {
    const Vec3 thighs = (place(Role::kLeftThigh) + place(Role::kRightThigh)) * 0.5f,
               arms = (place(Role::kLeftUpperArm) + place(Role::kRightUpperArm)) * 0.5f;
    const Vec3 across = normalized(place(Role::kLeftThigh) - place(Role::kRightThigh), {1, 0, 0});
    float score = 2 * normalized(arms - thighs).y, bones = 0, alike = 0;
    for (std::size_t side = 0; side < 2; ++side) {
      if (const auto thigh = bone(Role::kLeftThigh, side)) score -= thigh->y;
      if (const auto shin = bone(Role::kLeftShin, side)) score -= shin->y;
    }
    for (const Role role : {Role::kLeftUpperArm, Role::kLeftForearm, Role::kLeftThigh, Role::kLeftShin}) {
      const auto left = bone(role, 0), right = bone(role, 1);
      if (!left || !right) continue;
      bones += 1;
      alike += dot(*left, *right - across * (2 * dot(*right, across)));
    }
    return score + (bones > 0 ? 2 * alike / bones : 0);
  }

 private:
  [[nodiscard]] Vec3 place(Role role) const { return pose_.places[index(map_.of(role).joint)]; }
  [[nodiscard]] std::optional<Vec3> bone(Role left, std::size_t side) const {
    const int from = map_.of(on_side(left, side)).joint,
              to = map_.of(on_side(static_cast<Role>(static_cast<int>(left) + 2), side)).joint;
    if (from < 0 || to < 0) return std::nullopt;
    return normalized(pose_.places[index(to)] - pose_.places[index(from)]);
  }

  const JointMap& map_;
  const RigPose& pose_;
};

/// The poses of a rig. A skin may have been bound before the armature was turned: then its pose is turned along.
std::vector<RigPose> poses_of(const motion::Rig& rig) {
  std::vector<RigPose> poses;
  for (std::size_t p = 0; p < rig.poses.size() && p < rig.turns.size(); ++p)
    poses.push_back({rig.poses[p], rig.turns[p]});
  if (poses.size() < 2) return poses;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    const int parent = rig.joints[j].parent;
    if (parent < 0 || angle_between(rig.turns[0][index(parent)], {}) < 1e-3f) continue;
    const Quat turn = rig.turns[0][index(parent)];
    RigPose turned = poses[1];
    for (Vec3& place : turned.places) place = rotate(turn, place);
    for (Quat& q : turned.turns) q = normalized(turn * q);
    poses.push_back(std::move(turned));
    break;
  }
  return poses;
}

/// Hangs the joints of a rig together as a human is, from the hips outwards.
class Hanger {
 public:
  Hanger(const motion::Rig& rig, const JointMap& map, const RigPose& pose) : rig_(rig), map_(map), pose_(pose) {
    for (const motion::RigJoint& joint : rig.joints) parents_.push_back(joint.parent);
    for (const MappedJoint& mapped : map.joints) {
      if (mapped.joint >= 0) parts_.insert(mapped.joint);
    }
    const int hips = joint(Role::kHips), top = joint(Role::kChest) >= 0 ? joint(Role::kChest) : joint(Role::kSpine);
    for (int j = top; j >= 0 && j != hips; j = rig.joints[index(j)].parent) parts_.insert(j);
  }

  /// By joint the one it hangs from; -1 for the hips, -2 for what is above them.
  std::vector<int> hang() {
    const int hips = joint(Role::kHips);
    for (int j = rig_.joints[index(hips)].parent; j >= 0; j = rig_.joints[index(j)].parent) above_.insert(j);
    parents_[index(hips)] = -1;
    for (std::size_t r = 1; r < kRoles; ++r) seat(static_cast<Role>(r));
    for (const int j : motion::joints_from_roots(rig_)) {
      if (j == hips || above_.contains(j)) continue;
      const int parent = parents_[index(j)];
      if (parent < 0 || above_.contains(parent)) parents_[index(j)] = nearest_part(j);
    }
    for (const int j : above_) parents_[index(j)] = -2;
    return parents_;
  }

 private:
  [[nodiscard]] int joint(Role role) const { return map_.of(role).joint; }

  /// The nearest part inwards that the body has.
  [[nodiscard]] int carrier(Role role) const {
    std::optional<Role> inwards = parent_of(role);
    while (inwards && joint(*inwards) < 0) inwards = parent_of(*inwards);
    return inwards ? joint(*inwards) : joint(Role::kHips);
  }

  /// Hangs a part from the one it belongs to, unless it does through joints that are no parts.
  void seat(Role role) {
    const int j = joint(role), wanted = carrier(role);
    if (j < 0 || j == wanted) return;
    int above = rig_.joints[index(j)].parent;
    while (above >= 0 && !parts_.contains(above)) above = rig_.joints[index(above)].parent;
    if (role == Role::kChest && above >= 0 && !above_.contains(above)) return;  // through the rest of the spine
    if (above != wanted) parents_[index(j)] = wanted;
  }

  [[nodiscard]] int nearest_part(int joint) const {
    int best = map_.of(Role::kHips).joint;
    for (const MappedJoint& mapped : map_.joints) {
      if (mapped.joint < 0) continue;
      const Vec3 place = pose_.places[index(joint)];
      if (distance(pose_.places[index(mapped.joint)], place) < distance(pose_.places[index(best)], place))
        best = mapped.joint;
    }
    return best;
  }

  const motion::Rig& rig_;
  const JointMap& map_;
  const RigPose& pose_;
  std::vector<int> parents_;
  std::unordered_set<int> parts_, above_;
};

/// Makes the skeleton of a character.
class CharacterMaker {
 public:
  CharacterMaker(const io::AnimatedScene& scene, motion::Rig rig, JointMap map) : scene_(scene) {
    made_.rig = std::move(rig);
    made_.map = std::move(map);
    made_.name = made_.rig.name;
  }

  Result<RiggedCharacter> make() {
    choose_pose();
    settle_scale();
    order_joints();
    Result<void> built = build_skeleton();
    if (!built) return fail_from(built);
    find_carrier();
    tell_of_scales();
    tell_of_mirrors();
    tell_of_bones();
    return std::move(made_);
  }

 private:
  void choose_pose() {
    const std::vector<RigPose> poses = poses_of(made_.rig);
    float best = 0;
    for (std::size_t p = 0; p < poses.size(); ++p) {
      const float score = PoseJudge(made_.map, poses[p]).score();
      if (p > 0 && score < best + kClearlyBetter) continue;
      best = score;
      pose_ = poses[p];
    }
  }

  void settle_scale() {
    const auto place = [&](Role role) { return pose_.places[index(made_.map.of(role).joint)]; };
    float leg = 0;
    if (made_.map.of(Role::kLeftShin).joint >= 0 && made_.map.of(Role::kLeftFoot).joint >= 0) {
      leg = distance(place(Role::kLeftThigh), place(Role::kLeftShin)) +
            distance(place(Role::kLeftShin), place(Role::kLeftFoot));
    } else {
      leg = place(Role::kLeftThigh).y -
            std::min_element(pose_.places.begin(), pose_.places.end(), [](Vec3 a, Vec3 b) { return a.y < b.y; })->y;
    }
    if (leg < 1e-9f || (leg >= kShortestLeg && leg <= kLongestLeg)) return;
    made_.metres_per_unit = kUsualLeg / leg;
    made_.warnings.push_back(
        fmt::format("With legs of {:.3g} units it is taken to be {:.3g} metres a unit; the file keeps its own.", leg,
                    made_.metres_per_unit));
  }

  /// Joints below the hips, parents first, in the order of the file as far as that allows.
  void order_joints() {
    parents_ = Hanger(made_.rig, made_.map, pose_).hang();
    std::vector<std::vector<int>> children(parents_.size());
    for (std::size_t j = 0; j < parents_.size(); ++j) {
      if (parents_[j] >= 0) children[index(parents_[j])].push_back(static_cast<int>(j));
    }
    made_.rig_joints = {made_.map.of(Role::kHips).joint};
    for (std::size_t i = 0; i < made_.rig_joints.size(); ++i) {
      const std::vector<int>& below = children[index(made_.rig_joints[i])];
      made_.rig_joints.insert(made_.rig_joints.end(), below.begin(), below.end());
    }
  }

  Result<void> build_skeleton() {
    std::vector<int> number(parents_.size(), -1);
    std::vector<motion::Joint> joints;
    std::unordered_set<std::string> names;
    for (const int r : made_.rig_joints) {
      number[index(r)] = static_cast<int>(joints.size());
      std::string name = clean_utf8(made_.rig.joints[index(r)].name);
      if (name.empty()) name = fmt::format("joint{}", r);
      const std::string stem = name;
      for (int copy = 2; !names.insert(name).second; ++copy) name = fmt::format("{}_{}", stem, copy);
      const int parent = parents_[index(r)];
      const Vec3 offset =
          parent < 0 ? Vec3{} : (pose_.places[index(r)] - pose_.places[index(parent)]) * made_.metres_per_unit;
      joints.push_back({std::move(name), parent < 0 ? motion::kNoParent : number[index(parent)], offset});
      made_.turns.push_back(pose_.turns[index(r)]);
    }
    made_.hips = pose_.places[index(made_.rig_joints[0])] * made_.metres_per_unit;
    auto skeleton = motion::Skeleton::create(std::move(joints), {});
    if (!skeleton) return fail_from(skeleton);
    JointMap map = made_.map;
    for (MappedJoint& mapped : map.joints) mapped.joint = mapped.joint < 0 ? -1 : number[index(mapped.joint)];
    for (TwistJoint& twist : map.twists) twist.joint = number[index(twist.joint)];
    for (FingerJoint& finger : map.fingers) finger.joint = number[index(finger.joint)];
    std::erase_if(map.twists, [](const TwistJoint& twist) { return twist.joint < 0; });
    std::erase_if(map.fingers, [](const FingerJoint& finger) { return finger.joint < 0; });
    Result<HumanBody> body = look_at_body(std::make_shared<motion::Skeleton>(std::move(*skeleton)), map);
    if (!body) return fail_from(body);
    made_.body = std::move(*body);
    return {};
  }

  void find_carrier() {
    std::unordered_set<int> bound;
    for (const io::SceneSkin& skin : scene_.skins) bound.insert(skin.joints.begin(), skin.joints.end());
    for (int j = made_.rig.joints[index(made_.rig_joints[0])].parent; j >= 0; j = made_.rig.joints[index(j)].parent) {
      if (!made_.rig.nodes.empty() && bound.contains(made_.rig.nodes[index(j)])) made_.carrier = j;
    }
  }

  /// Scales that differ by axis or mirror cannot be turned without shear.
  void tell_of_scales() {
    for (const int r : made_.rig_joints) {
      if (made_.rig.nodes.empty()) return;
      const Vec3 s = scene_.nodes[index(made_.rig.nodes[index(r)])].scale;
      const bool even = std::fabs(s.x - s.y) < 1e-3f * std::fabs(s.x) && std::fabs(s.x - s.z) < 1e-3f * std::fabs(s.x);
      if (even && s.x > 0) continue;
      made_.warnings.push_back(fmt::format(
          "The node {} is scaled by {:.3g}, {:.3g}, {:.3g}: what hangs from it may come out a little askew.",
          in_quotes(made_.rig.joints[index(r)].name), s.x, s.y, s.z));
      return;
    }
  }

  /// A node above the hips that mirrors makes what the file calls left lie on the right.
  void tell_of_mirrors() {
    if (made_.rig.nodes.empty()) return;
    int node = scene_.nodes[index(made_.rig.nodes[index(made_.rig_joints[0])])].parent;
    for (; node >= 0; node = scene_.nodes[index(node)].parent) {
      const Vec3 s = scene_.nodes[index(node)].scale;
      if (s.x * s.y * s.z >= 0) continue;
      made_.warnings.push_back(fmt::format("The node {} mirrors what hangs from it: left and right may be exchanged.",
                                           in_quotes(scene_.nodes[index(node)].name)));
      return;
    }
  }

  /// Bones without length turn nothing that hangs from them away from where it is.
  void tell_of_bones() {
    for (std::size_t r = 1; r < kRoles; ++r) {
      std::optional<Role> inwards = parent_of(static_cast<Role>(r));
      while (inwards && made_.map.of(*inwards).joint < 0) inwards = parent_of(*inwards);
      const int outer = made_.map.of(static_cast<Role>(r)).joint, inner = inwards ? made_.map.of(*inwards).joint : -1;
      if (outer < 0 || inner < 0 || outer == inner) continue;
      const float bone = distance(pose_.places[index(outer)], pose_.places[index(inner)]) * made_.metres_per_unit;
      if (bone > kNoBone * made_.body.leg[0]) continue;
      made_.warnings.push_back(
          fmt::format("The joints {} and {} lie in one place: the bone between them has no length.",
                      in_quotes(made_.rig.joints[index(inner)].name), in_quotes(made_.rig.joints[index(outer)].name)));
    }
  }

  const io::AnimatedScene& scene_;
  RiggedCharacter made_;
  RigPose pose_;
  std::vector<int> parents_;
};

/// What a node does to what hangs from it.
struct NodeFrame {
  Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin;

  [[nodiscard]] Vec3 apply(Vec3 v) const { return origin + x * v.x + y * v.y + z * v.z; }
};

/// How far the hips at `root` are over the floor from where they rest, in the units of the file.
Vec3 shift_of(const RiggedCharacter& character, Vec3 root) {
  const Vec3 way = (root - character.hips) / character.metres_per_unit;
  return {way.x, 0, way.z};
}

/// By joint of the rig whether it is the carrier or lies between it and the hips.
std::vector<bool> carried_along(const RiggedCharacter& character) {
  std::vector<bool> along(character.rig.joints.size(), false);
  if (character.carrier < 0) return along;
  for (int j = character.rig.joints[index(character.rig_joints[0])].parent; j >= 0;
       j = character.rig.joints[index(j)].parent) {
    along[index(j)] = true;
    if (j == character.carrier) break;
  }
  return along;
}

template <typename Value>
const Value& key(const std::vector<Value>& keys, std::size_t frame) {
  return keys[std::min(frame, keys.size() - 1)];
}

std::vector<NodeFrame> frames_of(const io::AnimatedScene& scene, const io::NodeAnimation& animation,
                                 std::size_t frame) {
  std::vector<io::SceneNode> nodes = scene.nodes;
  for (const io::NodeMotion& motion : animation.nodes) {
    if (!motion.rotations.empty()) nodes[index(motion.node)].rotation = key(motion.rotations, frame);
    if (!motion.translations.empty()) nodes[index(motion.node)].translation = key(motion.translations, frame);
  }
  std::vector<NodeFrame> frames(nodes.size());
  std::vector<char> done(nodes.size(), 0);
  std::vector<int> way;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    for (int up = static_cast<int>(n); up >= 0 && done[index(up)] == 0; up = nodes[index(up)].parent) way.push_back(up);
    for (; !way.empty(); way.pop_back()) {
      const io::SceneNode& node = nodes[index(way.back())];
      const NodeFrame above = node.parent < 0 ? NodeFrame{} : frames[index(node.parent)];
      const auto axis = [&](Vec3 unit) { return above.apply(rotate(node.rotation, unit)) - above.origin; };
      frames[index(way.back())] = {axis({1, 0, 0}) * node.scale.x, axis({0, 1, 0}) * node.scale.y,
                                   axis({0, 0, 1}) * node.scale.z, above.apply(node.translation)};
      done[index(way.back())] = 1;
    }
  }
  return frames;
}

}  // namespace

Result<RiggedCharacter> rig_character(const io::AnimatedScene& scene, motion::Rig rig, JointMap map) {
  if (!map.human) {
    return fail_as(ErrorKind::kBadInput, fmt::format("is no human; it lacks {}", fmt::join(map.missing, ", ")));
  }
  if (rig.turns.empty()) return fail_as(ErrorKind::kBadInput, "has no nodes to move");
  return CharacterMaker(scene, std::move(rig), std::move(map)).make();
}

NodePoser::NodePoser(const RiggedCharacter& character)
    : character_(character),
      number_(character.rig.joints.size(), -1),
      along_(carried_along(character)),
      places_(character.body.skeleton->point_count()),
      world_(character.body.skeleton->size()) {
  for (std::size_t j = 0; j < character.rig_joints.size(); ++j) {
    number_[index(character.rig_joints[j])] = static_cast<int>(j);
    nodes_.push_back(character.rig.nodes[index(character.rig_joints[j])]);
  }
  if (character.carrier >= 0) nodes_.push_back(character.rig.nodes[index(character.carrier)]);
}

void NodePoser::pose(Vec3 root, std::span<const Quat> rotations, std::span<NodePose> to) {
  const motion::Rig& rig = character_.rig;
  const float unit = character_.metres_per_unit;
  motion::forward_kinematics(*character_.body.skeleton, root, rotations, places_, world_);
  const auto scale_of = [&](int joint) {
    return rig.scales.empty() ? 1.0f : std::max(rig.scales[index(joint)], 1e-12f);
  };
  for (std::size_t j = 0; j < world_.size(); ++j) {
    const int parent = rig.joints[index(character_.rig_joints[j])].parent;
    const int above = parent < 0 ? -1 : number_[index(parent)];
    Quat turn;  // of the node that the file has above this one
    Vec3 origin;
    float scale = 1;
    if (parent >= 0) {
      turn = above >= 0 ? world_[index(above)] * character_.turns[index(above)] : rig.turns[0][index(parent)];
      origin = above >= 0 ? places_[index(above)] / unit : rig.poses[0][index(parent)];
      if (along_[index(parent)]) origin += shift_of(character_, root);
      scale = scale_of(parent);
    }
    to[j] = {rotate(conjugate(turn), places_[j] / unit - origin) / scale,
             normalized(conjugate(turn) * world_[j] * character_.turns[j])};
  }
  if (character_.carrier < 0) return;
  // The carrier goes where the hips go over the floor.
  const int parent = rig.joints[index(character_.carrier)].parent;
  const Quat turn = parent < 0 ? Quat{} : rig.turns[0][index(parent)];
  const Vec3 origin = parent < 0 ? Vec3{} : rig.poses[0][index(parent)];
  const Vec3 place = rig.poses[0][index(character_.carrier)] + shift_of(character_, root);
  to[world_.size()] = {rotate(conjugate(turn), place - origin) / (parent < 0 ? 1.0f : scale_of(parent)),
                       normalized(conjugate(turn) * rig.turns[0][index(character_.carrier)])};
}

io::NodeAnimation node_animation(const RiggedCharacter& character, const motion::Clip& clip) {
  io::NodeAnimation animation{clip.name, clip.rate, {}, clip.labels};
  NodePoser poser(character);
  for (const int node : poser.nodes()) animation.nodes.push_back({node, {}, {}});
  std::vector<NodePose> pose(poser.nodes().size());
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    poser.pose(clip.roots[f], clip.pose(f), pose);
    for (std::size_t n = 0; n < pose.size(); ++n) {
      animation.nodes[n].translations.push_back(pose[n].translation);
      if (n < clip.joints()) animation.nodes[n].rotations.push_back(pose[n].rotation);
    }
  }
  // Bones keep their length: a place that does not change needs one key, or none.
  for (io::NodeMotion& motion : animation.nodes) {
    const auto still = [](const auto& keys, float tolerance) {
      return std::all_of(keys.begin(), keys.end(), [&](const auto& key) {
        if constexpr (std::is_same_v<std::decay_t<decltype(key)>, Vec3>)
          return distance(key, keys[0]) <= tolerance;
        else
          return angle_between(key, keys[0]) <= tolerance;
      });
    };
    if (motion.translations.size() > 1 &&
        still(motion.translations,
              1e-4f * std::max(length(motion.translations[0]), 1e-3f / character.metres_per_unit))) {
      motion.translations.resize(1);
    }
    if (motion.rotations.size() > 1 && still(motion.rotations, 1e-4f)) motion.rotations.resize(1);
  }
  return animation;
}

std::vector<Vec3> pose_mesh(const io::AnimatedScene& scene, const io::ModelMesh& mesh,
                            const io::NodeAnimation& animation, std::size_t frame) {
  const std::vector<NodeFrame> frames = frames_of(scene, animation, frame);
  std::vector<Vec3> places(mesh.positions.size());
  for (std::size_t v = 0; v < places.size(); ++v) {
    const Vec3 p = mesh.positions[v];
    for (std::size_t k = 0; k < 4; ++k) {
      const float weight = mesh.weights[v][k];
      if (weight <= 0) continue;
      const io::ModelBind& bind = mesh.to[mesh.binds[v][k]];
      if (bind.node < 0 || index(bind.node) >= frames.size()) continue;
      const auto row = [&](std::size_t r) {
        return bind.inverse[r][0] * p.x + bind.inverse[r][1] * p.y + bind.inverse[r][2] * p.z + bind.inverse[r][3];
      };
      places[v] += frames[index(bind.node)].apply({row(0), row(1), row(2)}) * weight;
    }
  }
  return places;
}

void fit_feet(RiggedCharacter& character, const io::AnimatedScene& scene, const io::ModelMesh& mesh) {
  HumanBody& body = character.body;
  const motion::Skeleton& skeleton = *body.skeleton;
  motion::Clip rest{"rest", body.skeleton, 30, {character.hips}, std::vector<Quat>(skeleton.size()), {}};
  const std::vector<Vec3> places = pose_mesh(scene, mesh, node_animation(character, rest), 0);
  const std::vector<Vec3> joints = motion::rest_positions(skeleton);
  for (std::size_t side = 0; side < 2; ++side) {
    const int foot = body.of(on_side(Role::kLeftFoot, side));
    if (foot < 0) {
      float low = 0;
      for (const Vec3 p : places) low = std::min(low, p.y * character.metres_per_unit - character.hips.y);
      body.leg[side] = joints[index(body.of(on_side(Role::kLeftThigh, side)))].y - low;
      continue;
    }
    std::unordered_set<int> nodes;  // of the foot and all below it
    std::vector<bool> below(skeleton.size(), false);
    for (std::size_t j = index(foot); j < skeleton.size(); ++j) {
      below[j] =
          static_cast<int>(j) == foot || (skeleton.joint(j).parent >= 0 && below[index(skeleton.joint(j).parent)]);
      if (below[j]) nodes.insert(character.rig.nodes[index(character.rig_joints[j])]);
    }
    const Quat flat = conjugate(body.frames[index(foot)]);
    FootShape& shape = body.feet[side];
    float low = 0, back = 0, front = 0;
    bool seen = false;
    for (std::size_t v = 0; v < places.size(); ++v) {
      float carried = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        if (nodes.contains(mesh.to[mesh.binds[v][k]].node)) carried += mesh.weights[v][k];
      }
      if (carried < kCarried) continue;
      const Vec3 p = rotate(flat, places[v] * character.metres_per_unit - character.hips - joints[index(foot)]);
      low = seen ? std::min(low, p.y) : p.y;
      back = seen ? std::min(back, p.z) : p.z;
      front = seen ? std::max(front, p.z) : p.z;
      seen = true;
    }
    if (!seen || low >= 0) continue;
    shape.heel = {0, low, std::min(back, 0.0f)};
    shape.ball.y = low;
    shape.tip = {shape.ball.x, low, std::max(front, shape.ball.z)};
    // A foot in one piece rolls over what it ends in.
    if (body.of(on_side(Role::kLeftToe, side)) < 0)
      shape.toe = shape.ball = {shape.ball.x, low, kRollsAt * shape.tip.z};
  }
  body.hip_height = (body.leg[0] - body.feet[0].heel.y + body.leg[1] - body.feet[1].heel.y) / 2;
}

}  // namespace loom::character
