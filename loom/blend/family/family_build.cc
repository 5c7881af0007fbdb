// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/base/progress_part.h>
#include <loom/blend/family/detail/family_gather.h>
#include <loom/blend/family/family_build.h>
#include <loom/blend/family/stored_family.h>

namespace loom::blend {
namespace {

Moments moments_of(const FamilyMember& member, const motion::Clip& clip) { return {0, member.stroke, clip.duration()}; }

/// The table of a family's parameters, from the motion or from the user.
Result<void> fill_table(Family& family, const take::TakeSet& motion, const std::optional<UserTable>& table) {
  if (!table) {
    family.space = space_of(family.space.kind);
    for (std::size_t i = 0; i < family.members.size(); ++i) {
      const auto at = measure_coordinates(family.space.kind, motion.clips[i],
                                          moments_of(family.members[i], motion.clips[i]), family.joint);
      if (!at) return fail_from(at);
      std::vector<double> values(at->size());
      family.space.to_values(*at, values);
      family.values.insert(family.values.end(), values.begin(), values.end());
    }
    return {};
  }
  for (const FamilyMember& member : family.members) {
    const auto row = static_cast<std::size_t>(std::find(table->clips.begin(), table->clips.end(), member.name) -
                                              table->clips.begin());
    const auto from = table->values.begin() + static_cast<std::ptrdiff_t>(row * table->names.size());
    family.values.insert(family.values.end(), from, from + static_cast<std::ptrdiff_t>(table->names.size()));
  }
  for (std::size_t p = 0; p < table->names.size(); ++p) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < family.members.size(); ++i) sum += family.values[i * table->names.size() + p];
    const double mean = sum / static_cast<double>(family.members.size());
    for (std::size_t i = 0; i < family.members.size(); ++i) {
      squares += std::pow(family.values[i * table->names.size() + p] - mean, 2);
    }
    const double spread = std::sqrt(squares / static_cast<double>(family.members.size()));
    family.space.parameters.push_back({table->names[p], ""});
    family.space.scales.push_back(spread > 0 ? 1 / spread : 1);
  }
  return {};
}

/// Which examples to keep, in order: those that cover the space best, found furthest first. Those nearer to a kept one
/// than `spacing` are not kept, nor more than `most`.
std::vector<std::size_t> thinned(const ExamplePoints& points, double spacing, std::size_t most) {
  const auto away = [&](std::size_t a, std::size_t b) { return std::sqrt(squared_distance(points[a], points[b])); };
  std::vector<double> nearest(points.size(), std::numeric_limits<double>::infinity());
  std::vector<std::size_t> kept;
  double size = 0;
  std::size_t next = 0;
  while (kept.size() < std::min(points.size(), most)) {
    kept.push_back(next);
    for (std::size_t i = 0; i < points.size(); ++i) nearest[i] = std::min(nearest[i], away(i, next));
    if (kept.size() == 1) size = *std::max_element(nearest.begin(), nearest.end());
    next = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    if (nearest[next] <= spacing * size) break;
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

template <typename T>
std::vector<T> chosen(std::vector<T>&& all, const std::vector<std::size_t>& which) {
  std::vector<T> kept;
  for (const std::size_t i : which) kept.push_back(std::move(all[i]));
  return kept;
}

void keep(const std::vector<std::size_t>& which, Family& family, take::TakeSet& motion) {
  std::vector<double> values;
  for (const std::size_t i : which) values.insert(values.end(), family.values_of(i).begin(), family.values_of(i).end());
  family.values = std::move(values);
  family.members = chosen(std::move(family.members), which);
  motion.clips = chosen(std::move(motion.clips), which);
  motion.contacts = chosen(std::move(motion.contacts), which);
  motion.stretches = chosen(std::move(motion.stretches), which);
}

AlignOptions align_options(const Family& family, const FamilyOptions& options) {
  AlignOptions how;
  how.max_cost = options.max_cost;
  const bool strokes = std::all_of(family.members.begin(), family.members.end(),
                                   [](const FamilyMember& m) { return m.stroke.has_value(); });
  if (!strokes) return how;
  for (const FamilyMember& member : family.members) how.strokes.push_back({*member.stroke});
  return how;
}

/// Some of the members, and the one all of them align with.
struct Group {
  std::size_t reference = 0;
  std::vector<std::size_t> members;
};

/// The largest group of members that align with one of them. O(members²) alignments of two.
Group largest_group(const Family& family, const take::TakeSet& motion, const AlignOptions& options) {
  const std::size_t count = family.members.size();
  std::vector<std::uint8_t> belong(count * count);
  parallel_for(count, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) {
      for (std::size_t b = 0; b < count; ++b) {
        AlignOptions two = options;
        two.reference = 0;
        if (!two.strokes.empty()) two.strokes = {options.strokes[a], options.strokes[b]};
        const std::array clips = {motion.clips[a], motion.clips[b]};
        const std::array contacts = {motion.contacts[a], motion.contacts[b]};
        belong[a * count + b] = a == b || align(clips, contacts, two) ? 1 : 0;
      }
    }
  });
  Group best;
  for (std::size_t a = 0; a < count; ++a) {
    Group group{a, {}};
    for (std::size_t b = 0; b < count; ++b) {
      if (belong[a * count + b] != 0) group.members.push_back(b);
    }
    if (group.members.size() > best.members.size()) best = std::move(group);
  }
  return best;
}

