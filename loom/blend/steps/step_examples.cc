// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <loom/blend/steps/step_examples.h>
#include <loom/motion/ground_frame.h>
#include <loom/motion/kinematics.h>
#include <loom/motion/mirror.h>
#include <loom/polish/foot.h>

namespace loom::blend {
namespace {

/// A foot may have left the floor this long before the other has come down whole: the stepping foot at the beginning
/// of a step, the supporting one, which tips over its toes, at the end.
constexpr double kEarlyLift = 0.1;

/// Standing still: both feet on the floor for so many seconds, the root slower than this, metres a second.
constexpr double kBeforeLift = 0.45, kAfterLanding = 0.6;
constexpr float kStillSpeed = 0.2f;

/// A lift earlier or later in a step than these shares is no landmark for aligning steps.
constexpr double kEarliestLift = 0.04, kLatestLift = 0.6;

/// What a radian of the foot's turn counts against a metre of its place when examples are thinned: about a foot's
/// length and a half.
constexpr float kTurnMetres = 0.4f;

/// A clip to look for steps in.
struct Recorded {
  const motion::Clip& clip;
  const motion::Contacts& contacts;
  const std::array<polish::Foot, 2>& feet;
  motion::WorldPoses poses;
};

/// Frames [begin, end) in which the ball of a foot is planted.
struct Stand {
  std::size_t begin = 0, end = 0;
};

std::vector<Stand> stands_of(const Recorded& recorded, const polish::Foot& foot) {
  std::vector<Stand> stands;
  const auto& planted = recorded.contacts.planted;
  for (std::size_t f = 0; f < planted.size(); ++f) {
    if (!foot.toe_planted(planted[f])) continue;
    Stand stand{f, f};
    while (stand.end < planted.size() && foot.toe_planted(planted[stand.end])) ++stand.end;
    f = stand.end;
    stands.push_back(stand);
  }
  return stands;
}

float heading_of(const polish::FootPlace& place) {
  return std::atan2(place.toe.x - place.heel.x, place.toe.z - place.heel.z);
}

polish::FootPlace place_of(const Recorded& recorded, const polish::Foot& foot, std::size_t frame) {
  return {recorded.poses.position(frame, foot.heel), recorded.poses.position(frame, foot.toe)};
}

/// How far the ball of a foot gets from where it is in frame `begin`.
float wander(const Recorded& recorded, const polish::Foot& foot, std::size_t begin, std::size_t end) {
  float most = 0;
  const Vec3 start = recorded.poses.position(begin, foot.toe);
  for (std::size_t f = begin; f < end; ++f) {
    const Vec3 moved = recorded.poses.position(f, foot.toe) - start;
    most = std::max(most, std::hypot(moved.x, moved.z));
  }
  return most;
}

/// Cuts the step of `stepping` between frames `begin` and `end` and lays it on the supporting foot.
StepExample cut_step(const Recorded& recorded, const polish::Foot& support, const polish::Foot& stepping,
                     std::size_t begin, std::size_t end, std::size_t landing, const std::vector<Stand>& stands) {
  const std::size_t middle = (begin + landing) / 2;
  const polish::FootPlace standing = place_of(recorded, support, middle);
  const motion::GroundFrame origin{standing.toe.x, standing.toe.z, heading_of(standing)};
  StepExample step;
  step.source = fmt::format("{} [{}-{}]", recorded.clip.name, begin, end);
  step.clip = motion::cut(recorded.clip, begin, end + 1).value();
  step.clip.labels.clear();
  for (Vec3& root : step.clip.roots) root.y -= recorded.contacts.ground.at(root);
  motion::move(step.clip, inverse(origin));
  step.planted.assign(recorded.contacts.planted.begin() + static_cast<std::ptrdiff_t>(begin),
                      recorded.contacts.planted.begin() + static_cast<std::ptrdiff_t>(end) + 1);
  const auto seen = [&](std::size_t frame) {
    Vec3 p = recorded.poses.position(frame, stepping.toe);
    p.y -= recorded.contacts.ground.at(p);
    return transform(inverse(origin), p);
  };
  step.from = seen(begin);
  step.to = seen(end);
  step.turn = wrap_angle(heading_of(place_of(recorded, stepping, end)) - origin.heading);
  step.land = static_cast<double>(landing - begin) / recorded.clip.rate;
  for (const Stand& stand : stands) {
    if (stand.begin <= begin && stand.end > begin) {
      step.lift = static_cast<double>(stand.end - begin) / recorded.clip.rate;
    }
  }
  return step;
}

/// All steps of the foot `stepping` (0 left, 1 right): from where the other foot's ball comes to stand to where its own
/// does next.
void add_steps(const Recorded& recorded, std::size_t stepping, const StepOptions& options,
               std::vector<StepExample>& steps) {
  const polish::Foot &foot = recorded.feet[stepping], &support = recorded.feet[1 - stepping];
  const auto own = stands_of(recorded, foot), others = stands_of(recorded, support);
  for (const Stand& stand : others) {
    if (stand.begin == 0) continue;  // when it came down was not seen
    const std::size_t begin = stand.begin;
    const auto landing = std::find_if(own.begin(), own.end(), [&](const Stand& mine) { return mine.begin > begin; });
    if (landing == own.end() || landing == own.begin()) continue;
    const std::size_t end = landing->begin, left_at = (landing - 1)->end;
    if (static_cast<double>(end) >= static_cast<double>(stand.end) + kEarlyLift * recorded.clip.rate) continue;
    const double seconds = static_cast<double>(end - begin) / recorded.clip.rate;
    const double early = (static_cast<double>(begin) - static_cast<double>(left_at)) / recorded.clip.rate;
    if (seconds < options.shortest || seconds > options.longest || early > kEarlyLift) continue;
    if (wander(recorded, support, begin, std::min(end + 1, stand.end)) > options.max_wander) continue;
    steps.push_back(cut_step(recorded, support, foot, begin, end, end, own));
  }
}

bool is_still(const Recorded& recorded, std::size_t frame) {
  const std::size_t before = frame == 0 ? 0 : frame - 1, after = std::min(frame + 1, recorded.clip.frames() - 1);
  const Vec3 moved = recorded.clip.roots[after] - recorded.clip.roots[before];
  return std::hypot(moved.x, moved.z) * static_cast<float>(recorded.clip.rate) <
         kStillSpeed * static_cast<float>(after - before);
}

/// All steps of the foot `stepping` that begin at rest, or end there: while it swings the other foot stands.
void add_rest_steps(const Recorded& recorded, std::size_t stepping, StepKind kind, const StepOptions& options,
                    std::vector<StepExample>& steps) {
  const polish::Foot &foot = recorded.feet[stepping], &support = recorded.feet[1 - stepping];
  const auto own = stands_of(recorded, foot), others = stands_of(recorded, support);
  const double rate = recorded.clip.rate;
  const auto before = static_cast<std::size_t>(kBeforeLift * rate),
             after = static_cast<std::size_t>(kAfterLanding * rate);
  for (std::size_t i = 1; i < own.size(); ++i) {
    const std::size_t lift = own[i - 1].end, landing = own[i].begin;
    const auto carrying = std::find_if(others.begin(), others.end(), [&](const Stand& stand) {
      return stand.begin <= lift && static_cast<double>(stand.end) + kEarlyLift * rate > static_cast<double>(landing);
    });
    if (carrying == others.end() || lift < before) continue;
    const bool first = kind == StepKind::kFromRest;
    const std::size_t begin = first ? lift - before : std::max(carrying->begin, lift - before);
    const std::size_t end = first ? landing : landing + after;
    if (begin < own[i - 1].begin || (first && begin < carrying->begin)) continue;
    if (!first && (end >= own[i].end || end >= carrying->end)) continue;
    if (!is_still(recorded, first ? begin : end)) continue;
    const double seconds = static_cast<double>(landing - begin) / rate;
    if (seconds < options.shortest || seconds > options.longest) continue;
    if (wander(recorded, support, begin, std::min(end + 1, carrying->end)) > options.max_wander) continue;
    steps.push_back(cut_step(recorded, support, foot, begin, end, landing, own));
  }
}

/// The step as seen in a mirror: a step of the other foot. The supporting foot is at the origin already.
Result<StepExample> mirrored(const StepExample& step) {
  auto clip = motion::mirror(step.clip);
  if (!clip) return fail_from(clip);
  StepExample other = step;
  other.source += " mirrored";
  other.clip = std::move(*clip);
  for (std::uint8_t& bits : other.planted) {
    bits = static_cast<std::uint8_t>(((bits & motion::kLeftFoot) << 2) | ((bits & motion::kRightFoot) >> 2));
  }
  other.from.x = -other.from.x;
  other.to.x = -other.to.x;
  other.turn = -other.turn;
  return other;
}

float difference(const StepExample& a, const StepExample& b) {
  const float turn = kTurnMetres * wrap_angle(a.turn - b.turn);
  const Vec3 from = a.from - b.from, to = a.to - b.to;
  return std::sqrt(dot(from, from) + dot(to, to) + turn * turn);
}

/// Keeps those that cover the ground best: each time the one furthest from those kept so far, starting with the one
/// nearest to the mean.
std::vector<StepExample> thinned(std::vector<StepExample> steps, std::size_t most) {
  if (steps.size() <= most) return steps;
  StepExample mean;
  const float share = 1 / static_cast<float>(steps.size());
  for (const StepExample& step : steps) {
    mean.from += share * step.from;
    mean.to += share * step.to;
    mean.turn += share * step.turn;
  }
  const auto first = std::min_element(steps.begin(), steps.end(), [&](const StepExample& a, const StepExample& b) {
    return difference(a, mean) < difference(b, mean);
  });
  std::vector<StepExample> kept{*first};
  std::vector<float> away(steps.size(), std::numeric_limits<float>::infinity());
  while (kept.size() < most) {
    for (std::size_t n = 0; n < steps.size(); ++n) away[n] = std::min(away[n], difference(steps[n], kept.back()));
    kept.push_back(steps[static_cast<std::size_t>(std::max_element(away.begin(), away.end()) - away.begin())]);
  }
  return kept;
}

/// Aligns the examples of a set at their lifts and, where they come to rest after it, their landings.
void register_steps(StepSet& set) {
  double sum = 0, count = 0, landings = 0;
  const auto share_of = [](const StepExample& step) { return step.lift / step.clip.duration(); };
  const auto lifts = [&](const StepExample& step) {
    return share_of(step) >= kEarliestLift && share_of(step) <= kLatestLift;
  };
  for (const StepExample& step : set.examples) {
    landings += step.land / step.clip.duration() / static_cast<double>(set.examples.size());
    if (!lifts(step)) continue;
    sum += share_of(step);
    ++count;
  }
  set.lift = count > 0 ? sum / count : 0;
  set.land = set.kind == StepKind::kToRest ? landings : 1;
  for (const StepExample& step : set.examples) {
    std::vector<Mark> marks{{0, 0}};
    if (lifts(step)) marks.push_back({set.lift, step.lift});
    if (set.kind == StepKind::kToRest) marks.push_back({set.land, step.land});
    marks.push_back({1, step.clip.duration()});
    set.curves.push_back(RegistrationCurve::create(std::move(marks)).value());
  }
}

/// The mean length of feet that stand flat, along the floor.
class FootLength {
 public:
  void see(const Recorded& recorded, const polish::Foot& foot) {
    for (std::size_t f = 0; f < recorded.poses.frames; ++f) {
      const std::uint8_t planted = recorded.contacts.planted[f];
      if (!foot.heel_planted(planted) || !foot.toe_planted(planted)) continue;
      const polish::FootPlace place = place_of(recorded, foot, f);
      sum_ += std::hypot(place.toe.x - place.heel.x, place.toe.z - place.heel.z);
      ++count_;
    }
  }
  [[nodiscard]] float mean() const { return sum_ / static_cast<float>(std::max<std::size_t>(count_, 1)); }

