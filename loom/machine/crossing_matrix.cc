// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>

#include <loom/base/whole.h>
#include <loom/compare/point_cloud.h>
#include <loom/machine/crossing_matrix.h>
#include <loom/machine/detail/unrolled.h>

namespace loom::machine {
namespace {

constexpr double kFurther = 0.3;  ///< seconds beyond the last transition, so that it can be made longer
constexpr double kRounds = 2;     ///< no transition goes further into a cycle

/// How far a state is laid out, in frames from its phase 0, where transitions come to `last` seconds.
std::size_t frames_of(const BuiltState& state, double rate, double last) {
  const double once = state.end - state.begin;
  const double seconds = state.cyclic ? std::clamp(last - state.begin + kFurther, once, kRounds * once) : once;
  return to_whole<std::size_t>(std::max(2.0, std::round(seconds * rate)));
}

}  // namespace

Result<CrossingMatrix> crossing_matrix(const BuiltMachine& machine, std::size_t from, std::size_t to) {
  const BuiltState &source = machine.states[from], &target = machine.states[to];
  double last_from = source.end, last_to = target.end;
  for (const behavior::MachineWarp& warp : machine.machine.warps) {
    if (warp.from != from || warp.to != to) continue;
    last_from = std::max(last_from, warp.knots.back().from);
    last_to = std::max(last_to, warp.knots.back().to);
  }
  const double rate = machine.rate();
  const std::size_t rows = frames_of(source, rate, last_from), columns = frames_of(target, rate, last_to);
  const compare::PointCloudOptions window = compare::cloud_window(rate);
  const std::size_t lead = window.half_window + 1;
  const Unrolled down = unroll(source, lead, rows + lead), across = unroll(target, lead, columns + lead);
  const std::vector<motion::Clip> clips = {down.clip, across.clip};
  auto frames = compare::make_frame_set(clips);
  if (!frames) return fail_from(frames);
  const auto metric =
      compare::PointCloud::create(std::make_shared<const compare::FrameSet>(std::move(*frames)), window);
  if (!metric) return fail_from(metric);
  const auto all = compare::cost_matrix(*metric, 0, 1);
  if (!all) return fail_from(all);
  CrossingMatrix matrix{{rows + 1, columns + 1, {}}, source.begin, 0, target.begin, 0};
  matrix.from_end =
      source.begin + static_cast<double>(rows) / static_cast<double>(down.steps) * (source.end - source.begin);
  matrix.to_end =
      target.begin + static_cast<double>(columns) / static_cast<double>(across.steps) * (target.end - target.begin);
  for (std::size_t r = 0; r <= rows; ++r) {
    for (std::size_t c = 0; c <= columns; ++c) {
      matrix.distances.values.push_back(
          all->at(std::min(down.lead + r, all->rows - 1), std::min(across.lead + c, all->columns - 1)));
    }
  }
  return matrix;
}

}  // namespace loom::machine
