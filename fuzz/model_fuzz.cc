// SPDX-License-Identifier: MIT
// Models from strangers: packed, looked at, their surface read, and written again with motion.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <loom/character/character_file.h>
#include <loom/io/gltf_model.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto packed = loom::io::pack_gltf(bytes, "fuzz.glb", {});
  if (!packed) return 0;
  (void)loom::io::read_model_mesh(packed->glb);
  const auto file = loom::character::open_character(std::move(*packed));
  if (!file) return 0;
  const auto& skeleton = file->character.body.skeleton;
  const loom::motion::Clip rest{"rest", skeleton, 30, {{}}, std::vector<loom::Quat>(skeleton->size()), {}};
  (void)loom::character::animated_file(*file, std::span(&rest, 1));
  return 0;
}
