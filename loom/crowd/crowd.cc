// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <loom/base/parallel.h>
#include <loom/crowd/crowd.h>
#include <loom/crowd/half_planes.h>

namespace loom::crowd {
namespace {

constexpr float kFarthest = 1e5f;           ///< metres from the origin
constexpr float kSight = 5;                 ///< metres in which others are heeded by reciprocal avoidance
constexpr float kKeepRight = -4 * kDegree;  ///< by which everybody leaves the straight line where others are near
constexpr float kKeepRightWithin = 3;       ///< metres
constexpr float kStill = 0.05f;             ///< metres a second: slower is standing
constexpr float kAside = 0.5f;              ///< metres a second at which those who stand step aside at most
constexpr float kShuffle = 0.45f;           ///< metres a second up to which one goes sideways without turning
constexpr float kAbout = 60 * kDegree;      ///< deviation from which one who goes slowly does so
constexpr float kInPlace = 1.5f;            ///< radians a second at most for who turns where it stands
constexpr float kTreads = 0.6f;             ///< share of the standing pose of one who turns or shuffles: its feet lift
constexpr float kCorner = 0.7f;             ///< metres: that near, a corner of the route is reached
constexpr float kInSight = 0.9f;            ///< radii that the line to a corner keeps from walls
constexpr std::size_t kLookEvery = 10;      ///< frames from one look along the route to the next
constexpr float kArrivalBraking = 0.8f;     ///< metres a second squared with which one comes to its goal
constexpr float kSlowArrival = 0.3f;        ///< metres a second: no slower before it is there
constexpr float kLeaves = 3;                ///< goal radii from its goal where one has not arrived any more
constexpr float kElbow = 0.9f;              ///< metres: who stands this near at the same goal is in one's way there
constexpr float kSameGoal = 1.0f;           ///< metres between goals that count as one
constexpr float kSmoothSeconds = 0.15f;     ///< over which a velocity is told
constexpr float kBlocked = 0.3f;            ///< of the wanted speed: slower is blocked
constexpr float kFree = 0.7f;               ///< of the wanted speed: faster, patience comes back
constexpr float kPatienceSeconds = 3;  ///< blocked so long, one of a middling temper counts as of a higher priority
constexpr float kMostPatience = 2;
constexpr float kLooksAround = 0.4f;        ///< of patience spent, after which one looks for another way,
constexpr std::size_t kLookAgain = 45;      ///< and again after so many frames
constexpr float kCalm = 0.5f, kHot = 2.0f;  ///< tempers
constexpr float kPartSeconds = 0.3f;        ///< in which those who overlap are to part
constexpr float kLongestStep = 0.3f;        ///< metres in a frame
constexpr float kCreep = 0.1f;              ///< metres a second at which one who waits turns towards its way
constexpr float kHeadOn = 30 * kDegree;     ///< from straight ahead: there nobody has the right of way
constexpr float kEmergency = 0.3f;          ///< metres of gap in which nobody has it either
constexpr float kGiveGround = 0.4f;         ///< metres a second at which one steps back at most
constexpr float kStride = 0.20f;            ///< metres that feet reach further at kStrideSpeed, before and behind
constexpr float kStrideSpeed = 1.3f;        ///< metres a second
constexpr float kLeastStride = 0.2f;        ///< of a usual one: nobody is kept from shorter steps by those around
constexpr float kBesideMe = 0.35f;          ///< cosine: others more to the side than this do not shorten steps
constexpr float kFromWalls = 0.25f;         ///< metres a second at which strides are taken out of walls
constexpr float kDrawIn = 0.8f;             ///< strides that legs are drawn in by in a second
constexpr float kArmsReach = 1.7f;          ///< metres between the middles of two who may touch
constexpr float kWallReach = 1.0f;          ///< metres from its middle in which one may touch a wall
constexpr std::size_t kTouchable = 24;      ///< others within arm's reach, at most
constexpr float kBrush = 0.002f;            ///< metres by which limbs may be in each other
constexpr float kDrawBack = 0.15f;          ///< metres a second at which one draws back from what it would touch
constexpr float kWander = 0.10f;            ///< metres that a foot is held back before it steps, see FootPlanter

}  // namespace

const char* to_string(Steering steering) { return steering == Steering::kAvoid ? "avoid" : "reciprocal"; }

std::optional<Steering> steering_named(std::string_view name) {
  for (const Steering steering : kSteerings) {
    if (name == to_string(steering)) return steering;
  }
  return std::nullopt;
}

Crowd::Crowd(std::shared_ptr<const Gait> gait, std::shared_ptr<const SteeringModel> model, std::vector<Member> members,
             std::shared_ptr<const Walls> walls, const CrowdOptions& options)
    : gait_(std::move(gait)),
      model_(std::move(model)),
      members_(std::move(members)),
      walls_(walls ? std::move(walls) : std::make_shared<const Walls>()),
      options_(options),
      slowest_(std::max(model_->reachable({0, 0}).forward, 0.1f)),
      walkers_(members_.size()),
      order_(members_.size()),
      weights_(members_.size() * gait_->examples()),
      rotations_(members_.size() * gait_->skeleton()->size()),
      places_(members_.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return members_[a].priority > members_[b].priority; });
  for (std::size_t i = 0; i < members_.size(); ++i) {
    Walker& walker = walkers_[i];
    walker.place = members_[i].start;
    walker.course = walker.place.heading;
    const double turns = static_cast<double>(i) * 0.6180339887498949;  // nobody in step with its neighbours
    walker.phase = turns - std::floor(turns);
    walker.temper = kCalm + (kHot - kCalm) * static_cast<float>(walker.phase);
    walker.arrived = walker.ever_arrived = members_[i].route.empty();
    model_->weigh({slowest_, 0}, weights(i));
  }
}

