// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <loom/play/layered_stream.h>

namespace loom::play {
namespace {

/// How the end of a chain is turned against the facing of the body.
Quat turned(const motion::GroundFrameFinder& finder, Vec3 root, std::span<const Quat> rotations,
            std::span<const std::size_t> chain) {
  Quat turn = conjugate(finder.find(root, rotations[0]).rotation()) * rotations[0];
  for (const std::size_t joint : chain) turn = turn * rotations[joint];
  return turn;
}

}  // namespace

Result<std::unique_ptr<LayeredStream>> LayeredStream::create(std::unique_ptr<motion::MotionStream> legs,
                                                             std::unique_ptr<motion::MotionStream> upper,
                                                             const std::string& from) {
  if (!(*legs->skeleton() == *upper->skeleton())) return fail("legs and upper body are of two different bodies");
  if (legs->rate() != upper->rate()) {
    return fail(fmt::format("the legs have {} poses a second, the upper body {}", legs->rate(), upper->rate()));
  }
  const auto& joints = legs->skeleton()->joints();
  const auto found = std::find_if(joints.begin(), joints.end(), [&](const auto& joint) { return joint.name == from; });
  if (found == joints.end()) return fail(fmt::format("the body has no joint '{}'", from));
  if (found == joints.begin()) return fail("the root belongs to the legs");
  const auto joint = static_cast<std::size_t>(found - joints.begin());
  return std::unique_ptr<LayeredStream>(new LayeredStream(std::move(legs), std::move(upper), joint));
}

LayeredStream::LayeredStream(std::unique_ptr<motion::MotionStream> legs, std::unique_ptr<motion::MotionStream> upper,
                             std::size_t from)
    : legs_(std::move(legs)),
      upper_(std::move(upper)),
      finder_(*legs_->skeleton()),
      from_(from),
      room_(legs_->skeleton()->size()) {
  const auto& joints = legs_->skeleton()->joints();
  std::vector<bool> within(joints.size());
  within[from_] = true;
  for (std::size_t j = from_ + 1; j < joints.size(); ++j) {
    if (joints[j].parent < 0 || !within[static_cast<std::size_t>(joints[j].parent)]) continue;
    within[j] = true;
    joints_.push_back(j);
  }
  for (int j = joints[from_].parent; j > 0; j = joints[static_cast<std::size_t>(j)].parent) {
    chain_.insert(chain_.begin(), static_cast<std::size_t>(j));
  }
}

bool LayeredStream::next(const motion::Control& control, motion::StreamPose& pose) {
  motion::StreamPose above{{}, room_, 0, {}};
  if (!legs_->next(control, pose) || !upper_->next(control, above)) return false;
  if (share_ <= 0) return true;
  const Quat carried = turned(finder_, pose.root, pose.rotations, chain_);
  const Quat wanted = turned(finder_, above.root, room_, chain_) * room_[from_];
  room_[from_] = normalized(conjugate(carried) * wanted);
  const auto take = [&](std::size_t joint) {
    Quat& shown = pose.rotations[joint];
    shown = share_ < 1 ? slerp(shown, room_[joint], share_) : room_[joint];
  };
  take(from_);
  for (const std::size_t joint : joints_) take(joint);
  return true;
}

std::unique_ptr<motion::MotionStream> LayeredStream::clone() const {
  auto copy = std::unique_ptr<LayeredStream>(new LayeredStream(legs_->clone(), upper_->clone(), from_));
  copy->share_ = share_;
  return copy;
}

}  // namespace loom::play
