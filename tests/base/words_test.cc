// SPDX-License-Identifier: MIT
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include <loom/base/random.h>
#include <loom/base/words.h>

namespace loom {
namespace {

TEST(Printable, NamesOfAnyScriptStayAsTheyAre) {
  for (const char* name : {"walk", "走る 1", "Größe", "👟 run", "a\\b'c\"d", ""}) EXPECT_EQ(printable(name), name);
}

TEST(Printable, WhatATerminalWouldObeyIsWrittenOut) {
  EXPECT_EQ(printable("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(printable("one\ntwo\r\tthree\x7f"), "one\\ntwo\\r\\tthree\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\u009b2J");  // CSI as one C1 character
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a\\u202eb");  // right-to-left override
}

TEST(Printable, BytesThatAreNoUtf8AreWrittenOut) {
  EXPECT_EQ(printable("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a surrogate pair
}

TEST(Printable, OfRandomBytesOnlyTextRemains) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    std::string bytes;
    for (int i = 0; i < 40; ++i) bytes += static_cast<char>(random.index(256));
    const std::string shown = printable(bytes);
    EXPECT_EQ(printable(shown), shown);
    for (const char c : shown) EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) << shown;
  }
}

/// What a real shell makes of a word.
std::string through_shell(const std::string& word) {
  std::FILE* pipe = ::popen(("printf %s " + shell_word(word)).c_str(), "r");
  std::string got;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) got += static_cast<char>(c);
  ::pclose(pipe);
  return got;
}

TEST(ShellWord, AShellReadsItBackAsOneWord) {
  for (const char* word :
       {"walk", "", "a b", "it's", "$(id)", "`id`", "a;b", "*", "\"", "\\", "two\nlines", "~", "#x"}) {
    EXPECT_EQ(through_shell(word), word);
  }
}

TEST(ShellCommand, NamesThatLookLikeOptionsStandAfterTwoDashes) {
  EXPECT_EQ(shell_command({"info"}, {"my moves.loom", "walk"}), "loom info 'my moves.loom' walk");
  EXPECT_EQ(shell_command({"picture", "-o", "a.png"}, {"m.loom", "--graph=g"}),
            "loom picture -o a.png -- m.loom --graph=g");
}

}  // namespace
}  // namespace loom
