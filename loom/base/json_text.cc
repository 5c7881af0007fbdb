// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>

namespace loom {

Result<void> check_json_extent(std::string_view text, const JsonLimits& limits) {
  int depth = 0;
  std::size_t values = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
    } else if (c == '[' || c == '{') {
      ++values;
      if (++depth > limits.depth) return fail(fmt::format("the JSON is nested more than {} deep", limits.depth));
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',') {
      ++values;
    }
  }
  if (values > limits.values) return fail(fmt::format("the JSON holds more than {} values", limits.values));
  return {};
}

nlohmann::json parse_json(std::string_view text, const JsonLimits& limits) {
  if (!check_json_extent(text, limits)) return nullptr;
  auto value = nlohmann::json::parse(text, nullptr, false);
  return value.is_discarded() ? nlohmann::json() : value;
}

std::string json_text(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace loom
