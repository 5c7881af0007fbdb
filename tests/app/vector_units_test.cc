// SPDX-License-Identifier: MIT
#include "loom/vector_units.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace loom {
namespace {

TEST(VectorUnits, AreThoseThatHighwayFinds) {
#if HWY_ARCH_X86
  const int64_t told = HWY_SSSE3 | HWY_SSE4 | HWY_AVX2 | HWY_AVX3;
  EXPECT_EQ(app::vector_units() & told, hwy::SupportedTargets() & told);
#else
  GTEST_SKIP() << "the command asks Highway itself";
#endif
}

}  // namespace
}  // namespace loom