/// Aligns the members. Those that do not belong are refused; but where a take was cut into several pieces, pieces that
/// do not fit are a matter of cutting, and are left out.
Result<void> align_members(Family& family, take::TakeSet& motion, const FamilyOptions& options,
                           std::vector<std::string>& notes) {
  auto aligned = align(motion.clips, motion.contacts, align_options(family, options));
  if (aligned) {
    family.alignment = std::move(*aligned);
    return {};
  }
  const Group group = largest_group(family, motion, align_options(family, options));
  std::set<std::string> represented;
  for (const std::size_t i : group.members) represented.insert(family.members[i].name);
  const std::string reference = family.members[group.reference].describe();
  for (std::size_t i = 0, kept = 0; i < family.members.size(); ++i) {
    if (kept < group.members.size() && group.members[kept] == i) {
      ++kept;
      continue;
    }
    if (group.members.size() < 2 || (!options.leave_out_strangers && !represented.contains(family.members[i].name))) {
      Error error = aligned.error();
      error.message += "; leave clips out";
      error.settings = {"clips", "leave-out"};
      return tl::unexpected<Error>(std::move(error));
    }
    notes.push_back(
        fmt::format("'{}' is left out: it does not belong with '{}'", family.members[i].describe(), reference));
  }
  keep(group.members, family, motion);
  AlignOptions how = align_options(family, options);
  how.reference = static_cast<std::size_t>(std::find(group.members.begin(), group.members.end(), group.reference) -
                                           group.members.begin());
  aligned = align(motion.clips, motion.contacts, how);
  if (!aligned) return fail_from(aligned);
  family.alignment = std::move(*aligned);
  return {};
}

Result<BuiltFamily> make_family(const library::Library& library, const FamilyOptions& options,
                                const Progress& progress) {
  BuiltFamily built;
  auto gathered = gather_examples(library, options, built.notes, part_of(progress, 0, 0.5));
  if (!gathered) return fail_from(gathered);
  built.left_out = std::move(gathered->left_out);
  if (gathered->members.size() < 2) {
    return fail(fmt::format("a family needs two examples or more, and {} {} found{}{}", gathered->members.size(),
                            gathered->members.size() == 1 ? "was" : "were", built.notes.empty() ? "" : ": ",
                            fmt::join(built.notes, "; ")),
                library.path());
  }
  Family& family = built.family;
  family.rate = gathered->rate;
  family.joint = gathered->joint;
  family.space.kind = gathered->kind;
  family.members = std::move(gathered->members);
  auto motion = read_members(library, family.rate, family.members, part_of(progress, 0.5, 0.8));
  if (!motion) return fail_from(motion);
  built.motion = std::move(motion->motion);
  if (auto done = fill_table(family, built.motion, options.table); !done) return fail_from(done);
  const auto kept = thinned(family.points(), options.least_spacing, std::min(options.most_examples, kMaxExamples));
  if (kept.size() < family.members.size()) {
    built.notes.push_back(fmt::format("{} of {} examples are kept: the others lie too near to these", kept.size(),
                                      family.members.size()));
    keep(kept, family, built.motion);
  }
  if (family.members.size() < 2) return fail("all examples have the same parameters", library.path());
  if (auto done = align_members(family, built.motion, options, built.notes); !done) return fail_from(done);
  auto again = read_members(library, family.rate, family.members,
                            part_of(progress, 0.8, 1));  // for the hash of those that are left
  if (!again) return fail_from(again);
  built.motion = std::move(again->motion);
  built.input_hash = std::move(again->input_hash);
  return built;
}

}  // namespace

Result<BuiltFamily> build_family(const library::Library& library, const FamilyOptions& options,
                                 const Progress& progress) {
  return within_memory("so large a family", [&] { return make_family(library, options, progress); });
}

}  // namespace loom::blend
