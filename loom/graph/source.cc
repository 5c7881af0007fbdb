// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <loom/base/memory.h>
#include <loom/base/parallel.h>
#include <loom/graph/labels.h>
#include <loom/graph/source.h>
#include <loom/library/bodies.h>
#include <loom/library/hash.h>
#include <loom/motion/mirror.h>
#include <loom/motion/stand_on_floor.h>
#include <loom/take/take_set.h>

namespace loom::graph {
namespace {

constexpr std::uint32_t kShortest = 12;  ///< frames: a stretch shorter than a window of comparison gives no node

using Range = motion::FrameRange;

/// The stretches of a clip that carry one of `labels`, those that touch joined; the whole clip when none is asked for.
std::vector<Range> wanted_ranges(const motion::Clip& clip, const std::vector<std::string>& labels) {
  if (labels.empty()) return {{0, clip.frames()}};
  std::vector<bool> wanted(clip.frames());
  for (const motion::Label& label : clip.labels) {
    if (std::find(labels.begin(), labels.end(), label.name) == labels.end()) continue;
    for (std::size_t f = label.begin; f < label.end; ++f) wanted[f] = true;
  }
  std::vector<Range> ranges;
  for (std::size_t f = 0; f < wanted.size(); ++f) {
    if (!wanted[f]) continue;
    if (ranges.empty() || ranges.back().end != f) ranges.push_back({f, f});
    ranges.back().end = f + 1;
  }
  return ranges;
}

/// The ranges to use of a clip `stored` in a library and resampled to `recording`: what is wanted of it, without faulty
/// stretches, of which `left_out` is told.
std::vector<Range> used_ranges(const motion::Clip& stored, const motion::Clip& recording, const SourceOptions& options,
                               std::vector<library::LeftOut>& left_out) {
  const std::vector<Range> wanted = wanted_ranges(recording, options.labels);
  if (options.keep_faulty) return wanted;
  const auto faulty = measure::find_faulty_stretches(stored);
  if (faulty.empty()) return wanted;
  library::add_left_out(stored, faulty, wanted_ranges(stored, options.labels), left_out);
  const auto resampled = measure::at_rate(faulty, stored.rate, options.rate, recording.frames());
  std::vector<Range> used;
  for (const Range& range : wanted) {
    const auto good = measure::without(range, resampled);
    used.insert(used.end(), good.begin(), good.end());
  }
  return used;
}

/// One clip of a graph cut out of its recording.
Result<motion::Clip> make_clip(const motion::Clip& recording, Range range, bool mirrored) {
  auto piece = motion::cut(recording, range.begin, range.end);
  if (!piece || !mirrored) return piece;
  return motion::mirror(*piece);
}

void find_all_contacts(take::TakeSet& motion) {
  motion.contacts.resize(motion.clips.size());
  parallel_for(motion.clips.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) motion.contacts[c] = motion::stand_on_floor(motion.clips[c]);
  });
}

Result<void> take_body(const motion::Clip& clip, std::string& first, take::TakeSet& motion) {
  if (!motion.skeleton) {
    motion.skeleton = clip.skeleton;
    first = clip.name;
  }
  if (motion.skeleton == clip.skeleton || *motion.skeleton == *clip.skeleton) return {};
  const std::string difference = describe_difference(*motion.skeleton, *clip.skeleton);
  return fail(fmt::format("'{}' and '{}' do not move the same body: {}; import them onto one body, or choose by label",
                          first, clip.name, difference.empty() ? "their bones differ in length" : difference));
}

