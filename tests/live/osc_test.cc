// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <loom/live/packets/osc.h>

#include "tests/live/packet_bytes.h"

namespace loom::live {
namespace {

using testing::as_text;
using testing::Bytes;

TEST(Osc, AMessageByteByByte) {
  // The example of the specification: /oscillator/4/frequency with the float 440.
  Bytes packet;
  packet.text("/oscillator/4/frequency").raw({0}).text(",f").raw({0, 0}).raw({0x43, 0xdc, 0, 0});
  ASSERT_EQ(packet.size(), 32u);
  const auto messages = read_osc(packet.all());
  ASSERT_TRUE(messages) << messages.error().to_string();
  ASSERT_EQ(messages->size(), 1u);
  EXPECT_EQ(messages->front().address, "/oscillator/4/frequency");
  ASSERT_TRUE(messages->front().begins_with("f"));
  EXPECT_EQ(messages->front().number(0), 440.0f);
  OscWriter writer;
  writer.begin("/oscillator/4/frequency", "f");
  writer.real(440);
  EXPECT_EQ(as_text(writer.take()), as_text(packet.all()));
}

TEST(Osc, AllTypesOfTheSecondExample) {
  // /foo with the int 1000, the int -1, the string "hello", the floats 1.234 and 5.678.
  Bytes packet;
  packet.text("/foo").zeros(4).text(",iisff").zeros(2).raw({0, 0, 3, 0xe8, 0xff, 0xff, 0xff, 0xff});
  packet.text("hello").zeros(3).raw({0x3f, 0x9d, 0xf3, 0xb6, 0x40, 0xb5, 0xb2, 0x2d});
  ASSERT_EQ(packet.size(), 40u);
  const auto messages = read_osc(packet.all());
  ASSERT_TRUE(messages) << messages.error().to_string();
  const OscMessage& message = messages->front();
  ASSERT_TRUE(message.begins_with("iisff"));
  EXPECT_EQ(message.arguments[0].whole, 1000);
  EXPECT_EQ(message.arguments[1].whole, -1);
  EXPECT_EQ(message.arguments[2].text, "hello");
  EXPECT_FLOAT_EQ(message.number(3), 1.234f);
  EXPECT_FLOAT_EQ(message.number(4), 5.678f);
}

TEST(Osc, BundlesStayBelowTheirSizeAndComeBackWhole) {
  std::vector<std::vector<std::byte>> messages;
  for (int i = 0; i < 60; ++i) {
    OscWriter writer;
    writer.begin("/n", "is");
    writer.whole(i);
    writer.text("some more text to fill");
    messages.push_back(writer.take());
  }
  const auto bundles = osc_bundles(messages, 400);
  EXPECT_GT(bundles.size(), 5u);
  std::int64_t next = 0;
  for (const auto& bundle : bundles) {
    EXPECT_LE(bundle.size(), 400u);
    const auto read = read_osc(bundle);
    ASSERT_TRUE(read);
    for (const OscMessage& message : *read) EXPECT_EQ(message.arguments[0].whole, next++);
  }
  EXPECT_EQ(next, 60);
}

TEST(Osc, EveryShorterPacketIsRefusedOrShorter) {
  OscWriter writer;
  writer.begin("/VMC/Ext/Bone/Pos", "sfffffff");
  writer.text("Hips");
  for (int i = 0; i < 7; ++i) writer.real(1);
  const std::vector<std::byte> whole = writer.take();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto read = read_osc(std::span(whole).first(size));
    if (read) {
      EXPECT_TRUE(read->front().arguments.empty()) << size;
    }
  }
}

TEST(Osc, BundlesInBundlesEnd) {
  std::vector<std::vector<std::byte>> message;
  OscWriter writer;
  writer.begin("/n", "");
  message.push_back(writer.take());
  for (int depth = 0; depth < 4; ++depth) {
    EXPECT_TRUE(read_osc(message.front())) << depth;
    message = osc_bundles(message, 1000);
  }
  message = osc_bundles(message, 1000);
  EXPECT_FALSE(read_osc(message.front()));
}

}  // namespace
}  // namespace loom::live
