// SPDX-License-Identifier: MIT
// Any bytes as the wishes of a fight: they are refused, or their frames ascend and they can be written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <loom/fight/fighter_wish.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::fight;
  const auto wishes = parse_wishes({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!wishes) return 0;
  for (std::size_t i = 1; i < wishes->size(); ++i) {
    if ((*wishes)[i].frame < (*wishes)[i - 1].frame) std::abort();
  }
  const auto again = parse_wishes(to_csv(*wishes), "again");
  if (!again || *again != *wishes) std::abort();
  return 0;
}
