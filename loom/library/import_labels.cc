// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include <loom/library/import_labels.h>

namespace loom::library {
namespace {

std::string place_of(const LabelTable& table, std::size_t row) {
  return fmt::format("{}:{}", table.path, table.rows[row].line);
}

/// The rows of each clip: those that name its source file and, for rows that name none, those that name the clip.
Result<LabelMatches> match_clips(const Library& library, const std::vector<ClipInfo>& clips, const LabelTable& table) {
  std::vector<std::string> sources, names;
  for (const ClipInfo& clip : clips) {
    const auto provenance = library.provenance(clip.name);
    if (!provenance) return fail_from(provenance);
    sources.push_back(provenance->source.empty() ? clip.name : provenance->source);
    names.push_back(clip.name);
  }
  LabelMatches matches = match_labels(table, sources);
  LabelTable rest{table.path, {}};
  for (const std::size_t row : matches.unmatched) rest.rows.push_back(table.rows[row]);
  const LabelMatches by_name = match_labels(rest, names);
  for (std::size_t c = 0; c < clips.size(); ++c) {
    for (const std::size_t row : by_name.rows[c]) matches.rows[c].push_back(matches.unmatched[row]);
  }
  std::vector<std::size_t> unmatched;
  for (const std::size_t row : by_name.unmatched) unmatched.push_back(matches.unmatched[row]);
  matches.unmatched = std::move(unmatched);
  return matches;
}

}  // namespace

Result<void> label_clip(Library& library, const ClipInfo& clip, const LabelTable& table,
                        const std::vector<std::size_t>& rows, LabelReport& report) {
  const auto provenance = library.provenance(clip.name);
  if (!provenance) return fail_from(provenance);
  ++report.clips;
  for (const std::size_t row : rows) {
    const auto label =
        label_of(table.rows[row], provenance->first_frame, provenance->source_rate, clip.frames, clip.rate);
    if (!label) {
      report.warnings.push_back({place_of(table, row), fmt::format("lies outside clip '{}'", clip.name)});
      continue;
    }
    if (std::find(clip.labels.begin(), clip.labels.end(), *label) != clip.labels.end()) continue;
    if (auto added = library.add_label(clip.name, *label); !added) return added;
    ++report.added;
  }
  return {};
}

Result<LabelReport> import_labels(Library& library, const LabelTable& table) {
  LabelReport report;
  const auto done = library.transact([&]() -> Result<void> {
    const auto clips = library.clips();
    if (!clips) return fail_from(clips);
    const auto matches = match_clips(library, *clips, table);
    if (!matches) return fail_from(matches);
    for (const std::size_t row : matches->unmatched) {
      report.warnings.push_back({place_of(table, row), fmt::format("no clip is called '{}'", table.rows[row].file)});
    }
    for (std::size_t c = 0; c < clips->size(); ++c) {
      if (matches->rows[c].empty()) continue;
      if (auto labelled = label_clip(library, (*clips)[c], table, matches->rows[c], report); !labelled) {
        return labelled;
      }
    }
    return {};
  });
  if (!done) return fail_from(done);
  return report;
}

}  // namespace loom::library
