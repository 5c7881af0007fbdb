// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/io/detail/skeleton_file.h>

namespace loom::io {
namespace {

namespace fs = std::filesystem;

/// The words of a file's name: "07_05-walk" has 07, 05 and walk.
std::vector<std::string> words_of(const std::string& stem) {
  std::vector<std::string> words(1);
  for (const char c : lower_case(stem)) {
    if (c == '_' || c == '-' || c == ' ' || c == '.' || c == '@') {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

/// How well a skeleton's name fits a motion's: 0 unless they start with the same word, the performer; then how many
/// words of the one are found in the other. The same name fits best.
std::size_t likeness(const std::string& skeleton_stem, const std::string& motion_stem) {
  if (lower_case(skeleton_stem) == lower_case(motion_stem)) return 1000;
  const std::vector<std::string> skeleton = words_of(skeleton_stem), motion = words_of(motion_stem);
  if (skeleton[0].empty() || skeleton[0] != motion[0]) return 0;
  return static_cast<std::size_t>(std::count_if(skeleton.begin(), skeleton.end(), [&](const std::string& word) {
    return std::find(motion.begin(), motion.end(), word) != motion.end();
  }));
}

}  // namespace

Result<std::string> find_skeleton_file(const std::string& motion_path, std::string_view ending,
                                       const std::string& given) {
  if (!given.empty()) return given;
  const fs::path motion(motion_path);
  const fs::path folder = motion.has_parent_path() ? motion.parent_path() : fs::path(".");
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (lower_case(it->path().extension().string()) == ending) found.push_back(it->path());
  }
  std::sort(found.begin(), found.end());
  std::size_t best = 0, ties = 0;
  const fs::path* chosen = nullptr;
  for (const fs::path& skeleton : found) {
    const std::size_t fit = likeness(skeleton.stem().string(), motion.stem().string());
    ties = fit == best ? ties + 1 : (fit > best ? 0 : ties);
    if (fit > best) {
      best = fit;
      chosen = &skeleton;
    }
  }
  if (chosen != nullptr && ties == 0) return chosen->string();
  if (found.size() == 1) return found[0].string();
  const std::string stem = motion.stem().string();
  std::string kind(ending.substr(1));
  std::transform(kind.begin(), kind.end(), kind.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return fail_as(
      ErrorKind::kNotFound,
      fmt::format("needs its skeleton: looked in '{}' for '{}{}', for an {} file that starts with '{}', and for a "
                  "single {} file, and found {}; say which one to use",
                  folder.string(), stem, ending, kind, words_of(stem)[0], kind,
                  found.empty() ? "none" : fmt::format("{} that fit no better than each other", found.size())),
      motion_path);
}

}  // namespace loom::io
