// SPDX-License-Identifier: MIT
// Claims about the sources themselves: who may include whom, and what every file must carry.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace loom {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = LOOM_SOURCE_DIR;

/// What each module may include, besides itself (docs/architecture.md: data moves down and never back up).
const std::map<std::string, std::set<std::string>>& allowed_includes() {
  static const std::map<std::string, std::set<std::string>> allowed = {
      {"base", {}},
      {"motion", {"base"}},
      {"sample", {"base", "motion"}},
      {"picture", {"base", "motion"}},
      {"io", {"base", "motion"}},
      {"library", {"base", "motion", "io"}},
      {"compare", {"base", "motion", "library"}},
      {"graph", {"base", "motion", "io", "library", "compare", "polish", "picture"}},
      {"polish", {"base", "motion"}},
      {"blend", {"base", "motion", "io", "library", "compare", "polish", "picture"}},
      {"behavior", {"base", "motion", "io", "library", "compare", "polish", "picture", "graph", "blend"}},
      {"control", {"base", "motion", "io", "library", "compare", "polish", "picture", "graph", "blend", "behavior"}},
  };
  return allowed;
}

std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string ending = entry.path().extension().string();
    if (entry.is_regular_file() && (ending == ".h" || ending == ".cc")) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Layers, ModulesIncludeOnlyModulesAboveThem) {
  const std::regex include(R"(#include [<"]loom/([a-z_]+)/)");
  for (const fs::path& file : sources_below(kSource / "loom")) {
    const std::string module = fs::relative(file, kSource / "loom").begin()->string();
    ASSERT_TRUE(allowed_includes().contains(module)) << "module '" << module << "' has no place in the layers";
    for (const std::string& line : lines_of(file)) {
      std::smatch match;
      if (!std::regex_search(line, match, include) || match[1] == module) continue;
      EXPECT_TRUE(allowed_includes().at(module).contains(match[1])) << file << " includes " << match[1];
    }
  }
}

TEST(Layers, PublicHeadersStayLight) {
  const std::regex heavy(
      R"(#include <(Eigen|nlohmann/json.hpp|hwy|sqlite3|libqhull_r|nanoflann|oneapi|tbb|CLI|assimp|fmt)[/.>])");
  for (const fs::path& file : sources_below(kSource / "loom")) {
    if (file.extension() != ".h") continue;
    for (const std::string& line : lines_of(file)) EXPECT_FALSE(std::regex_search(line, heavy)) << file << ": " << line;
  }
}

TEST(Sources, JsonIsReadAndWrittenInOnePlace) {
  // Elsewhere a text of brackets alone, or a name that is no UTF-8, would end the process (loom/base/json_text.h).
  const std::regex unbounded(R"(json::parse\(|\.dump\()");
  for (const char* folder : {"loom", "apps"}) {
    for (const fs::path& file : sources_below(kSource / folder)) {
      const std::string name = file.filename().string();
      if (name == "json_text.cc" || name == "gltf_document.cc") continue;  // the latter tells the line of what is wrong
      for (const std::string& line : lines_of(file)) {
        EXPECT_FALSE(std::regex_search(line, unbounded)) << file << ": " << line;
      }
    }
  }
}

TEST(Sources, RoundedNumbersBecomeIntegersInOnePlace) {
  // An integer that cannot hold the number is undefined behaviour, and so is what is no number: loom/base/whole.h.
  const std::regex raw(
      R"((^|[^a-z_])ll?round\(|static_cast<[^<>]*(int|long|short|unsigned|_t|Index|Node)>\((std::(min|max|clamp)\(.*)?)"
      R"(std::(round|floor|ceil|trunc|rint|nearbyint)\()");
  std::size_t held = 0;
  for (const char* folder : {"loom", "apps"}) {
    for (const fs::path& file : sources_below(kSource / folder)) {
      for (const std::string& line : lines_of(file)) {
        held += line.find("to_whole<") != std::string::npos ? 1 : 0;
        EXPECT_FALSE(std::regex_search(line, raw)) << file << ": " << line;
      }
    }
  }
  EXPECT_GT(held, 40U) << "these are the sources, and what is looked for is in them";
}

TEST(Sources, EachFileNamesItsLicence) {
  for (const char* folder : {"loom", "apps", "tests", "bench", "fuzz"}) {
    for (const fs::path& file : sources_below(kSource / folder)) {
      if (file.string().find("node_modules") != std::string::npos) continue;
      const auto lines = lines_of(file);
      ASSERT_FALSE(lines.empty()) << file;
      EXPECT_EQ(lines[0], "// SPDX-License-Identifier: MIT") << file;
    }
  }
}

}  // namespace
}  // namespace loom
