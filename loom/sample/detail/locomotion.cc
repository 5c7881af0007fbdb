// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <loom/base/whole.h>
#include <loom/sample/detail/balance.h>
#include <loom/sample/detail/locomotion.h>

namespace loom::sample {
namespace {

constexpr double kStep = 1.0 / 240;        ///< seconds
constexpr double kPendulum = 9.81 / 0.97;  ///< g over the height of the centre of mass, 1/s²
constexpr float kStandingHalfWidth = 0.095f;
constexpr float kStandingToeOut = 9 * kDegree;
constexpr float kStandingBack = -0.05f;  ///< ankles are this far behind where the weight is

/// The drive followed over the floor and the rhythm of its steps, sampled.
class Walkway {
 public:
  Walkway(const Drive& drive, const StepOptions& options, double begin, double end)
      : drive_(drive), options_(options), begin_(begin) {
    const auto count = to_whole<std::size_t>(std::ceil((end - begin) / kStep)) + 1;
    follow(count);
    keep_time(count);
  }

  [[nodiscard]] double begin() const { return begin_; }
  [[nodiscard]] double end() const { return begin_ + kStep * static_cast<double>(phase_.size() - 1); }
  [[nodiscard]] int last_step() const { return last_step_; }

  [[nodiscard]] StepShape shape(double t) const { return step_shape(pace(t), drive_.run(t)); }
  [[nodiscard]] double heading(double t) const { return at(heading_, t); }
  [[nodiscard]] double phase(double t) const { return at(phase_, t); }
  [[nodiscard]] double rhythm(double t) const { return (at(phase_, t + kStep) - at(phase_, t - kStep)) / (2 * kStep); }

  /// Where the pressure belongs on average for the body to follow the drive. Speeding up and slowing down is
  /// left to the body's balance, which keeps the steps even; turning is not.
  [[nodiscard]] motion::GroundFrame footing(double t) const {
    constexpr double d = 0.06;  // seconds each side for the acceleration
    const auto accel = [&](const std::vector<double>& p) {
      return (at(p, t + d) - 2 * at(p, t) + at(p, t - d)) / (d * d);
    };
    const double ax = accel(x_), az = accel(z_), s = std::sin(heading(t)), c = std::cos(heading(t));
    const double along = s * ax + c * az;
    // Feet stand at the corners of a polygon, and its middle is nearer to the centre of the turn than its corners.
    const double step = 1 / rhythm(t), out = 1 / kPendulum + step * step / 24;
    return {static_cast<float>(at(x_, t) - (ax - along * s) * out),
            static_cast<float>(at(z_, t) - (az - along * c) * out), static_cast<float>(heading(t))};
  }

  /// Where the drive leads, on the floor.
  [[nodiscard]] Vec3 place(double t) const { return {static_cast<float>(at(x_, t)), 0, static_cast<float>(at(z_, t))}; }

  /// The time at which the phase is `value`.
  [[nodiscard]] double when(double value) const {
    if (value <= phase_.front()) return begin_ + (value - phase_.front()) / rhythm(begin_ + kStep);
    if (value >= phase_.back()) return end() + (value - phase_.back()) / rhythm(end() - kStep);
    const auto after = std::upper_bound(phase_.begin(), phase_.end(), value);
    const auto i = static_cast<std::size_t>(after - phase_.begin());
    return begin_ + kStep * (static_cast<double>(i) - (phase_[i] - value) / (phase_[i] - phase_[i - 1]));
  }

 private:
  [[nodiscard]] double pace(double t) const { return walking_pace(drive_.forward(t), drive_.side(t), drive_.turn(t)); }

  /// The first and last steps of a walk are already in the rhythm of the walk.
  [[nodiscard]] double cadence(double t) const {
    constexpr double kAhead = 0.4;  // seconds
    const double speed = std::max({pace(t - kAhead), pace(t), pace(t + kAhead)});
    return options_.tempo * step_shape(speed, drive_.run(t)).cadence;
  }

  void follow(std::size_t count) {
    heading_.resize(count);
    x_.resize(count);
    z_.resize(count);
    for (std::size_t i = 1; i < count; ++i) {
      const double t = begin_ + kStep * (static_cast<double>(i) - 0.5);
      heading_[i] = heading_[i - 1] + kStep * drive_.turn(t);
      const double h = 0.5 * (heading_[i] + heading_[i - 1]), s = std::sin(h), c = std::cos(h);
      x_[i] = x_[i - 1] + kStep * (s * drive_.forward(t) + c * drive_.side(t));
      z_[i] = z_[i - 1] + kStep * (c * drive_.forward(t) - s * drive_.side(t));
    }
    // Time 0 is at the origin, facing +Z.
    const double h0 = at(heading_, 0), x0 = at(x_, 0), z0 = at(z_, 0), s = std::sin(-h0), c = std::cos(-h0);
    for (std::size_t i = 0; i < count; ++i) {
      const double x = x_[i] - x0, z = z_[i] - z0;
      x_[i] = c * x + s * z;
      z_[i] = c * z - s * x;
      heading_[i] -= h0;
    }
  }

