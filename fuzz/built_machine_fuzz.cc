// SPDX-License-Identifier: MIT
// Machines with their motion as bytes, and scripts of wishes. They are refused, or they can be played.
//
// The first byte says which. What follows is a script, or changes to the bytes of a sound machine: two bytes of place,
// one of value; the last odd bytes cut it short.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include <loom/machine/built_machine.h>
#include <loom/machine/machine_player.h>
#include <loom/machine/wish_script.h>

#include "fuzz/sound_packages.h"

namespace {

using namespace loom;
using Bytes = std::vector<std::byte>;

void play_machine(machine::BuiltMachine built) {
  const auto player = machine::MachinePlayer::create(std::make_shared<const machine::BuiltMachine>(std::move(built)));
  if (!player) std::abort();
  std::vector<Quat> rotations((*player)->skeleton()->size());
  motion::StreamPose pose{{}, rotations, 0, {}};
  for (int p = 0; p < 60; ++p) {
    if (p % 20 == 0) (*player)->wish({static_cast<std::size_t>(p / 20 % 2)});
    if (!(*player)->next({}, pose)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const machine::BuiltMachine machine = fuzz::sound_built_machine();
  static const Bytes sound = machine::to_bytes(machine);
  if (size < 1) return 0;
  if (data[0] % 2 == 0) {
    const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    if (const auto wishes = machine::parse_wish_script(text, "wishes", machine); wishes && wishes->empty())
      std::abort();
    return 0;
  }
  Bytes bytes = sound;
  std::size_t i = 1;
  for (; i + 3 <= size; i += 3) {
    bytes[(data[i] + 256U * data[i + 1]) % bytes.size()] = static_cast<std::byte>(data[i + 2]);
  }
  if (i < size) bytes.resize(bytes.size() * data[i] / 256);
  if (auto read = machine::built_machine_from_bytes(bytes)) play_machine(std::move(*read));
  return 0;
}
