// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>

#include "loom/options.h"

namespace loom::app {

/// The files and folders a command writes, and what keeps it from writing over what somebody needs.
///
/// Every option that names a place to write is added here. Before the command runs, each place it was given is looked
/// at, so that hours of work do not end in a refusal:
///   - never onto a file that the command reads, whatever name or link leads to it,
///   - never onto a library, nor under the name of one,
///   - never two outputs into one file,
///   - onto another file that is there already only with --force, which a command with outputs has.
/// It reads every other word that names a file, all motion in folders it searches, and an ASF or .bin beside a motion.
class Outputs {
 public:
  /// An option that names a place to write.
  struct Place {
    CLI::Option* option = nullptr;
    const std::string* path = nullptr;  ///< where the option's value is kept; empty when not given
    bool folder = false;                ///< a folder for files, or what may be one
    std::vector<std::string> files;     ///< what is written in the folder, as far as that is known beforehand
  };

  /// Adds an option that names a file to write. `path` must live as long as the command.
  Option add_file(Options& options, const std::string& names, std::string& path, const std::string& what);
  /// Adds an option that names a folder to write `files` in; others are told to `prepare`.
  Option add_folder(Options& options, const std::string& names, std::string& path, const std::string& what,
                    std::vector<std::string> files = {});

  /// Whether everything that the options name may be written. Called before the command runs.
  [[nodiscard]] Result<void> check() const;

  /// Whether the file `path` may be written: for one whose name no option says.
  [[nodiscard]] Result<void> allow(const std::string& path) const;
  /// Makes `folder` where it is not there, once it is clear that all of `files` may be written in it.
  [[nodiscard]] Result<void> prepare(const std::string& folder, std::span<const std::string> files = {}) const;

  [[nodiscard]] bool force() const { return force_; }
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }

 private:
  Option add(Options& options, const std::string& names, std::string& path, const std::string& what, Place place);
  [[nodiscard]] Result<void> check(const Place& place) const;
  /// All words the command was given that name no output.
  [[nodiscard]] std::vector<std::string> words_read() const;

  const CLI::App* options_ = nullptr;
  bool force_ = false;
  std::vector<Place> places_;
};

/// Whether the file at `path` begins as a library does.
bool starts_like_library(const std::string& path);

}  // namespace loom::app
