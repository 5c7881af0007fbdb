// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/motion/kinematics.h>
#include <loom/plan/approach.h>
#include <loom/plan/detail/closing_obstacle.h>
#include <loom/plan/detail/plan_footprints.h>
#include <loom/polish/foot.h>
#include <loom/world/floor_field.h>

namespace loom::plan {
namespace {

using motion::GroundFrame;

/// Metres from obstacles: with swinging arms round corners, straight on, and with care.
constexpr std::array<double, 3> kRadii{0.55, 0.4, 0.28};
constexpr double kSamePlace = 0.1;  ///< metres

constexpr double kEvery = 0.12;     ///< metres between bodies that are tried on a way
constexpr double kLastSteps = 0.4;  ///< metres before the goal: how one stands there is known
constexpr float kLow = 0.4f, kHigh = 1.3f, kBodyRadius = 0.3f;  ///< metres: an upright body with its arms

/// Metres: of a rough body that steps.
constexpr float kTrunk = 0.15f, kThigh = 0.09f, kLeg = 0.06f, kArm = 0.05f;     ///< how thick
constexpr float kHip = 0.09f, kShoulder = 0.22f, kSwing = 0.24f, kKnee = 0.2f;  ///< how far aside, and ahead

/// The middle of a foot on the floor and the way it points.
GroundFrame foot_at(const motion::WorldPoses& poses, std::size_t frame, const polish::Foot& foot, float foot_length) {
  const Vec3 toe = poses.position(frame, foot.toe), way = toe - poses.position(frame, foot.heel);
  const float heading = std::atan2(way.x, way.z);
  return {toe.x - std::sin(heading) * foot_length / 2, toe.z - std::cos(heading) * foot_length / 2, heading};
}

/// How far the feet at the end are from the last two prints.
void measure_stop(const polish::Foot& left, const polish::Foot& right, float foot_length, Approach& approach) {
  const motion::Clip last =
      motion::cut(approach.walk.clip, approach.walk.clip.frames() - 1, approach.walk.clip.frames()).value();
  const motion::WorldPoses poses = motion::forward_kinematics(last);
  for (std::size_t n = 1; n <= 2; ++n) {
    const blend::Footprint& print = approach.prints[approach.prints.size() - n];
    const GroundFrame at = foot_at(poses, 0, print.left ? left : right, foot_length);
    approach.stop_error_m =
        std::max(approach.stop_error_m, static_cast<double>(std::hypot(at.x - print.place.x, at.z - print.place.z)));
    approach.stop_error_rad =
        std::max(approach.stop_error_rad, static_cast<double>(std::fabs(wrap_angle(at.heading - print.place.heading))));
  }
}

}  // namespace

Result<Stance> stance_of(const motion::Skeleton& skeleton, Vec3 root, std::span<const Quat> rotations,
                         float foot_length) {
  const auto feet = polish::find_feet(skeleton);
  if (!feet) return fail_from(feet);
  const GroundFrame body = motion::GroundFrameFinder(skeleton).find(root, rotations[0]);
  motion::WorldPoses poses;
  poses.frames = 1;
  poses.points = skeleton.point_count();
  poses.joints = skeleton.size();
  poses.positions.resize(poses.points);
  poses.rotations.resize(poses.joints);
  motion::forward_kinematics(skeleton, root, rotations, poses.positions, poses.rotations);
  const GroundFrame back = inverse(body);
  return Stance{back * foot_at(poses, 0, (*feet)[0], foot_length), back * foot_at(poses, 0, (*feet)[1], foot_length)};
}

Result<Approacher> Approacher::create(const blend::StepLibrary& steps, const world::World& world) {
  auto walker = blend::StepWalker::create(steps);
  if (!walker) return fail_from(walker);
  Approacher made(std::move(*walker), world);
  // Where nobody has much room, somebody may still have some.
  for (const double radius : kRadii) {
    auto floor = world::NavigationMesh::create(world, {.radius = radius});
    if (!floor && radius == kRadii.back() && made.floors_.empty()) return fail_from(floor);
    if (!floor) continue;
    made.floors_.push_back(std::move(*floor));
    break;
  }
  return made;
}

/// A way on a floor, by way of where one gets on it and off it again.
std::optional<std::vector<world::Point>> Approacher::way_on(const world::NavigationMesh& floor, world::Point from,
                                                            world::Point to) {
  const auto on = floor.nearest(from), off = floor.nearest(to);
  if (!on || !off) return {};
  auto found = floor.way(*on, *off);
  if (!found) return {};
  const auto apart = [](world::Point a, world::Point b) { return std::hypot(a.x - b.x, a.z - b.z) > kSamePlace; };
  std::vector<world::Point> way;
  if (apart(from, *on)) way.push_back(*on);
  way.insert(way.end(), found->begin(), found->end());
  if (apart(*off, to)) {
    way.push_back(to);
  } else {
    way.back() = to;
  }
  return way;
}

Result<std::vector<world::Point>> Approacher::way(world::Point from, world::Point to) {
  for (std::size_t f = 0;; ++f) {
    if (f == floors_.size()) {
      const auto narrower =
          std::find_if(kRadii.begin(), kRadii.end(), [&](double radius) { return radius < floors_.back().radius(); });
      if (narrower == kRadii.end()) break;
      auto floor = world::NavigationMesh::create(*world_, {.radius = *narrower});
      if (!floor) return fail_from(floor);
      floors_.push_back(std::move(*floor));
    }
    if (auto found = way_on(floors_[f], from, to)) return std::move(*found);
  }
  const auto field = world::FloorField::create(*world_);
  if (!field) return fail_from(field);
  const std::size_t closing = closing_obstacle(*field, from, to, kRadii.back());
  return fail_as(
      ErrorKind::kNotFound,
      fmt::format("no way leads from ({:.2f}, {:.2f}) to ({:.2f}, {:.2f}): {}", from.x, from.z, to.x, to.z,
                  closing == world::Nearest::kNone ? std::string("the ground ends between them")
                                                   : in_quotes(world_->obstacles[closing].name) + " closes it"));
}

std::optional<world::Point> Approacher::nearest_stand(world::Point place, std::optional<world::Point> from) const {
  const auto field = world::FloorField::create(*world_);
  if (!field) return {};
  std::optional<world::GoalDistance> distance;
  if (from) distance.emplace(*field, *from, kRadii.back(), place);
  std::optional<world::Point> nearest;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t row = 0; row < field->rows(); ++row) {
    for (std::uint32_t column = 0; column < field->columns(); ++column) {
      const world::Point at = field->place(column, row);
      const double away = std::hypot(at.x - place.x, at.z - place.z);
      if (away >= least || static_cast<double>(field->at(column, row)) <= kRadii.back()) continue;
      if (distance && !distance->reachable(at)) continue;
      nearest = at;
      least = away;
    }
  }
  return nearest;
}

