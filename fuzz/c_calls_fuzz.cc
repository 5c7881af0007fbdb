// SPDX-License-Identifier: MIT
// Random calls of the C API, in any order, with handles that live, are gone or never were, and arrays too small.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <loom/packed/packed_character.h>

#include "bindings/c/motionloom.h"
#include "fuzz/sound_packages.h"

namespace {

using namespace loom;
using Bytes = std::vector<std::byte>;

/// What the bytes of the input stand for, one after the other; zeros when they are over.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  [[nodiscard]] bool more() const { return at_ < size_; }
  std::uint8_t byte() { return at_ < size_ ? data_[at_++] : 0; }
  std::uint32_t number(std::uint32_t below) { return byte() % below; }
  float real() {
    constexpr std::array<float, 8> odd = {0, 1, -1, 1e30f, -1e30f, NAN, INFINITY, 0.01f};
    const std::uint8_t b = byte();
    return b < odd.size() ? odd[b] : (static_cast<float>(b) - 128) / 32;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

struct Handles {
  std::vector<std::uint64_t> known{0, 1, ~std::uint64_t{0}};
  std::uint64_t any(Choices& from) { return known[from.number(static_cast<std::uint32_t>(known.size()))]; }
};

void make_skeleton(loom_context* loom, Choices& from, Handles& handles) {
  constexpr std::array<const char*, 10> names = {"hips",      "spine",      "head",    "LeftArm", "RightArm",
                                                 "LeftUpLeg", "RightUpLeg", "LeftLeg", "",        "RightLeg"};
  std::vector<loom_bone> bones(from.number(24));
  for (loom_bone& bone : bones) {
    bone = {names[from.number(10)],
            static_cast<std::int32_t>(from.number(12)) - 1,
            {{from.real(), from.real(), from.real()}, {from.real(), 0, 0, from.real()}}};
  }
  loom_skeleton skeleton{};
  loom_error error;
  if (loom_skeleton_make(loom, bones.data(), bones.size(), &skeleton, &error) == LOOM_OK) {
    handles.known.push_back(skeleton.number);
  } else if (std::memchr(error.text, 0, sizeof(error.text)) == nullptr) {
    std::abort();
  }
}

void call(loom_context* loom, Choices& from, Handles& packages, Handles& skeletons, Handles& characters) {
  static const std::array<Bytes, 3> sound = {packed::to_bytes(fuzz::sound_graph(true)),
                                             packed::to_bytes(fuzz::sound_matching()),
                                             packed::to_bytes(fuzz::sound_machine())};
  std::array<loom_transform, 64> bones;
  loom_error error;
  switch (from.number(20)) {
    case 0: {
      loom_package made{};
      const Bytes& bytes = sound[from.number(3)];
      const std::size_t size = from.byte() < 16 ? bytes.size() / 2 : bytes.size();
      if (loom_package_load(loom, bytes.data(), size, &made, &error) == LOOM_OK) packages.known.push_back(made.number);
      break;
    }
    case 1:
      loom_package_free(loom, {packages.any(from)});
      break;
    case 2: {
      loom_package_info info;
      loom_package_describe(loom, {packages.any(from)}, &info);
      break;
    }
    case 3: {
      std::array<char, 16> text;
      std::size_t length = 0;
      loom_package_name(loom, {packages.any(from)}, static_cast<loom_name>(from.number(8)), from.byte(), text.data(),
                        from.number(17), &length);
      break;
    }
    case 4: {
      std::uint32_t count = 0;
      loom_parameter parameter;
      loom_package_parameters(loom, {packages.any(from)}, from.number(4), &count);
      loom_package_parameter(loom, {packages.any(from)}, from.number(4), from.number(4), &parameter);
      break;
    }
    case 5:
      loom_package_bones(loom, {packages.any(from)}, nullptr, bones.data(), from.number(65));
      break;
    case 6:
      make_skeleton(loom, from, skeletons);
      break;
    case 7: {
      std::int32_t bone = 0;
      loom_skeleton_find(loom, {skeletons.any(from)}, "left_foot", &bone);
      if (from.byte() < 8) loom_skeleton_free(loom, {skeletons.any(from)});
      break;
    }
    case 8: {
      loom_character made{};
      const loom_character_options options{static_cast<double>(from.real()) * 60, from.byte(), from.number(2) == 0, 0};
      if (characters.known.size() > 40) break;
      if (loom_character_make(loom, {packages.any(from)}, {from.byte() < 200 ? 0 : skeletons.any(from)}, &options,
                              &made, &error) == LOOM_OK) {
        characters.known.push_back(made.number);
      }
      break;
    }
    case 9:
      loom_character_free(loom, {characters.any(from)});
      break;
    case 10:
      loom_character_reload(loom, {characters.any(from)}, {packages.any(from)}, &error);
      break;
    case 11: {
      const loom_control control{{from.real(), from.real(), from.real()},
                                 from.real(),
                                 static_cast<std::int32_t>(from.number(5)) - 2,
                                 from.byte()};
      loom_character_control(loom, {characters.any(from)}, &control);
      break;
    }
    case 12:
      loom_character_parameter(loom, {characters.any(from)}, from.number(4), from.number(3),
                               static_cast<double>(from.real()));
      break;
    case 13: {
      const loom_place place{{from.real(), from.real(), from.real()}, from.real()};
      loom_character_put(loom, {characters.any(from)}, &place);
      break;
    }
    case 14:
      loom_character_local(loom, {characters.any(from)}, bones.data(), from.number(65));
      break;
    case 15:
      loom_character_model(loom, {characters.any(from)}, bones.data(), from.number(65));
      break;
    case 16: {
      std::array<loom_event, 8> events;
      std::size_t count = 0;
      loom_character_events(loom, {characters.any(from)}, events.data(), from.number(9), &count);
      break;
    }
    case 17: {
      const std::array<loom_character, 2> two = {loom_character{characters.any(from)},
                                                 loom_character{characters.any(from)}};
      std::array<loom_status, 2> statuses;
      loom_characters_advance(loom, two.data(), two.size(), 0.02, statuses.data());
      break;
    }
    default:
      loom_character_advance(loom, {characters.any(from)}, static_cast<double>(from.real()) / 10);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices from(data, size);
  const loom_options options{LOOM_API_VERSION, static_cast<loom_space>(from.number(3)), nullptr};
  loom_context* loom = nullptr;
  if (loom_open(&options, &loom, nullptr) != LOOM_OK) std::abort();
  Handles packages, skeletons, characters;
  for (int calls = 0; from.more() && calls < 200; ++calls) call(loom, from, packages, skeletons, characters);
  loom_close(loom);
  return 0;
}
