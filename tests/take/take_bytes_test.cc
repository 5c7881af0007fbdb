// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/motion/pack_frames.h>
#include <loom/sample/sample.h>
#include <loom/take/take_bytes.h>

namespace loom::take {
namespace {

TakeSet walk() {
  TakeSet set;
  motion::Clip clip = sample::make_sample("walk-normal-1").value().clip;
  set.skeleton = clip.skeleton;
  set.contacts.push_back(motion::find_contacts(clip).value());
  set.stretches.push_back({clip.name, false, 0, static_cast<std::uint32_t>(clip.frames())});
  set.clips.push_back(std::move(clip));
  return set;
}

TEST(TakeBytes, PackedFramesTakeAFractionAndAreNoFurtherOffThanAsked) {
  const TakeSet set = walk();
  const auto plain = to_bytes(set), packed = to_bytes(set, 0.0005);
  EXPECT_LT(packed.size() * 5, plain.size());
  const auto back = take_set_from_bytes(packed);
  ASSERT_TRUE(back) << back.error().to_string();
  EXPECT_LE(motion::packing_error(set.clips[0], back->clips[0]), 0.0005);
  EXPECT_EQ(back->contacts[0].planted, set.contacts[0].planted);
  EXPECT_EQ(back->clips[0].labels, set.clips[0].labels);
  EXPECT_EQ(back->titles(), set.titles());
}

TEST(TakeBytes, PackedFramesThatAreDamagedAreRefusedOrAreMotion) {
  const auto packed = to_bytes(walk(), 0.001);
  for (std::size_t size = 0; size < packed.size(); size += 1 + packed.size() / 61) {
    EXPECT_FALSE(take_set_from_bytes(std::span(packed).first(size))) << size;
  }
  for (std::size_t at = 8; at < packed.size(); at += 1 + packed.size() / 211) {
    auto wrong = packed;
    wrong[at] ^= std::byte{0x55};
    const auto read = take_set_from_bytes(wrong);
    EXPECT_TRUE(!read || motion::validate(read->clips[0])) << at;
  }
}

}  // namespace
}  // namespace loom::take
