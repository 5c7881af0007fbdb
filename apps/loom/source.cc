// SPDX-License-Identifier: MIT
#include "loom/source.h"

#include <loom/io/read.h>
#include <loom/library/bodies.h>
#include <loom/library/library.h>
#include <loom/library/listing.h>

#include "loom/command.h"

namespace loom::app {
namespace {

Result<SourceMotion> read_library(const Source& source) {
  const auto library = library::Library::open(source.path);
  if (!library) return fail_from(library);
  SourceMotion read;
  std::vector<std::string> names = source.clips;
  if (names.empty()) {
    auto all = library::list_clips(*library);
    if (!all) return fail_from(all);
    for (const library::DamagedClip& clip : all->damaged) notice(clip.error.to_string());
    read.damaged = std::move(all->damaged);
    if (!source.body.empty()) {
      if (const auto one = library::keep_one_body(*library, source.body, all->clips); !one) return fail_from(one);
    }
    for (const library::ClipInfo& info : all->clips) names.push_back(info.name);
  }
  for (const std::string& name : names) {
    auto clip = library->read_clip(name);
    if (!clip) return fail_from(clip);
    read.clips.push_back(std::move(*clip));
  }
  if (read.clips.empty()) {
    if (!read.damaged.empty()) return fail_as(ErrorKind::kDamaged, "every clip is damaged", source.path);
    return fail("the library has no clips", source.path);
  }
  return read;
}

Result<SourceMotion> read_file(const Source& source) {
  auto motions = io::read_motion(source.path);
  if (!motions) return fail_from(motions);
  SourceMotion read;
  for (io::ReadClip& motion : *motions) {
    for (const std::string& warning : motion.warnings) notice(source.path + ": " + warning);
    read.clips.push_back(std::move(motion.clip));
  }
  return read;
}

}  // namespace

void add_body_option(Options& options, std::string& body) {
  options.add_option("--body", body,
                     "of a library with several bodies the one to work on: its number, as `loom info` shows it, or a "
                     "clip that moves it");
}

nlohmann::json damaged_json(const std::vector<library::DamagedClip>& damaged) {
  auto list = nlohmann::json::array();
  for (const library::DamagedClip& clip : damaged) {
    list.push_back({{"name", clip.name}, {"error", clip.error.message}});
  }
  return list;
}

bool is_library(const std::string& path) { return starts_like_library(path) || path.ends_with(".loom"); }

Result<SourceMotion> read_clips(const Source& source) {
  if (is_library(source.path)) return read_library(source);
  if (!source.clips.empty()) return fail("is not a library, and has no clips by name", source.path);
  return read_file(source);
}

}  // namespace loom::app
