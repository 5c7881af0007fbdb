// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/policy/drive.h>
#include <loom/policy/fragment_stream.h>

namespace loom::policy {
namespace {

constexpr double kSpeedSeconds = 0.1;   ///< time constant with which the speed of playing changes
constexpr float kNoReturn = 1.0f;       ///< seconds in which one does not go back to a piece one has left
constexpr double kNoRepeat = 0.8;       ///< seconds just played, to which it does not go back
constexpr float kStandingSpeed = 0.3f;  ///< metres a second: slower fragments are played as recorded

bool is_new(const ControlSignal& wanted, const ControlSignal& before) {
  return std::hypot(wanted.left - before.left, wanted.forward - before.forward) > kNewVelocity ||
         std::abs(wanted.turn - before.turn) > kNewTurn || wanted.flags != before.flags;
}

}  // namespace

Result<std::unique_ptr<FragmentStream>> FragmentStream::create(const FragmentMotion& fragments,
                                                               std::unique_ptr<Controller> controller,
                                                               const FragmentStreamOptions& options) {
  if (!(options.rate >= 1 && options.rate <= 1000)) return fail("the rate of poses must be in [1, 1000] a second");
  if (!(options.ease_seconds > 0 && options.ease_seconds <= 2)) {
    return fail("the time constant of joins must be above 0 and at most 2 seconds");
  }
  if (!(options.slowest > 0 && options.slowest <= 1 && options.fastest >= 1 && options.fastest <= 10)) {
    return fail("fragments can be played at above 0 to 1 times their speed at the slowest and 1 to 10 at the fastest");
  }
  if (fragments.set->fragments.empty()) return fail("there are no fragments to play");
  return std::unique_ptr<FragmentStream>(new FragmentStream(fragments, std::move(controller), options));
}

FragmentStream::FragmentStream(const FragmentMotion& fragments, std::unique_ptr<Controller> controller,
                               const FragmentStreamOptions& options)
    : set_(fragments.set),
      controller_(std::move(controller)),
      options_(options),
      splice_(fragments.motion, options.rate, options.ease_seconds),
      pieces_(kNoReturn) {}

FragmentStream::FragmentStream(const FragmentStream& other)
    : set_(other.set_),
      controller_(other.controller_->clone()),
      options_(other.options_),
      splice_(other.splice_),
      guide_(other.guide_),
      pieces_(other.pieces_),
      fragment_(other.fragment_),
      decided_with_(other.decided_with_),
      played_(other.played_),
      speed_(other.speed_),
      started_(other.started_),
      effort_(other.effort_) {}

std::unique_ptr<motion::MotionStream> FragmentStream::clone() const {
  return std::unique_ptr<FragmentStream>(new FragmentStream(*this));
}

const std::shared_ptr<const motion::Skeleton>& FragmentStream::skeleton() const { return splice_.motion().skeleton; }

void FragmentStream::start(const ControlSignal& wanted) {
  // Nothing was played before: the fragment that does what is wanted best comes first.
  const ControlWeights weights;
  float best = -1;
  for (std::uint32_t f = 0; f < set_->fragments.size(); ++f) {
    const float quality = control_quality(weights, set_->fragments[f].evident, wanted);
    if (quality <= best) continue;
    best = quality;
    fragment_ = f;
  }
  const Fragment& first = set_->fragments[fragment_];
  splice_.start({first.clip, first.frame}, {});
  pieces_.enter(first.clip, first.frame, first.frame);
  decided_with_ = wanted;
  started_ = true;
}

/// Takes the fragment that ends where the played one has come to for the played one, if there is one in the recording.
void FragmentStream::end_early() {
  const auto steps = static_cast<std::uint32_t>(std::max(0.0, played_) / set_->step);
  const std::uint32_t back = set_->length / set_->step - steps;  // fragments of a clip lie `step` frames apart
  if (steps == 0 || set_->length % set_->step != 0 || back > fragment_) return;
  const Fragment &now = set_->fragments[fragment_], &ending = set_->fragments[fragment_ - back];
  if (ending.clip != now.clip || ending.frame + set_->length != now.frame + steps * set_->step) return;
  fragment_ -= back;
  played_ += static_cast<double>(now.frame) - ending.frame;
}

/// The fragment that goes on in the recording; kNoState where there is none. Fragments of a clip are in order.
std::uint32_t FragmentStream::next_in_recording() const {
  const Fragment& now = set_->fragments[fragment_];
  for (std::uint32_t f = fragment_ + 1; f < set_->fragments.size() && set_->fragments[f].clip == now.clip; ++f) {
    if (set_->fragments[f].frame >= now.frame + set_->length) {
      return set_->fragments[f].frame == now.frame + set_->length ? f : kNoState;
    }
  }
  return kNoState;
}

/// Whether a fragment begins in a piece that was left a moment ago, or a moment ago in the piece that plays.
bool FragmentStream::was_just_shown(const Fragment& chosen) const {
  const double now = splice_.nearest_frame();
  const bool back = chosen.clip == splice_.clip() && chosen.frame < now && chosen.frame > now - kNoRepeat * set_->rate;
  return back || pieces_.has(chosen.clip, chosen.frame, 0);
}

/// Whether the recording would be over before the next pose: a fragment at the end of a clip lacks its last frame, and
/// a body that waited there would stop for a pose, and the join take that for its speed.
bool FragmentStream::recording_ends() const { return splice_.frames_left() < speed_ * splice_.frames_a_pose(); }

void FragmentStream::decide(const ControlSignal& wanted) {
  const std::uint32_t going_on = next_in_recording();
  const Fragment& before = set_->fragments[fragment_];
  fragment_ = controller_->choose(fragment_, wanted);
  if (going_on != kNoState && was_just_shown(set_->fragments[fragment_])) fragment_ = going_on;
  const Fragment& after = set_->fragments[fragment_];
  played_ -= set_->length;
  decided_with_ = wanted;
  ++effort_.decisions;
  if (after.clip == before.clip && after.frame == before.frame + set_->length) return;
  pieces_.enter(after.clip, after.frame, splice_.nearest_frame());
  splice_.jump(after.clip, std::max(0.0, after.frame + played_));
  ++effort_.jumps;
}

double FragmentStream::wanted_speed(const ControlSignal& wanted) const {
  const ControlSignal& evident = set_->fragments[fragment_].evident;
  const float own = std::hypot(evident.left, evident.forward), asked = std::hypot(wanted.left, wanted.forward);
  if (own < kStandingSpeed || asked < kStandingSpeed || evident.flags != wanted.flags) return 1;
  return std::clamp(static_cast<double>(asked / own), options_.slowest, options_.fastest);
}

bool FragmentStream::next(const motion::Control& asked, motion::StreamPose& pose) {
  const motion::Control control = sound_control(asked);
  const ControlSignal wanted = seen_from(control, splice_.place().heading);
  if (!started_) start(wanted);
  if (played_ < set_->length && is_new(wanted, decided_with_)) end_early();
  if (played_ >= set_->length || recording_ends()) decide(wanted);
  splice_.write(pose);
  ++effort_.poses;

  const double seconds = 1 / options_.rate;
  speed_ += (wanted_speed(wanted) - speed_) * (1 - std::exp(-seconds / kSpeedSeconds));
  const motion::GroundFrame before = splice_.place();
  splice_.advance(speed_);
  played_ += speed_ * splice_.frames_a_pose();
  pieces_.step(static_cast<float>(seconds));
  guide_.step(control, static_cast<float>(seconds), options_.guide);
  play::follow(options_.root, before, static_cast<float>(seconds), splice_, guide_);
  return true;
}

}  // namespace loom::policy
