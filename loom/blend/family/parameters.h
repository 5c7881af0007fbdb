// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>
#include <loom/motion/ground_frame.h>

namespace loom::blend {

/// What a family varies in (Huang 2012 §4.4.1).
enum class FamilyKind : std::uint8_t {
  kReach,       ///< where a hand is at the stroke: x, y, z
  kPunch,       ///< the same of a punch
  kKick,        ///< where a foot is at the stroke: x, y, z
  kJump,        ///< how far, which way and how high: distance, direction, height
  kLocomotion,  ///< how fast ahead, turning and sideways: forward, turn, side
  kTable,       ///< what a table of the user's says
};
inline constexpr std::size_t kFamilyKinds = 6;

/// "reach", "punch", "kick", "jump", "locomotion" or "table".
const char* to_string(FamilyKind kind);
std::optional<FamilyKind> family_kind_named(std::string_view name);
/// The kind a label suggests: "kick-right" is a kick, "walk" and "run" are locomotion. Nothing where it says nothing.
std::optional<FamilyKind> guess_kind(std::string_view label);
/// Whether the parameters are the place of a joint at the stroke.
constexpr bool places_a_joint(FamilyKind kind) {
  return kind == FamilyKind::kReach || kind == FamilyKind::kPunch || kind == FamilyKind::kKick;
}

/// One number a family varies in.
struct FamilyParameter {
  std::string name;  ///< "x", "distance", "turn"
  std::string unit;  ///< "m", "deg", "m/s", "deg/s"; empty for a table's

  friend bool operator==(const FamilyParameter&, const FamilyParameter&) = default;
};

/// The space of a family's parameters: their names, and the coordinates in which distances between them mean something.
///
/// Coordinates are metres, metres a second and radians a second; a jump's distance and direction become metres ahead
/// and to the left, so that 179 and -179 degrees are neighbours and a jump on the spot has no direction. A table's
/// columns are scaled to a spread (standard deviation) of one.
struct ParameterSpace {
  FamilyKind kind = FamilyKind::kTable;
  std::vector<FamilyParameter> parameters;
  std::vector<double> scales;  ///< coordinates a unit of each parameter (before a jump's change to metres)

  [[nodiscard]] std::size_t size() const { return parameters.size(); }
  /// Parameters as a user gives them to coordinates, and back. Both have size() numbers.
  void to_coordinates(std::span<const double> values, std::span<double> coordinates) const;
  void to_values(std::span<const double> coordinates, std::span<double> values) const;

  friend bool operator==(const ParameterSpace&, const ParameterSpace&) = default;
};

/// The space of one of the kinds computed from motion (all but kTable).
ParameterSpace space_of(FamilyKind kind);

/// The moments of a motion that parameters are read at, in seconds.
struct Moments {
  double begin = 0;
  std::optional<double> stroke;  ///< the touch of a reach, the highest point of a jump
  double end = 0;
};

/// Measures the coordinates of a motion of this kind: of an example and of a blended motion alike. `joint` is the one
/// placed, for kinds that place one. The floor must be y = 0 (positions and heights count from it).
///
/// Reach, punch, kick: the joint at the stroke, seen from the character's ground frame at the beginning. Jump: where
/// the end stands seen from the beginning, and how much higher the root gets than it is at the beginning. Locomotion:
/// the way ahead, the turn and the way sideways, each seen from the character at that moment, over the time they take.
///
/// Fails on a kind of table, on moments outside the clip or out of order, and on a joint that is not there.
Result<std::vector<double>> measure_coordinates(FamilyKind kind, const motion::Clip& clip, const Moments& moments,
                                                int joint);

/// A table of parameters as people keep it.
struct UserTable {
  std::vector<std::string> names;  ///< of the parameters, the columns but the first
  std::vector<std::string> clips;  ///< of each row
  std::vector<double> values;      ///< rows × names
};

/// Reads a CSV file: the first line names the columns, the first column is the clip's name, the rest are numbers. Fails
/// with the line and what is wrong: not a number, NaN, a missing cell, a clip twice.
Result<UserTable> read_parameter_table(const std::string& path);
Result<UserTable> parse_parameter_table(std::string_view text, const std::string& path);

}  // namespace loom::blend
