// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include <loom/base/json_text.h>

namespace loom {
namespace {

using nlohmann::json;

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(JsonText, DeepNestingIsRefusedBeforeItIsParsed) {
  EXPECT_EQ(parse_json(nested(64)).size(), 1U);
  EXPECT_TRUE(parse_json(nested(65)).is_null());
  EXPECT_TRUE(parse_json(nested(100'000)).is_null());
  EXPECT_TRUE(parse_json(std::string(100'000, '[')).is_null());
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
  EXPECT_TRUE(parse_json(objects).is_null());
  EXPECT_EQ(parse_json(nested(9), {8, 100}), nullptr);
}

TEST(JsonText, BracketsAndCommasInTextsDoNotCount) {
  const json value = {{std::string(1000, '['), "\\\"{{{{[[[[,,,,"}, {"b", std::string(1000, ',')}};
  EXPECT_EQ(parse_json(json_text(value), {2, 3}), value);
}

TEST(JsonText, TooManyValuesAreRefused) {
  EXPECT_EQ(parse_json("[1,2,3]", {64, 4}).size(), 3U);
  EXPECT_TRUE(parse_json("[1,2,3]", {64, 3}).is_null());
  EXPECT_TRUE(parse_json("[[],[],[],[]]", {64, 4}).is_null());
}

TEST(JsonText, WhatIsNoJsonIsNull) {
  for (const char* text : {"", "{", "nonsense", "[1,]", "\"\xff\"", "{\"a\":1} 2", "]]]]"}) {
    EXPECT_TRUE(parse_json(text).is_null()) << text;
  }
}

TEST(JsonText, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(json_text({{"name", "a\xff"}}), "{\"name\":\"a\xEF\xBF\xBD\"}");
  EXPECT_EQ(json_text(json::array({1}), 1), "[\n 1\n]");
}

}  // namespace
}  // namespace loom
