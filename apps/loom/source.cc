// SPDX-License-Identifier: MIT
#include "loom/source.h"

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include <loom/io/read.h>
#include <loom/library/bodies.h>
#include <loom/library/library.h>

#include "loom/command.h"

namespace loom::app {
namespace {

Result<std::vector<motion::Clip>> read_library(const Source& source) {
  const auto library = library::Library::open(source.path);
  if (!library) return fail_from(library);
  std::vector<std::string> names = source.clips;
  if (names.empty()) {
    auto all = library->clips();
    if (!all) return fail_from(all);
    if (!source.body.empty()) {
      if (const auto one = library::keep_one_body(*library, source.body, *all); !one) return fail_from(one);
    }
    for (const library::ClipInfo& info : *all) names.push_back(info.name);
  }
  std::vector<motion::Clip> clips;
  for (const std::string& name : names) {
    auto clip = library->read_clip(name);
    if (!clip) return fail_from(clip);
    clips.push_back(std::move(*clip));
  }
  if (clips.empty()) return fail("the library has no clips", source.path);
  return clips;
}

Result<std::vector<motion::Clip>> read_file(const Source& source) {
  auto motions = io::read_motion(source.path);
  if (!motions) return fail_from(motions);
  std::vector<motion::Clip> clips;
  for (io::ReadClip& motion : *motions) {
    for (const std::string& warning : motion.warnings) notice(source.path + ": " + warning);
    clips.push_back(std::move(motion.clip));
  }
  return clips;
}

}  // namespace

void add_body_option(CLI::App& options, std::string& body) {
  options.add_option("--body", body,
                     "of a library with several bodies the one to work on: its number, as `loom info` shows it, or a "
                     "clip that moves it");
}

bool is_library(const std::string& path) {
  constexpr std::string_view kStart = "SQLite format 3";
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  // Whoever opens it tells what it is instead: looking into a pipe would wait for ever.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return path.ends_with(".loom");
  char start[kStart.size()] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  return std::string_view(start, sizeof start) == kStart || path.ends_with(".loom");
}

Result<std::vector<motion::Clip>> read_clips(const Source& source) {
  if (is_library(source.path)) return read_library(source);
  if (!source.clips.empty()) return fail("is not a library, and has no clips by name", source.path);
  return read_file(source);
}

}  // namespace loom::app
