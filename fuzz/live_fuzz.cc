// SPDX-License-Identifier: MIT
// Any bytes as packets of any protocol of live motion: they are refused, or give frames with bounded parts, unit
// rotations and finite places. The first byte chooses the protocol; packets follow, each led by its length (16 bits).
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <loom/live/decoder.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::live;
  if (size < 1) return 0;
  const auto all = protocols();
  const auto decoder = make_decoder(all[data[0] % all.size()].name);
  if (!decoder) std::abort();
  std::span<const std::byte> rest(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  for (int i = 0; rest.size() > 2 && i < 64; ++i) {
    std::size_t length = std::to_integer<std::size_t>(rest[0]) | std::to_integer<std::size_t>(rest[1]) << 8;
    rest = rest.subspan(2);
    length = length < rest.size() ? length : rest.size();
    const auto decoded = (*decoder)->take(rest.first(length), i % 3, 0.01 * i);
    rest = rest.subspan(length);
    if (!decoded) continue;
    for (const LiveFrame& frame : decoded->frames) {
      if (frame.parts.size() > kMostParts || !std::isfinite(frame.seconds)) std::abort();
      for (const LivePart& part : frame.parts) {
        if (!(std::fabs(dot(part.rotation, part.rotation) - 1) < 1e-2f)) std::abort();
        if (part.place && !is_place(*part.place)) std::abort();
        if (part.name.size() > kLongestName) std::abort();
      }
    }
  }
  return 0;
}
