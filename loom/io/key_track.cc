// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <loom/io/key_track.h>

namespace loom::io {
namespace {

constexpr double kDefaultRate = 30.0;                   ///< Hz, where the keys do not tell
constexpr double kLowestRate = 1, kHighestRate = 1000;  ///< Hz
constexpr double kOnFrame = 0.02;  ///< share of a frame a key may lie beside it; stamps are rounded
constexpr double kSnap = 1e-4;     ///< share of a frame within which a time counts as a key's own
/// Below this a spacing is taken for an animator's sparse keys and not for a sample rate, unless there are many.
constexpr double kSlowestCredible = 10;  ///< Hz
constexpr std::size_t kManyKeys = 16;

bool usable(Vec3& value) { return is_finite(value); }

bool usable(Quat& value) {
  if (!is_finite(value) || !(dot(value, value) > 1e-12f) || !std::isfinite(dot(value, value))) return false;
  value = normalized(value);
  return true;
}

template <typename Value>
std::size_t drop_bad(KeyTrack<Value>& track) {
  const std::size_t each = track.interpolation == Interpolation::kCubic ? 3 : 1;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < track.times.size(); ++k) {
    const double time = track.times[k];
    bool good = std::isfinite(time) && (kept == 0 || time > track.times[kept - 1]);
    good = good && usable(track.values[each * k + each / 2]);
    if (each == 3) good = good && is_finite(track.values[3 * k]) && is_finite(track.values[3 * k + 2]);
    if (!good) continue;
    track.times[kept] = time;
    for (std::size_t i = 0; i < each; ++i) track.values[each * kept + i] = track.values[each * k + i];
    ++kept;
  }
  const std::size_t dropped = track.times.size() - kept;
  track.times.resize(kept);
  track.values.resize(each * kept);
  return dropped;
}

Vec3 between(Vec3 a, Vec3 b, float t) { return lerp(a, b, t); }
Quat between(Quat a, Quat b, float t) { return slerp(a, b, t); }

Vec3 settled(Vec3 value) { return value; }
Quat settled(Quat value) { return normalized(value); }

Vec3 weighted(Vec3 value, float weight) { return value * weight; }
Quat weighted(Quat q, float weight) { return {q.w * weight, q.x * weight, q.y * weight, q.z * weight}; }
Vec3 sum(Vec3 a, Vec3 b) { return a + b; }
Quat sum(Quat a, Quat b) { return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z}; }

/// The Hermite spline of glTF 2.0 appendix C.5 between key `k` and the next, `seconds` apart.
template <typename Value>
Value hermite(const KeyTrack<Value>& track, std::size_t k, float t, float seconds) {
  const float t2 = t * t, t3 = t2 * t;
  const Value from = weighted(track.values[3 * k + 1], 2 * t3 - 3 * t2 + 1);
  const Value leaving = weighted(track.values[3 * k + 2], (t3 - 2 * t2 + t) * seconds);
  const Value to = weighted(track.values[3 * k + 4], -2 * t3 + 3 * t2);
  const Value arriving = weighted(track.values[3 * k + 3], (t3 - t2) * seconds);
  return settled(sum(sum(from, leaving), sum(to, arriving)));
}

template <typename Value>
void sample_track(const KeyTrack<Value>& track, double start, double rate, std::size_t frames, std::size_t stride,
                  Value* out) {
  const double snap = kSnap / rate;
  std::size_t k = 0;  // the last key at or before the frame
  for (std::size_t f = 0; f < frames; ++f) {
    const double time = start + static_cast<double>(f) / rate;
    while (k + 1 < track.times.size() && track.times[k + 1] <= time + snap) ++k;
    Value& value = out[f * stride];
    const double past = time - track.times[k];
    if (past <= snap || k + 1 == track.times.size() || track.interpolation == Interpolation::kStep) {
      value = track.at_key(k);
      continue;
    }
    const double seconds = track.times[k + 1] - track.times[k];
    const auto t = static_cast<float>(past / seconds);
    value = track.interpolation == Interpolation::kCubic ? hermite(track, k, t, static_cast<float>(seconds))
                                                         : between(track.at_key(k), track.at_key(k + 1), t);
  }
}

/// The share of `times` that lie on the frames of `rate`, counted from `start`.
double share_on_frames(std::span<const double> times, double start, double rate) {
  std::size_t on = 0;
  for (const double time : times) {
    const double frame = (time - start) * rate;
    if (std::fabs(frame - std::round(frame)) <= kOnFrame) ++on;
  }
  return static_cast<double>(on) / static_cast<double>(times.size());
}

/// The spacing most neighbours have, within a hundredth; 0 where there is none. Averaged over all that have it.
double common_spacing(std::span<const double> times) {
  std::vector<double> spacings;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double spacing = times[i] - times[i - 1];
    if (spacing > 1e-9 && std::isfinite(spacing)) spacings.push_back(spacing);
  }
  std::sort(spacings.begin(), spacings.end());
  std::size_t best = 0, best_count = 0;
  for (std::size_t first = 0, past = 0; first < spacings.size(); ++first) {
    while (past < spacings.size() && spacings[past] <= spacings[first] * 1.01) ++past;
    if (past - first > best_count) {
      best = first;
      best_count = past - first;
    }
  }
  double total = 0;
  for (std::size_t i = best; i < best + best_count; ++i) total += spacings[i];
  return best_count > 0 ? total / static_cast<double>(best_count) : 0;
}

/// Rates are whole numbers, or a thousandth below (television): what lies within rounding of a whole number is one.
double tidy(double rate) { return std::fabs(rate - std::round(rate)) < 1e-4 * rate ? std::round(rate) : rate; }

}  // namespace

std::size_t drop_bad_keys(KeyTrack<Quat>& track) { return drop_bad(track); }
std::size_t drop_bad_keys(KeyTrack<Vec3>& track) { return drop_bad(track); }

void sample(const KeyTrack<Quat>& track, double start, double rate, std::size_t frames, std::size_t stride, Quat* out) {
  sample_track(track, start, rate, frames, stride, out);
}

void sample(const KeyTrack<Vec3>& track, double start, double rate, std::size_t frames, std::size_t stride, Vec3* out) {
  sample_track(track, start, rate, frames, stride, out);
}

double guess_rate(std::span<const double> times) {
  const double spacing = common_spacing(times);
  if (!(spacing > 0)) return kDefaultRate;
  const double start = *std::min_element(times.begin(), times.end());
  const double mode = tidy(1 / spacing);
  const bool credible = mode >= kSlowestCredible || times.size() >= kManyKeys;
  constexpr double kNearlyAll = 0.95;
  if (credible && mode >= kLowestRate && mode <= kHighestRate && share_on_frames(times, start, mode) >= kNearlyAll) {
    return mode;
  }
  for (const double usual : {30.0, 24.0, 25.0, 60.0, 50.0, 120.0, 100.0, 30000.0 / 1001.0, 24000.0 / 1001.0}) {
    if (share_on_frames(times, start, usual) >= kNearlyAll) return usual;
  }
  return credible ? std::clamp(mode, kLowestRate, kHighestRate) : kDefaultRate;
}

}  // namespace loom::io
