// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <loom/base/result.h>
#include <loom/motion/clip.h>

namespace loom::library {

/// One row of a table of labels.
struct LabelRow {
  std::string file;                 ///< which motion: a path, its last part, or that without the ending
  std::string label;                ///< what it shows
  std::optional<std::size_t> from;  ///< first frame, counted from 0 in the source file; nothing means the beginning
  std::optional<std::size_t> to;    ///< one past the last frame; nothing means the end
  std::size_t line = 0;             ///< in the table's file

  friend bool operator==(const LabelRow&, const LabelRow&) = default;
};

/// Labels for many motions, as people keep them: a CSV file with the columns file, label, from and to.
struct LabelTable {
  std::string path;  ///< of the CSV file
  std::vector<LabelRow> rows;
};

/// Reads the table at `path`. The first line names the columns, in any order: file and label must be there, from and to
/// may be; others are passed over. Commas, semicolons or tabs; quotes, CRLF and a byte-order mark are understood.
/// Fails with the line and what is wrong with it.
Result<LabelTable> read_label_table(const std::string& path);
/// The same from the text of such a file; `path` is for errors.
Result<LabelTable> parse_label_table(std::string_view text, const std::string& path);

/// Which rows belong to which of some motions.
struct LabelMatches {
  std::vector<std::vector<std::size_t>> rows;  ///< for each motion, indices of its rows in the table's order
  std::vector<std::size_t> unmatched;          ///< rows that belong to none
};

/// Finds the rows of each of `motions`, given by path with forward slashes or by bare name. A row belongs to every
/// motion whose path is the row's or ends in it ("walks/01.bvh" names "/data/walks/01.bvh"); with or without the
/// ending. A row that fits none so belongs to the one motion with the same last part, where there is exactly one: the
/// folders may have other names here.
LabelMatches match_labels(const LabelTable& table, std::span<const std::string> motions);

/// The range of `row` as a label of a clip of `frames` frames at `rate`, which starts with frame `first_frame` of a
/// source at `source_rate`. Nothing where the row lies wholly outside the clip; cut to the clip where it reaches out.
std::optional<motion::Label> label_of(const LabelRow& row, std::size_t first_frame, double source_rate,
                                      std::size_t frames, double rate);

}  // namespace loom::library