  /// Integrates the cadence. From a stand the first foot leaves the floor at `options.begin`, to a stand the last comes
  /// down at `options.end`; the rhythm is stretched a little to make that a whole number of steps.
  void keep_time(std::size_t count) {
    phase_.resize(count);
    for (std::size_t i = 1; i < count; ++i) {
      phase_[i] = phase_[i - 1] + kStep * cadence(begin_ + kStep * (static_cast<double>(i) - 0.5));
    }
    double origin = at(phase_, 0), start = options_.phase, factor = 1;
    if (options_.from_stand) {
      origin = at(phase_, options_.begin);
      start = shape(options_.begin).duty - 1;
    }
    if (options_.to_stand) {
      const double duty = shape(options_.end).duty;
      const double passed = at(phase_, options_.end) - origin;
      last_step_ = to_whole<int>(std::round(start + passed + duty));
      if (options_.from_stand) last_step_ = std::max(last_step_, 2);
      factor = (last_step_ - duty - start) / passed;
    }
    for (double& p : phase_) p = start + factor * (p - origin);
  }

  [[nodiscard]] double at(const std::vector<double>& samples, double t) const {
    const double position = std::clamp((t - begin_) / kStep, 0.0, static_cast<double>(samples.size() - 1));
    const auto i = std::min(to_whole<std::size_t>(position), samples.size() - 2);
    return samples[i] + (samples[i + 1] - samples[i]) * (position - static_cast<double>(i));
  }

