// SPDX-License-Identifier: MIT
// The reader of world files: one statement a line.
#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>

#include <loom/base/file.h>
#include <loom/base/math.h>
#include <loom/base/text.h>
#include <loom/world/detail/faults.h>
#include <loom/world/world.h>

namespace loom::world {
namespace {

constexpr std::size_t kMostWorldBytes = std::size_t{64} << 20;
constexpr std::size_t kMostGrounds = 10'000, kMostSpots = 10'000, kMostWaypoints = 10'000;
constexpr double kRadians = 3.14159265358979323846 / 180;

/// A word, a name in quotes, or one of the signs ':' and ','.
struct Token {
  std::string text;
  bool word = false;
};
using Tokens = std::vector<Token>;

Result<Tokens> split(std::string_view line) {
  Tokens tokens;
  for (std::size_t at = 0; at < line.size() && line[at] != '#';) {
    const char c = line[at];
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
    } else if (c == ':' || c == ',') {
      tokens.push_back({std::string(1, c), false});
      ++at;
    } else if (c == '"') {
      const std::size_t close = line.find('"', at + 1);
      if (close == std::string_view::npos) return fail("a name in quotes does not end on this line");
      if (close == at + 1) return fail("a name in quotes is empty");
      if (line.substr(at, close - at).find('#') != std::string_view::npos) return fail("a name has no '#'");
      tokens.push_back({std::string(line.substr(at + 1, close - at - 1)), true});
      at = close + 1;
    } else {
      const std::size_t end = std::min(line.find_first_of(" \t\r:,\"#", at), line.size());
      tokens.push_back({std::string(line.substr(at, end - at)), true});
      at = end;
    }
  }
  return tokens;
}

/// Walks through the words of a statement.
class Words {
 public:
  explicit Words(const Tokens& tokens) : tokens_(tokens) {}

  [[nodiscard]] bool done() const { return at_ >= tokens_.size(); }
  [[nodiscard]] std::string here() const { return done() ? "the end of the line" : in_quotes(tokens_[at_].text); }
  bool take(std::string_view text) {
    if (done() || tokens_[at_].text != text) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] bool at_number() const { return !done() && tokens_[at_].word && parse_number(tokens_[at_].text); }
  Result<double> number(const char* what) {
    if (done() || !tokens_[at_].word) return fail(fmt::format("expected {}, found {}", what, here()));
    const auto value = parse_number(tokens_[at_].text);
    if (!value) return fail(fmt::format("expected {}: {}", what, value.error().message));
    if (!(std::abs(*value) <= kMostMetres)) return fail(fmt::format("{} is more than a world is large", here()));
    ++at_;
    return *value;
  }
  Result<std::string> name(const char* what) {
    if (done() || !tokens_[at_].word) return fail(fmt::format("expected {}, found {}", what, here()));
    return tokens_[at_++].text;
  }

 private:
  const Tokens& tokens_;
  std::size_t at_ = 0;
};

class Reader {
 public:
  Reader(std::string file, const MeshReader& meshes) : file_(std::move(file)), meshes_(meshes) {}

  Result<World> read(std::string_view text) {
    if (text.size() > kMostWorldBytes) return fail_as(ErrorKind::kBadInput, "a world file this large is none", file_);
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      const auto tokens = split(text.substr(0, end));
      if (!tokens) return fail(tokens.error().message, file_, line_);
      if (!tokens->empty()) {
        if (auto done = statement(*tokens); !done)
          return fail_because(done.error().or_kind(ErrorKind::kBadInput), done.error().message, file_, line_);
      }
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (world_.ground.empty())
      return fail("the world has no ground to stand on; expected: ground X Z X Z", file_,
                  std::max<std::size_t>(line_, 1));
    return std::move(world_);
  }