Result<void> Crowd::check_numbers() const {
  const auto on_earth = [](float metres) { return std::abs(metres) <= kFarthest; };  // false of what is no number
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& member = members_[i];
    bool sound = on_earth(member.start.x) && on_earth(member.start.z) && std::isfinite(member.start.heading) &&
                 std::isfinite(member.speed) && member.speed >= 0;
    for (const Flat& p : member.route) sound = sound && on_earth(p.x) && on_earth(p.z);
    if (!sound) {
      return fail_as(ErrorKind::kBadInput,
                     fmt::format("character {} is told a place or a speed that is no number, or too far away", i + 1));
    }
  }
  return {};
}

Result<void> Crowd::check() const {
  const auto& o = options_;
  if (!(o.rate >= 5 && o.rate <= 240)) return fail_setting({"rate"}, "the rate of poses must be in [5, 240] a second");
  if (!(o.radius > 0 && o.horizon > 0 && o.tight_horizon > 0 && o.wall_horizon > 0 && o.turn_seconds > 0 &&
        o.turn_stiffness > 0)) {
    return fail_as(ErrorKind::kBadInput, "a radius, a horizon or a time of turning that is not positive");
  }
  std::array<Neighbour, 1> near;
  std::array<WallPoint, 1> wall;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (grid_.nearest(i, 2 * o.radius, near) > 0 && near[0].squared < 4 * o.radius * o.radius) {
      return fail_as(
          ErrorKind::kBadInput,
          fmt::format("characters {} and {} start in one another, {:.2f} m apart: they need {:.2f} m",
                      std::min<std::size_t>(i, near[0].index) + 1, std::max<std::size_t>(i, near[0].index) + 1,
                      std::sqrt(near[0].squared), 2 * o.radius));
    }
    if (walls_->near(places_[i], o.radius, 0, wall) > 0 && wall[0].distance < o.radius) {
      return fail_as(ErrorKind::kBadInput, fmt::format("character {} starts in a wall, at {:.2f}, {:.2f}", i + 1,
                                                       places_[i].x, places_[i].z));
    }
  }
  return {};
}

Result<std::unique_ptr<Crowd>> Crowd::create(std::shared_ptr<const Gait> gait,
                                             std::shared_ptr<const SteeringModel> model, std::vector<Member> members,
                                             std::shared_ptr<const Walls> walls, const CrowdOptions& options) {
  if (members.empty()) return fail_as(ErrorKind::kBadInput, "a crowd needs one character at least");
  std::unique_ptr<Crowd> crowd(
      new Crowd(std::move(gait), std::move(model), std::move(members), std::move(walls), options));
  if (const auto sound = crowd->check_numbers(); !sound) return fail_from(sound);
  crowd->look();
  if (const auto sound = crowd->check(); !sound) return fail_from(sound);
  polish::FootPlanterOptions planting;
  planting.max_wander = kWander;
  planting.standing = crowd->gait_->standing_heights();
  const auto planter = polish::FootPlanter::create(crowd->gait_->skeleton(), options.rate, planting);
  if (!planter) return fail_from(planter);
  crowd->bodies_.assign(crowd->size(), Body{*planter, {}, 0, {}});
  crowd->bodies_before_ = crowd->bodies_;
  crowd->rotations_before_ = crowd->rotations_;
  crowd->close_.resize(crowd->size());
  crowd->known_.resize(crowd->size());
  crowd->limbs_ = Limbs::create(*crowd->gait_->skeleton(), crowd->size());
  for (std::size_t i = 0; i < crowd->size(); ++i) crowd->pose(i);
  return crowd;
}

