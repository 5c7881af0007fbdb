// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/matching/jumps.h>
#include <loom/sample/sample.h>

namespace loom::matching {
namespace {

std::vector<JumpPart> parts_of(const char* name) {
  const motion::Clip clip = sample::make_sample(name, {1, 60})->clip;
  const motion::Clip standing = sample::make_sample("idle-1", {1, 60})->clip;
  return find_jumps(clip, usual_height(std::vector{standing}));
}

TEST(FindJumps, AJumpIsGatheredForFlownAndRecoveredFrom) {
  // The sample's own labels say when it is in the air.
  const motion::Clip clip = sample::make_sample("jump-forward", {1, 60})->clip;
  const std::vector<JumpPart> parts = parts_of("jump-forward");
  for (const motion::Label& label : clip.labels) {
    if (label.name != "flight") continue;
    for (std::size_t f = label.begin + 3; f < label.end - 3; ++f) EXPECT_EQ(parts[f], JumpPart::kJump) << f;
    EXPECT_EQ(parts[label.begin - 15], JumpPart::kJump) << "bending the knees for it";
    EXPECT_EQ(parts[label.end + 15], JumpPart::kRecovery);
  }
  EXPECT_EQ(parts.front(), JumpPart::kNone);
  EXPECT_EQ(parts.back(), JumpPart::kNone);
}

TEST(FindJumps, RunningAndCrouchingAreNone) {
  for (const char* name : {"run-fast", "walk-crouched", "idle-1"}) {
    for (const JumpPart part : parts_of(name)) ASSERT_EQ(part, JumpPart::kNone) << name;
  }
}

}  // namespace
}  // namespace loom::matching
