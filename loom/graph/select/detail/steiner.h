// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <loom/graph/select/detail/problem.h>

namespace loom::graph::detail {

/// The nodes of two directed Steiner trees between a key frame and all others, one there and one back (Zhao 2009
/// appendix A.1): what connects all key frames with few nodes, however long the ways are. Each tree is that of Charikar
/// and others with two levels: again and again the node from which most key frames are reached at the least cost a
/// key frame, on the way to which one goes first.
std::vector<std::uint32_t> steiner_nodes(const Field& field, const std::vector<std::uint32_t>& keys);

}  // namespace loom::graph::detail
