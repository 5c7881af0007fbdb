// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/blend/blend_space.h>
#include <loom/blend/family/family.h>
#include <loom/library/library.h>
#include <loom/take/gather.h>

namespace loom::blend {

/// The kind of artefact a family is.
inline constexpr const char* kFamilyKind = "family";

/// Reads the motion of a family's members: a clip a member, called as it is described, standing on the floor of its
/// whole recording. Fails as `take::gather_again` does.
Result<take::Gathered> read_members(const library::Library& library, double rate, std::span<const FamilyMember> members,
                                    const Progress& progress = {});

/// Stores a family under `name`, in place of one of that name. `input_hash` is that of its members' recordings;
/// `parameters` says how it was built, as JSON.
Result<void> store_family(library::Library& library, const std::string& name, const Family& family,
                          const std::string& input_hash, const std::string& parameters);

/// Loads the family called `name`. Fails when there is none (naming those there are), when its bytes are damaged, or
/// when the library's clips have changed since it was built.
Result<StoredFamily> load_family(const library::Library& library, const std::string& name);

}  // namespace loom::blend
