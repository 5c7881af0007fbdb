// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <loom/behavior/state_machine.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/stored_family.h>
#include <loom/library/library.h>
#include <loom/machine/build.h>

#include "tests/blend/sample_set.h"
#include "tests/temporary_folder.h"

namespace loom::testing {

/// States of all four kinds of Srinivasan 2009 table 5.1, by hand.
inline constexpr const char* kWalkingMachine =
    "machine walking\n"
    "state stand: clip idle-1\n"
    "state walk: family walks\n"
    "state run: clip jog\n"
    "state stop: clip stop-walk-1\n"
    "state jump: family jumps\n"
    "default stand\n"
    "transition stand -> stand self\n"
    "transition walk -> walk self\n"
    "transition run -> run self\n"
    "transition stand -> walk\n"
    "transition walk -> run weight 0.3\n"
    "transition walk -> stop weight 0.7\n"
    "transition run -> walk\n"
    "transition stop -> stand\n"
    "transition stand -> jump weight 0.1\n"
    "transition jump -> stand\n";

inline void must(bool holds) {
  if (!holds) std::abort();
}

inline void add_family(library::Library& library, const std::string& name, blend::FamilyKind kind,
                       const std::vector<std::string>& clips) {
  blend::FamilyOptions options;
  options.clips = clips;
  options.kind = kind;
  const auto built = blend::build_family(library, options);
  must(built.has_value());
  must(blend::store_family(library, name, built->family, built->input_hash, "{}").has_value());
}

inline library::Library walking_library(const std::string& path) {
  auto library = *library::Library::open_or_create(path);
  std::vector<std::string> names = {"idle-1", "jog", "stop-walk-1"};
  const std::vector<std::string> walks = {"locomotion-02", "locomotion-03", "locomotion-04",
                                          "locomotion-07", "locomotion-10", "locomotion-12"};
  const std::vector<std::string> jumps = {"jump-family-01", "jump-family-05", "jump-family-10", "jump-family-16"};
  names.insert(names.end(), walks.begin(), walks.end());
  names.insert(names.end(), jumps.begin(), jumps.end());
  for (const motion::Clip& clip : sample_set(names).clips) must(library.add_clip(clip).has_value());
  add_family(library, "walks", blend::FamilyKind::kLocomotion, walks);
  add_family(library, "jumps", blend::FamilyKind::kJump, jumps);
  return library;
}

/// Built once a program.
inline std::shared_ptr<const machine::BuiltMachine> walking_machine() {
  static const auto kBuilt = [] {
    const TemporaryFolder folder;
    const library::Library library = walking_library(folder.file("w.loom"));
    auto built = machine::build(library, *behavior::parse_machine(kWalkingMachine, "walking"));
    must(built.has_value());
    return std::make_shared<const machine::BuiltMachine>(std::move(*built));
  }();
  return kBuilt;
}

}  // namespace loom::testing
