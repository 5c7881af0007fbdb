// SPDX-License-Identifier: MIT
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <loom/base/file.h>
#include <loom/base/text.h>
#include <loom/io/detail/gltf_document.h>
#include <loom/io/triangle_mesh.h>

namespace loom::io {
namespace {

using nlohmann::json;

constexpr std::size_t kMostDepth = 64;  ///< of nodes below each other

/// The next word of a line, which is shortened by it.
std::string_view next_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

/// A place and its three axes with their scale: x ↦ origin + axes · x.
struct Affine {
  std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  Vec3 origin;

  [[nodiscard]] Vec3 turn(Vec3 p) const { return axes[0] * p.x + axes[1] * p.y + axes[2] * p.z; }
  [[nodiscard]] Vec3 operator()(Vec3 p) const { return origin + turn(p); }
};

Affine operator*(const Affine& outer, const Affine& inner) {
  return {{outer.turn(inner.axes[0]), outer.turn(inner.axes[1]), outer.turn(inner.axes[2])}, outer(inner.origin)};
}

Affine placement_of(const json& node) {
  std::vector<float> m(16), three(3), four(4);
  if (json_floats(node, "matrix", m)) {
    return {{Vec3{m[0], m[1], m[2]}, Vec3{m[4], m[5], m[6]}, Vec3{m[8], m[9], m[10]}}, {m[12], m[13], m[14]}};
  }
  Affine placed;
  if (json_floats(node, "translation", three)) placed.origin = {three[0], three[1], three[2]};
  Vec3 scale{1, 1, 1};
  if (json_floats(node, "scale", three)) scale = {three[0], three[1], three[2]};
  Quat turn;
  if (json_floats(node, "rotation", four)) turn = normalized(Quat{four[3], four[0], four[1], four[2]});
  placed.axes = {rotate(turn, {scale.x, 0, 0}), rotate(turn, {0, scale.y, 0}), rotate(turn, {0, 0, scale.z})};
  return placed;
}

class GltfMeshReader {
 public:
  GltfMeshReader(GltfDocument& document, std::string file) : document_(document), file_(std::move(file)) {}

  Result<TriangleMesh> read() {
    const json& nodes = json_array(document_.root(), "nodes");
    std::vector<bool> below(nodes.size());
    for (const json& node : nodes) {
      for (const json& child : json_array(node, "children")) {
        if (child.is_number_unsigned() && child.get<std::uint64_t>() < below.size())
          below[child.get<std::size_t>()] = true;
      }
    }
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (below[n]) continue;
      if (auto done = visit(n, {}, 0); !done) return fail_from(done);
    }
    return std::move(mesh_);
  }

 private:
  Result<void> visit(std::size_t n, const Affine& above, std::size_t depth) {
    const json& nodes = json_array(document_.root(), "nodes");
    if (depth > kMostDepth || ++visits_ > nodes.size())
      return fail_as(ErrorKind::kBadInput, "the nodes of the scene do not make a tree", file_);
    const Affine here = above * placement_of(nodes[n]);
    const std::int64_t mesh = json_index(nodes[n], "mesh");
    const json& meshes = json_array(document_.root(), "meshes");
    if (mesh >= 0 && static_cast<std::size_t>(mesh) < meshes.size()) {
      for (const json& part : json_array(meshes[static_cast<std::size_t>(mesh)], "primitives")) {
        if (auto done = add(part, here); !done) return done;
      }
    }
    for (const json& child : json_array(nodes[n], "children")) {
      if (!child.is_number_unsigned() || child.get<std::uint64_t>() >= nodes.size()) continue;
      if (auto done = visit(child.get<std::size_t>(), here, depth + 1); !done) return done;
    }
    return {};
  }

