// SPDX-License-Identifier: MIT
// Any bytes as an AMC motion of a small skeleton: refused, or a valid clip.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <loom/io/asf_amc.h>

namespace {

constexpr std::string_view kSkeleton = R"(:units
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
:bonedata
  begin
    name thigh
    direction 0 -1 0
    length 7
    axis 0 0 20 ZYX
    dof rx ry rz
  end
  begin
    name shin
    direction 0 -1 0
    length 7
    axis 0 0 20 XYZ
    dof rx tx l
  end
  begin
    name foot
    direction 0 0 1
    length 2
    axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root thigh
    thigh shin
    shin foot
  end
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom;
  static const io::AsfSkeleton skeleton = io::read_asf(kSkeleton, "fuzz.asf").value();
  auto raw = io::read_amc({reinterpret_cast<const char*>(data), size}, "fuzz.amc", skeleton, 120);
  if (!raw) return 0;
  const auto read = io::normalise(std::move(*raw), {});
  if (read && !motion::validate(read->clip)) std::abort();
  return 0;
}
