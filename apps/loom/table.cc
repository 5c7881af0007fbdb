// SPDX-License-Identifier: MIT
#include "loom/table.h"

#include <algorithm>
#include <cctype>

#include "loom/command.h"

namespace loom::app {
namespace {

/// How many columns of a terminal `text` takes: UTF-8 continuation bytes take none.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool is_number(const std::string& cell) {
  return !cell.empty() && (std::isdigit(static_cast<unsigned char>(cell[0])) != 0 || cell[0] == '-');
}

}  // namespace

void Table::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

void Table::print() const {
  std::vector<std::size_t> widths(rows_[0].size());
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < widths.size(); ++c) widths[c] = std::max(widths[c], columns(row[c]));
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line, rule;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      const std::string padding(widths[c] - columns(rows_[r][c]), ' ');
      // A column is set as its first value is.
      const bool right = rows_.size() > 1 && is_number(rows_[1][c]);
      line += (c > 0 ? "  " : "") + (right ? padding + rows_[r][c] : rows_[r][c] + padding);
      rule += (c > 0 ? "  " : "") + std::string(widths[c], '-');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    print_text(line + "\n");
    if (r == 0) print_text(rule + "\n");
  }
}

}  // namespace loom::app
