// SPDX-License-Identifier: MIT
// A library that is removed, or that another file takes the place of, while somebody has it open.
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>

#include <loom/library/library.h>

#include "tests/make_clip.h"
#include "tests/temporary_folder.h"

namespace loom::library {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ReplacedLibrary : public ::testing::Test {
 protected:
  void SetUp() override {
    make("here.loom", {"old-1", "old-2"});
    make("other.loom", {"new"});
  }

  void make(const std::string& file, const std::vector<std::string>& clips) {
    auto library = Library::open_or_create(folder_.file(file));
    ASSERT_TRUE(library);
    for (const std::string& name : clips) ASSERT_TRUE(library->add_clip(clip_called(name)));
  }
  static motion::Clip clip_called(const std::string& name) {
    motion::Clip clip = testing::random_clip(testing::small_person(), 20, 30, 1);
    clip.name = name;
    return clip;
  }
  /// Every way there is to change something.
  static std::vector<Result<void>> all_changes(Library& library) {
    const auto plain = [](const auto& result) -> Result<void> {
      if (!result) return fail_from(result);
      return {};
    };
    return {library.add_clip(clip_called("more")),
            library.remove_clip("old-1"),
            library.add_label("old-1", {"x", 0, 1}),
            plain(library.remove_label("old-1", "x")),
            plain(library.remove_label("old-1", motion::Label{"x", 0, 1})),
            library.put_artefact({"graph", "g", 1, "{}", "", {}, 0}, {}),
            library.remove_artefact("graph", "g"),
            library.transact([]() -> Result<void> { return {}; })};
  }

  testing::TemporaryFolder folder_;
};

TEST_F(ReplacedLibrary, EveryChangeToARemovedFileFails) {
  auto library = Library::open(folder_.file("here.loom"), Access::kWrite);
  ASSERT_TRUE(library);
  fs::remove(folder_.file("here.loom"));
  for (const Result<void>& done : all_changes(*library)) {
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error().to_string(), HasSubstr("was removed"));
  }
}

TEST_F(ReplacedLibrary, NothingOfTheOldFileComesIntoTheNewOne) {
  {
    auto library = Library::open(folder_.file("here.loom"), Access::kWrite);
    ASSERT_TRUE(library);
    ASSERT_TRUE(library->add_clip(clip_called("late")));
    ASSERT_TRUE(library->put_artefact({"graph", "g", 1, std::string(100'000, 'x'), "", {}, 0}, {}));
    fs::rename(folder_.file("other.loom"), folder_.file("here.loom"));
    for (const Result<void>& done : all_changes(*library)) EXPECT_FALSE(done);
  }
  auto now = Library::open(folder_.file("here.loom"), Access::kWrite);
  ASSERT_TRUE(now) << now.error().to_string();
  EXPECT_TRUE(now->verify());
  ASSERT_EQ(now->clips()->size(), 1U);
  EXPECT_EQ((*now->clips())[0].name, "new");
  EXPECT_TRUE(now->artefacts()->empty());
  EXPECT_TRUE(now->add_clip(clip_called("more")));
}

TEST_F(ReplacedLibrary, AChangeUnderWayWhenTheFileGoesIsNotSaidToBeDone) {
  auto library = Library::open(folder_.file("here.loom"), Access::kWrite);
  ASSERT_TRUE(library);
  const auto done = library->transact([&]() -> Result<void> {
    if (auto added = library->add_clip(clip_called("more")); !added) return added;
    fs::rename(folder_.file("other.loom"), folder_.file("here.loom"));
    return {};
  });
  EXPECT_FALSE(done);
}

TEST_F(ReplacedLibrary, TheFileAloneHoldsWhatWasWritten) {
  auto library = Library::open(folder_.file("here.loom"), Access::kWrite);
  ASSERT_TRUE(library);
  ASSERT_TRUE(library->add_clip(clip_called("late")));
  fs::copy_file(folder_.file("here.loom"), folder_.file("copy.loom"));  // without the log beside it
  const auto copy = Library::open(folder_.file("copy.loom"));
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->clips()->size(), 3U);
  EXPECT_TRUE(copy->verify());
}

TEST_F(ReplacedLibrary, WaitingForAnotherWriterEndsWhenAsked) {
  auto first = Library::open(folder_.file("here.loom"), Access::kWrite);
  auto second = Library::open(folder_.file("here.loom"), Access::kWrite);
  ASSERT_TRUE(first && second);
  int asked = 0;
  second->set_patience([&] { return ++asked < 5; });
  ASSERT_TRUE(first->transact([&]() -> Result<void> {
    const auto refused = second->add_label("old-1", {"x", 0, 1});
    EXPECT_FALSE(refused);
    EXPECT_THAT(refused.error().to_string(), HasSubstr("another process is writing"));
    return {};
  }));
  EXPECT_EQ(asked, 6) << "five times whether to go on, and once why it ended";
  EXPECT_TRUE(second->add_label("old-1", {"x", 0, 1}));
}

TEST_F(ReplacedLibrary, NamesThatAreNoUtf8AreNotLetIn) {
  auto library = Library::open(folder_.file("here.loom"), Access::kWrite);
  ASSERT_TRUE(library);
  EXPECT_FALSE(library->add_clip(clip_called("caf\xe9")));
  EXPECT_TRUE(library->add_clip(clip_called("caf\xc3\xa9")));
}

}  // namespace
}  // namespace loom::library
