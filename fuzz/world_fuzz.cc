// SPDX-License-Identifier: MIT
// Any bytes as a world, a map, scenarios or a mesh: refused with a line, or a world whose text reads back the same and
// can be asked for distances.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <loom/io/triangle_mesh.h>
#include <loom/world/floor_obstacles.h>
#include <loom/world/grid_map.h>
#include <loom/world/world.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::world;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const MeshReader meshes = [&](const std::string&) {
    return loom::io::read_obj("v 0 0 0\nv 1 1 0\nv 0 1 1\nf 1 2 3", "m");
  };
  if (const auto world = parse_world(text, "fuzz", meshes)) {
    const std::string once = format_world(*world);
    const auto again = parse_world(once, "again", meshes);
    if (!again || format_world(*again) != once) std::abort();
    const auto floor = FloorObstacles::create(*world, {.asking = true});
    if (!floor || std::isnan(floor->nearest({1, 2}, 3).distance)) std::abort();
  } else if (world.error().line == 0 && world.error().file.empty()) {
    std::abort();
  }
  if (const auto map = read_map(text, "fuzz", 0.5); map && map->blocked.size() < 100000) {
    if (!FloorObstacles::create(world_of(*map, "fuzz"))) std::abort();
  }
  (void)read_scenarios(text, "fuzz");
  if (const auto mesh = loom::io::read_obj(text, "fuzz")) {
    for (const std::uint32_t corner : mesh->triangles)
      if (corner >= mesh->positions.size()) std::abort();
  }
  return 0;
}