 private:
  Result<void> statement(const Tokens& tokens) {
    Words words(tokens);
    Result<void> done;
    if (words.take("world")) {
      done = read_name(words);
    } else if (words.take("ground")) {
      done = read_ground(words);
    } else if (words.take("box")) {
      done = read_obstacle(words, Shape::kBox, false);
    } else if (words.take("cylinder")) {
      done = read_obstacle(words, Shape::kCylinder, false);
    } else if (words.take("polygon")) {
      done = read_obstacle(words, Shape::kPolygon, false);
    } else if (words.take("gap")) {
      done = read_obstacle(words, Shape::kPolygon, true);
    } else if (words.take("mesh")) {
      done = read_obstacle(words, Shape::kMesh, false);
    } else if (words.take("path")) {
      done = read_path(words);
    } else if (words.take("start")) {
      done = read_spot(words, world_.starts);
    } else if (words.take("goal")) {
      done = read_spot(words, world_.goals);
    } else {
      return fail(fmt::format(
          "expected world, ground, box, cylinder, polygon, gap, mesh, path, start or goal, found {}", words.here()));
    }
    if (done && !words.done()) return fail(fmt::format("expected the end of the line, found {}", words.here()));
    return done;
  }

  Result<void> read_name(Words& words) {
    auto name = words.name("the name of the world");
    if (!name) return fail_from(name);
    if (!world_.name.empty()) return fail("the world has a name already");
    world_.name = std::move(*name);
    return {};
  }

  Result<void> read_ground(Words& words) {
    double v[4];
    for (double& value : v) {
      const auto read = words.number("ground X Z X Z");
      if (!read) return fail_from(read);
      value = *read;
    }
    if (v[0] == v[2] || v[1] == v[3]) return fail("a ground has some length and some width");
    if (world_.ground.size() == kMostGrounds) return fail(fmt::format("more than {} grounds", kMostGrounds));
    world_.ground.push_back(
        {{std::min(v[0], v[2]), std::min(v[1], v[3])}, {std::max(v[0], v[2]), std::max(v[1], v[3])}});
    return {};
  }

  /// One `word NUMBER...` part of an obstacle; says whether there was one.
  Result<bool> read_part(Words& words, Obstacle& o) {
    const auto numbers = [&](const char* what, std::initializer_list<double*> into) -> Result<bool> {
      for (double* value : into) {
        const auto read = words.number(what);
        if (!read) return fail_from(read);
        *value = *read;
      }
      return true;
    };
    const bool mesh = o.shape == Shape::kMesh, outline = o.shape == Shape::kPolygon;
    if (!outline && words.take("at")) return numbers("at X Z", {&o.at.x, &o.at.z});
    if (o.shape == Shape::kBox && words.take("size")) return numbers("size WIDTH DEPTH", {&o.width, &o.depth});
    if (o.shape == Shape::kCylinder && words.take("radius")) return numbers("radius R", {&o.radius});
    if (!mesh && words.take("from")) return numbers("from Y", {&o.bottom});
    if (!mesh && words.take("to")) return numbers("to Y", {&o.top});
    if (mesh && words.take("scale")) return numbers("scale S", {&o.scale});
    if (mesh && words.take("raise")) return numbers("raise Y", {&o.raise});
    if ((mesh || o.shape == Shape::kBox) && words.take("turn")) {
      auto read = numbers("turn ANGLE", {&o.at.heading});
      o.at.heading *= kRadians;
      return read;
    }
    if (words.take("asks")) {
      for (const Ask ask : {Ask::kNothing, Ask::kDuck, Ask::kStepOver, Ask::kJump}) {
        if (words.take(ask_name(ask))) {
          o.ask = ask;
          return true;
        }
      }
      return fail(fmt::format("expected duck, step or jump after asks, found {}", words.here()));
    }
    return false;
  }

  Result<void> read_outline(Words& words, std::vector<Point>& outline) {
    if (!words.take(":")) return fail(fmt::format("expected ':' and the corners, found {}", words.here()));
    do {
      const auto x = words.number("X Z of a corner");
      if (!x) return fail_from(x);
      const auto z = words.number("X Z of a corner");
      if (!z) return fail_from(z);
      outline.push_back({*x, *z});
    } while (words.take(","));
    return {};
  }

