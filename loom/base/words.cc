// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include <loom/base/words.h>

namespace loom {
namespace {

/// The code point of a well-formed sequence.
char32_t code_point(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first;
  char32_t code = first & (0x7fu >> sequence.size());
  for (const char c : sequence.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3fu);
  return code;
}

/// Controls (C0, DEL, C1), ends of lines and paragraphs, and marks that turn the direction in which text is read.
bool moves_terminal(char32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

std::string written_out(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  return code < 0x80 ? fmt::format("\\x{:02x}", static_cast<unsigned>(code))
                     : fmt::format("\\u{:04x}", static_cast<unsigned>(code));
}

bool is_safe(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : (first >= 0xe0 ? 3 : 2);
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  const bool beyond = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (length == 0) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (const char32_t code = code_point(character); moves_terminal(code)) {
      shown += written_out(code);
    } else {
      shown += character;
    }
    text.remove_prefix(character.size());
  }
  return shown;
}

std::string shell_word(std::string_view word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_safe)) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_command(std::initializer_list<std::string_view> words,
                          std::initializer_list<std::string_view> names) {
  std::string line = "loom";
  for (const std::string_view word : words) line += " " + shell_word(word);
  const bool like_options = std::any_of(names.begin(), names.end(), [](auto name) { return name.starts_with('-'); });
  if (like_options) line += " --";
  for (const std::string_view name : names) line += " " + shell_word(name);
  return line;
}

std::string csv_field(std::string_view text) {
  const bool blank_edge = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!blank_edge && text.find_first_of(",;\t\"\r\n#") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace loom
