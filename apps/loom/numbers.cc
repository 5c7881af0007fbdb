// SPDX-License-Identifier: MIT
#include "loom/numbers.h"

#include <algorithm>

#include <fmt/format.h>

#include <loom/base/text.h>

namespace loom::app {

Result<std::vector<double>> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number = parse_number(text.substr(begin, end - begin));
    if (!number) return fail(fmt::format("expected numbers with commas between them, found '{}'", text));
    numbers.push_back(*number);
    begin = end + 1;
  }
  return numbers;
}

}  // namespace loom::app
