// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/matching/matching.h>
#include <loom/policy/drive.h>

namespace loom::matching {
namespace {

constexpr float kFarOff = 0.6f;         ///< metres a second: a body that goes so differently from what is wanted ...
constexpr float kPatience = 0.25f;      ///< ... for so many seconds is made to change, though its limbs fit less well
constexpr float kHurried = 0.15f;       ///< what fitting limbs count for then
constexpr float kNoReturn = 1.5f;       ///< seconds in which one does not go back to a piece one has left
constexpr float kRest = 1.0f;           ///< seconds in which it is not made to change again
constexpr double kSpeedSeconds = 0.1;   ///< time constant with which the speed of playing changes
constexpr float kStandingSpeed = 0.3f;  ///< metres a second: slower motion is played as recorded
// Metres that a foot which stands may be from where a frame one goes to has it stand, or has just taken off. Further
// off it would be left behind, its leg too short for it before the other foot comes down. Who runs stands so briefly
// that it may be as far off as the body goes in so many seconds.
constexpr float kSupport = 0.2f, kTakeOff = 0.25f, kSupportSeconds = 0.12f;
constexpr double kBlink = 0.2;       ///< seconds: no step is made in less
constexpr double kStutter = 0.5;     ///< seconds just played, to which one does not go back
constexpr double kSameMoment = 0.1;  ///< seconds ahead: a jump so short within a clip would show and gain nothing

/// What of a body that stands a frame has to keep.
struct Support {
  const MatchFeatures* features;
  std::span<const float> query;
  std::array<bool, 2> held;
  float speed;           ///< of the body, metres a second
  std::uint32_t frames;  ///< that kBlink has

