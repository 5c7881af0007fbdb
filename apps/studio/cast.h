// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/library/library.h>
#include <loom/matching/match_features.h>
#include <loom/motion/stream.h>
#include <loom/play/root_follow.h>
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
};

/// Casts characters, and keeps the motion that was measured for motion matching until clips or labels change: measuring
/// a large library takes seconds. May be used from several threads at once; what one measures, others wait for.
class Casting {
 public:
  /// By the policy of that name, or, where it is empty, by motion matching of all that belongs in a game; `rate` poses
  /// a second.
  Result<Cast> cast(const library::Library& library, const std::string& policy, const play::RootFollow& root,
                    double rate, const Progress& progress);

 private:
  /// Motion that characters are matched from.
  struct Matched {
    std::string stamp;                ///< of the clips and labels it was made of
    std::vector<std::string> labels;  ///< that it was chosen by
    std::shared_ptr<const take::TakeSet> motion;
    std::shared_ptr<const matching::MatchFeatures> features;
  };
  Result<Matched> matched(const library::Library& library, const Progress& progress);

  std::mutex mutex_;
  Matched matched_;
};

/// A character with its feet planted as commands plant them.
Result<Player> character_of(const Cast& cast);

/// The labels of the library that belong in the game; none where it has none of them, and all motion is used.
std::vector<std::string> playful_labels(const library::Library& library);

}  // namespace loom::studio
