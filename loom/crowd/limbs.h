// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <loom/crowd/flat.h>
#include <loom/crowd/walls.h>
#include <loom/motion/body_capsules.h>
#include <loom/motion/skeleton.h>

namespace loom::crowd {

/// How deep one is in another, and which way leads out of it.
struct Overlap {
  float depth = 0;  ///< metres; 0: they do not touch
  Flat out;         ///< of length one
};

/// The bodies of a crowd limb by limb: as each is shown, and as it would be shown next.
///
/// Middles that keep apart do not keep hands and feet apart. Who is about to take a pose asks here whether it would be
/// in somebody. Bodies are capsules (motion::BodyCapsules), those that cannot meet are told apart by boxes. Allocates
/// nothing once made.
class Limbs {
 public:
  /// Nothing where the skeleton is no human figure: nobody knows what room it takes.
  static std::optional<Limbs> create(const motion::Skeleton& skeleton, std::size_t bodies);

  /// What a body is about to look like. Different bodies may be placed at once.
  void place_next(std::size_t body, const motion::Skeleton& skeleton, Vec3 root, std::span<const Quat> rotations);
  /// It looks like that now.
  void take(std::size_t body);

  /// How deep the next pose of `one` is in `other` as it is now, or its present one is.
  [[nodiscard]] Overlap next_in(std::size_t one, std::size_t other) const;
  [[nodiscard]] Overlap now_in(std::size_t one, std::size_t other) const;
  /// The same of a wall, which is as high as anybody.
  [[nodiscard]] Overlap next_in(std::size_t one, const Wall& wall) const;
  [[nodiscard]] Overlap now_in(std::size_t one, const Wall& wall) const;

 private:
  struct Shape {
    std::span<const motion::Capsule> capsules;
    Vec3 low, high;  ///< a box around them
  };
  struct Boxes {
    std::vector<motion::Capsule> capsules;
    std::vector<Vec3> low, high;
  };
  explicit Limbs(motion::BodyCapsules figure) : figure_(std::move(figure)) {}
  [[nodiscard]] Shape shape(const Boxes& boxes, std::size_t body) const;
  static Overlap between(const Shape& one, const Shape& other);
  static Overlap between(const Shape& one, const Wall& wall);

  motion::BodyCapsules figure_;
  Boxes now_, next_;
  std::vector<Vec3> positions_;  ///< bodies × points
  std::vector<Quat> turns_;      ///< bodies × joints
};

}  // namespace loom::crowd
