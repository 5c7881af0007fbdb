// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/io/triangle_mesh.h>

namespace loom::world {

/// A place on the floor, metres. As in motion::GroundFrame, heading 0 faces +Z and positive headings turn towards +X.
struct Point {
  double x = 0, z = 0;

  friend bool operator==(const Point&, const Point&) = default;
};

/// A place with a heading: carries what is drawn around the origin to where it stands.
struct Placement {
  double x = 0, z = 0;
  double heading = 0;  ///< radians

  [[nodiscard]] Point operator()(Point own) const;
  /// Undoes the above.
  [[nodiscard]] Point own(Point world) const;
};

/// What somebody has to do to get past an obstacle other than going round it.
enum class Ask : std::uint8_t {
  kNothing,   ///< it cannot be passed: the floor under it is closed
  kDuck,      ///< a bar to go under
  kStepOver,  ///< something low
  kJump,      ///< a gap, or something to jump over
};
/// "nothing", "duck", "step", "jump": as the file of worlds has it.
std::string_view ask_name(Ask ask);

enum class Shape : std::uint8_t { kBox, kCylinder, kPolygon, kMesh };

/// Where a moving obstacle is at some moment.
struct Waypoint {
  double seconds = 0;
  Placement at;
};

/// Something in the way. Upright: its outline on the floor, from `bottom` to `top`. A mesh is anything.
struct Obstacle {
  std::string name;
  Shape shape = Shape::kBox;
  Placement at;                  ///< of a box or cylinder the middle; of a polygon or a mesh where its own origin goes
  double bottom = 0, top = 2.5;  ///< metres above the floor; of a mesh found from it
  double width = 1, depth = 1;   ///< of a box: along its own x and z
  double radius = 0.5;           ///< of a cylinder
  std::vector<Point> outline;    ///< of a polygon, in its own coordinates; simple, either way round, convex or not
  std::string mesh_file;         ///< of a mesh, as the world's file has it
  double scale = 1, raise = 0;   ///< of a mesh: its own metres times `scale`, then lifted by `raise`
  std::shared_ptr<const io::TriangleMesh> mesh;  ///< scaled and raised already, in its own coordinates on the floor
  Ask ask = Ask::kNothing;
  /// Where it is when; empty: it stands. Before the first moment it is at the first place, after the last it stays, or
  /// begins again where `loops`. Takes the place of `at`.
  std::vector<Waypoint> path;
  bool loops = false;

  [[nodiscard]] bool moves() const { return !path.empty(); }
  /// Where it is at a moment, between waypoints on the straight line, turning the shorter way.
  [[nodiscard]] Placement place(double seconds) const;
};

/// A start or a goal.
struct Spot {
  std::string name;  ///< may be empty
  Point at;
  std::optional<double> heading;  ///< radians; none: any
};

/// A piece of floor: a rectangle along the axes.
struct Ground {
  Point low, high;

  [[nodiscard]] bool holds(Point p) const { return p.x >= low.x && p.x <= high.x && p.z >= low.z && p.z <= high.z; }
};

/// A world to move in: a flat floor at y = 0 and what stands on it.
///
/// The text format, one statement a line, '#' starts a comment, lengths in metres, angles in degrees:
///
///     world NAME
///     ground X Z X Z                                       two corners; the floor is all such rectangles together
///     box NAME at X Z size WIDTH DEPTH [turn ANGLE] [from Y] to Y [asks duck | step | jump]
///     cylinder NAME at X Z radius R [from Y] to Y [asks …]
///     polygon NAME [from Y] to Y [asks …]: X Z, X Z, X Z, ...
///     gap NAME: X Z, X Z, X Z, ...                         no floor there: asks for a jump
///     mesh NAME "FILE" [at X Z] [turn ANGLE] [scale S] [raise Y] [asks …]    .obj or .glb, beside the world
///     path NAME [loop]: SECONDS X Z [ANGLE], ...           moves the obstacle of that name, written above
///     start X Z [ANGLE] [called NAME]
///     goal X Z [ANGLE] [called NAME]
///
/// Names with blanks are written in quotes.
struct World {
  std::string name;
  std::vector<Ground> ground;
  std::vector<Obstacle> obstacles;
  std::vector<Spot> starts, goals;

  [[nodiscard]] bool has_floor(Point p) const;
};

/// How high a gap stands above the floor, metres: a foot that is lower than this is in it.
inline constexpr double kGapHeight = 0.03;

inline constexpr std::size_t kMostObstacles = 200'000;
inline constexpr double kMostMetres = 100'000;  ///< from the origin, for anything

/// Gives a mesh that a world names, or says why not.
using MeshReader = std::function<Result<io::TriangleMesh>(const std::string& file)>;

/// Reads a world from text. Every error has file and line: unknown words, numbers that are none, names that come twice,
/// outlines that cross themselves, tops below bottoms, paths against time; and no ground at all.
Result<World> parse_world(std::string_view text, const std::string& file, const MeshReader& meshes = {});

/// The same from a file. Meshes lie beside it or below; nothing else is read.
Result<World> load_world(const std::string& path);

/// The world as text that `parse_world` reads back the same.
std::string format_world(const World& world);

/// Says what is wrong with a world made by a program: the same things, without lines.
Result<void> check_world(const World& world);

/// The mesh of an obstacle, from the mesh of its file: scaled and raised; `bottom` and `top` are set.
void give_mesh(Obstacle& obstacle, io::TriangleMesh mesh);

}  // namespace loom::world
