// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <loom/io/bvh_write.h>
#include <loom/io/gltf_write.h>
#include <loom/io/write.h>

namespace loom::io {
namespace {

bool ends_with(std::string_view path, std::string_view ending) {
  if (path.size() < ending.size()) return false;
  const std::string_view tail = path.substr(path.size() - ending.size());
  return std::equal(tail.begin(), tail.end(), ending.begin(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  });
}

}  // namespace

bool is_writable_motion_file(std::string_view path) {
  return ends_with(path, ".bvh") || ends_with(path, ".glb") || ends_with(path, ".gltf");
}

Result<void> write_motion(const std::string& path, std::span<const motion::Clip> clips, const std::string& name) {
  if (clips.empty()) return fail("there is no motion to write", path);
  if (!is_writable_motion_file(path)) return fail("motion is written as .bvh, .glb or .gltf; give one of these", path);
  if (!ends_with(path, ".bvh")) return write_gltf(clips, name, path);
  if (clips.size() > 1) {
    return fail(fmt::format("a BVH file holds one motion, not {}; write a .glb, or one file for each", clips.size()),
                path);
  }
  return write_bvh(clips[0], path);
}

}  // namespace loom::io
