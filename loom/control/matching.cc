// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/control/drive.h>
#include <loom/control/matching.h>

namespace loom::control {
namespace {

constexpr float kFarOff = 0.6f;      ///< metres a second: a body that goes so differently from what is wanted ...
constexpr float kPatience = 0.25f;   ///< ... for so many seconds is made to change, though its limbs fit less well
constexpr float kHurried = 0.15f;    ///< what fitting limbs count for then
constexpr double kStutter = 0.5;     ///< seconds just played, to which one does not go back
constexpr double kSameMoment = 0.1;  ///< seconds ahead: a jump so short within a clip would show and gain nothing

}  // namespace

Result<std::unique_ptr<MotionMatcher>> MotionMatcher::create(std::shared_ptr<const TrackedMotion> motion,
                                                             std::shared_ptr<const MatchFeatures> features,
                                                             const MatchingOptions& options) {
  if (!(options.rate >= 1 && options.rate <= 1000)) return fail("the rate of poses must be in [1, 1000] a second");
  if (!(options.search_seconds >= 0 && options.search_seconds <= 10)) {
    return fail("the time between searches must be in [0, 10] seconds");
  }
  if (!(options.ease_seconds > 0 && options.ease_seconds <= 2)) {
    return fail("the time constant of joins must be above 0 and at most 2 seconds");
  }
  if (!(options.stay >= 0 && options.stay < 1)) return fail("the preference for going on must be in [0, 1)");
  return std::unique_ptr<MotionMatcher>(new MotionMatcher(std::move(motion), std::move(features), options));
}

MotionMatcher::MotionMatcher(std::shared_ptr<const TrackedMotion> motion, std::shared_ptr<const MatchFeatures> features,
                             const MatchingOptions& options)
    : motion_(std::move(motion)),
      features_(std::move(features)),
      options_(options),
      splice_(motion_, options.rate, options.ease_seconds),
      room_(features_->index),
      query_(features_->dims()) {}

const std::shared_ptr<const motion::Skeleton>& MotionMatcher::skeleton() const { return motion_->motion->skeleton; }

bool MotionMatcher::wants_jump(const motion::Control& control) const {
  return features_->jump_flag >= 0 && (control.flags >> features_->jump_flag & 1) != 0;
}

bool MotionMatcher::search_is_due(const motion::Control& control) const {
  const float half_a_pose = 0.5f / static_cast<float>(options_.rate);
  return since_search_ + half_a_pose >= options_.search_seconds ||
         splice_.frames_left() < 2 * splice_.frames_a_pose() ||
         length(control.velocity - searched_with_.velocity) > kNewVelocity ||
         std::abs(control.turn_rate - searched_with_.turn_rate) > kNewTurn ||
         control.behavior != searched_with_.behavior || control.flags != searched_with_.flags;
}

NearestFrames::Found MotionMatcher::look(const motion::Control& control, std::uint32_t now, bool may_stay) {
  std::array<motion::GroundFrame, kPathPlaces> places;
  guide_.predict(control, kPathSpacing, places, options_.guide);
  features_->write_query(now, started_ ? splice_.place() : guide_.place, places, guide_.velocity, control.flags,
                         query_);
  bound_ = {now, std::numeric_limits<float>::infinity()};
  if (may_stay) bound_.cost = features_->index.cost(query_, now) * (1 - options_.stay);
  const bool any = control.behavior < 0 || control.behavior >= 64;
  const std::uint64_t tags = any ? NearestFrames::kAll : std::uint64_t{1} << control.behavior;
  const NearestFrames::Skip skip = started_ ? just_played(now) : NearestFrames::Skip{0, 0};
  if (far_off_ < kPatience) return features_->index.find(query_, bound_, room_, tags, skip);
  far_off_ = 0;
  std::array<float, NearestFrames::kMaxDims> shares;
  shares.fill(1);
  std::fill(shares.begin() + MatchFeatures::kPath, shares.begin() + MatchFeatures::kHips, kHurried);
  return features_->index.scan(query_, shares, tags, skip);
}

NearestFrames::Skip MotionMatcher::just_played(std::uint32_t now) const {
  const motion::SourceFrame at = features_->frame_of(now);
  const auto frames = static_cast<std::uint32_t>(motion_->motion->clips[at.clip].frames());
  const auto back = to_whole<std::uint32_t>(kStutter * motion_->rate);
  const auto ahead = to_whole<std::uint32_t>(kSameMoment * motion_->rate);
  const std::uint32_t first = now - at.frame;
  return {first + at.frame - std::min(at.frame, back), first + std::min(at.frame + ahead + 1, frames)};
}

void MotionMatcher::start(const motion::Control& control) {
  // There is no pose yet to go on from: the one of the first row stands in, then that of what it led to.
  NearestFrames::Found found = look(control, 0, false);
  found = look(control, found.row, false);
  splice_.start(features_->frame_of(found.row), {});
  started_ = true;
  searched_with_ = control;
}

void MotionMatcher::search(const motion::Control& control) {
  ++effort_.searches;
  since_search_ = 0;
  searched_with_ = control;
  const motion::SourceFrame playing{splice_.clip(), splice_.nearest_frame()};
  const std::uint32_t now = features_->row_of(playing);
  const bool may_stay = splice_.frames_left() >= 2 * splice_.frames_a_pose();
  const NearestFrames::Found found = look(control, now, may_stay);
  jumping_ = wants_jump(control) && in_jump(found.row);
  if (found.row == now) return;
  const motion::SourceFrame to = features_->frame_of(found.row);
  ++effort_.jumps;
  splice_.jump(to.clip, to.frame);
}

bool MotionMatcher::next(const motion::Control& asked, motion::StreamPose& pose) {
  const motion::Control control = sound_control(asked);
  if (!started_) start(control);
  if (jumping_) jumping_ = in_jump(features_->row_of({splice_.clip(), splice_.nearest_frame()}));
  const bool can_go_on = splice_.frames_left() >= 2 * splice_.frames_a_pose();
  if (!(jumping_ && can_go_on) && search_is_due(control)) search(control);
  splice_.write(pose);
  ++effort_.poses;

  const auto seconds = static_cast<float>(1 / options_.rate);
  const motion::GroundFrame before = splice_.place();
  splice_.advance();
  const Vec3 velocity = (splice_.place().position() - before.position()) / seconds;
  far_off_ = !jumping_ && length(velocity - guide_.velocity) > kFarOff ? far_off_ + seconds : 0;
  guide_.step(control, seconds, options_.guide);
  follow(options_.root, before, seconds, splice_, guide_);
  since_search_ += seconds;
  return true;
}

}  // namespace loom::control