bool Approacher::is_roomy(world::Collision& collision, world::Point from, std::span<const world::Point> way) {
  const world::Point end = way.back();
  for (const world::Point& to : way) {
    const double length = std::hypot(to.x - from.x, to.z - from.z);
    for (double s = 0; s < length; s += kEvery) {
      const double x = std::lerp(from.x, to.x, s / length), z = std::lerp(from.z, to.z, s / length);
      if (std::hypot(end.x - x, end.z - z) < kLastSteps) break;
      const motion::Capsule body{{static_cast<float>(x), kLow, static_cast<float>(z)},
                                 {static_cast<float>(x), kHigh, static_cast<float>(z)},
                                 kBodyRadius,
                                 kBodyRadius};
      if (collision.touch({&body, 1})) return false;
    }
    from = to;
  }
  return true;
}

bool Approacher::is_clear(world::Collision& collision, std::span<const blend::Footprint> prints, float hips) {
  for (std::size_t k = 1; k < prints.size(); ++k) {
    const GroundFrame &one = prints[k - 1].place, &two = prints[k].place;
    const float turn = wrap_angle(two.heading - one.heading);
    // Over the foot that carries, and between the two.
    for (const float share : {0.1f, 0.5f}) {
      const Vec3 middle = lerp(one.position(), two.position(), share);
      const GroundFrame body{middle.x, middle.z, one.heading + share * turn};
      const auto at = [&](float left, float up, float ahead) { return transform(body, Vec3{left, up * hips, ahead}); };
      std::array<motion::Capsule, 9> rough;
      rough[0] = {at(0, 1.05f, 0), at(0, 1.4f, 0), kTrunk, kTrunk};
      for (std::size_t side = 0; side < 2; ++side) {
        const float left = side == 0 ? 1.0f : -1.0f;
        const GroundFrame& foot = prints[k].left == (side == 0) ? two : one;
        const Vec3 hip = at(left * kHip, 0.95f, 0);
        // The leg that comes up has its knee ahead.
        const Vec3 knee =
            share < 0.3f && &foot == &two ? at(left * kHip, 0.55f, kKnee) : lerp(hip, foot.position(), 0.5f);
        rough[1 + 4 * side] = {hip, knee, kThigh, kLeg};
        rough[2 + 4 * side] = {knee, lerp(foot.position(), knee, 0.2f), kLeg, kLeg};
        for (std::size_t way = 0; way < 2; ++way) {
          const float ahead = way == 0 ? kSwing : -kSwing;
          rough[3 + 4 * side + way] = {at(left * kShoulder, 1.15f, 0), at(left * kShoulder, 0.86f, ahead), kArm, kArm};
        }
      }
      if (collision.touch(rough)) return false;
    }
  }
  return true;
}

Result<Approach> Approacher::lay(const GroundFrame& start, const GroundFrame& goal, const Stance& from,
                                 const Stance& to) {
  const auto place = [](const GroundFrame& at) {
    return world::Point{static_cast<double>(at.x), static_cast<double>(at.z)};
  };
  auto corners = way(place(start), place(goal));
  if (!corners) return fail_from(corners);
  Approach approach;
  approach.way = std::move(*corners);
  auto prints = plan_footprints(approach.way, start, goal, from, to);
  if (!prints) return fail_from(prints);
  approach.prints = std::move(*prints);
  return approach;
}

Result<Approach> Approacher::walk(const GroundFrame& start, const GroundFrame& goal, const Stance& from,
                                  const Stance& to) {
  auto laid = lay(start, goal, from, to);
  if (!laid) return laid;
  Approach approach = std::move(*laid);
  blend::StepWalkOptions options;
  options.from_rest = options.to_rest = true;
  auto walked = walker_.walk(approach.prints, options);
  if (!walked) return fail_from(walked);
  approach.walk = std::move(*walked);
  const auto feet = polish::find_feet(*steps().skeleton);
  if (!feet) return fail_from(feet);
  const polish::Foot& last = (*feet)[approach.prints.back().left ? 0 : 1];
  const auto& planted = approach.walk.contacts.planted;
  approach.landed = planted.size() - 1;
  while (approach.landed > 0 && last.toe_planted(planted[approach.landed - 1])) --approach.landed;
  measure_stop((*feet)[0], (*feet)[1], foot_length(), approach);
  return approach;
}

}  // namespace loom::plan