/// Takes down where all are.
void Crowd::look() {
  for (std::size_t i = 0; i < walkers_.size(); ++i) places_[i] = {walkers_[i].place.x, walkers_[i].place.z};
  grid_.fill(places_);
}

Seen Crowd::seen(std::size_t character) const {
  const Walker& walker = walkers_[character];
  return {{walker.place.x, walker.place.z}, walker.velocity, options_.radius};
}

motion::GroundFrame Crowd::place(std::size_t character) const {
  const Walker& walker = walkers_[character];
  return {walker.place.x, walker.place.z, wrap_angle(walker.course)};
}

std::optional<double> Crowd::arrival(std::size_t character) const {
  const Walker& walker = walkers_[character];
  if (!walker.ever_arrived) return std::nullopt;
  return static_cast<double>(walker.arrived_frame) / options_.rate;
}

Flat Crowd::goal(std::size_t character) const {
  const Member& member = members_[character];
  return member.route.empty() ? Flat{member.start.x, member.start.z} : member.route.back();
}

void Crowd::send(std::size_t character, std::vector<Flat> route) {
  Walker& walker = walkers_[character];
  walker.arrived = walker.ever_arrived = route.empty();
  walker.arrived_frame = frame_;
  walker.corner = 0;
  walker.detour = false;
  members_[character].route = std::move(route);
}

bool Crowd::step(std::span<const motion::Control> /*controls*/) {
  look();
  walkers_before_ = walkers_;
  weights_before_ = weights_;
  if (options_.other) ask_other();
  parallel_for(size(), 8, [this](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) decide(i);
  });
  ++frame_;
  for (const std::uint32_t i : order_) take_step(i);
  parallel_for(size(), 8, [this](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) pose_next(i);
  });
  for (const std::uint32_t i : order_) keep_limbs_apart(i);
  return true;
}

/// What a character would do if it were alone.
Flat Crowd::wanted_velocity(std::size_t self) const {
  const Walker& walker = walkers_[self];
  const Member& member = members_[self];
  if (walker.arrived || member.route.empty()) return {};
  const Flat to = member.route[walker.corner] - places_[self];
  const bool last = walker.corner + 1 == member.route.size();
  const float far = length(to);
  const float slow = last ? std::max(kSlowArrival, std::sqrt(2 * kArrivalBraking * far)) : member.speed;
  return normalized(to, direction_of(walker.course)) * std::min(member.speed, slow);
}

/// How much room a character takes in a direction (of length one): before and behind one who walks it is more than to
/// its sides, for there its feet are.
float Crowd::room(std::size_t self, Flat direction) const {
  const Walker& walker = walkers_[self];
  return options_.radius + kStride * walker.stride * std::fabs(dot(direction, direction_of(walker.course)));
}

/// Its priority, and what its spent patience makes of it: of two who wait for each other one comes to count for more.
float Crowd::rank(std::size_t self) const {
  const Walker& walker = walkers_[self];
  return static_cast<float>(members_[self].priority) + walker.patience * walker.temper;
}

/// The fastest that one can go so that its strides end before those of others who are ahead or behind begin: legs cross
/// where bodies keep apart by their middles alone.
float Crowd::stride_speed(std::size_t self, std::span<const Neighbour> near) const {
  const Flat me = places_[self], facing = direction_of(walkers_[self].course);
  float share = 1.5f;
  for (const Neighbour& other : near) {
    const float far = std::sqrt(other.squared);
    if (far > 2 * (options_.radius + kStride)) break;  // nearest come first
    const Flat between = normalized(places_[other.index] - me);
    const float along = std::fabs(dot(between, facing));
    if (along < kBesideMe) continue;
    share = std::min(share, (far - options_.radius - room(other.index, between)) / (kStride * along));
  }
  return std::max(share, kLeastStride) * kStrideSpeed;
}

