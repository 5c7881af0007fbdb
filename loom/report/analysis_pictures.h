// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <loom/blend/family/analysis.h>
#include <loom/blend/family/coverage.h>
#include <loom/blend/family/motion_flow.h>
#include <loom/motion/clip.h>
#include <loom/picture/drawing.h>

namespace loom::report {

/// What a map shows.
enum class MapOf { kError, kCurvature };

/// The middle surface of the grid as maps, one a method side by side on one scale (Huang 2012 figures 4.3 and 4.4).
/// Dark is good. What lies outside the hull of the examples is left white. The scale ends at the 98th percentile of the
/// worst method, so that a few bad points do not darken all others.
picture::Drawing draw_maps(const blend::Analysis& analysis, MapOf what);

/// The flow of a motion from the side, or from the front where it stays in place: grey where it is even, warm where it
/// suddenly speeds up, cool where it slows down, with some poses under it (Huang 2012 figure 4.5). `clip` is the motion
/// the flow was made of.
picture::Drawing draw_flow(const motion::Clip& clip, const blend::MotionFlow& flow, const std::string& title);

/// Coverage as coloured cubes in an oblique view and from above (Huang 2012 figure 5.4), the examples as white dots and
/// the suggestion as a ring. `standing` is the body, at the origin facing +Z, for families that place a joint; may be
/// null. Spaces of one or two parameters, and surfaces, become a flat map.
picture::Drawing draw_coverage(const blend::Coverage& coverage, const blend::Subject& subject,
                               const motion::Clip* standing);

}  // namespace loom::report
