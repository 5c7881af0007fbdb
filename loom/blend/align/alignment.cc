// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/whole.h>
#include <loom/blend/align/alignment.h>
#include <loom/blend/align/strokes.h>
#include <loom/compare/time_warp.h>

namespace loom::blend {
namespace {

/// The share of the time in which a foot may be planted in one clip and not in the other. A fast run and a walk differ
/// by 0.3, a walk and standing by 0.4.
constexpr double kMaxFootDisagreement = 0.36;

/// Moments closer together than this are not kept apart by a curve.
constexpr double kMinSeconds = 0.05;

/// Nor are contacts whose order differs between clips, if they are no further apart than this.
constexpr double kMergeSeconds = 0.15;

/// The time warp of one clip to another, in seconds, and its mean cost.
struct Warp {
  std::vector<Mark> path;
  double cost = 0;
};

class Aligner {
 public:
  Aligner(std::span<const motion::Clip> clips, std::span<const motion::Contacts> contacts, const AlignOptions& options,
          AlignmentCosts costs)
      : clips_(clips), contacts_(contacts), options_(options), costs_(std::move(costs)) {}

  /// The warp of clip `b` to clip `a`, which are different.
  [[nodiscard]] Result<Warp> warp(std::size_t a, std::size_t b) const;
  /// The curve that makes of it.
  [[nodiscard]] RegistrationCurve curve(std::size_t a, std::size_t b, const Warp& warp) const;
  /// For each clip the mean cost of its warps to all others; fails where two cannot be warped.
  [[nodiscard]] Result<std::vector<double>> mean_costs() const;

 private:
  [[nodiscard]] std::vector<Mark> stroke_marks(std::size_t a, std::size_t b) const;
  [[nodiscard]] std::vector<compare::WarpCell> stroke_pins(std::size_t a, std::size_t b) const;

  std::span<const motion::Clip> clips_;
  std::span<const motion::Contacts> contacts_;
  const AlignOptions& options_;
  AlignmentCosts costs_;
};

std::vector<Mark> Aligner::stroke_marks(std::size_t a, std::size_t b) const {
  std::vector<Mark> marks;
  if (options_.strokes.empty()) return marks;
  for (std::size_t n = 0; n < options_.strokes[a].size(); ++n) {
    marks.push_back({options_.strokes[a][n], options_.strokes[b][n]});
  }
  return marks;
}

/// The frame nearest to `seconds`, kept off the ends.
std::uint32_t inner_frame(const motion::Clip& clip, double seconds) {
  return to_whole<std::uint32_t>(
      std::clamp(std::round(seconds * clip.rate), 1.0, static_cast<double>(clip.frames()) - 2));
}

/// The cells the warp is to pass: the strokes, kept off the ends. Of strokes within one frame the first is enough.
std::vector<compare::WarpCell> Aligner::stroke_pins(std::size_t a, std::size_t b) const {
  std::vector<compare::WarpCell> pins;
  for (const Mark& mark : stroke_marks(a, b)) {
    const compare::WarpCell pin{inner_frame(clips_[a], mark.from), inner_frame(clips_[b], mark.to)};
    if (pins.empty() || (pin.row > pins.back().row && pin.column > pins.back().column)) pins.push_back(pin);
  }
  return pins;
}

Result<Warp> Aligner::warp(std::size_t a, std::size_t b) const {
  const auto matrix = costs_.between(a, b);
  if (!matrix) return fail_from(matrix);
  const std::vector<compare::WarpCell> pins = stroke_pins(a, b);
  compare::WarpOptions options;
  options.max_slope = options_.max_slope;
  options.free_start = options.free_end = to_whole<std::size_t>(options_.free_seconds * clips_[a].rate);
  // Strokes a user marked are met even where that takes a steeper slope.
  const auto path = pins.empty() ? compare::find_warp(*matrix, options)
                                 : compare::find_warp_through(*matrix, pins, options, compare::SteepParts::kStretch);
  if (!path) return fail_from(path);
  if (path->cells.size() < 2) return fail(fmt::format("'{}' is too short to be aligned", clips_[b].name));
  Warp warp{{}, path->cost};
  for (const compare::WarpCell& cell : path->cells) {
    warp.path.push_back({cell.row / clips_[a].rate, cell.column / clips_[a].rate});
  }
  return warp;
}

/// Puts marks together that are too near each other to be kept apart: one foot comes down as the other lifts, in one
/// clip a little before, in the other a little after.
std::vector<Mark> merge_near(const std::vector<Mark>& marks) {
  std::vector<Mark> merged;
  for (std::size_t k = 0; k < marks.size();) {
    Mark sum = marks[k];
    std::size_t end = k + 1;
    for (; end < marks.size(); ++end) {
      const double from = marks[end].from - marks[end - 1].from, to = marks[end].to - marks[end - 1].to;
      const bool apart = from >= kMinSeconds && to >= kMinSeconds;
      if (apart || std::max(from, std::abs(to)) > kMergeSeconds) break;
      sum.from += marks[end].from;
      sum.to += marks[end].to;
    }
    const auto count = static_cast<double>(end - k);
    merged.push_back({sum.from / count, sum.to / count});
    k = end;
  }
  return merged;
}

RegistrationCurve Aligner::curve(std::size_t a, std::size_t b, const Warp& warp) const {
  const std::vector<Mark> strokes = stroke_marks(a, b);
  const RegistrationCurve rough = fit_registration(warp.path, strokes);
  if (!options_.match_contacts) return rough;
  const auto contacts =
      merge_near(matching_contacts(contacts_[a], clips_[a].rate, contacts_[b], clips_[b].rate, rough));
  // Strokes are kept for sure, so contacts are chosen between them.
  std::vector<Mark> kept, fixed{warp.path.front()};
  fixed.insert(fixed.end(), strokes.begin(), strokes.end());
  fixed.push_back(warp.path.back());
  for (std::size_t k = 1; k < fixed.size(); ++k) {
    std::vector<Mark> between{fixed[k - 1]};
    for (const Mark& mark : contacts) {
      if (mark.from > fixed[k - 1].from && mark.from < fixed[k].from) between.push_back(mark);
    }
    between.push_back(fixed[k]);
    between = consistent_marks(std::move(between), kMinSeconds, static_cast<double>(options_.max_slope));
    kept.insert(kept.end(), between.begin() + 1, between.end());
  }
  kept.pop_back();
  return fit_registration(warp.path, kept);
}

Result<std::vector<double>> Aligner::mean_costs() const {
  const std::size_t count = clips_.size();
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) pairs.emplace_back(a, b);
  }
  std::vector<Result<Warp>> warps(pairs.size());
  parallel_for(pairs.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) warps[n] = warp(pairs[n].first, pairs[n].second);
  });
  std::vector<double> means(count, 0.0);
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    const auto [a, b] = pairs[n];
    if (!warps[n]) {
      return fail(fmt::format("'{}' and '{}' do not belong together: {}", clips_[a].name, clips_[b].name,
                              warps[n].error().message));
    }
    means[a] += warps[n]->cost / static_cast<double>(count - 1);
    means[b] += warps[n]->cost / static_cast<double>(count - 1);
  }
  return means;
}