 private:
  float sum_ = 0;
  std::size_t count_ = 0;
};

/// The steps of the left and the right foot become examples of their own foot and, mirrored, of the other.
Result<void> fill_sets(const std::array<std::vector<StepExample>, 2>& found, StepKind kind, std::size_t most,
                       const std::array<StepSet*, 2>& sets) {
  for (const std::size_t side : {0, 1}) {
    sets[side]->left = side == 0;
    sets[side]->kind = kind;
    sets[side]->examples = found[side];
  }
  for (const std::size_t side : {0, 1}) {
    for (const StepExample& step : found[side]) {
      auto mirror = mirrored(step);
      if (!mirror) return fail_from(mirror);
      sets[1 - side]->examples.push_back(std::move(*mirror));
    }
  }
  for (StepSet* set : sets) {
    set->examples = thinned(std::move(set->examples), most);
    register_steps(*set);
  }
  return {};
}

Result<void> check(std::span<const motion::Clip> clips, std::span<const motion::Contacts> contacts) {
  if (clips.empty() || clips.size() != contacts.size()) return fail("steps are cut from clips with their contacts");
  for (std::size_t c = 0; c < clips.size(); ++c) {
    if (!(*clips[c].skeleton == *clips[0].skeleton)) {
      return fail(fmt::format("'{}' and '{}' move different bodies", clips[0].name, clips[c].name));
    }
    if (clips[c].rate != clips[0].rate) {
      return fail(fmt::format("'{}' and '{}' have different rates", clips[0].name, clips[c].name));
    }
    if (contacts[c].planted.size() != clips[c].frames()) {
      return fail(fmt::format("the contacts of '{}' are not one a frame", clips[c].name));
    }
  }
  return {};
}

}  // namespace

Result<StepLibrary> find_steps(std::span<const motion::Clip> clips, std::span<const motion::Contacts> contacts,
                               const StepOptions& options) {
  if (auto valid = check(clips, contacts); !valid) return fail_from(valid);
  StepLibrary library;
  library.skeleton = clips.front().skeleton;
  library.rate = clips.front().rate;
  const auto feet = polish::find_feet(*library.skeleton);
  if (!feet) return fail_from(feet);
  std::array<std::vector<StepExample>, 2> found, first, last;
  FootLength foot_length;
  library.feet.points = contacts.front().points;
  for (std::size_t c = 0; c < clips.size(); ++c) {
    for (std::size_t part = 0; part < motion::kFootParts; ++part) {
      library.feet.rest_height[part] += contacts[c].rest_height[part] / static_cast<float>(clips.size());
    }
    const Recorded recorded{clips[c], contacts[c], *feet, motion::forward_kinematics(clips[c])};
    for (const std::size_t side : {0, 1}) {
      add_steps(recorded, side, options, found[side]);
      add_rest_steps(recorded, side, StepKind::kFromRest, options, first[side]);
      add_rest_steps(recorded, side, StepKind::kToRest, options, last[side]);
      foot_length.see(recorded, (*feet)[side]);
    }
  }
  if (found[0].size() + found[1].size() < 2) {
    return fail(
        fmt::format("found {} steps, too few to walk with: a step is a foot that swings for {} to {} s while the "
                    "other stands",
                    found[0].size() + found[1].size(), options.shortest, options.longest));
  }
  library.foot_length = foot_length.mean();
  const std::size_t most = options.most_examples;
  auto filled = fill_sets(found, StepKind::kOnTheWay, most, {&library.left, &library.right});
  if (filled) filled = fill_sets(first, StepKind::kFromRest, most, {&library.first[0], &library.first[1]});
  if (filled) filled = fill_sets(last, StepKind::kToRest, most, {&library.last[0], &library.last[1]});
  if (!filled) return fail_from(filled);
  return library;
}

}  // namespace loom::blend
