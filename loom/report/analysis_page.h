// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include <loom/base/result.h>
#include <loom/report/family_report.h>

namespace loom::report {

/// What was found about families as one self-contained HTML page: the table of Huang 2012 figure 4.6, maps of error and
/// smoothness, flows and coverage. Fails where a picture cannot be encoded.
Result<std::string> analysis_page(std::span<const FamilyReport> reports);

/// The same as JSON text: a list `methods` with a row for each method and family, and a list `families` with grid,
/// flow and coverage.
std::string analysis_json(std::span<const FamilyReport> reports);

}  // namespace loom::report
