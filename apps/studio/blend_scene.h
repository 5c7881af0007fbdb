// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include <loom/base/result.h>
#include <loom/blend/blend_space.h>
#include <loom/blend/family/family.h>
#include <loom/blend/family/local_coverage.h>
#include <loom/blend/family/motion_maker.h>
#include <loom/blend/family/stored_family.h>
#include <loom/blend/weights/weights.h>

#include "studio/scene.h"

namespace loom::studio {

/// A family with what is needed to blend it by any method.
struct BlendableFamily {
  blend::StoredFamily stored;
  std::shared_ptr<const blend::BlendModel> model;
  std::map<blend::Method, std::shared_ptr<const blend::Weighting>> weightings;
  std::shared_ptr<const blend::LocalCoverage> around;  ///< null where the family places no joint

  /// Makes all of it. Fails when the examples have no extent.
  static Result<BlendableFamily> create(blend::StoredFamily stored);

  /// The weights for parameters as a user gives them (as many as the space has), clamped to what the examples reach.
  blend::Weighed weigh(blend::Method method, std::span<const double> values, std::span<float> weights) const;
};

/// A character that does what a family does, at parameters that the page changes while it moves (Huang 2012 §5.3.3).
///
/// Hears {"target": [values], "method": name, "playing": bool}, and for constraints instead of parameters
/// {"targets": [as blend/family/target_text.h has them], "objective": name}; {"mesh": {"shape": name, "size": metres,
/// "points": along a side}} asks for local coverage around the target (§5.3.4.2), null for none. What makes no sense is
/// not heard.
///
/// Values of a frame: the target, what the blend comes out as (both as many as the space has), the distance between the
/// two in coordinates, how far outside the examples the target lies, the normalised time, and the place of the joint
/// that the family places (3; zero where it places none); then how many constraints there are and what is left of each,
/// in metres or radians; then how many points a row of the mesh has (0: there is none), how many rows, and of each
/// point its place and how far from it a blend comes out (4). While it does not play it holds the stroke; a walk stands
/// still where it is. Fails on a family that cannot be blended.
Result<std::unique_ptr<Scene>> make_blend_scene(std::shared_ptr<const BlendableFamily> family, blend::Method method);

}  // namespace loom::studio
