// SPDX-License-Identifier: MIT
#include <loom/base/csv.h>

namespace loom {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

}  // namespace

CsvReader::CsvReader(std::string_view text) : text_(text) {
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  const std::string_view first = text_.substr(0, text_.find_first_of("\r\n"));
  if (first.find(',') == std::string_view::npos) separator_ = first.find(';') != std::string_view::npos ? ';' : '\t';
}

Result<std::vector<std::string>> CsvReader::next(const std::string& path) {
  std::vector<std::string> fields(1);
  const std::size_t started = line_;
  bool quoted = false;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (quoted) {
      if (c == '\n') ++line_;
      if (c != '"') {
        fields.back() += c;
      } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
        fields.back() += '"';
        ++at_;
      } else {
        quoted = false;
      }
    } else if (c == '"' && trimmed(fields.back()).empty()) {
      fields.back().clear();
      quoted = true;
    } else if (c == separator_) {
      fields.emplace_back();
    } else if (c == '\n' || c == '\r') {
      break;
    } else {
      fields.back() += c;
    }
  }
  if (quoted) return fail("a quote is never closed", path, started);
  if (at_ < text_.size()) at_ += text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n' ? 2 : 1;
  ++line_;
  for (std::string& field : fields) field = trimmed(field);
  return fields;
}

}  // namespace loom
