// SPDX-License-Identifier: MIT
#include <chrono>

#include <fmt/format.h>

#include <loom/base/progress_part.h>
#include <loom/compare/point_cloud.h>
#include <loom/graph/build.h>
#include <loom/project/find_motion.h>
#include <loom/take/gather.h>

namespace loom::project {
namespace {

constexpr double kReading = 0.6;  ///< of the work, which reading the library is

/// The frames of the set that the example is.
Result<compare::FrameSpan> locate(const take::TakeSet& motion, const compare::FrameSet& set,
                                  const MotionExample& example) {
  std::size_t frames = 0;
  for (std::size_t c = 0; c < motion.stretches.size(); ++c) {
    const take::Stretch& stretch = motion.stretches[c];
    if (stretch.name != example.clip || stretch.mirrored) continue;
    frames = stretch.end();
    const auto [first, last] = example.frames.value_or(std::pair<std::size_t, std::size_t>{0, stretch.frames - 1});
    if (first <= last && last < stretch.end()) {
      return compare::FrameSpan{set.starts[c] + first - stretch.begin, set.starts[c] + last + 1 - stretch.begin};
    }
  }
  return fail_as(
      ErrorKind::kBadInput,
      fmt::format("'{}' has {} frames, of which an example is FROM-TO, the last included", example.clip, frames));
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

std::pair<std::size_t, std::size_t> FoundMotion::frames_of(const compare::SimilarStretch& one) const {
  const std::size_t first = motion.stretches[one.clip].begin - set->starts[one.clip];
  return {one.frames.begin + first, one.frames.end + first};
}

std::string FoundMotion::told(const compare::SimilarStretch& one) const {
  const auto [from, to] = frames_of(one);
  const take::Stretch& stretch = motion.stretches[one.clip];
  return fmt::format("{}:{}-{}{}", stretch.name, from, to - 1, stretch.mirrored ? " (mirrored)" : "");
}

MotionExample read_example(const std::string& text) {
  const std::size_t colon = text.rfind(':'), minus = text.find('-', colon == std::string::npos ? 0 : colon);
  if (colon == std::string::npos || minus == std::string::npos) return MotionExample{text, {}};
  const auto whole = [](const std::string& digits) -> std::optional<std::size_t> {
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return {};
    return std::stoul(digits);
  };
  const auto first = whole(text.substr(colon + 1, minus - colon - 1)), last = whole(text.substr(minus + 1));
  if (!first || !last) return MotionExample{text, {}};
  return MotionExample{text.substr(0, colon), std::pair{*first, *last}};
}

Result<FoundMotion> find_motion(const library::Library& library, const MotionExample& example,
                                const FindOptions& options, const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  if (const auto info = library.clip_info(example.clip); !info) return fail_from(info);
  take::GatherOptions source;
  source.body = example.clip;
  source.rate = options.rate;
  source.mirror = options.mirror;
  source.keep_faulty = true;  // what is faulty is unlike anything
  source.clips = options.clips;
  if (!source.clips.empty()) source.clips.push_back(example.clip);
  auto gathered = take::gather(library, source, part_of(progress, 0, kReading));
  if (!gathered) return fail_from(gathered);
  FoundMotion found;
  found.motion = std::move(gathered->motion);
  auto set = compare::make_frame_set(found.motion.clips);
  if (!set) return fail_from(set);
  found.set = std::make_shared<compare::FrameSet>(std::move(*set));
  const auto metric = compare::PointCloud::create(found.set, compare::cloud_window(options.rate));
  if (!metric) return fail_from(metric);
  found.reading_s = since(start);
  const auto frames = locate(found.motion, *found.set, example);
  if (!frames) return fail_from(frames);
  found.example = *frames;
  compare::SimilarOptions wanted;
  wanted.most = options.most;
  wanted.limit = graph::square_metres_of(options.within_cm);
  wanted.through_matches = options.through_matches;
  const auto searching = std::chrono::steady_clock::now();
  auto similar = compare::find_similar_stretches(*metric, found.example, wanted, part_of(progress, kReading, 1));
  if (!similar) return fail_from(similar);
  found.similar = std::move(*similar);
  found.searching_s = since(searching);
  return found;
}

}  // namespace loom::project
