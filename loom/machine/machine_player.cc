// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/machine/machine_player.h>
#include <loom/machine/parametric.h>
#include <loom/motion/kinematics.h>

namespace loom::machine {
namespace {

/// Of a side that weighs less than this, feet do not count.
constexpr float kNextToNothing = 0.05f;
/// Metres between where a foot stands on both sides of a transition, more than which it is moved too visibly to be told
/// to stand.
constexpr float kSameSpot = 0.15f;
/// Metres a second over the floor: what is blended and goes faster does not stand, whatever its examples say. As fast
/// as feet of capture are let go (motion::ContactOptions::leave_speed).
constexpr float kGoes = 0.8f;
/// Of what is left of a transition, to find how far a step of time leads: to a millionth of it.
constexpr int kHalvings = 20;

float mix(float a, float b, float t) { return a + (b - a) * t; }

/// A quaternion or its negative, whichever is nearer to `to`.
Quat nearer(Quat q, Quat to) { return dot(q, to) < 0 ? -q : q; }

motion::GroundFrame mix(const motion::GroundFrame& a, const motion::GroundFrame& b, float t) {
  return {mix(a.x, b.x, t), mix(a.z, b.z, t), mix(a.heading, b.heading, t)};
}

/// The phase of the target that belongs to a phase of the source (Srinivasan 2009 eq. 5.5).
double warp(std::span<const behavior::WarpKnot> knots, double from) {
  std::size_t k = 1;
  while (k + 1 < knots.size() && from > knots[k].from) ++k;
  const behavior::WarpKnot &a = knots[k - 1], &b = knots[k];
  return a.to + (b.to - a.to) / (b.from - a.from) * (from - a.from);
}

}  // namespace

const char* to_string(Mode mode) {
  switch (mode) {
    case Mode::kPreparation:
      return "preparation";
    case Mode::kTransition:
      return "transition";
    case Mode::kPlayback:
      break;
  }
  return "playback";
}

/// One state as it plays.
class MachinePlayer::Voice {
 public:
  explicit Voice(const BuiltState& state) : state_(&state), blender_(state.space), weights_(state.space->size(), 0.0f) {
    if (!state.parameters) {
      weights_[0] = 1;
      blender_.set_weights(weights_);
      return;
    }
    values_ = state.parameters->usual;
    wanted_ = values_;
    is_wanted_.assign(values_.size(), 0);
    coordinates_.resize(values_.size());
    coordinates_wanted_.resize(values_.size());
    target_weights_.resize(weights_.size());
    followed_.resize(weights_.size());
    set_values(state.parameters->usual);
  }

  [[nodiscard]] double phase() const { return phase_; }
  [[nodiscard]] const blend::Blender& blender() const { return blender_; }
  [[nodiscard]] std::span<const double> values() const { return values_; }
  [[nodiscard]] std::span<const double> coordinates() const { return coordinates_; }

  void start(double phase) { phase_ = state_->cyclic ? phase - std::floor(phase) : std::clamp(phase, 0.0, 1.0); }

  /// Parameters at once: those it is entered with.
  void set_values(std::span<const double> values) {
    state_->parameters->space.to_coordinates(values, coordinates_);
    enter(coordinates_);
  }
  void enter(std::span<const double> coordinates) {
    weigh(*state_->parameters, coordinates, target_weights_);
    weights_ = target_weights_;
    followed_ = target_weights_;
    eases_ = false;
    blender_.set_weights(weights_);
    find_values();
  }
  void want(WantedParameter wanted) {
    wanted_[wanted.parameter] = wanted.value;
    is_wanted_[wanted.parameter] = 1;
    go_for_what_is_wanted();
  }
  void want_nothing() {
    std::fill(is_wanted_.begin(), is_wanted_.end(), std::uint8_t{0});
    eases_ = false;
  }
  /// Parameters that are wanted, and as they are where nothing is.
  std::span<const double> wanted_coordinates() {
    for (std::size_t p = 0; p < values_.size(); ++p) {
      if (is_wanted_[p] == 0) wanted_[p] = values_[p];
    }
    state_->parameters->space.to_coordinates(wanted_, coordinates_wanted_);
    return coordinates_wanted_;
  }
  /// From now on the weights come to those of what is wanted, if anything is.
  void go_for_what_is_wanted() {
    eases_ = std::any_of(is_wanted_.begin(), is_wanted_.end(), [](std::uint8_t w) { return w != 0; });
    if (eases_) weigh(*state_->parameters, wanted_coordinates(), target_weights_);
  }

