// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include <loom/base/csv.h>
#include <loom/base/file.h>
#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/blend/family/parameters.h>
#include <loom/blend/weights/weights.h>
#include <loom/motion/kinematics.h>

namespace loom::blend {
namespace {

constexpr double kRadiansADegree = 3.14159265358979323846 / 180;
constexpr std::array<const char*, kFamilyKinds> kKindNames = {"reach", "punch", "kick", "jump", "locomotion", "table"};

motion::GroundFrame ground_frame_at(const motion::Clip& clip, double seconds, motion::Pose& pose) {
  motion::sample_pose(clip, seconds, pose);
  return motion::GroundFrameFinder(*clip.skeleton).find(pose.root, pose.rotations[0]);
}

std::vector<double> measure_place(const motion::Clip& clip, const Moments& moments, int joint) {
  motion::Pose pose;
  const motion::GroundFrame start = ground_frame_at(clip, moments.begin, pose);
  motion::sample_pose(clip, *moments.stroke, pose);
  const Vec3 world = motion::joint_frame(*clip.skeleton, joint, pose.root, pose.rotations).position;
  const Vec3 seen = transform(inverse(start), world);
  return {static_cast<double>(seen.x), static_cast<double>(seen.y), static_cast<double>(seen.z)};
}

std::vector<double> measure_jump(const motion::Clip& clip, const Moments& moments) {
  motion::Pose pose;
  const motion::GroundFrame start = ground_frame_at(clip, moments.begin, pose);
  const double standing = static_cast<double>(pose.root.y);
  const motion::GroundFrame landed = inverse(start) * ground_frame_at(clip, moments.end, pose);
  // The highest point lies at the stroke where one is marked, else it is looked for.
  double highest = standing;
  if (moments.stroke) {
    motion::sample_pose(clip, *moments.stroke, pose);
    highest = static_cast<double>(pose.root.y);
  } else {
    for (std::size_t f = 0; f < clip.frames(); ++f) {
      const double time = static_cast<double>(f) / clip.rate;
      if (time >= moments.begin && time <= moments.end)
        highest = std::max(highest, static_cast<double>(clip.roots[f].y));
    }
  }
  return {static_cast<double>(landed.z), static_cast<double>(landed.x), highest - standing};
}

/// Ways are summed from moment to moment, each seen from the heading half-way between.
std::vector<double> measure_locomotion(const motion::Clip& clip, const Moments& moments) {
  const motion::GroundFrameFinder finder(*clip.skeleton);
  const double seconds = moments.end - moments.begin;
  const auto steps = to_whole<std::size_t>(std::max(1.0, std::round(seconds * clip.rate)));
  motion::Pose pose;
  motion::GroundFrame before = ground_frame_at(clip, moments.begin, pose);
  double ahead = 0, turned = 0, aside = 0;
  for (std::size_t i = 1; i <= steps; ++i) {
    const double time = moments.begin + seconds * static_cast<double>(i) / static_cast<double>(steps);
    motion::sample_pose(clip, time, pose);
    const motion::GroundFrame now = finder.find(pose.root, pose.rotations[0]);
    const float turn = wrap_angle(now.heading - before.heading);
    const motion::GroundFrame middle{before.x, before.z, before.heading + 0.5f * turn};
    const Vec3 way = transform(inverse(middle), now.position());
    ahead += static_cast<double>(way.z);
    aside += static_cast<double>(way.x);
    turned += static_cast<double>(turn);
    before = now;
  }
  return {ahead / seconds, turned / seconds, aside / seconds};
}

Result<void> check_moments(FamilyKind kind, const motion::Clip& clip, const Moments& moments) {
  const double slack = 0.5 / clip.rate;
  if (!(moments.begin >= -slack && moments.end <= clip.duration() + slack && moments.begin < moments.end)) {
    return fail(fmt::format("'{}' lasts {:.2f} s, and has no stretch from {:.2f} to {:.2f} s", clip.name,
                            clip.duration(), moments.begin, moments.end));
  }
  if (places_a_joint(kind) && !moments.stroke) return fail(fmt::format("'{}' has no stroke", clip.name));
  if (moments.stroke && !(*moments.stroke >= moments.begin - slack && *moments.stroke <= moments.end + slack)) {
    return fail(fmt::format("the stroke of '{}' at {:.2f} s lies outside {:.2f} to {:.2f} s", clip.name,
                            *moments.stroke, moments.begin, moments.end));
  }
  return {};
}

}  // namespace

const char* to_string(FamilyKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

std::optional<FamilyKind> family_kind_named(std::string_view name) {
  for (std::size_t k = 0; k < kFamilyKinds; ++k) {
    if (name == kKindNames[k]) return static_cast<FamilyKind>(k);
  }
  return std::nullopt;
}

std::optional<FamilyKind> guess_kind(std::string_view label) {
  const std::string text = lower_case(label);
  const auto says = [&](std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const char* word) { return text.find(word) != std::string::npos; });
  };
  if (says({"punch", "hook", "jab", "box"})) return FamilyKind::kPunch;
  if (says({"kick"})) return FamilyKind::kKick;
  if (says({"jump", "hop", "leap"})) return FamilyKind::kJump;
  if (says({"reach", "point", "pick", "grasp", "touch"})) return FamilyKind::kReach;
  if (says({"walk", "run", "jog", "locomotion", "sidestep", "side-step", "turn"})) return FamilyKind::kLocomotion;
  return std::nullopt;
}

