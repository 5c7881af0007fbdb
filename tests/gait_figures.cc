// SPDX-License-Identifier: MIT
#include "tests/gait_figures.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include <loom/motion/body.h>
#include <loom/motion/contacts.h>
#include <loom/motion/kinematics.h>

namespace loom::testing {
namespace {

using motion::Body;
using motion::Clip;
using motion::Contacts;
using motion::Limb;
using motion::WorldPoses;

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr Vec3 kUp{0, 1, 0};
constexpr std::size_t kSamples = 100;  ///< of a stride

using Signal = std::array<double, kSamples>;

double mean(const Signal& s) {
  double sum = 0;
  for (const double v : s) sum += v;
  return sum / kSamples;
}
double most(const Signal& s) { return *std::max_element(s.begin(), s.end()); }
double range(const Signal& s) { return most(s) - *std::min_element(s.begin(), s.end()); }

/// The `times`-th harmonic: its argument tells when the signal is highest.
std::complex<double> harmonic(const Signal& s, int times) {
  std::complex<double> sum;
  for (std::size_t i = 0; i < kSamples; ++i) {
    sum += s[i] * std::polar(1.0, -2 * std::numbers::pi * times * static_cast<double>(i) / kSamples);
  }
  return sum;
}

/// Hundredths of a stride at which a harmonic is highest.
double peak(std::complex<double> harmonic, int times) {
  const double period = 100.0 / times;
  const double at = -std::arg(harmonic) / (2 * std::numbers::pi) * period;
  return at < 0 ? at + period : at;
}

/// One clip ready to be measured.
struct Recording {
  Recording(const Clip& c, const Body& b, Contacts found)
      : clip(c), body(b), contacts(std::move(found)), poses(motion::forward_kinematics(c)) {}

  [[nodiscard]] Vec3 at(std::size_t frame, int point) const {
    return poses.position(frame, static_cast<std::size_t>(point));
  }
  /// Between the two joints.
  [[nodiscard]] Vec3 middle(std::size_t frame, int a, int b) const { return 0.5f * (at(frame, a) + at(frame, b)); }
  [[nodiscard]] Vec3 hips(std::size_t frame) const { return middle(frame, body.left_leg.upper, body.right_leg.upper); }
  [[nodiscard]] Vec3 shoulders(std::size_t frame) const {
    return middle(frame, body.left_arm.upper, body.right_arm.upper);
  }
  [[nodiscard]] const Limb& leg(int side) const { return side == 0 ? body.left_leg : body.right_leg; }
  [[nodiscard]] const Limb& arm(int side) const { return side == 0 ? body.left_arm : body.right_arm; }
  [[nodiscard]] int toe(int side) const { return contacts.points[side == 0 ? 1 : 3]; }
  [[nodiscard]] bool planted(std::size_t frame, int side) const {
    return (contacts.planted[frame] & (side == 0 ? motion::kLeftFoot : motion::kRightFoot)) != 0;
  }
  [[nodiscard]] bool flat(std::size_t frame, int side) const {
    const int bits = side == 0 ? motion::kLeftFoot : motion::kRightFoot;
    return (contacts.planted[frame] & bits) == bits;
  }

