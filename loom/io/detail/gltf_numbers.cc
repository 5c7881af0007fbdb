// SPDX-License-Identifier: MIT
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>
#include <loom/io/detail/gltf_numbers.h>

namespace loom::io {
namespace {

void append_word(std::string& bytes, std::uint64_t value) {
  const auto word = static_cast<std::uint32_t>(value);
  bytes.append({static_cast<char>(word & 0xFF), static_cast<char>(word >> 8 & 0xFF),
                static_cast<char>(word >> 16 & 0xFF), static_cast<char>(word >> 24)});
}

}  // namespace

Result<std::string> glb_of(nlohmann::ordered_json root, std::string binary, const nlohmann::ordered_json& others) {
  root["buffers"] = nlohmann::ordered_json::array({{{"byteLength", binary.size()}}});
  for (const nlohmann::ordered_json& other : others) root["buffers"].push_back(other);
  std::string text = loom::json_text(root, -1);
  text.resize((text.size() + 3) & ~std::size_t{3}, ' ');
  binary.resize((binary.size() + 3) & ~std::size_t{3});
  const std::uint64_t total = 12 + 8 + text.size() + 8 + binary.size();
  if (total > std::numeric_limits<std::uint32_t>::max()) {
    return fail(fmt::format("{} MB are more than a .glb can hold; write fewer clips", total / 1'000'000));
  }
  std::string bytes;
  bytes.reserve(total);
  bytes += "glTF";
  append_word(bytes, 2);
  append_word(bytes, total);
  append_word(bytes, text.size());
  bytes += "JSON";
  bytes += text;
  append_word(bytes, binary.size());
  bytes.append("BIN\0", 4);
  bytes += binary;
  return bytes;
}

}  // namespace loom::io
