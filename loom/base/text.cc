// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include <loom/base/number.h>
#include <loom/base/text.h>
#include <loom/base/words.h>

namespace loom {
namespace {

constexpr std::size_t kQuotedLength = 40;  ///< bytes of a token that an error message shows

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
constexpr bool is_line_end(char c) { return c == '\n' || c == '\r'; }
constexpr bool is_control(unsigned char c) { return c < 0x20 || c == 0x7f; }
constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

std::string_view trim_end(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace

Scanner::Scanner(std::string_view text) : here_(text.data()), end_(text.data() + text.size()) {
  if (text.starts_with("\xef\xbb\xbf")) here_ += 3;
}

void Scanner::skip_blanks() {
  while (here_ != end_ && is_blank(*here_)) ++here_;
}

void Scanner::skip_line_end() {
  if (here_ == end_) return;
  const bool carriage_return = *here_++ == '\r';
  if (carriage_return && here_ != end_ && *here_ == '\n') ++here_;
  ++line_;
}

bool Scanner::at_comment() const {
  return here_ != end_ && (*here_ == '#' || (*here_ == '/' && end_ - here_ > 1 && here_[1] == '/'));
}

bool Scanner::skip_to_content() {
  while (true) {
    skip_blanks();
    if (at_comment()) here_ = std::find_if(here_, end_, is_line_end);
    if (here_ == end_) return false;
    if (!is_line_end(*here_)) return true;
    skip_line_end();
  }
}

std::string_view Scanner::token() { return skip_to_content() ? token_on_line() : std::string_view(); }

std::string_view Scanner::token_on_line() {
  skip_blanks();
  if (at_line_end() || at_comment()) return {};
  const char* const start = here_;
  const auto is_brace = [](char c) { return c == '{' || c == '}'; };
  if (is_brace(*here_)) return {here_++, 1};
  here_ = std::find_if(here_, end_, [&](char c) { return is_blank(c) || is_line_end(c) || is_brace(c); });
  return {start, static_cast<std::size_t>(here_ - start)};
}

std::string_view Scanner::name() {
  skip_blanks();
  const char* const start = here_;
  for (bool after_blank = true; !at_line_end() && *here_ != '{' && !(after_blank && at_comment()); ++here_) {
    after_blank = is_blank(*here_);
  }
  return trim_end({start, static_cast<std::size_t>(here_ - start)});
}

std::string_view Scanner::line() {
  if (!skip_to_content()) return {};
  const char* const start = here_;
  for (bool after_blank = false; !at_line_end() && !(after_blank && at_comment()); ++here_) {
    after_blank = is_blank(*here_);
  }
  const std::string_view content = trim_end({start, static_cast<std::size_t>(here_ - start)});
  here_ = std::find_if(here_, end_, is_line_end);
  return content;
}

std::size_t count_line_ends(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool before_newline = i + 1 < text.size() && text[i + 1] == '\n';
    if (text[i] == '\n' || (text[i] == '\r' && !before_newline)) ++count;
  }
  return count;
}

bool same_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                    [](char a, char b) { return to_lower(a) == to_lower(b); });
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), to_lower);
  return lower;
}

std::string in_quotes(std::string_view text) {
  const bool cut = text.size() > kQuotedLength;
  std::string shown;
  for (const char c : text.substr(0, kQuotedLength)) {
    const auto byte = static_cast<unsigned char>(c);
    shown += is_control(byte) ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return fmt::format("'{}{}'", clean_utf8(shown), cut ? "..." : "");
}

std::string clean_utf8(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text[0]);
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      clean += static_cast<char>(0xc0 | (byte >> 6));
      clean += static_cast<char>(0x80 | (byte & 0x3f));
    } else if (!is_control(byte)) {
      clean += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return clean;
}

Result<double> parse_number(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  if (text.empty()) return fail("expected a number, found the end of the line");
  if (read_number(text.data(), end, value) != end) return fail("expected a number, found " + in_quotes(text));
  if (!(std::fabs(value) <= kLargestNumber)) {
    return fail(fmt::format("expected a number up to {:g}, found {}", kLargestNumber, in_quotes(text)));
  }
  return value;
}

}  // namespace loom
