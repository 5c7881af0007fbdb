// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <loom/base/random.h>
#include <loom/sample/detail/score.h>
#include <loom/sample/sample.h>

namespace loom::sample {

/// A motion written down and ready to be performed, with what is known about it beforehand.
struct Piece {
  Score score;
  std::vector<Parameter> parameters{};
  std::optional<double> stroke{};  ///< seconds
};

/// One motion of the catalogue. Writing it draws the small differences of this take from the random numbers.
struct Entry {
  std::string name;
  std::string group;
  std::function<Piece(Random&)> write;
  bool on_request = false;  ///< made where it is named, or its group, and not among all
};

using Catalogue = std::vector<Entry>;

// Each file of motions adds its own.
void add_everyday(Catalogue& catalogue);    ///< idle, duck, pick up
void add_locomotion(Catalogue& catalogue);  ///< walks, runs, starts, stops, turns, side-steps, and their family
void add_jumps(Catalogue& catalogue);       ///< jumps up and in all directions, and their family

void add_approaches(Catalogue& catalogue);  ///< setting off and arriving in all directions, on request
void add_reaches(Catalogue& catalogue);     ///< reach and point; pour, grasp and press on request
void add_fights(Catalogue& catalogue);      ///< stance, steps, punches, kicks, evasions

}  // namespace loom::sample