  /// Brings the weights nearer to those of the parameters that are wanted, without a jolt: they follow something that
  /// follows them. Weights rather than parameters, since between examples far apart a step of parameters can be a leap
  /// of weights; and what is between two blends is one.
  void ease(double seconds, double time_constant) {
    if (!eases_) return;
    const auto share = static_cast<float>(1 - std::exp(-seconds / time_constant));
    float far = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      followed_[i] += share * (target_weights_[i] - followed_[i]);
      weights_[i] += share * (followed_[i] - weights_[i]);
      far = std::max(far, std::abs(target_weights_[i] - weights_[i]));
    }
    if (far < kThere) {
      std::copy(target_weights_.begin(), target_weights_.end(), weights_.begin());
      std::copy(target_weights_.begin(), target_weights_.end(), followed_.begin());
      eases_ = false;
    }
    blender_.set_weights(weights_);
    find_values();
  }

  /// The phase it would have `seconds` later, unwrapped.
  [[nodiscard]] double phase_after(double seconds) const {
    const double duration = blender_.duration(), at = blender_.seconds_at(phase_) + seconds;
    if (!state_->cyclic) return blender_.normalised_at(at);
    const double laps = std::floor(at / duration);
    return laps + blender_.normalised_at(at - laps * duration);
  }
  /// Seconds until an unwrapped phase not before its own.
  [[nodiscard]] double seconds_until(double phase) const {
    const double laps = state_->cyclic ? std::floor(phase) : 0;
    return laps * blender_.duration() + blender_.seconds_at(phase - laps) - blender_.seconds_at(phase_);
  }
  /// Seconds that it takes to go on by so much phase. Past the end of a motion that ends as if it went on evenly, so
  /// that time never stands still.
  [[nodiscard]] double seconds_for(double by) const {
    const double past = state_->cyclic ? 0 : std::max(0.0, phase_ + by - 1);
    return seconds_until(phase_ + by - past) + past * std::max(blender_.duration(), kMoment);
  }

  /// Goes on by so much phase; returns how the body moves over the floor meanwhile (Srinivasan 2009 eq. 5.9, 5.10).
  motion::GroundFrame advance(double by) {
    double to = phase_ + by;
    motion::GroundFrame step = inverse(blender_.floor_at(phase_));
    if (state_->cyclic) {
      for (; to > 1; to -= 1) step = step * blender_.floor_at(1) * inverse(blender_.floor_at(0));
    }
    phase_ = std::min(to, 1.0);
    return step * blender_.floor_at(phase_);
  }

  /// The pose as if it stood at the origin, facing +Z.
  void pose(motion::StreamPose& pose) {
    blender_.pose_at(phase_, pose);
    pose.rotations[0] = conjugate(blender_.floor_at(phase_).rotation()) * pose.rotations[0];
    pose.root = {0, pose.root.y, 0};
  }

 private:
  static constexpr float kThere = 1e-4f;   ///< by which weights may be off
  static constexpr double kMoment = 1e-3;  ///< seconds that a motion lasts at the least

  /// The parameters that go with the weights, as if they blended as these do.
  void find_values() {
    const blend::ExamplePoints& points = state_->parameters->points->points();
    std::fill(coordinates_.begin(), coordinates_.end(), 0.0);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      for (std::size_t d = 0; d < coordinates_.size(); ++d) {
        coordinates_[d] += static_cast<double>(weights_[i]) * points[i][d];
      }
    }
    state_->parameters->space.to_values(coordinates_, values_);
  }

  const BuiltState* state_;
  blend::Blender blender_;
  std::vector<float> weights_;
  double phase_ = 0;
  std::vector<float> target_weights_, followed_;
  bool eases_ = false;
  std::vector<double> values_, coordinates_, wanted_, coordinates_wanted_;
  std::vector<std::uint8_t> is_wanted_;
};

