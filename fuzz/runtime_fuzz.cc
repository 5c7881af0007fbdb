// SPDX-License-Identifier: MIT
// What programs that play read as bytes: motion ready to be used, and triangulations. It is refused, or it can be used.
//
// The first byte says which. What follows are changes to a sound one: two bytes of place, one of value; the last odd
// bytes cut it short.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include <loom/blend/weights/triangulation.h>
#include <loom/matching/matching.h>
#include <loom/motion/stream.h>
#include <loom/sample/sample.h>
#include <loom/take/take_bytes.h>

namespace {

using namespace loom;
using Bytes = std::vector<std::byte>;

Bytes sound_motion() {
  take::TakeSet set;
  motion::Clip clip = sample::make_sample("walk-normal-1").value().clip;
  clip = motion::cut(clip, 0, 40).value();
  set.skeleton = clip.skeleton;
  set.contacts.push_back(motion::find_contacts(clip).value());
  set.stretches.push_back({clip.name, false, 0, static_cast<std::uint32_t>(clip.frames())});
  set.clips.push_back(std::move(clip));
  return take::to_bytes(set);
}

Bytes sound_triangulation() {
  return blend::Triangulation::create({2, {0, 0, 1, 0, 0, 1, 1, 1, 0.4, 0.6}}).value().to_bytes();
}

void use_motion(const Bytes& bytes) {
  auto read = take::take_set_from_bytes(bytes);
  if (!read) return;
  const bool packed = bytes[4] == std::byte{2};  // the version: packed frames are written as in memory here
  if (!packed && take::to_bytes(*read).size() != bytes.size()) std::abort();
  const auto set = std::make_shared<const take::TakeSet>(std::move(*read));
  const auto features = matching::find_match_features(*set);
  if (!features) return;
  auto matcher = matching::MotionMatcher::create(set, *features);
  if (!matcher) return;
  const auto recorded = motion::record(**matcher, 0.2);
  if (recorded && !motion::validate(recorded->clip)) std::abort();
}

void use_triangulation(const Bytes& bytes) {
  const auto read = blend::Triangulation::from_bytes(bytes);
  if (!read || read->points().dimensions != 2) return;
  const std::array<double, 2> at{0.3, 0.4};
  std::array<double, 3> coordinates{};
  if (read->locate(at, {coordinates.data(), read->rank() + 1}) >= read->simplices()) std::abort();
  std::vector<double> weights(read->points().size());
  read->project(at, weights);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Bytes motion = sound_motion(), triangulation = sound_triangulation();
  if (size < 1) return 0;
  const bool is_motion = data[0] % 2 == 0;
  Bytes bytes = is_motion ? motion : triangulation;
  std::size_t i = 1;
  for (; i + 3 <= size; i += 3) {
    bytes[(data[i] + 256U * data[i + 1]) % bytes.size()] = static_cast<std::byte>(data[i + 2]);
  }
  if (i < size) bytes.resize(bytes.size() * data[i] / 256);
  is_motion ? use_motion(bytes) : use_triangulation(bytes);
  return 0;
}
