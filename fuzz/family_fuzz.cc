// SPDX-License-Identifier: MIT
// A family from bytes nobody vouches for: it is refused, or it holds together, comes back as the same bytes, and its
// parameter space can be asked for weights.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include <loom/blend/family/family.h>
#include <loom/blend/weights/barycentric.h>
#include <loom/blend/weights/radial_basis.h>
#include <loom/blend/weights/triangulation.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::blend;
  const auto family = family_from_bytes(std::as_bytes(std::span(data, size)));
  if (!family) return 0;
  const auto again = family_from_bytes(to_bytes(*family));
  if (!again || to_bytes(*again) != to_bytes(*family)) std::abort();
  auto made = Triangulation::create(family->points());
  if (!made) return 0;
  const auto space = std::make_shared<const Triangulation>(std::move(*made));
  const Barycentric barycentric(space);
  const RadialBasis basis(space);
  std::vector<float> weights(family->members.size());
  for (std::size_t i = 0; i < family->members.size(); ++i) {
    barycentric.weigh(space->points()[i], Outside::kClamp, weights);
    basis.weigh(space->points()[i], Outside::kExtrapolate, weights);
    (void)family->alignment.curves[i].at(family->alignment.begin);
  }
  return 0;
}
