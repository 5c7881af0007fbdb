// SPDX-License-Identifier: MIT
// What a program that was compiled against an older header relies on: sizes, places and names. A line is added here
// when something is added to the header; none is ever changed.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "bindings/c/motionloom.h"

namespace loom {
namespace {

#define EXPECT_AT(type, member, offset) EXPECT_EQ(offsetof(type, member), offset)

TEST(CAbi, StructsAreWhereTheyWere) {
  EXPECT_EQ(sizeof(loom_status), 4u);
  EXPECT_EQ(sizeof(loom_error), 256u);
  EXPECT_AT(loom_error, text, 4u);
  EXPECT_EQ(sizeof(loom_allocator), 24u);
  EXPECT_EQ(sizeof(loom_options), 16u);
  EXPECT_AT(loom_options, space, 4u);
  EXPECT_AT(loom_options, allocator, 8u);
  EXPECT_EQ(sizeof(loom_package), 8u);
  EXPECT_EQ(sizeof(loom_skeleton), 8u);
  EXPECT_EQ(sizeof(loom_character), 8u);
  EXPECT_EQ(sizeof(loom_vector), 12u);
  EXPECT_EQ(sizeof(loom_quaternion), 16u);
  EXPECT_AT(loom_quaternion, w, 12u);
  EXPECT_EQ(sizeof(loom_transform), 28u);
  EXPECT_AT(loom_transform, rotation, 12u);
  EXPECT_EQ(sizeof(loom_package_info), 56u);
  EXPECT_AT(loom_package_info, joints, 4u);
  EXPECT_AT(loom_package_info, behaviors, 8u);
  EXPECT_AT(loom_package_info, flags, 12u);
  EXPECT_AT(loom_package_info, labels, 16u);
  EXPECT_AT(loom_package_info, sources, 20u);
  EXPECT_AT(loom_package_info, velocity, 24u);
  EXPECT_AT(loom_package_info, turn, 28u);
  EXPECT_AT(loom_package_info, rate, 32u);
  EXPECT_AT(loom_package_info, seconds, 40u);
  EXPECT_AT(loom_package_info, bytes, 48u);
  EXPECT_EQ(sizeof(loom_parameter), 104u);
  EXPECT_AT(loom_parameter, unit, 64u);
  EXPECT_AT(loom_parameter, least, 80u);
  EXPECT_AT(loom_parameter, usual, 96u);
  EXPECT_EQ(sizeof(loom_bone), 40u);
  EXPECT_AT(loom_bone, parent, 8u);
  EXPECT_AT(loom_bone, rest, 12u);
  EXPECT_EQ(sizeof(loom_character_options), 24u);
  EXPECT_AT(loom_character_options, seed, 8u);
  EXPECT_AT(loom_character_options, loose_feet, 16u);
  EXPECT_EQ(sizeof(loom_control), 24u);
  EXPECT_AT(loom_control, turn_rate, 12u);
  EXPECT_AT(loom_control, behavior, 16u);
  EXPECT_AT(loom_control, flags, 20u);
  EXPECT_EQ(sizeof(loom_place), 16u);
  EXPECT_AT(loom_place, heading, 12u);
  EXPECT_EQ(sizeof(loom_event), 16u);
  EXPECT_AT(loom_event, what, 4u);
  EXPECT_AT(loom_event, seconds, 8u);
}

TEST(CAbi, NumbersMeanWhatTheyMeant) {
  EXPECT_EQ(LOOM_API_VERSION, 1);
  EXPECT_EQ(loom_api_version(), 1u);
  EXPECT_EQ(
      (std::array{LOOM_OK, LOOM_OTHER, LOOM_BAD_INPUT, LOOM_NOT_FOUND, LOOM_DAMAGED, LOOM_NEWER, LOOM_OUT_OF_MEMORY,
                  LOOM_BAD_HANDLE, LOOM_BUSY, LOOM_TOO_SMALL}),
      (std::array<decltype(LOOM_OK), 10>{LOOM_OK, decltype(LOOM_OK)(1), decltype(LOOM_OK)(2), decltype(LOOM_OK)(3),
                                         decltype(LOOM_OK)(4), decltype(LOOM_OK)(5), decltype(LOOM_OK)(6),
                                         decltype(LOOM_OK)(7), decltype(LOOM_OK)(8), decltype(LOOM_OK)(9)}));
  EXPECT_EQ(LOOM_SPACE_LOOM, 0);
  EXPECT_EQ(LOOM_SPACE_UNITY, 1);
  EXPECT_EQ(LOOM_SPACE_UNREAL, 2);
  EXPECT_EQ(LOOM_KIND_MATCHING, 4);
  EXPECT_EQ(LOOM_NAME_JOINT, 5);
  EXPECT_EQ(LOOM_EVENT_LABEL_END, 5);
  EXPECT_EQ(LOOM_RIGHT_TOE, 8);
}

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::set<std::string> names_in(const std::string& text, const char* pattern) {
  const std::regex name(pattern);
  std::set<std::string> names;
  for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it) names.insert((*it)[1]);
  return names;
}

TEST(CAbi, TheLibraryShowsWhatTheHeaderSaysAndNothingElse) {
  const std::set<std::string> declared =
      names_in(text_of(std::string(LOOM_SOURCE_DIR) + "/bindings/c/motionloom.h"), R"(LOOM_API [^(;]*\b(loom_\w+)\()");
  const std::set<std::string> exported =
      names_in(text_of(std::string(LOOM_SOURCE_DIR) + "/bindings/c/exported.map"), R"(\b(loom_\w+);)");
  EXPECT_EQ(declared.size(), 29u);
  EXPECT_EQ(declared, exported);
#ifdef LOOM_C_LIBRARY
  std::string shown;
  std::FILE* pipe = ::popen("nm -D --defined-only '" LOOM_C_LIBRARY "'", "r");  // NOLINT(cert-env33-c): our own words
  ASSERT_NE(pipe, nullptr);
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) shown += line.data();
  EXPECT_EQ(::pclose(pipe), 0);
  EXPECT_EQ(names_in(shown, R"( [A-Za-z] (\S+)\n)"), declared);
#endif
}

}  // namespace
}  // namespace loom