/// The share of the time, over both feet, in which a foot is planted in one clip and not in the other.
double foot_disagreement(const motion::Contacts& reference, const motion::Contacts& other, double rate,
                         const RegistrationCurve& curve) {
  const auto planted = [&](const motion::Contacts& contacts, double seconds) {
    const double frame = std::clamp(std::round(seconds * rate), 0.0, static_cast<double>(contacts.planted.size() - 1));
    return contacts.planted[static_cast<std::size_t>(frame)];
  };
  std::size_t differ = 0, moments = 0;
  for (double t = curve.knots().front().from; t <= curve.knots().back().from; t += 1 / rate, ++moments) {
    const std::uint8_t ours = planted(reference, t), theirs = planted(other, curve.at(t));
    differ += !(ours & motion::kLeftFoot) != !(theirs & motion::kLeftFoot);
    differ += !(ours & motion::kRightFoot) != !(theirs & motion::kRightFoot);
  }
  return static_cast<double>(differ) / (2.0 * static_cast<double>(moments));
}

Result<void> check(std::span<const motion::Clip> clips, std::span<const motion::Contacts> contacts,
                   const AlignOptions& options) {
  if (clips.size() < 2) return fail(fmt::format("a blend needs at least two clips, not {}", clips.size()));
  if (contacts.size() != clips.size()) return fail("every clip needs its contacts");
  if (!options.strokes.empty() && options.strokes.size() != clips.size()) return fail("every clip needs its strokes");
  if (options.reference && *options.reference >= clips.size()) return fail("there is no such reference clip");
  for (std::size_t c = 0; c < clips.size(); ++c) {
    if (auto valid = motion::validate(clips[c]); !valid) return valid;
    if (clips[c].frames() < 4) return fail(fmt::format("'{}' is too short to be aligned", clips[c].name));
    if (contacts[c].planted.size() != clips[c].frames()) {
      return fail(fmt::format("the contacts of '{}' are not one a frame", clips[c].name));
    }
    if (options.strokes.empty()) continue;
    if (options.strokes[c].size() != options.strokes[0].size()) {
      return fail(fmt::format("'{}' has {} strokes, '{}' has {}", clips[0].name, options.strokes[0].size(),
                              clips[c].name, options.strokes[c].size()));
    }
    if (auto valid = check_strokes(clips[c], options.strokes[c]); !valid) return valid;
  }
  return {};
}

