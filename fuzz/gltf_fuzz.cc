// SPDX-License-Identifier: MIT
// Any bytes as a glTF file, binary or text: the reader refuses them or makes clips that are valid.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <loom/io/gltf_read.h>
#include <loom/io/raw_motion.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto motions = io::read_gltf(bytes, "fuzz.glb", "");
  if (!motions) return 0;
  for (io::RawMotion& motion : *motions) {
    const auto read = io::normalise(std::move(motion), {});
    if (read && !motion::validate(read->clip)) std::abort();
  }
  return 0;
}
