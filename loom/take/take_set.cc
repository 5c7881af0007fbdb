// SPDX-License-Identifier: MIT
#include <loom/base/parallel.h>
#include <loom/take/take_set.h>

namespace loom::take {

FoundTracks& FoundTracks::operator=(const FoundTracks& other) {
  if (this == &other) return *this;
  const std::lock_guard lock(guard_);
  tracks_ = nullptr;
  return *this;
}

const std::vector<Track>& FoundTracks::of(const std::vector<motion::Clip>& clips) const {
  {
    const std::lock_guard lock(guard_);
    if (tracks_) return *tracks_;
  }
  // Not under the lock: while it waits, a parallel loop may be given other work that asks for the same tracks.
  auto found = std::make_shared<std::vector<Track>>(clips.size());
  parallel_for(clips.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) (*found)[c] = smooth_track(clips[c]);
  });
  const std::lock_guard lock(guard_);
  if (!tracks_) tracks_ = std::move(found);
  return *tracks_;
}

std::vector<std::string> TakeSet::titles() const {
  std::vector<std::string> all;
  for (std::size_t c = 0; c < clips.size(); ++c) all.push_back(title(c));
  return all;
}

}  // namespace loom::take
