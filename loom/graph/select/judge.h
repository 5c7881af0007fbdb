// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/graph/select/requirement.h>

namespace loom::graph {

/// How the ways from one key motion to another meet what is asked.
struct PairJudgement {
  std::uint32_t from = 0, to = 0;  ///< key motions
  std::size_t asked = 0;           ///< ways: of frames to frames, or one from the end of a motion
  std::size_t connected = 0;       ///< of those, there are
  std::size_t met = 0;             ///< of those, short enough
  double mean_frames = 0;          ///< of those there are; for `Need::kSmooth` of eq. 5.2
  double best_frames = 0;          ///< the same in the whole graph

  [[nodiscard]] double share() const { return asked == 0 ? 1 : static_cast<double>(met) / static_cast<double>(asked); }
};

/// How a set of frames meets what a user wants of it.
struct Judgement {
  std::size_t key_frames = 0;        ///< distinct ones
  std::size_t frames = 0;            ///< of the set, key frames included
  std::size_t edges = 0;             ///< between them
  double connected_share = 0;        ///< of the ways asked for
  double satisfied_share = 0;        ///< of the ways asked for
  double mean_frames = 0;            ///< mean of the ways there are, in frames
  double best_frames = 0;            ///< mean in the whole graph
  std::size_t beyond = 0;            ///< ways that the whole graph cannot make as short as asked either
  std::vector<PairJudgement> pairs;  ///< of key motions, worst first
  /// How many ways take so many frames, in the set and in the whole graph (Zhao 2009 figure 5.6).
  std::vector<std::uint64_t> histogram, best_histogram;
};

/// Judges sets of frames by plain searches within them, one from every key frame: knows nothing of how they were
/// chosen. What the whole graph can do is found once, when it is made.
class SelectionJudge {
 public:
  /// `graph` must outlive it. Fails where `progress` asks to stop, and where there is too little memory.
  static Result<SelectionJudge> make(const MotionGraph& graph, const SelectionTask& task,
                                     const Progress& progress = {});
  ~SelectionJudge();
  SelectionJudge(SelectionJudge&&) noexcept;
  SelectionJudge& operator=(SelectionJudge&&) noexcept;

  /// `nodes` in any order; key frames belong to the set whether they are named or not. O(key frames × edges between
  /// the set's frames), on all cores.
  [[nodiscard]] Judgement judge(std::span<const Node> nodes) const;

 private:
  struct Parts;
  explicit SelectionJudge(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace loom::graph
