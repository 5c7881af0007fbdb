// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <loom/base/result.h>

namespace loom {

/// Walks the text of a motion file token by token and knows which line it is on.
///
/// Lines end in LF, CRLF or CR, mixed as they come. Tokens are separated by blanks; a brace is a token of its own.
/// What follows '#' or '//' at the start of a token is a comment. A byte order mark at the start is skipped. Cheap to
/// copy, so that looking ahead is walking a copy.
class Scanner {
 public:
  explicit Scanner(std::string_view text);

  /// The next token, on this line or a later one; empty at the end of the text.
  std::string_view token();
  /// The next token if it is on the current line, else empty.
  std::string_view token_on_line();
  /// What is left of the current line up to an opening brace or a comment, without blanks around it: a name.
  std::string_view name();
  /// The next line that holds something, without comment and blanks around it; empty at the end of the text.
  std::string_view line();

  /// 1-based line of what was read last.
  [[nodiscard]] std::size_t line_number() const { return line_; }
  /// What has not been read.
  [[nodiscard]] std::string_view rest() const { return {here_, static_cast<std::size_t>(end_ - here_)}; }

 private:
  void skip_blanks();
  void skip_line_end();
  bool skip_to_content();
  [[nodiscard]] bool at_comment() const;
  [[nodiscard]] bool at_line_end() const { return here_ == end_ || *here_ == '\n' || *here_ == '\r'; }

  const char* here_;
  const char* end_;
  std::size_t line_ = 1;
};

/// How many lines end within `text`.
std::size_t count_line_ends(std::string_view text);

/// Whether `text` and `word` are the same but for upper and lower case (ASCII).
bool same_word(std::string_view text, std::string_view word);

/// `text` in lower case (ASCII).
std::string lower_case(std::string_view text);

/// `text` as an error message shows it: in quotes, control bytes replaced, cut where it is long.
std::string in_quotes(std::string_view text);

/// `text` as valid UTF-8 without control characters. Bytes that are no UTF-8 are taken as Latin-1, which is what
/// older programs write.
std::string clean_utf8(std::string_view text);

/// All of `text` as a number. Fails, without an address, unless it is one, finite and within ±kLargestNumber.
Result<double> parse_number(std::string_view text);

}  // namespace loom
