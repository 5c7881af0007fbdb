// SPDX-License-Identifier: MIT
#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include <loom/base/file.h>
#include <loom/base/memory.h>
#include <loom/base/result.h>

#include "tests/temporary_folder.h"

namespace loom {
namespace {

TEST(ErrorKind, HasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::kNewer); ++kind) {
    names.insert(kind_name(static_cast<ErrorKind>(kind)));
  }
  EXPECT_EQ(names.size(), 8u);
  EXPECT_TRUE(names.contains("stopped") && names.contains("other"));
}

TEST(ErrorKind, StaysWhereWordsAndPlacesAreAdded) {
  Result<int> cause = fail_as(ErrorKind::kStopped, "stopped");
  cause.error().settings = {"rate"};
  const Result<double> passed = fail_from(cause);
  const Result<void> told = fail_because(passed.error(), "graph 'g': " + passed.error().message, "a.loom", 3);
  EXPECT_EQ(told.error().kind, ErrorKind::kStopped);
  EXPECT_EQ(told.error().settings, std::vector<std::string>{"rate"});
  EXPECT_EQ(told.error().to_string(), "a.loom:3: graph 'g': stopped");
}

TEST(ErrorKind, IsGivenOnlyToWhatHasNone) {
  const Result<int> damaged = with_kind(Result<int>(fail("cut short")), ErrorKind::kDamaged);
  EXPECT_EQ(damaged.error().kind, ErrorKind::kDamaged);
  const Result<int> stopped = with_kind(Result<int>(fail_as(ErrorKind::kStopped, "stopped")), ErrorKind::kDamaged);
  EXPECT_EQ(stopped.error().kind, ErrorKind::kStopped);
  EXPECT_EQ(with_kind(Result<int>(3), ErrorKind::kDamaged).value(), 3);
}

TEST(ErrorKind, ALineOfATextIsBadInput) {
  const Result<int> line = fail("expected a number", "a.csv", 3), plain = fail("there are no clips");
  EXPECT_EQ(line.error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(plain.error().kind, ErrorKind::kOther);
}

TEST(ErrorKind, OfFilesAndMemory) {
  const testing::TemporaryFolder folder;
  EXPECT_EQ(load_file(folder.file("nowhere")).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(load_file(folder.file("")).error().kind, ErrorKind::kBadInput) << "a folder";
  EXPECT_EQ(save_file(folder.file("no/such/folder"), "x").error().kind, ErrorKind::kNotFound);
  const auto room = require_memory(1e18, "a tower to the moon", "build a lower one", {"height"});
  EXPECT_EQ(room.error().kind, ErrorKind::kOutOfMemory);
  EXPECT_EQ(room.error().settings, (std::vector<std::string>{"height", "memory"}));
  const Result<int> filled = within_memory("it", []() -> Result<int> { throw std::bad_alloc(); });
  EXPECT_EQ(filled.error().kind, ErrorKind::kOutOfMemory);
}

}  // namespace
}  // namespace loom
