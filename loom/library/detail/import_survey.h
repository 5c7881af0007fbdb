// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <loom/base/result.h>
#include <loom/io/raw_motion.h>
#include <loom/library/library.h>
#include <loom/measure/frame_rate_check.h>

namespace loom::library {

/// What the files of an import say together about one motion of one of them.
struct MotionVerdict {
  std::shared_ptr<const std::vector<Quat>> t_pose;  ///< an artificial pose that files of this body begin with; or none
  std::optional<int> up_axis;              ///< the sisters' vertical axis, where this motion alone says another
  std::optional<measure::RateClaim> rate;  ///< the rate its performer's motions were recorded at, if not as stamped
};

/// Looks at all files of an import before the first of them is stored, since one take alone does not tell what many do:
/// a first frame that is the same in several takes was put there by a program, and one performer's flights and walks
/// tell together at which rate all were recorded.
///
/// A performer is the part of a file's name before '_' on one hierarchy at one stamped rate or, where names have no
/// '_', one skeleton at one rate. The performer's clips that are in the library already are heard, too.
///
/// First `look` at every file, on any thread; then `judge` once; then ask for verdicts.
class ImportSurvey {
 public:
  explicit ImportSurvey(std::size_t files);
  ~ImportSurvey();

  /// Reads file number `index`. One that cannot be read says nothing here; whoever imports it will tell why.
  void look(std::size_t index, const std::string& file, const io::ReadOptions& options);
  /// Draws the conclusions. Fails where the library cannot be read.
  Result<void> judge(const Library& library);
  /// About motion number `motion` of file number `index`, after `judge`.
  [[nodiscard]] MotionVerdict verdict(std::size_t index, std::size_t motion) const;
  /// What `look` read, with first frames as in the file, where there was memory to keep it. Given once.
  std::optional<std::vector<io::ReadClip>> take(std::size_t index);

 private:
  struct Facts;  ///< of one motion
  struct File {
    std::vector<Facts> motions;
    std::optional<std::vector<io::ReadClip>> kept;
  };
  void find_t_poses();
  void find_up_axes();
  Result<void> find_rates(const Library& library);

  std::vector<File> files_;
  std::mutex mutex_;  ///< of `kept_bytes_`
  std::size_t kept_bytes_ = 0;
};

/// The performer by the name of a clip or file without its ending: what comes before '_'; empty where there is none.
std::string performer_of(const std::string& name);

/// How many first frames of `clip` are the pose `t_pose`.
std::size_t count_leading(const motion::Clip& clip, std::span<const Quat> t_pose);

}  // namespace loom::library
