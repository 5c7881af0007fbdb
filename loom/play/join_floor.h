// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>

#include <loom/base/math.h>
#include <loom/motion/contacts.h>
#include <loom/motion/skeleton.h>
#include <loom/motion/soles.h>
#include <loom/polish/foot.h>

namespace loom::play {

/// Keeps the feet of a body out of the floor while a join carries it from one motion to another.
///
/// Every joint of a leg goes its own way from one motion to the other (Inertializer), and the foot at its end goes
/// where that happens to put it: into the floor by a hand's breadth where one motion has it standing and the other
/// about to land. Here it goes hardly lower than it stands, than it was, and than the new motion has it, with its sole
/// from heel to toe tip; the leg gives way. Allocates nothing once made.
class JoinFloor {
 public:
  /// How a foot lies.
  struct Place {
    polish::FootPlace ends;
    float sole = 0;  ///< height of its lowest point in the world, metres
  };
  /// The feet of both sides.
  using Places = std::array<Place, 2>;

  /// `standing` is how high each part of the feet is while it stands, metres. A body without recognisable feet is left
  /// alone.
  JoinFloor(std::shared_ptr<const motion::Skeleton> skeleton, const std::array<float, motion::kFootParts>& standing);

  /// Whether the body has feet to be kept.
  [[nodiscard]] bool known() const { return feet_.has_value(); }
  /// How the feet of a pose lie.
  [[nodiscard]] Places places(Vec3 root, std::span<const Quat> rotations) const;
  /// A join begins at a pose of the old motion, as that has it; `again`: while another still shows.
  void begin(Vec3 root, std::span<const Quat> rotations, bool again);
  /// Lifts the feet of a pose that a join carries; `plain` is where the new motion has them.
  void keep(const Places& plain, Vec3 root, std::span<Quat> rotations) const;

 private:
  /// How low each end and the sole may be carried, metres.
  struct Lowest {
    float heel = 0, toe = 0, sole = 0;
  };
  [[nodiscard]] Place place_of(std::size_t side, Vec3 root, std::span<const Quat> rotations) const;
  void lift(std::size_t side, float floor, const polish::FootPlace& plain, Vec3 root, std::span<Quat> rotations) const;

  std::shared_ptr<const motion::Skeleton> skeleton_;
  std::optional<std::array<polish::Foot, 2>> feet_;
  motion::Soles soles_;
  std::array<Lowest, 2> standing_, lowest_;
};

}  // namespace loom::play
