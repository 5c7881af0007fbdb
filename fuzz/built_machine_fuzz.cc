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
#include <loom/sample/sample.h>

namespace {

using namespace loom;
using Bytes = std::vector<std::byte>;

machine::BuiltState state_of(const std::string& name, const char* sample, bool cyclic) {
  motion::Clip clip = sample::make_sample(sample).value().clip;
  clip = motion::cut(clip, 0, 30).value();
  motion::Contacts contacts;
  contacts.planted.assign(clip.frames(), 0);
  machine::BuiltState state;
  state.name = name;
  state.cyclic = cyclic;
  state.end = clip.duration();
  blend::Alignment alignment;
  alignment.end = state.end;
  alignment.curves.push_back(blend::RegistrationCurve::create({{0, 0}, {state.end, state.end}}).value());
  alignment.costs = {0};
  state.space = blend::BlendSpace::create({clip}, {contacts}, alignment).value();
  return state;
}

machine::BuiltMachine sound_machine() {
  machine::BuiltMachine built;
  built.machine = behavior::parse_machine(
                      "machine m\nstate a: x\nstate b: y\ntransition a -> a self\n"
                      "transition a -> b\ntransition b -> a\n",
                      "m")
                      .value();
  built.states = {state_of("a", "walk-normal-1", true), state_of("b", "idle-1", false)};
  built.states[1].after = 0;
  built.transitions = {{0, 1, {{0.2, 0}, {0.6, 0.4}}, 0.01, false, {}},
                       {1, 0, {{0.7, 0.1}, {1, 0.5}}, 0.01, false, {}}};
  return built;
}

void play(machine::BuiltMachine built) {
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
  static const machine::BuiltMachine machine = sound_machine();
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
  if (auto read = machine::built_machine_from_bytes(bytes)) play(std::move(*read));
  return 0;
}