/// Adds the curve of clip `c` to the reference of `made`, if it belongs to it.
Result<void> align_one(const Aligner& aligner, std::span<const motion::Clip> clips,
                       std::span<const motion::Contacts> contacts, const AlignOptions& options, std::size_t c,
                       Alignment& made) {
  const motion::Clip &reference = clips[made.reference], &clip = clips[c];
  if (c == made.reference) {
    made.curves.push_back(RegistrationCurve::create({{0, 0}, {reference.duration(), reference.duration()}}).value());
    made.costs.push_back(0);
    return {};
  }
  const std::string strangers = fmt::format("'{}' and '{}' do not belong together: ", reference.name, clip.name);
  const auto warp = aligner.warp(made.reference, c);
  if (!warp) return fail_because(warp.error(), strangers + warp.error().message);
  if (const double most = options.max_cost.value_or(default_max_cost(options.metric)); !(warp->cost <= most)) {
    return fail(fmt::format("{}their alignment costs {:.4f}, and {:.4f} is the most that can be blended", strangers,
                            warp->cost, most));
  }
  made.curves.push_back(aligner.curve(made.reference, c, *warp));
  made.costs.push_back(warp->cost);
  const double differ = foot_disagreement(contacts[made.reference], contacts[c], reference.rate, made.curves.back());
  if (differ > kMaxFootDisagreement) {
    return fail(fmt::format("{}{:.0f} % of the time a foot stands in one and not in the other (alignment cost {:.4f})",
                            strangers, 100 * differ, warp->cost));
  }
  made.begin = std::max(made.begin, warp->path.front().from);
  made.end = std::min(made.end, warp->path.back().from);
  return {};
}

/// Asks for the matrices of the two longest clips, with the room each thread needs to find a path in one.
Result<void> require_room(std::span<const motion::Clip> clips, bool one_reference) {
  std::size_t longest = 0, second = 0;
  for (const motion::Clip& clip : clips) {
    second = std::max(second, std::min(longest, clip.frames()));
    longest = std::max(longest, clip.frames());
  }
  // The matrix with its clips' ends repeated, the matrix itself, and a byte a cell for the choices.
  const double matrix = 2.25 * compare::cost_matrix_bytes(longest, second);
  const std::size_t pairs = clips.size() * (clips.size() - 1) / 2;
  const std::size_t at_once = one_reference ? 1 : std::max<std::size_t>(1, std::min(thread_count(), pairs));
  return require_memory(matrix * static_cast<double>(at_once),
                        fmt::format("aligning clips of up to {} frames", longest), "cut the clips shorter");
}

Result<Alignment> align_clips(std::span<const motion::Clip> clips, std::span<const motion::Contacts> contacts,
                              const AlignOptions& options) {
  if (auto valid = check(clips, contacts, options); !valid) return fail_from(valid);
  if (const auto room = require_room(clips, options.reference.has_value()); !room) return fail_from(room);
  auto costs = AlignmentCosts::create(clips, options.metric);
  if (!costs) return fail_from(costs);
  const Aligner aligner(clips, contacts, options, std::move(*costs));

  Alignment made;
  if (options.reference) {
    made.reference = *options.reference;
  } else {
    auto means = aligner.mean_costs();
    if (!means) return fail_from(means);
    made.mean_costs = std::move(*means);
    made.reference = static_cast<std::size_t>(std::min_element(made.mean_costs.begin(), made.mean_costs.end()) -
                                              made.mean_costs.begin());
  }
  made.end = clips[made.reference].duration();
  if (!options.strokes.empty()) made.strokes = options.strokes[made.reference];
  for (std::size_t c = 0; c < clips.size(); ++c) {
    if (auto aligned = align_one(aligner, clips, contacts, options, c, made); !aligned) return fail_from(aligned);
  }
  if (!(made.end - made.begin > kMinSeconds)) {
    return fail("the clips have no stretch in common: too much of them was left free");
  }
  return made;
}

}  // namespace

double default_max_cost(compare::MetricKind metric) { return metric == compare::MetricKind::kPointCloud ? 0.05 : 1.25; }

Result<Alignment> align(std::span<const motion::Clip> clips, std::span<const motion::Contacts> contacts,
                        const AlignOptions& options) {
  return within_memory("aligning such long clips", [&] { return align_clips(clips, contacts, options); });
}

}  // namespace loom::blend
