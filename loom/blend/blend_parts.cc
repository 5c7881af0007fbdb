// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/blend/blend_parts.h>

namespace loom::blend {

std::vector<BlendPart> parts_at(const BlendSpace& space, std::span<const float> weights, double u) {
  constexpr float kNothing = 0.005f;  // less than is ever seen
  const Alignment& alignment = space.alignment();
  const double reference = alignment.begin + std::clamp(u, 0.0, 1.0) * (alignment.end - alignment.begin);
  std::vector<BlendPart> parts;
  for (std::size_t c = 0; c < std::min(weights.size(), space.size()); ++c) {
    if (std::abs(weights[c]) < kNothing) continue;
    const motion::Clip& clip = space.clips()[c];
    const double seconds = std::clamp(alignment.curves[c].at(reference), 0.0, clip.duration());
    parts.push_back(
        {{static_cast<std::uint32_t>(c), to_whole<std::uint32_t>(std::round(seconds * clip.rate))}, weights[c]});
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const BlendPart& a, const BlendPart& b) { return std::abs(a.share) > std::abs(b.share); });
  return parts;
}

}  // namespace loom::blend