  const Clip& clip;
  const Body& body;
  Contacts contacts;
  WorldPoses poses;
};

/// Frames in which a foot comes down.
std::vector<std::size_t> strikes(const Recording& r, int side) {
  std::vector<std::size_t> frames;
  for (std::size_t f = 1; f < r.clip.frames(); ++f) {
    if (r.planted(f, side) && !r.planted(f - 1, side)) frames.push_back(f);
  }
  return frames;
}

/// The elevation of the foot as it lies flat, degrees.
double flat_pitch(const Recording& r, int side, const std::function<double(std::size_t)>& pitch) {
  std::vector<double> values;
  for (std::size_t f = 0; f < r.clip.frames(); ++f) {
    if (r.flat(f, side)) values.push_back(pitch(f));
  }
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// What is summed over strides.
struct Sums {
  std::array<std::complex<double>, kGaitFigures> phases;
  std::array<double, kGaitFigures> values{};
  std::array<std::array<double, 4>, 2> ranges{};  ///< of hip, knee, arm and elbow, left and right
  std::array<std::size_t, 2> strides{};
};

/// One stride of one side: from `begin` to `end`, along `ahead`.
class Stride {
 public:
  Stride(const Recording& recording, int side, std::size_t begin, std::size_t end)
      : r_(recording), side_(side), begin_(begin), end_(end) {
    const Vec3 way = r_.hips(end) - r_.hips(begin);
    ahead_ = normalized(Vec3{way.x, 0, way.z});
    own_ = (side == 0 ? 1.0f : -1.0f) * cross(kUp, ahead_);
    seconds_ = static_cast<double>(end - begin) / r_.clip.rate;
    speed_ = std::hypot(way.x, way.z) / seconds_;
  }

  /// Whether it is a stride of that kind: the other foot comes down once, the way is straight and the body faces it.
  [[nodiscard]] bool is(const GaitKind& kind) const {
    if (speed_ < kind.slowest || speed_ > kind.fastest || seconds_ < 0.4 || seconds_ > 1.6) return false;
    int other = 0, air = 0;
    for (std::size_t f = begin_; f < end_; ++f) {
      other += r_.planted(f + 1, 1 - side_) && !r_.planted(f, 1 - side_);
      air += !r_.planted(f, 0) && !r_.planted(f, 1);
    }
    const std::size_t half = (begin_ + end_) / 2;
    const Vec3 first = r_.hips(half) - r_.hips(begin_), second = r_.hips(end_) - r_.hips(half);
    const float turn = std::atan2(dot(cross(first, second), kUp), first.x * second.x + first.z * second.z);
    const Vec3 across = r_.at(half, r_.leg(side_).upper) - r_.at(half, r_.leg(1 - side_).upper);
    const float steady = length(second) / std::max(1e-6f, length(first));
    return other == 1 && (air > 0) == kind.flight && steady > 0.87f && steady < 1.15f &&
           std::fabs(turn) < 12 * kDegree && dot(normalized(across), own_) > 0.9f;
  }

  void add_to(Sums& sums) const;

 private:
  /// `value` of a frame, sampled evenly over the stride.
  [[nodiscard]] Signal sample(const std::function<double(std::size_t)>& value) const {
    Signal signal;
    for (std::size_t i = 0; i < kSamples; ++i) {
      const double at = static_cast<double>(begin_) + static_cast<double>((end_ - begin_) * i) / kSamples;
      const auto f = static_cast<std::size_t>(at);
      const double share = at - static_cast<double>(f);
      signal[i] = (1 - share) * value(f) + (share > 0 ? share * value(f + 1) : 0);
    }
    return signal;
  }
  /// The angle of `v` to the downward vertical along the way, forward positive, degrees.
  [[nodiscard]] double hanging(Vec3 v) const { return kDegrees * std::atan2(dot(v, ahead_), -v.y); }
  /// How far a vector that points to this side is turned forward.
  [[nodiscard]] double forward(Vec3 v) const { return kDegrees * std::atan2(dot(v, ahead_), dot(v, own_)); }
  [[nodiscard]] static double bend(Vec3 a, Vec3 b) {
    return kDegrees * std::acos(std::clamp(dot(normalized(a), normalized(b)), -1.0f, 1.0f));
  }
  [[nodiscard]] Vec3 foot(std::size_t f) const { return r_.at(f, r_.toe(side_)) - r_.at(f, r_.leg(side_).end); }

  const Recording& r_;
  int side_;
  std::size_t begin_, end_;
  Vec3 ahead_, own_;
  double seconds_ = 0, speed_ = 0;
};

void Stride::add_to(Sums& sums) const {
  const Limb &leg = r_.leg(side_), &arm = r_.arm(side_), &other_arm = r_.arm(1 - side_);
  const auto add = [&](GaitFigure figure, double value) { sums.values[static_cast<std::size_t>(figure)] += value; };
  const auto add_phase = [&](GaitFigure figure, const Signal& signal, int times = 1) {
    sums.phases[static_cast<std::size_t>(figure)] += harmonic(signal, times);
  };
  std::size_t up = begin_;  // the first frame in the air
  while (up < end_ && r_.planted(up, side_)) ++up;
  add(GaitFigure::kSpeed, speed_);
  add(GaitFigure::kCadence, 2 / seconds_);
  add(GaitFigure::kDuty, static_cast<double>(up - begin_) / static_cast<double>(end_ - begin_));
  std::size_t next = begin_ + 1;  // the other foot's strike
  while (next < end_ && !(r_.planted(next, 1 - side_) && !r_.planted(next - 1, 1 - side_))) ++next;
  const std::size_t stand = std::min(next + 2, end_);
  add(GaitFigure::kStepWidth,
      dot(0.5f * (r_.at(begin_ + 2, leg.end) + r_.at(end_, leg.end)) - r_.at(stand, r_.leg(1 - side_).end), own_));

  const Signal hip = sample([&](std::size_t f) { return hanging(r_.at(f, leg.middle) - r_.at(f, leg.upper)); });
  const Signal knee = sample([&](std::size_t f) {
    return bend(r_.at(f, leg.middle) - r_.at(f, leg.upper), r_.at(f, leg.end) - r_.at(f, leg.middle));
  });
  const Signal ankle = sample([&](std::size_t f) { return bend(r_.at(f, leg.end) - r_.at(f, leg.middle), foot(f)); });
  add(GaitFigure::kHipRange, range(hip));
  add(GaitFigure::kHipForward, most(hip));
  add(GaitFigure::kKneeRange, range(knee));
  add(GaitFigure::kKneeSwing, most(knee));
  const auto third = static_cast<std::ptrdiff_t>(kSamples * (up - begin_) / (3 * (end_ - begin_)));
  add(GaitFigure::kKneeStance, *std::max_element(knee.begin(), knee.begin() + std::max<std::ptrdiff_t>(1, third)));
  add(GaitFigure::kAnkleRange, range(ankle));

  const auto pitch = [&](std::size_t f) { return kDegrees * std::asin(normalized(foot(f)).y); };
  const double flat = flat_pitch(r_, side_, pitch);
  add(GaitFigure::kFootStrike, std::max(pitch(begin_), pitch(begin_ - 1)) - flat);
  add(GaitFigure::kFootRelease, flat - pitch(std::min(up, end_)));

  const Signal swing = sample([&](std::size_t f) { return hanging(r_.at(f, arm.middle) - r_.at(f, arm.upper)); });
  const Signal elbow = sample([&](std::size_t f) {
    return bend(r_.at(f, arm.middle) - r_.at(f, arm.upper), r_.at(f, arm.end) - r_.at(f, arm.middle));
  });
  add(GaitFigure::kArmRange, range(swing));
  add(GaitFigure::kArmMiddle, mean(swing));
  add_phase(GaitFigure::kArmPhase, swing);
  add(GaitFigure::kElbowMean, mean(elbow));
  add(GaitFigure::kElbowRange, range(elbow));

  const auto hip_line = [&](std::size_t f) { return r_.at(f, leg.upper) - r_.at(f, r_.leg(1 - side_).upper); };
  const auto trunk = [&](std::size_t f) { return r_.shoulders(f) - r_.hips(f); };
  const Signal yaw = sample([&](std::size_t f) { return forward(hip_line(f)); });
  const Signal drop = sample([&](std::size_t f) { return kDegrees * std::asin(normalized(hip_line(f)).y); });
  const Signal shoulders =
      sample([&](std::size_t f) { return forward(r_.at(f, arm.upper) - r_.at(f, other_arm.upper)); });
  const Signal lean = sample([&](std::size_t f) { return hanging(-1.0f * trunk(f)) * -1; });
  const Signal aside = sample([&](std::size_t f) { return kDegrees * std::atan2(dot(trunk(f), own_), trunk(f).y); });
  const Signal height = sample([&](std::size_t f) { return r_.hips(f).y - r_.contacts.ground.at(r_.hips(f)); });
  add(GaitFigure::kPelvisYawRange, range(yaw));
  add_phase(GaitFigure::kPelvisYawPhase, yaw);
  add(GaitFigure::kPelvisDropRange, range(drop));
  add_phase(GaitFigure::kPelvisDropPhase, drop);
  add(GaitFigure::kShoulderYawRange, range(shoulders));
  add_phase(GaitFigure::kShoulderYawPhase, shoulders);
  add(GaitFigure::kTrunkLean, mean(lean));
  add(GaitFigure::kTrunkLeanRange, range(lean));
  add(GaitFigure::kTrunkSideRange, range(aside));
  add_phase(GaitFigure::kTrunkSidePhase, aside);
  add(GaitFigure::kBobRange, range(height));
  add_phase(GaitFigure::kBobPhase, height, 2);

  const std::array<double, 4> ranges = {range(hip), range(knee), range(swing), range(elbow)};
  auto& sides = sums.ranges[static_cast<std::size_t>(side_)];
  for (std::size_t i = 0; i < ranges.size(); ++i) sides[i] += ranges[i];
  ++sums.strides[static_cast<std::size_t>(side_)];
}

/// The mean difference of the two sides, as a share of what they have in common.
double asymmetry(const Sums& sums) {
  if (sums.strides[0] == 0 || sums.strides[1] == 0) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < sums.ranges[0].size(); ++i) {
    const double left = sums.ranges[0][i] / static_cast<double>(sums.strides[0]);
    const double right = sums.ranges[1][i] / static_cast<double>(sums.strides[1]);
    sum += 2 * std::fabs(left - right) / (left + right);
  }
  return sum / static_cast<double>(sums.ranges[0].size());
}

}  // namespace

const GaitFigureName& name_of(GaitFigure figure) {
  static constexpr std::array<GaitFigureName, kGaitFigures> kNames = {{
      {"speed m/s", 0},
      {"cadence 1/s", 0},
      {"duty", 0},
      {"step width m", 0},
      {"hip range", 0},
      {"hip foremost", 0},
      {"knee range", 0},
      {"knee in swing", 0},
      {"knee in stance", 0},
      {"ankle range", 0},
      {"foot at strike", 0},
      {"heel at release", 0},
      {"arm range", 0},
      {"arm mean", 0},
      {"arm foremost at", 100},
      {"elbow mean", 0},
      {"elbow range", 0},
      {"pelvis yaw range", 0},
      {"hip foremost at", 100},
      {"pelvis drop range", 0},
      {"hip highest at", 100},
      {"shoulder yaw range", 0},
      {"shoulder foremost at", 100},
      {"trunk lean", 0},
      {"trunk lean range", 0},
      {"trunk side range", 0},
      {"trunk to this side at", 100},
      {"bob m", 0},
      {"bob highest at", 50},
      {"asymmetry", 0},
  }};
  return kNames[static_cast<std::size_t>(figure)];
}

GaitFigures gait_figures(std::span<const Clip> clips, const GaitKind& kind) {
  Sums sums;
  for (const Clip& clip : clips) {
    const Body body = motion::find_body(*clip.skeleton);
    auto contacts = motion::find_contacts(clip);
    if (!contacts || !body.has_legs() || !body.left_arm.complete() || !body.right_arm.complete()) continue;
    const Recording recording(clip, body, std::move(*contacts));
    for (const int side : {0, 1}) {
      const std::vector<std::size_t> down = strikes(recording, side);
      for (std::size_t i = 0; i + 1 < down.size(); ++i) {
        const Stride stride(recording, side, down[i], down[i + 1]);
        if (stride.is(kind)) stride.add_to(sums);
      }
    }
  }
  GaitFigures figures;
  figures.strides = sums.strides[0] + sums.strides[1];
  if (figures.strides == 0) return figures;
  for (std::size_t i = 0; i < kGaitFigures; ++i) {
    const double period = name_of(static_cast<GaitFigure>(i)).period;
    figures.values[i] =
        period > 0 ? peak(sums.phases[i], period < 100 ? 2 : 1) : sums.values[i] / static_cast<double>(figures.strides);
  }
  figures[GaitFigure::kAsymmetry] = asymmetry(sums);
  return figures;
}

double outside(GaitFigure figure, double value, std::span<const GaitFigures> others) {
  const double period = name_of(figure).period;
  std::vector<double> values;
  for (const GaitFigures& other : others) values.push_back(other[figure]);
  std::sort(values.begin(), values.end());
  if (values.empty()) return 0;
  double low = values.front(), high = values.back();
  if (period > 0) {
    // The arc that holds all of them is what the widest gap leaves.
    double widest = low + period - high;
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      if (values[i + 1] - values[i] > widest) {
        widest = values[i + 1] - values[i];
        low = values[i + 1];
        high = values[i] + period;
      }
    }
    while (value < low) value += period;
    while (value >= low + period) value -= period;
    return value <= high ? 0 : std::min(value - high, low + period - value);
  }
  return std::max({0.0, low - value, value - high});
}

}  // namespace loom::testing
