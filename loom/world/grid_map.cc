// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include <loom/base/file.h>
#include <loom/base/text.h>
#include <loom/world/grid_map.h>

namespace loom::world {
namespace {

constexpr std::uint32_t kMostCells = 8192;  ///< along a side
constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;

std::string_view next_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view next_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

bool read_whole(std::string_view word, std::uint32_t& value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size();
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  const std::size_t end = text.find_last_not_of(" \t\r");
  return end == std::string_view::npos ? std::string_view{} : text.substr(begin, end + 1 - begin);
}

/// The words of a pgm's head: separated by blanks and line ends, '#' begins a comment.
std::string_view pgm_word(std::string_view& bytes) {
  while (!bytes.empty()) {
    if (bytes.front() == '#') {
      bytes.remove_prefix(std::min(bytes.find('\n'), bytes.size()));
    } else if (std::string_view(" \t\r\n").find(bytes.front()) != std::string_view::npos) {
      bytes.remove_prefix(1);
    } else {
      break;
    }
  }
  const std::size_t end = std::min(bytes.find_first_of(" \t\r\n#"), bytes.size());
  const std::string_view word = bytes.substr(0, end);
  bytes.remove_prefix(end);
  return word;
}

struct Plan {
  std::string image;
  double resolution = 0, x = 0, z = 0, turn = 0, occupied = 0.65, free = 0.196;
  bool negate = false;
};

Result<Plan> read_plan(std::string_view text, const std::string& file) {
  Plan plan;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    ++number;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view key = trimmed(line.substr(0, colon));
    std::string_view value = trimmed(line.substr(colon + 1));
    const auto read = [&](double& into, std::string_view word) -> Result<void> {
      const auto parsed = parse_number(trimmed(word));
      if (!parsed) return fail(parsed.error().message, file, number);
      into = *parsed;
      return {};
    };
    Result<void> done;
    if (key == "image") {
      if (value.size() > 1 && (value.front() == '"' || value.front() == '\''))
        value = value.substr(1, value.size() - 2);
      plan.image = std::string(value);
    } else if (key == "resolution") {
      done = read(plan.resolution, value);
    } else if (key == "occupied_thresh") {
      done = read(plan.occupied, value);
    } else if (key == "free_thresh") {
      done = read(plan.free, value);
    } else if (key == "negate") {
      plan.negate = value != "0";
    } else if (key == "origin") {
      const std::size_t one = value.find(','), two = one == std::string_view::npos ? one : value.find(',', one + 1);
      if (!value.starts_with('[') || !value.ends_with(']') || two == std::string_view::npos)
        return fail("expected: origin: [X, Y, TURN]", file, number);
      done = read(plan.x, value.substr(1, one - 1));
      if (done) done = read(plan.z, value.substr(one + 1, two - one - 1));
      if (done) done = read(plan.turn, value.substr(two + 1, value.size() - two - 2));
    }
    if (!done) return fail_from(done);
  }
  if (plan.image.empty()) return fail_as(ErrorKind::kBadInput, "the floor plan names no image", file);
  if (!(plan.resolution > 1e-4 && plan.resolution < 1e3))
    return fail_as(ErrorKind::kBadInput, "the floor plan has no resolution in metres", file);
  if (plan.turn != 0) return fail_as(ErrorKind::kBadInput, "a floor plan whose origin is turned is not read", file);
  return plan;
}

}  // namespace

Result<GridMap> read_map(std::string_view text, const std::string& file, double cell) {
  if (!(cell > 0.001 && cell < 1000))
    return fail_setting({"cell"}, "a cell is between a millimetre and a kilometre wide");
  GridMap map;
  map.cell = cell;
  std::size_t number = 0;
  for (bool head = true; head;) {
    if (text.empty()) return fail("expected: type, height, width, map", file, number + 1);
    std::string_view line = next_line(text);
    ++number;
    const std::string_view word = next_word(line);
    if (word == "height" || word == "width") {
      std::uint32_t& size = word == "height" ? map.rows : map.columns;
      if (!read_whole(next_word(line), size) || size == 0 || size > kMostCells)
        return fail(fmt::format("expected a {} from 1 to {}", word, kMostCells), file, number);
    } else if (word == "map") {
      head = false;
    } else if (word != "type") {
      return fail(fmt::format("expected type, height, width or map, found {}", in_quotes(word)), file, number);
    }
  }
  if (map.rows == 0 || map.columns == 0) return fail("the map has no height or no width", file, number);
  for (std::uint32_t row = 0; row < map.rows; ++row) {
    ++number;
    if (text.empty()) return fail(fmt::format("the map ends after {} of {} rows", row, map.rows), file, number);
    const std::string_view line = next_line(text);
    if (line.size() != map.columns)
      return fail(fmt::format("expected {} cells, found {}", map.columns, line.size()), file, number);
    for (const char c : line) {
      const bool open = c == '.' || c == 'G' || c == 'S', closed = c == '@' || c == 'O' || c == 'T' || c == 'W';
      if (!open && !closed) return fail(fmt::format("expected a cell, found {}", in_quotes({&c, 1})), file, number);
      map.blocked.push_back(closed);
    }
  }
  return map;
}

