// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <optional>

#include <loom/motion/contacts.h>
#include <loom/motion/told_feet.h>

namespace loom::motion {
namespace {

struct Told {
  std::string_view label;
  std::uint8_t feet;
};

constexpr std::array<Told, 4> kTold = {
    {{"feet-none", 0}, {"feet-left", kLeftFoot}, {"feet-right", kRightFoot}, {"feet-both", kLeftFoot | kRightFoot}}};

std::optional<std::uint8_t> feet_told_by(std::string_view label) {
  const auto found = std::find_if(kTold.begin(), kTold.end(), [&](const Told& told) { return told.label == label; });
  if (found == kTold.end()) return std::nullopt;
  return found->feet;
}

}  // namespace

bool tells_feet(std::string_view label) { return feet_told_by(label).has_value(); }

void apply_told_feet(std::span<const Label> labels, std::span<std::uint8_t> planted) {
  for (const Label& label : labels) {
    const auto told = feet_told_by(label.name);
    if (!told) continue;
    for (std::size_t f = label.begin; f < std::min(label.end, planted.size()); ++f) {
      for (const std::uint8_t foot : {kLeftFoot, kRightFoot}) {
        const bool stands = (planted[f] & foot) != 0, should = (*told & foot) != 0;
        if (stands != should) planted[f] = static_cast<std::uint8_t>(planted[f] ^ (should ? foot : planted[f] & foot));
      }
    }
  }
}

void drop_told_feet(std::vector<Label>& labels) {
  std::erase_if(labels, [](const Label& label) { return tells_feet(label.name); });
}

}  // namespace loom::motion
