// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/plan/show_plan.h>
#include <loom/plan/walk_plan.h>
#include <loom/polish/gaze.h>

namespace loom::plan {
namespace {

constexpr double kInView = 60;                         ///< degrees to either side
constexpr double kAfterStroke = 0.15, kBefore = 0.35;  ///< seconds
constexpr double kLookSeconds = 0.9;                   ///< at each observer
constexpr double kDegrees = 180 / 3.14159265358979323846;

/// Stays in one frame for a while.
void hold_at(blend::Blended& motion, std::size_t frame, double seconds) {
  const auto count = to_whole<std::size_t>(std::round(seconds * motion.clip.rate));
  motion::Clip& clip = motion.clip;
  const std::size_t joints = clip.joints();
  const std::vector<Quat> pose(clip.pose(frame).begin(), clip.pose(frame).end());
  std::vector<Quat> held;
  held.reserve(count * joints);
  for (std::size_t i = 0; i < count; ++i) held.insert(held.end(), pose.begin(), pose.end());
  const auto at = static_cast<std::ptrdiff_t>(frame) + 1;
  clip.roots.insert(clip.roots.begin() + at, count, Vec3(clip.roots[frame]));
  clip.rotations.insert(clip.rotations.begin() + at * static_cast<std::ptrdiff_t>(joints), held.begin(), held.end());
  auto& planted = motion.contacts.planted;
  planted.insert(planted.begin() + at, count, std::uint8_t(planted[frame]));
  if (!motion.sources.empty())
    motion.sources.insert(motion.sources.begin() + at, count, motion::SourceFrame(motion.sources[frame]));
  for (motion::Label& label : clip.labels) {
    if (label.begin > frame) label.begin += count;
    if (label.end > frame) label.end += count;
  }
  for (std::size_t& stroke : motion.strokes) stroke += stroke > frame ? count : 0;
}

Vec3 eyes_of(const Observer& observer) {
  return {static_cast<float>(observer.at.x), static_cast<float>(observer.eyes), static_cast<float>(observer.at.z)};
}

/// Degrees from the front of somebody to an observer.
double angle_to(const motion::GroundFrame& stand, const Observer& observer) {
  const double heading =
      std::atan2(observer.at.x - static_cast<double>(stand.x), observer.at.z - static_cast<double>(stand.z));
  return std::remainder((heading - static_cast<double>(stand.heading)) * kDegrees, 360.0);
}

/// Turns the head through the motion, and says how far the head is from the first observer at the end of the look.
Result<double> turn_head(motion::Clip& clip, std::span<const Look> looks, Vec3 target,
                         std::span<const Observer> observers) {
  auto gaze = polish::Gaze::create(*clip.skeleton);
  if (!gaze) return fail_from(gaze);
  double nearest = 180;
  std::size_t next = 0;
  std::ptrdiff_t now = -1;
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const double seconds = static_cast<double>(f) / clip.rate;
    while (next < looks.size() && looks[next].seconds <= seconds) {
      now = looks[next++].observer;
      gaze->look_at(now < 0 ? target : eyes_of(observers[static_cast<std::size_t>(now)]));
    }
    gaze->apply(static_cast<float>(1 / clip.rate), clip.roots[f], clip.pose(f));
    if (now != 0) continue;
    const polish::Gaze::Sight sight = gaze->sight(clip.roots[f], clip.pose(f));
    const Vec3 to = normalized(eyes_of(observers[0]) - sight.eyes);
    nearest =
        std::min(nearest, std::acos(std::clamp(static_cast<double>(dot(to, sight.direction)), -1.0, 1.0)) * kDegrees);
  }
  return nearest;
}

/// Why there is no place to stand: what most were rejected for.
std::string why_nowhere(std::span<const Candidate> candidates, const world::World& world) {
  std::array<std::size_t, 6> counts{};
  for (const Candidate& candidate : candidates) ++counts[static_cast<std::size_t>(candidate.why)];
  std::string text;
  for (const Rejected why :
       {Rejected::kOutOfReach, Rejected::kTouches, Rejected::kUnseen, Rejected::kNoFloor, Rejected::kOtherSide}) {
    const std::size_t count = counts[static_cast<std::size_t>(why)];
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(why));
    if (why != Rejected::kTouches) continue;
    const auto touching = std::find_if(candidates.begin(), candidates.end(),
                                       [](const Candidate& c) { return c.why == Rejected::kTouches; });
    text += " (" + in_quotes(world.obstacles[touching->obstacle].name) + ")";
  }
  return text;
}

}  // namespace

std::vector<Look> looks_around(double stroke, double end, std::span<const double> observer_angles_deg) {
  std::vector<Look> looks = {{0, -1}};
  double time = stroke;
  for (std::size_t i = 0; i < observer_angles_deg.size(); ++i) {
    const bool in_view = std::fabs(observer_angles_deg[i]) < kInView;
    if (i == 0) time = std::max(0.0, stroke + (in_view ? kAfterStroke : -kBefore));
    if (time >= end) break;
    looks.push_back({time, static_cast<std::ptrdiff_t>(i)});
    time += kLookSeconds + (in_view ? 0 : kBefore);
    if (i + 1 < observer_angles_deg.size()) continue;
    if (time < end) looks.push_back({time, -1});
    if (time + kLookSeconds < end) looks.push_back({time + kLookSeconds, 0});
  }
  return looks;
}

Result<ShowPlan> plan_show(const ActionSpace& space, const blend::MotionMaker& maker, const world::World& world,
                           world::Collision& collision, const blend::JointTarget& target,
                           std::span<const Observer> observers, const ShowOptions& options) {
  auto candidates = place_around(space, world, collision, target, observers, options.placement);
  if (!candidates) return fail_from(candidates);
  ShowPlan plan;
  plan.candidates = std::move(*candidates);
  if (plan.candidates.front().why != Rejected::kNot) {
    return fail_as(ErrorKind::kNotFound,
                   fmt::format("there is no place to show it from: of {} places around the target {}",
                               plan.candidates.size(), why_nowhere(plan.candidates, world)));
  }
  Error last;
  for (std::size_t c = 0; c < std::min(options.most_places, plan.candidates.size()); ++c) {
    const Candidate& candidate = plan.candidates[c];
    if (candidate.why != Rejected::kNot) break;
    auto action = plan_reach(space, maker, world, collision, candidate.stand, {&target, 1}, options.reach);
    if (!action) {
      last = action.error();
      continue;
    }
    plan.chosen = c;
    plan.action = std::move(*action);
    const std::size_t stroke = plan.action.blended.strokes[target.stroke];
    hold_at(plan.action.blended, stroke, options.hold);
    motion::Clip& clip = plan.action.blended.clip;
    std::vector<double> angles;
    for (const Observer& observer : observers) angles.push_back(angle_to(candidate.stand, observer));
    plan.looks = looks_around(static_cast<double>(stroke) / clip.rate, clip.duration(), angles);
    const auto off = turn_head(clip, plan.looks, target.point, observers);
    if (!off) return fail_from(off);
    plan.sight_off_deg = *off;
    const auto collided = find_collisions(clip, world);
    if (!collided) return fail_from(collided);
    if (collided->empty()) return plan;
    last = Error{fmt::format("a turned head touches {}", in_quotes(world.obstacles[collided->front().obstacle].name)),
                 {},
                 0,
                 ErrorKind::kNotFound};
  }
  return tl::unexpected(last);
}

}  // namespace loom::plan
