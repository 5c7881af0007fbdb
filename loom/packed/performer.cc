// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <loom/character/transfer.h>
#include <loom/character/transferred_stream.h>
#include <loom/packed/performer.h>
#include <loom/play/planting.h>
#include <loom/policy/drive.h>
#include <loom/polish/polished_stream.h>

namespace loom::packed {
namespace {

constexpr std::size_t kMostLabels = 64;
constexpr double kWhole = 1e-6;  ///< of a pose: what is nearer to one than this is that one

/// For every frame of every clip which of `names` it carries.
std::vector<std::vector<std::uint64_t>> label_bits(const PackedCharacter& packed,
                                                   const std::vector<std::string>& names) {
  std::vector<std::vector<std::uint64_t>> bits;
  if (!packed.motion || names.empty()) return bits;
  for (const motion::Clip& clip : packed.motion->clips) {
    std::vector<std::uint64_t>& frames = bits.emplace_back(clip.frames());
    for (const motion::Label& label : clip.labels) {
      const auto at = std::lower_bound(names.begin(), names.end(), label.name);
      if (at == names.end() || *at != label.name) continue;
      const std::uint64_t bit = std::uint64_t{1} << (at - names.begin());
      for (std::size_t f = label.begin; f < std::min(label.end, frames.size()); ++f) frames[f] |= bit;
    }
  }
  return bits;
}

}  // namespace

std::vector<std::string> labels_of(const PackedCharacter& packed) {
  std::set<std::string> names;
  if (packed.motion) {
    for (const motion::Clip& clip : packed.motion->clips) {
      for (const motion::Label& label : clip.labels) names.insert(label.name);
    }
  }
  std::vector<std::string> list(names.begin(), names.end());
  if (list.size() > kMostLabels) list.resize(kMostLabels);
  return list;
}

Result<Performer::Stack> Performer::stack_of(const PackedCharacter& packed, const PerformerOptions& options) {
  auto player = play(packed, options.play);
  if (!player) return fail_from(player);
  Stack stack;
  stack.machine = player->machine;
  auto joined = std::make_unique<play::HandOverStream>(std::move(player->stream));
  stack.hand_over = joined.get();
  stack.stream = std::move(joined);
  if (options.hold_feet) {
    polish::FootPlanterOptions planting;
    if (packed.motion) planting = play::planting_for(*packed.motion);
    auto held = polish::PolishedStream::create(std::move(stack.stream), planting);
    if (!held) return fail_from(held);
    stack.stream = std::move(*held);
  }
  const std::optional<character::HumanBody>& onto = options.onto ? options.onto : packed.onto;
  if (onto) {
    if (!packed.body) {
      return fail_as(ErrorKind::kBadInput, "the packed motion is on no human body that is known, and is not carried");
    }
    auto carried = character::TransferredStream::create(
        std::move(stack.stream), character::Transfer::between(*packed.body, *onto, {.floor = packed.floor}));
    if (!carried) return fail_from(carried);
    stack.stream = std::move(*carried);
  }
  return stack;
}

Result<std::unique_ptr<Performer>> Performer::create(std::shared_ptr<const PackedCharacter> packed,
                                                     const PerformerOptions& options) {
  auto stack = stack_of(*packed, options);
  if (!stack) return fail_from(stack);
  std::unique_ptr<Performer> made(new Performer());
  made->packed_ = std::move(packed);
  made->options_ = options;
  made->labels_ = label_bits(*made->packed_, labels_of(*made->packed_));
  made->begin(std::move(*stack));
  return made;
}

void Performer::begin(Stack stack) {
  stream_ = std::move(stack.stream);
  hand_over_ = stack.hand_over;
  machine_ = stack.machine;
  inputs_ = stream_->inputs();
  first_source_ = 0;
  const std::size_t joints = stream_->skeleton()->size();
  for (std::vector<Quat>* room : {&before_.rotations, &now_.rotations, &shown_rotations_}) room->assign(joints, {});
  make_next();
  before_ = now_;
  share_ = 1;
  show();
}

void Performer::control(const motion::Control& control) { control_ = policy::sound_control(control); }

bool Performer::make_next() {
  std::swap(before_, now_);
  motion::Control wanted = control_;
  wanted.velocity = rotate(conjugate(placed_.rotation()), wanted.velocity);
  motion::StreamPose pose{{}, now_.rotations, 0, {}};
  if (!stream_->next(wanted, pose)) {
    now_ = before_;  // of the same size: nothing is allocated
    return false;
  }
  now_.root = pose.root;
  now_.planted = pose.planted;
  now_.source = pose.source;
  now_.place = stream_->place();
  return true;
}

bool Performer::advance(double seconds) {
  if (!(seconds >= 0 && seconds <= kLongestStep)) return false;
  double to = share_ + seconds * rate();
  seconds_ += seconds;
  while (to > 1 + kWhole) {
    to -= 1;
    make_next();
    tell_changes(before_, now_);
  }
  share_ = to > 1 - kWhole ? 1 : to;
  show();
  return true;
}

void Performer::show() {
  const auto share = static_cast<float>(share_);
  const Made& nearer = share_ >= 0.5 ? now_ : before_;
  planted_ = nearer.planted;
  source_ = nearer.source;
  if (share_ >= 1) {
    shown_root_ = now_.root;
    std::copy(now_.rotations.begin(), now_.rotations.end(), shown_rotations_.begin());
    shown_place_ = now_.place;
    return;
  }
  shown_root_ = lerp(before_.root, now_.root, share);
  for (std::size_t j = 0; j < shown_rotations_.size(); ++j) {
    shown_rotations_[j] = slerp(before_.rotations[j], now_.rotations[j], share);
  }
  const motion::GroundFrame &a = before_.place, &b = now_.place;
  shown_place_ = {a.x + (b.x - a.x) * share, a.z + (b.z - a.z) * share,
                  wrap_angle(a.heading + wrap_angle(b.heading - a.heading) * share)};
}

void Performer::put(const motion::GroundFrame& place) { placed_ = place * inverse(shown_place_); }

Vec3 Performer::model_root() const { return transform(inverse(shown_place_), shown_root_); }

Quat Performer::model_root_rotation() const { return conjugate(shown_place_.rotation()) * shown_rotations_[0]; }

std::optional<std::size_t> Performer::behavior() const {
  return machine_ ? std::optional(machine_->next_state()) : std::nullopt;
}

bool Performer::set_parameter(std::size_t state, std::size_t parameter, double value) {
  return machine_ != nullptr && machine_->set_parameter(state, {parameter, value});
}

std::uint64_t Performer::labels_at(motion::SourceFrame source) const {
  const std::size_t clip = std::size_t{source.clip} - first_source_;
  if (source.clip < first_source_ || clip >= labels_.size() || source.frame >= labels_[clip].size()) return 0;
  return labels_[clip][source.frame];
}

void Performer::tell(Event::Kind kind, std::uint32_t what) {
  if (event_count_ == kMostEvents) {
    first_event_ = (first_event_ + 1) % kMostEvents;
    --event_count_;
  }
  events_[(first_event_ + event_count_) % kMostEvents] = {kind, what, seconds_};
  ++event_count_;
}

void Performer::tell_changes(const Made& before, const Made& now) {
  for (std::uint32_t bit = 1; bit < 1U << motion::kFootParts; bit <<= 1) {
    const bool was = (before.planted & bit) != 0, is = (now.planted & bit) != 0;
    if (was != is) tell(is ? Event::Kind::kFootDown : Event::Kind::kFootUp, bit);
  }
  if (const auto state = behavior(); state && state != behavior_told_) {
    tell(Event::Kind::kBehavior, static_cast<std::uint32_t>(*state));
    behavior_told_ = state;
  }
  if (now.source.clip != before.source.clip) tell(Event::Kind::kSource, now.source.clip - first_source_);
  const std::uint64_t labels = labels_at(now.source), changed = labels ^ labels_told_;
  for (std::uint32_t l = 0; changed != 0 && l < kMostLabels; ++l) {
    if ((changed >> l & 1) != 0) tell((labels >> l & 1) != 0 ? Event::Kind::kLabelBegin : Event::Kind::kLabelEnd, l);
  }
  labels_told_ = labels;
}

std::size_t Performer::take_events(std::span<Event> events) {
  const std::size_t count = std::min(event_count_, events.size());
  for (std::size_t e = 0; e < count; ++e) {
    events[e] = events_[first_event_];
    first_event_ = (first_event_ + 1) % kMostEvents;
  }
  event_count_ -= count;
  return count;
}

Result<void> Performer::reload(std::shared_ptr<const PackedCharacter> packed) {
  std::string wanted;
  if (control_.behavior >= 0 && static_cast<std::size_t>(control_.behavior) < inputs_.behaviors.size()) {
    wanted = inputs_.behaviors[static_cast<std::size_t>(control_.behavior)];
  }
  const bool same_body = *packed->skeleton() == *packed_->skeleton();
  PlayOptions like = options_.play;
  if (like.rate <= 0) like.rate = rate();
  auto player = play(*packed, like);
  if (!player) return fail_from(player);
  const bool joins = same_body && player->stream->rate() == rate();
  if (joins) {
    const std::vector<std::string> own = player->stream->source_names();
    machine::MachinePlayer* machine = player->machine;
    motion::Control control = control_;
    control.behavior = -1;
    control.velocity = rotate(conjugate(placed_.rotation()), control.velocity);
    if (const auto left = hand_over_->hand_over(std::move(player->stream), control); !left) return fail_from(left);
    machine_ = machine;
    const std::vector<std::string> all = hand_over_->source_names();  // sources that came before keep their numbers
    first_source_ =
        static_cast<std::uint32_t>(std::search(all.begin(), all.end(), own.begin(), own.end()) - all.begin());
    inputs_ = stream_->inputs();
  } else {
    PerformerOptions options = options_;
    options.play.rate = 0;
    auto stack = stack_of(*packed, options);
    if (!stack) return fail_from(stack);
    const motion::GroundFrame here = place();
    begin(std::move(*stack));
    put(here);
  }
  packed_ = std::move(packed);
  labels_ = label_bits(*packed_, labels_of(*packed_));
  behavior_told_.reset();
  labels_told_ = 0;
  const auto at = std::find(inputs_.behaviors.begin(), inputs_.behaviors.end(), wanted);
  control_.behavior =
      wanted.empty() || at == inputs_.behaviors.end() ? -1 : static_cast<int>(at - inputs_.behaviors.begin());
  return {};
}

}  // namespace loom::packed
