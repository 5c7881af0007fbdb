// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include <loom/base/math.h>
#include <loom/base/whole.h>
#include <loom/motion/body.h>
#include <loom/plan/placement.h>
#include <loom/plan/reach_plan.h>

namespace loom::plan {
namespace {

using motion::GroundFrame;

constexpr double kStep = 0.05;         ///< metres between distances that are tried
constexpr int kSameZone = 4;           ///< places next to each other that have about the same comfort zone
constexpr double kReached = 0.004;     ///< metres: near enough, before feet are planted
constexpr float kRay = 0.002f;         ///< metres thick
constexpr float kSurface = 0.06f;      ///< metres before a target within which what it lies on does not hide it
constexpr double kEyesHalfWide = 0.2;  ///< metres to either side of an observer's eyes that are looked at
constexpr double kDeep = 0.5;          ///< metres below them
constexpr int kAcross = 5, kDown = 4;
constexpr float kKnees = 0.4f, kOnlookerRadius = 0.2f;  ///< metres: of somebody who looks on

double wrapped(double degrees) { return std::remainder(degrees, 360.0); }

/// How much of what is seen along many lines of sight is not hidden.
class Sight {
 public:
  explicit Sight(world::Collision& collision) : collision_(collision) {}

  /// What hid something last.
  [[nodiscard]] std::size_t hider() const { return hider_; }

  /// Of somebody's head and chest, from a pair of eyes.
  double of_person(Vec3 eyes, const Observer& person) {
    return share_of(eyes, person, [&](Vec3 there) { return free(eyes, there); });
  }

  /// Of a place, by an observer who may lean a little.
  double of_place(Vec3 place, const Observer& observer) {
    return share_of(place, observer, [&](Vec3 eyes) {
      const Vec3 way = place - eyes;
      const float length = std::sqrt(dot(way, way));
      return length <= kSurface || free(eyes, eyes + way * ((length - kSurface) / length));
    });
  }

 private:
  /// The share of points across somebody, as seen from `from`, of which something holds.
  template <typename Holds>
  static double share_of(Vec3 from, const Observer& person, const Holds& holds) {
    const double dx = person.at.x - static_cast<double>(from.x), dz = person.at.z - static_cast<double>(from.z);
    const double away = std::max(std::hypot(dx, dz), 1e-6);
    int held = 0;
    for (int i = 0; i < kAcross; ++i) {
      const double side = kEyesHalfWide * (2.0 * i / (kAcross - 1) - 1);
      for (int k = 0; k < kDown; ++k) {
        held += holds({static_cast<float>(person.at.x - side * dz / away),
                       static_cast<float>(person.eyes - kDeep * k / (kDown - 1)),
                       static_cast<float>(person.at.z + side * dx / away)})
                    ? 1
                    : 0;
      }
    }
    return static_cast<double>(held) / (kAcross * kDown);
  }

  bool free(Vec3 from, Vec3 to) {
    const motion::Capsule ray{from, to, kRay, kRay};
    const auto touch = collision_.touch({&ray, 1});
    if (touch) hider_ = touch->obstacle;
    return !touch;
  }

  world::Collision& collision_;
  std::size_t hider_ = 0;
};

/// Whether somebody has room there, from the knees to the eyes.
bool can_stand(world::Collision& collision, const Observer& there) {
  const auto x = static_cast<float>(there.at.x), z = static_cast<float>(there.at.z);
  const Vec3 knees{x, kKnees, z}, eyes{x, std::max(kKnees, static_cast<float>(there.eyes)), z};
  const motion::Capsule body{knees, eyes, kOnlookerRadius, kOnlookerRadius};
  return !collision.touch({&body, 1});
}

class Placing {
 public:
  Placing(const ActionSpace& space, const world::World& world, world::Collision& collision,
          std::span<const blend::JointTarget> targets, std::span<const Observer> observers,
          const PlacementOptions& options, blend::InverseBlending problem)
      : space_(space),
        world_(world),
        collision_(collision),
        targets_(targets),
        target_(targets.front()),
        observers_(observers),
        options_(options),
        problem_(std::move(problem)),
        sight_(collision),
        placed_(space.scratch()),
        weights_(space.examples()),
        head_(motion::find_body(*space.space().skeleton()).head) {
    for (const Observer& observer : observers_)
      seen_by_all_ = std::min(seen_by_all_, sight_.of_place(target_.point, observer));
  }

  /// The place for an axis that points to a heading, radians.
  Candidate at(double axis);