Result<std::unique_ptr<MachinePlayer>> MachinePlayer::create(std::shared_ptr<const BuiltMachine> machine,
                                                             const PlayerOptions& options) {
  if (options.rate && !(*options.rate >= 1 && *options.rate <= 1000)) {
    return fail("the rate of poses must be in [1, 1000] a second");
  }
  if (options.start.value_or(0) >= machine->states.size()) {
    return fail(fmt::format("the machine has {} states, and none with the number {}", machine->states.size(),
                            options.start.value_or(0)));
  }
  if (!(options.start_phase >= 0 && options.start_phase < 1)) return fail("a phase to begin at lies in [0, 1)");
  if (!(options.patience > 0)) return fail("waiting is worth something");
  if (!(options.parameter_seconds > 0)) return fail("parameters take a positive time to change");
  return std::unique_ptr<MachinePlayer>(new MachinePlayer(std::move(machine), options));
}

MachinePlayer::MachinePlayer(std::shared_ptr<const BuiltMachine> machine, const PlayerOptions& options)
    : machine_(std::move(machine)),
      options_(options),
      rate_(options.rate.value_or(machine_->rate())),
      steps_(first_steps(machine_->machine)),
      state_(options.start.value_or(machine_->machine.default_state)),
      room_(machine_->skeleton()->size()),
      mixed_from_(machine_->skeleton()->size()),
      mixed_to_(machine_->skeleton()->size()) {
  std::uint32_t sources = 0;
  for (const BuiltState& state : machine_->states) {
    voices_.emplace_back(state);
    first_source_.push_back(sources);
    sources += static_cast<std::uint32_t>(state.space->size());
  }
  voices_[state_].start(options_.start_phase);
  const motion::Skeleton& skeleton = *machine_->skeleton();
  if (const auto feet = motion::find_foot_points(skeleton)) feet_ = *feet;
  for (auto& points : points_) points.resize(skeleton.size() + skeleton.end_sites().size());
  turns_.resize(skeleton.size());
}

MachinePlayer::MachinePlayer(const MachinePlayer& other) = default;
MachinePlayer::~MachinePlayer() = default;

std::unique_ptr<motion::MotionStream> MachinePlayer::clone() const {
  return std::unique_ptr<MachinePlayer>(new MachinePlayer(*this));
}

std::vector<std::string> MachinePlayer::source_names() const {
  std::vector<std::string> names;
  for (const BuiltState& state : machine_->states) {
    for (const motion::Clip& clip : state.space->clips()) names.push_back(clip.name);
  }
  return names;
}

motion::Inputs MachinePlayer::inputs() const {
  motion::Inputs inputs;
  for (const BuiltState& state : machine_->states) inputs.behaviors.push_back(state.name);
  return inputs;
}

double MachinePlayer::phase() const { return voices_[state_].phase(); }

std::span<const double> MachinePlayer::parameters(std::size_t state) const { return voices_[state].values(); }

std::size_t MachinePlayer::way(std::span<std::size_t> way) const {
  if (queued_ == 0) return 0;
  const std::size_t states = machine_->states.size(), to = queue_[0].wish.state;
  std::size_t written = 0, at = state_;
  if (mode_ == Mode::kTransition) {
    at = next_state_;
    if (written < way.size()) way[written++] = at;
  }
  while (at != to && written < way.size() && written < states) {
    at = steps_[at * states + to];
    if (at == kNoWay) break;
    way[written++] = at;
  }
  return written;
}

// Wishes. ------------------------------------------------------------------------------------------------------------

