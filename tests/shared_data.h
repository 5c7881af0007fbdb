// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <gtest/gtest.h>

namespace loom::testing {

/// The folder of real motion capture beside the checkout; it is no part of the repository and may be absent.
inline std::filesystem::path mocap_folder() {
  return std::filesystem::path(LOOM_SOURCE_DIR) / ".." / "shared" / "mocap";
}

}  // namespace loom::testing

/// Ends a test that needs real capture where there is none, and says so in the summary.
#define LOOM_REQUIRE_MOCAP()                                     \
  if (!std::filesystem::exists(::loom::testing::mocap_folder())) \
  GTEST_SKIP() << "SKIPPED: real capture is needed in " << ::loom::testing::mocap_folder() << ", and it is not there"
