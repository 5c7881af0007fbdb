// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include <loom/base/text.h>
#include <loom/library/clip_names.h>

namespace loom::library {
namespace {

constexpr std::size_t kMaxBytes = 200;  // leaves room for a number and an ending within a file name

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string usable_name(std::string_view text) {
  std::string name = clean_utf8(text);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == '\\'; }, '_');
  if (name.size() > kMaxBytes) {
    std::size_t end = kMaxBytes;
    while (end > 0 && continues_character(name[end])) --end;
    name.resize(end);
  }
  return name.empty() ? "_" : name;
}

std::string free_name(std::string_view path, const std::function<bool(const std::string&)>& taken) {
  const std::filesystem::path whole(path);
  std::string text = whole.stem().string();
  std::string name = usable_name(text);
  for (auto folder = whole.parent_path(); taken(name) && folder.has_filename(); folder = folder.parent_path()) {
    if (folder.filename() == ".." || folder.filename() == ".") break;
    text.insert(0, folder.filename().string() + "-");
    name = usable_name(text);
  }
  const std::string stem = name;
  for (int number = 2; taken(name); ++number) name = fmt::format("{}-{}", stem, number);
  return name;
}

bool fits_pattern(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t skip = star; skip <= name.size(); ++skip) {
    if (fits_pattern(name.substr(skip), rest)) return true;
  }
  return false;
}

}  // namespace loom::library
