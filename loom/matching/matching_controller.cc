// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <limits>

#include <loom/base/whole.h>
#include <loom/matching/matching_controller.h>
#include <loom/play/guide.h>
#include <loom/policy/fragment_stream.h>

namespace loom::matching {
namespace {

constexpr double kStutterSeconds = 0.3;  ///< a piece that was just played is not worth a jump (eq. 9)

}  // namespace

Result<std::unique_ptr<MatchingController>> MatchingController::create(const policy::FragmentMotion& fragments,
                                                                       const MatchWeights& weights) {
  MatchOptions options;
  options.weights = weights;
  options.least_facing = 0;  // nothing here makes a body change that goes on with what it was not asked for
  options.flags = fragments.set->flags;
  for (const policy::Fragment& fragment : fragments.set->fragments)
    options.only.push_back({fragment.clip, fragment.frame});
  auto features = find_match_features(*fragments.motion, options);
  if (!features) return fail_from(features);
  auto fragment_of = std::make_shared<std::vector<std::uint32_t>>((*features)->clip_of.size(), policy::kNoState);
  for (std::uint32_t f = 0; f < options.only.size(); ++f) (*fragment_of)[(*features)->row_of(options.only[f])] = f;
  return std::unique_ptr<MatchingController>(
      new MatchingController(fragments.set, std::move(*features), std::move(fragment_of)));
}

MatchingController::MatchingController(std::shared_ptr<const policy::FragmentSet> set,
                                       std::shared_ptr<const MatchFeatures> features,
                                       std::shared_ptr<const std::vector<std::uint32_t>> fragment_of)
    : set_(std::move(set)),
      features_(std::move(features)),
      fragment_of_(std::move(fragment_of)),
      room_(features_->index),
      query_(features_->dims()) {}

std::unique_ptr<policy::Controller> MatchingController::clone() const {
  return std::unique_ptr<MatchingController>(new MatchingController(set_, features_, fragment_of_));
}

std::uint32_t MatchingController::next_in_recording(std::uint32_t previous) const {
  const policy::Fragment& last = set_->fragments[previous];
  const std::uint32_t frame = last.frame + set_->length;
  return frame < set_->clips[last.clip].frames ? (*fragment_of_)[features_->row_of({last.clip, frame})]
                                               : policy::kNoState;
}

std::uint32_t MatchingController::choose(std::uint32_t previous, const policy::ControlSignal& control) {
  const policy::Fragment& last = set_->fragments[previous];
  play::Guide guide;
  guide.velocity = {last.evident.left, 0, last.evident.forward};
  guide.turn_rate = last.evident.turn;
  motion::Control wanted;
  wanted.velocity = {control.left, 0, control.forward};
  wanted.turn_rate = control.turn;
  std::array<motion::GroundFrame, kPathPlaces> places;
  guide.predict(wanted, kPathSpacing, places);

  const std::uint32_t end = std::min(last.frame + set_->length, set_->clips[last.clip].frames - 1);
  const std::uint32_t now = features_->row_of({last.clip, end});
  features_->write_query(now, {}, places, guide.velocity, control.flags, nullptr, query_);
  const std::uint32_t going_on = next_in_recording(previous);
  NearestFrames::Found bound{now, std::numeric_limits<float>::infinity()};
  if (going_on != policy::kNoState) bound.cost = features_->index.cost(query_, now);
  const auto back = to_whole<std::uint32_t>(kStutterSeconds * set_->rate);
  const std::uint32_t played = features_->row_of({last.clip, last.frame});
  const NearestFrames::Skip just_played{played - std::min(last.frame, back), now};
  const NearestFrames::Found found =
      features_->index.find(query_, bound, room_, NearestFrames::kAll, {&just_played, 1});
  const std::uint32_t chosen = (*fragment_of_)[found.row];
  return chosen == policy::kNoState ? previous : chosen;  // all there is was just played
}

}  // namespace loom::matching