 private:
  [[nodiscard]] GroundFrame stand_at(double axis, const PlacementAngles& angles, double distance) const {
    const double from = axis + angles.beta / kDegreesARadian;  // they stand at the other end of this
    return {static_cast<float>(static_cast<double>(target_.point.x) - distance * std::sin(from)),
            static_cast<float>(static_cast<double>(target_.point.z) - distance * std::cos(from)),
            static_cast<float>(std::remainder(axis + angles.theta / kDegreesARadian, 2 * 3.14159265358979323846))};
  }
  bool reaches(const GroundFrame& stand) {
    for (std::size_t n = 0; n < targets_.size(); ++n) {
      blend::Constraint wanted;
      const blend::JointTarget seen = seen_from(stand, targets_[n]);
      wanted.point = seen.point;
      wanted.direction = seen.direction;
      wanted.orientation = seen.orientation;
      problem_.retarget(n, wanted);
    }
    problem_.solve({}, weights_, solution_);
    if (*std::max_element(solution_.errors.begin(), solution_.errors.end()) < kReached) return true;
    if (solution_.errors.front() < missed_) {
      missed_ = solution_.errors.front();
      space_.place(space_.stroke_slice(target_.stroke), weights_, stand, placed_);
      nearest_ = placed_.positions[static_cast<std::size_t>(target_.joint)];
    }
    return false;
  }
  /// The distances from which the target is met, nearest to where it was met last first.
  std::optional<double> distance_for(double axis, const PlacementAngles& angles);
  std::optional<std::size_t> touched(std::size_t slice, const GroundFrame& stand) {
    space_.place(slice, weights_, stand, placed_);
    const auto touch = collision_.touch(placed_.capsules);
    return touch ? std::optional(touch->obstacle) : std::nullopt;
  }

