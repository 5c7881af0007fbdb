// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

namespace loom::library {

/// Something to say about a file.
struct FileNote {
  std::string file;
  std::string text;

  friend bool operator==(const FileNote&, const FileNote&) = default;
};

/// The motion files among some paths.
struct MotionFiles {
  std::vector<std::string> files;  ///< in an order that depends on the names alone
  std::vector<FileNote> failed;    ///< paths that lead nowhere, and folders without motion
};

/// Looks for motion files: a path to a file is taken as it is, a folder is searched to its depths for the endings that
/// `io::is_motion_file` knows. Hidden files and folders are passed over, and no file is named twice.
MotionFiles find_motion_files(std::span<const std::string> paths);

}  // namespace loom::library
