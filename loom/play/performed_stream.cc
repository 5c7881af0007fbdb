// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <loom/play/performed_stream.h>

namespace loom::play {

Result<std::unique_ptr<PerformedStream>> PerformedStream::create(std::unique_ptr<motion::MotionStream> driven,
                                                                 std::unique_ptr<motion::MotionStream> performer,
                                                                 PerformedPart part, const std::string& from) {
  std::unique_ptr<PerformedStream> made(new PerformedStream());
  if (part == PerformedPart::kUpper) {
    auto layered = LayeredStream::create(std::move(driven), std::move(performer), from);
    if (!layered) return fail_from(layered);
    made->layered_ = std::move(*layered);
    made->layered_->set_share(0);
    return made;
  }
  if (!(*driven->skeleton() == *performer->skeleton())) return fail("character and performer have different bodies");
  if (driven->rate() != performer->rate()) {
    return fail(
        fmt::format("the character has {} poses a second, the performer {}", driven->rate(), performer->rate()));
  }
  made->whole_ = std::make_unique<HandOverStream>(std::move(driven), kEaseSeconds);
  made->waiting_ = std::move(performer);
  return made;
}

const motion::MotionStream& PerformedStream::shown() const {
  return layered_ ? static_cast<const motion::MotionStream&>(*layered_) : *whole_;
}

motion::MotionStream& PerformedStream::shown() {
  return layered_ ? static_cast<motion::MotionStream&>(*layered_) : *whole_;
}

void PerformedStream::perform(bool on, const motion::Control& control) {
  if (on == performs_) return;
  performs_ = on;
  performances_ += on ? 1 : 0;
  if (!whole_ || !waiting_) return;
  auto left = whole_->hand_over(std::move(waiting_), control);
  waiting_ = left ? std::move(*left) : nullptr;  // one of them is over: the other goes on
}

bool PerformedStream::next(const motion::Control& control, motion::StreamPose& pose) {
  if (layered_) {
    const auto step = static_cast<float>(1 / (kEaseSeconds * layered_->rate()));
    share_ = std::clamp(share_ + (performs_ ? step : -step), 0.0f, 1.0f);
    layered_->set_share(share_ * share_ * (3 - 2 * share_));  // begins and ends without a jerk
  }
  return shown().next(control, pose);
}

std::unique_ptr<motion::MotionStream> PerformedStream::clone() const {
  std::unique_ptr<PerformedStream> copy(new PerformedStream());
  // A clone of a layered or handed-over stream is one again.
  if (layered_) copy->layered_.reset(static_cast<LayeredStream*>(layered_->clone().release()));
  if (whole_) copy->whole_.reset(static_cast<HandOverStream*>(whole_->clone().release()));
  if (waiting_) copy->waiting_ = waiting_->clone();
  copy->performs_ = performs_;
  copy->share_ = share_;
  copy->performances_ = performances_;
  return copy;
}

}  // namespace loom::play
