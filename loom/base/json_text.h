// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <loom/base/result.h>

namespace loom {

/// What JSON from outside may be. Whatever walks through a value goes into itself once a level, so a text of a hundred
/// thousand brackets would end the process; and every comma takes 16 bytes and more.
struct JsonLimits {
  int depth = 64;                             ///< arrays and objects within each other; nothing of ours has 10
  std::size_t values = std::size_t{4} << 20;  ///< of any kind, in all
};

/// Checks nesting and number of values before a parser takes memory for them. Not a parser: outside strings it only
/// counts brackets and commas. O(bytes).
Result<void> check_json_extent(std::string_view text, const JsonLimits& limits = {});

/// The value of a text from outside: a file, a request, a column of a library. Null where it is no JSON, or more than
/// the limits allow. Everything that reads JSON comes by here or by `check_json_extent`.
nlohmann::json parse_json(std::string_view text, const JsonLimits& limits = {});

/// A value as text. Names come from files and need not be valid UTF-8: a bad byte is replaced rather than thrown over.
std::string json_text(const nlohmann::json& value, int indent = -1);

}  // namespace loom
