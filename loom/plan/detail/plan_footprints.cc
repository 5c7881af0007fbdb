// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <loom/plan/detail/plan_footprints.h>

namespace loom::plan {
namespace {

using blend::Footprint;
using motion::GroundFrame;

constexpr float kAhead = 0.62f, kBack = 0.34f, kAside = 0.3f;  ///< metres that a body gets on in a step
constexpr float kOpens = 0.87f, kCloses = 0.55f;  ///< radians that a foot turns in a step: outwards, and inwards
constexpr float kApart = 0.09f;                   ///< metres between the middles of feet side by side, at least
constexpr float kPassing = 0.24f;                 ///< metres: feet further from each other lengthwise may be in line
constexpr float kLeastOn = 0.2f;                  ///< of a step's length while the body turns to its way
constexpr float kEasy = 0.75f;                    ///< of a step's length in the first and the last
constexpr float kRound = 0.35f;                   ///< metres before and after a corner from which it is rounded
constexpr float kHalfWide = 0.1f;                 ///< metres from the middle that feet are at most, while one walks
constexpr int kMostSteps = 400;

/// A way by arc length, corners rounded.
class Way {
 public:
  Way(const GroundFrame& start, std::span<const world::Point> corners, const GroundFrame& goal) {
    points_.push_back({start.x, 0, start.z});
    for (const world::Point& p : corners) points_.push_back({static_cast<float>(p.x), 0, static_cast<float>(p.z)});
    points_.back() = goal.position();
    for (std::size_t i = 1; i < points_.size(); ++i)
      lengths_.push_back((lengths_.empty() ? 0 : lengths_.back()) + distance(points_[i - 1], points_[i]));
  }
  [[nodiscard]] float length() const { return lengths_.back(); }
  /// Where it is after `s` metres: the mean of what is around it.
  [[nodiscard]] Vec3 at(float s) const {
    const float reach = std::min({kRound, s, length() - s});
    if (reach <= 0) return sharp(s);
    return 0.25f * sharp(s - reach) + 0.5f * sharp(s) + 0.25f * sharp(s + reach);
  }
  [[nodiscard]] float heading(float s) const {
    const float low = std::max(0.0f, s - kRound), high = std::min(length(), s + kRound);
    const Vec3 along = at(high) - at(low);
    return std::atan2(along.x, along.z);
  }

 private:
  [[nodiscard]] Vec3 sharp(float s) const {
    const auto after = std::lower_bound(lengths_.begin(), lengths_.end() - 1, s);
    const auto i = static_cast<std::size_t>(after - lengths_.begin());
    const float begin = i == 0 ? 0 : lengths_[i - 1], piece = lengths_[i] - begin;
    return piece > 0 ? lerp(points_[i], points_[i + 1], std::clamp((s - begin) / piece, 0.0f, 1.0f)) : points_[i];
  }
  std::vector<Vec3> points_;
  std::vector<float> lengths_;
};

/// Steps of one kind with a given number.
class Steps {
 public:
  Steps(const Way& way, const GroundFrame& start, const GroundFrame& goal, const Stance& from, const Stance& to)
      : way_(way), start_(start), goal_(goal), from_(from), to_(to) {}

  /// Footprints of `count` steps and one that closes; none where one of them is no step that people make.
  std::optional<std::vector<Footprint>> make(int count, bool left_first, bool facing_way);

 private:
  [[nodiscard]] bool is_left(int step) const { return (step % 2 == 1) == left_first_; }
  /// Radians that a foot may turn by in a step, to one side.
  [[nodiscard]] float most_turn(int step, float way) const { return (way > 0) == is_left(step) ? kOpens : kCloses; }
  bool face_the_way();
  void turn_evenly();
  void place_bodies(bool facing_way);
  [[nodiscard]] bool is_step(int step) const;
  [[nodiscard]] GroundFrame print(int body, bool left) const;
  [[nodiscard]] std::optional<std::vector<Footprint>> prints() const;