  const Drive& drive_;
  const StepOptions& options_;
  double begin_;
  std::vector<double> x_, z_, heading_, phase_;
  int last_step_ = 0;
};

/// Foot number `k` of a walk: even numbers are the foot `even`.
Side side_of(int k, Side even) { return k % 2 == 0 ? even : other(even); }

/// Legs are only so long: where the body would outrun them the foot comes down later or leaves earlier.
void fit_to_legs(const Walkway& way, Plant& plant, double middle, bool backward) {
  // Metres between a foot and the body's path when it comes down and when it leaves.
  const float coming = backward ? 0.36f : 0.37f, going = backward ? 0.40f : 0.56f;
  constexpr double kLeast = 0.05;  // seconds each side of the middle
  while (plant.down < middle - kLeast && distance(way.place(plant.down), plant.print.position()) > coming)
    plant.down += kStep;
  while (plant.up > middle + kLeast && distance(way.place(plant.up), plant.print.position()) > going) plant.up -= kStep;
}

/// Nobody's legs are alike: one steps a little farther, lifts higher and pushes off harder.
struct Favour {
  double amount = 0;  ///< how much more the left leg does than both on average; below 0 the right does
};

/// The performer is right-handed and left-footed, as most are, one day more than another.
Favour favoured_leg(Random& random) { return {0.04 + 0.01 * random.normal()}; }

Plant make_plant(const Walkway& way, const Drive& drive, int k, Side side, const Favour& favour, Random& random) {
  const double middle = way.when(k);
  const StepShape shape = way.shape(middle);
  const motion::GroundFrame footing = way.footing(middle);
  const double side_step = std::fabs(drive.side(middle)) / way.rhythm(middle);
  // Stepping aside and turning on the spot ask for more room between the feet than going straight ahead.
  const double ahead_only = std::fabs(drive.forward(middle)) /
                            std::max(0.1, walking_pace(drive.forward(middle), drive.side(middle), drive.turn(middle)));
  const double width = shape.half_width + 0.025 * (1 - ahead_only) + 0.5 * side_step +
                       0.02 * std::fabs(drive.turn(middle)) + 0.004 * random.normal();
  const double more = outward(side) * favour.amount;  // of the left leg than of both on average
  Plant plant;
  plant.print =
      footing *
      motion::GroundFrame{static_cast<float>(outward(side) * width),
                          static_cast<float>(0.006 * random.normal() + 0.15 * more * drive.forward(middle)) - 0.06f,
                          static_cast<float>(outward(side) * (1 - 2 * more) * shape.toe_out + 0.015 * random.normal())};
  plant.down = way.when(k - shape.duty + 0.012 * random.normal());
  plant.up = way.when(k + (1 + 0.3 * more) * shape.duty + 0.012 * random.normal());
  fit_to_legs(way, plant, middle, drive.forward(middle) < 0);
  // Heel first forward, toe first backward; a foot comes down at the speed of then and leaves at the speed of later.
  const StepShape coming = way.shape(plant.down), going = way.shape(plant.up);
  const double ahead = std::clamp(drive.forward(plant.down) / 0.8, -1.0, 1.0);
  plant.strike = ahead > 0 ? ahead * coming.strike : 0.6 * ahead * coming.strike;
  plant.strike *= (1 - more) * (1 + 0.05 * random.normal());
  plant.strike_time = coming.strike_time;
  // Walking forward one pushes off, sideways one lifts the foot, and backward it hardly rolls.
  const double least = 0.3 - 0.25 * std::max(0.0, -ahead);
  plant.release = going.release * std::clamp(drive.forward(plant.up) / 0.6, least, 1.0);
  plant.release *= (1 + more) * (1 + 0.03 * random.normal());
  plant.release_time = going.release_share * std::min(plant.up - plant.down, 0.8);
  plant.release_power = going.release_power;
  plant.tip = plant.release / going.release * going.tip;
  plant.bend = plant.strike > 0 ? 0.008 + 0.018 * drive.run(middle) : 0;
  plant.pressure = shape.pressure;
  plant.lift = shape.lift + 0.06 * (1.5 * more + 0.04 * random.normal()) + 0.055 * (1 - std::fabs(ahead));
  plant.hang = ahead > 0 ? -0.18 + 0.08 * drive.run(middle) : 0.1;
  plant.brake = 6 + 3.5 * drive.run(middle);
  // A foot that has pushed off is highest behind the body, and one that goes backward as it passes under it.
  plant.lift_peak = 0.36 - 0.01 * drive.run(middle) + 0.2 * std::max(0.0, -ahead);
  return plant;
}

/// Who walks has a foot on the floor at all times: one stays until the other is there.
void keep_on_the_floor(const Drive& drive, std::vector<Plant>& steps) {
  constexpr double kBoth = 0.03;  // seconds at least
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    if (drive.run(steps[i].up) < 0.5) steps[i].up = std::max(steps[i].up, steps[i + 1].down + kBoth);
  }
}

/// In a turn the straight way of the outer foot leads through the leg that stands: it is led round, no farther than
/// that takes.
void lead_round(const Walkway& way, const Plant& from, const Plant& stands, Side side, Plant& to) {
  constexpr float kApart = 0.135f;  // metres between the ankles as one passes the other
  constexpr int kLooks = 20;
  const FootTrack track({from, to});
  std::array<float, kLooks> missing{};
  for (int i = 1; i < kLooks; ++i) {
    const double t = from.up + (to.down - from.up) * i / kLooks;
    const Vec3 ahead = way.footing(t).forward(), out = outward(side) * cross({0, 1, 0}, ahead);
    const Vec3 apart = track.at(t, 0).ankle - stands.print.position();
    const float along = dot(apart, ahead);
    if (std::fabs(along) >= kApart) continue;  // not side by side
    missing[static_cast<std::size_t>(i)] = std::sqrt(kApart * kApart - along * along) - dot(apart, out);
  }
  float least = std::numeric_limits<float>::max();
  for (const double peak : {0.3, 0.4, 0.5, 0.6, 0.7}) {
    float size = 0;
    for (int i = 1; i < kLooks; ++i) {
      const double share = static_cast<double>(i) / kLooks;
      size = std::max(
          size, missing[static_cast<std::size_t>(i)] / static_cast<float>(std::max(0.45, swing_arch(share, peak))));
    }
    if (size >= least) continue;
    least = size;
    to.bulge_peak = peak;
  }
  const double middle = from.up + to.bulge_peak * (to.down - from.up);
  to.bulge = least * outward(side) * cross({0, 1, 0}, way.footing(middle).forward());
}

void raise_step(std::vector<Plant>& plants, const HighStep& step) {
  for (std::size_t i = 1; i < plants.size(); ++i) {
    if (plants[i - 1].up < step.after) continue;
    plants[i].lift += step.lift;
    plants[i].lift_peak = 0.5;
    return;
  }
}

/// How the body goes up and down: highest over the carrying foot in walking, lowest in running, with free flight
/// between the steps.
/// `steps` are the plants in order from number `first` on.
Curve make_height(const Walkway& way, const Drive& drive, const StepOptions& options, const std::vector<Plant>& steps,
                  int first) {
  // The body is lowest just after the heel has come down and rises over the bent knee.
  constexpr double kEarly = 0.06;  // steps
  Curve height;
  if (options.from_stand) height.key(options.begin - 0.25, 0);
  const auto swing = [&](double t, double sign) {
    const StepShape shape = way.shape(t);
    const double w = 2 * 3.14159265358979 * way.rhythm(t);
    height.key(t, -shape.drop - drive.crouch(t) + sign * shape.bob, 0, -sign * shape.bob * w * w);
  };
  for (std::size_t i = options.from_stand ? 1 : 0; i + 1 < steps.size(); ++i) {
    const int k = first + static_cast<int>(i);
    const double off = steps[i].up, on = steps[i + 1].down, flight = on - off;
    if (drive.run(way.when(k)) < 0.5) swing(way.when(k - kEarly), 1);
    if (flight > 0.01) {
      const double level = -way.shape(0.5 * (off + on)).drop;
      const double up = 0.5 * kGravity * flight;
      height.key(off, level, up, -kGravity).key(on, level, -up, -kGravity);
    } else {
      swing(way.when(k + 0.5 - kEarly), -1);
    }
  }
  if (options.to_stand) height.key(options.end + 0.35, 0);
  return height;
}

Gait make_gait(const Walkway& way, const Drive& drive, const StepOptions& options, Side even, Random& random) {
  Gait gait;
  gait.style.arm_swing = 1 + 0.10 * random.normal();
  gait.style.elbow = 1 + 0.08 * random.normal();
  gait.style.hips = 1 + 0.10 * random.normal();
  gait.style.left_arm = 0.93 + 0.03 * random.normal();  // the right arm of a right-handed person swings farther
  gait.style.left_elbow = 0.96 + 0.015 * random.normal();
  gait.style.lean = 0.01 * random.normal();
  gait.vigour = Curve();
  for (double t = way.begin(); t < way.end(); t += 1.1) gait.vigour.key(t, 1 + 0.06 * random.normal());
  constexpr double kEvery = 0.05;  // seconds
  for (double t = way.begin(); t < way.end(); t += kEvery) {
    gait.phase.key(t, way.phase(t) + (even == kLeft ? 0 : 1), way.rhythm(t), 0);
    gait.speed.key(t, drive.forward(t));
    gait.side_speed.key(t, drive.side(t));
    gait.turn.key(t, drive.turn(t));
    gait.run.key(t, drive.run(t));
  }
  if (options.from_stand) gait.amount.key(options.begin - 0.15, 0);
  gait.amount.key(options.from_stand ? options.begin + 0.45 : way.begin(), 1);
  if (options.to_stand) gait.amount.key(options.end - 0.35, 1).key(options.end + 0.35, 0);
  return gait;
}

}  // namespace

