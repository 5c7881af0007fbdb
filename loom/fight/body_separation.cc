// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/fight/body_separation.h>
#include <loom/motion/contacts.h>
#include <loom/motion/inverse_kinematics.h>
#include <loom/motion/kinematics.h>

namespace loom::fight {
namespace {

constexpr float kNear = 2.6f;             ///< metres between roots: farther apart, nothing can touch
constexpr float kLeastDown = 0.3f;        ///< how far down a limb it must be met for the limb to give way
constexpr float kHeldAlone = 0.1f;        ///< metres a limb is held back before the bodies give way too
constexpr float kMostHeld = 0.5f;         ///< of its length a limb is held back at most
constexpr float kStretched = 0.95f;       ///< of its length; a limb that gives way is not snapped straight by it
constexpr float kFolded = 150 * kDegree;  ///< as far as people bend elbows and knees
constexpr float kNothing = 1e-4f;         ///< metres
constexpr float kAnyway = 1.0f;           ///< metres: what is foreseen is not bound to any speed
constexpr float kSameSide = 0.6f;  ///< cosine: normals farther apart than this from one step to the next are doubted
constexpr float kFlat = 0.25f;     ///< the least a normal has to point along the floor for bodies to be moved along it

std::size_t limb_index(motion::BodyPart part) { return static_cast<std::size_t>(part) - 1; }

Vec3 along(const motion::Capsule& capsule, float on_axis) { return lerp(capsule.a, capsule.b, on_axis); }

float radius(const motion::Capsule& capsule, float on_axis) {
  return capsule.radius_a + (capsule.radius_b - capsule.radius_a) * on_axis;
}

Vec3 on_floor(Vec3 v) { return {v.x, 0, v.z}; }

Vec3 at_most(Vec3 v, float size) {
  const float own = length(v);
  return own > size ? v * (size / own) : v;
}

}  // namespace

BodySeparation::BodySeparation(const motion::Skeleton& skeleton, motion::BodyCapsules capsules,
                               const motion::Hinges& hinges, std::size_t count, const SeparationOptions& options)
    : skeleton_(skeleton), capsules_(std::move(capsules)), options_(options) {
  const motion::Body body = motion::find_body(skeleton);
  limbs_ = {body.left_arm, body.right_arm, body.left_leg, body.right_leg};
  const std::vector<Vec3> rest = motion::rest_positions(skeleton);
  for (std::size_t l = 0; l < kLimbs; ++l) {
    if (!limbs_[l].complete()) continue;
    const auto place = [&](int joint) { return rest[static_cast<std::size_t>(joint)]; };
    const float upper = distance(place(limbs_[l].upper), place(limbs_[l].middle));
    const float lower = distance(place(limbs_[l].middle), place(limbs_[l].end));
    lengths_[l] = upper + lower;
    folded_[l] = std::sqrt(upper * upper + lower * lower + 2 * upper * lower * std::cos(kFolded));
    for (const auto& hinge : hinges) {
      if (hinge && hinge->limb.upper == limbs_[l].upper) hinges_[l] = hinge->axis;
    }
  }
  for (std::size_t c = 0; c < capsules_.size(); ++c) of_part_[static_cast<std::size_t>(capsules_.part(c))].push_back(c);
  states_.resize(count);
  for (State& state : states_) {
    state.raw.resize(skeleton.size());
    state.now.resize(capsules_.size());
    state.before.resize(capsules_.size());
  }
  if (options.ahead == 0) return;
  coming_ = states_;
  foresights_.resize(count);
  for (Foresight& foresight : foresights_) foresight.before.resize(options.ahead + 1);
  float sum = 0;
  for (std::size_t s = 0; s <= options.ahead; ++s) {
    const float wave = std::sin(kPi * (static_cast<float>(s) + 0.5f) / static_cast<float>(options.ahead + 1));
    kernel_.push_back(wave * wave);
    sum += kernel_.back();
  }
  for (float& weight : kernel_) weight /= sum;
}

float BodySeparation::held_back(std::size_t body, motion::BodyPart limb) const {
  return limb == motion::BodyPart::kCore ? 0 : length(states_[body].held(limb_index(limb)));
}

/// Where the end of a limb is put: where it is held, but no nearer to its root than a fold of the limb brings it and no
/// farther than one nearly stretched reaches, unless the motion itself does.
Vec3 BodySeparation::held_end(const State& state, const SolidBody& body, std::size_t limb) const {
  const Vec3 own = state.end[limb] + body.pushed, held = own + state.held(limb);
  const Vec3 root = motion::joint_frame(skeleton_, limbs_[limb].upper, body.root, body.rotations).position;
  const float reach = distance(own, root), wanted = distance(held, root);
  const float within = std::clamp(wanted, std::min(folded_[limb], reach), std::max(kStretched * lengths_[limb], reach));
  return within == wanted ? held : root + normalized(held - root, normalized(own - root)) * within;
}

/// The pose with the limbs where they are held.
void BodySeparation::pose(State& state, SolidBody& body) {
  std::copy(state.raw.begin(), state.raw.end(), body.rotations.begin());
  for (std::size_t l = 0; l < kLimbs; ++l) {
    if (!limbs_[l].complete() || length(state.held(l)) < kNothing) continue;
    motion::TwoBoneOptions options;
    options.hinge = hinges_[l];
    motion::solve_two_bone(skeleton_, limbs_[l], body.root, body.rotations, held_end(state, body, l), options);
    // A hand or foot goes with its limb: kept as it was in the world, it would snap round at the wrist.
    const auto end = static_cast<std::size_t>(limbs_[l].end);
    body.rotations[end] = state.raw[end];
  }
  motion::forward_kinematics(skeleton_, body.root, body.rotations, body.positions, body.world);
  capsules_.place(body.positions, body.world, state.now);
  bound(state);
}

void BodySeparation::bound(State& state) const {
  for (std::size_t p = 0; p < motion::kBodyParts; ++p) {
    Vec3 low{1e9f, 1e9f, 1e9f}, high{-1e9f, -1e9f, -1e9f};
    for (const std::size_t c : of_part_[p]) {
      const motion::Capsule& capsule = state.now[c];
      const float around = std::max(capsule.radius_a, capsule.radius_b);
      for (const Vec3 end : {capsule.a, capsule.b}) {
        low = {std::min(low.x, end.x - around), std::min(low.y, end.y - around), std::min(low.z, end.z - around)};
        high = {std::max(high.x, end.x + around), std::max(high.y, end.y + around), std::max(high.z, end.z + around)};
      }
    }
    state.bounds[p] = {low, high, 0, 0};
  }
}

bool BodySeparation::find_deepest(const State& one, const State& other, motion::BodyPart part,
                                  motion::BodyPart other_part, Overlap& found) const {
  const motion::Capsule &box = one.bounds[static_cast<std::size_t>(part)],
                        &other_box = other.bounds[static_cast<std::size_t>(other_part)];
  if (box.a.x > other_box.b.x || other_box.a.x > box.b.x || box.a.y > other_box.b.y || other_box.a.y > box.b.y ||
      box.a.z > other_box.b.z || other_box.a.z > box.b.z) {
    return false;
  }
  found.depth = 0;
  for (const std::size_t i : of_part_[static_cast<std::size_t>(part)]) {
    for (const std::size_t j : of_part_[static_cast<std::size_t>(other_part)]) {
      const motion::CapsuleGap gap = motion::gap_between(one.now[i], other.now[j]);
      if (gap.gap >= options_.clearance) continue;
      const Vec3 between = along(one.now[i], gap.on_one) - along(other.now[j], gap.on_other);
      const float reach = radius(one.now[i], gap.on_one) + radius(other.now[j], gap.on_other);
      Vec3 normal = normalized(between, {0, 0, 0});
      float depth = options_.clearance - gap.gap;
      // Where they came from: a limb that was outside a moment ago goes back out where it went in.
      const Vec3 before = along(one.before[i], gap.on_one) - along(other.before[j], gap.on_other);
      if (length(before) > 0.5f * reach && dot(normal, before) < kSameSide * length(before)) {
        normal = normalized(before);
        depth = reach + options_.clearance - dot(between, normal);
      }
      if (depth <= found.depth) continue;
      found = {i, j, normal, depth, capsules_.down_limb(i, gap.on_one), capsules_.down_limb(j, gap.on_other)};
    }
  }
  return found.depth > 0;
}

/// How readily the limb gives way where it is met; 0 for what is no limb, and for one that stands.
float BodySeparation::freedom(const SolidBody& body, motion::BodyPart part, float down) const {
  if (part == motion::BodyPart::kCore || down < kLeastDown || !limbs_[limb_index(part)].complete()) return 0;
  if (part == motion::BodyPart::kLeftLeg && (body.planted & (motion::kLeftHeel | motion::kLeftToe)) != 0) return 0;
  if (part == motion::BodyPart::kRightLeg && (body.planted & (motion::kRightHeel | motion::kRightToe)) != 0) return 0;
  return down;
}

/// Moves the limb's end so that the point met moves `by`, at most `most` metres in all of this step. False where the
/// limb is held back so far that the body should give way as well.
bool BodySeparation::give_way(State& state, motion::BodyPart part, Vec3 by, float down, float most) const {
  const std::size_t l = limb_index(part);
  Vec3 change = state.offset[l] + by / std::max(down, kLeastDown) - state.begun[l];
  if (length(change) > most) change = change * (most / length(change));
  state.offset[l] = state.begun[l] + change;
  const float farthest = kMostHeld * lengths_[l], size = length(state.held(l));
  if (size > farthest) state.offset[l] = state.held(l) * (farthest / size) - state.planned[l];
  state.changed = true;
  return size <= kHeldAlone;
}

void BodySeparation::push(State& state, SolidBody& body, Vec3 by, const Bounds& bounds) {
  const Vec3 more = body.pushed + by - state.push_begun;
  const Vec3 pushed = state.push_begun + at_most(more, bounds.push_more), within = at_most(pushed, bounds.push);
  body.root += within - body.pushed;
  body.pushed = within;
  state.changed = true;
}

/// One round of corrections between two bodies; false when there was nothing to correct.
bool BodySeparation::separate(State& one, State& other, SolidBody& body, SolidBody& other_body,
                              const Bounds& bounds) const {
  bool any = false;
  Vec3 away;  // the farthest that any two parts have to go, along the floor
  for (std::size_t p = 0; p < motion::kBodyParts; ++p) {
    for (std::size_t q = 0; q < motion::kBodyParts; ++q) {
      const auto part = static_cast<motion::BodyPart>(p), other_part = static_cast<motion::BodyPart>(q);
      Overlap overlap;
      if (!find_deepest(one, other, part, other_part, overlap)) continue;
      any = true;
      const float free = freedom(body, part, overlap.down_one);
      const float other_free = freedom(other_body, other_part, overlap.down_other);
      const Vec3 by = overlap.normal * (overlap.depth / std::max(free + other_free, kLeastDown));
      const bool gave = free > 0 && give_way(one, part, by * free, overlap.down_one, bounds.stop);
      const bool other_gave =
          other_free > 0 && give_way(other, other_part, -by * other_free, overlap.down_other, bounds.stop);
      if ((gave || free == 0) && (other_gave || other_free == 0) && (gave || other_gave)) continue;
      const Vec3 flat = on_floor(overlap.normal);
      const Vec3 apart = on_floor(body.root - other_body.root);
      const Vec3 direction = length(flat) > kFlat ? normalized(flat) : normalized(apart, {1, 0, 0});
      if (overlap.depth > length(away)) away = direction * overlap.depth;
    }
  }
  if (length(away) > 0) {
    push(one, body, away * 0.5f, bounds);
    push(other, other_body, away * -0.5f, bounds);
  }
  return any;
}

/// Takes a body as it is given, limbs where it was planned to have them.
void BodySeparation::begin(State& state, SolidBody& body) {
  std::copy(body.rotations.begin(), body.rotations.end(), state.raw.begin());
  for (std::size_t l = 0; l < kLimbs; ++l) {
    if (limbs_[l].complete()) state.end[l] = body.positions[static_cast<std::size_t>(limbs_[l].end)];
  }
  body.pushed = state.push_begun;
  body.root += body.pushed;
  pose(state, body);
}

void BodySeparation::separate_all(std::vector<State>& states, std::span<SolidBody> bodies, const Bounds& bounds) {
  for (std::size_t round = 0; round < options_.rounds; ++round) {
    bool any = false;
    for (std::size_t a = 0; a < bodies.size(); ++a) {
      for (std::size_t b = a + 1; b < bodies.size(); ++b) {
        if (length(on_floor(bodies[a].root - bodies[b].root)) > kNear) continue;
        any = separate(states[a], states[b], bodies[a], bodies[b], bounds) || any;
      }
    }
    if (!any) return;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (states[i].changed) pose(states[i], bodies[i]);
      states[i].changed = false;
    }
  }
}

