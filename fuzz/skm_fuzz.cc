// SPDX-License-Identifier: MIT
// Any bytes as a SmartBody motion of a small skeleton: refused, or a valid clip.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <loom/io/smartbody.h>

namespace {

constexpr std::string_view kSkeleton = R"(# Units: cm
root base
{ offset 0 90 0
  channel XPos 0 free
  channel YPos 5 free
  channel ZPos 0 free
  channel Quat
  joint upper
  { offset 10 40 0
    prerot axis 0 0 1 ang 90
    channel Quat
    joint lower
    { offset 30 0 0
      channel YPos 0 lim -1 1
      channel Quat
    }
  }
}
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom;
  static const io::SkSkeleton skeleton = io::read_sk(kSkeleton, "fuzz.sk").value();
  auto raw = io::read_skm({reinterpret_cast<const char*>(data), size}, "fuzz.skm", skeleton);
  if (!raw) return 0;
  const auto read = io::normalise(std::move(*raw), {});
  if (read && !motion::validate(read->clip)) std::abort();
  return 0;
}
