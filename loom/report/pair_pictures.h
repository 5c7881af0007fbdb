// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include <loom/blend/align/pair_alignment.h>
#include <loom/compare/similar_pair.h>
#include <loom/graph/clip_pair.h>
#include <loom/picture/drawing.h>

namespace loom::report {

/// The distances between the frames of two clips, with the minima marked; what is not defined is grey.
picture::Drawing draw_distances(const compare::CostMatrix& distances, std::span<const compare::SimilarPair> minima,
                                const std::string& from, const std::string& to);

/// The costs of aligning two clips, with the path, its pins and strokes.
picture::Drawing draw_warp(const blend::PairAlignment& pair, const blend::PairWarp& warp,
                           std::span<const compare::WarpCell> pins);

}  // namespace loom::report