/// How much of what it takes to avoid `other` is for `self` to do. Both shares make one.
float Crowd::share(std::size_t self, std::size_t other) const {
  const Walker &a = walkers_[self], &b = walkers_[other];
  const float above = rank(self) - rank(other);
  // Who stands where it wants to be stays, as long as nobody comes who has to be let through.
  if (a.arrived != b.arrived && std::fabs(above) < 1) return a.arrived ? 0.0f : 1.0f;
  return std::clamp(0.5f - above / 2, 0.0f, 1.0f);
}

Flat Crowd::steer_reciprocally(std::size_t self, Flat wanted, std::span<const Neighbour> near) const {
  std::array<HalfPlane, kWalls + kNear> planes;
  std::size_t count = 0;
  const Member& member = members_[self];
  Seen me = seen(self);
  std::array<WallPoint, kWalls> walls;
  const float reach = options_.radius + options_.comfort + member.speed * options_.wall_horizon;
  const std::size_t walled = walls_->near(places_[self], reach, seconds(), walls);
  for (const WallPoint& wall : std::span(walls).first(walled)) {
    const Flat away = normalized(places_[self] - wall.point) * (wall.distance < 0 ? -1.0f : 1.0f);
    me.radius = room(self, away) + options_.comfort / 2;
    if (wall.distance > me.radius) {
      // Like somebody who stands there: one may pass beside it, where a line across would close every narrow door.
      planes[count++] = reciprocal_plane(me, {wall.point, wall.velocity, 0}, options_.wall_horizon, 1, kPartSeconds);
    } else {
      const float gap = std::max(wall.distance - me.radius, -0.1f);
      planes[count++] = {away, dot(away, wall.velocity) - gap / options_.wall_horizon};
    }
  }
  const std::size_t firm = count;
  const float horizon = walled > 0 ? options_.tight_horizon : options_.horizon;
  for (const Neighbour& other : near) {
    const float mine = share(self, other.index);
    if (mine <= 0) continue;
    Seen it = seen(other.index);
    // Who has to be let through is seen going where it wants to, also while it is held up by the very one who looks.
    if (mine >= 1 && !walkers_[other.index].arrived) it.velocity = walkers_[other.index].intent;
    const Flat between = normalized(it.place - me.place);
    me.radius = room(self, between) + options_.comfort / 2;
    it.radius = room(other.index, between) + options_.comfort / 2;
    planes[count++] = reciprocal_plane(me, it, horizon, mine, kPartSeconds);
  }
  const bool close = !near.empty() && near[0].squared < kKeepRightWithin * kKeepRightWithin;
  if (close && length(wanted) > kStill) wanted = direction_of(heading_of(wanted) + kKeepRight) * length(wanted);
  const float fastest = length(wanted) > kStill ? std::max(member.speed, kAside) : kAside;
  Flat chosen;
  nearest_bearable(std::span(planes).first(count), firm, fastest, wanted, chosen);
  return chosen;
}

Flat Crowd::steer_by_avoiding(std::size_t self, Flat wanted, std::span<const Neighbour> near) const {
  std::array<Seen, kWalls + kNear> others, waited_for;
  std::size_t count = 0, waits = 0;
  Flat aside;
  const Flat facing = direction_of(walkers_[self].course);
  for (const Neighbour& other : near) {
    const float mine = share(self, other.index);
    if (mine <= 0) continue;  // it makes way
    const Seen it = seen(other.index);
    others[count++] = it;
    // Who comes from the left waits, and so one who comes from the right is waited for: never both.
    const Flat apart = it.place - places_[self];
    const float far = length(apart), ahead = dot(apart, facing);
    const bool moves = length(it.velocity) > kShuffle, aside_of_me = ahead < far * std::cos(kHeadOn);
    const bool waits_for_me = moves && aside_of_me && dot(apart, left_of(facing)) > 0;
    if (!waits_for_me || far < 2 * options_.radius + kEmergency) waited_for[waits++] = it;
    if (length(wanted) > kStill || mine < 1) continue;
    // One who stands lets those through who have to pass: sideways, out of their way.
    const float clear = 2 * options_.radius + options_.avoid.margin;
    if (closest_approach(apart, it.velocity, options_.avoid.horizon).distance > clear) continue;
    const Flat across = left_of(normalized(it.velocity, normalized(-apart)));
    aside += across * (dot(across, apart) > 0 ? -kAside : kAside);
  }
  std::array<WallPoint, kWalls> walls;
  const std::size_t walled = walls_->near(places_[self], options_.avoid.look_ahead / 2, seconds(), walls);
  for (const WallPoint& wall : std::span(walls).first(walled)) {
    others[count++] = waited_for[waits++] = {wall.point, wall.velocity, 0};
  }
  if (length(wanted) <= kStill) return length(aside) > kAside ? normalized(aside) * kAside : aside;
  const Seen me = seen(self);
  const Flat way = steer_to_avoid(me, facing, normalized(wanted), std::span(others).first(count), options_.avoid);
  const auto ahead = std::span<const Seen>(waited_for).first(waits);
  return way * std::max(safe_speed(me, facing, length(wanted), ahead, options_.avoid), kCreep);
}

