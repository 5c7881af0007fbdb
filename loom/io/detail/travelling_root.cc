// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/io/detail/guess.h>
#include <loom/io/detail/travelling_root.h>
#include <loom/motion/body.h>

namespace loom::io {
namespace {

/// A translation that varies by less than this share of the body's longest path (about 1 mm in a person) is constant.
constexpr double kConstant = 0.0005;
/// Translations dropped from inner joints are told when they exceed this share (about 1 cm).
constexpr double kNoticeableTravel = 0.005;

/// How one inner joint is translated over time, in file units.
struct Travel {
  Vec3 mean;
  float largest = 0;  ///< distance from the mean
};

Travel measure_travel(const RawMotion& motion, std::size_t slot) {
  const std::size_t slots = motion.moving.size();
  double x = 0, y = 0, z = 0;
  for (std::size_t f = 0; f < motion.frames; ++f) {
    const Vec3 t = motion.translations[f * slots + slot];
    x += t.x;
    y += t.y;
    z += t.z;
  }
  const auto count = static_cast<double>(motion.frames);
  Travel travel{{static_cast<float>(x / count), static_cast<float>(y / count), static_cast<float>(z / count)}, 0};
  for (std::size_t f = 0; f < motion.frames; ++f) {
    travel.largest = std::max(travel.largest, distance(motion.translations[f * slots + slot], travel.mean));
  }
  return travel;
}

/// The joints from the root down to `joint`.
std::vector<std::size_t> path_to(const RawMotion& motion, int joint) {
  std::vector<std::size_t> path;
  for (; joint != motion::kNoParent; joint = motion.joints[static_cast<std::size_t>(joint)].parent) {
    path.push_back(static_cast<std::size_t>(joint));
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// The end of the bare chain that starts at the root: the first joint with no child, several, or an end site.
int end_of_bare_chain(const RawMotion& motion) {
  std::vector<int> children(motion.joints.size(), 0), child(motion.joints.size(), 0);
  for (std::size_t j = 1; j < motion.joints.size(); ++j) {
    const auto parent = static_cast<std::size_t>(motion.joints[j].parent);
    ++children[parent];
    child[parent] = static_cast<int>(j);
  }
  for (const motion::EndSite& site : motion.end_sites) children[static_cast<std::size_t>(site.joint)] += 2;
  int joint = 0;
  while (children[static_cast<std::size_t>(joint)] == 1) joint = child[static_cast<std::size_t>(joint)];
  return joint;
}

/// The joint that carries the whole body: no translation below it matters to where the body is.
int find_carrier(const RawMotion& motion, const motion::Skeleton& skeleton) {
  const int hips = motion::find_body(skeleton).hips;
  return hips >= 0 ? hips : end_of_bare_chain(motion);
}

/// The translation of a joint in a frame: its own where it has one, else its offset.
class Translations {
 public:
  explicit Translations(const RawMotion& motion) : motion_(motion), slot_(motion.joints.size(), -1) {
    for (std::size_t s = 0; s < motion.moving.size(); ++s) {
      slot_[static_cast<std::size_t>(motion.moving[s])] = static_cast<int>(s);
    }
  }
  [[nodiscard]] Vec3 at(std::size_t frame, std::size_t joint) const {
    if (slot_[joint] < 0) return motion_.joints[joint].offset;
    return motion_.translations[frame * motion_.moving.size() + static_cast<std::size_t>(slot_[joint])];
  }

 private:
  const RawMotion& motion_;
  std::vector<int> slot_;
};

/// Names for a message: the first few, then a count.
std::string list_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) text += (i > 0 ? ", " : "") + in_quotes(names[i]);
  if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
  return text;
}

/// Makes the last joint of `path` the root of what hangs from it.
void cut_to_subtree(RawMotion& motion, const std::vector<std::size_t>& path) {
  const std::size_t root = path.back(), joints = motion.joints.size();
  std::vector<int> place(joints, -1);  // in the new order, -1 where left out
  std::vector<std::size_t> kept;
  std::vector<std::string> left_out;
  for (std::size_t j = 0; j < joints; ++j) {
    const int parent = motion.joints[j].parent;
    const bool inside = j == root || (parent >= 0 && place[static_cast<std::size_t>(parent)] >= 0);
    if (inside) {
      place[j] = static_cast<int>(kept.size());
      kept.push_back(j);
    } else if (std::find(path.begin(), path.end(), j) == path.end()) {
      left_out.push_back(motion.joints[j].name);
    }
  }

  const Translations translations(motion);
  std::vector<int> moving{0};
  std::vector<std::size_t> slots;
  for (std::size_t s = 0; s < motion.moving.size(); ++s) {
    const auto j = static_cast<std::size_t>(motion.moving[s]);
    if (j == root || place[j] < 0) continue;
    moving.push_back(place[j]);
    slots.push_back(s);
  }
  std::vector<Quat> rotations;
  std::vector<Vec3> moved;
  rotations.reserve(motion.frames * kept.size());
  moved.reserve(motion.frames * moving.size());
  for (std::size_t f = 0; f < motion.frames; ++f) {
    Vec3 position;
    Quat turn;
    for (const std::size_t j : path) {
      position += rotate(turn, translations.at(f, j));
      turn = normalized(turn * motion.rotations[f * joints + j]);
    }
    rotations.push_back(turn);
    for (const std::size_t j : std::span(kept).subspan(1)) rotations.push_back(motion.rotations[f * joints + j]);
    moved.push_back(position);
    for (const std::size_t s : slots) moved.push_back(motion.translations[f * motion.moving.size() + s]);
  }

  Quat rest;
  for (const std::size_t j : path) rest = normalized(rest * motion.joints[j].rest);
  std::vector<RawJoint> subtree;
  for (const std::size_t j : kept) {
    RawJoint& joint = subtree.emplace_back(std::move(motion.joints[j]));
    joint.parent = joint.parent < 0 ? motion::kNoParent : place[static_cast<std::size_t>(joint.parent)];
  }
  subtree[0].parent = motion::kNoParent;
  subtree[0].rest = rest;
  std::vector<motion::EndSite> sites;
  for (const motion::EndSite& site : motion.end_sites) {
    const int joint = place[static_cast<std::size_t>(site.joint)];
    if (joint >= 0) sites.push_back({joint, site.offset});
  }
  if (!left_out.empty()) {
    motion.warnings.push_back(fmt::format("{} travels and is made the root; left out, since it hangs elsewhere: {}.",
                                          in_quotes(subtree[0].name), list_names(left_out)));
  }
  motion.joints = std::move(subtree);
  motion.end_sites = std::move(sites);
  motion.rotations = std::move(rotations);
  motion.moving = std::move(moving);
  motion.translations = std::move(moved);
}

/// Replaces the translations of inner joints by their mean.
void fix_inner_joints(RawMotion& motion, double path) {
  const std::size_t slots = motion.moving.size();
  const bool root_moves = slots > 0 && motion.moving[0] == 0;
  if (slots == (root_moves ? 1u : 0u)) return;
  std::vector<std::string> dropped;
  float largest = 0;
  for (std::size_t s = root_moves ? 1 : 0; s < slots; ++s) {
    RawJoint& joint = motion.joints[static_cast<std::size_t>(motion.moving[s])];
    const Travel travel = measure_travel(motion, s);
    joint.offset = travel.mean;
    if (travel.largest <= kNoticeableTravel * path) continue;
    dropped.push_back(joint.name);
    largest = std::max(largest, travel.largest);
  }
  if (!dropped.empty()) {
    motion.warnings.push_back(
        fmt::format("Bones that change their length are held at their mean, which moves joints by up to {:.1f} % of "
                    "the body's span: {}.",
                    100 * largest / path, list_names(dropped)));
  }
  if (root_moves) {
    for (std::size_t f = 0; f < motion.frames; ++f) motion.translations[f] = motion.translations[f * slots];
  }
  motion.translations.resize(root_moves ? motion.frames : 0);
  motion.moving.resize(root_moves ? 1 : 0);
}

}  // namespace

void put_translation_on_root(RawMotion& motion) {
  std::vector<motion::Joint> joints;
  for (const RawJoint& joint : motion.joints) joints.push_back({joint.name, joint.parent, joint.offset});
  const auto skeleton = motion::Skeleton::create(std::move(joints), motion.end_sites);
  if (!skeleton) return;  // the caller's own creation reports it
  const double path = longest_path(*skeleton);

  const std::vector<std::size_t> above = path_to(motion, find_carrier(motion, *skeleton));
  std::size_t deepest = 0;
  for (std::size_t i = 1; i < above.size(); ++i) {
    const auto joint = static_cast<int>(above[i]);
    if (std::find(motion.travelling.begin(), motion.travelling.end(), joint) != motion.travelling.end()) deepest = i;
    const auto moving = std::find(motion.moving.begin(), motion.moving.end(), joint);
    if (moving == motion.moving.end()) continue;
    const auto slot = static_cast<std::size_t>(moving - motion.moving.begin());
    if (measure_travel(motion, slot).largest > kConstant * path) deepest = i;
  }
  if (deepest > 0) cut_to_subtree(motion, {above.begin(), above.begin() + static_cast<std::ptrdiff_t>(deepest) + 1});
  fix_inner_joints(motion, path);
}

}  // namespace loom::io
