// SPDX-License-Identifier: MIT
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/blend/family/target_text.h>

namespace loom::blend {
namespace {

using Kind = Constraint::Kind;

constexpr const char* kShape = "JOINT=x,y,z@stroke, JOINT=line:x,y,z:dx,dy,dz@stroke or JOINT=turn:rx,ry,rz@stroke";

std::vector<std::string_view> parts_of(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(between, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Three numbers with commas.
std::optional<Vec3> vector_in(std::string_view text) {
  const auto parts = parts_of(text, ',');
  if (parts.size() != 3) return std::nullopt;
  Vec3 vector;
  for (std::size_t p = 0; p < 3; ++p) {
    const auto number = parse_number(parts[p]);
    if (!number) return std::nullopt;
    (p == 0 ? vector.x : p == 1 ? vector.y : vector.z) = static_cast<float>(*number);
  }
  return vector;
}

/// What stands between '=' and '@': a place, a line or a turn.
bool parse_wish(std::string_view text, JointTarget& target) {
  const auto parts = parts_of(text, ':');
  if (parts.size() == 1) {
    const auto point = vector_in(parts[0]);
    if (point) target.point = *point;
    return point.has_value();
  }
  const auto first = vector_in(parts[1]);
  if (!first) return false;
  if (parts[0] == "line" && parts.size() == 3) {
    const auto direction = vector_in(parts[2]);
    if (!direction) return false;
    target.kind = Kind::kLine;
    target.point = *first;
    target.direction = *direction;
    return true;
  }
  if (parts[0] != "turn" || parts.size() > 3) return false;
  target.kind = Kind::kOrientation;
  target.orientation = exp_vector(*first * kDegree);
  if (parts.size() == 2) return true;
  target.axes = 0;
  for (const char axis : parts[2]) {
    if (axis < 'x' || axis > 'z') return false;
    target.axes = static_cast<std::uint8_t>(target.axes | 1U << (axis - 'x'));
  }
  return target.axes != 0;
}

/// What follows '@': which stroke, then c and n: "stroke", "2", "stroke,c=0.5,n=0.4".
bool parse_moment(std::string_view text, JointTarget& target) {
  const auto parts = parts_of(text, ',');
  std::string_view stroke = parts[0];
  if (stroke.starts_with("stroke")) stroke.remove_prefix(6);
  if (!stroke.empty()) {
    std::size_t number = 0;
    const auto read = std::from_chars(stroke.data(), stroke.data() + stroke.size(), number);
    if (read.ec != std::errc{} || read.ptr != stroke.data() + stroke.size() || number == 0) return false;
    target.stroke = number - 1;
  }
  for (std::size_t p = 1; p < parts.size(); ++p) {
    if (!parts[p].starts_with("c=") && !parts[p].starts_with("n=")) return false;
    const auto value = parse_number(parts[p].substr(2));
    if (!value) return false;
    (parts[p][0] == 'c' ? target.priority : target.normalisation) = *value;
  }
  return true;
}

}  // namespace

Result<JointTarget> target_from_text(std::string_view text, const motion::Skeleton& skeleton) {
  const std::size_t equals = text.find('='), at = text.find('@', equals == std::string_view::npos ? 0 : equals);
  const auto misread = [&] { return fail(fmt::format("a target is given as {}, not as {}", kShape, in_quotes(text))); };
  if (equals == std::string_view::npos) return misread();
  JointTarget target;
  const auto joint = skeleton.find(std::string(text.substr(0, equals)));
  if (!joint) return fail(fmt::format("the body has no joint {}", in_quotes(text.substr(0, equals))));
  target.joint = *joint;
  const std::string_view wish = text.substr(equals + 1, at == std::string_view::npos ? at : at - equals - 1);
  if (!parse_wish(wish, target)) return misread();
  if (at != std::string_view::npos && !parse_moment(text.substr(at + 1), target)) return misread();
  return target;
}

const char* to_string(Kind kind) {
  switch (kind) {
    case Kind::kPosition:
      return "place";
    case Kind::kLine:
      return "line";
    case Kind::kOrientation:
      return "turn";
  }
  return "";
}

}  // namespace loom::blend
