// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <system_error>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tbb/parallel_pipeline.h>

#include <loom/base/json_text.h>
#include <loom/base/parallel.h>
#include <loom/base/progress_part.h>
#include <loom/base/shared_progress.h>
#include <loom/io/read.h>
#include <loom/library/clip_names.h>
#include <loom/library/detail/body_choice.h>
#include <loom/library/detail/import_job.h>
#include <loom/library/detail/import_reader.h>
#include <loom/library/detail/import_survey.h>
#include <loom/library/hash.h>
#include <loom/library/import.h>
#include <loom/library/import_labels.h>

namespace loom::library {
namespace {

namespace fs = std::filesystem;

constexpr double kHashShare = 0.05;    // of the work, which telling by their content which files are new is
constexpr double kSurveyShare = 0.35;  // by when all files have been looked at

using Job = ImportJob;
using JobPtr = std::shared_ptr<Job>;

/// What was asked for, as it is remembered with each clip.
std::string options_json(const ImportOptions& options) {
  nlohmann::json json = {{"keep_apart", options.keep_apart},
                         {"keep_faults", options.keep_faults},
                         {"keep_t_pose", options.read.keep_t_pose}};
  if (options.rate) json["rate"] = *options.rate;
  if (options.mend_rate) json["mend_rate"] = true;
  if (options.read.source_rate) json["source_rate"] = *options.read.source_rate;
  if (options.read.metres_per_unit) json["metres_per_unit"] = *options.read.metres_per_unit;
  if (options.read.up_axis) json["up"] = std::string(1, "xyz"[*options.read.up_axis]);
  if (!options.read.asf_file.empty()) json["asf"] = options.read.asf_file;
  if (!options.read.sk_file.empty()) json["sk"] = options.read.sk_file;
  if (options.read.root_offset == io::RootOffset::kAdd) json["root_offset"] = "add";
  if (options.read.root_offset == io::RootOffset::kReplace) json["root_offset"] = "replace";
  if (!options.body.empty()) json["body"] = options.body;
  return json_text(json);
}

/// Runs files through the stages of an import. Stages called `..._serially` see the files one at a time and in order,
/// which makes the outcome independent of the number of threads; they alone touch the library, under a lock, since one
/// such stage may be at one file while another is at the next. The other stages run on all cores.
class Import {
 public:
  Import(Library& library, std::span<const std::string> files, const ImportOptions& options, const Progress& progress)
      : library_(library),
        files_(files),
        options_(options),
        progress_(progress),
        options_json_(options_json(options)),
        survey_(std::make_unique<ImportSurvey>(files.size())),
        hashes_of_files_(files.size()),
        bodies_(options.keep_apart, options.carry_over) {}

  Result<ImportReport> run() {
    const auto start = std::chrono::steady_clock::now();
    if (const auto ready = prepare(); !ready) return fail_from(ready);
    if (const auto looked = survey(); !looked) return fail_from(looked);
    const auto done = library_.transact([&]() -> Result<void> {
      run_stages();
      if (failure_) return tl::unexpected<Error>(*failure_);
      return {};
    });
    if (!done) return fail_from(done);
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(report_);
  }

 private:
  /// Matches the labels, and finds the bodies clips will be fitted to.
  Result<void> prepare() {
    std::error_code ignored;
    folder_ = fs::weakly_canonical(fs::absolute(library_.path(), ignored), ignored).parent_path();
    std::vector<std::string> paths;
    for (const std::string& file : files_) paths.push_back(fs::absolute(file, ignored).generic_string());
    labels_ = match_labels(options_.labels, paths);
    warn_of_unmatched_labels();
    if (!options_.body.empty()) {
      const auto body = find_wanted_body();
      if (!body) return fail_from(body);
      bodies_.add(*body, "that of '" + options_.body + "'");
    }
    const auto skeletons = library_.skeletons();
    if (!skeletons) return fail_from(skeletons);
    for (const SkeletonInfo& info : *skeletons) {
      bodies_.add(info.skeleton, fmt::format("the library's body {}", info.id));
    }
    return {};
  }

