// SPDX-License-Identifier: MIT
#include "loom/sample_library.h"

#include <filesystem>

#include <loom/base/file_lock.h>
#include <loom/library/library.h>
#include <loom/project/samples.h>

namespace loom::app {

Result<void> store_samples(const std::string& path, std::span<const sample::SampleClip> clips,
                           const sample::SampleOptions& options) {
  auto library = library::Library::open_or_create(path);
  if (!library) return fail_from(library);
  return project::add_samples(*library, clips, options);
}

namespace {

namespace fs = std::filesystem;

/// Makes the library at `path`, under another name first: a run that is cut short leaves no half library to be opened
/// next time.
Result<void> make_sample_library(const fs::path& path) {
  const sample::SampleOptions options;
  const auto samples = sample::make_samples(options);
  if (!samples) return fail_from(samples);
  fs::path unfinished = path;
  unfinished.replace_extension(".unfinished.loom");
  std::error_code error;
  for (const char* ending : {"", "-wal", "-shm"}) fs::remove(unfinished.string() + ending, error);
  if (const auto stored = store_samples(unfinished.string(), *samples, options); !stored) return fail_from(stored);
  fs::rename(unfinished, path, error);
  if (error) return fail("cannot be made: " + error.message(), path.string());
  return {};
}

}  // namespace

Result<std::string> kept_sample_library(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return fail("cannot be made: " + error.message(), folder);
  const fs::path path = fs::path(folder) / "samples.loom";
  if (fs::exists(path, error)) return path.string();
  // Of two first visits at once one makes it, and the other waits and opens what was made.
  const auto lock = FileLock::wait_for((fs::path(folder) / "samples.lock").string());
  if (!lock) return fail_from(lock);
  if (fs::exists(path, error)) return path.string();
  if (const auto made = make_sample_library(path); !made) return fail_from(made);
  return path.string();
}

}  // namespace loom::app
