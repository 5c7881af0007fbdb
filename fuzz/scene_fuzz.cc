// SPDX-License-Identifier: MIT
// Any bytes as the answer of loom-assimp-worker: what a crashing Assimp may leave in the pipe never harms the library.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <loom/io/raw_motion.h>
#include <loom/io/scene_stream.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom;
  auto scene = io::scene_from_stream({reinterpret_cast<const char*>(data), size});
  if (!scene) return 0;
  auto motions = io::motions_of(std::move(*scene));
  if (!motions) return 0;
  for (io::RawMotion& motion : *motions) {
    const auto read = io::normalise(std::move(motion), {});
    if (read && !motion::validate(read->clip)) std::abort();
  }
  return 0;
}
