// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <loom/base/result.h>
#include <loom/library/label_table.h>
#include <loom/library/library.h>
#include <loom/library/motion_files.h>

namespace loom::library {

/// What became of a table of labels.
struct LabelReport {
  std::size_t added = 0;           ///< labels that are new
  std::size_t clips = 0;           ///< clips that have rows
  std::vector<FileNote> warnings;  ///< rows that found no clip or no frame; `file` is table and line
};

/// Puts the labels of `table` on the clips of a library, in one transaction. Rows find their clip by the file it was
/// imported from or by its name, as `match_labels` says, and count frames as that file does, whatever rate the clip
/// has now; rows for clips that came from no file count the clip's own frames.
Result<LabelReport> import_labels(Library& library, const LabelTable& table);

/// Puts some rows of `table` on one clip as `import_labels` does, and adds to `report` what came of it.
Result<void> label_clip(Library& library, const ClipInfo& clip, const LabelTable& table,
                        const std::vector<std::size_t>& rows, LabelReport& report);

}  // namespace loom::library
