// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include <loom/base/math.h>
#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/motion/kinematics.h>
#include <loom/plan/detail/inside_something.h>
#include <loom/plan/detail/join_action.h>
#include <loom/plan/show_plan.h>
#include <loom/plan/walk_plan.h>
#include <loom/polish/gaze.h>

namespace loom::plan {
namespace {

constexpr double kInView = 60;                         ///< degrees to either side
constexpr double kAfterStroke = 0.15, kBefore = 0.35;  ///< seconds
constexpr double kLookSeconds = 0.9;                   ///< at each observer
constexpr double kEyesFirst = 0.25;                    ///< seconds that the head is ahead of the hand
constexpr float kFloorAhead = 2.2f;                    ///< metres before the feet that are looked at while one walks
constexpr float kTrunkFrom = 0.3f, kTrunkTo = 1.0f,
                kTrunkRoom = 0.02f;  ///< metres: what no obstacle may be in, at least

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
  return std::remainder((heading - static_cast<double>(stand.heading)) * kDegreesARadian, 360.0);
}

/// Turns the head through the motion, and says how far the head is from the first observer at the end of the look.
Result<double> turn_head(motion::Clip& clip, std::span<const Look> looks, Vec3 target,
                         std::span<const Observer> observers) {
  auto gaze = polish::Gaze::create(*clip.skeleton);
  if (!gaze) return fail_from(gaze);
  const motion::GroundFrameFinder finder(*clip.skeleton);
  double nearest = 180;
  std::size_t next = 0;
  Look now = looks.front();
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    const double seconds = static_cast<double>(f) / clip.rate;
    bool same = true;
    while (next < looks.size() && looks[next].seconds <= seconds) {
      now = looks[next++];
      same = false;
    }
    if (now.at == Look::At::kFloor) {
      const motion::GroundFrame body = finder.find(clip.roots[f], clip.pose(f)[0]);
      gaze->look_at(body.position() + kFloorAhead * body.forward(), same);
    } else if (!same) {
      gaze->look_at(now.at == Look::At::kTarget ? target : eyes_of(observers[now.observer]));
    }
    gaze->apply(static_cast<float>(1 / clip.rate), clip.roots[f], clip.pose(f));
    if (now.at != Look::At::kObserver || now.observer != 0) continue;
    const polish::Gaze::Sight sight = gaze->sight(clip.roots[f], clip.pose(f));
    const Vec3 to = normalized(eyes_of(observers[0]) - sight.eyes);
    nearest = std::min(
        nearest, std::acos(std::clamp(static_cast<double>(dot(to, sight.direction)), -1.0, 1.0)) * kDegreesARadian);
  }
  return nearest;
}

std::size_t count_of(std::span<const Candidate> candidates, Rejected why) {
  return static_cast<std::size_t>(
      std::count_if(candidates.begin(), candidates.end(), [&](const Candidate& c) { return c.why == why; }));
}

/// What most of those rejected for one reason touch, or are hidden by.
std::string usual_obstacle(std::span<const Candidate> candidates, Rejected why, const world::World& world) {
  std::vector<std::size_t> counts(world.obstacles.size());
  for (const Candidate& candidate : candidates) counts[candidate.obstacle] += candidate.why == why ? 1 : 0;
  const auto most = std::max_element(counts.begin(), counts.end()) - counts.begin();
  return in_quotes(world.obstacles[static_cast<std::size_t>(most)].name);
}

/// Why there is no place to stand: what places were rejected for, and what the nearest possible is.
std::string why_nowhere(std::span<const Candidate> candidates, const world::World& world, world::Collision& collision,
                        Vec3 target, std::span<const Observer> observers) {
  std::string text;
  for (const Rejected why : {Rejected::kOutOfReach, Rejected::kTouches, Rejected::kUnseen, Rejected::kNoFloor,
                             Rejected::kOtherSide, Rejected::kNoWay, Rejected::kNoAction}) {
    const std::size_t count = count_of(candidates, why);
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(why));
    if (why == Rejected::kTouches || why == Rejected::kUnseen)
      text += " (" + usual_obstacle(candidates, why, world) + ")";
  }
  if (count_of(candidates, Rejected::kUnseen) > 0) {
    for (const Observer& observer : observers) {
      const auto there = nearest_onlooker(world, collision, target, observer);
      if (!there || there->at == observer.at) continue;
      text += fmt::format("; an observer at {:.2f},{:.2f} would see the target", there->at.x, there->at.z);
    }
  }
  const auto nearest =
      std::min_element(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        const auto missed = [](const Candidate& c) {
          return c.why == Rejected::kOutOfReach ? c.missed : std::numeric_limits<double>::infinity();
        };
        return missed(a) < missed(b);
      });
  if (nearest->why == Rejected::kOutOfReach && count_of(candidates, Rejected::kOutOfReach) * 2 > candidates.size()) {
    text += fmt::format("; the nearest that a hand gets is {:.2f},{:.2f},{:.2f}, {:.2f} m off", nearest->nearest.x,
                        nearest->nearest.y, nearest->nearest.z, nearest->missed);
  }
  return text;
}