bool MachinePlayer::wish(const Wish& wish, Wishing wishing) {
  const std::size_t states = machine_->states.size();
  if (wish.state >= states || wish.parameter_count > Wish::kMostParameters || !(wish.give_up_after >= 0)) return false;
  if (steps_[state_ * states + wish.state] == kNoWay) return false;
  for (std::size_t p = 0; p < wish.parameter_count; ++p) {
    const bool there = wish.parameters[p].parameter < voices_[wish.state].values().size();
    if (!there || !std::isfinite(wish.parameters[p].value)) return false;
  }
  if (wishing == Wishing::kReplace) drop_wishes();
  if (queued_ == kMostEvents) return false;
  for (std::size_t p = 0; p < wish.parameter_count; ++p) voices_[wish.state].want(wish.parameters[p]);
  queue_[queued_++] = {Event::Kind::kWish, wish, 0};
  if (queued_ == 1) {
    // On its way there already: nothing has to begin.
    going_ = mode_ == Mode::kTransition && next_state_ == wish.state;
    delay_ = 0;
  }
  return true;
}

void MachinePlayer::drop_wishes() {
  queued_ = 0;
  going_ = false;
  if (mode_ == Mode::kPreparation) mode_ = Mode::kPlayback;
}

bool MachinePlayer::set_parameter(std::size_t state, WantedParameter wanted) {
  if (state >= voices_.size() || wanted.parameter >= voices_[state].values().size()) return false;
  if (!std::isfinite(wanted.value)) return false;
  voices_[state].want(wanted);
  return true;
}

void MachinePlayer::hear(const motion::Control& control) {
  if (control.behavior == heard_) return;
  heard_ = control.behavior;
  if (heard_ >= 0) wish({static_cast<std::size_t>(heard_)});
}

void MachinePlayer::pop_first() {
  std::move(queue_.begin() + 1, queue_.begin() + static_cast<std::ptrdiff_t>(queued_), queue_.begin());
  --queued_;
  going_ = false;
  if (mode_ == Mode::kPreparation) mode_ = Mode::kPlayback;
}

/// Lets time pass for what waits: wishes whose time has run out are dropped. Those behind the first wait without end,
/// since they wait for it.
void MachinePlayer::wait(double seconds) {
  for (std::size_t e = 0; e < queued_; ++e) queue_[e].waited += seconds;
  while (queued_ > 0 && !going_ && queue_[0].waited > queue_[0].wish.give_up_after) {
    pop_first();
    ++given_up_;
  }
}

/// In playback: takes up the first event.
void MachinePlayer::answer_first() {
  while (mode_ == Mode::kPlayback && queued_ > 0) {
    const std::size_t to = queue_[0].wish.state;
    if (to == state_ && (machine_->states[state_].cyclic || going_)) {
      if (queue_[0].kind == Event::Kind::kWish) {
        const double cost = machine_->transitions.empty() ? 0 : machine_->transitions[transition_].cost;
        last_ = {to, going_ ? delay_ : 0, queue_[0].waited, cost};
        ++answers_;
      }
      pop_first();
      continue;
    }
    // Once more what ends: by way of what follows it.
    next_state_ =
        to == state_ ? machine_->states[state_].after.value_or(state_) : steps_[state_ * machine_->states.size() + to];
    if (next_state_ == kNoWay || next_state_ == state_) {
      pop_first();
      continue;
    }
    mode_ = Mode::kPreparation;
  }
}

// Playing. -----------------------------------------------------------------------------------------------------------

/// What a transition costs that begins at a phase to come, for comparing: with a single point for each two states what
/// it costs alone; where it is known what it costs with these parameters, that and the wait; else the wait.
double MachinePlayer::cost_of(const BuiltTransition& way, double at) const {
  if (options_.single_point) return way.cost;
  const Voice& voice = voices_[state_];
  const double wait = options_.patience * voice.seconds_until(at);
  return options_.parametric && !way.entries.empty() ? cost_at(way.entries, voice.coordinates()) + wait : wait;
}

/// The transition to `to` that is taken next. Where none begins any more, in a motion that ends: none.
std::optional<MachinePlayer::Exit> MachinePlayer::next_exit(std::size_t to) const {
  const auto ways = machine_->between(state_, to);
  const bool cyclic = machine_->states[state_].cyclic;
  const double phase = voices_[state_].phase();
  std::optional<Exit> first;
  double cheapest = std::numeric_limits<double>::infinity();
  for (const BuiltTransition& way : ways) {
    double at = way.begin();
    if (cyclic) at += std::ceil(phase - at);
    if (at < phase) continue;
    const double cost = cost_of(way, at);
    if (cost >= cheapest) continue;
    cheapest = cost;
    first = {static_cast<std::size_t>(&way - machine_->transitions.data()), at};
  }
  return first;
}

