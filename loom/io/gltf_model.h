// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/math.h>
#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::io {

/// A model as one glTF binary, with everything it needs inside.
struct PackedModel {
  std::string glb;
  std::vector<std::string> warnings;  ///< what could not be brought along, in full sentences
};

/// Reads the model at `path` with its meshes, skins, materials and textures: .glb, .gltf, .vrm as they are, with
/// buffers and textures beside the file taken in; .fbx and .dae through Assimp, whose worker makes glTF of them. What
/// the file holds that is not known here (extensions, VRM's among them) stays as it is. A texture that is missing or
/// leads out of the file's folder is told of, taken off the materials that show it, and the rest is read. Weights that
/// do not sum to one are made to. Fails as `read_motion` does.
Result<PackedModel> read_model(const std::string& path);

/// The same from memory; what lies beside it is looked for in `folder`, and nowhere where that is empty.
Result<PackedModel> pack_gltf(std::string_view bytes, const std::string& file, const std::string& folder);

/// What one node does over time. Each list has an entry a frame, a single one for a node that keeps still, or none for
/// what the node has already.
struct NodeMotion {
  int node = 0;
  std::vector<Quat> rotations;
  std::vector<Vec3> translations;  ///< in the frame of the node's parent, in the units of the file
};

/// An animation of a model.
struct NodeAnimation {
  std::string name;
  double rate = 30;
  std::vector<NodeMotion> nodes;
  std::vector<motion::Label> labels;
};

/// The model with these animations instead of those it had; all else stays byte for byte. A node that keeps still where
/// it stands anyway gets no keys. Fails on a node that there is not, a list of another length, and past 4 GiB.
Result<std::string> animate_model(std::string_view glb, std::span<const NodeAnimation> animations);

/// A matrix of three rows and four columns: what a joint does to a vertex.
using Affine = std::array<std::array<float, 4>, 3>;

/// What a vertex is bound to.
struct ModelBind {
  int node = 0;
  Affine inverse{};  ///< from the mesh to the node: its inverse bind matrix, or the identity for what hangs from it
};

/// All surfaces of a model in one, bound to its nodes.
struct ModelMesh {
  std::vector<Vec3> positions;
  std::vector<std::array<std::uint32_t, 4>> binds;  ///< four a vertex, indices into `to`
  std::vector<std::array<float, 4>> weights;        ///< sum to one
  std::vector<std::uint32_t> triangles;
  std::vector<ModelBind> to;
  std::vector<Vec3> colours;  ///< one a triangle: the base colour of its material, linear
  std::vector<std::string> warnings;
};

/// The surfaces of a packed model. Triangles, strips and fans are read, lines and points left out; a mesh that is
/// compressed is left out and told of; weights that do not sum to one are made to. Fails on numbers that are not there.
Result<ModelMesh> read_model_mesh(std::string_view glb);

}  // namespace loom::io
