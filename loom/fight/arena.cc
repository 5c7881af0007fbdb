// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/fight/activity_settings.h>
#include <loom/fight/arena.h>
#include <loom/fight/elbows.h>
#include <loom/fight/style_sliders.h>
#include <loom/motion/contacts.h>
#include <loom/motion/kinematics.h>
#include <loom/take/take_set.h>

namespace loom::fight {
namespace {

constexpr std::size_t kEventsAnHour = 20000;
constexpr float kPairSpacing = 5.0f;    ///< metres between pairs at the beginning
constexpr double kBeforeContact = 0.1;  ///< seconds before its first contact that a blow may land
constexpr double kAfterContact = 0.08;  ///< seconds after
constexpr double kForeseen = 0.17;      ///< seconds ahead in which limbs see what will stop them
constexpr float kCarried = 0.07f;       ///< metres above where its motion has it a foot is still being put down
constexpr float kAwareness = 4.0f;      ///< metres: hits and pushes farther than this are not looked for

/// The nearest distance of the segment from `a` to `b` to the point `p`.
float distance_to_segment(Vec3 p, Vec3 a, Vec3 b) {
  const Vec3 along = b - a;
  const float square = dot(along, along);
  const float t = square > 1e-12f ? std::clamp(dot(p - a, along) / square, 0.0f, 1.0f) : 0.0f;
  return distance(p, lerp(a, b, t));
}

/// Where a fighter starts: pairs stand in a row, the two of a pair facing each other.
motion::GroundFrame start_of(std::size_t fighter, std::size_t count, float apart) {
  const bool odd_one = fighter + 1 == count && count % 2 == 1;
  const std::size_t number = fighter / 2;
  const auto pair = static_cast<float>(number);
  if (odd_one) return {kPairSpacing * std::max(0.0f, pair - 1) + 2 * apart, 0, -kPi / 2};
  const float side = fighter % 2 == 0 ? -0.5f : 0.5f;
  return {kPairSpacing * pair, side * apart, side < 0 ? 0.0f : kPi};
}

/// The knees and elbows of a graph's body, as it moves them: clips count as often as the graph has runs of them.
motion::Hinges hinges_of(const graph::MotionGraph& graph, const take::TakeSet& motion) {
  constexpr std::size_t kPoses = 500;
  std::size_t frames = 0;
  for (const graph::Run& run : graph.runs) frames += motion.clips[run.clip].frames();
  const std::size_t stride = frames / kPoses + 1;
  motion::Clip poses;
  poses.skeleton = motion.skeleton;
  for (const graph::Run& run : graph.runs) {
    const motion::Clip& clip = motion.clips[run.clip];
    for (std::size_t f = 0; f < clip.frames(); f += stride) {
      const auto pose = clip.pose(f);
      poses.roots.push_back(clip.roots[f]);
      poses.rotations.insert(poses.rotations.end(), pose.begin(), pose.end());
    }
  }
  return motion::find_hinges(*motion.skeleton, motion::forward_kinematics(poses));
}

/// The parts of the style that `timed` asks for.
std::vector<std::string> style_of(const TimedWish& timed) {
  auto styles = parse_styles(timed.style);
  return styles.empty() ? std::vector<std::string>() : std::move(styles.front());
}

/// Whether `arena` has whom `timed` is for, and the style it asks for.
Result<void> check(const Arena& arena, const TimedWish& timed) {
  if (timed.fighter >= arena.size()) {
    return fail(fmt::format("a wish is for fighter {}, and there are {}", timed.fighter + 1, arena.size()));
  }
  const auto known = activities_in(arena.states().machine, style_of(timed));
  if (known) return {};
  return fail_as(ErrorKind::kBadInput,
                 fmt::format("fighter {} at frame {}: {}", timed.fighter + 1, timed.frame, known.error().message));
}

Result<void> tell(Arena& arena, const TimedWish& timed) {
  if (!timed.style.empty()) return arena.restyle(timed.fighter, style_of(timed));
  arena.steer(timed.fighter, timed.wish);
  return {};
}

}  // namespace

const char* to_string(BoutEvent::Kind kind) {
  switch (kind) {
    case BoutEvent::Kind::kEvade:
      return "evade";
    case BoutEvent::Kind::kHit:
      return "hit";
    case BoutEvent::Kind::kAttack:
      break;
  }
  return "attack";
}

Result<Arena> Arena::create(std::shared_ptr<const behavior::StateGraph> states,
                            std::shared_ptr<const take::TakeSet> motion,
                            const std::vector<std::vector<std::string>>& styles, const ArenaOptions& options) {
  if (styles.size() < 2) return fail("a bout needs at least two fighters");
  if (states->machine.activities.empty()) {
    return fail(fmt::format("machine '{}' has no activities to decide between", states->machine.name));
  }
  const auto home = static_cast<std::uint32_t>(states->machine.default_state);
  std::vector<graph::Node> starts;
  for (graph::Node n = 0; n < states->graph.nodes(); ++n) {
    if (states->state_of[n] == home) starts.push_back(n);
  }
  if (starts.empty()) {
    return fail(fmt::format("the default state '{}' has no motion left", states->machine.states[home].name));
  }
  auto finder = BodyFinder::create(*motion->skeleton);
  if (!finder) return fail_from(finder);
  auto body = StateBody::create(*states, *motion);
  if (!body) return fail_from(body);
  Arena arena(std::move(states), std::move(motion), std::move(*finder), options);
  arena.body_ = std::make_shared<const StateBody>(std::move(*body));
  Random random(options.seed);
  const std::size_t joints = arena.motion_->skeleton->size();
  for (std::size_t f = 0; f < styles.size(); ++f) {
    auto activities = activities_in(arena.states_->machine, styles[f]);
    if (!activities) return fail_from(activities);
    const graph::Node start = starts[random.index(starts.size())];
    // The line blows go along, not the hips, is turned to the opponent.
    const motion::GroundFrame aimed{0, 0, -arena.body_->aim()};
    const motion::GroundFrame world =
        start_of(f, styles.size(), options.start_distance) * aimed * inverse(arena.body_->ground(start));
    arena.fighters_.emplace_back(arena.states_, arena.motion_, arena.body_, std::move(*activities),
                                 behavior::StatePlace{start, world}, random.bits());
    Presence presence;
    presence.rotations.resize(joints);
    presence.world.resize(joints);
    presence.positions.resize(arena.motion_->skeleton->point_count());
    arena.presences_.push_back(std::move(presence));
  }
  arena.hinges_ = hinges_of(arena.states_->graph, *arena.motion_);
  if (auto capsules = motion::BodyCapsules::of(*arena.motion_->skeleton)) {
    SeparationOptions separation;
    separation.push_speed = options.push_speed;
    separation.ahead = arena.ahead_ = to_whole<std::size_t>(std::round(kForeseen * arena.rate()));
    arena.separation_.emplace(*arena.motion_->skeleton, std::move(*capsules), arena.hinges_, styles.size(), separation);
  }
  arena.coming_ = arena.presences_;
  arena.solids_.resize(styles.size());
  arena.heard_.resize(styles.size());
  arena.tallies_.resize(styles.size());
  arena.events_.reserve(kEventsAnHour);
  for (std::size_t f = 0; f < styles.size(); ++f) {
    arena.stands_.push_back(arena.fighters_[f].stand());
    arena.look(f);
    arena.presences_[f].before = arena.presences_[f].places;
  }
  arena.keep_apart();
  return arena;
}

void Arena::steer(std::size_t fighter, const std::optional<FighterWish>& wish) {
  fighters_[fighter].steer(wish, seconds());
}

Result<void> Arena::restyle(std::size_t fighter, const std::vector<std::string>& styles) {
  auto activities = activities_in(states_->machine, styles);
  if (!activities) return fail_from(activities);
  fighters_[fighter].restyle(std::move(*activities));
  return {};
}

void Arena::show(std::size_t fighter, motion::StreamPose& pose) const {
  const Presence& presence = presences_[fighter];
  pose.root = presence.root;
  pose.planted = presence.planted;
  pose.source = presence.source;
  std::copy(presence.rotations.begin(), presence.rotations.end(), pose.rotations.begin());
}

const std::shared_ptr<const motion::Skeleton>& Arena::skeleton(std::size_t /*fighter*/) const {
  return motion_->skeleton;
}

std::vector<std::string> Arena::source_names(std::size_t /*fighter*/) const {
  std::vector<std::string> names;
  for (const graph::GraphClip& clip : states_->graph.clips) names.push_back(clip.title());
  return names;
}

std::size_t Arena::opponent_of(std::size_t fighter) const {
  const motion::GroundFrame& here = stands_[fighter];
  std::size_t nearest = fighter == 0 ? 1 : 0;
  float least = 1e30f;
  for (std::size_t o = 0; o < fighters_.size(); ++o) {
    if (o == fighter) continue;
    const float apart = std::hypot(here.x - stands_[o].x, here.z - stands_[o].z);
    if (apart >= least) continue;
    least = apart;
    nearest = o;
  }
  return nearest;
}

void Arena::decide(std::size_t f) {
  const std::size_t opponent = opponent_of(f);
  const double quiet = seconds() - std::max(presences_[f].busy, presences_[opponent].busy);
  const Activity* activity = fighters_[f].decide(fighters_[opponent], seconds(), quiet);
  tallies_[f].decisions += 1;
  presences_[f].may_hit = false;
  if (activity == nullptr || activity->kind == ActivityKind::kShadow) return;
  BoutEvent event;
  event.seconds = seconds();
  event.fighter = static_cast<std::uint32_t>(f);
  event.other = static_cast<std::uint32_t>(opponent);
  event.node = fighters_[f].action();
  if (activity->kind == ActivityKind::kAttack) {
    const BodyPoint limb = body_->strike(event.node)->limb;
    event.limb = limb;
    event.contact_seconds = seconds() + fighters_[f].blow()->steps / rate();
    const bool kick = limb == BodyPoint::kLeftFoot || limb == BodyPoint::kRightFoot;
    tallies_[f].attacks += 1;
    (kick ? tallies_[f].kicks : tallies_[f].punches) += 1;
    presences_[f].may_hit = true;
  } else {
    event.kind = BoutEvent::Kind::kEvade;
    tallies_[f].evasions += 1;
  }
  events_.push_back(event);
}

void Arena::look(std::size_t f) {
  Presence& presence = presences_[f];
  motion::StreamPose pose;
  pose.rotations = presence.rotations;
  fighters_[f].show(pose);
  straighten_elbows(*motion_->skeleton, hinges_, pose.rotations);
  presence.root = pose.root;
  presence.planted = pose.planted;
  presence.source = pose.source;
  motion::forward_kinematics(*motion_->skeleton, presence.root, presence.rotations, presence.positions, presence.world);
  presence.before = presence.places;
  presence.places = finder_.find(presence.positions);
  // A foot that a join still carries through the air does not stand yet, though in the new motion it does.
  const graph::Node frame = fighters_[f].place().frame;
  for (const auto& [foot, bits] : {std::pair{BodyPoint::kLeftFoot, motion::kLeftHeel | motion::kLeftToe},
                                   std::pair{BodyPoint::kRightFoot, motion::kRightHeel | motion::kRightToe}}) {
    const float carried = presence.places[static_cast<std::size_t>(foot)].y - body_->point(frame, foot).y;
    if (carried > kCarried) presence.planted = static_cast<std::uint8_t>(presence.planted & ~bits);
  }
}

void Arena::find_hits(std::size_t f) {
  Presence& attacker = presences_[f];
  if (!attacker.may_hit) return;
  const std::uint32_t action = fighters_[f].action();
  const graph::Node here = fighters_[f].place().frame;
  if (states_->node_of[here] != action) return;
  const Strike& strike = *body_->strike(action);
  const double from_contact = (static_cast<double>(here) - static_cast<double>(strike.contact)) / rate();
  if (from_contact < -kBeforeContact || from_contact > kAfterContact) return;
  const auto limb = static_cast<std::size_t>(strike.limb);
  const Vec3 from = attacker.before[limb], to = attacker.places[limb];
  for (std::size_t o = 0; o < fighters_.size(); ++o) {
    if (o == f || distance(presences_[o].root, attacker.root) > kAwareness) continue;
    for (const BodyPoint part : kTargets) {
      const Vec3 centre = presences_[o].places[static_cast<std::size_t>(part)];
      if (distance_to_segment(centre, from, to) > thickness(part) + thickness(strike.limb)) continue;
      const Vec3 velocity = (to - from) * static_cast<float>(rate());
      events_.push_back({BoutEvent::Kind::kHit, seconds(), static_cast<std::uint32_t>(f), static_cast<std::uint32_t>(o),
                         action, strike.limb, part, length(velocity), 0, to});
      tallies_[f].hits += 1;
      attacker.may_hit = false;
      const BodyPlaces& places = presences_[o].places;
      const float left = places[static_cast<std::size_t>(BodyPoint::kLeftFoot)].y,
                  right = places[static_cast<std::size_t>(BodyPoint::kRightFoot)].y;
      fighters_[o].take({part, velocity, to, centre}, presences_[o].world, std::max(left, right), fighters_[f]);
      if (!fighters_[o].blow()) presences_[o].may_hit = false;
      return;
    }
  }
}

void Arena::keep_roots_apart() {
  const float most = options_.push_speed / static_cast<float>(rate());
  for (std::size_t a = 0; a < fighters_.size(); ++a) {
    for (std::size_t b = a + 1; b < fighters_.size(); ++b) {
      const Vec3 between{stands_[b].x - stands_[a].x, 0, stands_[b].z - stands_[a].z};
      const float apart = length(between);
      if (apart >= options_.least_distance) continue;
      const Vec3 push = normalized(between, {1, 0, 0}) * std::min(most, 0.5f * (options_.least_distance - apart));
      for (const auto& [fighter, by] : {std::pair{a, -push}, {b, push}}) {
        fighters_[fighter].shift(by);
        presences_[fighter].root += by;
      }
    }
  }
}

/// Tells what is coming to what separates bodies.
void Arena::foresee() {
  const auto seconds = static_cast<float>(1 / rate());
  for (std::size_t ahead = 0; ahead <= ahead_; ++ahead) {
    for (std::size_t f = 0; f < fighters_.size(); ++f) {
      Presence& coming = coming_[f];
      motion::StreamPose pose;
      pose.rotations = coming.rotations;
      if (ahead == 0) {
        fighters_[f].show(pose);
      } else {
        fighters_[f].show_next(pose, ahead > 1);
      }
      motion::forward_kinematics(*motion_->skeleton, pose.root, coming.rotations, coming.positions, coming.world);
      solids_[f] = {pose.root, coming.rotations, coming.positions, coming.world, pose.planted, {}};
    }
    separation_->foresee(solids_, seconds);
  }
}

void Arena::separate_bodies() {
  if (ahead_ > 0) foresee();
  for (std::size_t f = 0; f < fighters_.size(); ++f) {
    Presence& presence = presences_[f];
    solids_[f] = {presence.root, presence.rotations, presence.positions, presence.world, presence.planted, {}};
  }
  separation_->step(solids_, static_cast<float>(1 / rate()));
  for (std::size_t f = 0; f < fighters_.size(); ++f) {
    presences_[f].root = solids_[f].root;
    if (length(solids_[f].pushed) > 0) fighters_[f].shift(solids_[f].pushed);
  }
}

void Arena::keep_apart() {
  if (separation_) {
    separate_bodies();
  } else {
    keep_roots_apart();
  }
  for (std::size_t f = 0; f < fighters_.size(); ++f) stands_[f] = fighters_[f].stand();
  for (std::size_t a = 0; a < fighters_.size(); ++a) {
    for (std::size_t b = a + 1; b < fighters_.size(); ++b)
      nearest_ = std::min(nearest_, between(stands_[a], stands_[b]));
  }
}

bool Arena::step(std::span<const motion::Control> controls) {
  for (std::size_t f = 0; f < controls.size(); ++f) {
    const std::optional<FighterWish> wish = wish_of(controls[f]);
    if (wish == heard_[f]) continue;
    heard_[f] = wish;
    steer(f, wish);
  }
  for (std::size_t f = 0; f < fighters_.size(); ++f) {
    if (fighters_[f].must_decide(seconds())) decide(f);
  }
  ++frames_;
  for (std::size_t f = 0; f < fighters_.size(); ++f) {
    fighters_[f].advance();
    fighters_[f].face(stands_[opponent_of(f)]);
    if (states_->state_of[fighters_[f].place().frame] != states_->machine.default_state) presences_[f].busy = seconds();
    look(f);
  }
  // A blow lands where its motion takes it; only then is the limb stopped at the surface.
  for (std::size_t f = 0; f < fighters_.size(); ++f) find_hits(f);
  keep_apart();
  return true;
}

Result<std::vector<motion::Recording>> record(Arena& arena, double seconds, std::span<const TimedWish> wishes,
                                              const Progress& progress) {
  for (const TimedWish& timed : wishes) {
    if (const auto fine = check(arena, timed); !fine) return fail_from(fine);
  }
  auto wish = wishes.begin();
  const auto tell_wishes = [&](std::size_t frame, std::span<motion::Control>) -> Result<void> {
    for (; wish != wishes.end() && wish->frame < frame; ++wish) {
      if (const auto told = tell(arena, *wish); !told) return fail_from(told);
    }
    return {};
  };
  return motion::record(arena, seconds, tell_wishes, progress, "fighting");
}

}  // namespace loom::fight