Result<void> check_labels(const library::Library& library, const std::vector<std::string>& labels) {
  const auto totals = library.label_totals();
  if (!totals) return fail_from(totals);
  std::vector<std::string> known;
  for (const library::LabelTotal& total : *totals) known.push_back(total.name);
  for (const std::string& label : labels) {
    if (std::find(known.begin(), known.end(), label) == known.end()) {
      return fail(fmt::format("nothing in the library is labelled '{}'; its labels are: {}", label,
                              known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    }
  }
  return {};
}

bool carries_any(const library::ClipInfo& info, const std::vector<std::string>& labels) {
  if (labels.empty()) return true;
  return std::any_of(info.labels.begin(), info.labels.end(), [&](const motion::Label& label) {
    return std::find(labels.begin(), labels.end(), label.name) != labels.end();
  });
}

/// Bytes of motion in memory: roots, rotations and contacts.
double motion_bytes(double frames, std::size_t joints) {
  return frames * (sizeof(Vec3) + static_cast<double>(joints) * sizeof(Quat) + 1);
}

/// Frames of a clip that carry one of `labels`, at its own rate; where labels overlap, more.
double wanted_frames(const library::ClipInfo& info, const std::vector<std::string>& labels) {
  if (labels.empty()) return static_cast<double>(info.frames);
  double frames = 0;
  for (const motion::Label& label : info.labels) {
    if (std::find(labels.begin(), labels.end(), label.name) == labels.end()) continue;
    frames += static_cast<double>(label.end - label.begin);
  }
  return std::min(frames, static_cast<double>(info.frames));
}

/// Asks for all motion that will be read, and for the longest recording, which is cut from.
Result<void> require_room(const std::vector<library::ClipInfo>& infos, const SourceOptions& options) {
  double bytes = 0, longest = 0, frames = 0;
  for (const library::ClipInfo& info : infos) {
    if (!carries_any(info, options.labels)) continue;
    const double scale = options.rate / info.rate;
    const double used = wanted_frames(info, options.labels) * scale * (options.mirror ? 2 : 1);
    frames += used;
    bytes += motion_bytes(used, info.joints);
    longest = std::max(longest, motion_bytes(static_cast<double>(info.frames) * (1 + 2 * scale), info.joints));
  }
  return require_memory(bytes + longest, fmt::format("reading {:.0f} frames of motion", frames),
                        "choose fewer clips, or a lower rate", {"label", "rate"});
}

/// The same for a graph that was built before.
Result<void> require_room(const MotionGraph& graph, std::size_t joints) {
  double frames = 0;
  for (const GraphClip& clip : graph.clips) frames += clip.frames;
  return require_memory(motion_bytes(frames, joints), fmt::format("reading {:.0f} frames of motion", frames),
                        "build a graph of fewer clips");
}

std::string hash_of(const std::vector<std::string>& hashes) {
  std::string all;
  for (const std::string& hash : hashes) all += hash + "\n";
  return library::content_hash(std::as_bytes(std::span(all)));
}

Result<Source> read_wanted(const library::Library& library, const SourceOptions& options, const Progress& progress) {
  auto infos = library.clips();
  if (!infos) return fail_from(infos);
  if (infos->empty()) return fail("the library has no clips to make a graph of", library.path());
  if (const auto known = check_labels(library, options.labels); !known) return fail_from(known);
  std::erase_if(*infos, [&](const library::ClipInfo& info) { return !carries_any(info, options.labels); });
  if (const auto one = library::keep_one_body(library, options.body, *infos); !one) return fail_from(one);
  if (const auto room = require_room(*infos, options); !room) return fail_from(room);
  Source source;
  std::vector<std::string> hashes;
  std::string first;
  for (std::size_t i = 0; i < infos->size(); ++i) {
    const library::ClipInfo& info = (*infos)[i];
    if (!progress.report(static_cast<double>(i) / static_cast<double>(infos->size()), "reading " + info.name)) {
      return fail_as(ErrorKind::kStopped, "stopped while reading clips");
    }
    const auto stored = library.read_clip(info.name);
    if (!stored) return fail_from(stored);
    if (const auto same = take_body(*stored, first, source.motion); !same) return fail_from(same);
    const auto recording = motion::resample(*stored, options.rate);
    if (!recording) return fail_from(recording);
    const std::size_t before = source.clips.size();
    for (const Range& range : used_ranges(*stored, *recording, options, source.left_out)) {
      if (range.end - range.begin < kShortest) continue;
      for (const bool mirrored : {false, true}) {
        if (mirrored && !options.mirror) continue;
        auto clip = make_clip(*recording, range, mirrored);
        if (!clip) return fail_from(clip);
        source.clips.push_back({info.name, mirrored, static_cast<std::uint32_t>(range.begin),
                                static_cast<std::uint32_t>(clip->frames()), 0, 0, 0, clip->labels});
        source.motion.titles.push_back(source.clips.back().title());
        source.motion.clips.push_back(std::move(*clip));
      }
    }
    if (source.clips.size() > before) hashes.push_back(info.hash);
  }
  if (source.clips.empty()) {
    return fail(source.left_out.empty() ? "no clip is long enough to make a graph of"
                                        : "no clip is long enough to make a graph of where it is not faulty",
                library.path());
  }
  source.input_hash = hash_of(hashes);
  find_all_contacts(source.motion);
  return source;
}

/// The graph is there; that a clip of it is gone is another thing than a graph that is not found.
tl::unexpected<Error> changed(const Error& cause) {
  return fail_as(cause.kind == ErrorKind::kNotFound ? ErrorKind::kOther : cause.kind,
                 "the library has changed since the graph was built: " + cause.message);
}

Result<Source> read_again(const library::Library& library, const MotionGraph& graph, const std::string& input_hash,
                          const Progress& progress) {
  Source source;
  std::vector<std::string> hashes;
  std::string first;
  std::optional<motion::Clip> recording;
  for (std::size_t i = 0; i < graph.clips.size(); ++i) {
    const GraphClip& wanted = graph.clips[i];
    if (!progress.report(static_cast<double>(i) / static_cast<double>(graph.clips.size()), "reading " + wanted.name)) {
      return fail_as(ErrorKind::kStopped, "stopped while reading clips");
    }
    // The clips of one recording, its stretches and mirrored copies, come one after the other.
    if (!recording || recording->name != wanted.name) {
      const auto info = library.clip_info(wanted.name);
      if (!info) return changed(info.error());
      const auto stored = library.read_clip(wanted.name);
      if (!stored) return fail_from(stored);
      if (const auto same = take_body(*stored, first, source.motion); !same) return fail_from(same);
      if (const auto room = i == 0 ? require_room(graph, info->joints) : Result<void>(); !room) return fail_from(room);
      auto resampled = motion::resample(*stored, graph.rate);
      if (!resampled) return fail_from(resampled);
      recording = std::move(*resampled);
      hashes.push_back(info->hash);
    }
    auto clip = make_clip(*recording, {wanted.offset, std::size_t{wanted.offset} + wanted.frames}, wanted.mirrored);
    if (!clip) return changed(clip.error());
    source.motion.titles.push_back(wanted.title());
    source.motion.clips.push_back(std::move(*clip));
  }
  source.clips = graph.clips;
  source.input_hash = hash_of(hashes);
  if (source.input_hash != input_hash) {
    return fail("the library's clips have changed since the graph was built; build it again", library.path());
  }
  find_all_contacts(source.motion);
  return source;
}

}  // namespace

Result<Source> gather(const library::Library& library, const SourceOptions& options, const Progress& progress) {
  return within_memory("so much motion", [&] { return read_wanted(library, options, progress); });
}

Result<Source> gather_again(const library::Library& library, const MotionGraph& graph, const std::string& input_hash,
                            const Progress& progress) {
  return within_memory("so much motion", [&] { return read_again(library, graph, input_hash, progress); });
}

Result<StoredGraph> load_graph(const library::Library& library, const std::string& name) {
  const auto artefact = library.get_artefact(kGraphKind, name);
  if (!artefact) return fail_from(artefact);
  auto graph = graph_from_bytes(artefact->data);
  if (!graph)
    return fail_because(graph.error().or_kind(ErrorKind::kDamaged),
                        fmt::format("graph '{}': {}", name, graph.error().message), library.path());
  if (const auto labelled = look_up_labels(library, *graph); !labelled) return fail_from(labelled);
  auto source = gather_again(library, *graph, artefact->info.input_hash);
  if (!source) return fail_from(source);
  return StoredGraph{std::make_shared<MotionGraph>(std::move(*graph)),
                     std::make_shared<take::TakeSet>(std::move(source->motion)), artefact->info.parameters,
                     library::content_hash(artefact->data)};
}

}  // namespace loom::graph
