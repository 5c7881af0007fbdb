// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/graph/motion_graph.h>

namespace loom::graph {

/// Damages the bytes of a graph in many ways: what is read of them is an error, or a graph one can walk.
inline void expect_an_error_or_a_sound_graph(std::span<const std::byte> bytes) {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::byte> damaged(bytes.begin(), bytes.end());
    for (std::size_t k = 0; k <= random.index(3); ++k) {
      damaged[random.index(damaged.size())] = static_cast<std::byte>(random.index(256));
    }
    if (round % 4 == 0) damaged.resize(random.index(damaged.size()));
    const auto graph = graph_from_bytes(damaged);
    if (!graph) continue;
    for (Node n = 0; n < graph->nodes(); ++n) {
      EXPECT_LT(graph->frame_of(n), graph->clips[graph->clip_of(n)].frames);
      for (const Transition& t : graph->transitions_of(n)) EXPECT_LT(t.to, graph->nodes());
    }
  }
}

}  // namespace loom::graph