ParameterSpace space_of(FamilyKind kind) {
  switch (kind) {
    case FamilyKind::kReach:
    case FamilyKind::kPunch:
    case FamilyKind::kKick:
      return {kind, {{"x", "m"}, {"y", "m"}, {"z", "m"}}, {1, 1, 1}};
    case FamilyKind::kJump:
      return {kind, {{"distance", "m"}, {"direction", "deg"}, {"height", "m"}}, {1, kRadiansADegree, 1}};
    case FamilyKind::kLocomotion:
      return {kind, {{"forward", "m/s"}, {"turn", "deg/s"}, {"side", "m/s"}}, {1, kRadiansADegree, 1}};
    case FamilyKind::kTable:
      break;
  }
  return {kind, {}, {}};
}

void ParameterSpace::to_coordinates(std::span<const double> values, std::span<double> coordinates) const {
  for (std::size_t i = 0; i < size(); ++i) coordinates[i] = values[i] * scales[i];
  if (kind != FamilyKind::kJump) return;
  const double away = coordinates[0], direction = coordinates[1];
  coordinates[0] = away * std::cos(direction);
  coordinates[1] = away * std::sin(direction);
}

void ParameterSpace::to_values(std::span<const double> coordinates, std::span<double> values) const {
  std::copy_n(coordinates.begin(), size(), values.begin());
  if (kind == FamilyKind::kJump) {
    const double ahead = coordinates[0], left = coordinates[1];
    values[0] = std::hypot(ahead, left);
    values[1] = std::atan2(left, ahead);
  }
  for (std::size_t i = 0; i < size(); ++i) values[i] /= scales[i];
}

Result<std::vector<double>> measure_coordinates(FamilyKind kind, const motion::Clip& clip, const Moments& moments,
                                                int joint) {
  if (clip.frames() < 2) return fail(fmt::format("'{}' is too short to measure", clip.name));
  if (auto sound = check_moments(kind, clip, moments); !sound) return fail_from(sound);
  if (places_a_joint(kind) && (joint < 0 || static_cast<std::size_t>(joint) >= clip.joints())) {
    return fail(fmt::format("'{}' has no joint {}", clip.name, joint));
  }
  switch (kind) {
    case FamilyKind::kReach:
    case FamilyKind::kPunch:
    case FamilyKind::kKick:
      return measure_place(clip, moments, joint);
    case FamilyKind::kJump:
      return measure_jump(clip, moments);
    case FamilyKind::kLocomotion:
      return measure_locomotion(clip, moments);
    case FamilyKind::kTable:
      break;
  }
  return fail("what a table says cannot be measured");
}

Result<UserTable> parse_parameter_table(std::string_view text, const std::string& path) {
  CsvReader reader(text);
  const auto header = reader.next(path);
  if (!header) return fail_from(header);
  if (header->size() < 2 || header->size() > kMaxDimensions + 1) {
    return fail(fmt::format("the first line must name a column for the clip and 1 to {} parameters", kMaxDimensions),
                path, 1);
  }
  UserTable table{{header->begin() + 1, header->end()}, {}, {}};
  std::set<std::string> seen;
  while (!reader.at_end()) {
    const std::size_t line = reader.line();
    const auto fields = reader.next(path);
    if (!fields) return fail_from(fields);
    if (fields->size() == 1 && fields->front().empty()) continue;
    if (fields->size() != header->size()) {
      return fail(fmt::format("expected {} columns, found {}", header->size(), fields->size()), path, line);
    }
    if (!seen.insert(fields->front()).second) {
      return fail(fmt::format("clip {} is there twice", in_quotes(fields->front())), path, line);
    }
    table.clips.push_back(fields->front());
    for (std::size_t c = 1; c < fields->size(); ++c) {
      const auto number = parse_number((*fields)[c]);
      if (!number) {
        return fail(fmt::format("expected a number for '{}', found {}", table.names[c - 1], in_quotes((*fields)[c])),
                    path, line);
      }
      table.values.push_back(*number);
    }
  }
  return table;
}

Result<UserTable> read_parameter_table(const std::string& path) {
  const auto file = load_file(path);
  if (!file) return fail_from(file);
  return parse_parameter_table(file->text(), path);
}

}  // namespace loom::blend