  Result<void> read_obstacle(Words& words, Shape shape, bool gap) {
    Obstacle o;
    o.shape = shape;
    auto name = words.name("a name");
    if (!name) return fail_from(name);
    o.name = std::move(*name);
    if (shape == Shape::kMesh) {
      auto file = words.name("the file of the mesh");
      if (!file) return fail_from(file);
      o.mesh_file = std::move(*file);
    }
    if (gap) {
      o.bottom = -1;
      o.top = kGapHeight;
      o.ask = Ask::kJump;
    } else {
      while (true) {
        const auto part = read_part(words, o);
        if (!part) return fail_from(part);
        if (!*part) break;
      }
    }
    if (shape == Shape::kPolygon) {
      if (auto done = read_outline(words, o.outline); !done) return done;
    }
    if (const std::string fault = obstacle_fault(o); !fault.empty()) return fail(fault);
    if (world_.obstacles.size() == kMostObstacles) return fail(fmt::format("more than {} obstacles", kMostObstacles));
    if (!names_.emplace(o.name, world_.obstacles.size()).second)
      return fail(fmt::format("an obstacle called {} is there already", in_quotes(o.name)));
    if (shape == Shape::kMesh) {
      if (!meshes_) return fail("this world cannot read meshes");
      auto mesh = meshes_(o.mesh_file);
      if (!mesh) return fail(fmt::format("cannot read the mesh: {}", mesh.error().to_string()));
      give_mesh(o, std::move(*mesh));
    }
    world_.obstacles.push_back(std::move(o));
    return {};
  }

  Result<void> read_path(Words& words) {
    const auto name = words.name("the name of an obstacle");
    if (!name) return fail_from(name);
    const auto found = names_.find(*name);
    if (found == names_.end()) return fail(fmt::format("no obstacle above is called {}", in_quotes(*name)));
    Obstacle& o = world_.obstacles[found->second];
    if (o.moves()) return fail(fmt::format("{} has a path already", in_quotes(*name)));
    o.loops = words.take("loop");
    if (!words.take(":")) return fail(fmt::format("expected ':' and SECONDS X Z, found {}", words.here()));
    do {
      Waypoint w;
      for (double* value : {&w.seconds, &w.at.x, &w.at.z}) {
        const auto read = words.number("SECONDS X Z");
        if (!read) return fail_from(read);
        *value = *read;
      }
      if (words.at_number()) w.at.heading = *words.number("an angle") * kRadians;
      if (o.path.size() == kMostWaypoints) return fail(fmt::format("more than {} moments in a path", kMostWaypoints));
      o.path.push_back(w);
    } while (words.take(","));
    if (const std::string fault = obstacle_fault(o); !fault.empty()) return fail(fault);
    return {};
  }

  Result<void> read_spot(Words& words, std::vector<Spot>& spots) {
    Spot spot;
    const auto x = words.number("X Z");
    if (!x) return fail_from(x);
    const auto z = words.number("X Z");
    if (!z) return fail_from(z);
    spot.at = {*x, *z};
    if (words.at_number()) spot.heading = *words.number("an angle") * kRadians;
    if (words.take("called")) {
      auto name = words.name("a name");
      if (!name) return fail_from(name);
      spot.name = std::move(*name);
    }
    if (spots.size() == kMostSpots) return fail(fmt::format("more than {} of these", kMostSpots));
    spots.push_back(std::move(spot));
    return {};
  }

  std::string file_;
  const MeshReader& meshes_;
  World world_;
  std::unordered_map<std::string, std::size_t> names_;
  std::size_t line_ = 0;
};

}  // namespace

Result<World> parse_world(std::string_view text, const std::string& file, const MeshReader& meshes) {
  return Reader(file, meshes).read(text);
}

Result<World> load_world(const std::string& path) {
  const auto bytes = load_file(path, kMostWorldBytes);
  if (!bytes) return fail_from(bytes);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const MeshReader beside = [&](const std::string& file) -> Result<io::TriangleMesh> {
    const std::filesystem::path relative = std::filesystem::path(file).lexically_normal();
    if (relative.empty() || relative.is_absolute() || *relative.begin() == "..")
      return fail_as(ErrorKind::kBadInput, "it does not lie beside the world's file", file);
    return io::load_mesh((folder / relative).string());
  };
  return parse_world(bytes->text(), path, beside);
}

}  // namespace loom::world