/// Lets other steering choose for everybody.
void Crowd::ask_other() {
  now_.resize(size());
  alone_.resize(size());
  chosen_.resize(size());
  for (std::size_t i = 0; i < size(); ++i) {
    now_[i] = seen(i);
    alone_[i] = wanted_velocity(i);
  }
  options_.other->choose(now_, alone_, static_cast<float>(1 / options_.rate), chosen_);
}

void Crowd::decide(std::size_t self) {
  std::array<Neighbour, kNear> found;
  const bool avoids = options_.steering == Steering::kAvoid;
  const std::size_t count = grid_.nearest(self, avoids ? options_.avoid.look_ahead : kSight, found);
  const std::span<const Neighbour> near = std::span(found).first(count);
  const Flat wanted = wanted_velocity(self);
  Walker& walker = walkers_[self];
  walker.pace = options_.other ? chosen_[self]
                : avoids       ? steer_by_avoiding(self, wanted, near)
                               : steer_reciprocally(self, wanted, near);
  // Who has to give ground steps back a little, rather than turn about and walk off.
  const float size = length(walker.pace);
  if (dot(walker.pace, wanted) < -0.2f * size * length(wanted) && size > kGiveGround) {
    walker.pace = walker.pace * (kGiveGround / size);
  }
  walk(self, walker.pace, stride_speed(self, near));
}

/// Makes weights, and from them a step, of the velocity that was chosen.
void Crowd::walk(std::size_t self, Flat pace, float fastest) {
  Walker& walker = walkers_[self];
  const auto seconds = static_cast<float>(1 / options_.rate);
  const float size = length(pace), off = size > kStill ? wrap_angle(heading_of(pace) - walker.course) : 0;
  const bool shuffles = size > kStill && size <= kShuffle && std::fabs(off) > kAbout && walker.speed < kShuffle;
  // Who has to turn far slows down for it.
  const float turned = std::clamp(1 - (std::fabs(off) - 0.35f) / 1.0f, 0.15f, 1.0f);
  const float wanted = size > kStill && !shuffles ? std::min(size * turned, fastest) : 0;
  walker.speed += std::clamp(wanted - walker.speed, -options_.braking * seconds, options_.acceleration * seconds);
  walker.turn.step(shuffles ? 0 : off / options_.turn_seconds, options_.turn_stiffness, seconds);
  const Course course = model_->reachable({std::max(walker.speed, slowest_), walker.turn.value});
  model_->weigh(course, weights(self));
  const bool treads = shuffles || (size > kStill && std::fabs(off) > kAbout / 2);
  const float stand = std::clamp(1 - walker.speed / slowest_, 0.0f, treads ? kTreads : 1.0f);
  walker.stand += std::clamp(stand - walker.stand, -4 * seconds, 4 * seconds);
  Gait::Blend blend{walker.phase, weights(self), walker.stand};
  walker.moved = gait_->advance(blend, static_cast<double>(seconds));
  walker.next_phase = blend.phase;
  // Where the body hardly walks it cannot turn by walking: it turns on its feet, which step by themselves.
  const float lacks = walker.turn.value * seconds - walker.moved.heading;
  const float in_place = kInPlace * seconds * walker.stand;
  walker.moved.heading += std::clamp(walker.stand * lacks, -in_place, in_place);
  if (shuffles) {
    const float sine = std::sin(-walker.place.heading), cosine = std::cos(-walker.place.heading);
    walker.moved.x = (cosine * pace.x + sine * pace.z) * seconds;
    walker.moved.z = (cosine * pace.z - sine * pace.x) * seconds;
  }
  const Vec3 there = motion::transform(walker.place, walker.moved.position());
  walker.wish = {there.x - walker.place.x, there.z - walker.place.z};
}

