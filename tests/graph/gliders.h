// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <loom/graph/prune.h>
#include <loom/play/segment_player.h>
#include <loom/take/take_set.h>

#include "tests/make_clip.h"

namespace loom::testing {

/// A graph of a person who glides stiffly over the floor at a metre a second: straight ahead, in arcs to the left and
/// to the right, and standing. Any frame may follow any other at multiples of ten frames.
struct Gliders {
  std::shared_ptr<graph::MotionGraph> graph;
  std::shared_ptr<take::TakeSet> motion;
};

inline motion::Clip glide(const std::shared_ptr<const motion::Skeleton>& skeleton, float speed, float turn_rate,
                          std::size_t frames) {
  motion::Clip clip{"glide", skeleton, 30, {}, {}, {}};
  float heading = 0.3f;
  Vec3 root{2, 0.95f, -1};
  for (std::size_t f = 0; f < frames; ++f) {
    clip.roots.push_back(root);
    clip.rotations.push_back(axis_angle({0, 1, 0}, heading));
    clip.rotations.insert(clip.rotations.end(), skeleton->size() - 1, Quat{});
    root += Vec3{std::sin(heading), 0, std::cos(heading)} * (speed / 30);
    heading += turn_rate / 30;
  }
  return clip;
}

inline Gliders make_gliders() {
  const auto skeleton = small_person();
  auto motion = std::make_shared<take::TakeSet>();
  motion->skeleton = skeleton;
  motion->clips = {glide(skeleton, 1, 0, 61), glide(skeleton, 1, 0.8f, 61), glide(skeleton, 1, -0.8f, 61),
                   glide(skeleton, 2, 0, 61)};
  const char* names[] = {"straight", "left", "right", "fast"};
  std::vector<graph::GraphClip> clips;
  for (std::size_t c = 0; c < motion->clips.size(); ++c) {
    graph::GraphClip clip;
    clip.name = names[c];
    clip.frames = static_cast<std::uint32_t>(motion->clips[c].frames());
    clip.labels = {{c == 3 ? "run" : "walk", 0, clip.frames}};
    clips.push_back(clip);
    motion->contacts.emplace_back().planted.assign(clip.frames, 0);
  }
  const graph::FrameNumbers numbers(clips);
  std::vector<graph::SimilarPair> pairs;
  for (std::uint32_t a = 0; a < numbers.total(); a += 10) {
    for (std::uint32_t b = a + 10; b < numbers.total(); b += 10) {
      pairs.push_back({a, b, numbers.clip_of(a) == numbers.clip_of(b) ? 0.2f : 0.1f});
    }
  }
  const motion::GroundFrameFinder finder(*skeleton);
  const auto ground = [&](std::uint32_t frame) {
    const std::uint32_t c = numbers.clip_of(frame);
    const motion::Clip& clip = motion->clips[c];
    const std::size_t f = frame - numbers.first(c);
    return finder.find(clip.roots[f], clip.pose(f)[0]);
  };
  auto graph = std::make_shared<graph::MotionGraph>(graph::prune(
      clips, pairs, 1, 1, 30, [&](std::uint32_t a, std::uint32_t b) { return ground(a) * inverse(ground(b)); }));
  return {graph, motion};
}

}  // namespace loom::testing