void BodySeparation::foresee(std::span<SolidBody> bodies, float seconds) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    State& state = coming_[i];
    state.offset = {};
    std::swap(state.now, state.before);
    if (foreseen_ == 0) state.before = states_[i].now;
    begin(state, bodies[i]);
    if (foreseen_ == 0 && steps_ == 0) state.before = state.now;
  }
  separate_all(coming_, bodies, {.stop = kAnyway, .push = kAnyway, .push_more = kAnyway});
  const float until = seconds * static_cast<float>(foreseen_ + 1);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Foresight& foresight = foresights_[i];
    for (std::size_t l = 0; l < kLimbs; ++l) {
      if (length(coming_[i].offset[l]) > length(foresight.most[l])) foresight.most[l] = coming_[i].offset[l];
    }
    const Vec3 pace = bodies[i].pushed / until;
    if (length(pace) > length(foresight.pace)) foresight.pace = pace;
  }
  ++foreseen_;
}

/// Makes a plan of what was foreseen of a body.
void BodySeparation::plan(std::size_t body, float seconds) {
  Foresight& foresight = foresights_[body];
  State& state = states_[body];
  foresight.before[steps_ % kernel_.size()] = foresight.most;
  state.planned = {};
  for (std::size_t s = 0; s < std::min(kernel_.size(), steps_ + 1); ++s) {
    const Offsets& most = foresight.before[(steps_ - s) % kernel_.size()];
    for (std::size_t l = 0; l < kLimbs; ++l) state.planned[l] += kernel_[s] * most[l];
  }
  const float more = options_.push_ease * seconds * seconds, farthest = options_.push_speed * seconds;
  state.push_begun += at_most(at_most(foresight.pace * seconds, farthest) - state.push_begun, more);
  foresight.most = {};
  foresight.pace = {};
}

