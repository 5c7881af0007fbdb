// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/character/map_file.h>

namespace loom::character {
namespace {

constexpr float kSure = 0.7f;  ///< below this a line says that it should be looked at

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

/// Whether a joint can be told by its name: no other has it, and it would come back from a file as it is.
bool is_plain(const motion::Rig& rig, const std::string& name) {
  if (name.empty() || name[0] == '@' || trimmed(name) != name) return false;
  if (name.find_first_of("\n\r") != std::string::npos) return false;
  return std::count_if(rig.joints.begin(), rig.joints.end(), [&](const auto& j) { return j.name == name; }) == 1;
}

std::optional<int> numbered(const motion::Rig& rig, std::string_view text) {
  if (!text.starts_with('@')) return std::nullopt;
  int number = -1;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
  if (static_cast<std::size_t>(number) >= rig.joints.size()) return std::nullopt;
  return number;
}

Result<int> find_joint(const motion::Rig& rig, const MapLine& line, const std::string& file) {
  if (const std::optional<int> number = numbered(rig, line.joint)) return *number;  // even if another is called so
  int found = -1;
  for (std::size_t j = 0; j < rig.joints.size(); ++j) {
    if (rig.joints[j].name != line.joint) continue;
    if (found >= 0) {
      return fail(fmt::format("several joints are called {}; write @{} for the first", in_quotes(line.joint), found),
                  file, line.line);
    }
    found = static_cast<int>(j);
  }
  if (found >= 0) return found;
  return fail(fmt::format("the character has no joint {}", in_quotes(line.joint)), file, line.line);
}

}  // namespace

Result<MapFile> read_map(std::string_view text, const std::string& file) {
  MapFile map{file, {}};
  std::array<std::size_t, kRoles> seen{};
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const std::size_t sign = line.find('=');
    if (sign == std::string_view::npos) {
      return fail(fmt::format("expected 'role = joint', found {}", in_quotes(line)), file, number);
    }
    const std::string_view name = trimmed(line.substr(0, sign));
    const std::optional<Role> role = find_role(name);
    if (!role) return fail(fmt::format("there is no role {}", in_quotes(name)), file, number);
    std::size_t& before = seen[static_cast<std::size_t>(*role)];
    if (before > 0) return fail(fmt::format("{} was said in line {} already", name, before), file, number);
    before = number;
    map.lines.push_back({*role, std::string(trimmed(line.substr(sign + 1))), number});
  }
  return map;
}

Result<JointMap> put_right(JointMap map, const motion::Rig& rig, const MapFile& by_hand) {
  std::array<std::size_t, kRoles> said{};  // the line
  for (const MapLine& line : by_hand.lines) {
    said[static_cast<std::size_t>(line.role)] = line.line;
    map.of(line.role) = {};
    if (line.joint.empty()) continue;
    const Result<int> joint = find_joint(rig, line, by_hand.file);
    if (!joint) return fail_from(joint);
    map.of(line.role) = {*joint, 1};
  }
  for (std::size_t r = 0; r < kRoles; ++r) {
    for (std::size_t other = 0; other < kRoles; ++other) {
      if (r == other || said[r] == 0 || map.joints[r].joint < 0 || map.joints[r].joint != map.joints[other].joint)
        continue;
      if (said[other] == 0) {
        map.joints[other] = {};  // what was found gives way to what was said
      } else {
        return fail(fmt::format("joint {} is {} already, in line {}",
                                in_quotes(rig.joints[static_cast<std::size_t>(map.joints[r].joint)].name),
                                kRoleNames[r], std::min(said[r], said[other])),
                    by_hand.file, std::max(said[r], said[other]));
      }
    }
  }
  // What has a role by now is no twist joint and no finger.
  const auto has_role = [&](int joint) {
    return std::any_of(map.joints.begin(), map.joints.end(), [&](const MappedJoint& m) { return m.joint == joint; });
  };
  std::erase_if(map.twists, [&](const TwistJoint& twist) { return has_role(twist.joint); });
  std::erase_if(map.fingers, [&](const FingerJoint& finger) { return has_role(finger.joint); });
  constexpr std::array<Role, 5> kLeast = {Role::kHips, Role::kLeftThigh, Role::kRightThigh, Role::kLeftUpperArm,
                                          Role::kRightUpperArm};
  const bool whole = std::all_of(kLeast.begin(), kLeast.end(), [&](Role role) { return map.of(role).joint >= 0; });
  if (whole && !map.human) map.human = true, map.missing.clear();
  if (!whole && map.human) {
    map.human = false;
    for (const Role role : kLeast) {
      if (map.of(role).joint < 0) map.missing.emplace_back(role_name(role));
    }
  }
  return map;
}

std::string map_text(const JointMap& map, const motion::Rig& rig) {
  std::string text = "# Which joint is which: role = joint. Nothing behind the sign: the body has none.\n";
  for (std::size_t r = 0; r < kRoles; ++r) {
    const MappedJoint& mapped = map.joints[r];
    std::string joint;
    if (mapped.joint >= 0) {
      const std::string& name = rig.joints[static_cast<std::size_t>(mapped.joint)].name;
      joint = is_plain(rig, name) ? " " + name : fmt::format(" @{}", mapped.joint);
      if (mapped.confidence < kSure) text += fmt::format("# Not certain ({:.2f}):\n", mapped.confidence);
    }
    text += fmt::format("{} ={}\n", kRoleNames[r], joint);
  }
  return text;
}

}  // namespace loom::character