  Result<void> add(const json& part, const Affine& placed) {
    const std::int64_t mode = part.is_object() && part.contains("mode") ? json_index(part, "mode") : 4;
    if (mode != 4 || !part.is_object() || !part.contains("attributes")) return {};  // points and lines are no surface
    const auto corners = document_.numbers(json_index(part["attributes"], "POSITION"), 3);
    if (!corners) return fail(corners.error().message, file_);
    const std::size_t first = mesh_.positions.size(), count = corners->size() / 3;
    std::vector<float> indices;
    if (part.contains("indices")) {
      auto read = document_.numbers(json_index(part, "indices"), 1);
      if (!read) return fail(read.error().message, file_);
      indices = std::move(*read);
    } else {
      for (std::size_t i = 0; i < count; ++i) indices.push_back(static_cast<float>(i));
    }
    if (mesh_.size() + indices.size() / 3 > kMostTriangles)
      return fail_as(ErrorKind::kBadInput, fmt::format("more than {} triangles", kMostTriangles), file_);
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 at = placed({(*corners)[3 * i], (*corners)[3 * i + 1], (*corners)[3 * i + 2]});
      if (!is_finite(at)) return fail_as(ErrorKind::kBadInput, "a corner of a mesh is no finite place", file_);
      mesh_.positions.push_back(at);
    }
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
      for (std::size_t k = 0; k < 3; ++k) {
        if (!(indices[i + k] >= 0 && indices[i + k] < static_cast<float>(count)))
          return fail_as(ErrorKind::kBadInput, "a triangle names a corner that there is not", file_);
        mesh_.triangles.push_back(static_cast<std::uint32_t>(first + static_cast<std::size_t>(indices[i + k])));
      }
    }
    return {};
  }

  GltfDocument& document_;
  std::string file_;
  TriangleMesh mesh_;
  std::size_t visits_ = 0;
};

}  // namespace

Result<TriangleMesh> read_obj(std::string_view text, const std::string& file) {
  TriangleMesh mesh;
  std::vector<std::uint32_t> face;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view word = next_word(line);
    if (word == "v") {
      std::array<float, 3> at{};
      for (float& value : at) {
        const auto read = parse_number(next_word(line));
        if (!read) return fail(read.error().message, file, number);
        value = static_cast<float>(*read);
      }
      mesh.positions.push_back({at[0], at[1], at[2]});
    } else if (word == "f") {
      face.clear();
      for (std::string_view corner = next_word(line); !corner.empty(); corner = next_word(line)) {
        corner = corner.substr(0, corner.find('/'));
        long long index = 0;
        const auto [rest, error] = std::from_chars(corner.data(), corner.data() + corner.size(), index);
        const auto there = static_cast<long long>(mesh.positions.size());
        if (index < 0 && index >= -there) index += there + 1;
        if (error != std::errc() || rest != corner.data() + corner.size() || index < 1 || index > there)
          return fail(fmt::format("expected the number of a corner above, found {}", in_quotes(corner)), file, number);
        face.push_back(static_cast<std::uint32_t>(index - 1));
      }
      if (face.size() < 3) return fail("a face has three corners at least", file, number);
      if (mesh.size() + face.size() > kMostTriangles)
        return fail(fmt::format("more than {} triangles", kMostTriangles), file, number);
      for (std::size_t i = 1; i + 1 < face.size(); ++i)
        mesh.triangles.insert(mesh.triangles.end(), {face[0], face[i], face[i + 1]});
    }
  }
  return mesh;
}

Result<TriangleMesh> read_gltf_mesh(std::string_view bytes, const std::string& file) {
  auto document = GltfDocument::parse(bytes, {});
  if (!document) return fail_because(document.error(), document.error().message, file);
  return GltfMeshReader(*document, file).read();
}

Result<TriangleMesh> load_mesh(const std::string& path) {
  const std::string ending = lower_case(std::filesystem::path(path).extension().string());
  if (ending != ".obj" && ending != ".glb" && ending != ".gltf")
    return fail_as(ErrorKind::kBadInput, "a mesh is a .obj, .glb or .gltf file", path);
  auto bytes = load_file(path);
  if (!bytes) return fail_from(bytes);
  auto mesh = ending == ".obj" ? read_obj(bytes->text(), path) : read_gltf_mesh(bytes->text(), path);
  if (mesh && mesh->triangles.empty()) return fail_as(ErrorKind::kBadInput, "the file has no triangle", path);
  return mesh;
}

}  // namespace loom::io