motion::GroundFrame standing_print(const motion::GroundFrame& where, Side side) {
  return where *
         motion::GroundFrame{outward(side) * kStandingHalfWidth, kStandingBack, outward(side) * kStandingToeOut};
}

void add_standing(Score& score) {
  for (const Side side : {kLeft, kRight}) {
    Plant plant;
    plant.print = standing_print({}, side);
    score.feet[side].push_back(plant);
  }
}

void add_steps(Score& score, const Drive& drive, const StepOptions& options, Random& random) {
  const double margin = score.lead + 2.0;
  const Walkway way(drive, options, -margin, score.duration + margin);
  // From a stand, foot 0 carries while foot -1 steps first.
  const Side even = options.from_stand ? other(options.first) : kLeft;
  const int first = options.from_stand ? -1 : to_whole<int>(std::floor(way.phase(-margin + 1.0)));
  const int last =
      options.to_stand ? way.last_step() : to_whole<int>(std::ceil(way.phase(score.duration + margin - 1.0)));
  const Favour favour = favoured_leg(random);
  std::vector<Plant> steps;
  for (int k = first; k <= last; ++k) {
    const Side side = side_of(k, even);
    Plant plant = make_plant(way, drive, k, side, favour, random);
    if (options.from_stand && k <= 0) {
      plant.print = standing_print(way.footing(way.begin()), side);
      plant.down = -kAlways;
      plant.strike = 0;
    }
    if (options.to_stand && k >= last - 1) {
      plant.print = standing_print(way.footing(way.end()), side);
      plant.up = kAlways;
      plant.release = 0;
    }
    steps.push_back(plant);
  }
  keep_on_the_floor(drive, steps);
  for (std::size_t i = 2; i < steps.size(); ++i) {
    lead_round(way, steps[i - 2], steps[i - 1], side_of(first + static_cast<int>(i), even), steps[i]);
  }
  for (std::size_t i = 0; i < steps.size(); ++i)
    score.feet[side_of(first + static_cast<int>(i), even)].push_back(steps[i]);
  if (options.high) {
    for (auto& plants : score.feet) raise_step(plants, *options.high);
  }
  constexpr double kEvery = 0.05;  // seconds
  for (double t = way.begin(); t < way.end(); t += kEvery) score.heading.key(t, way.heading(t), drive.turn(t), 0);
  score.raise(make_height(way, drive, options, steps, first));
  // Flight needs the centre of mass itself on its parabola.
  for (double t = way.begin(); t < way.end(); t += 0.1) score.ballistic.key(t, drive.run(t));
  score.gait = make_gait(way, drive, options, even, random);
}

}  // namespace loom::sample