/// Goes on along its route: to the farthest corner near the present one that it sees.
void Crowd::follow_route(std::size_t self) {
  Walker& walker = walkers_[self];
  const std::vector<Flat>& route = members_[self].route;
  if (route.empty()) return;
  const Flat here{walker.place.x, walker.place.z};
  while (walker.corner + 1 < route.size() && length(route[walker.corner] - here) < kCorner) ++walker.corner;
  if ((frame_ + self) % kLookEvery != 0 || walls_->size() == 0) return;
  // A way around others is gone corner by corner; of another the farthest corner in sight is gone to.
  const std::size_t low = walker.detour ? walker.corner : walker.corner - std::min<std::size_t>(walker.corner, 2);
  const std::size_t high = walker.detour ? walker.corner : std::min(walker.corner + 2, route.size() - 1);
  for (std::size_t c = high + 1; c > low; --c) {
    if (!walls_->clear(here, route[c - 1], kInSight * options_.radius)) continue;
    walker.corner = c - 1;
    return;
  }
  // Others have driven it off its way.
  if (ways_) look_for_another_way(self);
}

/// Whether one has come as near to its goal as those allow who stand there.
bool Crowd::others_have_arrived(std::size_t self, std::span<const Neighbour> near) const {
  const Flat goal = members_[self].route.back();
  const float mine = length(goal - places_[self]);
  return std::any_of(near.begin(), near.end(), [&](const Neighbour& other) {
    const std::vector<Flat>& route = members_[other.index].route;
    return walkers_[other.index].arrived && other.squared < kElbow * kElbow && !route.empty() &&
           length(route.back() - goal) < kSameGoal && length(goal - places_[other.index]) < mine;
  });
}

/// One who is held up goes round those who stand in its way, where it can.
void Crowd::look_for_another_way(std::size_t self) {
  std::array<Neighbour, kNear> found;
  std::array<Flat, kNear> standing;
  std::size_t count = 0;
  const Flat here = places_[self], goal = members_[self].route.back();
  for (const Neighbour& other : std::span(found).first(grid_.nearest(self, kSight, found))) {
    const Flat place = places_[other.index];
    // Those around the goal are no reason to go elsewhere, and those who wait will go on.
    if (walkers_[other.index].arrived && length(place - goal) > kSameGoal) standing[count++] = place;
  }
  auto route = ways_->find(here, goal, std::span(standing).first(count));
  if (!route) return;
  members_[self].route = std::move(*route);
  walkers_[self].corner = 0;
  walkers_[self].detour = count > 0;
}

