// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <loom/blend/blend_parts.h>
#include <loom/graph/seams.h>
#include <loom/matching/matching.h>
#include <loom/motion/stream.h>
#include <loom/take/take_set.h>

#include "studio/scene.h"

namespace loom::studio {

// What made motion is made of, as pages are told it, whatever made it: pieces of recordings, and of each seam between
// two of them what the choice was weighed by and what else there was (Piece and Seam of web/src/routes.ts).

/// A place that could have been gone to at a seam.
nlohmann::json seam_choice(const std::string& clip, std::size_t frame, const nlohmann::json& cost,
                           std::vector<double> values);
/// A seam. `terms` are pairs of a name and a unit; every choice has a value for each.
nlohmann::json seam_told(const nlohmann::json& left, const nlohmann::json& terms, nlohmann::json taken,
                         nlohmann::json others);
/// A piece of one recording, from frame `begin` of the made motion on.
nlohmann::json piece_told(const std::string& clip, std::size_t begin, std::size_t frame, nlohmann::json seam);

/// The seam of a motion that was played on a graph.
nlohmann::json seam_json(const graph::Seam& seam, const take::TakeSet& motion);
/// The pieces of one, with their seams.
nlohmann::json pieces_json(const graph::MotionGraph& graph, const take::TakeSet& motion,
                           const motion::Recording& recording);
/// Where two recordings meet, of which no more is known.
nlohmann::json gap_json(const take::TakeSet& motion, motion::SourceFrame left, motion::SourceFrame entered);
/// Why a matcher jumped.
nlohmann::json match_json(const matching::MatchReasons& reasons, const take::TakeSet& motion);
/// What a moment is mixed of: the heaviest few.
nlohmann::json parts_json(std::span<const blend::BlendPart> parts, std::span<const std::string> names);

/// Tells when a character of a scene begins another piece, {"event": "piece"}, and what its seam was weighed by.
class PieceTeller {
 public:
  /// The seam of a character that goes from one moment to another, and a word for what it does then.
  struct Why {
    nlohmann::json seam;
    std::string what{};
  };
  /// None: nothing is known of seams.
  using Explain = std::function<Why(std::size_t character, motion::SourceFrame left, motion::SourceFrame entered)>;

  PieceTeller(std::vector<std::string> names, Explain explain)
      : names_(std::move(names)), explain_(std::move(explain)) {}

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// What is to be told of what `player` did since it was last looked at, of its first `most` characters.
  void look(EnsemblePlayer& player, std::size_t most, std::vector<nlohmann::json>& news) const;

 private:
  std::vector<std::string> names_;
  Explain explain_;
};

/// How often pages are told what a moment is mixed of: every so many pictures.
inline constexpr unsigned kPicturesAMix = 6;

}  // namespace loom::studio
