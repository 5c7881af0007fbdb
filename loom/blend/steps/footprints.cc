// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include <loom/base/csv.h>
#include <loom/base/file.h>
#include <loom/base/number.h>
#include <loom/base/text.h>
#include <loom/blend/steps/footprints.h>

namespace loom::blend {
namespace {

constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

/// Where the columns are; kNoColumn for one that is not there.
struct Columns {
  std::size_t x = kNoColumn, z = kNoColumn, heading = kNoColumn, foot = kNoColumn, count = 0;
};

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

Result<Columns> find_columns(const std::vector<std::string>& header, const std::string& path) {
  Columns columns;
  columns.count = header.size();
  for (std::size_t c = 0; c < header.size(); ++c) {
    const std::string name = lowered(header[c]);
    if (name == "x") columns.x = c;
    if (name == "z") columns.z = c;
    if (name == "heading") columns.heading = c;
    if (name == "foot") columns.foot = c;
  }
  if (columns.x == kNoColumn || columns.z == kNoColumn) {
    return fail("the first line must name the columns x and z (and heading and foot, where known)", path, 1);
  }
  return columns;
}

Result<float> number_in(const std::vector<std::string>& fields, std::size_t column, const char* name,
                        const std::string& path, std::size_t line) {
  const auto number = parse_number(fields[column]);
  if (number) return static_cast<float>(*number);
  return fail(fmt::format("expected a number for '{}', found {}", name, in_quotes(fields[column])), path, line);
}

Result<Footprint> read_line(const std::vector<std::string>& fields, const Columns& columns, const std::string& path,
                            std::size_t line) {
  if (fields.size() != columns.count) {
    return fail(fmt::format("expected {} columns, found {}", columns.count, fields.size()), path, line);
  }
  Footprint print;
  const auto x = number_in(fields, columns.x, "x", path, line), z = number_in(fields, columns.z, "z", path, line);
  if (!x) return fail_from(x);
  if (!z) return fail_from(z);
  print.place = {*x, *z, 0};
  if (columns.heading != kNoColumn) {
    const auto heading = number_in(fields, columns.heading, "heading", path, line);
    if (!heading) return fail_from(heading);
    print.place.heading = wrap_angle(*heading * kDegree);
  }
  if (columns.foot != kNoColumn) {
    const std::string foot = lowered(fields[columns.foot]);
    print.left = foot == "left" || foot == "l";
    if (!print.left && foot != "right" && foot != "r") {
      return fail(fmt::format("expected left or right, found {}", in_quotes(fields[columns.foot])), path, line);
    }
  }
  return print;
}

/// Which way the walk goes at print `k`: from the last footprint to the next.
Vec3 way_at(const std::vector<Footprint>& prints, std::size_t k) {
  const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k + 1, prints.size() - 1);
  return prints[after].place.position() - prints[before].place.position();
}

void fill_headings(std::vector<Footprint>& prints) {
  std::vector<float> headings;
  for (std::size_t k = 0; k < prints.size(); ++k) {
    // The line from one foot to the other leans to its side; two steps together go straight.
    const std::size_t first = k == 0 ? 0 : (k + 1 == prints.size() ? k - 2 : k - 1);
    const Vec3 way = prints[first + 2].place.position() - prints[first].place.position();
    headings.push_back(length(way) > 1e-3f ? std::atan2(way.x, way.z) : (k > 0 ? headings.back() : 0.0f));
  }
  for (std::size_t k = 0; k < prints.size(); ++k) prints[k].place.heading = headings[k];
}

/// Feet alternate; the first is left if that puts more prints on their own side of the way.
void fill_feet(std::vector<Footprint>& prints) {
  float left_first = 0;
  for (std::size_t k = 1; k < prints.size(); ++k) {
    const Vec3 way = way_at(prints, k), from_last = prints[k].place.position() - prints[k - 1].place.position();
    const float to_left = cross(way, from_last).y;
    left_first += k % 2 == 0 ? to_left : -to_left;
  }
  for (std::size_t k = 0; k < prints.size(); ++k) prints[k].left = (k % 2 == 0) == (left_first >= 0);
}

}  // namespace

Result<std::vector<Footprint>> parse_footprints(std::string_view text, const std::string& path) {
  CsvReader reader(text);
  const auto header = reader.next(path);
  if (!header) return fail_from(header);
  const auto columns = find_columns(*header, path);
  if (!columns) return fail_from(columns);
  std::vector<Footprint> prints;
  while (!reader.at_end()) {
    const std::size_t line = reader.line();
    const auto fields = reader.next(path);
    if (!fields) return fail_from(fields);
    if (fields->size() == 1 && fields->front().empty()) continue;
    const auto print = read_line(*fields, *columns, path, line);
    if (!print) return fail_from(print);
    if (columns->foot != kNoColumn && !prints.empty() && prints.back().left == print->left) {
      return fail(fmt::format("the {} foot cannot step twice in a row", print->foot()), path, line);
    }
    prints.push_back(*print);
  }
  if (prints.size() < 3) {
    return fail_as(ErrorKind::kBadInput,
                   fmt::format("a walk needs at least three footprints: two to stand on and one to step on, not {}",
                               prints.size()),
                   path);
  }
  if (columns->heading == kNoColumn) fill_headings(prints);
  if (columns->foot == kNoColumn) fill_feet(prints);
  return prints;
}

Result<std::vector<Footprint>> read_footprints(const std::string& path) {
  const auto file = load_file(path);
  if (!file) return fail_from(file);
  return parse_footprints(file->text(), path);
}

}  // namespace loom::blend
