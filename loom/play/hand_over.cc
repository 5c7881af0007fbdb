// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <loom/motion/kinematics.h>
#include <loom/play/hand_over.h>

namespace loom::play {
namespace {

constexpr float kFadeShare = 8;   ///< times the springs' time constant, after which nothing is left of a join
constexpr float kCarried = 0.2f;  ///< metres a second by which a join moves a foot that does not stand

/// A control of the world as somebody hears it who plays in a world of their own.
motion::Control seen_from(const motion::GroundFrame& world, motion::Control control) {
  control.velocity = rotate(conjugate(world.rotation()), control.velocity);
  return control;
}

}  // namespace

HandOverStream::HandOverStream(std::unique_ptr<motion::MotionStream> first, float ease_seconds)
    : stream_(std::move(first)),
      ease_seconds_(ease_seconds),
      finder_(*stream_->skeleton()),
      offsets_(stream_->skeleton()->size(), ease_seconds) {
  before_.rotations.resize(stream_->skeleton()->size());
  last_.rotations.resize(stream_->skeleton()->size());
  const motion::Skeleton& skeleton = *stream_->skeleton();
  if (const auto feet = motion::find_foot_points(skeleton)) feet_ = *feet;
  plain_.resize(skeleton.size() + skeleton.end_sites().size());
  shown_points_.resize(plain_.size());
  turns_.resize(skeleton.size());
  take_down_names();
}

HandOverStream::HandOverStream(const HandOverStream& other)
    : stream_(other.stream_->clone()),
      ease_seconds_(other.ease_seconds_),
      world_(other.world_),
      finder_(other.finder_),
      offsets_(other.offsets_),
      carried_(other.carried_),
      feet_(other.feet_),
      plain_(other.plain_),
      shown_points_(other.shown_points_),
      turns_(other.turns_),
      fades_(other.fades_),
      names_(other.names_),
      first_name_(other.first_name_),
      before_(other.before_),
      last_(other.last_),
      shown_(other.shown_),
      waits_(other.waits_) {}

std::unique_ptr<motion::MotionStream> HandOverStream::clone() const {
  return std::unique_ptr<HandOverStream>(new HandOverStream(*this));
}

/// Streams that come again, or have the same sources, share their names.
void HandOverStream::take_down_names() {
  const std::vector<std::string> own = stream_->source_names();
  const auto found = std::search(names_.begin(), names_.end(), own.begin(), own.end());
  first_name_ = static_cast<std::uint32_t>(found - names_.begin());
  if (found == names_.end()) names_.insert(names_.end(), own.begin(), own.end());
}

bool HandOverStream::read(motion::MotionStream& stream, const motion::GroundFrame& world,
                          const motion::Control& control, Kept& kept) {
  motion::StreamPose pose{{}, kept.rotations, 0, {}};
  if (!stream.next(seen_from(world, control), pose)) return false;
  kept.root = transform(world, pose.root);
  kept.rotations[0] = normalized(world.rotation() * kept.rotations[0]);
  kept.planted = pose.planted;
  kept.source = {first_name_ + pose.source.clip, pose.source.frame};
  return true;
}

std::optional<PoseStep> HandOverStream::last_step() const {
  if (shown_ == 0) return std::nullopt;
  const Kept& before = shown_ > 1 ? before_ : last_;
  return PoseStep{before.root, last_.root, before.rotations, last_.rotations};
}

/// The pose that would come next if all went on as from the one before to the last, into `before_`; the two change
/// places, so that it is the last.
void HandOverStream::go_on() {
  before_.root = last_.root * 2 - before_.root;
  for (std::size_t j = 0; j < last_.rotations.size(); ++j) {
    before_.rotations[j] = normalized(last_.rotations[j] * conjugate(before_.rotations[j]) * last_.rotations[j]);
  }
  std::swap(before_, last_);
}

Result<std::unique_ptr<motion::MotionStream>> HandOverStream::hand_over(std::unique_ptr<motion::MotionStream> next,
                                                                        const motion::Control& control) {
  if (!(*next->skeleton() == *skeleton())) return fail("one stream moves another body than the other");
  if (next->rate() != rate()) {
    return fail(fmt::format("one stream has {} poses a second, the other {}", rate(), next->rate()));
  }
  Kept first = last_, second = last_;
  if (!read(*next, {}, control, first)) return fail("the stream is over before it begins");
  // Of a stream that has a single pose, that one: it does not move.
  if (!read(*next, {}, control, second)) second = first;
  motion::GroundFrame world;
  if (shown_ > 0) {
    // Where the old one would be by now.
    if (!waits_) {
      Kept now = last_;
      if (read(*stream_, world_, control, now)) {
        before_ = std::exchange(last_, std::move(now));
      } else if (shown_ > 1) {
        go_on();
      } else {
        before_ = last_;
      }
      offsets_.step(static_cast<float>(1 / rate()));
    }
    world = finder_.find(last_.root, last_.rotations[0]) * inverse(finder_.find(second.root, second.rotations[0]));
  }
  for (Kept* kept : {&first, &second}) {
    kept->root = transform(world, kept->root);
    kept->rotations[0] = normalized(world.rotation() * kept->rotations[0]);
  }
  if (shown_ > 0) {
    offsets_.join({before_.root, last_.root, before_.rotations, last_.rotations},
                  {first.root, second.root, first.rotations, second.rotations}, static_cast<float>(1 / rate()));
  }
  std::swap(stream_, next);
  second.source.clip -= first_name_;
  take_down_names();
  second.source.clip += first_name_;
  before_ = std::move(first);
  last_ = std::move(second);
  if (shown_ > 0) fades_ = kFadeShare * ease_seconds_;
  waits_ = true;
  shown_ = 2;
  world_ = world;
  return next;
}

bool HandOverStream::next(const motion::Control& control, motion::StreamPose& pose) {
  if (!waits_) {
    std::swap(before_, last_);
    if (!read(*stream_, world_, control, last_)) {
      std::swap(before_, last_);
      return false;
    }
    shown_ = std::min<std::size_t>(shown_ + 1, 2);
    offsets_.step(static_cast<float>(1 / rate()));
  }
  waits_ = false;
  std::copy(last_.rotations.begin(), last_.rotations.end(), pose.rotations.begin());
  pose.root = last_.root;
  offsets_.apply(pose.root, pose.rotations);
  pose.planted = fades_ > 0 ? standing(pose) : last_.planted;
  pose.source = last_.source;
  return true;
}

std::uint8_t HandOverStream::standing(const motion::StreamPose& pose) {
  const auto seconds = static_cast<float>(1 / rate());
  fades_ -= seconds;
  motion::forward_kinematics(*skeleton(), last_.root, last_.rotations, plain_, turns_);
  motion::forward_kinematics(*skeleton(), pose.root, pose.rotations, shown_points_, turns_);
  std::uint8_t planted = last_.planted;
  for (std::size_t part = 0; part < feet_.size(); ++part) {
    if (feet_[part] < 0) continue;
    const auto point = static_cast<std::size_t>(feet_[part]);
    const Vec3 carried = shown_points_[point] - plain_[point];
    const Vec3 gone = carried - std::exchange(carried_[part], carried);
    if (length(gone) > kCarried * seconds) planted = static_cast<std::uint8_t>(planted & ~(1U << part));
  }
  return planted;
}

}  // namespace loom::play
