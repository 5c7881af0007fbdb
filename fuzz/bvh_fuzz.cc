// SPDX-License-Identifier: MIT
// Any bytes as a BVH file: the reader refuses them or makes a clip that is valid and can be mirrored, written and read
// again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <loom/io/bvh.h>
#include <loom/io/bvh_write.h>
#include <loom/io/raw_motion.h>
#include <loom/motion/mirror.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto raw = io::read_bvh(text, "fuzz.bvh");
  if (!raw) return 0;
  const auto read = io::normalise(std::move(*raw), {});
  if (!read) return 0;
  if (!motion::validate(read->clip)) std::abort();
  if (const auto mirrored = motion::mirror(read->clip); mirrored && !motion::validate(*mirrored)) std::abort();
  const auto written = io::format_bvh(read->clip);
  if (!written) return 0;  // an extreme rate
  const auto again = io::read_bvh(*written, "again.bvh");
  // Lengths near the largest number a file may hold can leave it by the change of unit; nothing else may fail.
  if (!again && again.error().message.find("a number up to") == std::string::npos) std::abort();
  if (again && again->joints.size() != read->clip.joints()) std::abort();
  return 0;
}