  [[nodiscard]] bool keeps(std::uint32_t row) const {
    if (blinks(row, 0) || blinks(row, 1)) return false;
    const std::array<bool, 2> stands{features->stands(row, 0), features->stands(row, 1)};
    const bool flies = !stands[0] && !stands[1];
    for (std::size_t side = 0; side < 2; ++side) {
      if (!held[side] || !(stands[side] || flies)) continue;
      if (features->foot_off(query, row, side) < std::max(flies ? kTakeOff : kSupport, kSupportSeconds * speed))
        return true;
    }
    return !held[0] && !held[1];
  }
  /// Whether a foot that stands is let go of there only to be put down again at once, wherever it has been drawn by
  /// then.
  [[nodiscard]] bool blinks(std::uint32_t row, std::size_t side) const {
    if (!held[side] || features->stands(row, side)) return false;
    for (std::uint32_t f = row + 1; f <= row + frames; ++f) {
      if (f >= features->clip_of.size() || features->clip_of[f] != features->clip_of[row]) return false;
      if (features->stands(f, side)) return true;
    }
    return false;
  }
  [[nodiscard]] NearestFrames::Test test() const {
    return {[](const void* with, std::uint32_t row) { return static_cast<const Support*>(with)->keeps(row); }, this};
  }
};

}  // namespace

Result<std::unique_ptr<MotionMatcher>> MotionMatcher::create(std::shared_ptr<const take::TakeSet> motion,
                                                             std::shared_ptr<const MatchFeatures> features,
                                                             const MatchingOptions& options) {
  if (!(options.rate >= 1 && options.rate <= 1000)) return fail("the rate of poses must be in [1, 1000] a second");
  if (!(options.search_seconds >= 0 && options.search_seconds <= 10)) {
    return fail("the time between searches must be in [0, 10] seconds");
  }
  if (!(options.ease_seconds > 0 && options.ease_seconds <= 2)) {
    return fail("the time constant of joins must be above 0 and at most 2 seconds");
  }
  if (!(options.dwell_seconds >= 0 && options.dwell_seconds <= 10)) {
    return fail("the time between jumps must be in [0, 10] seconds");
  }
  if (!(options.slowest > 0 && options.slowest <= 1 && options.fastest >= 1 && options.fastest <= 10)) {
    return fail("motion can be played at above 0 to 1 times its speed at the slowest and 1 to 10 at the fastest");
  }
  if (!(options.stay >= 0 && options.stay < 1)) return fail("the preference for going on must be in [0, 1)");
  return std::unique_ptr<MotionMatcher>(new MotionMatcher(std::move(motion), std::move(features), options));
}

MotionMatcher::MotionMatcher(std::shared_ptr<const take::TakeSet> motion, std::shared_ptr<const MatchFeatures> features,
                             const MatchingOptions& options)
    : motion_(std::move(motion)),
      features_(std::move(features)),
      options_(options),
      splice_(motion_, options.rate, options.ease_seconds),
      feet_(*motion_->skeleton),
      pieces_(kNoReturn),
      room_(features_->index),
      query_(features_->dims()) {
  jumped_.query.resize(query_.size());
}

const std::shared_ptr<const motion::Skeleton>& MotionMatcher::skeleton() const { return motion_->skeleton; }

motion::Inputs MotionMatcher::inputs() const { return {true, true, features_->behaviors, features_->flags}; }

bool MotionMatcher::wants_jump(const motion::Control& control) const {
  return features_->jump_flag >= 0 && (control.flags >> features_->jump_flag & 1) != 0;
}

bool MotionMatcher::is_new(const motion::Control& control) const {
  return length(control.velocity - searched_with_.velocity) > policy::kNewVelocity ||
         std::abs(control.turn_rate - searched_with_.turn_rate) > policy::kNewTurn ||
         control.behavior != searched_with_.behavior || control.flags != searched_with_.flags;
}

bool MotionMatcher::search_is_due(const motion::Control& control) const {
  const float half_a_pose = 0.5f / static_cast<float>(options_.rate);
  if (splice_.frames_left() < 2 * splice_.frames_a_pose() || is_new(control)) return true;
  return since_jump_ + half_a_pose >= options_.dwell_seconds && since_search_ + half_a_pose >= options_.search_seconds;
}

double MotionMatcher::wanted_speed() const {
  const auto at = static_cast<double>(splice_.nearest_frame());
  const motion::GroundFrame a = splice_.track_at(splice_.clip(), at - 1), b = splice_.track_at(splice_.clip(), at + 1);
  const float own = distance(a.position(), b.position()) * static_cast<float>(motion_->rate()) / 2;
  const float asked = length(guide_.velocity);
  if (jumping_ || own < kStandingSpeed || asked < kStandingSpeed) return 1;
  return std::clamp(static_cast<double>(asked / own), options_.slowest, options_.fastest);
}

/// How far from where it is a body can be wanted at a place of the path, metres: as far as any motion goes, played as
/// fast and drawn along as much as may be. Asked for more, all motion would be so far off that nothing else counted,
/// neither where the feet are nor whether a jump is asked for.
float MotionMatcher::most_of(std::size_t place) const {
  return features_->farthest[place] * static_cast<float>(options_.fastest) * (1 + options_.root.most);
}

void MotionMatcher::ask(const motion::Control& control, std::uint32_t now) {
  std::array<motion::GroundFrame, kPathPlaces> places;
  guide_.predict(control, kPathSpacing, places, options_.guide);
  const motion::GroundFrame here = started_ ? splice_.place() : guide_.place;
  for (std::size_t i = 0; i < kPathPlaces; ++i) {
    const Vec3 way = play::at_most(places[i].position() - here.position(), most_of(i));
    places[i] = {here.x + way.x, here.z + way.z, places[i].heading};
  }
  const Vec3 velocity = play::at_most(guide_.velocity, most_of(0) / kPathSpacing);
  features_->write_query(now, here, places, velocity, control.flags, started_ ? &feet_.feet() : nullptr, query_);
}

NearestFrames::Found MotionMatcher::look(const motion::Control& control, std::uint32_t now, bool may_stay) {
  ask(control, now);
  bound_ = {now, std::numeric_limits<float>::infinity()};
  if (may_stay) bound_.cost = features_->index.cost(query_, now) * (1 - (is_new_ ? 0 : options_.stay));
  const bool any = control.behavior < 0 || control.behavior >= 64;
  const std::uint64_t tags = any ? NearestFrames::kAll : std::uint64_t{1} << control.behavior;
  const NearestFrames::Skips skips = started_ ? just_played(now) : NearestFrames::Skips{};
  const Support support{features_.get(), query_, feet_.feet().held, features_->speed(now),
                        to_whole<std::uint32_t>(std::ceil(kBlink * motion_->rate()))};
  NearestFrames::Found found{now, std::numeric_limits<float>::infinity()};
  jumped_.tags = tags;
  jumped_.skipped = skips.size();
  jumped_.held = support.held;
  std::copy(skips.begin(), skips.end(), jumped_.skips.begin());
  hurried_ = far_off_ >= kPatience && since_hurry_ >= kRest;
  if (hurried_) {
    far_off_ = since_hurry_ = 0;
    std::array<float, NearestFrames::kMaxDims> shares;
    shares.fill(1);
    std::fill(shares.begin() + MatchFeatures::kPath, shares.begin() + MatchFeatures::kHips, kHurried);
    std::fill(shares.begin() + MatchFeatures::kUpper, shares.begin() + MatchFeatures::kStands, kHurried);
    found = features_->index.scan(query_, shares, tags, skips, support.test());
  }
  if (!std::isfinite(found.cost)) found = features_->index.find(query_, bound_, room_, tags, skips, support.test());
  // Who is told to jump jumps, from whatever foot.
  if (wants_jump(control) && !in_jump(found.row)) {
    const NearestFrames::Found jump = features_->index.find(query_, bound_, room_, tags, skips);
    if (std::isfinite(jump.cost) && in_jump(jump.row)) found = jump;
  }
  // At the end of a clip one goes on somewhere, with the feet elsewhere if need be; at the end of the only motion there
  // is nothing is left but to go back.
  if (!std::isfinite(found.cost)) found = features_->index.find(query_, bound_, room_, tags, skips);
  return std::isfinite(found.cost) ? found : features_->index.find(query_, bound_, room_, tags);
}

/// What must not be found: what was just played of the piece that plays, and the pieces left lately, a moment to both
/// sides of them included. Going back there would show the same again while the body travels.
NearestFrames::Skips MotionMatcher::just_played(std::uint32_t now) {
  const motion::SourceFrame at = features_->frame_of(now);
  const auto frames = static_cast<std::uint32_t>(motion_->clips[at.clip].frames());
  const auto back = to_whole<std::uint32_t>(kStutter * motion_->rate());
  const auto ahead = to_whole<std::uint32_t>(kSameMoment * motion_->rate());
  const std::uint32_t first = now - at.frame;
  std::size_t count = 0;
  skips_[count++] = {first + at.frame - std::min(at.frame, back), first + std::min(at.frame + ahead + 1, frames)};
  for (const play::RecentPieces::Piece& piece : pieces_.left()) {
    const std::uint32_t begin = features_->first_row[piece.clip];
    skips_[count++] = {begin + piece.begin - std::min(piece.begin, ahead), begin + piece.end + ahead};
  }
  return {skips_.data(), count};
}

void MotionMatcher::start(const motion::Control& control) {
  // There is no pose yet to go on from: the one of the first row stands in, then that of what it led to.
  NearestFrames::Found found = look(control, 0, false);
  found = look(control, found.row, false);
  const motion::SourceFrame at = features_->frame_of(found.row);
  splice_.start(at, {});
  pieces_.enter(at.clip, at.frame, at.frame);
  started_ = true;
  searched_with_ = control;
}

void MotionMatcher::search(const motion::Control& control) {
  ++effort_.searches;
  since_search_ = 0;
  is_new_ = is_new(control);
  searched_with_ = control;
  const motion::SourceFrame playing{splice_.clip(), splice_.nearest_frame()};
  const std::uint32_t now = features_->row_of(playing);
  const bool may_stay = splice_.frames_left() >= 2 * splice_.frames_a_pose();
  const NearestFrames::Found found = look(control, now, may_stay);
  jumping_ = wants_jump(control) && in_jump(found.row);
  if (found.row == now) return;
  const motion::SourceFrame to = features_->frame_of(found.row);
  std::copy(query_.begin(), query_.end(), jumped_.query.begin());
  jumped_.from = now;
  jumped_.to = found.row;
  jumped_.hurried = hurried_;
  jumped_.any = true;
  ++effort_.jumps;
  since_jump_ = 0;
  pieces_.enter(to.clip, to.frame, playing.frame);
  splice_.jump(to.clip, to.frame);
}

bool MotionMatcher::next(const motion::Control& asked, motion::StreamPose& pose) {
  const motion::Control control = policy::sound_control(asked);
  if (!started_) start(control);
  if (jumping_) jumping_ = in_jump(features_->row_of({splice_.clip(), splice_.nearest_frame()}));
  const bool can_go_on = splice_.frames_left() >= 2 * splice_.frames_a_pose();
  if (!(jumping_ && can_go_on) && search_is_due(control)) search(control);
  splice_.write(pose);
  feet_.follow(*skeleton(), pose.root, pose.rotations, pose.planted);
  ++effort_.poses;

  const auto seconds = static_cast<float>(1 / options_.rate);
  const motion::GroundFrame before = splice_.place();
  speed_ += (wanted_speed() - speed_) * (1 - std::exp(-static_cast<double>(seconds) / kSpeedSeconds));
  splice_.advance(speed_);
  const Vec3 velocity = (splice_.place().position() - before.position()) / seconds;
  far_off_ = !jumping_ && length(velocity - guide_.velocity) > kFarOff ? far_off_ + seconds : 0;
  guide_.step(control, seconds, options_.guide);
  play::follow(options_.root, before, seconds, splice_, guide_);
  since_search_ += seconds;
  since_jump_ += seconds;
  pieces_.step(seconds);
  since_hurry_ += seconds;
  return true;
}

/// What a row lacks of what was looked for at the last jump.
MatchChoice MotionMatcher::choice(std::uint32_t row) const {
  // Where each group ends; flags come last.
  constexpr std::array<std::size_t, kMatchTerms.size() - 1> kEnds = {
      2 * kPathPlaces,       MatchFeatures::kPath,   MatchFeatures::kSpeeds, MatchFeatures::kHips,
      MatchFeatures::kUpper, MatchFeatures::kStands, MatchFeatures::kFuture, MatchFeatures::kBody};
  MatchChoice made;
  made.at = features_->frame_of(row);
  const std::span<const float> values = features_->index.row(row);
  std::size_t term = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    while (term < kEnds.size() && k >= kEnds[term]) ++term;
    const float lacks = jumped_.query[k] - values[k];
    made.terms[term] += lacks * lacks;
  }
  made.cost = features_->index.cost(jumped_.query, row);
  return made;
}