void BodySeparation::step(std::span<SolidBody> bodies, float seconds) {
  const float keep = std::exp(-seconds / options_.ease_seconds);
  const float push_more = options_.push_ease * seconds * seconds;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    State& state = states_[i];
    state.begun = state.offset;
    for (Vec3& offset : state.offset) offset = offset * keep;
    if (foreseen_ > 0) {
      plan(i, seconds);
    } else {
      state.push_begun = {};
    }
    std::swap(state.now, state.before);
    begin(state, bodies[i]);
    if (steps_ == 0) state.before = state.now;
  }
  ++steps_;
  const float push = options_.push_speed * seconds;
  separate_all(states_, bodies, {options_.stop_speed * seconds, push, foreseen_ > 0 ? push_more : push});
  for (std::size_t i = 0; i < bodies.size(); ++i) states_[i].push_begun = bodies[i].pushed;
  foreseen_ = 0;
}

void keep_apart(std::span<motion::Recording> recordings, const motion::Hinges& hinges) {
  if (recordings.empty()) return;
  const motion::Skeleton& skeleton = *recordings.front().clip.skeleton;
  auto capsules = motion::BodyCapsules::of(skeleton);
  if (!capsules) return;
  SeparationOptions options;
  options.push_speed = 0;  // feet stay where they are
  BodySeparation separation(skeleton, std::move(*capsules), hinges, recordings.size(), options);
  std::vector<SolidBody> bodies(recordings.size());
  std::vector<std::vector<Vec3>> positions(recordings.size(), std::vector<Vec3>(skeleton.point_count()));
  std::vector<std::vector<Quat>> world(recordings.size(), std::vector<Quat>(skeleton.size()));
  std::size_t frames = recordings.front().clip.frames();
  for (const motion::Recording& recording : recordings) frames = std::min(frames, recording.clip.frames());
  for (std::size_t f = 0; f < frames; ++f) {
    for (std::size_t r = 0; r < recordings.size(); ++r) {
      motion::Clip& clip = recordings[r].clip;
      const std::span<Quat> pose(clip.rotations.data() + f * skeleton.size(), skeleton.size());
      motion::forward_kinematics(skeleton, clip.roots[f], pose, positions[r], world[r]);
      bodies[r] = {clip.roots[f], pose, positions[r], world[r], recordings[r].contacts.planted[f], {}};
    }
    separation.step(bodies, static_cast<float>(1 / recordings.front().clip.rate));
  }
}

}  // namespace loom::fight
