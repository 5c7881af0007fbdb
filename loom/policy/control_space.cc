// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include <loom/base/math.h>
#include <loom/base/text.h>
#include <loom/base/whole.h>
#include <loom/compare/k_means.h>
#include <loom/policy/control_space.h>

namespace loom::policy {
namespace {

/// Slower than this is standing, radians a second less is straight: only for words.
constexpr float kStill = 0.1f, kStraight = 0.1f;

struct Flat {
  float x = 0, y = 0;
};

/// A velocity at the logarithm of its length (eq. 12), which is how differences of speed are seen.
Flat project(const ControlSignal& c) {
  const float speed = std::hypot(c.left, c.forward);
  if (speed < 1e-9f) return {};
  const float scale = std::log1p(speed) / speed;
  return {c.left * scale, c.forward * scale};
}

/// The inverse of `project`.
Flat unproject(Flat p) {
  const float length = std::hypot(p.x, p.y);
  if (length < 1e-9f) return {};
  const float scale = std::expm1(length) / length;
  return {p.x * scale, p.y * scale};
}

float distance_between(const ControlWeights& weights, Flat p, float turn_p, std::uint32_t flags_p, Flat q, float turn_q,
                       std::uint32_t flags_q) {
  const float dx = p.x - q.x, dy = p.y - q.y, dt = turn_p - turn_q;
  return weights.velocity * (dx * dx + dy * dy) + weights.turn * dt * dt +
         weights.flag * static_cast<float>(std::popcount(flags_p ^ flags_q));
}

std::string describe_velocity(const ControlSignal& c) {
  const float speed = std::hypot(c.left, c.forward);
  if (speed < kStill) return "still";
  constexpr std::array kWays{"ahead", "ahead left", "left", "back left", "back", "back right", "right", "ahead right"};
  const float eighth = std::atan2(c.left, c.forward) / (kPi / 4);
  const auto way = static_cast<std::size_t>(to_whole<int>(std::round(eighth)) + 8) % 8;
  return fmt::format("{:.1f} m/s {}", speed, kWays[way]);
}

/// The centres of `count` groups of signals that have the same flags.
std::vector<ControlSignal> group_centres(const ControlWeights& weights, const std::vector<ControlSignal>& signals,
                                         std::size_t count, std::uint64_t seed) {
  std::vector<float> points;
  const float v = std::sqrt(weights.velocity), t = std::sqrt(weights.turn);
  for (const ControlSignal& s : signals) {
    const Flat p = project(s);
    points.insert(points.end(), {v * p.x, v * p.y, t * s.turn});
  }
  const std::vector<std::uint32_t> group = compare::k_means(points, 3, count, 50, seed);
  const std::size_t groups = 1 + *std::max_element(group.begin(), group.end());
  std::vector<std::array<double, 4>> sums(groups);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const Flat p = project(signals[i]);
    auto& sum = sums[group[i]];
    sum[0] += static_cast<double>(p.x);
    sum[1] += static_cast<double>(p.y);
    sum[2] += static_cast<double>(signals[i].turn);
    sum[3] += 1;
  }
  std::vector<ControlSignal> centres;
  for (const auto& sum : sums) {
    const Flat velocity = unproject({static_cast<float>(sum[0] / sum[3]), static_cast<float>(sum[1] / sum[3])});
    const ControlSignal centre{velocity.x, velocity.y, static_cast<float>(sum[2] / sum[3]), signals.front().flags};
    if (std::find(centres.begin(), centres.end(), centre) == centres.end()) centres.push_back(centre);
  }
  return centres;
}

}  // namespace

float control_distance(const ControlWeights& weights, const ControlSignal& a, const ControlSignal& b) {
  return distance_between(weights, project(a), a.turn, a.flags, project(b), b.turn, b.flags);
}

float control_quality(const ControlWeights& weights, const ControlSignal& evident, const ControlSignal& wanted) {
  return 1 / (1 + control_distance(weights, evident, wanted));
}

BinFinder::BinFinder(const ControlSpace& space) : weights_(space.weights) {
  for (const ControlSignal& bin : space.bins) {
    const Flat p = project(bin);
    x_.push_back(p.x);
    y_.push_back(p.y);
    turn_.push_back(bin.turn);
    flags_.push_back(bin.flags);
  }
}

