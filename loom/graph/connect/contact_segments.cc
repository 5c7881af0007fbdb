// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/graph/connect/contact_segments.h>

namespace loom::graph {
namespace {

std::uint8_t touches(std::uint8_t planted, std::uint8_t hands) {
  const bool left = (planted & motion::kLeftFoot) != 0, right = (planted & motion::kRightFoot) != 0;
  return static_cast<std::uint8_t>((left ? kTouchLeftFoot : 0) | (right ? kTouchRightFoot : 0) | (hands << 2));
}

/// How fast all joints turn together, from each frame to the next, radians.
std::vector<float> turning(const motion::Clip& clip) {
  std::vector<float> speed(clip.frames(), 0.0f);
  for (std::size_t f = 0; f + 1 < clip.frames(); ++f) {
    const auto now = clip.pose(f), next = clip.pose(f + 1);
    for (std::size_t j = 0; j < now.size(); ++j) speed[f] += angle_between(now[j], next[j]);
  }
  if (clip.frames() > 1) speed.back() = speed[clip.frames() - 2];
  return speed;
}

/// Cuts what is too long where the body is slowest, in pieces of a third of the longest at least.
void cut_long(const ContactSegment& segment, std::uint32_t longest, std::span<const float> speed,
              std::vector<ContactSegment>& pieces) {
  const std::uint32_t least = std::max(1u, longest / 3);
  ContactSegment left = segment;
  while (left.frames() > longest) {
    std::uint32_t at = left.begin + least;
    const std::uint32_t last = std::min(left.begin + longest, left.end - least);
    for (std::uint32_t f = at; f <= last; ++f) {
      if (speed[f] < speed[at]) at = f;
    }
    ContactSegment piece = left;
    piece.end = at;
    piece.cut = true;
    pieces.push_back(piece);
    left.begin = at;
    left.cut = true;
  }
  pieces.push_back(left);
}

std::vector<ContactSegment> segments_of(const motion::Clip& clip, std::uint32_t number,
                                        std::span<const std::uint8_t> planted, std::span<const std::uint8_t> hands,
                                        const SegmentOptions& options) {
  std::vector<ContactSegment> runs;
  for (std::uint32_t f = 0; f < planted.size(); ++f) {
    const std::uint8_t now = touches(planted[f], hands.empty() ? std::uint8_t{0} : hands[f]);
    if (runs.empty() || runs.back().contacts != now) runs.push_back({number, f, f, now});
    runs.back().end = f + 1;
  }
  const auto shortest = to_whole<std::uint32_t>(std::round(options.shortest_seconds * clip.rate));
  const auto longest = std::max(3u, to_whole<std::uint32_t>(std::round(options.longest_seconds * clip.rate)));
  std::vector<ContactSegment> steady;
  for (const ContactSegment& run : runs) {
    const bool same = !steady.empty() && steady.back().contacts == run.contacts;
    if (!steady.empty() && (run.frames() < shortest || same)) {
      steady.back().end = run.end;
    } else if (!steady.empty() && steady.back().frames() < shortest) {
      steady.back().end = run.end;  // the first of a clip, which has nothing before it
      steady.back().contacts = run.contacts;
    } else {
      steady.push_back(run);
    }
  }
  std::vector<ContactSegment> segments;
  const std::vector<float> speed = turning(clip);
  for (const ContactSegment& segment : steady) cut_long(segment, longest, speed, segments);
  return segments;
}

}  // namespace

std::vector<ContactSegment> find_segments(const take::TakeSet& motion, std::span<const std::uint8_t> hands,
                                          const SegmentOptions& options) {
  std::vector<std::vector<ContactSegment>> of_clip(motion.clips.size());
  std::vector<std::size_t> first(motion.clips.size());
  for (std::size_t c = 1; c < first.size(); ++c) first[c] = first[c - 1] + motion.clips[c - 1].frames();
  parallel_for(motion.clips.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      const motion::Clip& clip = motion.clips[c];
      const auto touching = hands.empty() ? hands : hands.subspan(first[c], clip.frames());
      of_clip[c] = segments_of(clip, static_cast<std::uint32_t>(c), motion.contacts[c].planted, touching, options);
    }
  });
  std::vector<ContactSegment> all;
  for (const auto& segments : of_clip) all.insert(all.end(), segments.begin(), segments.end());
  return all;
}

}  // namespace loom::graph
