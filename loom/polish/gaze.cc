// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/text.h>
#include <loom/motion/body.h>
#include <loom/motion/ground_frame.h>
#include <loom/polish/gaze.h>

namespace loom::polish {
namespace {

constexpr Vec3 kUp{0, 1, 0}, kLeft{1, 0, 0}, kAhead{0, 0, 1};

/// What is left of a turn, from 1 to 0, with no velocity and no acceleration at either end (Flash & Hogan 1985).
float left_of(float elapsed, float seconds) {
  const float t = seconds > 0 ? std::clamp(elapsed / seconds, 0.0f, 1.0f) : 1.0f;
  return 1 - t * t * t * (10 + t * (6 * t - 15));
}

/// 1 up to `from`, 0 beyond `to`, smooth between.
float fading(float value, float from, float to) {
  const float t = std::clamp((value - from) / (to - from), 0.0f, 1.0f);
  return 1 - t * t * (3 - 2 * t);
}

/// Eyes that turn: joints below the head called so. Lids and brows are called after eyes, too.
std::vector<int> find_eyes(const motion::Skeleton& skeleton, int head) {
  std::vector<int> eyes;
  for (std::size_t j = 0; j < skeleton.size(); ++j) {
    const std::string name = lower_case(skeleton.joints()[j].name);
    const auto says = [&](const char* word) { return name.find(word) != std::string::npos; };
    if (!says("eye") || says("brow") || says("lid") || says("lash")) continue;
    int above = skeleton.joints()[j].parent;
    while (above >= 0 && above != head) above = skeleton.joints()[static_cast<std::size_t>(above)].parent;
    if (above == head) eyes.push_back(static_cast<int>(j));
  }
  return eyes;
}

}  // namespace

Result<Gaze> Gaze::create(const motion::Skeleton& skeleton, const GazeOptions& options) {
  const motion::Body body = motion::find_body(skeleton);
  if (body.head < 0) return fail("nobody can look without a head, and the skeleton has none that is recognised");
  Gaze gaze;
  gaze.options_ = options;
  for (int j = body.head; j >= 0; j = skeleton.joints()[static_cast<std::size_t>(j)].parent) gaze.way_.push_back(j);
  std::reverse(gaze.way_.begin(), gaze.way_.end());
  for (const int j : gaze.way_) gaze.offset_.push_back(skeleton.joints()[static_cast<std::size_t>(j)].offset);
  const auto place = [&](int joint) {
    const auto found = std::find(gaze.way_.begin(), gaze.way_.end(), joint);
    return joint < 0 || found == gaze.way_.end() ? -1 : static_cast<int>(found - gaze.way_.begin());
  };
  gaze.head_ = static_cast<int>(gaze.way_.size()) - 1;
  gaze.neck_ = place(body.neck);
  if (gaze.neck_ == gaze.head_) gaze.neck_ = -1;
  const int below = gaze.neck_ >= 0 ? gaze.neck_ : gaze.head_;
  gaze.chest_ = body.spine.empty() ? -1 : place(body.spine.back());
  if (gaze.chest_ < 0 || gaze.chest_ >= below) gaze.chest_ = std::max(0, below - 1);
  gaze.eyes_ = find_eyes(skeleton, body.head);
  gaze.front_ = motion::GroundFrameFinder(skeleton).find({}, {}).heading;
  return gaze;
}

void Gaze::look_at(std::optional<Vec3> target, bool same) {
  if (same && next_ && target) {
    // It was there all along: nothing is turned to.
    if (!changed_) target_ = target;
    next_ = target;
    return;
  }
  next_ = target;
  changed_ = true;
}

Gaze::Chain Gaze::chain_of(Vec3 root, std::span<const Quat> rotations) const {
  Chain chain;
  Quat turned;
  Vec3 at = root;
  for (std::size_t i = 0; i < way_.size(); ++i) {
    if (i > 0) at = at + rotate(turned, offset_[i]);
    if (static_cast<int>(i) == neck_) chain.above_neck = turned;
    turned = turned * rotations[static_cast<std::size_t>(way_[i])];
    if (static_cast<int>(i) == chest_) chain.chest = turned;
    if (static_cast<int>(i) == neck_) chain.neck = turned;
  }
  chain.head = turned;
  chain.eyes = at;
  return chain;
}

Quat Gaze::frame_of(Angles angles) const {
  return axis_angle(kUp, front_ + angles.yaw) * axis_angle(kLeft, -angles.pitch);
}

Gaze::Angles Gaze::angles_of(Quat chest, Vec3 direction) const {
  const Vec3 own = rotate(axis_angle(kUp, -front_) * conjugate(chest), direction);
  return {std::atan2(own.x, own.z), std::atan2(own.y, std::hypot(own.x, own.z))};
}

Gaze::Angles Gaze::wanted(const Chain& chain, Angles own, const std::optional<Vec3>& target) const {
  if (!target) return {};
  const Vec3 direction = *target - chain.eyes;
  const float away = length(direction);
  if (!(away > 1e-3f && std::isfinite(away))) return {};  // in the head, or nowhere
  const Angles there = angles_of(chain.chest, direction);
  const float held = fading(std::abs(there.yaw), options_.behind, options_.given_up);
  const float yaw = std::clamp(there.yaw, -options_.widest, options_.widest);
  const float pitch = std::clamp(there.pitch, -options_.lowest, options_.highest);
  return {held * (yaw - own.yaw), held * (pitch - own.pitch)};
}

void Gaze::begin_turn(Angles missing) {
  const float size = std::hypot(missing.yaw, missing.pitch);
  if (size < 1e-4f) return;
  // The turn that is nearest to its end makes room; there is hardly anything left of it.
  Turn* turn = &turns_[0];
  for (Turn& one : turns_) {
    if (left_of(one.elapsed, one.seconds) < left_of(turn->elapsed, turn->seconds)) turn = &one;
  }
  *turn = {missing, 0, options_.seconds + options_.seconds_a_radian * size};
}

void Gaze::apply(float seconds, Vec3 root, std::span<Quat> rotations) {
  const Chain chain = chain_of(root, rotations);
  const Angles own = angles_of(chain.chest, rotate(chain.head * axis_angle(kUp, front_), kAhead));
  for (Turn& turn : turns_) turn.elapsed += seconds;
  if (changed_) {
    const Angles before = wanted(chain, own, target_), after = wanted(chain, own, next_);
    begin_turn({before.yaw - after.yaw, before.pitch - after.pitch});
    changed_ = false;
  }
  target_ = next_;
  Angles turned = wanted(chain, own, target_);
  for (const Turn& turn : turns_) {
    const float left = left_of(turn.elapsed, turn.seconds);
    turned.yaw += left * turn.left.yaw;
    turned.pitch += left * turn.left.pitch;
  }
  if (std::hypot(turned.yaw, turned.pitch) < 1e-5f) return;
  const float by_head = eyes_.empty() ? 1 : 1 - options_.eye_share;
  const auto turn_by = [&](float share) {
    const Angles aim{own.yaw + share * turned.yaw, own.pitch + share * turned.pitch};
    return chain.chest * frame_of(aim) * conjugate(frame_of(own)) * conjugate(chain.chest);
  };
  const Quat whole = turn_by(by_head);
  const Quat part = neck_ >= 0 ? slerp(Quat{}, whole, options_.neck_share) : Quat{};
  const auto local = [&](int place) -> Quat& {
    return rotations[static_cast<std::size_t>(way_[static_cast<std::size_t>(place)])];
  };
  Quat above_head = chain.head * conjugate(local(head_));
  if (neck_ >= 0) {
    local(neck_) = normalized(conjugate(chain.above_neck) * part * chain.neck);
    above_head = part * above_head;
  }
  local(head_) = normalized(conjugate(above_head) * whole * chain.head);
  if (eyes_.empty()) return;
  const Quat head = whole * chain.head;
  const Quat rest = turn_by(1) * conjugate(whole);
  for (const int eye : eyes_) {
    Quat& rotation = rotations[static_cast<std::size_t>(eye)];
    rotation = normalized(conjugate(head) * rest * head * rotation);
  }
}

Gaze::Sight Gaze::sight(Vec3 root, std::span<const Quat> rotations) const {
  const Chain chain = chain_of(root, rotations);
  Quat looks = chain.head;
  if (!eyes_.empty()) looks = looks * rotations[static_cast<std::size_t>(eyes_.front())];
  return {chain.eyes, rotate(looks * axis_angle(kUp, front_), kAhead)};
}

Result<void> look_at(motion::Clip& clip, Vec3 target, const GazeOptions& options) {
  Result<Gaze> gaze = Gaze::create(*clip.skeleton, options);
  if (!gaze) return fail_from(gaze);
  gaze->look_at(target);
  for (std::size_t f = 0; f < clip.frames(); ++f) {
    gaze->apply(static_cast<float>(1 / clip.rate), clip.roots[f], clip.pose(f));
  }
  return {};
}

Result<std::unique_ptr<GazeStream>> GazeStream::create(std::unique_ptr<motion::MotionStream> stream,
                                                       const GazeOptions& options) {
  Result<Gaze> gaze = Gaze::create(*stream->skeleton(), options);
  if (!gaze) return fail_from(gaze);
  return std::unique_ptr<GazeStream>(new GazeStream(std::move(stream), std::move(*gaze)));
}

bool GazeStream::next(const motion::Control& control, motion::StreamPose& pose) {
  if (!stream_->next(control, pose)) return false;
  gaze_.apply(static_cast<float>(1 / rate()), pose.root, pose.rotations);
  return true;
}

std::unique_ptr<motion::MotionStream> GazeStream::clone() const {
  return std::unique_ptr<GazeStream>(new GazeStream(stream_->clone(), gaze_));
}

}  // namespace loom::polish
