// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/motion/hand_contacts.h>
#include <loom/motion/kinematics.h>

namespace loom::motion {
namespace {

constexpr double kHandSpeedRate = 30;  ///< speeds are taken from one frame before to one after at this rate

/// Sets `bit` where the point rests at the height of the surface.
void find_resting(const WorldPoses& poses, std::size_t point, double rate, const HandContactOptions& options,
                  std::uint8_t bit, std::vector<std::uint8_t>& touching) {
  const auto step = std::max<std::size_t>(1, to_whole<std::size_t>(std::round(rate / kHandSpeedRate)));
  for (std::size_t f = 0; f < touching.size(); ++f) {
    const std::size_t before = f > step ? f - step : 0, after = std::min(f + step, touching.size() - 1);
    const Vec3 here = poses.position(f, point);
    const double seconds = static_cast<double>(std::max<std::size_t>(1, after - before)) / rate;
    const double speed =
        static_cast<double>(distance(poses.position(before, point), poses.position(after, point))) / seconds;
    if (std::abs(here.y - *options.height) <= options.reach && speed < static_cast<double>(options.slow)) {
      touching[f] |= bit;
    }
  }
}

}  // namespace

Result<std::vector<std::uint8_t>> find_hand_contacts(const Clip& clip, const HandContactOptions& options) {
  std::vector<std::uint8_t> touching(clip.frames());
  if (!options.label.empty()) {
    for (const Label& label : clip.labels) {
      if (label.name != options.label) continue;
      for (std::size_t f = label.begin; f < std::min(label.end, clip.frames()); ++f)
        touching[f] = kLeftHand | kRightHand;
    }
  }
  if (!options.height || touching.empty()) return touching;
  const Body body = find_body(*clip.skeleton);
  if (body.left_arm.end < 0 || body.right_arm.end < 0)
    return fail("the skeleton has no hands that could touch anything");
  const WorldPoses poses = forward_kinematics(clip);
  const auto hand = [](const Limb& arm) { return static_cast<std::size_t>(arm.tip >= 0 ? arm.tip : arm.end); };
  find_resting(poses, hand(body.left_arm), clip.rate, options, kLeftHand, touching);
  find_resting(poses, hand(body.right_arm), clip.rate, options, kRightHand, touching);
  return touching;
}

}  // namespace loom::motion
