// SPDX-License-Identifier: MIT
// Packed characters as bytes. They are refused, or they can be played, on their own body and on another.
//
// The first byte says which kind. What follows are changes to a sound one behind its checksum: three bytes of place,
// one of value; the last odd bytes cut it short.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include <loom/packed/packed_character.h>
#include <loom/packed/performer.h>

#include "fuzz/sound_packages.h"

namespace {

using namespace loom;
using Bytes = std::vector<std::byte>;

std::array<Bytes, 4> sound() {
  std::array<Bytes, 4> all;
  packed::PackedCharacter onto = fuzz::sound_graph(true);
  onto.onto = onto.body;
  all[0] = packed::to_bytes(fuzz::sound_graph(false));
  all[1] = packed::to_bytes(onto);
  all[2] = packed::to_bytes(fuzz::sound_matching());
  all[3] = packed::to_bytes(fuzz::sound_machine());
  return all;
}

void use(packed::PackedCharacter read) {
  const auto shared = std::make_shared<const packed::PackedCharacter>(std::move(read));
  const auto performer = packed::Performer::create(shared);
  if (!performer) return;
  motion::Control control;
  control.velocity = {0, 0, 1};
  for (int f = 0; f < 10; ++f) {
    (*performer)->control(control);
    if (!(*performer)->advance(0.03)) std::abort();
  }
  std::array<packed::Event, 8> events;
  (*performer)->take_events(events);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::array<Bytes, 4> all = sound();
  if (size < 1) return 0;
  Bytes bytes = all[data[0] % all.size()];
  if (data[0] >= 128) {  // as they come
    static_cast<void>(packed::packed_character_from_bytes(std::as_bytes(std::span(data + 1, size - 1)), false));
    return 0;
  }
  constexpr std::size_t kHeader = 40;
  std::size_t i = 1;
  for (; i + 4 <= size; i += 4) {
    const std::size_t at = data[i] + 256U * data[i + 1] + 65536U * data[i + 2];
    bytes[kHeader + at % (bytes.size() - kHeader)] = static_cast<std::byte>(data[i + 3]);
  }
  if (i < size) bytes.resize(bytes.size() * data[i] / 256);
  if (auto read = packed::packed_character_from_bytes(bytes, false)) use(std::move(*read));
  return 0;
}