std::optional<MatchReasons> MotionMatcher::last_jump(std::size_t most) const {
  if (!jumped_.any) return std::nullopt;
  MatchReasons reasons;
  reasons.left = features_->frame_of(jumped_.from);
  reasons.taken = choice(jumped_.to);
  reasons.going_on = choice(jumped_.from);
  reasons.hurried = jumped_.hurried;
  // What is next to a moment that is told is the same choice.
  const auto near = to_whole<std::uint32_t>(kStutter * motion_->rate());
  const auto around = [&](std::uint32_t row) {
    const std::uint32_t first = features_->first_row[features_->clip_of[row]];
    return NearestFrames::Skip{std::max(first, row - std::min(row, near)), row + near + 1};
  };
  std::vector<NearestFrames::Skip> skips(jumped_.skips.begin(),
                                         jumped_.skips.begin() + static_cast<std::ptrdiff_t>(jumped_.skipped));
  skips.push_back(around(jumped_.to));
  NearestFrames::Room room(features_->index);
  const Support support{features_.get(), jumped_.query, jumped_.held, features_->speed(jumped_.from),
                        to_whole<std::uint32_t>(std::ceil(kBlink * motion_->rate()))};
  while (reasons.others.size() < most) {
    const NearestFrames::Found found = features_->index.find(jumped_.query, {0, std::numeric_limits<float>::infinity()},
                                                             room, jumped_.tags, skips, support.test());
    if (!std::isfinite(found.cost)) break;
    reasons.others.push_back(choice(found.row));
    skips.push_back(around(found.row));
  }
  return reasons;
}

}  // namespace loom::matching
