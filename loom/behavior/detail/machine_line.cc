// SPDX-License-Identifier: MIT
#include <loom/base/text.h>
#include <loom/behavior/detail/machine_line.h>

namespace loom::behavior {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '+' || c == '.' || c == '/' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_sign(char c) { return c == ',' || c == ':' || c == '?'; }

}  // namespace

Result<std::vector<MachineToken>> split_machine_line(std::string_view line) {
  std::vector<MachineToken> tokens;
  for (std::size_t at = 0; at < line.size() && line[at] != '#';) {
    if (is_blank(line[at])) {
      ++at;
    } else if (line.substr(at, 2) == "->") {
      tokens.push_back({"->", false});
      at += 2;
    } else if (is_sign(line[at])) {
      tokens.push_back({std::string(1, line[at++]), false});
    } else if (line[at] == '"') {
      const std::size_t close = line.find('"', at + 1);
      if (close == std::string_view::npos) return fail("a name in quotes does not end on this line");
      if (close == at + 1) return fail("a name in quotes is empty");
      tokens.push_back({std::string(line.substr(at + 1, close - at - 1)), true});
      at = close + 1;
    } else if (is_word(line[at])) {
      std::size_t end = at;
      while (end < line.size() && is_word(line[end]) && line.substr(end, 2) != "->") ++end;
      tokens.push_back({std::string(line.substr(at, end - at)), true});
      at = end;
    } else {
      return fail("expected a word, found " + in_quotes(line.substr(at, 1)));
    }
  }
  return tokens;
}

}  // namespace loom::behavior
