// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/character/human_body.h>
#include <loom/motion/body.h>
#include <loom/motion/clip.h>

namespace loom::character {

struct TransferOptions {
  /// Feet follow the scaled paths of the source's feet (Huang 2012 §8.4.2); else rotations alone are carried over.
  bool feet = true;
  /// Hands that are near to each other, to the head, the trunk or the thighs stay there: clapping stays clapping.
  bool hands = false;
  /// Height in the world on which the soles of the source stand, metres (`sole_floor`). Those of the target stand on 0.
  float floor = 0;
};

/// Carries motion from one body to another, pose by pose (Huang 2012 §8.4).
///
/// Every part of the target is turned in the world as that of the source, both compared with the canonical body
/// (`HumanBody::frames`), whatever the joints between them. A trunk or neck with more or fewer joints shares the bend
/// out; twist joints take their share of the twist along their bone. The way over the floor is scaled by the length of
/// the legs.
///
/// Feet go where those of the source go, scaled alike: what stands still there stands still here. A foot of other
/// proportions rolls over its own heel and its own ball. The hips are lifted or lowered by what keeps the legs that
/// carry as straight as they are in the source, so that no knee pops; then two bones are bent to the ankle. All of it
/// depends on the one pose alone: nothing is remembered, so poses may come in any order, and what is smooth in the
/// source is smooth here.
///
/// Knees, hips, back, shoulders and head that come down to the floor do not sink into it, and hands and elbows rest on
/// it as the source's do.
///
/// Allocates nothing once made; a few microseconds a pose. Not for several threads at once: copy it.
class Transfer {
 public:
  /// By how much a pose leaves what scaling alone makes of it, so that feet stand and legs are as straight as the
  /// source's. Metres.
  struct Corrections {
    std::array<Vec3, 2> ankles;  ///< left and right, from where the source's are on the target's scale
    float lift = 0;              ///< of the hips above their scaled path; mostly below 0
    float floor = 0;             ///< how much further the floor lifts the body; feet in the air go along
  };

  static Transfer between(const HumanBody& from, const HumanBody& to, const TransferOptions& options = {});

  /// Carries one pose over. `rotations` has one a joint of the source, `to` room for one a joint of the target.
  void apply(Vec3 root, std::span<const Quat> rotations, Vec3& to_root, std::span<Quat> to);

  /// The same in steps, for whoever knows the poses before and after. The first turns all parts and has the hips on
  /// their scaled path; it returns what this pose alone wants corrected.
  Corrections begin(Vec3 root, std::span<const Quat> rotations, Vec3& to_root, std::span<Quat> to);
  /// By how much the hips of the pose begun have to be lifted for ankles that are corrected so, metres. Hips that are
  /// lower bend knees more than the source's; higher ones stretch them.
  [[nodiscard]] float lift_for(const std::array<Vec3, 2>& ankles) const;
  /// The rest of the pose begun, corrected so. Returns by how much the floor lifted it further: 0 for who stands.
  float finish(const Corrections& corrections, Vec3& to_root, std::span<Quat> to);

  /// The length of the target's legs over that of the source's: ways and speeds are scaled by it.
  [[nodiscard]] float scale() const { return scale_; }
  [[nodiscard]] const HumanBody& from() const { return from_; }
  [[nodiscard]] const HumanBody& to() const { return to_; }

 private:
  /// Where a joint of the target gets its turn from: between two joints of the source.
  struct Drive {
    int joint = 0;
    int a = 0, b = 0;  ///< joints of the source
    float share = 0;   ///< of b
    Quat from_a, from_b, to;
  };
  /// A twist joint: its place along the bone, and what it is shared between.
  struct Twist {
    int joint = 0;
    int bone = 0;  ///< the joint whose bone it lies on
    int other =
        0;      ///< the one that turns against it: the next joint outwards for a forearm, the parent for an upper arm
    Vec3 axis;  ///< along the bone
    float share = 0;
  };
  /// A leg of the source and that of the target, and what their feet need.
  struct Leg {
    bool bends = false;
    motion::Limb from, to;
    FootShape from_foot, to_foot;
    float from_length = 0, to_length = 0;
    Vec3 longer;  ///< by how much the target's foot reaches further forward than the scaled source's
  };