/// Everything about one show.
class ShowPlanner {
 public:
  ShowPlanner(const ActionSpace& space, const blend::MotionMaker& maker, const world::World& world,
              world::Collision& collision, std::span<const blend::JointTarget> targets,
              std::span<const Observer> observers, const ShowOptions& options, Approacher* approacher,
              const motion::GroundFrame& start)
      : space_(space),
        maker_(maker),
        world_(world),
        collision_(collision),
        targets_(targets),
        observers_(observers),
        options_(options),
        approacher_(approacher),
        start_(start) {}

  Result<ShowPlan> run(const Progress& progress);

 private:
  /// Why no walk begins where it is to.
  std::optional<Error> no_start();
  /// How near to the target somebody who walks gets, as the end of a sentence; "" where nobody walks.
  std::string nearest_on_foot();
  /// Rejects what nobody gets to on foot; the last reason why.
  std::optional<Error> reject_unreachable(std::vector<Candidate>& candidates);
  /// Whether the walk to a place would touch nothing, as far as its footprints tell.
  bool steps_look_clear(const Candidate& candidate);
  Result<void> try_place(const Candidate& candidate, ShowPlan& plan);
  /// Puts the walk before the action.
  Result<void> walk_there(const Candidate& candidate, ShowPlan& plan);
  Result<void> look_around(const Candidate& candidate, ShowPlan& plan);

  const ActionSpace& space_;
  const blend::MotionMaker& maker_;
  const world::World& world_;
  world::Collision& collision_;
  std::span<const blend::JointTarget> targets_;
  std::span<const Observer> observers_;
  const ShowOptions& options_;
  Approacher* approacher_;
  motion::GroundFrame start_;
  /// How somebody stands who is about to act.
  struct Standing {
    Stance stance;
    float hips = 0;  ///< metres above the floor
  };
  std::optional<Standing> standing_;
};

std::optional<Error> ShowPlanner::no_start() {
  if (approacher_ == nullptr) return {};
  const world::Point at{static_cast<double>(start_.x), static_cast<double>(start_.z)};
  const motion::Capsule trunk{{start_.x, kTrunkFrom, start_.z}, {start_.x, kTrunkTo, start_.z}, kTrunkRoom, kTrunkRoom};
  const auto touch = collision_.touch({&trunk, 1});
  std::string text;
  if (!world_.has_floor(at)) {
    text = fmt::format("there is no floor at the start ({:.2f}, {:.2f})", at.x, at.z);
  } else if (touch) {
    text = fmt::format("the start ({:.2f}, {:.2f}) is in {}", at.x, at.z,
                       in_quotes(world_.obstacles[touch->obstacle].name));
  } else {
    return {};
  }
  if (const auto stand = approacher_->nearest_stand(at))
    text += fmt::format("; the nearest place to stand is {:.2f},{:.2f}", stand->x, stand->z);
  return Error{std::move(text), {}, 0, ErrorKind::kBadInput};
}

std::string ShowPlanner::nearest_on_foot() {
  if (approacher_ == nullptr) return {};
  const Vec3 target = targets_.front().point;
  const world::Point to{static_cast<double>(target.x), static_cast<double>(target.z)};
  const auto stand =
      approacher_->nearest_stand(to, world::Point{static_cast<double>(start_.x), static_cast<double>(start_.z)});
  if (!stand) return {};
  return fmt::format("; the nearest one gets to the target on foot is {:.2f},{:.2f}, {:.2f} m from it", stand->x,
                     stand->z, std::hypot(stand->x - to.x, stand->z - to.z));
}

