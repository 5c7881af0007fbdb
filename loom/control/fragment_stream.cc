// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/control/drive.h>
#include <loom/control/fragment_stream.h>

namespace loom::control {
namespace {

constexpr double kSpeedSeconds = 0.1;   ///< time constant with which the speed of playing changes
constexpr float kStandingSpeed = 0.3f;  ///< metres a second: slower fragments are played as recorded

}  // namespace

Result<std::unique_ptr<FragmentStream>> FragmentStream::create(const FragmentMotion& fragments,
                                                               std::shared_ptr<const TrackedMotion> motion,
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
  return std::unique_ptr<FragmentStream>(
      new FragmentStream(fragments, std::move(motion), std::move(controller), options));
}

FragmentStream::FragmentStream(const FragmentMotion& fragments, std::shared_ptr<const TrackedMotion> motion,
                               std::unique_ptr<Controller> controller, const FragmentStreamOptions& options)
    : set_(fragments.set),
      controller_(std::move(controller)),
      options_(options),
      splice_(std::move(motion), options.rate, options.ease_seconds) {}

const std::shared_ptr<const motion::Skeleton>& FragmentStream::skeleton() const {
  return splice_.motion().motion->skeleton;
}

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
  splice_.start({set_->fragments[fragment_].clip, set_->fragments[fragment_].frame}, {});
  started_ = true;
}

void FragmentStream::decide(const ControlSignal& wanted) {
  const Fragment& before = set_->fragments[fragment_];
  fragment_ = controller_->choose(fragment_, wanted);
  const Fragment& after = set_->fragments[fragment_];
  played_ -= set_->length;
  ++effort_.decisions;
  if (after.clip == before.clip && after.frame == before.frame + set_->length) return;
  splice_.jump(after.clip, after.frame + played_);
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
  if (played_ >= set_->length) decide(wanted);
  splice_.write(pose);
  ++effort_.poses;

  const double seconds = 1 / options_.rate;
  speed_ += (wanted_speed(wanted) - speed_) * (1 - std::exp(-seconds / kSpeedSeconds));
  const motion::GroundFrame before = splice_.place();
  splice_.advance(speed_);
  played_ += speed_ * splice_.frames_a_pose();
  guide_.step(control, static_cast<float>(seconds), options_.guide);
  follow(options_.root, before, static_cast<float>(seconds), splice_, guide_);
  return true;
}

std::shared_ptr<const TrackedMotion> track(const FragmentMotion& fragments) {
  std::vector<std::string> names;
  for (const FragmentClip& clip : fragments.set->clips) names.push_back(clip.title());
  return track(fragments.motion, std::move(names));
}

}  // namespace loom::control
