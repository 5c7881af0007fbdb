// SPDX-License-Identifier: MIT
// Any bytes as a BVH character and as a map of one: refused, or joints told apart, and a map that comes back as it was
// written.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <loom/character/map_file.h>
#include <loom/character/map_joints.h>
#include <loom/io/bvh.h>
#include <loom/io/read_rig.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto by_hand = character::read_map(text, "fuzz.map");
  const auto motion = io::read_bvh(text, "fuzz.bvh");
  if (!motion) return 0;
  const motion::Rig rig = io::rig_of(*motion);
  const auto map = character::map_joints(rig);
  if (!map) return 0;
  if (by_hand) (void)character::put_right(*map, rig, *by_hand);
  const auto read = character::read_map(character::map_text(*map, rig), "again.map");
  if (!read) std::abort();
  const auto again = character::put_right(*map, rig, *read);
  if (!again) std::abort();
  for (std::size_t r = 0; r < character::kRoles; ++r) {
    if (again->joints[r].joint != map->joints[r].joint) std::abort();
  }
  return 0;
}