Result<std::vector<Scenario>> read_scenarios(std::string_view text, const std::string& file) {
  std::vector<Scenario> scenarios;
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = next_line(text);
    if (trimmed(line).empty()) continue;
    if (number == 1 && line.starts_with("version")) continue;
    const auto fields = [&] {
      std::vector<std::string_view> words;
      for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) words.push_back(word);
      return words;
    }();
    Scenario s;
    const bool shaped = fields.size() >= 9 && read_whole(fields[fields.size() - 5], s.start_column) &&
                        read_whole(fields[fields.size() - 4], s.start_row) &&
                        read_whole(fields[fields.size() - 3], s.goal_column) &&
                        read_whole(fields[fields.size() - 2], s.goal_row);
    const auto length = shaped ? parse_number(fields.back()) : Result<double>(0.0);
    if (!shaped || !length)
      return fail("expected: bucket, map, width, height, start x and y, goal x and y, length", file, number);
    s.length = *length;
    scenarios.push_back(s);
  }
  return scenarios;
}

Result<GridMap> load_floor_plan(const std::string& yaml_path) {
  const auto yaml = load_file(yaml_path, 1 << 20);
  if (!yaml) return fail_from(yaml);
  const auto plan = read_plan(yaml->text(), yaml_path);
  if (!plan) return fail_from(plan);
  const std::filesystem::path image(plan->image);
  if (image.has_parent_path())
    return fail_as(ErrorKind::kBadInput, "the image of a floor plan lies beside it", yaml_path);
  const std::string path = (std::filesystem::path(yaml_path).parent_path() / image).string();
  const auto bytes = load_file(path, kMostBytes);
  if (!bytes) return fail_from(bytes);
  std::string_view rest = bytes->text();
  GridMap map;
  std::uint32_t most = 0;
  const bool shaped = pgm_word(rest) == "P5" && read_whole(pgm_word(rest), map.columns) &&
                      read_whole(pgm_word(rest), map.rows) && read_whole(pgm_word(rest), most) && map.columns > 0 &&
                      map.rows > 0 && map.columns <= kMostCells && map.rows <= kMostCells && most > 0 && most < 256;
  if (!shaped) return fail_as(ErrorKind::kBadInput, "expected a P5 pgm of one byte a pixel", path);
  const std::size_t pixels = std::size_t{map.columns} * map.rows;
  if (rest.size() < pixels + 1) return fail_as(ErrorKind::kBadInput, "the picture ends too soon", path);
  rest.remove_prefix(1);
  map.cell = plan->resolution;
  map.origin = {plan->x, plan->z};
  map.blocked.resize(pixels);
  for (std::uint32_t row = 0; row < map.rows; ++row) {
    for (std::uint32_t column = 0; column < map.columns; ++column) {
      const auto pixel = static_cast<unsigned char>(rest[std::size_t{map.rows - 1 - row} * map.columns + column]);
      const double value = pixel / static_cast<double>(most), dark = plan->negate ? value : 1 - value;
      map.blocked[std::size_t{row} * map.columns + column] = dark >= plan->free;
    }
  }
  return map;
}

World world_of(const GridMap& map, const std::string& name, double height) {
  World world;
  world.name = name;
  world.ground.push_back({map.origin, {map.origin.x + map.columns * map.cell, map.origin.z + map.rows * map.cell}});
  std::vector<bool> taken(map.blocked.size());
  const auto open = [&](std::uint32_t c, std::uint32_t r) {
    return map.blocked_at(c, r) && !taken[std::size_t{r} * map.columns + c];
  };
  for (std::uint32_t r = 0; r < map.rows; ++r) {
    for (std::uint32_t c = 0; c < map.columns; ++c) {
      if (!open(c, r)) continue;
      std::uint32_t right = c + 1, below = r + 1;
      while (right < map.columns && open(right, r)) ++right;
      const auto whole_row = [&](std::uint32_t row) {
        for (std::uint32_t k = c; k < right; ++k)
          if (!open(k, row)) return false;
        return true;
      };
      while (below < map.rows && whole_row(below)) ++below;
      for (std::uint32_t y = r; y < below; ++y)
        for (std::uint32_t x = c; x < right; ++x) taken[std::size_t{y} * map.columns + x] = true;
      Obstacle box;
      box.name = fmt::format("cells {} {} to {} {}", c, r, right - 1, below - 1);
      box.width = (right - c) * map.cell;
      box.depth = (below - r) * map.cell;
      box.at = {map.origin.x + (c + right) * map.cell / 2, map.origin.z + (r + below) * map.cell / 2, 0};
      box.top = height;
      world.obstacles.push_back(std::move(box));
    }
  }
  return world;
}

Result<World> load_any_world(const std::string& path, double cell) {
  const std::filesystem::path file(path);
  const std::string ending = lower_case(file.extension().string());
  if (ending == ".world") return load_world(path);
  Result<GridMap> map = fail_as(ErrorKind::kBadInput, "a world is a .world, .map or .yaml file", path);
  if (ending == ".map") {
    const auto bytes = load_file(path, kMostBytes);
    if (!bytes) return fail_from(bytes);
    map = read_map(bytes->text(), path, cell);
  } else if (ending == ".yaml" || ending == ".yml") {
    map = load_floor_plan(path);
  }
  if (!map) return fail_from(map);
  World world = world_of(*map, file.stem().string());
  if (auto checked = check_world(world); !checked) return fail(checked.error().message, path);
  return world;
}

}  // namespace loom::world
