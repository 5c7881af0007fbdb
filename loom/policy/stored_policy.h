// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/library/library.h>
#include <loom/policy/policy.h>

namespace loom::policy {

inline constexpr const char* kPolicyKind = "policy";

/// Stores a policy under `name`, with `parameters` (JSON) telling how it was trained.
Result<void> store_policy(library::Library& library, const std::string& name, const Policy& policy,
                          const std::string& parameters);

/// Loads the policy called `name` with its fragments. Fails when there is none (naming those there are), and when the
/// clips or the fragments it was trained on have changed since, saying what changed.
Result<LoadedPolicy> load_policy(const library::Library& library, const std::string& name,
                                 const Progress& progress = {});

}  // namespace loom::policy
