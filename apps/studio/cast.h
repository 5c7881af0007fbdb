// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/library/library.h>
#include <loom/matching/match_features.h>
#include <loom/motion/stream.h>
#include <loom/play/root_follow.h>
#include <loom/take/gather.h>
#include <loom/take/take_set.h>

#include "studio/pieces.h"

namespace loom::studio {

/// A character, and who says why it goes over to other motion, as long as it lives.
struct Player {
  std::unique_ptr<motion::MotionStream> stream;
  PieceTeller::Explain explain{};
};

/// What characters in a player's hand are made of, loaded once for all, and how to make one.
struct Cast {
  std::function<Result<Player>()> make;
  std::shared_ptr<const take::TakeSet> motion;
  nlohmann::json command;  ///< words of the command that plays the same
  /// Where it is made of a part of the motion, since not all is measured yet: of how many clips.
  struct Part {
    std::size_t clips = 0, of = 0;
    std::string stamp;  ///< of the clips and labels of the library
  };
  std::optional<Part> part{};
};

/// Casts characters, and keeps the motion that was measured for motion matching until clips or labels change: measuring
/// a large library takes seconds. May be used from several threads at once; what one measures, others wait for.
class Casting {
 public:
  /// Frames of motion that are measured in a few tenths of a second: of more, something may move beforehand.
  static constexpr std::size_t kAtOnce = 30000;

  /// By the policy of that name, or, where it is empty, by motion matching of all that belongs in a game; `rate` poses
  /// a second.
  Result<Cast> cast(const library::Library& library, const std::string& policy, const play::RootFollow& root,
                    double rate, const Progress& progress);
  /// The same; but where all motion is not measured yet, and is more than `at_once` frames, by a part of it that
  /// stands, walks and turns, as far as so many frames have that. What measures all meanwhile is not waited for.
  Result<Cast> cast_soon(const library::Library& library, const std::string& policy, const play::RootFollow& root,
                         double rate, std::size_t at_once, const Progress& progress);
  /// By matching of all motion, if that of the library of that stamp is measured by now.
  std::optional<Cast> if_measured(const std::string& stamp, const play::RootFollow& root, double rate);
  /// Measures all motion of the library, and keeps it.
  Result<void> measure(const library::Library& library, const Progress& progress);
  /// For who means to measure all motion, to be held until that is done or given up; nothing where somebody does so.
  std::shared_ptr<const void> announce();

 private:
  /// Motion that characters are matched from.
  struct Matched {
    std::string stamp;                ///< of the clips and labels it was made of
    std::vector<std::string> labels;  ///< that it was chosen by
    std::string body;                 ///< and of which; empty: there is one
    std::shared_ptr<const take::TakeSet> motion;
    std::shared_ptr<const matching::MatchFeatures> features;
  };
  Result<Matched> matched(const library::Library& library, const Progress& progress);
  static Result<Matched> measured(const library::Library& library, const take::GatherOptions& what, std::string stamp,
                                  const Progress& progress);
  /// What is kept of that stamp; without motion where that is nothing.
  Matched kept(const std::string& stamp);

  std::mutex measuring_;  ///< by one at a time
  std::mutex mutex_;      ///< of what follows, never for long
  Matched matched_;
  std::weak_ptr<const void> announced_;
};

/// A character with its feet planted as commands plant them.
Result<Player> character_of(const Cast& cast);

/// The labels of the library that belong in the game; none where it has none of them, and all motion is used.
std::vector<std::string> playful_labels(const library::Library& library);

}  // namespace loom::studio
