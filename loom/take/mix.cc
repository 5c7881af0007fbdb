// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/motion/bend_axis.h>
#include <loom/motion/carry.h>
#include <loom/motion/hinges.h>
#include <loom/motion/inverse_kinematics.h>
#include <loom/motion/moment.h>
#include <loom/take/mix.h>

namespace loom::take {
namespace {

constexpr double kAlmost = 1e-4;  ///< of a frame: a mix that falls short of a last frame by less still has it
/// How often feet and centre of mass are brought together. The legs are a third of the mass and move little: what is
/// left of an error is a tenth after each.
constexpr int kRounds = 3;
constexpr float kShort = 5e-4f;  ///< metres that a standing foot may miss its place by
/// A joint of a swinging leg, or an ankle, that is turned this far from how it hangs at rest may be near its limit:
/// from there on it turns further than in both clips by hardly anything.
constexpr float kFreely = 60 * kDegree, kMostBeyond = 2 * kDegree;

/// How long what lies between two knots lasts, in frames.
double length_between(const Mix& mix, const FrameMatch& low, const FrameMatch& high) {
  const auto w = static_cast<double>(mix.weight);
  const double a = static_cast<double>(high.a) - static_cast<double>(low.a);
  const double b = static_cast<double>(high.b) - static_cast<double>(low.b);
  return std::sqrt((1 - w) * a * a + w * b * b);
}

std::size_t nearest_frame(const motion::Clip& clip, double frame) {
  return std::min(to_whole<std::size_t>(std::round(std::max(0.0, frame))), clip.frames() - 1);
}

/// What is planted between two poses: what is in both; of a foot that stands in both, on its heel in the one and on its
/// toe in the other, what it stands on in the heavier.
std::uint8_t planted_between(std::uint8_t a, std::uint8_t b, float weight) {
  std::uint8_t planted = a & b;
  for (const std::uint8_t foot : {motion::kLeftFoot, motion::kRightFoot}) {
    if ((planted & foot) != 0 || (a & foot) == 0 || (b & foot) == 0) continue;
    planted = static_cast<std::uint8_t>(planted | ((weight > 0.5f ? b : a) & foot));
  }
  return planted;
}

/// What of a foot is held in each frame: its toe where the toe alone is planted, its ankle where the heel alone is, and
/// in between it goes over from the one to the other evenly.
std::vector<float> toe_shares(std::span<const std::uint8_t> planted, std::uint8_t heel, std::uint8_t toe) {
  std::vector<float> shares(planted.size(), 0.0f);
  std::optional<std::size_t> last;
  for (std::size_t f = 0; f < planted.size(); ++f) {
    const bool on_heel = (planted[f] & heel) != 0, on_toe = (planted[f] & toe) != 0;
    if (on_heel == on_toe) continue;
    shares[f] = on_toe ? 1.0f : 0.0f;
    const std::size_t from = last.value_or(f);
    const float at_from = last ? shares[from] : shares[f];
    for (std::size_t g = last ? from + 1 : 0; g < f; ++g) {
      const float t = f > from ? static_cast<float>(g - from) / static_cast<float>(f - from) : 1.0f;
      shares[g] = last ? at_from + (shares[f] - at_from) * t : shares[f];
    }
    last = f;
  }
  if (last) std::fill(shares.begin() + static_cast<std::ptrdiff_t>(*last) + 1, shares.end(), shares[*last]);
  return shares;
}

}  // namespace

std::uint32_t Mix::frames() const {
  double length = 0;
  for (std::size_t k = 1; k < knots.size(); ++k) length += length_between(*this, knots[k - 1], knots[k]);
  return to_whole<std::uint32_t>(std::floor(length + kAlmost)) + 1;
}

FrameMatch Mix::at(double frame) const {
  double before = 0;
  for (std::size_t k = 1; k < knots.size(); ++k) {
    const FrameMatch &low = knots[k - 1], &high = knots[k];
    const double length = length_between(*this, low, high);
    if (frame <= before + length || k + 1 == knots.size()) {
      const auto share = static_cast<float>(std::clamp((frame - before) / length, 0.0, 1.0));
      return {low.a + (high.a - low.a) * share, low.b + (high.b - low.b) * share};
    }
    before += length;
  }
  return knots.back();
}

double Mix::frame_of(double frame, float FrameMatch::*in) const {
  double before = 0;
  for (std::size_t k = 1; k < knots.size(); ++k) {
    const FrameMatch &low = knots[k - 1], &high = knots[k];
    const double length = length_between(*this, low, high);
    const auto from = static_cast<double>(low.*in), to = static_cast<double>(high.*in);
    if (frame <= to) return before + length * std::clamp((frame - from) / (to - from), 0.0, 1.0);
    before += length;
  }
  return before;
}

std::string mixed_name(std::string_view title_of_a, std::string_view title_of_b, float weight) {
  return fmt::format("{} × {} ({:.2g})", title_of_a, title_of_b, weight);
}

std::string find_fault(const Mix& mix, std::span<const std::uint32_t> clip_frames) {
  if (mix.a >= clip_frames.size() || mix.b >= clip_frames.size()) return "a mix has no clip";
  if (!(mix.weight >= 0 && mix.weight <= 1)) return "the weight of a mix is out of range";
  if (!(std::isfinite(mix.alignment.x) && std::isfinite(mix.alignment.z) && std::isfinite(mix.alignment.heading))) {
    return "a mix lies out of the world";
  }
  if (mix.knots.size() < 2) return "a mix has no time map";
  for (std::size_t k = 0; k < mix.knots.size(); ++k) {
    const FrameMatch& knot = mix.knots[k];
    const bool inside = knot.a >= 0 && knot.a + 1 <= static_cast<float>(clip_frames[mix.a]) && knot.b >= 0 &&
                        knot.b + 1 <= static_cast<float>(clip_frames[mix.b]);
    if (!inside) return "the time map of a mix leaves its clips";
    if (k > 0 && !(knot.a > mix.knots[k - 1].a && knot.b > mix.knots[k - 1].b)) return "a mix goes back in time";
  }
  return {};
}

Result<Mixer> Mixer::create(const TakeSet& set) {
  const motion::Skeleton& skeleton = *set.skeleton;
  const auto points = motion::find_foot_points(skeleton);
  if (!points) return fail_from(points);
  const motion::Body body = motion::find_body(skeleton);
  if (!body.has_legs()) return fail("the body has no legs that bend, so no motion between its clips can be made");
  Mixer mixer(set);
  mixer.mass_.emplace(body);
  for (std::size_t side = 0; side < 2; ++side) {
    Leg& leg = mixer.legs_[side];
    leg.limb = side == 0 ? body.left_leg : body.right_leg;
    leg.ankle = static_cast<std::size_t>((*points)[2 * side]);
    leg.toe = static_cast<std::size_t>((*points)[2 * side + 1]);
    leg.heel_bit = static_cast<std::uint8_t>(1u << (2 * side));
    leg.toe_bit = static_cast<std::uint8_t>(2u << (2 * side));
    if (motion::stands_at_rest(skeleton, body)) leg.hinge = motion::hinge_axis_at_rest(skeleton, body, leg.limb);
    std::vector<std::vector<float>> shares;
    for (const motion::Contacts& contacts : set.contacts) {
      shares.push_back(toe_shares(contacts.planted, leg.heel_bit, leg.toe_bit));
    }
    leg.toe_share = std::make_shared<const std::vector<std::vector<float>>>(std::move(shares));
  }
  for (Posed* pose : {&mixer.a_, &mixer.b_, &mixer.mixed_}) {
    pose->rotations.resize(skeleton.size());
    pose->world.resize(skeleton.size());
    pose->positions.resize(skeleton.point_count());
  }
  return mixer;
}

void Mixer::find_points(Posed& pose) const {
  motion::forward_kinematics(*set_->skeleton, pose.root, pose.rotations, pose.positions, pose.world);
}

void Mixer::read(const motion::Clip& clip, double frame, const motion::GroundFrame& by, Posed& pose) const {
  pose.root = motion::pose_at(clip, frame, pose.rotations);
  carry(by, pose.root, pose.rotations[0]);
  find_points(pose);
}

Mixer::FootGoal Mixer::goal_of(const Leg& leg, const Mix& mix, FrameMatch at, std::uint8_t planted) const {
  const auto end = static_cast<std::size_t>(leg.limb.end);
  FootGoal goal;
  goal.turn = slerp(a_.world[end], b_.world[end], mix.weight);
  goal.stands = (planted & (leg.heel_bit | leg.toe_bit)) != 0;
  const auto share_in = [&](std::uint32_t clip, float frame) {
    return (*leg.toe_share)[clip][nearest_frame(set_->clips[clip], static_cast<double>(frame))];
  };
  const float toe_share = std::lerp(share_in(mix.a, at.a), share_in(mix.b, at.b), mix.weight);
  const Vec3 by_ankle = lerp(a_.positions[end], b_.positions[end], mix.weight);
  // The toe as it hangs from the mixed foot.
  const Vec3 hangs = rotate(conjugate(mixed_.world[end]), mixed_.positions[leg.toe] - mixed_.positions[end]);
  const Vec3 by_toe = lerp(a_.positions[leg.toe], b_.positions[leg.toe], mix.weight) - rotate(goal.turn, hangs);
  goal.ankle = lerp(by_ankle, by_toe, toe_share);
  return goal;
}

void Mixer::place(const Leg& leg, const FootGoal& goal, float weight) {
  const motion::Skeleton& skeleton = *set_->skeleton;
  // The knee bends on in the plane it is bent in, which lies between those of the clips: about the axis of the skeleton
  // at rest it would turn out of that, and the ankle with it, further than in either clip.
  motion::TwoBoneOptions options;
  if (leg.hinge) {
    const auto joint = [&](int j) { return motion::joint_frame(skeleton, j, mixed_.root, mixed_.rotations); };
    const motion::JointFrame hip = joint(leg.limb.upper);
    const Vec3 bend =
        motion::limb_bend(hip.position, joint(leg.limb.middle).position, joint(leg.limb.end).position, hip.rotation);
    options.hinge = motion::bend_axis(bend, *leg.hinge);
  }
  const auto bend = [&] {
    motion::solve_two_bone(skeleton, leg.limb, mixed_.root, mixed_.rotations, goal.ankle, options);
    return goal.ankle - motion::joint_frame(skeleton, leg.limb.end, mixed_.root, mixed_.rotations).position;
  };
  const Vec3 missing = bend();
  if (goal.stands && length(missing) > kShort) {
    mixed_.root += missing;
    bend();
  }
  const auto end = static_cast<std::size_t>(leg.limb.end);
  const Quat above = motion::joint_frame(skeleton, skeleton.joint(end).parent, mixed_.root, mixed_.rotations).rotation;
  mixed_.rotations[end] = normalized(conjugate(above) * goal.turn);
  // Of two feet that point away from each other the turn between them may lie the other way round.
  const auto turned = [&](const Posed& pose) { return angle_between(pose.rotations[end], Quat{}); };
  const float beyond = turned(mixed_) - std::max({turned(a_), turned(b_), kFreely});
  if (beyond > kMostBeyond) {
    const Quat by_joint = slerp(a_.rotations[end], b_.rotations[end], weight);
    mixed_.rotations[end] = slerp(by_joint, mixed_.rotations[end], kMostBeyond / beyond);
  }
  if (!goal.stands) keep_between(leg.limb, weight);
}

void Mixer::keep_between(const motion::Limb& limb, float weight) {
  float beyond = 0;
  for (const int joint : {limb.upper, limb.middle}) {
    const auto j = static_cast<std::size_t>(joint);
    const auto turned = [&](const Posed& pose) { return angle_between(pose.rotations[j], Quat{}); };
    beyond = std::max(beyond, turned(mixed_) - std::max({turned(a_), turned(b_), kFreely}));
  }
  if (beyond <= kMostBeyond) return;
  for (const int joint : {limb.upper, limb.middle, limb.end}) {
    const auto j = static_cast<std::size_t>(joint);
    const Quat by_joint = slerp(a_.rotations[j], b_.rotations[j], weight);
    mixed_.rotations[j] = slerp(by_joint, mixed_.rotations[j], kMostBeyond / beyond);
  }
}

MixedPose Mixer::pose(const Mix& mix, std::uint32_t frame, std::span<Quat> rotations) {
  const FrameMatch at = mix.at(frame);
  const motion::Clip &clip_a = set_->clips[mix.a], &clip_b = set_->clips[mix.b];
  read(clip_a, static_cast<double>(at.a), {}, a_);
  read(clip_b, static_cast<double>(at.b), mix.alignment, b_);
  const std::size_t frame_a = nearest_frame(clip_a, static_cast<double>(at.a));
  const std::size_t frame_b = nearest_frame(clip_b, static_cast<double>(at.b));
  const std::uint8_t planted =
      planted_between(set_->contacts[mix.a].planted[frame_a], set_->contacts[mix.b].planted[frame_b], mix.weight);
  for (std::size_t j = 0; j < rotations.size(); ++j) {
    mixed_.rotations[j] = slerp(a_.rotations[j], b_.rotations[j], mix.weight);
  }
  mixed_.root = lerp(a_.root, b_.root, mix.weight);
  find_points(mixed_);
  const std::array<FootGoal, 2> goals = {goal_of(legs_[0], mix, at, planted), goal_of(legs_[1], mix, at, planted)};
  const Vec3 centre = lerp(mass_->find(a_.positions), mass_->find(b_.positions), mix.weight);
  for (int round = 0; round < kRounds; ++round) {
    mixed_.root += centre - mass_->find(mixed_.positions);
    // The leg that stands last, so that it is met however the other moved the root.
    const bool right_last = goals[1].stands;
    place(legs_[right_last ? 0 : 1], goals[right_last ? 0 : 1], mix.weight);
    place(legs_[right_last ? 1 : 0], goals[right_last ? 1 : 0], mix.weight);
    if (round + 1 < kRounds) find_points(mixed_);
  }
  std::copy(mixed_.rotations.begin(), mixed_.rotations.end(), rotations.begin());
  return {mixed_.root, planted};
}

void Mixer::make(const Mix& mix, motion::Clip& clip, motion::Contacts& contacts) {
  const std::uint32_t frames = mix.frames();
  const std::size_t joints = set_->skeleton->size();
  const motion::Clip &a = set_->clips[mix.a], &b = set_->clips[mix.b];
  clip.name = mixed_name(set_->title(mix.a), set_->title(mix.b), mix.weight);
  clip.skeleton = set_->skeleton;
  clip.rate = a.rate;
  clip.roots.resize(frames);
  clip.rotations.resize(frames * joints);
  contacts = set_->contacts[mix.a];
  contacts.planted.resize(frames);
  for (std::uint32_t f = 0; f < frames; ++f) {
    const MixedPose pose = this->pose(mix, f, clip.pose(f));
    clip.roots[f] = pose.root;
    contacts.planted[f] = pose.planted;
  }
  clip.labels = mixed_labels(mix, a.labels, b.labels);
}

std::vector<motion::Label> mixed_labels(const Mix& mix, std::span<const motion::Label> of_a,
                                        std::span<const motion::Label> of_b) {
  std::vector<motion::Label> labels;
  // The first frame of the mix that shows a frame of one clip or a later one, frames counting from their middles.
  const auto first_from_a = [&](std::size_t frame) { return mix.frame_of_a(static_cast<double>(frame) - 0.5); };
  const auto first_from_b = [&](std::size_t frame) { return mix.frame_of_b(static_cast<double>(frame) - 0.5); };
  const auto frames = static_cast<double>(mix.frames());
  for (const motion::Label& a : of_a) {
    for (const motion::Label& b : of_b) {
      if (a.name != b.name) continue;
      const double begin = std::ceil(std::max(first_from_a(a.begin), first_from_b(b.begin)));
      const auto ends = [&](double at, bool beyond) { return beyond ? frames : std::ceil(at); };
      const double end = std::min(
          ends(first_from_a(a.end), static_cast<double>(a.end) - 0.5 > static_cast<double>(mix.knots.back().a)),
          ends(first_from_b(b.end), static_cast<double>(b.end) - 0.5 > static_cast<double>(mix.knots.back().b)));
      if (begin < end)
        labels.push_back({a.name, to_whole<std::size_t>(begin), to_whole<std::size_t>(std::min(end, frames))});
    }
  }
  return labels;
}

Result<void> append_mixes(TakeSet& set, std::span<const Mix> mixes) {
  if (mixes.empty()) return {};
  double frames = 0;
  for (const Mix& mix : mixes) frames += mix.frames();
  const double bytes = frames * (sizeof(Vec3) + static_cast<double>(set.skeleton->size()) * sizeof(Quat) + 1);
  const auto room = require_memory(bytes, fmt::format("computing {:.0f} frames between clips", frames),
                                   "connect fewer clips, or make the graph smaller", {"lambda"});
  if (!room) return fail_from(room);
  const auto mixer = Mixer::create(set);
  if (!mixer) return fail_from(mixer);
  std::vector<motion::Clip> clips(mixes.size());
  std::vector<motion::Contacts> contacts(mixes.size());
  parallel_for(mixes.size(), 16, [&](std::size_t begin, std::size_t end) {
    Mixer mine = *mixer;
    for (std::size_t m = begin; m < end; ++m) mine.make(mixes[m], clips[m], contacts[m]);
  });
  set.clips.insert(set.clips.end(), std::make_move_iterator(clips.begin()), std::make_move_iterator(clips.end()));
  set.contacts.insert(set.contacts.end(), std::make_move_iterator(contacts.begin()),
                      std::make_move_iterator(contacts.end()));
  return {};
}

}  // namespace loom::take
