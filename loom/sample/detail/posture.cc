// SPDX-License-Identifier: MIT
#include <loom/sample/detail/posture.h>

namespace loom::sample {

Posture standing_posture() {
  constexpr double kDeg = kDegree;
  Posture p;
  p[Channel::kPelvisPitch] = 2 * kDeg;
  p[Channel::kSpineFlex] = -1 * kDeg;
  p[Channel::kHeadPitch] = 4 * kDeg;
  p[Channel::kKneesOut] = 2 * kDeg;
  for (const Side side : {kLeft, kRight}) {
    p[arm_channel(Channel::kLeftArmFlex, side)] = -2 * kDeg;
    p[arm_channel(Channel::kLeftArmOut, side)] = 7 * kDeg;
    p[arm_channel(Channel::kLeftArmTwist, side)] = 12 * kDeg;
    p[arm_channel(Channel::kLeftElbow, side)] = 16 * kDeg;
    p[arm_channel(Channel::kLeftPronate, side)] = 8 * kDeg;
    p[arm_channel(Channel::kLeftWrist, side)] = 6 * kDeg;
  }
  return p;
}

}  // namespace loom::sample