  /// What a foot of the pose at hand needs.
  struct Foot {
    Vec3 scaled;         ///< where the source's ankle is, on the target's scale
    Vec3 ankle;          ///< where it belongs for this foot to stand as the source's does
    Vec3 hip;            ///< where the leg begins while the hips are on their scaled path
    float least = 0;     ///< height of the ankle at which its sole is on the floor
    float sunk = 0;      ///< by how much the floor raises the ankle
    float followed = 0;  ///< how much of that the hips follow
    float hold = 0;      ///< how firmly it is bound to its place
    float standing = 0;  ///< height of hip over ankle as the source has it, on this leg
    float carries = 0;   ///< how much of the body it carries
  };

  /// An arm, and what its hand may touch.
  struct Arm {
    bool bends = false;
    motion::Limb from, to;
    float from_length = 0, to_length = 0;
  };
  /// A part that may come to lie on the floor: a joint on both bodies.
  struct Rest {
    int from = 0, to = 0;
    float thick = 0;  ///< how high the joint of the target is at most while the part touches the floor, metres
  };
  /// A part of the body that a hand may touch: a capsule between two joints, on both bodies.
  struct Touched {
    int from_a = 0, from_b = 0, to_a = 0, to_b = 0;
    float scale = 1;  ///< how much further from the line the surface of the target is
  };

  Transfer(HumanBody from, HumanBody to, const TransferOptions& options);
  void add_drives();
  void add_drive(int joint, int a, int b, float share);
  void add_chain(const std::vector<int>& chain, const std::vector<int>& source, int below, int above);
  void add_twists();
  void add_legs();
  void turn_parts(std::span<Quat> to);
  void place_root(Vec3& to_root, std::span<const Quat> to);
  [[nodiscard]] Vec3 on_target(Vec3 place) const;
  [[nodiscard]] float hold_of(const Leg& leg) const;
  [[nodiscard]] float floor_under(const Leg& leg) const;
  [[nodiscard]] static float ankle_height(const Leg& leg, Quat part);
  [[nodiscard]] Vec3 ankle_of(const Leg& leg, float hold) const;
  [[nodiscard]] Vec3 eased(const Leg& leg, Vec3 ankle, Vec3 hip, float wanted, float hold) const;
  [[nodiscard]] Vec3 knee_axis(const Leg& leg, Vec3 to_root, std::span<const Quat> to) const;
  void find_feet(Vec3 to_root, std::span<const Quat> to);
  [[nodiscard]] static Vec3 ankle_at(const Foot& foot, Vec3 correction);
  void place_feet(Vec3 to_root, std::span<Quat> to);
  void bend_leg(std::size_t side, Vec3 to_root, std::span<Quat> to) const;
  void add_rests();
  [[nodiscard]] float on_floor(float height) const;
  [[nodiscard]] float sunk() const;
  float keep_above(Vec3& to_root, std::span<Quat> to);
  void rest_arm(std::size_t side, Vec3 to_root, std::span<Quat> to);
  void level_sole(const Leg& leg, Vec3 to_root, std::span<Quat> to) const;
  void raise_toes(const Leg& leg, Vec3 to_root, std::span<Quat> to) const;
  void add_arms();
  void add_touched(int from_a, int from_b, int to_a, int to_b, float scale);
  void place_hands(Vec3 to_root, std::span<Quat> to);
  void share_twists(std::span<Quat> to);

  HumanBody from_, to_;
  TransferOptions options_;
  float scale_ = 1;
  std::vector<Drive> drives_;
  std::vector<Twist> twists_;
  std::vector<int> after_twists_;  ///< twist joints and what hangs from them, parents first
  std::array<Leg, 2> legs_;
  std::array<Arm, 2> arms_;
  std::vector<Touched> touched_;
  std::vector<Rest> rests_;  ///< of trunk, head and knees
  Vec3 hips_to_middle_;      ///< of the target: from the hips to the middle between its hip joints, at rest
  // Of the pose at hand.
  std::array<Foot, 2> placed_{};
  std::array<Vec3, 2> ankles_;     ///< where the target's are put
  std::array<float, 2> wanted_{};  ///< from hip to ankle, metres, for legs as straight as the source's
  std::vector<Vec3> from_positions_, to_positions_;
  std::vector<Quat> from_world_, to_world_;
};

/// A whole clip carried over, under its name and with its labels. All its poses are known, so that what one of them
/// asks of hips and ankles is made ready for before and let go after it, by up to a quarter of a second: what stands is
/// carried as `Transfer::apply` does, what moves is smoother. Fails when `progress` asks to stop.
Result<motion::Clip> transfer_clip(Transfer& transfer, const motion::Clip& clip, const Progress& progress = {});

}  // namespace loom::character
