// SPDX-License-Identifier: MIT
// What a user meets: `loom blend family`, run as a program, with good input and bad.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

using ::testing::HasSubstr;
using testing::run_loom;

TEST(BlendFamilyCommand, MakesListsAndRefuses) {
  const testing::TemporaryFolder folder;
  const std::string library = folder.file("moves.loom");
  ASSERT_EQ(run_loom({"sample", library, "--only", "kick-family", "--rate", "30"}).status, 0);
  const auto made = run_loom({"blend", "family", library, "--label", "kick", "--name", "kick", "--json"});
  ASSERT_EQ(made.status, 0) << made.err;
  const auto json = made.json();
  EXPECT_EQ(json["kind"], "kick");
  EXPECT_EQ(json["joint"], "RightFoot");
  EXPECT_EQ(json["examples"], 20);
  EXPECT_TRUE(json["members"][0]["parameters"]["x"].is_number());
  const auto list = run_loom({"blend", "family", library, "--list", "--json"}).json();
  EXPECT_EQ(list["families"][0]["name"], "kick");
  EXPECT_THAT(run_loom({"blend", "family", library, "--list"}).out, HasSubstr("kick"));

  const auto unknown = run_loom({"blend", "family", library, "--label", "swim", "--name", "s"});
  EXPECT_EQ(unknown.status, 1);
  EXPECT_THAT(unknown.err, HasSubstr("swim"));
  EXPECT_EQ(run_loom({"blend", "family", library, "--label", "kick", "--name", "k", "--stroke", "x"}).status, 1);
  EXPECT_EQ(run_loom({"blend", "family", library, "--label", "kick", "--name", "k", "--kind", "fly"}).status, 2);
  EXPECT_EQ(run_loom({"blend", "family", library, "--label", "kick"}).status, 2);
  const std::string table = folder.write("t.csv", "clip,mood\nkick-family-01,NaN\nkick-family-02,1\n");
  const auto nan = run_loom({"blend", "family", library, "--table", table, "--name", "t"});
  EXPECT_EQ(nan.status, 1);
  EXPECT_THAT(nan.err, HasSubstr("t.csv:2"));
}

}  // namespace
}  // namespace loom
