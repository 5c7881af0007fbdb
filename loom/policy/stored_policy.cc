// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <loom/policy/stored_fragments.h>
#include <loom/policy/stored_policy.h>

namespace loom::policy {

Result<void> store_policy(library::Library& library, const std::string& name, const Policy& policy,
                          const std::string& parameters) {
  return library.put_artefact({kPolicyKind, name, 0, parameters, policy.fragments_hash, {}, 0}, to_bytes(policy));
}

Result<LoadedPolicy> load_policy(const library::Library& library, const std::string& name, const Progress& progress) {
  const auto artefact = library.get_artefact(kPolicyKind, name);
  if (!artefact) return fail_from(artefact);
  auto policy = policy_from_bytes(artefact->data);
  if (!policy)
    return fail_because(policy.error().or_kind(ErrorKind::kDamaged),
                        fmt::format("policy '{}': {}", name, policy.error().message), library.path());
  auto fragments = load_fragments(library, policy->fragments, progress);
  if (!fragments) return fail_from(fragments);
  if (fragments->hash != policy->fragments_hash || fragments->set->size() != policy->solution.states) {
    return fail(
        fmt::format("the fragments '{}' were cut anew since the policy '{}' was trained on them; train it again",
                    policy->fragments, name),
        library.path());
  }
  return LoadedPolicy{std::make_shared<Policy>(std::move(*policy)), std::move(*fragments)};
}

}  // namespace loom::policy
