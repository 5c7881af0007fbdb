// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/fight/state_body.h>
#include <loom/motion/kinematics.h>
#include <loom/take/take_set.h>

namespace loom::fight {
namespace {

constexpr float kKnuckles = 0.08f;                          ///< metres from the wrist on along the forearm
constexpr float kHeadCentre = 0.08f;                        ///< metres from the head's joint on along the neck
constexpr float kAbdomenShare = 0.3f, kChestShare = 0.85f;  ///< of the way from the hips to the top of the spine

// What makes a blow of a movement. A fist or foot that shoots out is faster than any step or swing of the guard.
constexpr float kStrikeSpeed = 3.0f;                     ///< metres a second, at its fastest
constexpr float kFistReach = 0.42f, kFootReach = 0.55f;  ///< metres from the abdomen along the floor, stretched
constexpr float kShotOut = 0.18f;                        ///< metres farther than a moment before
constexpr double kShotSeconds = 0.4;                     ///< that moment
constexpr double kThrownSpeed = 0.6;                     ///< metres a second of head and middle together
constexpr double kThrownSeconds = 0.6;                   ///< in which a body that is hit has given way
constexpr float kKickHeight = 0.3f;                      ///< metres: a foot lower than this is stepping

bool is_foot(BodyPoint limb) { return limb == BodyPoint::kLeftFoot || limb == BodyPoint::kRightFoot; }

float along_floor(Vec3 a, Vec3 b) { return std::hypot(a.x - b.x, a.z - b.z); }

}  // namespace

const char* to_string(BodyPoint point) {
  static constexpr const char* kNames[] = {"head",       "chest",     "abdomen",   "left fist",
                                           "right fist", "left foot", "right foot"};
  return kNames[static_cast<std::size_t>(point)];
}

float thickness(BodyPoint point) {
  static constexpr float kRadius[] = {0.12f, 0.16f, 0.15f, 0.05f, 0.05f, 0.06f, 0.06f};
  return kRadius[static_cast<std::size_t>(point)];
}

Result<BodyFinder> BodyFinder::create(const motion::Skeleton& skeleton) {
  BodyFinder finder;
  finder.body_ = motion::find_body(skeleton);
  const motion::Body& body = finder.body_;
  if (!body.left_arm.complete() || !body.right_arm.complete()) return fail("the body has no two arms to fight with");
  if (!body.has_legs()) return fail("the body has no two legs to fight with");
  if (body.head < 0 || body.neck < 0 || body.hips < 0 || body.spine.empty()) {
    return fail("the body has no head, neck, spine and hips to fight with");
  }
  return finder;
}

BodyPlaces BodyFinder::find(std::span<const Vec3> positions) const {
  const auto at = [&](int joint) { return positions[static_cast<std::size_t>(joint)]; };
  const Vec3 hips = at(body_.hips), top = at(body_.spine.back()), head = at(body_.head);
  BodyPlaces places;
  const auto set = [&](BodyPoint point, Vec3 place) { places[static_cast<std::size_t>(point)] = place; };
  set(BodyPoint::kHead, head + normalized(head - at(body_.neck)) * kHeadCentre);
  set(BodyPoint::kChest, lerp(hips, top, kChestShare));
  set(BodyPoint::kAbdomen, lerp(hips, top, kAbdomenShare));
  const auto fist = [&](const motion::Limb& arm) {
    return at(arm.end) + normalized(at(arm.end) - at(arm.middle)) * kKnuckles;
  };
  set(BodyPoint::kLeftFist, fist(body_.left_arm));
  set(BodyPoint::kRightFist, fist(body_.right_arm));
  set(BodyPoint::kLeftFoot, at(body_.left_leg.tip >= 0 ? body_.left_leg.tip : body_.left_leg.end));
  set(BodyPoint::kRightFoot, at(body_.right_leg.tip >= 0 ? body_.right_leg.tip : body_.right_leg.end));
  return places;
}

namespace {

/// Whether a limb, at `f`, has just shot out to its farthest.
bool is_contact(const std::vector<BodyPlaces>& places, graph::Node begin, graph::Node end, graph::Node f,
                BodyPoint limb, double rate) {
  const auto which = static_cast<std::size_t>(limb), middle = static_cast<std::size_t>(BodyPoint::kAbdomen);
  const auto reach = [&](graph::Node n) { return along_floor(places[n][which], places[n][middle]); };
  const float stretched = reach(f);
  if (stretched < (is_foot(limb) ? kFootReach : kFistReach)) return false;
  if (is_foot(limb) && places[f][which].y < kKickHeight) return false;
  if ((f > begin && reach(f - 1) > stretched) || (f + 1 < end && reach(f + 1) > stretched)) return false;
  const auto back = to_whole<graph::Node>(std::round(kShotSeconds * rate));
  float fastest = 0, least = stretched;
  for (graph::Node n = f; n > begin && n + back > f; --n) {
    fastest = std::max(fastest, distance(places[n][which], places[n - 1][which]) * static_cast<float>(rate));
    least = std::min(least, reach(n - 1));
  }
  return fastest >= kStrikeSpeed && stretched - least >= kShotOut;
}

std::optional<Strike> find_strike(const std::vector<BodyPlaces>& places, const behavior::StateNode& node, double rate) {
  for (graph::Node f = node.begin; f < node.end; ++f) {
    for (const BodyPoint limb : kLimbs) {
      if (is_contact(places, node.begin, node.end, f, limb, rate)) return Strike{limb, f};
    }
  }
  return std::nullopt;
}

}  // namespace

Result<StateBody> StateBody::create(const behavior::StateGraph& states, const take::TakeSet& motion) {
  const auto finder = BodyFinder::create(*motion.skeleton);
  if (!finder) return fail_from(finder);
  const graph::MotionGraph& graph = states.graph;
  const motion::GroundFrameFinder ground(*motion.skeleton);
  StateBody made;
  made.places_.resize(graph.nodes());
  made.ground_.resize(graph.nodes());
  made.strikes_.resize(states.nodes.size());
  made.planted_.resize(graph.nodes());
  parallel_for(graph.runs.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
      const graph::Run& run = graph.runs[r];
      const motion::Clip& clip = motion.clips[run.clip];
      const std::size_t points = motion.skeleton->point_count();
      const auto positions = motion::point_positions(clip, run.begin, run.end);
      for (std::uint32_t i = 0; i < run.frames(); ++i) {
        const graph::Node node = run.first_node + i;
        const std::size_t frame = run.begin + i;
        made.places_[node] = finder->find(std::span(positions).subspan(i * points, points));
        made.ground_[node] = ground.find(clip.roots[frame], clip.pose(frame)[0]);
        made.planted_[node] = motion.contacts[run.clip].planted[frame];
      }
    }
  });
  made.stepping_.assign(graph.nodes() + 1, 0);
  for (graph::Node n = 0; n < graph.nodes(); ++n) {
    const bool stands = made.stands_on(n, true) && made.stands_on(n, false);
    made.stepping_[n + 1] = made.stepping_[n] + (stands ? 0 : 1);
  }
  Vec3 blows;
  std::vector<float> reaches;
  for (std::size_t n = 0; n < states.nodes.size(); ++n) {
    if (!states.machine.states[states.nodes[n].state].whole) continue;
    made.strikes_[n] = find_strike(made.places_, states.nodes[n], graph.rate);
    if (!made.strikes_[n]) continue;
    const motion::GroundFrame& stand = made.ground_[states.nodes[n].begin];
    const Vec3 blow = transform(inverse(stand), made.point(made.strikes_[n]->contact, made.strikes_[n]->limb));
    blows += normalized(Vec3{blow.x, 0, blow.z}, {0, 0, 1});
    reaches.push_back(std::hypot(blow.x, blow.z));
  }
  made.aim_ = std::atan2(blows.x, blows.z);
  std::sort(reaches.begin(), reaches.end());
  if (!reaches.empty()) made.reach_ = reaches[reaches.size() * 9 / 10];
  return made;
}

