// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <loom/library/library.h>
#include <loom/sample/sample.h>

/// A library of sample motions in a temporary file, in place of one of your own: where a sample says
/// `SampleLibrary({"walk"}).open()`, your program says `library::Library::open("motions.loom")`.
class SampleLibrary {
 public:
  /// Makes the motions of these groups (`loom sample --help`). Ends the program where that fails.
  explicit SampleLibrary(const std::vector<std::string>& groups) {
    std::string folder = (std::filesystem::temp_directory_path() / "loom-sample-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) stop("no temporary folder");
    folder_ = folder;
    auto made = loom::sample::make_samples({}, groups);
    if (!made) stop(made.error().to_string());
    std::vector<loom::motion::Clip> clips;
    for (loom::sample::SampleClip& one : *made) clips.push_back(std::move(one.clip));
    auto library = loom::library::Library::open_or_create(path());
    if (!library) stop(library.error().to_string());
    if (const auto added = library->add_clips(clips); !added) stop(added.error().to_string());
  }
  ~SampleLibrary() { remove(); }
  SampleLibrary(const SampleLibrary&) = delete;
  SampleLibrary& operator=(const SampleLibrary&) = delete;

  [[nodiscard]] std::string path() const { return (folder_ / "samples.loom").string(); }
  [[nodiscard]] loom::Result<loom::library::Library> open() const {
    return loom::library::Library::open(path(), loom::library::Access::kWrite);
  }

 private:
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  [[noreturn]] void stop(const std::string& why) const {
    std::fprintf(stderr, "%s\n", why.c_str());
    if (!folder_.empty()) remove();
    std::exit(1);
  }

  std::filesystem::path folder_;
};
