// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>

#include <loom/library/note_groups.h>

namespace loom::library {
namespace {

constexpr std::size_t kShownFiles = 3;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The text without numbers and without names between quotes.
std::string kind_of(const std::string& text) {
  std::string kind;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool opens = text[i] == '\'' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '(');
    const std::size_t close = opens ? text.find('\'', i + 1) : std::string::npos;
    if (close != std::string::npos) {
      kind += "''";
      i = close;
    } else if (is_digit(text[i])) {
      if (kind.empty() || kind.back() != '#') kind += '#';
      while (i + 1 < text.size() &&
             (is_digit(text[i + 1]) || (text[i + 1] == '.' && i + 2 < text.size() && is_digit(text[i + 2]))))
        ++i;
    } else {
      kind += text[i];
    }
  }
  return kind;
}

}  // namespace

std::vector<NoteGroup> group_notes(std::span<const FileNote> notes) {
  std::vector<NoteGroup> groups;
  std::unordered_map<std::string, std::size_t> by_kind;
  for (const FileNote& note : notes) {
    const auto [place, fresh] = by_kind.emplace(kind_of(note.text), groups.size());
    if (fresh) groups.push_back({note, 0, {}, true});
    NoteGroup& group = groups[place->second];
    ++group.notes;
    group.alike = group.alike && note.text == group.example.text;
    // Notes about one file come one after the other.
    if (group.files.empty() || group.files.back() != note.file) group.files.push_back(note.file);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const NoteGroup& a, const NoteGroup& b) { return a.files.size() > b.files.size(); });
  return groups;
}

std::string to_string(const NoteGroup& group) {
  if (group.notes == 1) return fmt::format("{}: {}", group.example.file, group.example.text);
  std::string names;
  for (std::size_t i = 0; i < std::min(kShownFiles, group.files.size()); ++i) {
    names += (i == 0 ? "" : ", ") + std::filesystem::path(group.files[i]).filename().string();
  }
  if (group.files.size() > kShownFiles) names += fmt::format(" and {} more", group.files.size() - kShownFiles);
  return fmt::format("{} {}{} ({}): {}{}", group.files.size(), group.files.size() == 1 ? "file" : "files",
                     group.notes > group.files.size() ? fmt::format(", {} times", group.notes) : "", names,
                     group.alike ? "" : "such as: ", group.example.text);
}

}  // namespace loom::library
