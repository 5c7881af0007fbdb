// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/picture/drawing.h>
#include <loom/picture/stage.h>

namespace loom::report {

/// What the pictures of this module share.

/// A vertical scale of colours from 0 at the bottom to `high` on top, with its unit above.
void draw_scale(picture::Drawing& drawing, const picture::Rect& frame, double high, const std::string& unit);

/// Moves and scales a camera so that all of `points` are seen in a rectangle of the drawing.
void fit_camera(picture::Camera& camera, const std::vector<Vec3>& points, const picture::Rect& frame);

}  // namespace loom::report
