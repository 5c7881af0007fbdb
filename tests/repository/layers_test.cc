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

/// A module as loom/CMakeLists.txt declares it.
struct Module {
  std::string name;
  bool runtime = false;  ///< part of what plays
  std::set<std::string> uses, offline, builds_on;

  /// Whether a file of it builds or stores: one of the OFFLINE files, or the header of one.
  [[nodiscard]] bool is_offline(const fs::path& file) const {
    return offline.contains(fs::relative(file, kSource / "loom" / name).replace_extension().string());
  }
};

/// All modules, in the order of loom/CMakeLists.txt: a module comes after those it uses.
std::vector<Module> declared_modules() {
  std::string text;
  for (const std::string& line : lines_of(kSource / "loom" / "CMakeLists.txt")) {
    if (!line.starts_with('#')) text += line + ' ';
  }
  const std::regex call(R"(loom_module\(([^()$]*)\))"), word(R"([\w/:]+)");
  std::vector<Module> modules;
  for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it) {
    const std::string said = (*it)[1];
    Module module;
    std::set<std::string> ignored, *list = &ignored;
    for (std::sregex_token_iterator w(said.begin(), said.end(), word), last; w != last; ++w) {
      const std::string one = *w;
      if (module.name.empty()) {
        module.name = one;
      } else if (one == "RUNTIME") {
        module.runtime = true;
      } else if (one == "USES" || one == "OFFLINE" || one == "BUILDS_ON") {
        list = one == "USES" ? &module.uses : one == "OFFLINE" ? &module.offline : &module.builds_on;
      } else if (one == "LINKS" || one == "BUILDS_WITH") {
        list = &ignored;
      } else {
        list->insert(one);
      }
    }
    modules.push_back(std::move(module));
  }
  return modules;
}

/// The modules that the files of one include: those that play, and those that build or store.
struct Included {
  std::set<std::string> playing, building;
};

Included included_by(const Module& module) {
  const std::regex include(R"(#include [<"]loom/([a-z_]+)/)");
  Included included;
  for (const fs::path& file : sources_below(kSource / "loom" / module.name)) {
    const bool offline = module.is_offline(file);
    for (const std::string& line : lines_of(file)) {
      std::smatch match;
      if (!std::regex_search(line, match, include) || match[1] == module.name) continue;
      (offline ? included.building : included.playing).insert(match[1]);
      const bool allowed = module.uses.contains(match[1]) || (offline && module.builds_on.contains(match[1]));
      EXPECT_TRUE(allowed) << file << " includes " << match[1];
    }
  }
  return included;
}

TEST(Layers, ModulesIncludeWhatTheySayTheyUseAndNothingElse) {
  std::set<std::string> above, playing;
  for (const Module& module : declared_modules()) {
    const Included included = included_by(module);
    for (const std::string& other : module.uses) {
      EXPECT_TRUE(above.contains(other)) << module.name << " uses " << other << ", which comes later";
      EXPECT_TRUE(!module.runtime || playing.contains(other)) << module.name << " plays, and uses " << other;
      EXPECT_TRUE(included.playing.contains(other))
          << module.name << " says that it uses " << other << ", and does not";
    }
    for (const std::string& other : module.builds_on) {
      EXPECT_TRUE(above.contains(other)) << module.name << " builds on " << other << ", which comes later";
      EXPECT_TRUE(included.building.contains(other)) << module.name << " does not build on " << other;
    }
    above.insert(module.name);
    if (module.runtime) playing.insert(module.name);
  }
  EXPECT_GT(playing.size(), 8u);
  for (const auto& entry : fs::directory_iterator(kSource / "loom")) {
    const bool known = !entry.is_directory() || above.contains(entry.path().filename().string());
    EXPECT_TRUE(known) << entry.path() << " has no place in loom/CMakeLists.txt";
  }
}

TEST(Layers, WhatIsInDetailIsIncludedByItsOwnModuleAlone) {
  const std::regex include(R"(#include [<"]loom/([a-z_]+)/(?:[a-z_]+/)*detail/)");
  for (const char* folder : {"loom", "apps", "samples"}) {
    for (const fs::path& file : sources_below(kSource / folder)) {
      const std::string where = fs::relative(file, kSource / folder).string();
      const bool is_public = file.extension() == ".h" && where.find("/detail/") == std::string::npos;
      for (const std::string& line : lines_of(file)) {
        std::smatch match;
        if (!std::regex_search(line, match, include)) continue;
        const bool own = std::string(folder) == "loom" && where.starts_with(match[1].str() + "/");
        EXPECT_TRUE(own && !is_public) << file << ": " << line;
      }
    }
  }
}