  const Way& way_;
  GroundFrame start_, goal_;
  Stance from_, to_;
  bool left_first_ = true;
  std::vector<float> headings_;      ///< of the body at each step, 0 the start; not wrapped
  std::vector<GroundFrame> bodies_;  ///< likewise where it is
};

/// The body turns to its way in its first steps, and to the goal's heading in its last; false where there are too few.
bool Steps::face_the_way() {
  const int count = static_cast<int>(headings_.size()) - 1;
  const auto share = [&](int k) { return static_cast<float>(k) / static_cast<float>(count); };
  headings_[0] = start_.heading;
  for (int k = 1; k <= count; ++k) {
    const auto i = static_cast<std::size_t>(k);
    headings_[i] = headings_[i - 1] + wrap_angle(way_.heading(share(k) * way_.length()) - headings_[i - 1]);
  }
  // From the start on no foot turns further than it can.
  int turned = count;
  for (int k = 1; k <= count; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const float left = headings_[i] - headings_[i - 1], most = most_turn(k, left);
    if (std::fabs(left) <= most) {
      turned = k;
      break;
    }
    headings_[i] = headings_[i - 1] + std::copysign(most, left);
  }
  // Nor on the way back from the goal.
  float wanted = headings_[static_cast<std::size_t>(count - 1)];
  wanted += wrap_angle(goal_.heading - wanted);
  headings_.back() = wanted;
  for (int k = count; k > turned; --k) {
    const auto i = static_cast<std::size_t>(k);
    const float left = headings_[i] - headings_[i - 1], most = most_turn(k, left);
    if (std::fabs(left) <= most) return true;
    headings_[i - 1] = headings_[i] - std::copysign(most, left);
  }
  const auto last = static_cast<std::size_t>(turned);
  const float left = headings_[last] - headings_[last - 1];
  return std::fabs(left) <= most_turn(turned, left);
}

void Steps::turn_evenly() {
  const float whole = wrap_angle(goal_.heading - start_.heading);
  float room = 0;
  for (std::size_t k = 1; k < headings_.size(); ++k) room += most_turn(static_cast<int>(k), whole);
  headings_[0] = start_.heading;
  for (std::size_t k = 1; k < headings_.size(); ++k)
    headings_[k] = headings_[k - 1] + whole * most_turn(static_cast<int>(k), whole) / room;
}

/// The body gets on by its own length in each step, less where it faces away from its way and at both ends.
void Steps::place_bodies(bool facing_way) {
  const std::size_t count = headings_.size() - 1;
  std::vector<float> shares(count, 1);
  if (facing_way) {
    for (std::size_t k = 0; k < count; ++k) {
      const float s = way_.length() * (static_cast<float>(k) + 0.5f) / static_cast<float>(count);
      const float off = wrap_angle((headings_[k] + headings_[k + 1]) / 2 - way_.heading(s));
      shares[k] = std::max(kLeastOn, std::cos(off));
    }
    if (count > 2) {
      shares.front() *= kEasy;
      shares.back() *= kEasy;
    }
  }
  float sum = 0, gone = 0;
  for (const float share : shares) sum += share;
  bodies_.assign(1, start_);
  for (std::size_t k = 0; k < count; ++k) {
    gone += shares[k];
    const Vec3 at = way_.at(std::min(way_.length(), way_.length() * gone / sum));
    bodies_.push_back({at.x, at.z, wrap_angle(headings_[k + 1])});
  }
  bodies_.back() = goal_;
}

GroundFrame Steps::print(int body, bool left) const {
  const auto last = static_cast<int>(bodies_.size()) - 1;
  const GroundFrame& at = bodies_[static_cast<std::size_t>(body)];
  if (body == 0) return at * (left ? from_.left : from_.right);
  GroundFrame foot = left ? to_.left : to_.right;
  if (body < last) foot.x = std::clamp(foot.x, -kHalfWide, kHalfWide);
  return at * foot;
}

/// Whether step `step`, from the print before it, is one that people make.
bool Steps::is_step(int step) const {
  const auto i = static_cast<std::size_t>(step);
  if (i < bodies_.size()) {
    GroundFrame middle = bodies_[i - 1];
    middle.heading = wrap_angle((headings_[i - 1] + headings_[i]) / 2);
    const Vec3 on = transform(inverse(middle), bodies_[i].position());
    const float along = on.z / (on.z > 0 ? kAhead : kBack), aside = on.x / kAside;
    if (along * along + aside * aside > 1) return false;
    const float turn = headings_[i] - headings_[i - 1];
    if (std::fabs(turn) > most_turn(step, turn) + 1e-3f) return false;
  }
  const int last = static_cast<int>(bodies_.size()) - 1;
  const bool left = is_left(step);
  const GroundFrame seen = inverse(print(step - 1, !left)) * print(std::min(step, last), left);
  return std::fabs(seen.z) > kPassing || (left ? seen.x : -seen.x) > kApart;
}

std::optional<std::vector<Footprint>> Steps::prints() const {
  const int count = static_cast<int>(bodies_.size()) - 1;
  std::vector<Footprint> prints = {{print(0, left_first_), left_first_}, {print(0, !left_first_), !left_first_}};
  for (int k = 1; k <= count + 1; ++k) {
    if (!is_step(k)) return {};
    prints.push_back({print(std::min(k, count), is_left(k)), is_left(k)});
  }
  return prints;
}

std::optional<std::vector<Footprint>> Steps::make(int count, bool left_first, bool facing_way) {
  left_first_ = left_first;
  headings_.assign(static_cast<std::size_t>(count) + 1, 0);
  if (facing_way) {
    if (!face_the_way()) return {};
  } else {
    turn_evenly();
  }
  place_bodies(facing_way);
  return prints();
}

}  // namespace

Result<std::vector<Footprint>> plan_footprints(std::span<const world::Point> way, const GroundFrame& start,
                                               const GroundFrame& goal, const Stance& from, const Stance& to) {
  const Way smooth(start, way, goal);
  Steps steps(smooth, start, goal, from, to);
  const int least = std::max(1, static_cast<int>(smooth.length() / kAhead));
  const int most = std::min(kMostSteps, 4 * least + 16);
  // Who turns to the left opens with the left foot, and nobody walks backwards for long.
  const bool left = wrap_angle((smooth.length() > kAhead ? smooth.heading(0) : goal.heading) - start.heading) > 0;
  for (int count = least; count <= most; ++count) {
    for (const bool facing_way : {true, false}) {
      if (facing_way ? smooth.length() < kAhead / 2 : smooth.length() > 2 * kAhead) continue;
      for (const bool left_first : {left, !left}) {
        if (auto prints = steps.make(count, left_first, facing_way)) return std::move(*prints);
      }
    }
  }
  return fail_as(ErrorKind::kNotFound, fmt::format("no steps lead from ({:.2f}, {:.2f}) to ({:.2f}, {:.2f})", start.x,
                                                   start.z, goal.x, goal.z));
}

}  // namespace loom::plan
