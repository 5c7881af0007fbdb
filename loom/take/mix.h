// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/body.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/mass_centre.h>
#include <loom/take/take_set.h>

namespace loom::take {

/// Frames of two clips that belong together; they need not be whole.
struct FrameMatch {
  float a = 0, b = 0;

  friend bool operator==(const FrameMatch&, const FrameMatch&) = default;
};

/// Motion between two clips of a set, computed when it is asked for and never stored (the interpolated motions of
/// well-connected graphs, Zhao 2009 §4.1.1): clip b is carried to where clip a lies, both are played along a time map,
/// and the poses are mixed with one weight throughout. Nothing of it is as large as a frame: memory grows with the
/// knots of its time map.
struct Mix {
  std::uint32_t a = 0, b = 0;     ///< clips of the set
  float weight = 0;               ///< of b, in [0, 1]
  motion::GroundFrame alignment;  ///< carries b's coordinates into a's
  /// The time map, straight between its knots: two at least, each later than the one before in both clips. What lies
  /// between two knots lasts √((1 - w)·a² + w·b²) (Zhao 2009 §4.1.1, after Safonova & Hodgins 2005): two bodies that
  /// fall at g, mixed so, fall at g.
  std::vector<FrameMatch> knots;

  /// How many frames it has: at weight 0 it lasts as long as its stretch of a, at weight 1 as long as that of b.
  [[nodiscard]] std::uint32_t frames() const;
  /// The frames of the two clips that make up a frame of it, which need not be whole. O(knots).
  [[nodiscard]] FrameMatch at(double frame) const;
  /// Where in it a frame of its first clip, or of its second, lies, clamped to its time map: inverses of `at`.
  /// O(knots).
  [[nodiscard]] double frame_of_a(double frame) const { return frame_of(frame, &FrameMatch::a); }
  [[nodiscard]] double frame_of_b(double frame) const { return frame_of(frame, &FrameMatch::b); }

  friend bool operator==(const Mix& p, const Mix& q) {
    return p.a == q.a && p.b == q.b && p.weight == q.weight && p.alignment.x == q.alignment.x &&
           p.alignment.z == q.alignment.z && p.alignment.heading == q.alignment.heading && p.knots == q.knots;
  }

 private:
  [[nodiscard]] double frame_of(double frame, float FrameMatch::*in) const;
};

/// What a mix of clips with these titles is called: "walk × run (0.3)".
std::string mixed_name(std::string_view title_of_a, std::string_view title_of_b, float weight);

/// What is wrong with a mix of clips that have so many frames; empty when nothing is.
std::string find_fault(const Mix& mix, std::span<const std::uint32_t> clip_frames);

/// What a pose has beside its rotations.
struct MixedPose {
  Vec3 root;
  std::uint8_t planted = 0;  ///< as in motion::Contacts: what both clips have planted
};

/// Computes mixed poses, in the coordinates of clip a (Zhao 2009 §4.1.1, after Safonova & Hodgins 2005). Joints are
/// mixed along great circles; feet and the centre of mass along lines, and the root and the legs follow from those:
/// what stands still in both clips stands still between them, what falls in both falls. Where a leg that stands does
/// not reach both, its foot comes before the centre of mass. A leg that swings turns hardly beyond what it does in the
/// clips: between a knee drawn up and a leg kicked out, a foot on the line would ask for it.
class Mixer {
 public:
  /// For mixes of the clips `set` has now; it must stay where it is. Fails on a body without legs or feet, saying what
  /// is missing.
  static Result<Mixer> create(const TakeSet& set);

  /// Computes one frame of `mix`. `rotations` has room for the skeleton's joints. O(joints + knots); allocates nothing.
  /// Not to be called by two threads at once: each has its own copy.
  MixedPose pose(const Mix& mix, std::uint32_t frame, std::span<Quat> rotations);
  /// All frames as a clip, with the labels both clips carry at every moment, and its contacts.
  void make(const Mix& mix, motion::Clip& clip, motion::Contacts& contacts);

 private:
  /// A leg, the point its toe is, and in every frame of every clip what of the foot is held: 0 its ankle, 1 its toe. A
  /// foot rolls over one and then the other.
  struct Leg {
    motion::Limb limb;
    std::size_t ankle = 0, toe = 0;
    std::uint8_t heel_bit = 0, toe_bit = 0;
    std::optional<Vec3> hinge;
    std::shared_ptr<const std::vector<std::vector<float>>> toe_share;
  };
  /// A pose and where its points are.
  struct Posed {
    Vec3 root;
    std::vector<Quat> rotations, world;
    std::vector<Vec3> positions;
  };

  explicit Mixer(const TakeSet& set) : set_(&set) {}
  void find_points(Posed& pose) const;
  void read(const motion::Clip& clip, double frame, const motion::GroundFrame& by, Posed& pose) const;
  /// Where the ankle of a mixed foot is to be, and how the foot is to be turned.
  struct FootGoal {
    Vec3 ankle;
    Quat turn;
    bool stands = false;
  };
  [[nodiscard]] FootGoal goal_of(const Leg& leg, const Mix& mix, FrameMatch at, std::uint8_t planted) const;
  void place(const Leg& leg, const FootGoal& goal, float weight);
  void keep_between(const motion::Limb& limb, float weight);

  const TakeSet* set_;
  std::array<Leg, 2> legs_;
  std::optional<motion::MassCentre> mass_;
  Posed a_, b_, mixed_;
};

/// The labels that both clips of a mix carry: at every moment of it what is done in one is done in the other.
std::vector<motion::Label> mixed_labels(const Mix& mix, std::span<const motion::Label> of_a,
                                        std::span<const motion::Label> of_b);

/// Appends the mixes to a set as clips: what plays a set needs not know of them. They have no stretches. On all cores.
Result<void> append_mixes(TakeSet& set, std::span<const Mix> mixes);

}  // namespace loom::take