std::vector<Considered> MachinePlayer::considered(std::size_t to) const {
  std::vector<Considered> list;
  const bool cyclic = machine_->states[state_].cyclic;
  const Voice& voice = voices_[state_];
  for (const BuiltTransition& way : machine_->between(state_, to)) {
    double at = way.begin();
    if (cyclic) at += std::ceil(voice.phase() - at);
    if (at < voice.phase()) continue;
    const double distance =
        options_.parametric && !way.entries.empty() ? cost_at(way.entries, voice.coordinates()) : way.cost;
    list.push_back({static_cast<std::size_t>(&way - machine_->transitions.data()), at, voice.seconds_until(at),
                    distance, cost_of(way, at)});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Considered& a, const Considered& b) { return a.price < b.price; });
  return list;
}

std::vector<blend::BlendPart> MachinePlayer::parts() const {
  std::vector<blend::BlendPart> parts;
  const float other = mode_ == Mode::kTransition ? smoothstep(static_cast<float>(share_)) : 0;
  const auto add = [&](std::size_t state, float share) {
    const Voice& voice = voices_[state];
    for (blend::BlendPart part : blend::parts_at(voice.blender().space(), voice.blender().weights(), voice.phase())) {
      part.at.clip += first_source_[state];
      part.share *= share;
      parts.push_back(part);
    }
  };
  add(state_, 1 - other);
  if (other > 0) add(next_state_, other);
  std::stable_sort(parts.begin(), parts.end(), [](const blend::BlendPart& a, const blend::BlendPart& b) {
    return std::abs(a.share) > std::abs(b.share);
  });
  return parts;
}

/// Of a motion that ends, and that is not to be left for something it has a transition to before: at the last moment it
/// goes over to what follows it (the internal event of §6.1).
std::optional<MachinePlayer::Exit> MachinePlayer::exit_of_a_motion_that_ends() {
  const BuiltState& state = machine_->states[state_];
  if (state.cyclic || !state.after) return std::nullopt;
  const auto ways = machine_->between(state_, *state.after);
  if (ways.empty()) return std::nullopt;
  const BuiltTransition& last = ways.back();
  // What was entered after its last way out is played to its end.
  const double at = last.begin() >= voices_[state_].phase() ? last.begin() : 1;
  return Exit{static_cast<std::size_t>(&last - machine_->transitions.data()), at};
}

motion::GroundFrame MachinePlayer::play_on(double seconds) {
  Voice& voice = voices_[state_];
  std::optional<Exit> exit = mode_ == Mode::kPreparation ? next_exit(next_state_) : std::nullopt;
  const double after = voice.phase_after(seconds);
  if (!exit) {
    exit = exit_of_a_motion_that_ends();
    if (exit && exit->at <= after && queued_ == 0) {
      queue_[queued_++] = {Event::Kind::kInternal, {machine_->transitions[exit->transition].to}, 0};
    }
  }
  if (!exit || exit->at > after) return voice.advance(after - voice.phase());
  const double until = std::clamp(voice.seconds_until(exit->at), 0.0, seconds);
  const motion::GroundFrame step = voice.advance(std::max(0.0, exit->at - voice.phase()));
  begin(exit->transition);
  return step * go_over(seconds - until);
}

void MachinePlayer::begin(std::size_t transition) {
  const BuiltTransition& way = machine_->transitions[transition];
  transition_ = transition;
  next_state_ = way.to;
  mode_ = Mode::kTransition;
  share_ = 0;
  if (queued_ > 0 && !going_) {
    going_ = true;
    delay_ = queue_[0].waited;
  }
  enter(way);
}

