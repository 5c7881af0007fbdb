// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/policy/control_space.h>
#include <loom/policy/controllers.h>
#include <loom/policy/fragments.h>
#include <loom/policy/motion_quality.h>
#include <loom/policy/player_model.h>
#include <loom/policy/solver.h>

namespace loom::policy {

/// A trained policy over fragments, as it lies in the library: which fragment to play next, for every fragment and
/// every control (McCann & Pollard 2007 fig. 2), with all that is needed to explain it, to go on training it and to
/// refuse it when what it was trained on has changed.
struct Policy {
  PolicyKind kind = PolicyKind::kModel;
  double threshold_share = 1;  ///< only this share of the transitions was allowed; 1: all
  double discount = 0.999;
  std::string fragments;       ///< the name of the fragments it was trained on
  std::string fragments_hash;  ///< FragmentMotion::hash of them
  ControlSpace space;
  MotionQualityOptions quality;
  PlayerModel model;
  Solution solution;  ///< states are fragments, controls are bins; not `converged` when training was interrupted

  /// The fragment to play after `fragment` when the control is in `bin`. O(1).
  [[nodiscard]] std::uint32_t next(std::uint32_t fragment, std::size_t bin) const {
    return solution.decide(fragment, bin);
  }
};

/// A policy and the fragments it plays.
struct LoadedPolicy {
  std::shared_ptr<const Policy> policy;
  FragmentMotion fragments;
};

/// The policy as bytes. Expected rewards are kept as floats relative to a level a bin.
std::vector<std::byte> to_bytes(const Policy& policy);
/// Reads `to_bytes` back, believing nothing: sizes, indices and numbers are checked.
Result<Policy> policy_from_bytes(std::span<const std::byte> bytes);

}  // namespace loom::policy
