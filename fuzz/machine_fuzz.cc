// SPDX-License-Identifier: MIT
// Any bytes as a machine file: it is refused with a line, or it is a machine whose text reads back the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <loom/behavior/state_machine.h>
#include <loom/fight/activity_settings.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace loom::behavior;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // What is included is the file itself under another name, so that includes go as deep as they may.
  int reads = 0;
  const auto include = [&](const std::string& path) -> loom::Result<std::string> {
    if (++reads > 8) return loom::fail("no more files");
    return path.size() % 2 == 0 ? std::string(text) : std::string("state more: more\n");
  };
  const auto machine = parse_machine(text, "fuzz", include);
  if (!machine) {
    if (machine.error().line == 0 && machine.error().file.empty()) std::abort();
    return 0;
  }
  for (const MachineTransition& t : machine->transitions) {
    if (t.from >= machine->states.size() || t.to >= machine->states.size()) std::abort();
  }
  const std::string once = format_machine(*machine);
  const auto again = parse_machine(once, "again");
  if (!again || format_machine(*again) != once) std::abort();
  auto settled = *machine;
  if (const auto ok = loom::fight::settle_activities(settled); !ok && ok.error().line == 0) std::abort();
  return 0;
}