/// Takes as much of the step as keeps it out of everybody and everything.
void Crowd::take_step(std::size_t self) {
  Walker& walker = walkers_[self];
  const auto seconds = static_cast<float>(1 / options_.rate);
  std::array<Neighbour, kNear> found;
  // Places are those before this frame; since then nobody went further than a step.
  const std::size_t count = grid_.nearest(self, 2 * options_.radius + 2 * kLongestStep, found);
  const std::span<const Neighbour> near = std::span(found).first(count);
  std::array<HalfPlane, kWalls + kNear> planes;
  std::size_t used = 0;
  const Flat here{walker.place.x, walker.place.z};
  std::array<WallPoint, kWalls> walls;
  const std::size_t walled = walls_->near(here, options_.radius + kLongestStep, this->seconds(), walls);
  for (const WallPoint& wall : std::span(walls).first(walled)) {
    const Flat away = normalized(here - wall.point) * (wall.distance < 0 ? -1.0f : 1.0f);
    // Who turns its strides towards a wall that is near goes back from it a little.
    const float reach = std::min(room(self, away) - wall.distance, kFromWalls * seconds);
    const float lacks = std::max(reach, options_.radius - wall.distance);
    planes[used++] = {away, std::min(lacks, kLongestStep / 4)};
  }
  const std::size_t firm = used;
  for (const Neighbour& other : near) {
    const Flat apart = here - Flat{walkers_[other.index].place.x, walkers_[other.index].place.z};
    const Flat away = normalized(apart);
    const float far = length(apart), needed = room(self, away) + room(other.index, away);
    // Who stands in the other's stride comes no nearer, but is not driven out of it.
    planes[used++] = {away, std::max(std::min(needed - far, 0.0f), 2 * options_.radius - far)};
  }
  Flat taken;
  nearest_bearable(std::span(planes).first(used), firm, kLongestStep, walker.wish, taken);
  const float wished = length(walker.wish), lost = length(walker.wish - taken);
  walker.held_back += static_cast<double>(lost);
  const float share = wished > 1e-6f ? std::clamp(dot(taken, walker.wish) / (wished * wished), 0.0f, 1.0f) : 1;
  double ahead = walker.next_phase - walker.phase;
  if (ahead < 0) ahead += 1;
  walker.phase += ahead * static_cast<double>(share);
  walker.phase -= std::floor(walker.phase);
  walker.place = {here.x + taken.x, here.z + taken.z, wrap_angle(walker.place.heading + walker.moved.heading)};
  walker.course = walker.place.heading - gait_->swing({walker.phase, weights(self), walker.stand});
  // Legs are drawn in more slowly than a body stops. (Others look at this while they decide: it changes here alone.)
  walker.stride =
      std::max(std::min(walker.speed / kStrideSpeed, 1.5f) * (1 - walker.stand), walker.stride - kDrawIn * seconds);
  const float went = length(taken) / seconds;
  if (share < 0.9f) walker.speed = std::min(walker.speed, went + 0.2f);
  walker.velocity += (taken * (1 / seconds) - walker.velocity) * (1 - std::exp(-seconds / kSmoothSeconds));

  follow_route(self);
  const std::vector<Flat>& route = members_[self].route;
  if (route.empty()) return;
  const float left = length(route.back() - Flat{walker.place.x, walker.place.z});
  if (!walker.arrived && (left < options_.goal_radius || others_have_arrived(self, near))) {
    walker.arrived = true;
    if (!walker.ever_arrived) walker.arrived_frame = frame_;
    walker.ever_arrived = true;
  } else if (walker.arrived && left > kLeaves * options_.goal_radius && !others_have_arrived(self, near)) {
    walker.arrived = false;
  }
  walker.intent = walker.pace;
  const float goes = length(walker.velocity) / std::max(members_[self].speed, kStill);
  const float spends = walker.arrived || goes > kFree ? -1.0f : goes < kBlocked ? 1.0f : 0.0f;
  walker.patience += spends * seconds / kPatienceSeconds;
  walker.patience = std::clamp(walker.patience, 0.0f, kMostPatience);
  const bool held_up = spends > 0 && walker.patience > kLooksAround;
  if (ways_ && !walker.arrived && (held_up || walker.detour) && (frame_ + self) % kLookAgain == 0) {
    look_for_another_way(self);
  }
}

void Crowd::pose(std::size_t self) {
  Walker& walker = walkers_[self];
  Body& body = bodies_[self];
  motion::StreamPose pose{{}, rotations(self), 0, {}};
  const double time = seconds() + 1.7 * static_cast<double>(self);
  gait_->pose({walker.phase, weights(self), walker.stand}, walker.place, time, pose);
  body.root = pose.root;
  body.source = pose.source;
  body.planted = pose.planted;
  if (options_.plant_feet) body.planted = body.planter.plant(pose.planted, body.root, pose.rotations);
}

/// Makes the pose of a step that was taken. Of those who may touch somebody it can be taken back.
void Crowd::pose_next(std::size_t self) {
  std::array<Neighbour, 1> near;
  std::array<WallPoint, 1> wall;
  close_[self] = limbs_ && (grid_.nearest(self, kArmsReach, near) > 0 ||
                            walls_->near(places_[self], kWallReach, seconds(), wall) > 0);
  if (close_[self] == 0) {
    known_[self] = 0;
    return pose(self);
  }
  const motion::Skeleton& skeleton = *gait_->skeleton();
  if (known_[self] == 0) {
    limbs_->place_next(self, skeleton, bodies_[self].root, rotations(self));
    limbs_->take(self);
    known_[self] = 1;
  }
  bodies_before_[self] = bodies_[self];
  const auto first = static_cast<std::ptrdiff_t>(self * skeleton.size());
  std::copy_n(rotations_.begin() + first, skeleton.size(), rotations_before_.begin() + first);
  pose(self);
  limbs_->place_next(self, skeleton, bodies_[self].root, rotations(self));
}

