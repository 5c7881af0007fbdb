// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/blend/align/alignment.h>
#include <loom/blend/blend_space.h>
#include <loom/blend/family/parameters.h>
#include <loom/blend/weights/weights.h>
#include <loom/take/stretch.h>

namespace loom::blend {

/// One example of a family: a stretch of a clip of the library, at the family's rate.
struct FamilyMember : take::Stretch {
  std::optional<double> stroke;  ///< seconds from `begin`

  friend bool operator==(const FamilyMember&, const FamilyMember&) = default;
};

/// Clips that do the same thing in different ways, and the space of parameters they differ in (Huang 2012 §4.4.1): what
/// motions of any parameters in between are blended from. Immutable once built; the motion itself stays in the library.
struct Family {
  double rate = 30;  ///< frames a second of all members and of what is made
  ParameterSpace space;
  int joint = -1;  ///< the joint placed, for kinds that place one
  std::vector<FamilyMember> members;
  std::vector<double> values;  ///< members × parameters, in the units of the space
  Alignment alignment;

  /// The parameters of a member.
  [[nodiscard]] std::span<const double> values_of(std::size_t member) const {
    return {values.data() + member * space.size(), space.size()};
  }
  /// The members as points of parameter space, in coordinates.
  [[nodiscard]] ExamplePoints points() const;
};

/// A family out of a library, ready to be blended.
struct StoredFamily {
  std::shared_ptr<const Family> family;
  std::shared_ptr<const BlendSpace> space;  ///< the members' motion, aligned
  std::string parameters;                   ///< how it was built, as JSON
};

/// The family as bytes, for the library. Same family, same bytes.
std::vector<std::byte> to_bytes(const Family& family);
/// Reads `to_bytes` back, believing nothing: sizes, ranges, numbers and curves are checked.
Result<Family> family_from_bytes(std::span<const std::byte> bytes);

}  // namespace loom::blend
