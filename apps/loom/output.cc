// SPDX-License-Identifier: MIT
#include "loom/output.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/stat.h>

#include <loom/io/read.h>

namespace loom::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSearched = "paths";  ///< the option of a command that searches folders for motion

/// Which file it is, whatever it is called.
struct Identity {
  dev_t device = 0;
  ino_t number = 0;
  bool operator==(const Identity&) const = default;
};

struct Found {
  Identity identity;
  bool plain = false, folder = false;
};

/// What lies at `path`, at the end of all links; nothing where nothing does.
std::optional<Found> look_at(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return Found{{status.st_dev, status.st_ino}, S_ISREG(status.st_mode), S_ISDIR(status.st_mode)};
}

/// A library, or one of the files that SQLite keeps beside it.
bool is_library_name(const std::string& path) {
  constexpr std::string_view kEndings[] = {".loom", ".loom-wal", ".loom-shm", ".loom-journal"};
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](auto ending) { return path.ends_with(ending); });
}

/// One name for a place, whether there is a file yet or not.
std::string whole_name(const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : whole.lexically_normal().string();
}

/// Whether a command that was given the words `read` may come upon the file `path` without being told its name: since
/// it lies in a folder among `searched`, or beside a motion that it belongs to.
bool may_be_found(const std::string& path, const std::vector<std::string>& read,
                  const std::vector<std::string>& searched) {
  const std::string whole = whole_name(path), ending = CLI::detail::to_lower(fs::path(whole).extension().string());
  const bool belongs_to_motion = io::is_skeleton_file(whole) || ending == ".bin";  // skeletons and buffers
  const auto has_beside = [&](const std::string& word) {
    return io::is_motion_file(word) && look_at(word) &&
           fs::path(whole_name(word)).parent_path() == fs::path(whole).parent_path();
  };
  if (belongs_to_motion && std::any_of(read.begin(), read.end(), has_beside)) return true;
  if (!belongs_to_motion && ending != ".csv" && !io::is_motion_file(whole)) return false;
  return std::any_of(searched.begin(), searched.end(), [&](const std::string& word) {
    const auto found = look_at(word);
    if (!found || !found->folder) return false;
    const fs::path below = fs::path(whole).lexically_relative(whole_name(word));
    return !below.empty() && *below.begin() != "..";
  });
}

}  // namespace

bool starts_like_library(const std::string& path) {
  constexpr std::string_view kStart = "SQLite format 3";
  // Whoever opens something else tells what it is instead: looking into a pipe would wait for ever.
  if (const auto found = look_at(path); !found || !found->plain) return false;
  char start[kStart.size()] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  return std::string_view(start, sizeof start) == kStart;
}

Option Outputs::add(Options& options, const std::string& names, std::string& path, const std::string& what,
                    Place place) {
  if (places_.empty()) options.add_flag("--force", force_, "replace files that are there already");
  options_ = &options.app();
  const Option option = options.add_option(names, path, what);
  place.option = option.get();
  place.path = &path;
  places_.push_back(std::move(place));
  return option;
}

Option Outputs::add_file(Options& options, const std::string& names, std::string& path, const std::string& what) {
  return add(options, names, path, what, {});
}

Option Outputs::add_folder(Options& options, const std::string& names, std::string& path, const std::string& what,
                           std::vector<std::string> files) {
  return add(options, names, path, what, {nullptr, nullptr, true, std::move(files)});
}

std::vector<std::string> Outputs::words_read() const {
  std::vector<std::string> words;
  for (const CLI::Option* option : options_->get_options()) {
    if (std::any_of(places_.begin(), places_.end(), [&](const Place& place) { return place.option == option; }))
      continue;
    words.insert(words.end(), option->results().begin(), option->results().end());
  }
  return words;
}

Result<void> Outputs::allow(const std::string& path) const {
  if (is_library_name(path)) return fail("is the name of a library; give the output another one", path);
  const auto found = look_at(path);
  if (!found && errno != ENOENT)
    return fail(fmt::format("cannot be written: {}", std::generic_category().message(errno)), path);
  if (!found) return {};
  if (found->folder) return fail("is a folder; say a file", path);
  if (!found->plain) return fail("is not a plain file", path);
  constexpr const char* kIsRead = "is read by this command, which does not write over it; give the output another name";
  const std::vector<std::string> read_words = words_read();
  const CLI::Option* searched = options_->get_option_no_throw(kSearched);
  const std::vector<std::string> folders = searched != nullptr ? searched->results() : std::vector<std::string>();
  if (may_be_found(path, read_words, folders)) return fail(kIsRead, path);
  for (const std::string& word : read_words) {
    for (const char* beside : {"", "-wal", "-shm", "-journal"}) {  // what SQLite keeps beside a library
      const auto read = look_at(word + beside);
      if (!read || read->identity != found->identity) continue;
      return fail(kIsRead, path);
    }
  }
  if (starts_like_library(path)) return fail("is a library or another database; give the output another name", path);
  if (!force_) return fail("is there already; give another name, or --force to replace it", path);
  return {};
}

Result<void> Outputs::check(const Place& place) const {
  const std::string& path = *place.path;
  if (!place.folder) {
    const std::string folder = fs::path(path).parent_path().string();
    if (!folder.empty() && !look_at(folder)) {
      return fail_as(ErrorKind::kNotFound, "cannot be written: there is no such folder", path);
    }
    return allow(path);
  }
  const auto found = look_at(path);
  // What may be a folder or a file (`loom export`) is judged as the file that it is.
  if (found && !found->folder) return allow(path);
  if (is_library_name(path)) return fail("is the name of a library; give the output another one", path);
  for (const std::string& file : place.files) {
    if (auto allowed = allow((fs::path(path) / file).string()); !allowed) return allowed;
  }
  return {};
}

Result<void> Outputs::check() const {
  std::vector<std::string> named;
  for (const Place& place : places_) {
    if (place.path->empty()) continue;
    if (auto allowed = check(place); !allowed) return allowed;
    named.push_back(whole_name(*place.path));
    if (std::count(named.begin(), named.end(), named.back()) > 1) {
      return fail("is named for two outputs; give one of them another name", *place.path);
    }
  }
  return {};
}

Result<void> Outputs::prepare(const std::string& folder, std::span<const std::string> files) const {
  for (const std::string& file : files) {
    if (auto allowed = allow((fs::path(folder) / file).string()); !allowed) return allowed;
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail(fmt::format("cannot be made a folder: {}", error.message()), folder);
  return {};
}

}  // namespace loom::app
