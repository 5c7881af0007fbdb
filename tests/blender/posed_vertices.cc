// SPDX-License-Identifier: MIT
// Writes a character with a motion, and where we think its vertices are, for Blender to be asked (vertices_test.py).
//   posed_vertices MODEL MOTION OUT.glb OUT.txt
// A line of OUT.txt is a frame, then x, y, z of every vertex that is looked at, metres in the axes of glTF.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string>

#include <loom/base/file.h>
#include <loom/character/character_file.h>
#include <loom/io/read.h>

namespace {

constexpr std::size_t kFrames = 5, kVertices = 500;  ///< that are looked at

template <typename T>
T need(loom::Result<T> result) {
  if (result) return std::move(*result);
  std::fprintf(stderr, "%s\n", result.error().to_string().c_str());
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  using namespace loom;
  const character::CharacterFile file = need(character::read_character(argv[1]));
  const motion::Clip clip = need(character::carry(need(io::read_motion(argv[2])).front().clip, file.character.body));
  const std::string glb = need(character::animated_file(file, std::span(&clip, 1)));
  if (!save_file(argv[3], glb)) return 1;
  const io::NodeAnimation animation = character::node_animation(file.character, clip);
  std::ofstream out(argv[4]);
  for (std::size_t k = 0; k < kFrames; ++k) {
    const std::size_t frame = k * (clip.frames() - 1) / (kFrames - 1);
    const std::vector<Vec3> places = character::pose_mesh(file.scene, file.mesh, animation, frame);
    out << static_cast<double>(frame) / clip.rate;
    for (std::size_t v = 0; v < places.size(); v += std::max<std::size_t>(1, places.size() / kVertices)) {
      out << ' ' << places[v].x << ' ' << places[v].y << ' ' << places[v].z;
    }
    out << '\n';
  }
  return out.good() ? 0 : 1;
}
