// SPDX-License-Identifier: MIT
#include <set>

#include <gtest/gtest.h>

#include <loom/library/clip_names.h>

namespace loom::library {
namespace {

std::string name_beside(const std::string& path, const std::set<std::string>& taken) {
  return free_name(path, [&](const std::string& name) { return taken.contains(name); });
}

TEST(FreeName, IsTheStem) { EXPECT_EQ(name_beside("data/cmu/02_01.bvh", {}), "02_01"); }

TEST(FreeName, TakesAsManyFoldersAsItNeeds) {
  EXPECT_EQ(name_beside("data/cmu/02_01.bvh", {"02_01"}), "cmu-02_01");
  EXPECT_EQ(name_beside("data/cmu/02_01.bvh", {"02_01", "cmu-02_01"}), "data-cmu-02_01");
}

TEST(FreeName, CountsWhereFoldersDoNotHelp) {
  EXPECT_EQ(name_beside("a.bvh", {"a"}), "a-2");
  EXPECT_EQ(name_beside("../a.bvh", {"a", "a-2"}), "a-3");
}

TEST(UsableName, HasNoSlashesControlCharactersOrEnd) {
  EXPECT_EQ(usable_name("a/b\\c"), "a_b_c");
  EXPECT_EQ(usable_name(""), "_");
  EXPECT_EQ(usable_name("walk\n").find('\n'), std::string::npos);
  EXPECT_EQ(usable_name("Läufer"), "Läufer");
  EXPECT_LE(usable_name(std::string(1000, 'x')).size(), 200u);
  std::string long_umlauts;
  for (int i = 0; i < 150; ++i) long_umlauts += "ü";
  EXPECT_EQ(usable_name("x" + long_umlauts).size(), 199u);  // cut between characters, not within one
}

}  // namespace
}  // namespace loom::library