std::size_t BinFinder::find(const ControlSignal& signal) const {
  const Flat p = project(signal);
  std::size_t best = 0;
  float least = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const float distance =
        distance_between(weights_, {x_[i], y_[i]}, turn_[i], flags_[i], p, signal.turn, signal.flags);
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

std::string ControlSpace::describe(const ControlSignal& signal) const {
  std::string text = describe_velocity(signal);
  if (std::abs(signal.turn) >= kStraight) {
    text += fmt::format(", turning {} {:.1f} rad/s", signal.turn > 0 ? "left" : "right", std::abs(signal.turn));
  }
  for (std::size_t f = 0; f < flags.size(); ++f) {
    if (signal.flags >> f & 1u) text += ", " + flags[f];
  }
  return text;
}

ControlSpace usual_control_space(const std::vector<std::string>& further_flags) {
  ControlSpace space;
  space.flags.insert(space.flags.end(), further_flags.begin(), further_flags.end());
  std::vector<Flat> velocities{{0, 0}};
  for (const float speed : {0.7f, 1.6f, 3.2f}) {
    for (int i = 0; i < 8; ++i) {
      const float angle = static_cast<float>(i) * kPi / 4;
      velocities.push_back({speed * std::sin(angle), speed * std::cos(angle)});
    }
  }
  for (std::size_t flag = 0; flag <= space.flags.size(); ++flag) {
    const std::uint32_t flags = flag == 0 ? 0 : 1u << (flag - 1);
    for (const float turn : {-1.0f, 0.0f, 1.0f}) {
      for (const Flat v : velocities) space.bins.push_back({v.x, v.y, turn, flags});
    }
  }
  return space;
}

Result<ControlSpace> quantised_control_space(const ControlSpace& like, const std::vector<ControlSignal>& signals,
                                             std::size_t bins, std::uint64_t seed) {
  if (signals.empty()) return fail("there are no controls to choose bins from");
  std::map<std::uint32_t, std::vector<ControlSignal>> by_flags;
  for (const ControlSignal& s : signals) by_flags[s.flags].push_back(s);
  if (bins < by_flags.size() || bins > kMaxBins) {
    return fail(fmt::format("{} bins were asked for; {} to {} are possible with these traces", bins, by_flags.size(),
                            kMaxBins));
  }
  ControlSpace space = like;
  space.bins.clear();
  std::map<std::uint32_t, std::size_t> counts;
  for (const auto& [flags, group] : by_flags) counts[flags] = 1;
  // One more to whichever has the most signals a bin, until all are given out.
  for (std::size_t spare = bins - by_flags.size(); spare > 0; --spare) {
    const auto neediest = std::max_element(counts.begin(), counts.end(), [&](const auto& a, const auto& b) {
      return by_flags[a.first].size() * b.second < by_flags[b.first].size() * a.second;
    });
    ++neediest->second;
  }
  for (const auto& [flags, group] : by_flags) {
    const auto centres = group_centres(space.weights, group, counts[flags], seed);
    space.bins.insert(space.bins.end(), centres.begin(), centres.end());
  }
  return space;
}

Result<void> validate(const ControlSpace& space) {
  if (space.bins.empty()) return fail("a control space needs at least one bin");
  if (space.bins.size() > kMaxBins) return fail(fmt::format("a control space has at most {} bins", kMaxBins));
  if (space.flags.size() > kMaxFlags) return fail(fmt::format("a control space has at most {} flags", kMaxFlags));
  for (std::size_t i = 0; i < space.flags.size(); ++i) {
    if (space.flags[i].empty()) return fail(fmt::format("flag {} has no name", i));
    if (std::find(space.flags.begin(), space.flags.begin() + static_cast<std::ptrdiff_t>(i), space.flags[i]) !=
        space.flags.begin() + static_cast<std::ptrdiff_t>(i)) {
      return fail(fmt::format("flag {} is named twice", in_quotes(space.flags[i])));
    }
  }
  const ControlWeights& w = space.weights;
  for (const float weight : {w.velocity, w.turn, w.flag}) {
    if (!(weight >= 0 && weight <= 1e6f)) return fail("a weight of the control space is not in 0 to 1000000");
  }
  const BinFinder finder(space);
  for (std::size_t i = 0; i < space.bins.size(); ++i) {
    const ControlSignal& bin = space.bins[i];
    for (const float v : {bin.left, bin.forward, bin.turn}) {
      if (!(std::abs(v) <= 100))
        return fail(fmt::format("bin {} is no control: a number is missing or out of range", i));
    }
    if (bin.flags >> space.flags.size() != 0) return fail(fmt::format("bin {} has a flag the space does not name", i));
    if (const std::size_t taken = finder.find(bin); taken != i) {
      return fail(
          fmt::format("nobody can reach bin {} ({}): bin {} lies at the same place", i, space.describe(bin), taken));
    }
  }
  return {};
}

}  // namespace loom::policy
