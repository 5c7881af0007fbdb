// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/select/detail/field.h>
#include <loom/graph/select/requirement.h>

namespace loom::graph::detail {

/// Units of eq. 5.2 by which lengths are counted, one frame being four of them as the work weighs it.
inline constexpr double kSmoothUnits = 4;
inline constexpr Length kNotAsked = kFar;

/// Who has to reach whom, by one way of measuring lengths. A selection answers one layer or several at once: key frames
/// to key frames in frames, ends of motions to beginnings, key frames to key frames by smoothness.
struct Layer {
  bool smooth = false;                     ///< lengths are those of eq. 5.2, in `kSmoothUnits`; else frames
  double roughness = 0, frame = 1;         ///< of eq. 5.2
  std::vector<Node> sources;               ///< of the graph
  std::vector<std::vector<Node>> targets;  ///< any node of each will do
  std::vector<std::uint32_t> source_motion, target_motion;  ///< the key motion each belongs to
  /// Whether a target is the first frame of a motion, asked for from that motion's own end, so that all of it can be
  /// come to again.
  std::vector<char> again;
  std::vector<Length> wanted;  ///< sources × targets: what was asked; kNotAsked where nothing is
  std::vector<Length> best;    ///< sources × targets: what the whole graph can do
  std::vector<Length> limit;   ///< sources × targets: the larger of the two; kNotAsked where nothing is

  [[nodiscard]] std::size_t at(std::size_t source, std::size_t target) const {
    return source * targets.size() + target;
  }
  /// The length of every step of a field, by this layer's measure; empty where all are 1.
  [[nodiscard]] std::vector<Length> lengths_of(const Steps& steps) const;
  /// A length as the user counts: frames, or eq. 5.2.
  [[nodiscard]] double told(Length length) const { return smooth ? length / kSmoothUnits : length; }
};

/// The distinct key frames of a task, ascending.
std::vector<Node> key_frames(const SelectionTask& task);

/// The layers of a task, with nothing known yet of what the graph can do: `wanted` of `Need::kQuickest` is 0.
std::vector<Layer> make_layers(const SelectionTask& task);

/// What the whole graph can do: fills `best` and `limit`, and returns the frames on one shortest way for each that is
/// asked for, ascending: the CORE graph of Zhao 2009 §5.3.5. Fails where the graph has no way, where `task.strict` and
/// it has none so short, and where `progress` asks to stop.
Result<std::vector<Node>> find_best(const Field& whole, const SelectionTask& task, std::vector<Layer>& layers,
                                    const Progress& progress);

}  // namespace loom::graph::detail
