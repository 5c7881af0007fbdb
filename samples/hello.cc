// SPDX-License-Identifier: MIT
// Hello: loads a motion from a file and plays it.
//
//   hello [FILE]     any .bvh, .amc, .glb, .gltf, .fbx or .dae; without one a sample motion is written, and read back
//
// Prints:
//   22 joints, 341 frames, 60 a second
//   0.0 s  the root is 1 cm ahead, the left hand 88 cm high
//   1.0 s  the root is 79 cm ahead, the left hand 85 cm high
//   2.0 s  the root is 162 cm ahead, the left hand 88 cm high
//   3.0 s  the root is 239 cm ahead, the left hand 87 cm high
//   4.0 s  the root is 324 cm ahead, the left hand 86 cm high
//   5.0 s  the root is 400 cm ahead, the left hand 87 cm high
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>

#include <loom/io/read.h>
#include <loom/io/write.h>
#include <loom/motion/body.h>
#include <loom/motion/kinematics.h>
#include <loom/sample/sample.h>

using namespace loom;

namespace {

/// Writes a sample motion as BVH, so that there is a file to load.
Result<std::string> write_a_walk() {
  const auto walk = sample::make_sample("walk-slow");
  if (!walk) return fail_from(walk);
  const std::string path = (std::filesystem::temp_directory_path() / "loom-hello-walk-slow.bvh").string();
  const auto written = io::write_motion(path, std::span(&walk->clip, 1), walk->clip.name);
  if (!written) return fail_from(written);
  return path;
}

/// Plays a clip: where the body and its left hand are, every second.
void play(const motion::Clip& clip) {
  // All poses in the world at once: one position and one rotation a frame and joint. Metres, Y up.
  const motion::WorldPoses poses = motion::forward_kinematics(clip);
  // Which joint is which is found by name and shape, whatever the skeleton calls them; -1 where there is none.
  const int hand = motion::find_body(*clip.skeleton).left_arm.end;
  for (std::size_t frame = 0; frame < clip.frames(); frame += static_cast<std::size_t>(clip.rate)) {
    const Vec3 root = clip.roots[frame];
    std::printf("%.1f s  the root is %ld cm ahead", static_cast<double>(frame) / clip.rate, std::lround(100 * root.z));
    if (hand >= 0) {
      const Vec3 at = poses.position(frame, static_cast<std::size_t>(hand));
      std::printf(", the left hand %ld cm high", std::lround(100 * at.y));
    }
    std::printf("\n");
  }
}

/// Errors are values: whoever can do something about one does, the others pass it on.
Result<void> run(const std::string& given) {
  const Result<std::string> path = given.empty() ? write_a_walk() : Result<std::string>(given);
  if (!path) return fail_from(path);
  const auto motions = io::read_motion(*path);  // a file may hold several
  if (given.empty()) std::filesystem::remove(*path);
  if (!motions) return fail_from(motions);
  const motion::Clip& clip = motions->front().clip;
  std::printf("%zu joints, %zu frames, %.0f a second\n", clip.joints(), clip.frames(), clip.rate);
  play(clip);
  return {};
}

}  // namespace

int main(int count, char** arguments) {
  const auto done = run(count > 1 ? arguments[1] : "");
  if (!done) std::fprintf(stderr, "%s\n", done.error().to_string().c_str());
  return done ? 0 : 1;
}
