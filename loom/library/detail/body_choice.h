// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <loom/motion/skeleton.h>

namespace loom::library {

/// Which body each clip that comes into a library gets, so that clips of many performers move one body.
///
/// The first body of each hierarchy is the reference: what comes later is fitted to it. Bodies that cannot be fitted,
/// or are to be kept apart, join the list themselves.
class BodyChoice {
 public:
  using Body = std::shared_ptr<const motion::Skeleton>;

  /// What to do with a clip.
  struct Choice {
    Body body;           ///< the body it gets
    bool fit = false;    ///< whether its motion must be fitted to it
    std::string notice;  ///< why it could not be fitted to the nearest body; empty where nothing is to be said
  };

  /// `keep_apart`: nothing is fitted, only bodies equal but for rounding are taken for one.
  explicit BodyChoice(bool keep_apart) : keep_apart_(keep_apart) {}

  /// Adds a body clips may be fitted to, the earlier the more it is preferred. `owner` names it to the user:
  /// "that of 'walk'".
  void add(Body body, std::string owner);
  /// Chooses for a clip called `name` that comes with `skeleton`.
  Choice choose(const Body& skeleton, const std::string& name);

 private:
  struct Known {
    Body body;
    std::string owner;
  };
  bool keep_apart_;
  std::vector<Known> known_;
};

}  // namespace loom::library
