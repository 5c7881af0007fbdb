// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include <loom/base/csv.h>
#include <loom/base/file.h>
#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/library/label_table.h>

namespace loom::library {
namespace {

/// Where the columns are; -1 for one that is missing.
struct Columns {
  int file = -1, label = -1, from = -1, to = -1;
};

Result<Columns> find_columns(const std::vector<std::string>& header, const std::string& path) {
  Columns columns;
  for (int i = 0; i < static_cast<int>(header.size()); ++i) {
    const std::string name = lower_case(header[static_cast<std::size_t>(i)]);
    if (name == "file") columns.file = i;
    if (name == "label") columns.label = i;
    if (name == "from") columns.from = i;
    if (name == "to") columns.to = i;
  }
  if (columns.file < 0 || columns.label < 0) {
    return fail("the first line must name the columns file,label,from,to", path, 1);
  }
  return columns;
}

Result<std::optional<std::size_t>> frame_number(const std::string& text, const std::string& path, std::size_t line) {
  if (text.empty()) return std::nullopt;
  std::size_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) {
    return fail(fmt::format("expected a frame number or nothing, found '{}'", text), path, line);
  }
  return value;
}

Result<LabelRow> make_row(const std::vector<std::string>& fields, const Columns& columns, const std::string& path,
                          std::size_t line) {
  const auto field = [&](int column) {
    const auto index = static_cast<std::size_t>(column);
    return column >= 0 && index < fields.size() ? fields[index] : std::string();
  };
  LabelRow row{field(columns.file), field(columns.label), {}, {}, line};
  std::replace(row.file.begin(), row.file.end(), '\\', '/');
  while (row.file.starts_with("./")) row.file.erase(0, 2);
  if (row.file.empty()) return fail("the column 'file' is empty", path, line);
  if (row.label.empty()) return fail("the column 'label' is empty", path, line);
  const auto from = frame_number(field(columns.from), path, line), to = frame_number(field(columns.to), path, line);
  if (!from) return fail_from(from);
  if (!to) return fail_from(to);
  row.from = *from;
  row.to = *to;
  if (row.to && *row.to <= row.from.value_or(0)) {
    return fail(
        fmt::format("the range from {} to {} is empty; 'to' is one past the last frame", row.from.value_or(0), *row.to),
        path, line);
  }
  return row;
}

std::string_view last_part(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// `path` without its ending; a name like "02_01" has none, "take.1" loses ".1", so callers try both ways.
std::string_view without_ending(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  const bool has_ending = dot != std::string_view::npos && (slash == std::string_view::npos || dot > slash + 1);
  return has_ending ? path.substr(0, dot) : path;
}

bool ends_in_path(std::string_view path, std::string_view tail) {
  if (!path.ends_with(tail)) return false;
  return path.size() == tail.size() || path[path.size() - tail.size() - 1] == '/';
}

}  // namespace

Result<LabelTable> parse_label_table(std::string_view text, const std::string& path) {
  CsvReader reader(text);
  const auto header = reader.next(path);
  if (!header) return fail_from(header);
  const auto columns = find_columns(*header, path);
  if (!columns) return fail_from(columns);
  LabelTable table{path, {}};
  while (!reader.at_end()) {
    const std::size_t line = reader.line();
    const auto fields = reader.next(path);
    if (!fields) return fail_from(fields);
    if (fields->size() == 1 && fields->front().empty()) continue;
    auto row = make_row(*fields, *columns, path, line);
    if (!row) return fail_from(row);
    table.rows.push_back(std::move(*row));
  }
  return table;
}

Result<LabelTable> read_label_table(const std::string& path) {
  const auto file = load_file(path);
  if (!file) return fail_from(file);
  return parse_label_table(file->text(), path);
}

LabelMatches match_labels(const LabelTable& table, std::span<const std::string> motions) {
  // By last part, with and without ending, so that a table of thousands of rows does not meet thousands of files.
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const std::string_view name = last_part(motions[i]);
    by_name[name].push_back(i);
    if (without_ending(name) != name) by_name[without_ending(name)].push_back(i);
  }
  LabelMatches matches{std::vector<std::vector<std::size_t>>(motions.size()), {}};
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string_view file = table.rows[r].file;
    const auto found = by_name.find(last_part(file));
    if (found == by_name.end()) {
      matches.unmatched.push_back(r);
      continue;
    }
    bool matched = false;
    for (const std::size_t i : found->second) {
      if (!ends_in_path(motions[i], file) && !ends_in_path(without_ending(motions[i]), file)) continue;
      matches.rows[i].push_back(r);
      matched = true;
    }
    if (matched) continue;
    if (found->second.size() == 1) {
      matches.rows[found->second.front()].push_back(r);
    } else {
      matches.unmatched.push_back(r);
    }
  }
  return matches;
}

std::optional<motion::Label> label_of(const LabelRow& row, std::size_t first_frame, double source_rate,
                                      std::size_t frames, double rate) {
  const double ratio = source_rate > 0 ? rate / source_rate : 1.0;
  const auto moved = [&](std::size_t source_frame) -> std::size_t {
    if (source_frame <= first_frame) return 0;
    const double at = std::round(static_cast<double>(source_frame - first_frame) * ratio);
    return at >= static_cast<double>(frames) ? frames : to_whole<std::size_t>(at);
  };
  const std::size_t begin = row.from ? moved(*row.from) : 0;
  const std::size_t end = row.to ? moved(*row.to) : frames;
  if (begin >= frames || (row.to && *row.to <= first_frame)) return std::nullopt;
  return motion::Label{row.label, begin, std::max(end, begin + 1)};
}

}  // namespace loom::library
