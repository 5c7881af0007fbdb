// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <loom/compare/cost_matrix.h>

#include "studio/message.h"

namespace loom::studio {

/// A matrix of distances for the page, with all of `header`: of long clips every few frames, and how many. `rate` is
/// that of its rows and columns.
Response matrix_response(const compare::CostMatrix& matrix, double rate, nlohmann::json header);

}  // namespace loom::studio
