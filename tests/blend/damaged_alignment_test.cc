// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/blend/align/alignment.h>
#include <loom/blend/blend_space.h>

#include "tests/blend/sample_set.h"

namespace loom::blend {
namespace {

using ::testing::HasSubstr;

TEST(BlendSpace, RefusesAnAlignmentThatReachesFarBeyondItsReference) {
  const testing::SampleSet set = testing::sample_set({"reach-01", "reach-02"});
  const auto sound = align(set.clips, set.contacts, {});
  ASSERT_TRUE(sound) << sound.error().message;
  ASSERT_TRUE(BlendSpace::create(set.clips, set.contacts, *sound));
  // A thousand years of cells would be made of these.
  Alignment late = *sound, early = *sound;
  late.end = 1e6;
  early.begin = -1e6;
  for (const Alignment& alignment : {late, early}) {
    const auto space = BlendSpace::create(set.clips, set.contacts, alignment);
    ASSERT_FALSE(space);
    EXPECT_THAT(space.error().message, HasSubstr("reaches far beyond"));
  }
}

}  // namespace
}  // namespace loom::blend
