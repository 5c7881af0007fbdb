// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <loom/behavior/state_build.h>
#include <loom/fight/fighting_machine.h>
#include <loom/sample/sample.h>

#include "tests/temporary_folder.h"

namespace loom::testing {

/// The state graph of all fighting samples by the built-in machine, built once.
inline const behavior::StateBuild& fighting() {
  static const behavior::StateBuild built = [] {
    const TemporaryFolder folder;
    auto library = *library::Library::open_or_create(folder.file("moves.loom"));
    for (const std::string& name : sample::sample_names()) {
      const bool family = name.find("family") != std::string::npos;
      const bool fights = name.starts_with("fight") || name.starts_with("punch") || name.starts_with("kick") ||
                          name.starts_with("slip") || name.starts_with("weave") || name.starts_with("evade") ||
                          name.starts_with("hook") || name.starts_with("hit") || name == "block" ||
                          name == "lean-back" || name == "jab-cross";
      EXPECT_TRUE(!fights || family || library.add_clip(sample::make_sample(name)->clip));
    }
    return *behavior::build_states(library, fight::fighting_machine(), {});
  }();
  return built;
}

}  // namespace loom::testing