/// Puts the target where the warp begins, with the parameters it is entered with.
void MachinePlayer::enter(const BuiltTransition& way) {
  Voice& target = voices_[way.to];
  target.start(way.knots.front().to);
  mixed_ = false;
  const BuiltState& state = machine_->states[way.to];
  if (!state.parameters) return;
  if (!options_.parametric || way.entries.empty()) {
    target.set_values(state.parameters->usual);
    target.go_for_what_is_wanted();
    return;
  }
  std::array<double, blend::kMaxDimensions> at{};
  const std::span<double> coordinates(at.data(), state.parameters->space.size());
  // What fits best; and of what is wanted, as much as fits.
  enter_at(way.entries, voices_[way.from].coordinates(), coordinates);
  target.enter(coordinates);
  const std::span<const double> wanted = target.wanted_coordinates();
  std::copy(wanted.begin(), wanted.end(), coordinates.begin());
  bring_in(way.entries, voices_[way.from].coordinates(), coordinates);
  target.enter(coordinates);
  target.go_for_what_is_wanted();
}

void MachinePlayer::finish() {
  voices_[state_].want_nothing();
  state_ = next_state_;
  mode_ = Mode::kPlayback;
  share_ = 0;
  if (queued_ > 0 && queue_[0].kind == Event::Kind::kInternal) pop_first();
  answer_first();
}

/// Both motions go on along the warp, as fast as the one and the other ask for by their weights, and so does the body
/// (Srinivasan 2009 eq. 5.7, 5.11).
motion::GroundFrame MachinePlayer::go_over(double seconds) {
  const BuiltTransition& way = machine_->transitions[transition_];
  Voice &source = voices_[way.from], &target = voices_[way.to];
  const double begin = way.knots.front().from, length = way.knots.back().from - begin;
  const double from = begin + share_ * length;
  const double now = warp(way.knots, from);
  const double weight = smoothstep(static_cast<float>(share_));
  // How long it takes to go on by so much: piece by piece of both motions, since some are quicker than others.
  const auto takes = [&](double by) {
    const double target_by = std::max(0.0, warp(way.knots, from + by) - now);
    return (1 - weight) * source.seconds_for(by) + weight * target.seconds_for(target_by);
  };
  const double left = (1 - share_) * length, whole = takes(left);
  double by = left;
  if (whole > seconds) {
    double low = 0;
    for (int n = 0; n < kHalvings; ++n) {
      const double middle = (low + by) / 2;
      (takes(middle) > seconds ? by : low) = middle;
    }
  }
  const double to = warp(way.knots, from + by);
  const motion::GroundFrame gone = source.advance(by), come = target.advance(std::max(0.0, to - now));
  share_ = whole > seconds ? share_ + by / length : 1;
  const motion::GroundFrame step = mix(gone, come, static_cast<float>(weight));
  if (share_ < 1) return step;
  finish();
  const double rest = seconds - whole;
  return rest > 0 ? step * play_on(rest) : step;
}

/// A foot that stands on one side and swings on the other moves by the weight of the side it swings on, and one that
/// stands on both is moved from the one spot to the other. So it is planted where it is on both sides and nearly in the
/// same place, and where the side that says otherwise counts for next to nothing.
std::uint8_t MachinePlayer::planted_between(const motion::StreamPose& from, const motion::StreamPose& to,
                                            float weight) {
  if (weight < kNextToNothing) return from.planted;
  if (weight > 1 - kNextToNothing) return to.planted;
  std::uint8_t planted = from.planted & to.planted;
  if (planted == 0) return planted;
  motion::forward_kinematics(*machine_->skeleton(), from.root, from.rotations, points_[0], turns_);
  motion::forward_kinematics(*machine_->skeleton(), to.root, to.rotations, points_[1], turns_);
  for (std::size_t part = 0; part < feet_.size(); ++part) {
    if (feet_[part] < 0) continue;
    const auto point = static_cast<std::size_t>(feet_[part]);
    const Vec3 apart = points_[0][point] - points_[1][point];
    if (std::hypot(apart.x, apart.z) > kSameSpot) planted = static_cast<std::uint8_t>(planted & ~(1U << part));
  }
  return planted;
}

