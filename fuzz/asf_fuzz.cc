// SPDX-License-Identifier: MIT
// Any bytes as an ASF skeleton: refused, or a tree with parents before children.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <loom/io/asf_amc.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom;
  const auto skeleton = io::read_asf({reinterpret_cast<const char*>(data), size}, "fuzz.asf");
  if (!skeleton) return 0;
  for (std::size_t b = 1; b < skeleton->bones.size(); ++b) {
    const int parent = skeleton->bones[b].parent;
    if (parent < 0 || parent >= static_cast<int>(b)) std::abort();
  }
  // A motion without a single bone exercises the joints made of any skeleton.
  const auto motion = io::read_amc("1\nroot 0 0 0 0 0 0\n", "fuzz.amc", *skeleton, 120);
  if (motion && motion->joints.size() != skeleton->bones.size()) std::abort();
  return 0;
}