  const ActionSpace& space_;
  const world::World& world_;
  world::Collision& collision_;
  std::span<const blend::JointTarget> targets_;
  const blend::JointTarget& target_;  ///< the first
  std::span<const Observer> observers_;
  const PlacementOptions& options_;
  blend::InverseBlending problem_;
  Sight sight_;
  ActionSpace::Placed placed_;
  std::vector<float> weights_;
  blend::InverseSolution solution_;
  int head_;
  double seen_by_all_ = 1;
  double usual_ = 0.5;  ///< metres: the distance found last
  int zone_used_ = 0;   ///< places that the zone found last was used for
  double missed_ = 0;   ///< metres: of the place that is looked at, at least
  Vec3 nearest_;
};

std::optional<double> Placing::distance_for(double axis, const PlacementAngles& angles) {
  missed_ = std::numeric_limits<double>::infinity();
  if (options_.fixed_distance) {
    if (!reaches(stand_at(axis, angles, *options_.fixed_distance))) return {};
    return options_.fixed_distance;
  }
  // The next places have much the same zone: its middle is taken as long as the target is met from there.
  if (zone_used_ > 0 && zone_used_ < kSameZone && reaches(stand_at(axis, angles, usual_))) {
    ++zone_used_;
    return usual_;
  }
  // The zone is sought outwards from the last one; where the target is met, as far on as it goes both ways, and its
  // middle is taken.
  const int most = to_whole<int>(std::ceil((options_.farthest - options_.nearest) / kStep));
  for (int i = 0; i <= 2 * most; ++i) {
    const int away = (i + 1) / 2;
    const double distance = usual_ + kStep * (i % 2 == 0 ? away : -away);
    if (distance < options_.nearest || distance > options_.farthest) continue;
    if (!reaches(stand_at(axis, angles, distance))) continue;
    double low = distance, high = distance;
    while (low - kStep >= options_.nearest && high - low < 4 * kStep && reaches(stand_at(axis, angles, low - kStep)))
      low -= kStep;
    while (high + kStep <= options_.farthest && high - low < 4 * kStep && reaches(stand_at(axis, angles, high + kStep)))
      high += kStep;
    usual_ = (low + high) / 2;
    reaches(stand_at(axis, angles, usual_));  // the weights are those of the middle
    zone_used_ = 1;
    return usual_;
  }
  return {};
}

Candidate Placing::at(double axis) {
  const Observer& first = observers_.front();
  const double to_first =
      std::atan2(first.at.x - static_cast<double>(target_.point.x), first.at.z - static_cast<double>(target_.point.z));
  Candidate candidate;
  candidate.alpha = wrapped((to_first - axis) * kDegreesARadian);
  const PlacementAngles angles = options_.fixed_distance ? PlacementAngles{} : placement_angles(candidate.alpha);
  candidate.head_turn = wrapped(angles.phi - angles.theta);
  const auto rejected = [&](Rejected why) {
    candidate.why = why;
    return candidate;
  };
  candidate.stand = stand_at(axis, angles, usual_);
  candidate.distance = usual_;
  if (options_.front && std::cos(*options_.front - axis - angles.beta / kDegreesARadian) <= 0)
    return rejected(Rejected::kOtherSide);
  const auto distance = distance_for(axis, angles);
  if (!distance) {
    candidate.missed = missed_;
    candidate.nearest = nearest_;
    return rejected(Rejected::kOutOfReach);
  }
  candidate.distance = *distance;
  candidate.stand = stand_at(axis, angles, *distance);
  if (!world_.has_floor({static_cast<double>(candidate.stand.x), static_cast<double>(candidate.stand.z)})) {
    return rejected(Rejected::kNoFloor);
  }
  for (const std::size_t slice : {std::size_t{0}, space_.stroke_slice(target_.stroke)}) {
    if (const auto obstacle = touched(slice, candidate.stand)) {
      candidate.obstacle = *obstacle;
      return rejected(Rejected::kTouches);
    }
  }
  candidate.clearance = seen_by_all_;
  if (head_ >= 0) {
    const Vec3 eyes = placed_.positions[static_cast<std::size_t>(head_)];
    for (const Observer& observer : observers_) {
      candidate.clearance = std::min(candidate.clearance, sight_.of_person(eyes, observer));
    }
  }
  if (candidate.clearance > 0) return candidate;
  candidate.obstacle = sight_.hider();
  return rejected(Rejected::kUnseen);
}

}  // namespace

PlacementAngles placement_angles(double alpha) {
  // Huang 2012, appendix 11.1. They are fits for up to 150 degrees either way, and go on from there.
  return {((2.392e-6 * alpha + 0.0003056) * alpha + 0.1145) * alpha - 6.062,
          (0.0006228 * alpha + 0.3267) * alpha + 11.29, (0.0006673 * alpha + 0.6736) * alpha + 2.073};
}

const char* to_string(Rejected why) {
  switch (why) {
    case Rejected::kOtherSide:
      return "other side";
    case Rejected::kNoFloor:
      return "no floor";
    case Rejected::kTouches:
      return "touches";
    case Rejected::kOutOfReach:
      return "out of reach";
    case Rejected::kUnseen:
      return "unseen";
    case Rejected::kNoWay:
      return "no way";
    case Rejected::kNoAction:
      return "no action";
    case Rejected::kNot:
      break;
  }
  return "";
}

Result<std::vector<Candidate>> place_around(const ActionSpace& space, const world::World& world,
                                            world::Collision& collision, std::span<const blend::JointTarget> targets,
                                            std::span<const Observer> observers, const PlacementOptions& options) {
  if (targets.empty() || targets.front().kind != blend::Constraint::Kind::kPosition) {
    return fail_as(ErrorKind::kBadInput, "the first target is to be a place: that is what is stood around");
  }
  if (observers.empty()) return fail_as(ErrorKind::kBadInput, "nobody looks on");
  for (const Observer& observer : observers) {
    if (!std::isfinite(observer.at.x) || !std::isfinite(observer.at.z) || !std::isfinite(observer.eyes)) {
      return fail_as(ErrorKind::kBadInput, "an observer is at no finite place");
    }
  }
  if (!(options.every > 0 && options.every <= 360) || !(options.nearest > 0 && options.nearest < options.farthest)) {
    return fail_as(ErrorKind::kBadInput, "places are more than 0 and at most 360 degrees apart, and some metres away");
  }
  auto problem = blend::constrain(space.space(), targets);
  if (!problem) return fail_from(problem);
  Placing placing(space, world, collision, targets, observers, options, std::move(*problem));
  std::vector<Candidate> candidates;
  const auto count = to_whole<int>(std::max(1.0, std::round(360 / options.every)));
  for (int i = 0; i < count; ++i) candidates.push_back(placing.at(2 * 3.14159265358979323846 * i / count));
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    if ((a.why == Rejected::kNot) != (b.why == Rejected::kNot)) return a.why == Rejected::kNot;
    if (a.clearance != b.clearance) return a.clearance > b.clearance;
    return std::fabs(a.head_turn) < std::fabs(b.head_turn);
  });
  return candidates;
}

std::optional<Observer> nearest_onlooker(const world::World& world, world::Collision& collision, Vec3 target,
                                         const Observer& observer) {
  constexpr int kAround = 24;
  constexpr double kEvery = 0.25, kFarthest = 4;  // metres
  Sight sight(collision);
  for (double away = 0; away <= kFarthest; away += kEvery) {
    for (int i = 0; i < (away > 0 ? kAround : 1); ++i) {
      const double angle = 2 * 3.14159265358979323846 * i / kAround;
      Observer there = observer;
      there.at = {observer.at.x + away * std::sin(angle), observer.at.z + away * std::cos(angle)};
      if (away > 0 && !can_stand(collision, there)) continue;  // where they are is not asked
      if (world.has_floor(there.at) && sight.of_place(target, there) > 0) return there;
    }
  }
  return {};
}

}  // namespace loom::plan
