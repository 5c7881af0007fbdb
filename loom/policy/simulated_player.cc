// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <loom/base/math.h>
#include <loom/base/random.h>
#include <loom/base/whole.h>
#include <loom/policy/evident_control.h>
#include <loom/policy/simulated_player.h>

namespace loom::policy {
namespace {

constexpr double kRate = 60;                                         ///< samples a second
constexpr double kButtonEverySeconds = 6, kButtonDownSeconds = 1.5;  ///< of flags that are no jumps

double exponential(Random& random, double mean) { return -mean * std::log(1 - random.uniform()); }

double spread(Random& random, double value, double share) { return value * std::max(0.2, 1 + share * random.normal()); }

/// A stick that moves smoothly from where it was to where it is wanted.
struct Stick {
  double from = 0, to = 0, started = -1e9;

  [[nodiscard]] double at(double time, double seconds) const {
    return from + (to - from) * static_cast<double>(smoothstep(static_cast<float>((time - started) / seconds)));
  }
  void move(double time, double seconds, double target) {
    from = at(time, seconds);
    to = target;
    started = time;
  }
};

/// A player at play: what each hand does next, and when.
class Player {
 public:
  Player(const PlayerHabits& habits, std::uint64_t seed, std::size_t flags) : habits_(habits), random_(seed) {
    jump_at_ = exponential(random_, habits_.jump_every_seconds);
    for (std::size_t f = 1; f < flags; ++f) buttons_.push_back({false, exponential(random_, kButtonEverySeconds)});
  }

  ControlSignal at(double time) {
    if (time >= move_at_) choose_velocity(time);
    if (time >= turn_at_) choose_turn(time);
    if (time >= jump_at_) choose_jump(time);
    const double stick = habits_.stick_seconds;
    return {static_cast<float>(left_.at(time, stick)), static_cast<float>(forward_.at(time, stick)),
            static_cast<float>(turn_.at(time, stick)), (time < lands_at_ ? kAirborneBit : 0) | press_buttons(time)};
  }

 private:
  void choose_velocity(double time) {
    move_at_ = time + exponential(random_, habits_.hold_seconds);
    double speed = 0, angle = 0;
    if (habits_.routine_share > 0 && random_.uniform() < habits_.routine_share) {
      follow_routine(speed, angle);
    } else if (random_.uniform() >= habits_.still_share) {
      const bool run = random_.uniform() < habits_.run_share;
      speed = spread(random_, run ? habits_.run_speed : habits_.walk_speed, 0.15);
      const double sixth = static_cast<double>(kPi) / 6;
      // Nobody runs backwards on purpose: a run points ahead.
      const bool ahead = run || random_.uniform() < habits_.ahead_share;
      angle = ahead ? random_.uniform(-sixth, sixth) : random_.uniform(sixth, 11 * sixth);
    }
    left_.move(time, habits_.stick_seconds, speed * std::sin(angle));
    forward_.move(time, habits_.stick_seconds, speed * std::cos(angle));
  }

  /// The velocity the routine goes on with from where the stick was last sent.
  void follow_routine(double& speed, double& angle) {
    const double x = left_.to, z = forward_.to, now = std::hypot(x, z);
    const double run = 0.5 * (habits_.walk_speed + habits_.run_speed), quarter = static_cast<double>(kPi) / 2;
    const auto walk = [&](double towards) {
      speed = spread(random_, habits_.walk_speed, 0.15);
      angle = towards;
    };
    if (now < 0.5 * habits_.walk_speed) return walk(0);  // from standing
    if (now > run) return walk(quarter);                 // from a run, to the left
    if (z > std::abs(x)) {                               // from walking ahead
      speed = spread(random_, habits_.run_speed, 0.15);
      return;
    }
    if (x > std::abs(z)) return walk(2 * quarter);    // from stepping left, backwards
    if (-z > std::abs(x)) return walk(-1 * quarter);  // from backwards, to the right
    speed = 0;                                        // from stepping right, stand
  }

  void choose_turn(double time) {
    turning_ = !turning_;
    turn_at_ = time + exponential(random_, turning_ ? habits_.turn_seconds : habits_.straight_seconds);
    const double side = random_.uniform() < 0.5 ? -1 : 1;
    turn_.move(time, habits_.stick_seconds, turning_ ? side * spread(random_, habits_.turn_rate, 0.25) : 0);
  }

  void choose_jump(double time) {
    lands_at_ = time + spread(random_, habits_.airborne_seconds, 0.15);
    jump_at_ = lands_at_ + exponential(random_, habits_.jump_every_seconds);
  }

  std::uint32_t press_buttons(double time) {
    std::uint32_t bits = 0;
    for (std::size_t b = 0; b < buttons_.size(); ++b) {
      Button& button = buttons_[b];
      if (time >= button.changes_at) {
        button.down = !button.down;
        button.changes_at = time + exponential(random_, button.down ? kButtonDownSeconds : kButtonEverySeconds);
      }
      if (button.down) bits |= 2u << b;
    }
    return bits;
  }

  struct Button {
    bool down = false;
    double changes_at = 0;
  };

  PlayerHabits habits_;
  Random random_;
  std::vector<Button> buttons_;
  Stick left_, forward_, turn_;
  double move_at_ = 0, turn_at_ = 0, jump_at_ = 0, lands_at_ = -1;
  bool turning_ = true;  // so that play starts straight
};

}  // namespace

PlayerHabits habits_of(std::uint64_t player) {
  PlayerHabits habits;
  if (player == 0) return habits;
  Random random(0x706c61796572u + player);
  for (double* habit :
       {&habits.hold_seconds, &habits.still_share, &habits.run_share, &habits.ahead_share, &habits.straight_seconds,
        &habits.turn_seconds, &habits.turn_rate, &habits.stick_seconds, &habits.jump_every_seconds}) {
    *habit *= random.uniform(2.0 / 3, 4.0 / 3);
  }
  habits.ahead_share = std::min(habits.ahead_share, 0.95);
  return habits;
}

Trace simulate_player(const PlayerHabits& habits, double seconds, std::uint64_t seed,
                      const std::vector<std::string>& flags) {
  Trace trace;
  trace.simulated = true;
  trace.flags = flags;
  Player player(habits, seed, flags.size());
  const auto samples = to_whole<std::size_t>(std::floor(std::clamp(seconds, 0.0, kLongestTrace) * kRate)) + 1;
  for (std::size_t i = 0; i < samples; ++i) {
    const double time = static_cast<double>(i) / kRate;
    trace.times.push_back(time);
    trace.signals.push_back(player.at(time));
  }
  return trace;
}

std::vector<Trace> simulate_players(const SimulationOptions& options) {
  std::vector<Trace> traces;
  for (std::size_t i = 0; i < options.traces; ++i) {
    const std::uint64_t player = options.first_player + i % 2;
    PlayerHabits habits = habits_of(player);
    habits.routine_share = options.routine_share;
    traces.push_back(simulate_player(habits, options.seconds, options.seed * 1000 + i, options.flags));
    traces.back().name = fmt::format("simulated player {} trace {}", player, i + 1);
  }
  return traces;
}

}  // namespace loom::policy
