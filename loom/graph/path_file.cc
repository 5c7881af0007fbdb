// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <loom/base/file.h>
#include <loom/base/number.h>
#include <loom/graph/path_file.h>

namespace loom::graph {
namespace {

constexpr std::uint64_t kMaxBytes = 64 << 20;
constexpr std::size_t kNoColumn = ~std::size_t{0};

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\"");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\"") - begin + 1);
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = line.find_first_of(",;", begin);
    cells.push_back(trim(line.substr(begin, comma - begin)));
    if (comma == std::string_view::npos) return cells;
    begin = comma + 1;
  }
}

std::optional<float> to_float(std::string_view text) {
  const std::optional<double> value = to_number(text);
  if (!value || std::abs(*value) > kLargestNumber) return std::nullopt;
  return static_cast<float>(*value);
}

struct Columns {
  std::size_t x = 0, z = 1, label = 2;
};

/// The columns a header names; nothing when the line is no header.
std::optional<Columns> read_header(const std::vector<std::string_view>& cells) {
  Columns columns{kNoColumn, kNoColumn, kNoColumn};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] == "x") columns.x = i;
    if (cells[i] == "z") columns.z = i;
    if (cells[i] == "label") columns.label = i;
  }
  if (columns.x == kNoColumn || columns.z == kNoColumn) return std::nullopt;
  return columns;
}

}  // namespace

Result<FloorPath> parse_path(std::string_view text, const std::string& file) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  FloorPath path;
  Columns columns;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::vector<std::string_view> cells = split(line);
    if (path.points.empty()) {
      if (const auto header = read_header(cells)) {
        columns = *header;
        continue;
      }
    }
    const auto number_in = [&](std::size_t column) {
      return column < cells.size() ? to_float(cells[column]) : std::nullopt;
    };
    const auto x = number_in(columns.x), z = number_in(columns.z);
    if (!x || !z) return fail(fmt::format("expected two numbers x,z in metres, found '{}'", line), file, number);
    path.points.push_back({*x, 0, *z});
    path.labels.emplace_back(columns.label < cells.size() ? cells[columns.label] : std::string_view{});
  }
  if (std::all_of(path.labels.begin(), path.labels.end(), [](const std::string& l) { return l.empty(); })) {
    path.labels.clear();
  }
  if (path.points.size() < 2) {
    return fail_as(ErrorKind::kBadInput,
                   fmt::format("a path needs at least two points, and this one has {}", path.points.size()), file);
  }
  return path;
}

Result<FloorPath> read_path_file(const std::string& path) {
  const auto bytes = load_file(path, kMaxBytes);
  if (!bytes) return fail_from(bytes);
  return parse_path(bytes->text(), path);
}

}  // namespace loom::graph
