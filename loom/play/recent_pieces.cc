// SPDX-License-Identifier: MIT
#include <algorithm>

#include <loom/play/recent_pieces.h>

namespace loom::play {

void RecentPieces::enter(std::uint32_t clip, std::uint32_t frame, std::uint32_t left) {
  if (started_) {
    std::move_backward(pieces_.begin(), pieces_.end() - 1, pieces_.end());
    pieces_.front() = {playing_.clip, std::min(playing_.begin, left), left + 1, 0};
    count_ = std::min(count_ + 1, kMost);
  }
  playing_ = {clip, frame, frame, 0};
  started_ = true;
}

void RecentPieces::step(float seconds) {
  for (Piece& piece : std::span(pieces_.data(), count_)) piece.left_ago += seconds;
  while (count_ > 0 && pieces_[count_ - 1].left_ago > memory_seconds_) --count_;
}

bool RecentPieces::has(std::uint32_t clip, std::uint32_t frame, std::uint32_t margin) const {
  return std::any_of(left().begin(), left().end(), [&](const Piece& piece) {
    return piece.clip == clip && frame + margin >= piece.begin && frame < piece.end + margin;
  });
}

}  // namespace loom::play
