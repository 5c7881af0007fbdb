// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/graph/motion_graph.h>
#include <loom/graph/prune.h>

namespace loom::graph {

/// A motion that a selection has to hold whole: consecutive frames of one run of a graph.
struct KeyMotion {
  std::string what;         ///< as the user named it: "walk", "16_11:20-60"
  Node begin = 0, end = 0;  ///< nodes [begin, end)

  [[nodiscard]] Node frames() const { return end - begin; }
};

/// What a user may ask of the ways between key motions (Zhao 2009 §5.2, whose numbers they have).
enum class Need : std::uint8_t {
  kWithin = 1,     ///< every key frame reaches every other within so many frames, or as soon as the whole graph can
  kQuickest = 2,   ///< every key frame reaches every other as soon as in the whole graph
  kMotionEnd = 3,  ///< the last frame of a motion reaches the beginning of another within so many frames, or as soon
                   ///< as the whole graph can (local maneuverability)
  kSmooth = 4,     ///< as the first, but what counts is roughness and frames together (eq. 5.2)
};

struct Requirement {
  Need need = Need::kWithin;
  double within = 40;     ///< frames; for kSmooth: of eq. 5.2; not looked at for kQuickest
  double roughness = 10;  ///< alpha of eq. 5.2: times the cost t of a transition; for kSmooth
  double frame = 1;       ///< gamma of eq. 5.2: of every frame; for kSmooth
};

/// What is asked of the ways from one key motion to another where it differs from the usual.
struct RequirementBetween {
  std::string from, to;  ///< `KeyMotion::what`
  Requirement requirement;
};

/// What a user wants of a selection.
struct SelectionTask {
  std::vector<KeyMotion> keys;
  Requirement usual;
  std::vector<RequirementBetween> between;
  /// Fail where the whole graph cannot do what is asked, instead of asking for what it can.
  bool strict = false;
};

/// The share of a key motion, from its first frame on, that counts as its beginning (`Need::kMotionEnd`).
inline constexpr double kBeginningShare = 0.25;

/// Key motions as a user writes them, with what he should know of them.
struct ReadKeys {
  std::vector<KeyMotion> keys;
  std::vector<std::string> notes;  ///< "of 16_11:20-60 the graph has frames 25 to 60"
};

/// Reads key motions: "CLIP", "CLIP:FROM-TO" (frames of the library's clip at the graph's rate, both included), "LABEL"
/// (the stretch most typical of that label, `kKeySeconds` long at most), "LABEL*3" (three of them, of
/// different clips where there are as many) or "LABEL*all" (every frame of it). Fails on what is unknown, naming what
/// there is, and on motions that the graph lost to pruning, saying at which threshold it would have them, as far as
/// `pairs`, those the graph was chosen from, can tell.
Result<ReadKeys> read_keys(const MotionGraph& graph, std::span<const SimilarPair> pairs,
                           std::span<const std::string> texts);

/// How long a stretch is taken for a label at most.
inline constexpr double kKeySeconds = 1.5;

/// Reads "FROM,TO=40", "FROM,TO=quickest", "FROM,TO=end:15" or "FROM,TO=smooth:60".
Result<RequirementBetween> read_between(const std::string& text);

}  // namespace loom::graph
