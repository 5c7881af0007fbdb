// SPDX-License-Identifier: MIT
// Any bytes as fragments or as a policy: refused, or every decision leads somewhere and every bin is a control.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include <loom/policy/fragments.h>
#include <loom/policy/policy.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::policy;
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  if (const auto set = fragments_from_bytes(bytes)) {
    for (std::size_t i = 0; i < set->size(); ++i) {
      if (set->describe(i).empty()) std::abort();
    }
    if (!fragments_from_bytes(to_bytes(*set))) std::abort();
  }
  if (const auto policy = policy_from_bytes(bytes)) {
    for (std::uint32_t s = 0; s < policy->solution.states; ++s) {
      for (std::size_t c = 0; c < policy->space.bins.size(); ++c) {
        if (policy->next(s, c) >= policy->solution.states) std::abort();
      }
    }
  }
  return 0;
}
