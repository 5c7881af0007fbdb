// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <loom/live/calibration.h>

namespace loom::live {

/// A calibration as JSON: {"loom_calibration": 1, "hip_height": metres, "sensors": [{"name", "role" or null, "t_pose":
/// [w, x, y, z], "facing_degrees", "drift_degrees"}]}. People may put roles right by hand.
std::string calibration_text(const Calibration& calibration);
/// Reads one. Fails on what is none, and on a role, a rotation or a name that cannot be used, naming the sensor.
Result<Calibration> read_calibration(std::string_view text, const std::string& path);

}  // namespace loom::live
