// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <loom/io/read.h>
#include <loom/library/detail/import_job.h>
#include <loom/library/detail/import_survey.h>
#include <loom/library/import.h>
#include <loom/library/import_labels.h>
#include <loom/measure/faults.h>

namespace loom::library {

/// What makes clips of a file that is being imported: reads it, drops what is no capture, labels, finds faults and
/// mends them, resamples. Knows of no other file but what the survey found in all of them, and touches no library, so
/// that many files may be read at once. Keeps references to what it is made with.
class ImportReader {
 public:
  ImportReader(const ImportOptions& options, const std::string& options_json, const LabelMatches& labels,
               ImportSurvey& survey)
      : options_(options), options_json_(options_json), labels_(labels), survey_(survey) {}

  /// Fills in the job's clips, notes and faults, or its error. Lets nothing be thrown out.
  void read(ImportJob& job) const;

 private:
  [[nodiscard]] Result<std::vector<io::ReadClip>> motions_of(const ImportJob& job) const;
  bool take(ImportJob& job, io::ReadClip&& motion, const MotionVerdict& verdict) const;
  [[nodiscard]] std::optional<measure::Fault> treat_rate(motion::Clip& clip, const MotionVerdict& verdict) const;
  void treat_faults(ImportJob& job, motion::Clip& clip, Provenance& provenance, const MotionVerdict& verdict,
                    const std::optional<measure::Fault>& rate) const;

  const ImportOptions& options_;
  const std::string& options_json_;  ///< as it is remembered with each clip
  const LabelMatches& labels_;
  ImportSurvey& survey_;
};

/// Fits the clips of a job to the bodies chosen for them, or sets its error. Lets nothing be thrown out.
void fit_to_bodies(ImportJob& job, const CarryOver& carry_over);

}  // namespace loom::library
