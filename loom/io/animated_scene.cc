// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include <loom/base/number.h>
#include <loom/base/whole.h>
#include <loom/io/animated_scene.h>
#include <loom/io/detail/scene_bodies.h>

namespace loom::io {
namespace {

/// How many rotations all motions of a file may hold together: room for sparse keys that become many frames, and for
/// what a large file can hold at one key a frame.
constexpr std::size_t kFreeRotations = 2'000'000;
constexpr std::size_t kBytesPerRotation = 4;

constexpr double kSlowest = 1, kFastest = 1000;  ///< Hz; a rate told outside of these is not believed

constexpr float kUnevenScale = 1e-3f;  ///< axes of a scale that differ by less are taken as equal
constexpr float kStillShare = 1e-5f;   ///< of the body's size: a joint that travels less stands still
constexpr float kSameAngle = 0.02f;    ///< radians; two rest poses closer than this are one

/// A rotation, a scale alike in all directions, and a translation.
struct Similarity {
  Vec3 translation;
  Quat rotation;
  float scale = 1;
};

/// A node's transform in one animation: its own, or what a track that stands still says instead.
struct Local {
  Vec3 translation;
  Quat rotation;
  Vec3 scale{1, 1, 1};
};

float even(Vec3 scale) { return std::cbrt(std::fabs(scale.x * scale.y * scale.z)); }

bool is_even(Vec3 s) {
  const float mean = even(s);
  return std::fabs(s.x - mean) <= kUnevenScale * mean && std::fabs(s.y - mean) <= kUnevenScale * mean &&
         std::fabs(s.z - mean) <= kUnevenScale * mean;
}

Vec3 times(Vec3 a, Vec3 b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

/// Makes the motion of one body in one animation.
class MotionMaker {
 public:
  MotionMaker(const AnimatedScene& scene, const SceneAnimation& animation, const SceneBody& body)
      : scene_(scene), animation_(animation), body_(body) {
    for (const NodeTracks& tracks : animation.tracks) tracks_[tracks.node] = &tracks;
  }

  /// `left` is how many rotations may still be made; it goes down by those made here.
  Result<RawMotion> make(std::size_t& left) {
    raw_.name = animation_.name;
    raw_.metres_per_unit = scene_.metres_per_unit;
    raw_.up_axis = scene_.up_axis;
    place_joints();
    place_ends();
    set_rest();
    if (Result<void> timed = set_time(left); !timed) return fail_from(timed);
    fill_rotations();
    fill_translations();
    keep_labels();
    if (!finite()) return fail(fmt::format("animation '{}' moves a joint out of all bounds", animation_.name));
    return std::move(raw_);
  }

 private:
  const NodeTracks* tracks(int node) const {
    const auto found = tracks_.find(node);
    return found == tracks_.end() ? nullptr : found->second;
  }

  Local local(int n) const {
    const SceneNode& node = scene_.nodes[index(n)];
    Local own{node.translation, node.rotation, node.scale};
    const NodeTracks* moved = tracks(n);
    if (moved == nullptr) return own;
    // A value that differs from the node's own by rounding alone is the node's own: clips then share a skeleton.
    if (!moved->translation.empty()) {
      const Vec3 first = moved->translation.at_key(0);
      if (distance(first, own.translation) > kStillShare * length(own.translation)) own.translation = first;
    }
    if (!moved->rotation.empty()) own.rotation = moved->rotation.at_key(0);
    if (!moved->scale.empty()) own.scale = moved->scale.at_key(0);
    return own;
  }

  /// The even part of a scale; tells when there is more to it.
  float even_scale(int n, Vec3 scale) {
    if (!is_even(scale)) warn_once(uneven_, "The scale of node '{}' differs by axis and was averaged.", n);
    return even(scale);
  }

  void warn_once(bool& told, fmt::format_string<const std::string&> text, int n) {
    if (!told) raw_.warnings.push_back(fmt::format(text, scene_.nodes[index(n)].name));
    told = true;
  }

  /// What stands above the body's root, all of it still.
  Similarity ground() {
    std::vector<int> above;
    for (int n = scene_.nodes[index(body_.joints[0])].parent; n != kNoNode; n = scene_.nodes[index(n)].parent) {
      above.push_back(n);
    }
    Similarity total;
    for (auto n = above.rbegin(); n != above.rend(); ++n) {
      const Local own = local(*n);
      total.translation += total.scale * rotate(total.rotation, own.translation);
      total.rotation = normalized(total.rotation * own.rotation);
      total.scale *= even_scale(*n, own.scale);
    }
    return total;
  }

  /// Joints with their offsets, scales multiplied in. A child's place is stretched by its parent's scale axis by axis,
  /// which is exact; what lies deeper by the average.
  void place_joints() {
    ground_ = ground();
    for (std::size_t j = 0; j < body_.joints.size(); ++j) {
      const int n = body_.joints[j];
      index_[n] = static_cast<int>(j);
      const Local own = local(n);
      const int parent = j == 0 ? motion::kNoParent : index_.at(scene_.nodes[index(n)].parent);
      stretch_.push_back(parent < 0 ? Vec3{1, 1, 1} * ground_.scale : scale_[index(parent)]);
      const float above = parent < 0 ? ground_.scale : even_[index(parent)];
      scale_.push_back(own.scale * above);
      even_.push_back(above * even_scale(n, own.scale));
      const NodeTracks* moved = tracks(n);
      if (moved != nullptr && varies(moved->scale, 0.01f * length(own.scale))) {
        warn_once(growing_, "The scale of node '{}' changes over time, which was left out.", n);
      }
      raw_.joints.push_back({scene_.nodes[index(n)].name, parent, placed(j, own.translation), {}});
    }
    for (const RawJoint& joint : raw_.joints) {
      if (joint.parent >= 0) size_ = std::max(size_, length(joint.offset));
    }
  }

  /// The translation `t` of joint `j` in its parent's frame, scaled as all above it says.
  Vec3 placed(std::size_t j, Vec3 t) const {
    const Vec3 stretched = times(stretch_[j], t);
    return j == 0 ? ground_.translation + rotate(ground_.rotation, stretched) : stretched;
  }

  void place_ends() {
    for (const int n : body_.ends) {
      const int joint = index_.at(scene_.nodes[index(n)].parent);
      raw_.end_sites.push_back({joint, times(scale_[index(joint)], local(n).translation)});
    }
  }

  /// World orientations of the rest pose: those of the skin where it tells them, else the nodes' own.
  std::vector<Quat> rest_pose(Quat skin_space) const {
    std::vector<Quat> world(raw_.joints.size());
    for (std::size_t j = 0; j < world.size(); ++j) {
      const SceneNode& node = scene_.nodes[index(body_.joints[j])];
      const Quat above = j == 0 ? ground_.rotation : world[index(raw_.joints[j].parent)];
      world[j] = node.bind ? normalized(skin_space * *node.bind) : normalized(above * node.rotation);
    }
    return world;
  }

  float height(const std::vector<Quat>& world) const {
    std::vector<Vec3> positions(world.size());
    float low = 0, high = 0;
    const auto up = [&](Vec3 p) { return scene_.up_axis == 2 ? p.z : (scene_.up_axis == 0 ? p.x : p.y); };
    for (std::size_t j = 1; j < world.size(); ++j) {
      const std::size_t parent = index(raw_.joints[j].parent);
      positions[j] = positions[parent] + rotate(world[parent], raw_.joints[j].offset);
      low = std::min(low, up(positions[j]));
      high = std::max(high, up(positions[j]));
    }
    return high - low;
  }

  /// A skin is bound in a space of its own: the world's by the specification, but files that were turned upright by a
  /// node above the armature keep it as it was. Of the two the one in which the body stands taller is meant: a body in
  /// T-pose is as wide as it is tall, but never as deep.
  void set_rest() {
    std::vector<Quat> world = rest_pose({});
    if (angle_between(ground_.rotation, {}) > kSameAngle) {
      std::vector<Quat> turned = rest_pose(ground_.rotation);
      if (height(turned) > height(world)) world = std::move(turned);
    }
    for (std::size_t j = 0; j < world.size(); ++j) {
      const int parent = raw_.joints[j].parent;
      raw_.joints[j].rest = parent < 0 ? world[j] : normalized(conjugate(world[index(parent)]) * world[j]);
    }
  }

  Result<void> set_time(std::size_t& left) {
    std::vector<double> all;
    double first = INFINITY, last = -INFINITY;
    const auto add = [&](const std::vector<double>& track) {
      if (track.empty()) return;
      first = std::min(first, track.front());
      last = std::max(last, track.back());
      if (track.size() > 1) all.insert(all.end(), track.begin(), track.end());
    };
    for (const int n : body_.joints) {
      if (const NodeTracks* moved = tracks(n)) {
        add(moved->rotation.times);
        add(moved->translation.times);
      }
    }
    start_ = first;
    const bool told = animation_.rate && *animation_.rate >= kSlowest && *animation_.rate <= kFastest;
    raw_.rate = told ? *animation_.rate : guess_rate(all);
    const double frames = std::floor((last - first) * raw_.rate + 0.01) + 1;
    if (!(frames * static_cast<double>(raw_.joints.size()) <= static_cast<double>(left))) {
      return fail(
          fmt::format("animation '{}' lasts {:.0f} s, which at {:g} Hz is more than a file of this size may hold",
                      animation_.name, last - first, raw_.rate));
    }
    raw_.frames = to_whole<std::size_t>(frames);
    left -= raw_.frames * raw_.joints.size();
    return {};
  }

  void fill_rotations() {
    const std::size_t count = raw_.joints.size();
    raw_.rotations.resize(raw_.frames * count);
    for (std::size_t j = 0; j < count; ++j) {
      const NodeTracks* moved = tracks(body_.joints[j]);
      if (moved != nullptr && !moved->rotation.empty()) {
        sample(moved->rotation, start_, raw_.rate, raw_.frames, count, raw_.rotations.data() + j);
      } else {
        const Quat still = normalized(local(body_.joints[j]).rotation);
        for (std::size_t f = 0; f < raw_.frames; ++f) raw_.rotations[f * count + j] = still;
      }
    }
    for (std::size_t f = 0; f < raw_.frames; ++f) {
      Quat& root = raw_.rotations[f * count];
      root = normalized(ground_.rotation * root);
    }
  }

  void fill_translations() {
    for (std::size_t j = 0; j < raw_.joints.size(); ++j) {
      const NodeTracks* moved = tracks(body_.joints[j]);
      const float still = kStillShare * size_ / std::max(length(stretch_[j]), 1e-12f);
      if (j == 0 || (moved != nullptr && varies(moved->translation, still))) raw_.moving.push_back(static_cast<int>(j));
    }
    const std::size_t count = raw_.moving.size();
    raw_.translations.resize(raw_.frames * count);
    for (std::size_t m = 0; m < count; ++m) {
      const auto j = index(raw_.moving[m]);
      const NodeTracks* moved = tracks(body_.joints[j]);
      Vec3* out = raw_.translations.data() + m;
      if (moved != nullptr && !moved->translation.empty()) {
        sample(moved->translation, start_, raw_.rate, raw_.frames, count, out);
      } else {
        for (std::size_t f = 0; f < raw_.frames; ++f) out[f * count] = local(body_.joints[j]).translation;
      }
      for (std::size_t f = 0; f < raw_.frames; ++f) out[f * count] = placed(j, out[f * count]);
    }
  }

  bool finite() const {
    const auto near = [](Vec3 v) { return length(v) <= static_cast<float>(kLargestNumber); };  // false for no number
    return std::all_of(raw_.joints.begin(), raw_.joints.end(), [&](const RawJoint& j) { return near(j.offset); }) &&
           std::all_of(raw_.end_sites.begin(), raw_.end_sites.end(),
                       [&](const motion::EndSite& site) { return near(site.offset); }) &&
           std::all_of(raw_.translations.begin(), raw_.translations.end(), near);
  }

  void keep_labels() {
    for (const auto& [label, body] : animation_.labels) {
      if (!body.empty() && body != body_.name) continue;
      if (label.begin < label.end && label.end <= raw_.frames) {
        raw_.labels.push_back(label);
      } else {
        raw_.warnings.push_back(fmt::format("Label '{}' reaches beyond the motion and was left out.", label.name));
      }
    }
  }

  const AnimatedScene& scene_;
  const SceneAnimation& animation_;
  const SceneBody& body_;
  std::unordered_map<int, const NodeTracks*> tracks_;  ///< by node
  std::unordered_map<int, int> index_;                 ///< joint of a node
  Similarity ground_;
  std::vector<Vec3> stretch_;  ///< by joint: what multiplies its translation
  std::vector<Vec3> scale_;    ///< by joint: what multiplies its children's translations
  std::vector<float> even_;    ///< by joint: the same, averaged, for what lies deeper
  float size_ = 0;             ///< length of the longest bone
  double start_ = 0;           ///< seconds, the first key
  bool uneven_ = false, growing_ = false;
  RawMotion raw_;
};

std::size_t clean_tracks(AnimatedScene& scene) {
  std::size_t dropped = 0;
  for (SceneAnimation& animation : scene.animations) {
    for (NodeTracks& tracks : animation.tracks) {
      dropped += drop_bad_keys(tracks.rotation) + drop_bad_keys(tracks.translation) + drop_bad_keys(tracks.scale);
    }
  }
  return dropped;
}

void clean_nodes(AnimatedScene& scene) {
  for (SceneNode& node : scene.nodes) {
    const Vec3 s = node.scale;
    if (!is_finite(node.translation)) node.translation = {};
    node.rotation = is_finite(node.rotation) ? normalized(node.rotation) : Quat{};
    if (!is_finite(s) || !std::isfinite(even(s)) || even(s) == 0) node.scale = {1, 1, 1};
  }
}

/// Which bodies the animation moves, ascending.
std::vector<int> moved_bodies(const SceneAnimation& animation,
                              const std::unordered_map<int, std::vector<int>>& bodies_of) {
  std::vector<int> moved;
  for (const NodeTracks& tracks : animation.tracks) {
    if (tracks.rotation.empty() && tracks.translation.empty()) continue;
    const auto found = bodies_of.find(tracks.node);
    if (found != bodies_of.end()) moved.insert(moved.end(), found->second.begin(), found->second.end());
  }
  std::sort(moved.begin(), moved.end());
  moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
  return moved;
}

/// Tells each motion which joints travel in others of the same body.
void share_travel(std::vector<RawMotion>& motions, const std::vector<int>& bodies) {
  for (std::size_t m = 0; m < motions.size(); ++m) {
    for (std::size_t other = 0; other < motions.size(); ++other) {
      if (other == m || bodies[other] != bodies[m]) continue;
      std::vector<int>& travelling = motions[m].travelling;
      travelling.insert(travelling.end(), motions[other].moving.begin(), motions[other].moving.end());
    }
    std::vector<int>& all = motions[m].travelling;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
}

}  // namespace

Result<std::vector<RawMotion>> motions_of(AnimatedScene scene) {
  if (scene.animations.empty()) return fail("the file holds no animation");
  if (Result<void> sound = check_hierarchy(scene); !sound) return fail_from(sound);
  clean_nodes(scene);
  if (const std::size_t dropped = clean_tracks(scene); dropped > 0) {
    scene.warnings.push_back(fmt::format("{} keys were out of order or not finite and were left out.", dropped));
  }
  const Result<std::vector<SceneBody>> bodies = find_bodies(scene);
  if (!bodies) return fail_from(bodies);
  std::unordered_map<int, std::vector<int>> bodies_of;
  for (std::size_t b = 0; b < bodies->size(); ++b) {
    for (const int n : (*bodies)[b].joints) bodies_of[n].push_back(static_cast<int>(b));
  }
  std::size_t left = kFreeRotations + scene.file_bytes / kBytesPerRotation;
  std::vector<RawMotion> motions;
  std::vector<int> body_of;  // of each motion
  for (const SceneAnimation& animation : scene.animations) {
    for (const int b : moved_bodies(animation, bodies_of)) {
      const SceneBody& body = (*bodies)[index(b)];
      Result<RawMotion> raw = MotionMaker(scene, animation, body).make(left);
      if (!raw) return fail_from(raw);
      if (bodies->size() > 1) raw->name += fmt::format("{}{}", raw->name.empty() ? "" : "/", body.name);
      raw->warnings.insert(raw->warnings.begin(), scene.warnings.begin(), scene.warnings.end());
      raw->timed = true;
      motions.push_back(std::move(*raw));
      body_of.push_back(b);
    }
  }
  share_travel(motions, body_of);
  if (motions.empty()) return fail("none of the file's animations moves a body");
  return motions;
}

}  // namespace loom::io
