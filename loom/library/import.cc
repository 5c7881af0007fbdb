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
#include <loom/library/body_choice.h>
#include <loom/library/clip_names.h>
#include <loom/library/hash.h>
#include <loom/library/import.h>
#include <loom/library/import_labels.h>
#include <loom/library/import_survey.h>
#include <loom/motion/faults.h>
#include <loom/motion/faulty_stretches.h>
#include <loom/motion/fit.h>
#include <loom/motion/t_pose.h>

namespace loom::library {
namespace {

namespace fs = std::filesystem;

constexpr double kHashShare = 0.05;    // of the work, which telling by their content which files are new is
constexpr double kSurveyShare = 0.35;  // by when all files have been looked at
constexpr float kVisible = 0.25f;      // severity from which on a fault is worth a warning (motion::Fault)

/// One clip on its way in.
struct Incoming {
  motion::Clip clip;
  Provenance provenance;
  BodyChoice::Choice choice;
};

/// One file on its way in. It goes from stage to stage; an error or a reason to skip makes it pass through the rest.
struct Job {
  std::size_t index = 0;
  std::string file;    ///< as the user named it
  std::string source;  ///< as the library remembers it
  std::string hash;
  std::vector<std::string> replaced;  ///< clips this file's will take the place of
  std::vector<Incoming> clips;
  std::string error, skipped;
  bool copy = false;               ///< skipped for another file of this import
  std::vector<std::string> notes;  ///< for the report
  std::optional<ImportGuess> guess;
  std::vector<ImportFault> faults;

  [[nodiscard]] bool live() const { return error.empty() && skipped.empty(); }
};
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
        bodies_(options.keep_apart) {}

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
    if (file.empty()) return fail(fmt::format("there is no clip, file or performer '{}' to take the body of", wanted));
    const auto read = io::read_motion(file, options_.read);
    if (!read) return fail_from(read);
    if (read->empty()) return fail("holds no motion to take the body of", file);
    return read->front().clip.skeleton;
  }

