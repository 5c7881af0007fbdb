// SPDX-License-Identifier: MIT
// Any bytes as a SmartBody skeleton: refused, or a valid clip of one frame at rest.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <loom/io/smartbody.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom;
  const auto skeleton = io::read_sk({reinterpret_cast<const char*>(data), size}, "fuzz.sk");
  if (!skeleton) return 0;
  const auto read = io::normalise(io::rest_motion(*skeleton, "fuzz.sk"), {});
  if (read && !motion::validate(read->clip)) std::abort();
  return 0;
}