/// What a new pose is in, and was less or not at all in the pose before: the deepest. Nothing: the pose is all right.
Overlap Crowd::worse_than_now(std::size_t self) const {
  Overlap deepest;
  const auto look_at = [&](const auto& other) {
    const Overlap next = limbs_->next_in(self, other);
    if (next.depth > std::max(kBrush, deepest.depth) && next.depth > limbs_->now_in(self, other).depth) deepest = next;
  };
  std::array<Neighbour, kTouchable> near;
  for (const Neighbour& other : std::span(near).first(grid_.nearest(self, kArmsReach, near))) {
    if (known_[other.index] != 0) look_at(std::size_t{other.index});
  }
  std::array<WallPoint, kWalls> walls;
  for (const WallPoint& wall : std::span(walls).first(walls_->near(places_[self], kWallReach, seconds(), walls))) {
    if (wall.wall < walls_->size()) look_at(walls_->standing()[wall.wall]);
  }
  return deepest;
}

void Crowd::keep_limbs_apart(std::size_t self) {
  if (close_[self] == 0) return;
  const Overlap in = worse_than_now(self);
  if (in.depth == 0) return limbs_->take(self);
  hold(self);
  if (!draw_back(self, in.out)) hold(self);
}

/// Takes a step back: the body stays as it was before this frame. What was decided about its way stays decided.
void Crowd::hold(std::size_t self) {
  Walker& walker = walkers_[self];
  const Walker& before = walkers_before_[self];
  const auto seconds = static_cast<float>(1 / options_.rate);
  walker.held_back = before.held_back + static_cast<double>(length(walker.wish));
  walker.place = before.place;
  walker.course = before.course;
  walker.phase = before.phase;
  walker.stand = before.stand;
  walker.stride = before.stride;
  walker.turn = before.turn;
  walker.speed = std::max(0.0f, before.speed - options_.braking * seconds);
  walker.velocity = before.velocity * std::exp(-seconds / kSmoothSeconds);
  const std::size_t examples = gait_->examples(), joints = gait_->skeleton()->size();
  std::copy_n(weights_before_.begin() + static_cast<std::ptrdiff_t>(self * examples), examples, weights(self).begin());
  bodies_[self] = bodies_before_[self];
  std::copy_n(rotations_before_.begin() + static_cast<std::ptrdiff_t>(self * joints), joints, rotations(self).begin());
}

/// Moves a body that is held a little away from what it would have been in; says whether there was room.
bool Crowd::draw_back(std::size_t self, Flat out) {
  Walker& walker = walkers_[self];
  const Flat to = Flat{walker.place.x, walker.place.z} + out * (kDrawBack / static_cast<float>(options_.rate));
  std::array<Neighbour, kTouchable> near;
  for (const Neighbour& other : std::span(near).first(grid_.nearest(self, kArmsReach, near))) {
    const motion::GroundFrame& place = walkers_[other.index].place;
    if (length(to - Flat{place.x, place.z}) < 2 * options_.radius) return false;
  }
  std::array<WallPoint, 1> wall;
  if (walls_->near(to, options_.radius, seconds(), wall) > 0) return false;
  walker.place.x = to.x;
  walker.place.z = to.z;
  pose(self);
  limbs_->place_next(self, *gait_->skeleton(), bodies_[self].root, rotations(self));
  if (worse_than_now(self).depth > 0) return false;
  limbs_->take(self);
  return true;
}

void Crowd::show(std::size_t character, motion::StreamPose& pose) const {
  const std::size_t joints = gait_->skeleton()->size();
  std::copy_n(rotations_.begin() + static_cast<std::ptrdiff_t>(character * joints), joints, pose.rotations.begin());
  const Body& body = bodies_[character];
  pose.root = body.root;
  pose.planted = body.planted;
  pose.source = body.source;
}

std::unique_ptr<motion::Ensemble> Crowd::clone() const { return std::unique_ptr<Crowd>(new Crowd(*this)); }

}  // namespace loom::crowd
