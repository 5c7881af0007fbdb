// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/blend/align/alignment.h>
#include <loom/blend/blend_space.h>
#include <loom/blend/family/parameters.h>
#include <loom/blend/weights/weights.h>
#include <loom/library/library.h>
#include <loom/take/gather.h>

namespace loom::blend {

/// The kind of artefact a family is.
inline constexpr const char* kFamilyKind = "family";

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

/// The family as bytes, for the library. Same family, same bytes.
std::vector<std::byte> to_bytes(const Family& family);
/// Reads `to_bytes` back, believing nothing: sizes, ranges, numbers and curves are checked.
Result<Family> family_from_bytes(std::span<const std::byte> bytes);

/// Reads the motion of a family's members: a clip a member, called as it is described, standing on the floor of its
/// whole recording. Fails as `take::gather_again` does.
Result<take::Gathered> read_members(const library::Library& library, double rate, std::span<const FamilyMember> members,
                                    const Progress& progress = {});

/// A family out of a library, ready to be blended.
struct StoredFamily {
  std::shared_ptr<const Family> family;
  std::shared_ptr<const BlendSpace> space;  ///< the members' motion, aligned
  std::string parameters;                   ///< how it was built, as JSON
};

/// Stores a family under `name`, in place of one of that name. `input_hash` is that of its members' recordings;
/// `parameters` says how it was built, as JSON.
Result<void> store_family(library::Library& library, const std::string& name, const Family& family,
                          const std::string& input_hash, const std::string& parameters);

/// Loads the family called `name`. Fails when there is none (naming those there are), when its bytes are damaged, or
/// when the library's clips have changed since it was built.
Result<StoredFamily> load_family(const library::Library& library, const std::string& name);

}  // namespace loom::blend