  /// Looks at every file whose content is new before any is stored.
  Result<void> survey() {
    const Progress hashing = part_of(progress_, 0, kHashShare);
    SharedProgress hashed(hashing, files_.size(), "looking for files that are new");
    parallel_for(files_.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end && hashed.goes_on(); ++i) {
        hashes_of_files_[i] = file_hash(files_[i]);
        hashed.one_done();
      }
    });
    if (!hashed.goes_on()) return tl::unexpected<Error>(stopped_by_user());
    std::vector<std::size_t> fresh;
    std::unordered_set<std::string> contents;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (!hashes_of_files_[i] || !contents.insert(*hashes_of_files_[i]).second) continue;
      const auto known = library_.clips_of_content(*hashes_of_files_[i]);
      if (!known) return fail_from(known);
      if (known->empty() || options_.replace) fresh.push_back(i);
    }
    std::size_t done = 0;
    bool stopped = false;
    parallel_for(fresh.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (const std::lock_guard lock(mutex_); stopped) return;
        const std::string& file = files_[fresh[i]];
        try {
          survey_->look(fresh[i], file, options_.read);
        } catch (const std::exception&) {
          // No memory for it: it says nothing here, and why is told when it is read.
        }
        const std::lock_guard lock(mutex_);
        const double share = static_cast<double>(++done) / static_cast<double>(fresh.size());
        stopped = stopped || !progress_.report(std::lerp(kHashShare, kSurveyShare, share), file);
      }
    });
    if (stopped) return tl::unexpected<Error>(stopped_by_user());
    return survey_->judge(library_);
  }

  /// One warning for all rows: a table for many folders may be used to import one of them.
  void warn_of_unmatched_labels() {
    if (labels_.unmatched.empty()) return;
    const LabelRow& first = options_.labels.rows[labels_.unmatched.front()];
    const std::size_t others = labels_.unmatched.size() - 1;
    std::string text = fmt::format("no file is called '{}'", first.file);
    if (others > 0) text += fmt::format(", and {} more rows find none", others);
    report_.warnings.push_back({fmt::format("{}:{}", options_.labels.path, first.line), std::move(text)});
  }

  [[nodiscard]] Result<BodyChoice::Body> find_wanted_body() const {
    const std::string& wanted = options_.body;
    if (const auto info = library_.clip_info(wanted)) {
      const auto clip = library_.read_clip(wanted);
      if (!clip) return fail_from(clip);
      return clip->skeleton;
    }
    std::error_code ignored;
    std::string file = fs::is_regular_file(wanted, ignored) ? wanted : std::string();
    for (std::size_t i = 0; i < files_.size() && file.empty(); ++i) {
      if (fs::path(files_[i]).stem() == wanted) file = files_[i];
    }
    for (std::size_t i = 0; i < files_.size() && file.empty(); ++i) {
      if (fs::path(files_[i]).filename().string().starts_with(wanted + "_")) file = files_[i];
    }
    if (file.empty())
      return fail_as(ErrorKind::kNotFound,
                     fmt::format("there is no clip, file or performer '{}' to take the body of", wanted));
    const auto read = io::read_motion(file, options_.read);
    if (!read) return fail_from(read);
    if (read->empty()) return fail("holds no motion to take the body of", file);
    return read->front().clip.skeleton;
  }

  void run_stages() {
    using tbb::filter_mode;
    const auto parallel = [](auto stage) {
      return tbb::make_filter<JobPtr, JobPtr>(filter_mode::parallel, [stage](JobPtr job) {
        if (job->live()) stage(*job);
        return job;
      });
    };
    const ImportReader reader(options_, options_json_, labels_, *survey_);
    const auto serial = [](void (Import::*stage)(Job&), Import* self) {
      return tbb::make_filter<JobPtr, JobPtr>(filter_mode::serial_in_order, [stage, self](JobPtr job) {
        const std::lock_guard lock(self->mutex_);
        if (job->live() && !self->failure_) (self->*stage)(*job);
        return job;
      });
    };
    const auto source = tbb::make_filter<void, JobPtr>(filter_mode::serial_in_order, [&](tbb::flow_control& control) {
      const std::lock_guard lock(mutex_);
      if (next_ == files_.size() || failure_) {
        control.stop();
        return JobPtr();
      }
      auto job = std::make_shared<Job>();
      job->index = next_++;
      job->file = files_[job->index];
      return job;
    });
    const auto sink = tbb::make_filter<JobPtr, void>(filter_mode::serial_in_order, [&](const JobPtr& job) {
      const std::lock_guard lock(mutex_);
      if (!failure_) finish_serially(*job);
    });
    const std::size_t files_at_once = 2 * thread_count() + 2;  // bounds the memory, and keeps every core fed
    tbb::parallel_pipeline(
        files_at_once, source & parallel([this](Job& job) { identify(job); }) & serial(&Import::decide_serially, this) &
                           parallel([&reader](Job& job) { reader.read(job); }) & serial(&Import::place_serially, this) &
                           parallel([this](Job& job) { fit_to_bodies(job, options_.carry_over); }) & sink);
  }

  void identify(Job& job) const {
    std::error_code problem;
    const fs::path whole = fs::canonical(job.file, problem);
    const fs::path relative = problem ? fs::path() : whole.lexically_relative(folder_);
    job.source = relative.empty() ? fs::path(job.file).generic_string() : relative.generic_string();
    const Result<std::string>& hashed = hashes_of_files_[job.index];
    if (hashed) {
      job.hash = *hashed;
    } else {
      job.error = hashed.error().message;
    }
  }

  /// Decides whether the file is new.
  void decide_serially(Job& job) {
    const auto [first, fresh] = hashes_.emplace(job.hash, job.file);
    if (!fresh && first->second != kInLibrary) {
      job.skipped = fmt::format("has the same content as {}", first->second);
      job.copy = true;
      return;
    }
    auto known = library_.clips_of_content(job.hash);
    if (!known) return stop(known.error());
    if (known->empty()) {
      known = library_.clips_of_source(job.source);
      if (!known) return stop(known.error());
      if (known->empty()) return;
      if (!options_.replace) {
        job.error = fmt::format(
            "has changed since it was imported as '{}'; import it with 'replace' to take the new one", known->front());
      }
    } else if (!options_.replace) {
      const auto provenance = library_.provenance(known->front());
      if (!provenance) return stop(provenance.error());
      if (provenance->options == options_json_) {
        job.skipped = fmt::format("is in the library as '{}'", known->front());
        first->second = kInLibrary;
      } else {
        job.error = fmt::format("was imported with other options, as '{}'; import it with 'replace' to do it again",
                                known->front());
      }
    }
    job.replaced = std::move(*known);
  }

  /// Gives each clip its name and its body.
  void place_serially(Job& job) {
    const std::string stem = usable_name(fs::path(job.file).stem().string());
    for (IncomingClip& incoming : job.clips) {
      fs::path path(job.source);
      if (job.clips.size() > 1) path.replace_filename(fs::path(stem + "-" + usable_name(incoming.clip.name) + ".x"));
      std::optional<Error> problem;
      incoming.clip.name = free_name(path.generic_string(), [&](const std::string& name) {
        if (names_.contains(name)) return true;
        if (std::find(job.replaced.begin(), job.replaced.end(), name) != job.replaced.end()) return false;
        const auto taken = library_.has_clip(name);
        if (!taken) problem = taken.error();
        return taken && *taken;
      });
      if (problem) return stop(*problem);
      names_.insert(incoming.clip.name);
      if (job.clips.size() == 1 && incoming.clip.name != stem) {
        job.notes.push_back(fmt::format("is called '{}', since '{}' is taken", incoming.clip.name, stem));
      }
      incoming.choice = bodies_.choose(incoming.clip);
      if (!incoming.choice.notice.empty()) job.notes.push_back(incoming.choice.notice);
    }
    names_.insert(job.replaced.begin(), job.replaced.end());  // not free for others, whenever the old clip goes
  }

  /// Stores the clips and reports what became of the file.
  void finish_serially(Job& job) {
    if (!job.error.empty()) report_.failed.push_back({job.file, job.error});
    if (!job.skipped.empty()) {
      if (const auto passed = pass_labels_on(job); !passed) return stop(passed.error());
      (job.copy ? report_.copies : report_.skipped).push_back({job.file, job.skipped});
    }
    if (job.live()) {
      for (const std::string& name : job.replaced) {
        if (const auto removed = library_.remove_clip(name); !removed) return stop(removed.error());
      }
      for (const IncomingClip& incoming : job.clips) {
        if (const auto added = library_.add_clip(incoming.clip, incoming.provenance); !added)
          return stop(added.error());
        report_.clips.push_back(incoming.clip.name);
        report_.frames += incoming.clip.frames();
        report_.fitted += incoming.choice.fit || incoming.choice.carry ? 1 : 0;
        for (const std::string& warning : incoming.provenance.warnings) report_.warnings.push_back({job.file, warning});
      }
      report_.faults.insert(report_.faults.end(), job.faults.begin(), job.faults.end());
      if (job.guess) report_.guesses.push_back(std::move(*job.guess));
      for (std::string& note : job.notes) report_.notes.push_back({job.file, std::move(note)});
    }
    const double share = static_cast<double>(job.index + 1) / static_cast<double>(files_.size());
    if (!progress_.report(kSurveyShare + (1 - kSurveyShare) * share, job.file)) stop(stopped_by_user());
  }

  /// Gives the labels of a file that is skipped to the clips that have its content, and tells so.
  Result<void> pass_labels_on(Job& job) {
    const std::vector<std::size_t>& rows = labels_.rows[job.index];
    if (rows.empty()) return {};
    const auto clips = library_.clips_of_content(job.hash);
    if (!clips) return fail_from(clips);
    if (clips->empty()) return {};  // the file of that content has failed, and is told
    LabelReport labelled;
    for (const std::string& name : *clips) {
      const auto info = library_.clip_info(name);
      if (!info) return fail_from(info);
      if (auto done = label_clip(library_, *info, options_.labels, rows, labelled); !done) return done;
    }
    report_.labels_passed_on += labelled.added;
    report_.warnings.insert(report_.warnings.end(), labelled.warnings.begin(), labelled.warnings.end());
    job.skipped += labelled.added == 0 ? fmt::format("; '{}' has its labels", clips->front())
                                       : fmt::format("; '{}' gets its {} label{}", clips->front(), labelled.added,
                                                     labelled.added == 1 ? "" : "s");
    return {};
  }

  static Error stopped_by_user() {
    return {"the import was stopped; the library is as it was", {}, 0, ErrorKind::kStopped};
  }

  /// Ends the import: nothing more is stored, and what was is undone.
  void stop(const Error& error) { failure_ = error; }

  std::mutex mutex_;  ///< held by serial stages
  Library& library_;
  std::span<const std::string> files_;
  const ImportOptions& options_;
  const Progress& progress_;
  std::string options_json_;
  const std::unique_ptr<ImportSurvey> survey_;
  std::vector<Result<std::string>> hashes_of_files_;
  fs::path folder_;  ///< the library's
  LabelMatches labels_;
  BodyChoice bodies_;
  static constexpr const char* kInLibrary = "";
  /// Content of this call's files so far, and the first of each, or kInLibrary.
  std::unordered_map<std::string, std::string> hashes_;
  std::unordered_set<std::string> names_;  ///< names given so far, stored or about to be
  std::size_t next_ = 0;
  std::optional<Error> failure_;  ///< why nothing more is stored
  ImportReport report_;
};

}  // namespace

Result<ImportReport> import_motions(Library& library, std::span<const std::string> files, const ImportOptions& options,
                                    const Progress& progress) {
  return Import(library, files, options, progress).run();
}

}  // namespace loom::library
