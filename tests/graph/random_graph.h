// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <loom/base/random.h>
#include <loom/graph/prune.h>

#include "tests/make_clip.h"

namespace loom::testing {

/// Clips of random lengths, the first half labelled "a" and the second "b", without ranges yet.
inline std::vector<graph::GraphClip> random_clips(std::size_t count, std::uint32_t longest, Random& random) {
  std::vector<graph::GraphClip> clips;
  for (std::size_t c = 0; c < count; ++c) {
    graph::GraphClip clip;
    clip.name = "clip" + std::to_string(c);
    clip.frames = 3 + static_cast<std::uint32_t>(random.index(longest));
    clip.labels = {{c < count / 2 ? "a" : "b", 0, clip.frames}};
    clips.push_back(clip);
  }
  return clips;
}

/// Similar pairs between random frames, at distances in (0, 1).
inline std::vector<graph::SimilarPair> random_pairs(const graph::FrameNumbers& numbers, std::size_t count,
                                                    Random& random) {
  std::vector<graph::SimilarPair> pairs;
  for (std::size_t p = 0; p < count; ++p) {
    const auto a = static_cast<std::uint32_t>(random.index(numbers.total()));
    const auto b = static_cast<std::uint32_t>(random.index(numbers.total()));
    if (a != b) pairs.push_back({std::min(a, b), std::max(a, b), static_cast<float>(random.uniform(0.01, 1))});
  }
  return pairs;
}

/// A pruned graph of random clips and pairs; alignments are random too, the same both ways round.
inline graph::MotionGraph random_graph(std::size_t clips, std::uint32_t longest, std::size_t pairs,
                                       std::uint64_t seed) {
  Random random(seed);
  auto list = random_clips(clips, longest, random);
  const graph::FrameNumbers numbers(list);
  const auto similar = random_pairs(numbers, pairs, random);
  return graph::prune(std::move(list), similar, 0.8, 0.5, 30, [](std::uint32_t a, std::uint32_t b) {
    const auto turn = static_cast<float>(a) * 0.37f - static_cast<float>(b) * 0.37f;
    return motion::GroundFrame{turn, -turn, wrap_angle(turn)};
  });
}

/// Frames from every node to every other, by Floyd and Warshall; a million where there is no way.
inline std::vector<std::vector<std::uint32_t>> all_distances(const graph::MotionGraph& g) {
  const std::size_t n = g.nodes();
  std::vector<std::vector<std::uint32_t>> d(n, std::vector<std::uint32_t>(n, 1000000));
  for (graph::Node i = 0; i < n; ++i) {
    d[i][i] = 0;
    if (g.goes_on(i)) d[i][i + 1] = 1;
    for (const auto& t : g.transitions_of(i)) d[i][t.to] = std::min(d[i][t.to], t.to == i ? 0u : 1u);
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  return d;
}

}  // namespace loom::testing
