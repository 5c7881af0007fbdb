// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/progress.h>
#include <loom/base/result.h>
#include <loom/io/raw_motion.h>
#include <loom/library/label_table.h>
#include <loom/library/library.h>
#include <loom/library/motion_files.h>
#include <loom/motion/clip.h>

namespace loom::library {

/// How motion comes onto a body of another hierarchy. The library knows nothing of humans: who does says whether it can
/// be done and does it (`project::between_humans`).
struct CarryOver {
  std::function<bool(const motion::Clip& clip, const std::shared_ptr<const motion::Skeleton>& body)> can;
  std::function<Result<motion::Clip>(const motion::Clip& clip, const std::shared_ptr<const motion::Skeleton>& body)>
      carry;
};

struct ImportOptions {
  io::ReadOptions read;        ///< scale, up axis, T-pose, skeleton file
  std::optional<double> rate;  ///< resample to this many frames a second; as recorded by default
  LabelTable labels;           ///< labels by file; `read_label_table`
  bool keep_apart = false;     ///< leave every performer's proportions as they are
  /// Whose body the others are fitted to: a clip of the library, one of the files by path or name, or the first of
  /// them whose name begins with this and '_' (a performer). Empty: the library's first body, else the first file's.
  std::string body;
  CarryOver carry_over{};    ///< without it, bodies of another hierarchy are kept apart
  bool keep_faults = false;  ///< leave faults of capture as they are; they are found and told all the same
  bool mend_rate = false;    ///< believe what a performer's motions say about their frame rate; else it is only told
  bool replace = false;      ///< import again what was imported before, in place of the old clips
};

/// What a file did not say and had to be guessed.
struct ImportGuess {
  std::string file;
  std::optional<double> metres_per_unit;  ///< set where the scale was guessed
  std::optional<int> up_axis;             ///< 0, 1, 2; set where it was guessed
};

/// A fault of capture found in a file.
struct ImportFault {
  std::string file;
  std::string kind;     ///< as to_string(FaultKind)
  std::string text;     ///< a full sentence
  float severity = 0;   ///< in [0, 1]; below 0.25 one may not see it
  bool mended = false;  ///< whether the clip in the library is free of it
  double rate = 0;      ///< of kind "frame-rate": frames a second it seems to be recorded at; 0 for others
};

/// What an import did, file by file.
struct ImportReport {
  std::vector<std::string> clips;    ///< names of the new clips, in the order of the files
  std::size_t frames = 0;            ///< of all new clips
  std::size_t fitted = 0;            ///< clips whose motion was fitted to another body
  std::vector<FileNote> failed;      ///< files that could not be imported, and why
  std::vector<FileNote> skipped;     ///< files whose content was in the library already
  std::vector<FileNote> copies;      ///< files with the content of another file of this import
  std::size_t labels_passed_on = 0;  ///< labels of those two that went to the clips that have the content
  std::vector<FileNote> warnings;    ///< what a user should look at
  std::vector<FileNote> notes;       ///< what was decided
  std::vector<ImportGuess> guesses;
  std::vector<ImportFault> faults;
  double seconds = 0;  ///< wall-clock time
};

/// Brings motion files into a library, in one transaction: all that can be read, or nothing where the process is
/// killed, the disk is full or `progress` stops it. A file that cannot be read is reported and does not stop the rest.
///
/// All files are looked at before the first is stored, since many tell what one does not (`ImportSurvey`): artificial
/// first frames, what is up, the rate a performer was recorded at.
///
/// Each file is read, mended where that is safe, resampled where asked, fitted to the library's body unless kept apart,
/// named after its file (with the folder before it where the name is taken) and labelled. Work goes on on all cores
/// with a few files in memory at a time; what comes out does not depend on how many.
///
/// A file whose content is in the library, or in an earlier file, is skipped, and its labels go to the clip there. One
/// that was imported from the same place with other content, or with other options, is a failure that says so, unless
/// `replace` is set.
Result<ImportReport> import_motions(Library& library, std::span<const std::string> files, const ImportOptions& options,
                                    const Progress& progress = {});

}  // namespace loom::library
