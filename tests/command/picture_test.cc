// SPDX-License-Identifier: MIT
// `loom picture` and `loom demo` as a user calls them.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <loom/io/read.h>
#include <loom/io/write.h>
#include <loom/library/library.h>

#include "tests/make_walk.h"
#include "tests/run_command.h"
#include "tests/temporary_folder.h"

namespace loom::picture {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

std::string start_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes(15, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

/// A walk as a BVH file and in a library, under the name "walk".
struct Walk {
  Walk() {
    motion::Clip clip = testing::make_gait({}).clip;
    clip.name = "walk";
    EXPECT_TRUE(io::write_motion(file, {&clip, 1}, "walk"));
    auto made = library::Library::open_or_create(library);
    EXPECT_TRUE(made && made->add_clip(clip));
  }

  TemporaryFolder folder;
  std::string file = folder.file("walk.bvh"), library = folder.file("moves.loom");
};

TEST(PictureCommand, DrawsOnlyTheFramesAskedFor) {
  const TemporaryFolder folder;
  const Walk walk;
  const auto draw = [&](const std::string& name, std::vector<std::string> more) {
    std::vector<std::string> words{"picture", walk.file, "-o", folder.file(name), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return testing::run_loom(words);
  };
  const auto run = draw("some.png", {"--frames", "10:30"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run.json()["clips"][0]["frames"], 20);
  EXPECT_EQ(draw("end.png", {"--frames", "10:99999"}).status, 0);
  EXPECT_EQ(draw("none.png", {"--frames", "99999:100000"}).status, 1);
  EXPECT_EQ(draw("wrong.png", {"--frames", "30:10"}).status, 1);
}

TEST(PictureCommand, DrawsAFileAndAClipOfALibraryAlike) {
  const Walk walk;
  const std::string a = walk.folder.file("a.png"), b = walk.folder.file("b.svg"), c = walk.folder.file("c.html");
  const auto from_file = testing::run_loom({"picture", walk.file, "-o", a, "--poses", "5", "--json"});
  ASSERT_EQ(from_file.status, 0) << from_file.err;
  EXPECT_EQ(from_file.json()["file"], a);
  EXPECT_EQ(from_file.json()["clips"][0]["name"], "walk");
  ASSERT_EQ(testing::run_loom({"picture", walk.library, "walk", "-o", b, "--trail", "--size", "1200x700"}).status, 0);
  ASSERT_EQ(testing::run_loom({"picture", walk.library, "-o", c}).status, 0);
  EXPECT_EQ(start_of(a).substr(1, 3), "PNG");
  EXPECT_EQ(start_of(b).substr(0, 4), "<svg");
  EXPECT_EQ(start_of(c), "<!doctype html>");
}

TEST(PictureCommand, SaysWhatIsWrong) {
  const Walk walk;
  const std::string out = walk.folder.file("out.png");
  const auto expect = [&](std::vector<std::string> arguments, int status, const std::string& words) {
    arguments.insert(arguments.begin(), "picture");
    const auto run = testing::run_loom(arguments);
    EXPECT_EQ(run.status, status) << run.err;
    EXPECT_NE(run.err.find(words), std::string::npos) << run.err;
    EXPECT_FALSE(fs::exists(out));
  };
  expect({walk.folder.file("none.bvh"), "-o", out}, 1, "none.bvh");
  expect({walk.library, "wakl", "-o", out}, 1, "walk");
  expect({walk.file, "walk", "-o", out}, 1, "is not a library");
  expect({walk.file, "-o", walk.folder.file("out.gif")}, 1, ".png or .svg");
  expect({walk.file, "-o", out, "--poses", "0"}, 1, "1 to 200 poses");
  expect({walk.file, "-o", out, "--size", "big"}, 2, "WIDTHxHEIGHT");
  expect({walk.file, "-o", out, "--view", "below"}, 2, "below");
  expect({"-o", out}, 2, "source");
}

TEST(DemoCommand, MakesEverythingItTellsOfAndReplacesOnlyItsOwn) {
  const TemporaryFolder folder;
  const std::string theirs = folder.write("demo/pictures/mine.txt", "keep me");
  const std::string old = folder.write("demo/samples.loom", "left by an earlier demo, and damaged since");
  folder.write("demo/.motion-loom-demo", "");  // all that one which was killed is sure to leave
  const auto run = testing::run_loom({"demo", "--out", folder.file("demo"), "--json"});
  ASSERT_EQ(run.status, 0) << run.err;
  const nlohmann::json told = run.json();
  EXPECT_EQ(told["library"], old);
  const auto library = library::Library::open(old);
  ASSERT_TRUE(library) << library.error().to_string();
  std::size_t motions = 0;
  for (const auto& group : told["groups"]) motions += group["clip_count"].get<std::size_t>();
  EXPECT_EQ(library->clips()->size(), motions);
  EXPECT_GE(told["motions"].size(), 2u);
  for (const std::string path : told["motions"]) EXPECT_TRUE(io::read_motion(path)) << path;
  for (const std::string path : told["pictures"]) EXPECT_GT(fs::file_size(path), 1000u) << path;
  EXPECT_EQ(start_of(told["page"].get<std::string>()), "<!doctype html>");
  EXPECT_EQ(start_of(theirs).substr(0, 7), "keep me");
}

TEST(DemoCommand, SaysWhenTheFolderCannotBeMade) {
  const TemporaryFolder folder;
  const std::string in_the_way = folder.write("file", "");
  const auto run = testing::run_loom({"demo", "--out", in_the_way});
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.err.find(in_the_way), std::string::npos) << run.err;
}

}  // namespace
}  // namespace loom::picture