  void run_stages() {
    using tbb::filter_mode;
    const auto parallel = [](void (Import::*stage)(Job&) const, const Import* self) {
      return tbb::make_filter<JobPtr, JobPtr>(filter_mode::parallel, [stage, self](JobPtr job) {
        if (job->live()) (self->*stage)(*job);
        return job;
      });
    };
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
    tbb::parallel_pipeline(files_at_once, source & parallel(&Import::identify, this) &
                                              serial(&Import::decide_serially, this) & parallel(&Import::read, this) &
                                              serial(&Import::place_serially, this) & parallel(&Import::fit, this) &
                                              sink);
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

  /// The motions of the file, with first frames as they are there.
  [[nodiscard]] Result<std::vector<io::ReadClip>> motions_of(const Job& job) const {
    const std::optional<int> up = survey_->verdict(job.index, 0).up_axis;
    if (auto kept = survey_->take(job.index); kept && !up) return std::move(*kept);
    io::ReadOptions options = options_.read;
    options.keep_t_pose = true;
    if (up) options.up_axis = up;
    auto motions = io::read_motion(job.file, options);
    if (!motions || !up) return motions;
    for (io::ReadClip& motion : *motions) {
      motion.notes.push_back(fmt::format("{} is taken as up, as in the other files of this body.", "XYZ"[*up]));
    }
    return motions;
  }

  void read(Job& job) const {
    try {
      auto motions = motions_of(job);
      if (!motions) {
        const Error& error = motions.error();
        job.error = error.line > 0 ? fmt::format("line {}: {}", error.line, error.message) : error.message;
        return;
      }
      for (std::size_t m = 0; m < motions->size(); ++m) {
        if (!take(job, std::move((*motions)[m]), survey_->verdict(job.index, m))) return;
      }
      if (job.clips.empty()) job.error = "holds no motion";
    } catch (const std::exception& thrown) {
      job.error = fmt::format("could not be read: {}", thrown.what());
    }
  }

  /// Labels and resamples one motion of a file; false, with the job's error set, when that fails.
  bool take(Job& job, io::ReadClip&& motion, const MotionVerdict& verdict) const {
    motion::Clip& clip = motion.clip;
    if (clip.frames() == 0) {
      job.error = "has no frames";
      return false;
    }
    if (!options_.read.keep_t_pose) drop_t_poses(motion, verdict);
    const std::optional<motion::Fault> rate = treat_rate(clip, verdict);
    if (motion.scale_guessed || motion.up_guessed) {
      job.guess = ImportGuess{job.file, {}, {}};
      if (motion.scale_guessed) job.guess->metres_per_unit = motion.metres_per_unit;
      if (motion.up_guessed) job.guess->up_axis = motion.up_axis;
    }
    Provenance provenance{job.source,
                          job.hash,
                          clip.rate,
                          motion.frames_dropped,
                          options_json_,
                          std::move(motion.notes),
                          std::move(motion.warnings),
                          {}};
    job.notes.insert(job.notes.end(), provenance.notes.begin(), provenance.notes.end());
    for (const std::size_t row : labels_.rows[job.index]) {
      auto label = label_of(options_.labels.rows[row], provenance.first_frame, clip.rate, clip.frames(), clip.rate);
      if (label) {
        clip.labels.push_back(std::move(*label));
      } else {
        provenance.warnings.push_back(fmt::format("Label '{}' ({}:{}) lies outside the motion.",
                                                  options_.labels.rows[row].label, options_.labels.path,
                                                  options_.labels.rows[row].line));
      }
    }
    treat_faults(job, clip, provenance, verdict, rate);
    if (options_.rate) {
      auto resampled = motion::resample(clip, *options_.rate);
      if (!resampled) {
        job.error = resampled.error().message;
        return false;
      }
      clip = std::move(*resampled);
    }
    job.clips.push_back({std::move(clip), std::move(provenance), {}});
    return true;
  }

  /// Drops first frames that are no capture, as the file or its sisters tell.
  static void drop_t_poses(io::ReadClip& motion, const MotionVerdict& verdict) {
    const std::size_t sisters = verdict.t_pose ? count_leading(motion.clip, *verdict.t_pose) : 0;
    const std::size_t frames = std::max<std::size_t>(sisters, motion::starts_with_t_pose(motion.clip) ? 1 : 0);
    if (frames > 0 && frames < motion.clip.frames()) io::drop_t_pose(motion, frames);
  }

  /// What is wrong with the frame rate, which is set right where the user wants that. Whoever says the rate knows it.
  [[nodiscard]] std::optional<motion::Fault> treat_rate(motion::Clip& clip, const MotionVerdict& verdict) const {
    if (!verdict.rate || options_.read.source_rate) return {};
    motion::Fault fault = motion::rate_fault(clip, *verdict.rate);
    fault.mendable = options_.mend_rate;
    if (options_.mend_rate) clip.rate = verdict.rate->rate;
    return fault;
  }

  /// Finds what is wrong with the recording, tells it, and mends what can be.
  void treat_faults(Job& job, motion::Clip& clip, Provenance& provenance, const MotionVerdict& verdict,
                    const std::optional<motion::Fault>& rate) const {
    motion::FaultOptions known;
    known.judge_rate = false;
    if (verdict.t_pose) known.t_pose = *verdict.t_pose;
    std::vector<motion::Fault> faults = motion::find_faults(clip, known);
    const bool keep = options_.keep_faults;
    if (rate) tell(job, provenance, *rate, rate->mendable);
    for (const motion::Fault& fault : faults) {
      tell(job, provenance, fault, fault.mendable && !keep);
      if (fault.kind != motion::FaultKind::kTPose || fault.mendable) continue;
      // It cannot be mended, but whoever builds of this clip can leave it out.
      for (const motion::FrameRange& range : fault.frames)
        clip.labels.push_back({motion::kTPoseLabel, range.begin, range.end});
    }
    if (faults.empty() || keep) return;
    clip = motion::mend(clip, faults);
    provenance.first_frame += motion::cut_off_by_mending(faults);
  }

  static void tell(Job& job, Provenance& provenance, const motion::Fault& fault, bool mended) {
    std::string text = mended ? "Mended: " + fault.description : fault.description;
    if (fault.kind == motion::FaultKind::kTPose && !fault.mendable) text += " It is labelled 't-pose'.";
    (fault.severity < kVisible ? provenance.notes : provenance.warnings).push_back(text);
    const double rate = fault.kind == motion::FaultKind::kFrameRate ? fault.amount : 0;
    job.faults.push_back({job.file, motion::to_string(fault.kind), text, fault.severity, mended, rate});
  }

  /// Gives each clip its name and its body.
  void place_serially(Job& job) {
    const std::string stem = usable_name(fs::path(job.file).stem().string());
    for (Incoming& incoming : job.clips) {
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
      incoming.choice = bodies_.choose(incoming.clip.skeleton, incoming.clip.name);
      if (!incoming.choice.notice.empty()) job.notes.push_back(incoming.choice.notice);
    }
    names_.insert(job.replaced.begin(), job.replaced.end());  // not free for others, whenever the old clip goes
  }

  void fit(Job& job) const {
    try {
      for (Incoming& incoming : job.clips) {
        if (incoming.choice.fit) {
          auto fitted = motion::fit_to_body(incoming.clip, incoming.choice.body);
          if (!fitted) {
            job.error = fitted.error().message;
            return;
          }
          incoming.clip = std::move(fitted->clip);
          incoming.provenance.notes.push_back(fmt::format(
              "Fitted to the library's body, whose legs are {:.3g} times as long{}.", fitted->scale,
              fitted->replanted
                  ? fmt::format("; a foot was moved by {:.1f} cm at most to stay planted", 100 * fitted->furthest)
                  : ", without planting feet, since none were found"));
        } else {
          incoming.clip.skeleton = incoming.choice.body;
        }
        if (const auto valid = validate(incoming.clip); !valid) {
          job.error = valid.error().message;
          return;
        }
      }
    } catch (const std::exception& thrown) {
      job.error = fmt::format("could not be fitted: {}", thrown.what());
    }
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
      for (const Incoming& incoming : job.clips) {
        if (const auto added = library_.add_clip(incoming.clip, incoming.provenance); !added)
          return stop(added.error());
        report_.clips.push_back(incoming.clip.name);
        report_.frames += incoming.clip.frames();
        report_.fitted += incoming.choice.fit ? 1 : 0;
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

  static Error stopped_by_user() { return {"the import was stopped; the library is as it was", {}, 0}; }

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
