// SPDX-License-Identifier: MIT
// Claims about the sources themselves: who may include whom, and what every file must carry.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace loom {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = LOOM_SOURCE_DIR;

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

/// What each module says it uses, in the order of loom/CMakeLists.txt: a module comes after those it uses.
std::vector<std::pair<std::string, std::set<std::string>>> declared_modules() {
  const std::regex module(R"(^loom_module\((\w+)(?: USES ([\w ]+?))?(?: LINKS .*)?\)$)"), word(R"(\w+)");
  std::vector<std::pair<std::string, std::set<std::string>>> modules;
  for (const std::string& line : lines_of(kSource / "loom" / "CMakeLists.txt")) {
    std::smatch match;
    if (!std::regex_search(line, match, module)) continue;
    const std::string uses = match[2];
    modules.push_back({match[1], {std::sregex_token_iterator(uses.begin(), uses.end(), word), {}}});
  }
  return modules;
}

TEST(Layers, ModulesIncludeWhatTheySayTheyUseAndNothingElse) {
  const std::regex include(R"(#include [<"]loom/([a-z_]+)/)");
  std::set<std::string> above;
  for (const auto& [module, uses] : declared_modules()) {
    std::set<std::string> used;
    for (const fs::path& file : sources_below(kSource / "loom" / module)) {
      for (const std::string& line : lines_of(file)) {
        std::smatch match;
        if (!std::regex_search(line, match, include) || match[1] == module) continue;
        used.insert(match[1]);
        EXPECT_TRUE(uses.contains(match[1])) << file << " includes " << match[1];
      }
    }
    for (const std::string& other : uses) {
      EXPECT_TRUE(above.contains(other)) << module << " uses " << other << ", which comes later";
      EXPECT_TRUE(used.contains(other)) << module << " says that it uses " << other << ", and does not";
    }
    above.insert(module);
  }
  for (const auto& entry : fs::directory_iterator(kSource / "loom")) {
    const bool known = !entry.is_directory() || above.contains(entry.path().filename().string());
    EXPECT_TRUE(known) << entry.path() << " has no place in loom/CMakeLists.txt";
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

TEST(Sources, TheLibraryKnowsOfNoCommandLine) {
  // What would help is told by its name (Error::settings); how it is set is for the front end to say.
  const std::regex flag(R"("([^"]*[ (`'])?--[a-z])"), command(R"("[^"]*`loom )"), comment(R"(^\s*//)");
  for (const fs::path& file : sources_below(kSource / "loom")) {
    for (const std::string& line : lines_of(file)) {
      if (std::regex_search(line, comment)) continue;
      EXPECT_FALSE(std::regex_search(line, flag) || std::regex_search(line, command)) << file << ": " << line;
    }
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
