// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/library/import.h>
#include <loom/motion/clip.h>
#include <loom/motion/skeleton.h>

namespace loom::library {

/// Which body each clip that comes into a library gets, so that clips of many performers move one body.
///
/// The first body of each hierarchy is the reference: what comes later is fitted to it. Where the hierarchy is another,
/// motion is carried over where that can be done. Others, and those that are to be kept apart, join the list
/// themselves.
class BodyChoice {
 public:
  using Body = std::shared_ptr<const motion::Skeleton>;

  /// What to do with a clip.
  struct Choice {
    Body body;           ///< the body it gets
    bool fit = false;    ///< whether its motion must be fitted to it
    bool carry = false;  ///< whether it must be carried over, from joints that are others
    std::string notice;  ///< why it could not be fitted to the nearest body; empty where nothing is to be said
  };

  /// `keep_apart`: nothing is fitted, only bodies equal but for rounding are taken for one.
  BodyChoice(bool keep_apart, const CarryOver& carry_over) : keep_apart_(keep_apart), carry_over_(carry_over) {}

  /// Adds a body clips may be fitted to, the earlier the more it is preferred. `owner` names it to the user:
  /// "that of 'walk'".
  void add(Body body, std::string owner);
  /// Chooses for a clip, which is named already.
  Choice choose(const motion::Clip& clip);

 private:
  struct Known {
    Body body;
    std::string owner;
  };
  bool keep_apart_;
  const CarryOver& carry_over_;
  std::vector<Known> known_;
};

}  // namespace loom::library
