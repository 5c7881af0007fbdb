// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>

namespace loom {

/// The records of a CSV text (RFC 4180), one at a time, with the line each starts on.
///
/// Commas, semicolons or tabs, whichever the first line uses; quotes, CRLF and a byte-order mark are understood.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text);

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  /// 1-based line of the record that comes next.
  [[nodiscard]] std::size_t line() const { return line_; }

  /// The fields of the next record, blanks around them taken off. A quote that is never closed is an error; `path` is
  /// for its address.
  Result<std::vector<std::string>> next(const std::string& path);

 private:
  std::string_view text_;
  char separator_ = ',';
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace loom
