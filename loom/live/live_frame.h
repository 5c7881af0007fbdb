// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/character/role.h>

namespace loom::live {

/// The most parts one frame may have; a body with fingers and face has about sixty.
inline constexpr std::size_t kMostParts = 256;
/// The longest name of a part or a sensor that is kept, bytes.
inline constexpr std::size_t kLongestName = 64;
/// No place is farther from the origin than this, metres; what says so is broken.
inline constexpr float kFarthestPlace = 1e4f;

/// What a gyroscope, an accelerometer and a magnetometer say, in the sensor's own axes.
struct Inertial {
  Vec3 turn_rate;                ///< radians a second
  Vec3 acceleration;             ///< metres a second², gravity among it: at rest it points up
  std::optional<Vec3> magnetic;  ///< of any unit, always the same
};

/// One part of a body, or one sensor, at one instant.
struct LivePart {
  std::string name;                     ///< as the sender calls it
  std::optional<character::Role> role;  ///< where the sender's name says which part it is
  Quat rotation;                        ///< in the world, of unit length; Y up, right-handed
  std::optional<Vec3> place{};          ///< in the world, metres
  std::optional<Inertial> inertial{};   ///< of a raw sensor: then `rotation` is made of it here
};

/// What a source says of one instant, whatever the protocol it speaks: rotations in the world, Y up, right-handed,
/// metres, seconds.
struct LiveFrame {
  double seconds = 0;      ///< by the sender's clock, where `stamped`; else when it came
  bool stamped = false;    ///< the sender says when
  bool canonical = false;  ///< every rotation is the identity in a T-pose that looks along +Z: nothing to calibrate
  std::optional<std::uint64_t> number{};  ///< the sender counts its frames
  std::vector<LivePart> parts;
};

/// Whether a rotation from outside can be used: finite and not zero. It is made of unit length.
bool make_unit(Quat& rotation);
/// Whether a place can be: finite and not beyond kFarthestPlace.
bool is_place(Vec3 place);

/// Axes that senders use, and ours. A rotation is carried over by changing the axes on both sides of it; the §9.3.2
/// pre- and post-rotations of Huang 2012, 120 degrees about (-1, 1, 1) and back, are those of `kSouthEastUp`.
enum class Axes : std::uint8_t {
  kOurs,          ///< Y up, right-handed; who looks along +Z has his left at +X
  kUnity,         ///< Y up, left-handed; looks along +Z, his right at +X
  kSouthEastUp,   ///< Z up, right-handed: X south, Y east (Huang 2012 §9.3)
  kEastNorthUp,   ///< Z up, right-handed: X east, Y north
  kNorthWestUp,   ///< Z up, right-handed: X forward, Y left (Xsens)
  kZUpBackwards,  ///< Z up, right-handed: X right, looking along +Y with Y towards -Z (SlimeVR): -90 degrees about X
};

/// A rotation, or a vector, given in `axes`, in ours.
Quat to_ours(Axes axes, Quat rotation);
Vec3 to_ours(Axes axes, Vec3 vector);

}  // namespace loom::live
