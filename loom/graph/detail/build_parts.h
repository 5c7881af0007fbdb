// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <loom/base/result.h>
#include <loom/compare/metric.h>
#include <loom/graph/build.h>

namespace loom::graph {

/// The distance that options ask for. Fails on parameters that make no sense or name joints the body lacks.
Result<std::unique_ptr<compare::Metric>> make_metric(std::shared_ptr<const compare::FrameSet> frames,
                                                     const BuildOptions& options);

/// The hand contacts of all frames, clip after clip; none where they were not asked for.
Result<std::vector<std::uint8_t>> hands_of(const take::TakeSet& motion, const motion::HandContactOptions& options);

}  // namespace loom::graph
