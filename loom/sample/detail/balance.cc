// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/base/whole.h>
#include <loom/sample/detail/balance.h>

namespace loom::sample {
namespace {

/// How long a person takes to move the weight from one foot to the other before a step, seconds.
constexpr double kShiftTime = 0.45;

struct Support {
  double begin, end;
  bool left, right;
};

/// Consecutive stretches with the same feet on the floor.
std::vector<Support> supports(const FootTrack& left, const FootTrack& right, double begin, double end) {
  std::vector<double> events = {begin, end};
  for (const FootTrack* track : {&left, &right}) {
    for (const Plant& plant : track->plants()) {
      for (const double t : {plant.down, plant.up}) {
        if (t > begin && t < end) events.push_back(t);
      }
    }
  }
  std::sort(events.begin(), events.end());
  std::vector<Support> result;
  for (std::size_t i = 0; i + 1 < events.size(); ++i) {
    if (events[i + 1] - events[i] < 1e-9) continue;
    const double middle = 0.5 * (events[i] + events[i + 1]);
    result.push_back({events[i], events[i + 1], left.planted(middle), right.planted(middle)});
  }
  return result;
}

bool on_one_foot(const Support& s) { return s.left != s.right; }

}  // namespace

WeightShare::WeightShare(const FootTrack& left, const FootTrack& right, const Curve& rest, double begin, double end) {
  const std::vector<Support> all = supports(left, right, begin, end);
  constexpr double kRestStep = 0.25;  // seconds between samples of `rest`
  const auto stand = [&](double from, double to) {
    const int count = std::max(1, to_whole<int>((to - from) / kRestStep));
    for (int i = 0; i <= count; ++i) {
      const double t = from + (to - from) * i / count;
      curve_.key(t, rest(t));
    }
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Support& s = all[i];
    if (on_one_foot(s)) {
      const double share = s.left ? 1 : 0;
      curve_.key(s.begin + 1e-6, share).key(s.end - 1e-6, share);
    } else if (s.left) {
      const double from = i > 0 && on_one_foot(all[i - 1]) ? s.begin + kShiftTime : s.begin;
      const double to = i + 1 < all.size() && on_one_foot(all[i + 1]) ? s.end - kShiftTime : s.end;
      if (to - from > 1e-3) stand(from, to);
    }
  }
}

std::vector<Vec3> center_of_mass_path(std::span<const Vec3> pressure, std::span<const double> height, double step) {
  const std::size_t n = pressure.size();
  std::vector<Vec3> path(pressure.begin(), pressure.end());
  if (n < 3) return path;
  // Row i: -c[i-1] + (2 + k) c[i] - c[i+1] = k z[i] with k = step² (g + y'') / y; Thomas' elimination, both axes.
  std::vector<double> upper(n, 0), x(n), z(n);
  x[0] = pressure[0].x;
  z[0] = pressure[0].z;
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double lift = height[i + 1] - 2 * height[i] + height[i - 1];  // step² y''
    const double k = std::max(0.0, (step * step * kGravity + lift) / std::max(0.2, height[i]));
    const double pivot = 2 + k - upper[i - 1];
    upper[i] = 1 / pivot;
    x[i] = (k * pressure[i].x + x[i - 1]) / pivot;
    z[i] = (k * pressure[i].z + z[i - 1]) / pivot;
  }
  x[n - 1] = pressure[n - 1].x;
  z[n - 1] = pressure[n - 1].z;
  for (std::size_t i = n - 1; i-- > 0;) {
    x[i] += upper[i] * x[i + 1];
    z[i] += upper[i] * z[i + 1];
  }
  for (std::size_t i = 0; i < n; ++i) path[i] = {static_cast<float>(x[i]), 0, static_cast<float>(z[i])};
  return path;
}

}  // namespace loom::sample
