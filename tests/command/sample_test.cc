// SPDX-License-Identifier: MIT
// What a user meets: `loom sample`, run as a program.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <loom/library/library.h>

#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::run_loom;

class SampleCommandTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
  std::string library_ = folder_.file("samples.loom");
};

TEST_F(SampleCommandTest, PutsMotionsIntoALibraryWithTheirLabelsAndParameters) {
  const auto run = run_loom({"sample", library_, "--only", "jump-family", "--rate", "30", "--json"});
  ASSERT_EQ(run.status, 0);
  const auto json = run.json();
  EXPECT_EQ(json["clips"].size(), 20U);
  EXPECT_EQ(json["clips"][3]["parameters"]["distance_m"], 0.75);
  const auto library = library::Library::open(library_);
  ASSERT_TRUE(library);
  const auto clip = library->read_clip("jump-family-04").value();
  EXPECT_EQ(clip.rate, 30);
  EXPECT_EQ(clip.labels.back().name, "stroke");
  EXPECT_THAT(library->provenance("jump-family-04").value().options, HasSubstr("\"distance_m\":0.75"));
}

TEST_F(SampleCommandTest, WritesFilesInstead) {
  ASSERT_EQ(run_loom({"sample", "--out", folder_.file("out"), "--only", "idle-1", "--format", "glb"}).status, 0);
  EXPECT_TRUE(fs::exists(folder_.path() / "out" / "idle-1.glb"));
  ASSERT_EQ(run_loom({"sample", "--out", folder_.file("out"), "--only", "idle-1"}).status, 0);
  EXPECT_TRUE(fs::exists(folder_.path() / "out" / "idle-1.bvh"));
}

TEST_F(SampleCommandTest, AddsNothingWhenANameIsTaken) {
  ASSERT_EQ(run_loom({"sample", library_, "--only", "idle-2"}).status, 0);
  const auto run = run_loom({"sample", library_, "--only", "idle"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("idle-2"));
  EXPECT_EQ(library::Library::open(library_)->clips()->size(), 1u);
}

TEST_F(SampleCommandTest, SaysWhatWasWrong) {
  EXPECT_EQ(run_loom({"sample"}).status, 2);
  EXPECT_EQ(run_loom({"sample", library_, "--rate", "1"}).status, 2);
  EXPECT_EQ(run_loom({"sample", library_, "--format", "doc"}).status, 2);
  EXPECT_EQ(run_loom({"sample", library_, "--only", "moonwalk"}).status, 1);
  EXPECT_FALSE(fs::exists(library_));
}

}  // namespace
}  // namespace loom