Throw StateBody::thrown(const behavior::StateGraph& states, std::uint32_t node) const {
  const behavior::StateNode& action = states.nodes[node];
  const auto gone_from = [&](graph::Node from, graph::Node n, BodyPoint which) {
    const motion::GroundFrame home = inverse(ground_[from]);
    return transform(home, point(n, which)) - transform(home, point(from, which));
  };
  Throw farthest;
  farthest.onset = action.begin;
  const auto fast = static_cast<float>(kThrownSpeed / states.graph.rate);
  const auto still = [&](graph::Node n) {
    return length(gone_from(n, n + 1, BodyPoint::kHead)) + length(gone_from(n, n + 1, BodyPoint::kAbdomen)) < fast;
  };
  while (farthest.onset + 1 < action.end && still(farthest.onset)) ++farthest.onset;
  if (farthest.onset + 1 == action.end) farthest.onset = action.begin;
  const auto most = to_whole<graph::Node>(std::round(kThrownSeconds * states.graph.rate));
  for (graph::Node n = farthest.onset; n < std::min(action.end, farthest.onset + most); ++n) {
    const Vec3 head = gone_from(farthest.onset, n, BodyPoint::kHead);
    const Vec3 middle = gone_from(farthest.onset, n, BodyPoint::kAbdomen);
    if (length(head) + length(middle) <= length(farthest.head) + length(farthest.middle)) continue;
    farthest.head = head;
    farthest.middle = middle;
  }
  return farthest;
}

}  // namespace loom::fight