std::optional<Error> ShowPlanner::reject_unreachable(std::vector<Candidate>& candidates) {
  if (approacher_ == nullptr) return {};
  std::optional<Error> last;
  const world::Point from{static_cast<double>(start_.x), static_cast<double>(start_.z)};
  std::vector<Candidate> roomy, narrow;
  for (Candidate& candidate : candidates) {
    if (candidate.why != Rejected::kNot) {
      narrow.push_back(candidate);
      continue;
    }
    const auto way =
        approacher_->way(from, {static_cast<double>(candidate.stand.x), static_cast<double>(candidate.stand.z)});
    if (!way) {
      candidate.why = Rejected::kNoWay;
      last = way.error();
    }
    (way && Approacher::is_roomy(collision_, from, *way) ? roomy : narrow).push_back(candidate);
  }
  // Those one hardly gets to are tried after the others, whatever one sees from there.
  roomy.insert(roomy.end(), narrow.begin(), narrow.end());
  candidates = std::move(roomy);
  std::stable_partition(candidates.begin(), candidates.end(),
                        [](const Candidate& c) { return c.why == Rejected::kNot; });
  return last;
}

bool ShowPlanner::steps_look_clear(const Candidate& candidate) {
  if (approacher_ == nullptr) return true;
  if (!standing_) {  // as the action begins, on average
    ActionSpace::Placed placed = space_.scratch();
    const std::vector<float> even(space_.examples(), 1.0f / static_cast<float>(space_.examples()));
    space_.place(0, even, {}, placed);
    const auto stance =
        stance_of(*space_.space().skeleton(), placed.root, placed.rotations, approacher_->foot_length());
    if (!stance) return true;
    standing_ = Standing{*stance, placed.root.y};
  }
  const auto laid = approacher_->lay(start_, candidate.stand, standing_->stance, standing_->stance);
  return laid && Approacher::is_clear(collision_, laid->prints, standing_->hips);
}

Result<void> ShowPlanner::walk_there(const Candidate& candidate, ShowPlan& plan) {
  const motion::Clip& action = plan.action.blended.clip;
  const auto stance = stance_of(*action.skeleton, action.roots.front(), action.pose(0), approacher_->foot_length());
  if (!stance) return fail_from(stance);
  // The body of the action's first frame is where its ground frame is, which the stand is of the blend before planting.
  const motion::GroundFrame body =
      motion::GroundFrameFinder(*action.skeleton).find(action.roots.front(), action.pose(0)[0]);
  auto approach = approacher_->walk(start_ * (inverse(candidate.stand) * body), body, *stance, *stance);
  if (!approach) return fail_from(approach);
  auto joined = join_action(*approach, plan.action.blended, targets_.front().joint);
  if (!joined) return fail_from(joined);
  plan.approach = std::move(*approach);
  plan.action.blended = std::move(joined->motion);
  const double rate = plan.action.blended.clip.rate;
  plan.transition = {static_cast<double>(joined->begin) / rate, static_cast<double>(joined->frames) / rate,
                     joined->swing_carried_on};
  return {};
}

Result<void> ShowPlanner::look_around(const Candidate& candidate, ShowPlan& plan) {
  motion::Clip& clip = plan.action.blended.clip;
  std::vector<double> angles;
  for (const Observer& observer : observers_) angles.push_back(angle_to(candidate.stand, observer));
  const double stroke = static_cast<double>(plan.action.blended.strokes[targets_.front().stroke]) / clip.rate;
  plan.looks = looks_around(plan.transition.begin, stroke, clip.duration(), angles);
  const auto off = turn_head(clip, plan.looks, targets_.front().point, observers_);
  if (!off) return fail_from(off);
  plan.sight_off_deg = *off;
  return {};
}

Result<void> ShowPlanner::try_place(const Candidate& candidate, ShowPlan& plan) {
  auto action = plan_reach(space_, maker_, world_, collision_, candidate.stand, targets_, options_.reach);
  if (!action) return fail_from(action);
  plan.action = std::move(*action);
  plan.transition = {};
  plan.approach.reset();
  if (approacher_ != nullptr) {
    if (auto walked = walk_there(candidate, plan); !walked) return walked;
  }
  hold_at(plan.action.blended, plan.action.blended.strokes[targets_.front().stroke], options_.hold);
  if (auto looked = look_around(candidate, plan); !looked) return looked;
  measure_targets(plan.action, targets_);
  if (plan.action.hand_error_m > options_.reach.most_missed) {
    return fail_as(ErrorKind::kNotFound,
                   fmt::format("after the walk the target is missed by {:.3f} m", plan.action.hand_error_m));
  }
  const std::vector<Collided> collided = find_collisions(plan.action.blended.clip, space_.body(), collision_);
  if (collided.empty()) return {};
  const double seconds = static_cast<double>(collided.front().frame) / plan.action.blended.clip.rate;
  return fail_as(ErrorKind::kNotFound, fmt::format("{} the body touches {}",
                                                   seconds < plan.transition.begin ? "on the walk" : "turning its head",
                                                   in_quotes(world_.obstacles[collided.front().obstacle].name)));
}

