// SPDX-License-Identifier: MIT
#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include <loom/library/detail/import_reader.h>
#include <loom/measure/faulty_stretches.h>
#include <loom/motion/fit.h>
#include <loom/motion/t_pose.h>

namespace loom::library {
namespace {

constexpr float kVisible = 0.25f;  // severity from which on a fault is worth a warning (measure::Fault)

/// Drops first frames that are no capture, as the file or its sisters tell.
void drop_t_poses(io::ReadClip& motion, const MotionVerdict& verdict) {
  const std::size_t sisters = verdict.t_pose ? count_leading(motion.clip, *verdict.t_pose) : 0;
  const std::size_t frames = std::max<std::size_t>(sisters, motion::starts_with_t_pose(motion.clip) ? 1 : 0);
  if (frames > 0 && frames < motion.clip.frames()) io::drop_t_pose(motion, frames);
}

void tell(ImportJob& job, Provenance& provenance, const measure::Fault& fault, bool mended) {
  std::string text = mended ? "Mended: " + fault.description : fault.description;
  if (fault.kind == measure::FaultKind::kTPose && !fault.mendable) text += " It is labelled 't-pose'.";
  (fault.severity < kVisible ? provenance.notes : provenance.warnings).push_back(text);
  const double rate = fault.kind == measure::FaultKind::kFrameRate ? fault.amount : 0;
  job.faults.push_back({job.file, to_string(fault.kind), text, fault.severity, mended, rate});
}

}  // namespace

/// The motions of the file, with first frames as they are there.
Result<std::vector<io::ReadClip>> ImportReader::motions_of(const ImportJob& job) const {
  const std::optional<int> up = survey_.verdict(job.index, 0).up_axis;
  if (auto kept = survey_.take(job.index); kept && !up) return std::move(*kept);
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

void ImportReader::read(ImportJob& job) const {
  try {
    auto motions = motions_of(job);
    if (!motions) {
      const Error& error = motions.error();
      job.error = error.line > 0 ? fmt::format("line {}: {}", error.line, error.message) : error.message;
      return;
    }
    for (std::size_t m = 0; m < motions->size(); ++m) {
      if (!take(job, std::move((*motions)[m]), survey_.verdict(job.index, m))) return;
    }
    if (job.clips.empty()) job.error = "holds no motion";
  } catch (const std::exception& thrown) {
    job.error = fmt::format("could not be read: {}", thrown.what());
  }
}

/// Labels and resamples one motion of a file; false, with the job's error set, when that fails.
bool ImportReader::take(ImportJob& job, io::ReadClip&& motion, const MotionVerdict& verdict) const {
  motion::Clip& clip = motion.clip;
  if (clip.frames() == 0) {
    job.error = "has no frames";
    return false;
  }
  if (!options_.read.keep_t_pose) drop_t_poses(motion, verdict);
  const std::optional<measure::Fault> rate = treat_rate(clip, verdict);
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

/// What is wrong with the frame rate, which is set right where the user wants that. Whoever says the rate knows it.
std::optional<measure::Fault> ImportReader::treat_rate(motion::Clip& clip, const MotionVerdict& verdict) const {
  if (!verdict.rate || options_.read.source_rate) return {};
  measure::Fault fault = measure::rate_fault(clip, *verdict.rate);
  fault.mendable = options_.mend_rate;
  if (options_.mend_rate) clip.rate = verdict.rate->rate;
  return fault;
}

/// Finds what is wrong with the recording, tells it, and mends what can be.
void ImportReader::treat_faults(ImportJob& job, motion::Clip& clip, Provenance& provenance,
                                const MotionVerdict& verdict, const std::optional<measure::Fault>& rate) const {
  measure::FaultOptions known;
  known.judge_rate = false;
  if (verdict.t_pose) known.t_pose = *verdict.t_pose;
  std::vector<measure::Fault> faults = measure::find_faults(clip, known);
  const bool keep = options_.keep_faults;
  if (rate) tell(job, provenance, *rate, rate->mendable);
  for (const measure::Fault& fault : faults) {
    tell(job, provenance, fault, fault.mendable && !keep);
    if (fault.kind != measure::FaultKind::kTPose || fault.mendable) continue;
    // It cannot be mended, but whoever builds of this clip can leave it out.
    for (const motion::FrameRange& range : fault.frames)
      clip.labels.push_back({measure::kTPoseLabel, range.begin, range.end});
  }
  if (faults.empty() || keep) return;
  clip = measure::mend(clip, faults);
  provenance.first_frame += measure::cut_off_by_mending(faults);
}

void fit_to_bodies(ImportJob& job, const CarryOver& carry_over) {
  try {
    for (IncomingClip& incoming : job.clips) {
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
      } else if (incoming.choice.carry) {
        auto carried = carry_over.carry(incoming.clip, incoming.choice.body);
        if (!carried) {
          job.error = carried.error().message;
          return;
        }
        incoming.clip = std::move(*carried);
        incoming.provenance.notes.emplace_back("Carried over to the library's body, which has other joints.");
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

}  // namespace loom::library