/// Examples that disagree on whether a foot stands vote on it, and in a run the blended foot may go at metres a second
/// where the vote says that it stands: nobody can hold it there.
void MachinePlayer::let_go_of_what_goes(motion::StreamPose& pose, double seconds) {
  motion::forward_kinematics(*machine_->skeleton(), pose.root, pose.rotations, points_[0], turns_);
  for (std::size_t part = 0; part < feet_.size(); ++part) {
    if (feet_[part] < 0) continue;
    const Vec3 now = points_[0][static_cast<std::size_t>(feet_[part])], way = now - last_feet_[part];
    last_feet_[part] = now;
    const bool goes = feet_known_ && std::hypot(way.x, way.z) > kGoes * static_cast<float>(seconds);
    if (goes) pose.planted = static_cast<std::uint8_t>(pose.planted & ~(1U << part));
  }
  feet_known_ = true;
}

void MachinePlayer::show(motion::StreamPose& pose, double seconds) {
  voices_[state_].pose(pose);
  pose.source.clip += first_source_[state_];
  if (mode_ == Mode::kTransition) {
    motion::StreamPose other{{}, room_, 0, {}};
    voices_[next_state_].pose(other);
    other.source.clip += first_source_[next_state_];
    const float weight = smoothstep(static_cast<float>(share_));
    pose.planted = planted_between(pose, other, weight);
    for (std::size_t j = 0; j < room_.size(); ++j) {
      // The shorter way at first, and from then on as both go: a joint that comes to be half a turn apart must not
      // flip.
      const Quat q = mixed_ ? nearer(pose.rotations[j], mixed_from_[j]) : pose.rotations[j];
      const Quat there = nearer(room_[j], mixed_ ? mixed_to_[j] : q);
      mixed_from_[j] = q;
      mixed_to_[j] = there;
      pose.rotations[j] = normalized(Quat{mix(q.w, there.w, weight), mix(q.x, there.x, weight),
                                          mix(q.y, there.y, weight), mix(q.z, there.z, weight)});
    }
    mixed_ = true;
    pose.root.y = mix(pose.root.y, other.root.y, weight);
    if (weight >= 0.5f) pose.source = other.source;
  }
  pose.root = {place_.x, pose.root.y, place_.z};
  pose.rotations[0] = normalized(place_.rotation() * pose.rotations[0]);
  if (mode_ == Mode::kTransition || machine_->states[state_].parameters) {
    let_go_of_what_goes(pose, seconds);
  } else {
    feet_known_ = false;  // one recording: its contacts are its own
  }
}

bool MachinePlayer::next(const motion::Control& control, motion::StreamPose& pose) {
  hear(control);
  step(1 / rate_, pose);
  return true;
}

void MachinePlayer::step(double seconds, motion::StreamPose& pose) {
  if (started_) {
    wait(seconds);
    answer_first();
    voices_[state_].ease(seconds, options_.parameter_seconds);
    if (mode_ == Mode::kTransition) voices_[next_state_].ease(seconds, options_.parameter_seconds);
    place_ = place_ * (mode_ == Mode::kTransition ? go_over(seconds) : play_on(seconds));
  }
  started_ = true;
  show(pose, seconds);
}

bool MachinePlayer::put(std::size_t state, double phase, std::span<const double> parameters,
                        const motion::GroundFrame& place) {
  if (state >= voices_.size() || parameters.size() != voices_[state].values().size()) return false;
  drop_wishes();
  for (Voice& voice : voices_) voice.want_nothing();
  state_ = state;
  mode_ = Mode::kPlayback;
  share_ = 0;
  voices_[state].start(phase);
  if (!parameters.empty()) voices_[state].set_values(parameters);
  place_ = place;
  feet_known_ = false;
  started_ = true;
  return true;
}

double MachinePlayer::seconds_to(double phase) const {
  const Voice& voice = voices_[state_];
  if (machine_->states[state_].cyclic) phase += std::floor(voice.phase() - phase) + 1;
  return std::max(0.0, voice.seconds_until(phase));
}

}  // namespace loom::machine
