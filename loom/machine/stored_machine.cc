// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include <loom/base/bytes.h>
#include <loom/machine/stored_machine.h>

namespace loom::machine {
namespace {

constexpr std::uint64_t kMostEdits = 10000;

tl::unexpected<Error> damaged() { return fail_as(ErrorKind::kDamaged, "the stored machine is damaged"); }

}  // namespace

std::vector<std::byte> to_bytes(const BehaviorMachine& machine) {
  ByteWriter writer;
  writer.string(behavior::format_machine(machine.machine));
  writer.value<std::uint64_t>(machine.edits.size());
  for (const MachineEdit& edit : machine.edits) {
    writer.string(edit.what);
    writer.array(std::span<const float>(edit.before));
  }
  return writer.take();
}

namespace {

/// The machine of bytes; mistakes in it are told with lines of `file`.
Result<BehaviorMachine> read_bytes(std::span<const std::byte> bytes, const std::string& file) {
  ByteReader reader(bytes);
  const std::string text = reader.string();
  const auto count = reader.value<std::uint64_t>();
  if (!reader.ok() || count > kMostEdits) return damaged();
  auto machine = behavior::parse_machine(text, file, {}, behavior::Connection::kAny);
  if (!machine) return damaged();
  BehaviorMachine read{std::move(*machine), {}};
  for (std::uint64_t e = 0; e < count && reader.ok(); ++e) {
    MachineEdit edit{reader.string(), reader.array<float>()};
    if (edit.before.size() != read.machine.transitions.size()) return damaged();
    for (const float weight : edit.before) {
      if (!(weight > 0 && std::isfinite(weight))) return damaged();
    }
    read.edits.push_back(std::move(edit));
  }
  if (!reader.finished()) return damaged();
  return read;
}

}  // namespace

Result<BehaviorMachine> machine_from_bytes(std::span<const std::byte> bytes) { return read_bytes(bytes, {}); }

Result<void> store_machine(library::Library& library, const std::string& name, const BehaviorMachine& machine,
                           const std::string& parameters) {
  return library.put_artefact({kMachineKind, name, 0, parameters, {}, {}, 0}, to_bytes(machine));
}

Result<StoredMachine> load_machine(const library::Library& library, const std::string& name) {
  const auto artefact = library.get_artefact(kMachineKind, name);
  if (!artefact) return fail_from(artefact);
  // What is wrong with it later is told by the line that it has in the file one can write of it.
  auto machine = read_bytes(artefact->data, name + ".machine");
  if (!machine) return fail_because(machine.error(), fmt::format("machine '{}' is damaged", name), library.path());
  return StoredMachine{std::move(*machine), artefact->info.parameters};
}

void take(BehaviorMachine& machine, const Preferred& preferred, const std::string& what) {
  MachineEdit edit{fmt::format("{} ({})", what, to_string(preferred.method)), {}};
  for (const auto& transition : machine.machine.transitions) edit.before.push_back(transition.weight);
  machine.edits.push_back(std::move(edit));
  apply(preferred, machine.machine);
}

Result<MachineEdit> undo(BehaviorMachine& machine) {
  if (machine.edits.empty()) return fail("nothing was preferred in this machine, so there is nothing to take back");
  MachineEdit last = std::move(machine.edits.back());
  machine.edits.pop_back();
  for (std::size_t t = 0; t < machine.machine.transitions.size(); ++t) {
    machine.machine.transitions[t].weight = last.before[t];
  }
  return last;
}

}  // namespace loom::machine
