// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/io/triangle_mesh.h>
#include <loom/motion/clip.h>

namespace loom::io {

/// Somebody in a scene: a body and what it does.
struct GltfCharacter {
  std::string name;  ///< names the mesh and the skin
  std::shared_ptr<const motion::Skeleton> skeleton;
  /// Each becomes an animation; all must be on `skeleton`, or on one equal to it. Clips of the same name on several
  /// characters become one animation, in which these move together. May be empty: a body at rest.
  std::vector<motion::Clip> clips;
  Vec3 colour{0.36f, 0.50f, 0.68f};  ///< of the body: red, green and blue in [0, 1], linear
};

/// Something in a scene that does not move: a wall, a floor.
struct GltfProp {
  std::string name;
  TriangleMesh mesh;  ///< drawn from both sides, flat
  Vec3 colour{0.62f, 0.60f, 0.56f};
};

/// A scene as the bytes of a `.glb` file: glTF 2.0 with everything in one file.
///
/// Every character has its joints as nodes under their names, standing in the rest pose with its lowest point on the
/// floor, end sites as leaf nodes ("LeftToeBase_end"), and a body generated around them (see `build_skin_mesh`), so
/// that any viewer shows a person. Labels and frame rates go into `extras`, where `read_gltf` finds them again.
/// Deterministic. Fails on clips that are not valid or not on their character's skeleton, on no characters, and past
/// the 4 GiB that a .glb can hold.
Result<std::string> format_glb(std::span<const GltfCharacter> characters, std::span<const GltfProp> props = {});

/// The same as the text of a `.gltf` file, with the numbers embedded in base64.
Result<std::string> format_gltf(std::span<const GltfCharacter> characters, std::span<const GltfProp> props = {});

/// Writes a scene to `path`, in the form that its ending says (.glb or .gltf). The file is there whole or not at all.
Result<void> write_gltf(std::span<const GltfCharacter> characters, const std::string& path,
                        std::span<const GltfProp> props = {});

/// Writes clips that share a skeleton as one character called `name`.
Result<void> write_gltf(std::span<const motion::Clip> clips, const std::string& name, const std::string& path);

}  // namespace loom::io
