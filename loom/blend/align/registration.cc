// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <loom/base/whole.h>
#include <loom/blend/align/registration.h>

namespace loom::blend {
namespace {

/// A cubic on [0, 1] with values 0 and `rise` and slopes `first` and `last` at the ends (in units of the interval).
struct Cubic {
  double rise = 0, first = 0, last = 0;

  [[nodiscard]] double at(double t) const {
    return t * (first + t * (3 * rise - 2 * first - last + t * (first + last - 2 * rise)));
  }
  [[nodiscard]] double slope(double t) const {
    return first + t * (2 * (3 * rise - 2 * first - last) + 3 * t * (first + last - 2 * rise));
  }
  /// The place at which it has `value`, which lies in [0, rise]: Newton's method, kept within a shrinking bracket.
  [[nodiscard]] double inverse(double value) const {
    double low = 0, high = 1, t = value / rise;
    for (int n = 0; n < 100; ++n) {
      const double error = at(t) - value;
      if (error == 0) break;
      (error > 0 ? high : low) = t;
      const double newton = t - error / slope(t);
      const double next = newton > low && newton < high ? newton : (low + high) / 2;
      if (next == t) break;
      t = next;
    }
    return t;
  }
};

Cubic cubic_of(const Mark& a, const Mark& b, double first, double last) {
  const double span = b.from - a.from;
  return {b.to - a.to, first * span, last * span};
}

/// The slopes of Fritsch and Butland 1984: at a knot the weighted harmonic mean of the two neighbouring secants, which
/// never exceeds three times the smaller, so that no cubic overshoots.
std::vector<double> monotone_slopes(const std::vector<Mark>& knots) {
  const std::size_t last = knots.size() - 1;
  std::vector<double> secants(last), slopes(knots.size());
  for (std::size_t k = 0; k < last; ++k) {
    secants[k] = (knots[k + 1].to - knots[k].to) / (knots[k + 1].from - knots[k].from);
  }
  slopes.front() = secants.front();
  slopes.back() = secants.back();
  for (std::size_t k = 1; k < last; ++k) {
    const double before = knots[k].from - knots[k - 1].from, after = knots[k + 1].from - knots[k].from;
    const double share = (before + 2 * after) / (3 * (before + after));
    slopes[k] = 1 / (share / secants[k - 1] + (1 - share) / secants[k]);
  }
  return slopes;
}

/// A polyline's value at `from`. Its points are strictly increasing.
double polyline_at(std::span<const Mark> path, double from) {
  auto after = std::upper_bound(path.begin(), path.end(), from, [](double t, const Mark& m) { return t < m.from; });
  after = std::clamp(after, path.begin() + 1, path.end() - 1);
  const Mark &a = *(after - 1), &b = *after;
  return a.to + (b.to - a.to) * (from - a.from) / (b.from - a.from);
}

/// The mean of a polyline about `from`, weighted by a triangle of half-width `half`: its steps averaged out.
double smoothed_at(std::span<const Mark> path, double from, double half) {
  constexpr int kSamples = 8;  // to either side
  double sum = polyline_at(path, from), total = 1;
  for (int n = 1; n < kSamples; ++n) {
    const double share = static_cast<double>(n) / kSamples, weight = 1 - share;
    sum += weight * (polyline_at(path, from - share * half) + polyline_at(path, from + share * half));
    total += 2 * weight;
  }
  return sum / total;
}

/// Brings the rises between knots into [low, high] times their spans without changing their sum.
void limit_rises(std::vector<double>& rises, const std::vector<double>& spans, double low, double high) {
  double excess = 0, room = 0;
  for (std::size_t k = 0; k < rises.size(); ++k) {
    const double limited = std::clamp(rises[k], low * spans[k], high * spans[k]);
    excess += rises[k] - limited;
    rises[k] = limited;
  }
  for (std::size_t k = 0; k < rises.size(); ++k) {
    room += excess > 0 ? high * spans[k] - rises[k] : rises[k] - low * spans[k];
  }
  if (room <= 0) return;
  const double share = excess / room;
  for (std::size_t k = 0; k < rises.size(); ++k) {
    rises[k] += std::abs(share) * (excess > 0 ? high * spans[k] - rises[k] : low * spans[k] - rises[k]);
  }
}

/// Knots after mark `a` up to and with mark `b`: as the path bends between them, but meeting both.
void add_piece(std::span<const Mark> path, const Mark& a, const Mark& b, const FitOptions& options,
               std::vector<Mark>& knots) {
  const double span = b.from - a.from, slope = (b.to - a.to) / span;
  const auto pieces = to_whole<std::size_t>(std::max(1.0, std::round(span / options.knot_seconds)));
  const double step = span / static_cast<double>(pieces);
  const double path_a = polyline_at(path, a.from), path_b = polyline_at(path, b.from);
  const double stretch = (b.to - a.to) / std::max(path_b - path_a, 1e-9);
  std::vector<double> rises, spans(pieces, step);
  double before = 0;
  for (std::size_t k = 1; k <= pieces; ++k) {
    const double in = step * static_cast<double>(k);
    const double half = std::min({options.knot_seconds, in, span - in});
    const double value = k == pieces ? b.to - a.to : stretch * (smoothed_at(path, a.from + in, half) - path_a);
    rises.push_back(value - before);
    before = value;
  }
  // Marks a user made may ask for more than the limit; then the limit is what they ask for.
  limit_rises(rises, spans, std::min(1 / options.max_slope, slope), std::max(options.max_slope, slope));
  Mark knot = a;
  for (std::size_t k = 0; k + 1 < pieces; ++k) {
    knot = {knot.from + step, knot.to + rises[k]};
    knots.push_back(knot);
  }
  knots.push_back(b);
}

}  // namespace

RegistrationCurve::RegistrationCurve(std::vector<Mark> knots)
    : knots_(std::move(knots)), slopes_(monotone_slopes(knots_)) {}

Result<RegistrationCurve> RegistrationCurve::create(std::vector<Mark> knots) {
  if (knots.size() < 2) return fail("a registration curve needs at least two knots");
  for (std::size_t k = 0; k < knots.size(); ++k) {
    if (!std::isfinite(knots[k].from) || !std::isfinite(knots[k].to)) return fail("a knot's time is not a number");
    if (k > 0 && !(knots[k].from > knots[k - 1].from && knots[k].to > knots[k - 1].to)) {
      return fail(fmt::format("knot {} of a registration curve ({} s, {} s) does not lie after the one before", k,
                              knots[k].from, knots[k].to));
    }
  }
  return RegistrationCurve(std::move(knots));
}

std::size_t RegistrationCurve::segment(double value, double Mark::*side) const {
  const auto inner = knots_.begin() + 1;
  const auto after =
      std::upper_bound(inner, knots_.end() - 1, value, [side](double v, const Mark& knot) { return v < knot.*side; });
  return static_cast<std::size_t>(after - inner);
}

double RegistrationCurve::at(double from) const {
  if (from <= knots_.front().from) return knots_.front().to + slopes_.front() * (from - knots_.front().from);
  if (from >= knots_.back().from) return knots_.back().to + slopes_.back() * (from - knots_.back().from);
  const std::size_t k = segment(from, &Mark::from);
  const Mark &a = knots_[k], &b = knots_[k + 1];
  return a.to + cubic_of(a, b, slopes_[k], slopes_[k + 1]).at((from - a.from) / (b.from - a.from));
}

double RegistrationCurve::inverse(double to) const {
  if (to <= knots_.front().to) return knots_.front().from + (to - knots_.front().to) / slopes_.front();
  if (to >= knots_.back().to) return knots_.back().from + (to - knots_.back().to) / slopes_.back();
  const std::size_t k = segment(to, &Mark::to);
  const Mark &a = knots_[k], &b = knots_[k + 1];
  return a.from + (b.from - a.from) * cubic_of(a, b, slopes_[k], slopes_[k + 1]).inverse(to - a.to);
}

double RegistrationCurve::slope(double from) const {
  if (from <= knots_.front().from) return slopes_.front();
  if (from >= knots_.back().from) return slopes_.back();
  const std::size_t k = segment(from, &Mark::from);
  const Mark &a = knots_[k], &b = knots_[k + 1];
  const double span = b.from - a.from;
  return cubic_of(a, b, slopes_[k], slopes_[k + 1]).slope((from - a.from) / span) / span;
}

RegistrationCurve fit_registration(std::span<const Mark> path, std::span<const Mark> marks, const FitOptions& options) {
  assert(path.size() >= 2);
  std::vector<Mark> fixed{path.front()};
  for (const Mark& mark : marks) {
    if (mark.from > fixed.back().from && mark.from < path.back().from && mark.to > fixed.back().to &&
        mark.to < path.back().to) {
      fixed.push_back(mark);
    }
  }
  fixed.push_back(path.back());
  std::vector<Mark> knots{fixed.front()};
  for (std::size_t k = 1; k < fixed.size(); ++k) add_piece(path, fixed[k - 1], fixed[k], options, knots);
  return RegistrationCurve::create(std::move(knots)).value();
}

std::vector<Mark> consistent_marks(std::vector<Mark> marks, double min_seconds, double max_slope) {
  if (marks.size() < 3) return marks;
  std::sort(marks.begin() + 1, marks.end() - 1, [](const Mark& a, const Mark& b) { return a.from < b.from; });
  const auto follows = [&](const Mark& a, const Mark& b) {
    const double from = b.from - a.from, to = b.to - a.to;
    return from >= min_seconds && to >= min_seconds && to <= max_slope * from && from <= max_slope * to;
  };
  // The longest chain from the first mark to each other one.
  std::vector<std::size_t> length(marks.size(), 0), before(marks.size(), 0);
  length[0] = 1;
  for (std::size_t k = 1; k < marks.size(); ++k) {
    for (std::size_t n = 0; n < k; ++n) {
      if (length[n] > 0 && length[n] + 1 > length[k] && follows(marks[n], marks[k])) {
        length[k] = length[n] + 1;
        before[k] = n;
      }
    }
  }
  std::vector<Mark> chain;
  for (std::size_t k = marks.size() - 1; k > 0; k = before[k]) chain.push_back(marks[k]);
  chain.push_back(marks.front());
  std::reverse(chain.begin(), chain.end());
  return chain;
}

namespace {

/// A stretch of seconds in which a foot is planted, and whether its begin and end were seen.
struct PlantTime {
  double begin = 0, end = 0;
  bool saw_begin = false, saw_end = false;
};

/// A foot counts as planted while its heel or its toe is. Events lie half-way between frames.
std::vector<PlantTime> plants_of(const motion::Contacts& contacts, double rate, std::uint8_t foot) {
  std::vector<PlantTime> plants;
  const std::size_t frames = contacts.planted.size();
  for (std::size_t f = 0; f < frames; ++f) {
    if (!(contacts.planted[f] & foot)) continue;
    std::size_t end = f;
    while (end < frames && (contacts.planted[end] & foot)) ++end;
    plants.push_back(
        {(static_cast<double>(f) - 0.5) / rate, (static_cast<double>(end) - 0.5) / rate, f > 0, end < frames});
    f = end;
  }
  return plants;
}

double overlap(const PlantTime& a, const PlantTime& b) { return std::min(a.end, b.end) - std::max(a.begin, b.begin); }

/// The index of the plant that overlaps `plant` most; `plants.size()` when none does.
std::size_t nearest_plant(const PlantTime& plant, const std::vector<PlantTime>& plants) {
  std::size_t best = plants.size();
  double most = 0;
  for (std::size_t n = 0; n < plants.size(); ++n) {
    if (const double shared = overlap(plant, plants[n]); shared > most) {
      most = shared;
      best = n;
    }
  }
  return best;
}

}  // namespace

std::vector<Mark> matching_contacts(const motion::Contacts& reference, double reference_rate,
                                    const motion::Contacts& other, double other_rate, const RegistrationCurve& rough) {
  std::vector<Mark> marks;
  for (const std::uint8_t foot : {motion::kLeftFoot, motion::kRightFoot}) {
    const auto ours = plants_of(reference, reference_rate, foot);
    const auto theirs = plants_of(other, other_rate, foot);
    std::vector<PlantTime> carried = ours;  // to the time of the other clip
    for (PlantTime& plant : carried) plant.begin = rough.at(plant.begin), plant.end = rough.at(plant.end);
    for (std::size_t n = 0; n < ours.size(); ++n) {
      const std::size_t m = nearest_plant(carried[n], theirs);
      if (m == theirs.size() || nearest_plant(theirs[m], carried) != n) continue;
      if (ours[n].saw_begin && theirs[m].saw_begin) marks.push_back({ours[n].begin, theirs[m].begin});
      if (ours[n].saw_end && theirs[m].saw_end) marks.push_back({ours[n].end, theirs[m].end});
    }
  }
  std::sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) { return a.from < b.from; });
  return marks;
}

}  // namespace loom::blend
