// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace loom::app {

/// Text in aligned columns, for people. Numbers (cells that start with a digit or a minus) are set to the right;
/// control characters in names are written out.
class Table {
 public:
  explicit Table(std::vector<std::string> header) { add(std::move(header)); }

  /// As many cells as the header has.
  void add(std::vector<std::string> cells);
  /// Prints on standard output, the header underlined.
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace loom::app
