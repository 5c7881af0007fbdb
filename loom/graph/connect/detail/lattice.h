// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/compare/metric.h>
#include <loom/graph/connect/detail/segment_pairs.h>
#include <loom/graph/connect/detail/way_graph.h>
#include <loom/take/mix.h>

namespace loom::graph {

/// One weight of a chain: a motion between two, of whose frames [begin, end) are nodes. The frames before and after are
/// there to be compared and blended with.
struct MixedRow {
  take::Mix mix;
  std::uint32_t begin = 0, end = 0;
  std::uint32_t first_node = 0;

  [[nodiscard]] std::uint32_t frames() const { return end - begin; }
};

/// Makes a metric over some frames.
using MetricMaker =
    std::function<Result<std::unique_ptr<compare::Metric>>(std::shared_ptr<const compare::FrameSet> frames)>;

/// What lattices are made with.
struct LatticeSetting {
  const take::TakeSet& motion;
  const FrameNumbers& numbers;
  std::span<const ContactSegment> segments;
  std::uint32_t margin = 6;  ///< frames before and after that comparing looks at
  double threshold = 0;      ///< largest distance of a way
  MetricMaker metric;
};

/// The rows of all chains, their nodes counted on from those of the recorded frames.
struct Lattices {
  std::vector<MixedRow> rows;           ///< by chain, then by weight
  std::vector<std::uint32_t> chain_of;  ///< of each row
  std::vector<Way> ways;                ///< by where they begin
  std::uint32_t nodes = 0;              ///< recorded and mixed
};

/// Interpolates all chains and finds, in each, where one may go from a weight to another, from a recorded motion into
/// the mix and from the mix to the other recorded motion (Zhao 2009 §4.1.1 and 4.1.2): frames that belong together by
/// the time map and are similar. Poses are forgotten when a chain is done. On all cores; the same whatever their
/// number.
Result<Lattices> make_lattices(std::span<const Chain> chains, const LatticeSetting& setting, const Progress& progress);

}  // namespace loom::graph