Result<ShowPlan> ShowPlanner::run(const Progress& progress) {
  for (const blend::JointTarget& target : targets_) {
    if (target.kind != blend::Constraint::Kind::kPosition) continue;
    if (auto inside = inside_something(world_, collision_, target.point)) return tl::unexpected(*inside);
  }
  if (auto nowhere = no_start()) return tl::unexpected(std::move(*nowhere));
  auto candidates = place_around(space_, world_, collision_, targets_, observers_, options_.placement);
  if (!candidates) return fail_from(candidates);
  ShowPlan plan;
  plan.candidates = std::move(*candidates);
  const Vec3 target = targets_.front().point;
  const bool any = plan.candidates.front().why == Rejected::kNot;
  const std::optional<Error> closed = reject_unreachable(plan.candidates);
  if (any && plan.candidates.front().why != Rejected::kNot)
    return fail_because(*closed, closed->message + nearest_on_foot());
  if (!any) {
    // What is out of reach or unseen has a nearest of its own.
    const bool stood =
        count_of(plan.candidates, Rejected::kOutOfReach) + count_of(plan.candidates, Rejected::kUnseen) > 0;
    return fail_as(
        ErrorKind::kNotFound,
        fmt::format("there is no place to show it from: of {} places around the target {}{}", plan.candidates.size(),
                    why_nowhere(plan.candidates, world_, collision_, target, observers_),
                    stood ? std::string() : nearest_on_foot()));
  }
  // Where a step would touch something is tried last, whatever one sees from there: made motion tells for sure, but
  // costs a hundred times as much.
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < plan.candidates.size() && plan.candidates[c].why == Rejected::kNot; ++c)
    order.push_back(c);
  const std::size_t all = order.size();
  Error last;
  std::size_t tried = 0;
  for (std::size_t n = 0; n < order.size() && tried < options_.most_places; ++n) {
    Candidate& candidate = plan.candidates[order[n]];
    if (n < all && !steps_look_clear(candidate)) {
      order.push_back(order[n]);
      continue;
    }
    if (!progress.report(static_cast<double>(tried) / static_cast<double>(options_.most_places), "trying a place"))
      return fail_as(ErrorKind::kStopped, "stopped while trying places");
    ++tried;
    const auto done = try_place(candidate, plan);
    if (done) {
      plan.chosen = order[n];
      return plan;
    }
    candidate.why = Rejected::kNoAction;
    last = done.error();
  }
  last.message = fmt::format("nothing was found from the best {} of {} places: {}", tried, all, last.message);
  return tl::unexpected(last);
}

}  // namespace

std::vector<Look> looks_around(double begin, double stroke, double end, std::span<const double> observer_angles_deg) {
  using At = Look::At;
  std::vector<Look> looks;
  if (begin > kEyesFirst) looks.push_back({0, At::kFloor, 0});
  looks.push_back({std::max(0.0, begin - kEyesFirst), At::kTarget, 0});
  double time = stroke;
  for (std::size_t i = 0; i < observer_angles_deg.size(); ++i) {
    const bool in_view = std::fabs(observer_angles_deg[i]) < kInView;
    if (i == 0) time = std::max(looks.back().seconds, stroke + (in_view ? kAfterStroke : -kBefore));
    if (time >= end) break;
    looks.push_back({time, At::kObserver, i});
    time += kLookSeconds + (in_view ? 0 : kBefore);
    if (i + 1 < observer_angles_deg.size()) continue;
    if (time < end) looks.push_back({time, At::kTarget, 0});
    if (time + kLookSeconds < end) looks.push_back({time + kLookSeconds, At::kObserver, 0});
  }
  return looks;
}

Result<ShowPlan> plan_show(const ActionSpace& space, const blend::MotionMaker& maker, const world::World& world,
                           world::Collision& collision, std::span<const blend::JointTarget> targets,
                           std::span<const Observer> observers, const ShowOptions& options, Approacher* approacher,
                           const motion::GroundFrame& start, const Progress& progress) {
  if (!std::isfinite(start.x) || !std::isfinite(start.z) || !std::isfinite(start.heading)) {
    return fail_as(ErrorKind::kBadInput, "the start is no finite place");
  }
  return ShowPlanner(space, maker, world, collision, targets, observers, options, approacher, start).run(progress);
}

}  // namespace loom::plan
