// SPDX-License-Identifier: MIT
#include <cmath>

#include <loom/world/detail/ears.h>
#include <loom/world/world_mesh.h>

namespace loom::world {
namespace {

Vec3 corner(Point p, double y) { return {static_cast<float>(p.x), static_cast<float>(y), static_cast<float>(p.z)}; }

void add_triangle(io::TriangleMesh& mesh, Vec3 a, Vec3 b, Vec3 c) {
  for (const Vec3 v : {a, b, c}) {
    mesh.triangles.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
    mesh.positions.push_back(v);
  }
}

Vec3 colour_of(Ask ask) {
  switch (ask) {
    case Ask::kNothing:
      return {0.62f, 0.60f, 0.56f};
    case Ask::kDuck:
      return {0.75f, 0.45f, 0.20f};
    case Ask::kStepOver:
      return {0.30f, 0.55f, 0.30f};
    case Ask::kJump:
      return {0.25f, 0.35f, 0.65f};
  }
  return {};
}

io::TriangleMesh mesh_of(const Obstacle& o, double seconds) {
  io::TriangleMesh mesh;
  const Placement at = o.place(seconds);
  if (o.shape == Shape::kMesh) {
    if (!o.mesh) return mesh;
    mesh = *o.mesh;
    for (Vec3& p : mesh.positions) {
      const double y = static_cast<double>(p.y);
      p = corner(at({static_cast<double>(p.x), static_cast<double>(p.z)}), y);
    }
    return mesh;
  }
  const std::vector<Point> outline = outline_of(o, seconds);
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Point a = outline[i], b = outline[(i + 1) % outline.size()];
    add_triangle(mesh, corner(a, o.bottom), corner(b, o.bottom), corner(b, o.top));
    add_triangle(mesh, corner(a, o.bottom), corner(b, o.top), corner(a, o.top));
  }
  for (const auto& t : triangles_of(outline)) {
    for (const double y : {o.bottom, o.top}) add_triangle(mesh, corner(t[0], y), corner(t[1], y), corner(t[2], y));
  }
  return mesh;
}

}  // namespace

std::vector<Point> outline_of(const Obstacle& o, double seconds) {
  std::vector<Point> outline = o.outline;
  if (o.shape == Shape::kBox) {
    const double w = o.width / 2, d = o.depth / 2;
    outline = {{-w, -d}, {w, -d}, {w, d}, {-w, d}};
  } else if (o.shape == Shape::kCylinder) {
    constexpr int kCorners = 32;
    for (int i = 0; i < kCorners; ++i) {
      const double turn = i * 2 * 3.14159265358979323846 / kCorners;
      outline.push_back({o.radius * std::cos(turn), o.radius * std::sin(turn)});
    }
  }
  const Placement at = o.place(seconds);
  for (Point& p : outline) p = at(p);
  return outline;
}

std::vector<io::GltfProp> props_of(const World& world, double seconds) {
  std::vector<io::GltfProp> props;
  io::GltfProp floor{"ground", {}, {0.80f, 0.78f, 0.74f}};
  for (const Ground& g : world.ground) {
    const Vec3 a = corner(g.low, 0), b = corner({g.low.x, g.high.z}, 0), c = corner(g.high, 0),
               d = corner({g.high.x, g.low.z}, 0);
    add_triangle(floor.mesh, a, b, c);
    add_triangle(floor.mesh, a, c, d);
  }
  props.push_back(std::move(floor));
  // What stands still and asks for the same is one: a map of ten thousand cells is no ten thousand meshes.
  for (const Ask ask : {Ask::kNothing, Ask::kDuck, Ask::kStepOver, Ask::kJump}) {
    io::GltfProp together{ask == Ask::kNothing ? "obstacles" : std::string(ask_name(ask)), {}, colour_of(ask)};
    for (const Obstacle& o : world.obstacles) {
      if (o.ask != ask) continue;
      const io::TriangleMesh mesh = mesh_of(o, seconds);
      const auto first = static_cast<std::uint32_t>(together.mesh.positions.size());
      together.mesh.positions.insert(together.mesh.positions.end(), mesh.positions.begin(), mesh.positions.end());
      for (const std::uint32_t i : mesh.triangles) together.mesh.triangles.push_back(first + i);
    }
    if (!together.mesh.triangles.empty()) props.push_back(std::move(together));
  }
  return props;
}

}  // namespace loom::world
