// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/live/calibration_file.h>

namespace loom::live {

using nlohmann::json;

std::string calibration_text(const Calibration& calibration) {
  json sensors = json::array();
  for (const SensorMount& mount : calibration.mounts) {
    const Quat q = mount.in_t_pose;
    json sensor = {{"name", mount.name},
                   {"role", nullptr},
                   {"t_pose", {q.w, q.x, q.y, q.z}},
                   {"facing_degrees", mount.facing / kDegree},
                   {"drift_degrees", mount.drift / kDegree}};
    if (mount.role) sensor["role"] = character::role_name(*mount.role);
    sensors.push_back(std::move(sensor));
  }
  return json_text({{"loom_calibration", 1}, {"hip_height", calibration.hip_height}, {"sensors", std::move(sensors)}},
                   2) +
         "\n";
}

Result<Calibration> read_calibration(std::string_view text, const std::string& path) {
  const json read = parse_json(text, {8, 16384});
  if (!read.is_object() || !read.contains("loom_calibration") || !read.contains("sensors") ||
      !read["sensors"].is_array() || read["sensors"].size() > kMostParts) {
    return fail_as(ErrorKind::kBadInput, "this is no calibration: it needs \"loom_calibration\" and \"sensors\"", path);
  }
  Calibration calibration;
  const auto number = [](const json& object, const char* name) {
    const auto found = object.find(name);
    const double value = found != object.end() && found->is_number() ? found->get<double>() : 0;
    return std::isfinite(value) && std::fabs(value) < 1e6 ? static_cast<float>(value) : 0.0f;
  };
  calibration.hip_height = number(read, "hip_height");
  for (const json& sensor : read["sensors"]) {
    const auto wrong = [&](std::string_view what) {
      const std::string name = sensor.is_object() && sensor.contains("name") && sensor["name"].is_string()
                                   ? sensor["name"].get<std::string>()
                                   : fmt::format("number {}", calibration.mounts.size() + 1);
      return fail_as(ErrorKind::kBadInput, fmt::format("sensor {}: {}", name, what), path);
    };
    if (!sensor.is_object() || !sensor.contains("name") || !sensor["name"].is_string()) return wrong("it has no name");
    SensorMount mount{sensor["name"].get<std::string>(), {}, {}};
    if (mount.name.empty() || mount.name.size() > kLongestName) return wrong("the name is empty or too long");
    const auto role = sensor.find("role"), pose = sensor.find("t_pose");
    if (role != sensor.end() && !role->is_null()) {
      mount.role = role->is_string() ? character::find_role(role->get<std::string>()) : std::nullopt;
      if (!mount.role) return wrong("there is no such role; roles are hips, spine, chest, right_forearm and the like");
    }
    if (pose == sensor.end() || !pose->is_array() || pose->size() != 4) return wrong("t_pose has four numbers");
    float q[4] = {};
    for (std::size_t i = 0; i < 4; ++i) {
      if (!pose->at(i).is_number()) return wrong("t_pose has four numbers");
      q[i] = pose->at(i).get<float>();
    }
    mount.in_t_pose = {q[0], q[1], q[2], q[3]};
    if (!make_unit(mount.in_t_pose)) return wrong("t_pose is no rotation");
    mount.facing = number(sensor, "facing_degrees") * kDegree;
    mount.drift = number(sensor, "drift_degrees") * kDegree;
    calibration.mounts.push_back(std::move(mount));
  }
  return calibration;
}

}  // namespace loom::live
