// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <loom/base/result.h>
#include <loom/graph/follow.h>

namespace loom::graph {

/// Reads a path from text: lines of x,z in metres and, as a third column, the label wanted from that point on. A first
/// line of names (x,z,label in any order, more columns are ignored) is understood; blank lines and lines that start
/// with # are left out. Fails with the line and what was expected; numbers that are not finite are refused.
Result<FloorPath> parse_path(std::string_view text, const std::string& file);

/// The same from a file.
Result<FloorPath> read_path_file(const std::string& path);

}  // namespace loom::graph