TEST(Layers, PublicHeadersStayLight) {
  const std::regex heavy(
      R"(#include <(Eigen|nlohmann/json.hpp|hwy|sqlite3|libqhull_r|nanoflann|oneapi|tbb|CLI|assimp|fmt)[/.>])");
  for (const fs::path& file : sources_below(kSource / "loom")) {
    if (file.extension() != ".h" || file.parent_path().filename() == "detail") continue;
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

/// The words of a page that stand as code.
std::vector<std::string> code_words(const std::string& line) {
  const std::regex quoted(R"(`([\w./-]+)`)");
  std::vector<std::string> words;
  for (std::sregex_iterator it(line.begin(), line.end(), quoted), end; it != end; ++it) words.push_back((*it)[1]);
  return words;
}

/// Whether a path of the repository is this, or ends in it: pages say `connect/hold_feet.h` where they speak of
/// `graph`.
bool is_in_the_repository(const std::string& named) {
  if (fs::exists(kSource / named)) return true;
  static const std::vector<std::string> paths = [] {
    std::vector<std::string> found;
    for (const char* folder :
         {"apps", "bench", "bindings", "cmake", "docs", "fuzz", "loom", "samples", "tests", "tools", "web"}) {
      for (auto it = fs::recursive_directory_iterator(kSource / folder); it != fs::recursive_directory_iterator();
           ++it) {
        if (it->path().filename() == "node_modules") {
          it.disable_recursion_pending();
        } else {
          found.push_back('/' + fs::relative(it->path(), kSource).string());
        }
      }
    }
    return found;
  }();
  const std::string ending = '/' + named.substr(0, named.find_last_not_of('/') + 1);
  return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) { return path.ends_with(ending); });
}

TEST(Pages, FilesThatAreNamedAreThere) {
  const std::regex file(R"([\w./-]+\.(cc|cu|h|ts|mjs|sh|md|json|txt|css|html|cmake|py))"), row(R"(^\| `([a-z]+)` \|)");
  const std::regex made_or_given(R"((\.\.|build|out)/.*|.*analysis\.html)");
  std::size_t held = 0;
  for (const char* page : {"docs/architecture.md", "docs/papers.md", "CONTRIBUTING.md"}) {
    for (const std::string& line : lines_of(kSource / page)) {
      std::smatch module;
      const bool of_module = std::regex_search(line, module, row);
      for (const std::string& word : code_words(line)) {
        const bool is_path = word.find('/') != std::string::npos;
        if ((!is_path && !std::regex_match(word, file)) || std::regex_match(word, made_or_given)) continue;
        if (word == "thing.cc") continue;  // any
        ++held;
        // In the table of modules a file alone is one of that module.
        const bool there =
            of_module && !is_path ? fs::exists(kSource / "loom" / module[1].str() / word) : is_in_the_repository(word);
        EXPECT_TRUE(there) << page << " names " << word;
      }
    }
  }
  EXPECT_GT(held, 250U) << "these are the pages, and what is looked for is in them";
}

TEST(Pages, TheReferenceSaysWhatEachNamespaceIsFor) {
  // Where it says nothing, `make docs` fails, which few run.
  const std::regex opened(R"(^namespace (loom[a-z_:]*) \{.*)");
  const auto said = lines_of(kSource / "docs/namespaces.dox");
  std::set<std::string> names;
  for (const fs::path& file : sources_below(kSource / "loom")) {
    if (file.extension() != ".h" || file.parent_path().filename() == "detail") continue;
    for (const std::string& line : lines_of(file)) {
      if (std::smatch name; std::regex_match(line, name, opened)) names.insert(name[1]);
    }
  }
  EXPECT_GT(names.size(), 20U);
  for (const std::string& name : names) {
    EXPECT_EQ(std::count(said.begin(), said.end(), "/// \\namespace " + name), 1) << name;
  }
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
