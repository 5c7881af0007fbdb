// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace loom::motion {

enum class Side { kMiddle, kLeft, kRight };

/// A joint's name taken apart: "mixamorig:LeftUpLeg", "Bip01 L Thigh" and "DEF-thigh.L" all say which side, and which
/// part in the words of their maker. Twist bones, controls and props keep their own words ("thightwist", "ikfoot") and
/// so are never taken for the joint itself.
struct JointName {
  Side side = Side::kMiddle;
  std::string word;  ///< lower case, without side, digits, rig prefixes and filler: "upleg", "thigh", "toe"
  std::string key;   ///< lower case, all but the side; equal for a joint and its counterpart on the other side
};

JointName parse_joint_name(std::string_view name);

/// How well a word fits each of the four places of a limb (upper, middle, end, tip); 0 where it does not fit at all.
/// Words differ between makers: "foot" is the ankle in most rigs but the ball of the foot below SMPL's "ankle", and
/// "shoulder" is the collarbone where there is an "arm" below it. The best chain as a whole decides.
using LimbFit = std::array<int, 4>;

LimbFit leg_fit(std::string_view word);
LimbFit arm_fit(std::string_view word);

bool is_hips_word(std::string_view word);
bool is_neck_word(std::string_view word);
bool is_head_word(std::string_view word);

}  // namespace loom::motion
