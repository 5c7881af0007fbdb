// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include <loom/blend/family/motion_maker.h>
#include <loom/blend/family/stored_family.h>
#include <loom/library/library.h>
#include <loom/plan/action_space.h>
#include <loom/project/build.h>
#include <loom/sample/sample.h>

#include "tests/temporary_folder.h"

namespace loom::testing {

/// The sample reaches as a family.
struct SampleReaches {
  blend::StoredFamily family;
  std::optional<blend::MotionMaker> maker;
  std::optional<plan::ActionSpace> space;

  SampleReaches() {
    const TemporaryFolder folder;
    auto library = library::Library::open_or_create(folder.file("reaches.loom")).value();
    sample::SampleOptions options;
    options.rate = 30;
    for (int n = 1; n <= 24; ++n) {
      const std::string name = std::string(n < 10 ? "reach-0" : "reach-") + std::to_string(n);
      EXPECT_TRUE(library.add_clip(sample::make_sample(name, options).value().clip));
    }
    blend::FamilyOptions how;
    how.label = "reach";
    EXPECT_TRUE(project::build_family(library, "reach", how));
    family = blend::load_family(library, "reach").value();
    maker = blend::MotionMaker::create(family.family, family.space, blend::Method::kCorrected).value();
    space = plan::ActionSpace::create(family.space).value();
  }
};

/// Made once for a program.
inline SampleReaches& reaches() {
  static SampleReaches made;
  return made;
}

}  // namespace loom::testing
