// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include <loom/base/hash.h>
#include <loom/io/read.h>
#include <loom/library/detail/import_survey.h>
#include <loom/library/hash.h>
#include <loom/measure/faults.h>
#include <loom/motion/t_pose.h>

namespace loom::library {
namespace {

constexpr std::size_t kKeptBytes = std::size_t{256} << 20;  // of motion that need not be read twice
constexpr std::size_t kHeardClips = 24;                     // of one performer in the library
constexpr std::size_t kFewestSisters = 3;                   // that outvote a motion about what is up
constexpr double kSistersAgree = 0.8;                       // share of them

/// Names and parents of the joints, as a short text.
std::string hierarchy_of(const motion::Skeleton& skeleton) {
  std::string text;
  for (const motion::Joint& joint : skeleton.joints()) text += fmt::format("{}\n{}\n", joint.name, joint.parent);
  return content_hash(std::as_bytes(std::span(text)));
}

/// The lengths of the bones to a millimetre, as a short text.
std::string proportions_of(const motion::Skeleton& skeleton) {
  std::string text;
  for (const motion::Joint& joint : skeleton.joints()) text += fmt::format("{:.3f}\n", length(joint.offset));
  return content_hash(std::as_bytes(std::span(text)));
}

/// Evidence from a clip whose frames were made `1 / factor` times as many since it was recorded.
measure::RateEvidence resampled(measure::RateEvidence evidence, double factor) {
  evidence.stamped *= factor;
  for (auto& octave : evidence.octaves) {
    for (measure::Fall& fall : octave.falls) fall.rate *= factor;
    octave.walk.step_frames *= factor;
    octave.walk.swing_frames *= factor;
    octave.walk.sway_metres_f2 /= factor * factor;
  }
  return evidence;
}

std::size_t bytes_of(const std::vector<io::ReadClip>& motions) {
  std::size_t bytes = 0;
  for (const io::ReadClip& motion : motions) bytes += motion.clip.frames() * bytes_per_frame(motion.clip.joints());
  return bytes;
}

}  // namespace

struct ImportSurvey::Facts {
  std::string body;               ///< the hierarchy
  std::string world;              ///< hierarchy, how the offsets draw the body, and folder: what has one vertical axis
  std::string who;                ///< the performer's name, may be empty
  std::string performer;          ///< performer, body and stamped rate
  std::vector<Quat> first, then;  ///< poses: of the first frame, and after the jump out of it
  bool begins_with_t_pose = false, jumps = false;
  std::optional<int> up_axis;  ///< where it was guessed
  measure::RateEvidence rate;
  MotionVerdict verdict;
};

std::string performer_of(const std::string& name) {
  const std::size_t end = name.find('_');
  return end == std::string::npos ? std::string() : name.substr(0, end);
}

std::size_t count_leading(const motion::Clip& clip, std::span<const Quat> t_pose) {
  std::size_t frames = 0;
  while (frames < clip.frames() && motion::is_same_pose(clip.pose(frames), t_pose)) ++frames;
  return frames;
}

ImportSurvey::ImportSurvey(std::size_t files) : files_(files) {}
ImportSurvey::~ImportSurvey() = default;

void ImportSurvey::look(std::size_t index, const std::string& file, const io::ReadOptions& options) {
  io::ReadOptions whole = options;
  whole.keep_t_pose = true;
  auto motions = io::read_motion(file, whole);
  if (!motions) return;
  const std::filesystem::path path(file);
  for (const io::ReadClip& motion : *motions) {
    Facts& facts = files_[index].motions.emplace_back();
    motion::Clip clip = motion.clip;
    facts.body = hierarchy_of(*clip.skeleton);
    facts.world = fmt::format("{} {} {}", facts.body, motion.drawn_up.value_or(-1), path.parent_path().string());
    facts.who = performer_of(path.stem().string());
    facts.performer = fmt::format("{} {} {} {:.6g}", facts.who, facts.body,
                                  facts.who.empty() ? proportions_of(*clip.skeleton) : "", clip.rate);
    if (motion.up_guessed) facts.up_axis = motion.up_axis;
    if (clip.frames() < 2) continue;
    const std::size_t jump = motion::frames_before_jump(clip);
    facts.begins_with_t_pose = motion::starts_with_t_pose(clip);
    facts.jumps = jump > 0;
    const std::size_t begin = std::max<std::size_t>(jump, facts.begins_with_t_pose ? 1 : 0);
    facts.first.assign(clip.pose(0).begin(), clip.pose(0).end());
    facts.then.assign(clip.pose(begin).begin(), clip.pose(begin).end());
    if (motion.timed) continue;  // animations whose keys have times fall as their authors like
    if (const auto rest = motion::cut(clip, begin, clip.frames())) facts.rate = measure::rate_evidence_of(*rest);
  }
  const std::size_t bytes = bytes_of(*motions);
  const std::lock_guard lock(mutex_);
  if (kept_bytes_ + bytes > kKeptBytes) return;
  kept_bytes_ += bytes;
  files_[index].kept = std::move(*motions);
}

Result<void> ImportSurvey::judge(const Library& library) {
  find_t_poses();
  find_up_axes();
  return find_rates(library);
}

/// Finds for each body the pose that most takes begin with: one that was recognised as a T-pose, or that several takes
/// jump out of, each into another motion.
void ImportSurvey::find_t_poses() {
  struct Pose {
    std::shared_ptr<std::vector<Quat>> pose;
    std::size_t takes = 0;
    bool artificial = false;
    const Facts* example = nullptr;
  };
  std::map<std::string, std::vector<Pose>> bodies;
  for (const File& file : files_) {
    for (const Facts& facts : file.motions) {
      if (!facts.begins_with_t_pose && !facts.jumps) continue;
      std::vector<Pose>& poses = bodies[facts.body];
      auto pose = std::find_if(poses.begin(), poses.end(),
                               [&](const Pose& p) { return motion::is_same_pose(*p.pose, facts.first); });
      if (pose == poses.end()) {
        pose = poses.insert(pose, {std::make_shared<std::vector<Quat>>(facts.first), 0, false, &facts});
      }
      ++pose->takes;
      // Two conversions of one take begin alike and go on alike.
      const bool parts = pose->example != &facts && !motion::is_same_pose(facts.then, pose->example->then);
      pose->artificial = pose->artificial || facts.begins_with_t_pose || parts;
    }
  }
  for (File& file : files_) {
    for (Facts& facts : file.motions) {
      const Pose* best = nullptr;
      for (const Pose& pose : bodies[facts.body]) {
        if (pose.artificial && (best == nullptr || pose.takes > best->takes)) best = &pose;
      }
      if (best != nullptr) facts.verdict.t_pose = best->pose;
    }
  }
}

/// Outvotes motions that lie down among sisters that stand.
void ImportSurvey::find_up_axes() {
  std::map<std::string, std::map<int, std::size_t>> votes;
  for (const File& file : files_) {
    for (const Facts& facts : file.motions) {
      if (facts.up_axis) ++votes[facts.world][*facts.up_axis];
    }
  }
  for (File& file : files_) {
    for (Facts& facts : file.motions) {
      if (!facts.up_axis) continue;
      std::size_t all = 0;
      for (const auto& [axis, count] : votes[facts.world]) all += count;
      for (const auto& [axis, count] : votes[facts.world]) {
        const bool agreed = static_cast<double>(count) >= kSistersAgree * static_cast<double>(all);
        if (axis != *facts.up_axis && count >= kFewestSisters && agreed) facts.verdict.up_axis = axis;
      }
    }
  }
}

/// What the clips of a performer that are in the library say, stamped as theirs.
Result<std::vector<measure::RateEvidence>> hear_library(const Library& library, const std::vector<ClipInfo>& clips,
                                                        const std::string& who, const std::string& body,
                                                        double stamped) {
  std::vector<measure::RateEvidence> heard;
  for (const ClipInfo& info : clips) {
    if (heard.size() == kHeardClips) break;
    if (performer_of(info.name) != who) continue;
    const auto from = library.provenance(info.name);
    if (!from) return fail_from(from);
    if (from->source.empty() || std::abs(from->source_rate - stamped) > 1e-3 * stamped) continue;
    const auto clip = library.read_clip(info.name);
    if (!clip) return fail_from(clip);
    if (hierarchy_of(*clip->skeleton) != body) continue;
    measure::RateEvidence evidence = resampled(measure::rate_evidence_of(*clip), stamped / info.rate);
    // On a body of another size they no longer fall as they did.
    const bool fitted = std::any_of(from->notes.begin(), from->notes.end(),
                                    [](const std::string& note) { return note.starts_with("Fitted to"); });
    for (auto& octave : evidence.octaves) {
      if (fitted) octave.falls.clear();
    }
    heard.push_back(std::move(evidence));
  }
  return heard;
}

Result<void> ImportSurvey::find_rates(const Library& library) {
  std::map<std::string, std::vector<Facts*>> performers;
  for (File& file : files_) {
    for (Facts& facts : file.motions) {
      if (facts.rate.stamped > 0) performers[facts.performer].push_back(&facts);
    }
  }
  const auto clips = library.clips();
  if (!clips) return fail_from(clips);
  for (const auto& [key, motions] : performers) {
    std::vector<measure::RateEvidence> evidence;
    for (const Facts* facts : motions) evidence.push_back(facts->rate);
    const Facts& one = *motions.front();
    if (!one.who.empty()) {
      auto heard = hear_library(library, *clips, one.who, one.body, one.rate.stamped);
      if (!heard) return fail_from(heard);
      evidence.insert(evidence.end(), heard->begin(), heard->end());
    }
    const auto claim = measure::judge_rate(evidence);
    if (!claim) continue;
    // The performer's motions that say nothing themselves were recorded like the others.
    for (File& file : files_) {
      for (Facts& facts : file.motions) {
        if (facts.performer == key) facts.verdict.rate = claim;
      }
    }
  }
  return {};
}

MotionVerdict ImportSurvey::verdict(std::size_t index, std::size_t motion) const {
  const std::vector<Facts>& motions = files_[index].motions;
  return motion < motions.size() ? motions[motion].verdict : MotionVerdict{};
}

std::optional<std::vector<io::ReadClip>> ImportSurvey::take(std::size_t index) {
  return std::exchange(files_[index].kept, std::nullopt);
}

}  // namespace loom::library
