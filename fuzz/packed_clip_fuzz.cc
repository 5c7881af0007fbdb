// SPDX-License-Identifier: MIT
// Packed frames that nobody vouches for: they are refused, or every pose of them is one.
//
// The first byte 'W': the rest is what is read, of a body of as many joints as its ninth byte says. Otherwise the rest
// is a list of changes to a sound one, so that seeds outlive changes of layout: three bytes of place and one of value
// each.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include <loom/motion/pack_frames.h>
#include <loom/motion/packed_clip.h>
#include <loom/sample/sample.h>

namespace {

using namespace loom;

constexpr std::size_t kMostRotations = 200'000;  ///< more would only cost time

const motion::Clip& sound_clip() {
  static const motion::Clip clip = *motion::cut(sample::make_sample("walk-normal-1", {})->clip, 0, 50);
  return clip;
}

void read(std::span<const std::byte> bytes, std::size_t joints) {
  const auto clip = motion::PackedClip::create(bytes, joints);
  if (!clip || clip->frames() > kMostRotations / joints) return;
  std::vector<Vec3> roots(clip->frames());
  std::vector<Quat> rotations(clip->frames() * joints);
  const bool sound = clip->unpack(roots, rotations).has_value();
  Vec3 root;
  for (std::size_t f = 0; f < clip->frames(); f += 5) {
    if (!clip->read_pose(f, root, std::span(rotations).first(joints)) && sound) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::byte> sound = motion::pack_frames(sound_clip())->bytes;
  if (size < 2) return 0;
  const auto rest = std::as_bytes(std::span(data + 1, size - 1));
  if (data[0] == 'W') {
    if (rest.size() > 8) read(rest, static_cast<std::size_t>(rest[8]));
    return 0;
  }
  std::vector<std::byte> bytes = sound;
  for (std::size_t at = 1; at + 4 <= size; at += 4) {
    const std::size_t place = data[at] | std::size_t{data[at + 1]} << 8 | std::size_t{data[at + 2]} << 16;
    if (data[at + 2] == 0xFF) {
      bytes.resize(place % (bytes.size() + 1));
      if (bytes.empty()) break;
    } else {
      bytes[place % bytes.size()] = static_cast<std::byte>(data[at + 3]);
    }
  }
  read(bytes, sound_clip().joints());
  return 0;
}
